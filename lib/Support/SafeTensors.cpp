//===- SafeTensors.cpp - Reading safetensors files ------------------------===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "parablock/Support/SafeTensors.h"
#include "parablock/Support/StrictJSON.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"
#include <tuple>
#ifdef LLVM_ON_UNIX
#include <sys/mman.h>
#endif

using namespace parablock;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

/// What the format's own implementation refuses to read.
static constexpr uint64_t maxHeaderSize = 100'000'000;
/// object > object > array is all that a header needs; some room for metadata
/// that is wrong in a way worth a better message.
static constexpr unsigned maxHeaderDepth = 8;

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

namespace {
/// An entry with the offsets that its data will be found at.
struct PlacedEntry {
  SafeTensorsEntry entry;
  uint64_t begin = 0, end = 0;
};

Error makeEntryError(StringRef name, const Twine &message) {
  return llvm::createStringError("tensor '" + name + "': " + message);
}

std::string printed(const json::Value *value) {
  if (!value)
    return "nothing";
  std::string text;
  llvm::raw_string_ostream(text) << *value;
  // A whole tensor list in an error message helps nobody.
  if (text.size() > 80)
    text = text.substr(0, 77) + "...";
  return text;
}

Error readShape(const json::Object &fields, SafeTensorsEntry &entry) {
  const json::Array *dimensions = fields.getArray("shape");
  if (!dimensions)
    return makeEntryError(entry.name, "expected a list as shape, got " +
                                          printed(fields.get("shape")));
  for (const json::Value &value : *dimensions) {
    std::optional<int64_t> dimension = value.getAsInteger();
    if (!dimension || *dimension < 0)
      return makeEntryError(entry.name,
                            "expected non-negative whole numbers in shape, "
                            "got " +
                                printed(&value));
    entry.shape.push_back(*dimension);
  }
  return Error::success();
}

Expected<PlacedEntry> readEntry(StringRef name, const json::Value &value) {
  PlacedEntry placed;
  SafeTensorsEntry &entry = placed.entry;
  entry.name = name.str();
  const json::Object *fields = value.getAsObject();
  if (!fields)
    return makeEntryError(name, "expected an object with dtype, shape and "
                                "data_offsets, got " +
                                    printed(&value));

  std::optional<StringRef> typeName = fields->getString("dtype");
  std::optional<ElementType> type;
  if (typeName)
    type = parseElementTypeName(*typeName);
  if (!type)
    return makeEntryError(name, "expected dtype F64, F32, BF16, F16, I64, I32, "
                                "I16, I8, U8 or BOOL, got " +
                                    printed(fields->get("dtype")));
  entry.type = *type;

  if (Error error = readShape(*fields, entry))
    return error;
  std::optional<uint64_t> size = countBytes(entry.type, entry.shape);
  if (!size)
    return makeEntryError(name, "expected a size that 64 bits can count, got "
                                "shape " +
                                    formatShape(entry.shape));

  const json::Array *offsets = fields->getArray("data_offsets");
  std::optional<uint64_t> begin, end;
  if (offsets && offsets->size() == 2) {
    begin = (*offsets)[0].getAsUINT64();
    end = (*offsets)[1].getAsUINT64();
  }
  if (!begin || !end || *begin > *end)
    return makeEntryError(name, "expected data_offsets [begin, end] with begin "
                                "<= end, got " +
                                    printed(fields->get("data_offsets")));
  if (*end - *begin != *size)
    return makeEntryError(name, "expected " + Twine(*size) + " bytes for " +
                                    getElementTypeName(entry.type) + " " +
                                    formatShape(entry.shape) +
                                    ", got data_offsets of " +
                                    Twine(*end - *begin) + " bytes");
  placed.begin = *begin;
  placed.end = *end;
  return placed;
}

Error readMetadata(const json::Value &value, SafeTensorsMetadata &metadata) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return llvm::createStringError("__metadata__: expected an object, got " +
                                   printed(&value));
  for (const auto &[key, item] : *object) {
    std::optional<StringRef> string = item.getAsString();
    if (!string)
      return llvm::createStringError("__metadata__: expected a string as '" +
                                     key.str() + "', got " + printed(&item));
    metadata[key.str()] = string->str();
  }
  return Error::success();
}

