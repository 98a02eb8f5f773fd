//===- SafeTensors.cpp - Reading safetensors files ------------------------===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "parablock/Support/SafeTensors.h"
#include "parablock/Files/TensorLayout.h"
#include "parablock/Support/InputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"
#ifdef LLVM_ON_UNIX
#include <sys/mman.h>
#endif

using namespace parablock;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::StringRef;

std::optional<uint64_t> parablock::countElements(ArrayRef<int64_t> shape) {
  uint64_t count = 1;
  bool isEmpty = llvm::is_contained(shape, 0);
  for (int64_t dimension : shape) {
    if (dimension < 0)
      return std::nullopt;
    if (isEmpty)
      continue;
    std::optional<uint64_t> product =
        llvm::checkedMulUnsigned(count, static_cast<uint64_t>(dimension));
    if (!product)
      return std::nullopt;
    count = *product;
  }
  return isEmpty ? 0 : count;
}

std::optional<uint64_t> parablock::countBytes(ElementType type,
                                              ArrayRef<int64_t> shape) {
  std::optional<uint64_t> count = countElements(shape);
  if (!count)
    return std::nullopt;
  return llvm::checkedMulUnsigned(*count, uint64_t(getElementSize(type)));
}

std::string parablock::formatShape(ArrayRef<int64_t> shape) {
  std::string text = "[";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(shape, os);
  os << "]";
  return text;
}

std::vector<double> SafeTensorsEntry::decode() const {
  std::vector<double> values(getNumElements());
  decodeElements(type, bytes, values);
  return values;
}

Expected<SafeTensorsFile> SafeTensorsFile::open(StringRef path) {
  Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      readInput(path, InputForm::Bytes);
  if (!buffer)
    return llvm::createStringError(path + ": " +
                                   llvm::toString(buffer.takeError()));
  SafeTensorsFile file;
  file.filePath = path.str();
  file.buffer = std::move(*buffer);
  StringRef contents = file.buffer->getBuffer();
  files::TensorLayout layout;
  if (files::Status failure = layout.read(contents))
    return llvm::createStringError(path + ": " + failure->text);
  file.metadataMap = std::move(layout.metadata);
  for (files::TensorPlace &place : layout.tensors) {
    std::optional<ElementType> type =
        parseElementTypeKeyword(files::getTypeKeyword(place.type));
    if (!type)
      return llvm::createStringError(
          path + ": tensor '" + place.name +
          "': expected dtype F64, F32, BF16, F16, I64, I32, I16, I8, U8, "
          "F8_E4M3 or BOOL, got \"" +
          place.type + "\"");
    SafeTensorsEntry &entry = file.tensors.emplace_back();
    entry.type = *type;
    entry.word = place.type;
    entry.shape.assign(place.shape.begin(), place.shape.end());
    entry.bytes =
        llvm::arrayRefFromStringRef(contents.slice(place.begin, place.end));
    file.indexOfName[place.name] = file.tensors.size() - 1;
    entry.name = std::move(place.name);
  }
  return file;
}

const SafeTensorsEntry *SafeTensorsFile::lookup(StringRef name) const {
  auto found = indexOfName.find(name);
  return found == indexOfName.end() ? nullptr : &tensors[found->second];
}

Expected<const SafeTensorsEntry *>
SafeTensorsFile::require(StringRef name, ArrayRef<int64_t> shape) const {
  const SafeTensorsEntry *entry = lookup(name);
  if (!entry)
    return llvm::createStringError(filePath + ": expected a tensor '" + name +
                                   "' of shape " + formatShape(shape) +
                                   ", got none of that name");
  if (ArrayRef<int64_t>(entry->shape) != shape)
    return llvm::createStringError(filePath + ": tensor '" + name +
                                   "': expected shape " + formatShape(shape) +
                                   ", got " + formatShape(entry->shape));
  return entry;
}

void SafeTensorsFile::releasePages() const {
  // A file in allocated memory (a pipe, a small file) cannot be read again.
  // MemoryBuffer's own dontNeedIfMmap uses posix_madvise, which has no effect
  // with glibc.
#ifdef LLVM_ON_UNIX
  if (buffer->getBufferKind() != llvm::MemoryBuffer::MemoryBuffer_MMap)
    return;
  uint64_t page = llvm::sys::Process::getPageSizeEstimate();
  auto begin = reinterpret_cast<uintptr_t>(buffer->getBufferStart());
  uintptr_t first = llvm::alignTo(begin, page);
  uintptr_t last = llvm::alignDown(begin + buffer->getBufferSize(), page);
  if (first < last)
    ::madvise(reinterpret_cast<void *>(first), last - first, MADV_DONTNEED);
#endif
}
