//===- TensorStore.cpp - safetensors files without LLVM -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Launch/TensorStore.h"

#include "parablock/Launch/Json.h"
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

static constexpr uint64_t lengthBytes = 8;

/// "BF16" is bf16.
static std::string toPlanType(std::string word) {
  for (char &c : word)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return word;
}

TensorStore::~TensorStore() {
  if (mapped)
    munmap(const_cast<unsigned char *>(mapped), mappedBytes);
}

Status TensorStore::open(const std::string &from) {
  path = from;
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat info;
  if (file < 0 || fstat(file, &info) != 0) {
    int code = errno;
    if (file >= 0)
      ::close(file);
    return fail(path + ": " + std::strerror(code));
  }
  mappedBytes = static_cast<size_t>(info.st_size);
  void *address = MAP_FAILED;
  if (mappedBytes >= lengthBytes)
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

/// The bytes from `begin` to `end` of the data, if they are there and as many
/// as type and shape say.
static bool isSound(const StoredTensor &tensor, std::optional<int64_t> begin,
                    std::optional<int64_t> end, uint64_t dataBytes) {
  if (!begin || !end || *begin < 0 || *end < *begin ||
      static_cast<uint64_t>(*end) > dataBytes)
    return false;
  uint64_t bytes = getPlanElementSize(tensor.type);
  if (!bytes) // a type that no plan takes: of no interest
    return true;
  for (int64_t size : tensor.shape)
    if (size < 0 ||
        __builtin_mul_overflow(bytes, static_cast<uint64_t>(size), &bytes))
      return false;
  return bytes == static_cast<uint64_t>(*end - *begin);
}

Status TensorStore::readHeader() {
  uint64_t length = 0;
  for (unsigned i = 0; i < lengthBytes; ++i)
    length |= uint64_t(mapped[i]) << 8 * i;
  if (length > mappedBytes - lengthBytes)
    return fail("expected a header of " + std::to_string(length) +
                " bytes, got " + std::to_string(mappedBytes - lengthBytes));
  const unsigned char *data = mapped + lengthBytes + length;
  uint64_t dataBytes = mappedBytes - lengthBytes - length;
  Json header;
  if (Status failure =
          Json::parse({reinterpret_cast<const char *>(mapped) + lengthBytes,
                       static_cast<size_t>(length)},
                      header))
    return fail("header: " + failure->text);
  if (!header.isObject())
    return fail("header: expected an object");
  for (size_t i = 0; i < header.keys().size(); ++i) {
    const std::string &name = header.keys()[i];
    const Json &entry = header.elements()[i];
    if (name == "__metadata__") {
      for (size_t word = 0; word < entry.keys().size(); ++word)
        metadata[entry.keys()[word]] = entry.elements()[word].text();
      continue;
    }
    StoredTensor tensor;
    tensor.name = name;
    const Json *type = entry.find("dtype"), *shape = entry.find("shape"),
               *offsets = entry.find("data_offsets");
    bool complete = type && shape && offsets && offsets->elements().size() == 2;
    if (complete) {
      tensor.type = toPlanType(type->text());
      for (const Json &size : shape->elements())
        tensor.shape.push_back(size.integer().value_or(-1));
      std::optional<int64_t> begin = offsets->elements()[0].integer(),
                             end = offsets->elements()[1].integer();
      complete = isSound(tensor, begin, end, dataBytes);
      if (complete) {
        tensor.data = data + *begin;
        tensor.bytes = static_cast<uint64_t>(*end - *begin);
      }
    }
    if (!complete)
      return fail("tensor '" + name +
                  "': expected dtype, shape and data_offsets that fit the "
                  "file");
    tensors.push_back(std::move(tensor));
  }
  return {};
}

const StoredTensor *TensorStore::find(const std::string &name) const {
  auto found =
      std::find_if(tensors.begin(), tensors.end(),
                   [&](const StoredTensor &t) { return t.name == name; });
  return found == tensors.end() ? nullptr : &*found;
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

static std::string makeHeader(const std::vector<TensorToStore> &tensors) {
  std::string header = "{";
  uint64_t begin = 0;
  for (const TensorToStore &tensor : tensors) {
    std::string type = tensor.type, shape;
    for (char &c : type)
      if (c >= 'a' && c <= 'z')
        c = static_cast<char>(c - 'a' + 'A');
    for (int64_t size : tensor.shape)
      shape += (shape.empty() ? "" : ",") + std::to_string(size);
    uint64_t end = begin + tensor.bytes.size();
    header += (header.size() > 1 ? "," : "") + quoteJson(tensor.name) +
              ":{\"dtype\":\"" + type + "\",\"shape\":[" + shape +
              "],\"data_offsets\":[" + std::to_string(begin) + "," +
              std::to_string(end) + "]}";
    begin = end;
  }
  header += "}";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  return header;
}

/// Writes a file that appears whole or not at all.
static Status writeWhole(const std::string &path, const std::string &text) {
  std::string temporary =
      path + ".partial" + std::to_string(static_cast<long>(getpid()));
  auto refuse = [&] { return fail(path + ": " + std::strerror(errno)); };
  // Devices and pipes have no name to take.
  struct stat info;
  bool isSpecial = stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
  const std::string &target = isSpecial ? path : temporary;
  std::FILE *file = std::fopen(target.c_str(), "wb");
  if (!file)
    return refuse();
  bool good = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  good &= std::fclose(file) == 0;
  if (good && !isSpecial)
    good = std::rename(temporary.c_str(), path.c_str()) == 0;
  if (good)
    return {};
  Status failure = refuse();
  if (!isSpecial)
    std::remove(temporary.c_str());
  return failure;
}

Status launch::writeTensors(const std::string &path,
                            std::vector<TensorToStore> tensors) {
  std::sort(tensors.begin(), tensors.end(),
            [](const TensorToStore &a, const TensorToStore &b) {
              unsigned sizeA = getPlanElementSize(a.type);
              unsigned sizeB = getPlanElementSize(b.type);
              return sizeA != sizeB ? sizeA > sizeB : a.name < b.name;
            });
  std::string header = makeHeader(tensors), text;
  for (unsigned i = 0; i < lengthBytes; ++i)
    text += static_cast<char>(uint64_t(header.size()) >> 8 * i);
  text += header;
  for (const TensorToStore &tensor : tensors)
    text.append(tensor.bytes.begin(), tensor.bytes.end());
  return writeWhole(path, text);
}

Status launch::writeText(const std::string &path, const std::string &text) {
  if (path != "-")
    return writeWhole(path, text);
  std::fputs(text.c_str(), stdout);
  return {};
}