/// Tensors, sorted by offset, must fill the data without holes or overlaps.
Error checkPlacement(ArrayRef<PlacedEntry> placed, uint64_t dataSize) {
  // First of all, so that the tensor named is the one whose offsets lie and not
  // the neighbour of the hole that it leaves.
  for (const PlacedEntry &current : placed)
    if (current.end > dataSize)
      return makeEntryError(
          current.entry.name,
          "expected data within the file's " + Twine(dataSize) +
              " bytes of data, got data_offsets [" + Twine(current.begin) +
              ", " + Twine(current.end) + "]");
  const PlacedEntry *previous = nullptr;
  uint64_t expectedBegin = 0;
  for (const PlacedEntry &current : placed) {
    StringRef name = current.entry.name;
    if (current.begin < expectedBegin)
      return makeEntryError(
          name, "expected data from offset " + Twine(expectedBegin) +
                    ", got offset " + Twine(current.begin) +
                    ", inside tensor '" + previous->entry.name + "'");
    if (current.begin > expectedBegin)
      return makeEntryError(name, "expected data from offset " +
                                      Twine(expectedBegin) + ", got offset " +
                                      Twine(current.begin) +
                                      ", leaving bytes of no tensor");
    expectedBegin = current.end;
    previous = &current;
  }
  if (expectedBegin != dataSize)
    return llvm::createStringError(
        "expected the data to end at byte " + Twine(expectedBegin) +
        ", behind the last tensor, got " + Twine(dataSize) + " bytes of data");
  return Error::success();
}

Expected<std::vector<PlacedEntry>> readHeader(StringRef header,
                                              SafeTensorsMetadata &metadata) {
  if (!header.starts_with("{"))
    return llvm::createStringError("expected a JSON object as header");
  Expected<json::Value> value = parseStrictJSON(header, maxHeaderDepth);
  if (!value)
    return llvm::createStringError("header is no valid JSON: " +
                                   llvm::toString(value.takeError()));
  std::vector<PlacedEntry> placed;
  // What starts with a brace and parses is an object.
  for (const auto &[key, item] : *value->getAsObject()) {
    if (key == "__metadata__") {
      if (Error error = readMetadata(item, metadata))
        return error;
      continue;
    }
    Expected<PlacedEntry> entry = readEntry(key.str(), item);
    if (!entry)
      return entry.takeError();
    placed.push_back(std::move(*entry));
  }
  llvm::sort(placed, [](const PlacedEntry &a, const PlacedEntry &b) {
    return std::tie(a.begin, a.end, a.entry.name) <
           std::tie(b.begin, b.end, b.entry.name);
  });
  return placed;
}

/// Validates all of `contents`; the entries returned point into it.
Expected<std::vector<SafeTensorsEntry>>
readContents(StringRef contents, SafeTensorsMetadata &metadata) {
  if (contents.size() < 8)
    return llvm::createStringError(
        "expected at least the 8 bytes of a header length, got " +
        Twine(contents.size()) + " bytes");
  uint64_t headerSize = llvm::support::endian::read64le(contents.data());
  if (headerSize > maxHeaderSize)
    return llvm::createStringError(
        "expected a header of at most " + Twine(maxHeaderSize) +
        " bytes, got a header length of " + Twine(headerSize));
  if (headerSize > contents.size() - 8)
    return llvm::createStringError("expected a header of " + Twine(headerSize) +
                                   " bytes, got a file of " +
                                   Twine(contents.size()) + " bytes");
  Expected<std::vector<PlacedEntry>> placed =
      readHeader(contents.substr(8, headerSize), metadata);
  if (!placed)
    return placed.takeError();
  StringRef data = contents.drop_front(8 + headerSize);
  if (Error error = checkPlacement(*placed, data.size()))
    return error;

  std::vector<SafeTensorsEntry> entries;
  entries.reserve(placed->size());
  for (PlacedEntry &item : *placed) {
    item.entry.bytes = llvm::arrayRefFromStringRef(
        data.substr(item.begin, item.end - item.begin));
    entries.push_back(std::move(item.entry));
  }
  return entries;
}
} // namespace

Expected<SafeTensorsFile> SafeTensorsFile::open(StringRef path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/false,
                                         /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::createStringError(path + ": " + buffer.getError().message());
  SafeTensorsFile file;
  file.filePath = path.str();
  file.buffer = std::move(*buffer);
  Expected<std::vector<SafeTensorsEntry>> entries =
      readContents(file.buffer->getBuffer(), file.metadataMap);
  if (!entries)
    return llvm::createStringError(path + ": " +
                                   llvm::toString(entries.takeError()));
  file.tensors = std::move(*entries);
  for (const auto &[index, entry] : llvm::enumerate(file.tensors))
    file.indexOfName[entry.name] = index;
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
  // A file in allocated memory (a pipe, a small file) has nothing to read again
  // from. MemoryBuffer's own dontNeedIfMmap goes through posix_madvise, which
  // has no effect with glibc.
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
