//===- TensorStore.cpp - reads and writes safetensors files ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Launch/TensorStore.h"

#include "parablock/Files/AtomicFile.h"
#include "parablock/Files/TensorLayout.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace parablock;
using namespace parablock::launch;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Converts "BF16" to bf16; types that programs do not have, such as floats of
/// 8 bits, are unchanged, for the message.
static std::string toPlanType(const std::string &word) {
  std::string_view keyword = files::getTypeKeyword(word);
  return files::getTypeWord(keyword) == word ? std::string(keyword) : word;
}

TensorStore::~TensorStore() {
  if (mapped)
    munmap(const_cast<unsigned char *>(mapped), mappedBytes);
}

Status TensorStore::open(const std::string &from) {
  path = from;
  int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  struct stat info;
  if (file < 0 || fstat(file, &info) != 0) {
    int code = errno;
    if (file >= 0)
      ::close(file);
    return fail(path + ": " + std::strerror(code));
  }
  mappedBytes = static_cast<size_t>(info.st_size);
  void *address = MAP_FAILED;
  if (S_ISREG(info.st_mode) && mappedBytes != 0)
    address = mmap(nullptr, mappedBytes, PROT_READ, MAP_PRIVATE, file, 0);
  ::close(file);
  if (address == MAP_FAILED)
    return fail(path + ": expected a safetensors file, got " +
                std::to_string(mappedBytes) + " bytes");
  mapped = static_cast<const unsigned char *>(address);
  if (Status failure = readHeader())
    return fail(path + ": " + failure->text);
  return {};
}

Status TensorStore::readHeader() {
  files::TensorLayout layout;
  if (Status failure =
          layout.read({reinterpret_cast<const char *>(mapped), mappedBytes}))
    return failure;
  metadata = std::move(layout.metadata);
  for (files::TensorPlace &place : layout.tensors)
    tensors.push_back({std::move(place.name), toPlanType(place.type),
                       std::move(place.shape), mapped + place.begin,
                       place.end - place.begin});
  std::sort(tensors.begin(), tensors.end(),
            [](const StoredTensor &a, const StoredTensor &b) {
              return a.name < b.name;
            });
  return {};
}

const StoredTensor *TensorStore::find(const std::string &name) const {
  auto found =
      std::lower_bound(tensors.begin(), tensors.end(), name,
                       [](const StoredTensor &t, const std::string &key) {
                         return t.name < key;
                       });
  return found == tensors.end() || found->name != name ? nullptr : &*found;
}

const std::string *TensorStore::findMetadata(const std::string &key) const {
  auto found = metadata.find(key);
  return found == metadata.end() ? nullptr : &found->second;
}

Status TensorStore::check(const PlanTensor &wanted, const StoredTensor &stored,
                          PlanDims &dims) const {
  if (stored.type != wanted.type)
    return fail(path + ": expected tensor '" + wanted.name + "' to be " +
                wanted.type + ", got " + stored.type);
  if (Status failure = matchShape(wanted, stored.shape, dims))
    return fail(path + ": " + failure->text);
  return {};
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

Status launch::writeTensors(const std::string &path,
                            std::vector<TensorToStore> tensors) {
  std::sort(tensors.begin(), tensors.end(),
            [](const TensorToStore &a, const TensorToStore &b) {
              unsigned sizeA = getPlanElementSize(a.type);
              unsigned sizeB = getPlanElementSize(b.type);
              return sizeA != sizeB ? sizeA > sizeB : a.name < b.name;
            });
  std::vector<files::TensorPlace> places;
  for (const TensorToStore &tensor : tensors) {
    places.push_back({tensor.name, std::string(files::getTypeWord(tensor.type)),
                      tensor.shape});
  }
  files::AtomicFile file;
  if (Status failure = file.create(path))
    return failure;
  if (Status failure = file.write(files::makeTensorHeader(places, {})))
    return failure;
  for (const TensorToStore &tensor : tensors)
    if (Status failure =
            file.write({reinterpret_cast<const char *>(tensor.bytes.data()),
                        tensor.bytes.size()}))
      return failure;
  return file.keep();
}

Status launch::writeText(const std::string &path, const std::string &text) {
  if (path != "-")
    return files::writeWhole(path, text);
  std::fputs(text.c_str(), stdout);
  return {};
}
