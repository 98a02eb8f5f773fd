//===- TensorLayout.cpp - parses and checks safetensors headers -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Files/TensorLayout.h"

#include "parablock/Files/Json.h"
#include <algorithm>
#include <limits>
#include <tuple>

using namespace parablock::files;

/// The largest header that the format's own implementation reads.
static constexpr uint64_t maxHeaderSize = 100'000'000;
static constexpr uint64_t lengthBytes = 8;
/// A header needs object > object > array; the extra depth allows a better
/// message for malformed ones.
static constexpr unsigned maxHeaderDepth = 8;
/// NumPy's bound.
static constexpr size_t maxRank = 32;

namespace {
struct TypeInfo {
  std::string_view word, keyword;
  unsigned bytes = 0;
};
} // namespace

/// Floats of 8 bits are read as their bits, by the keyword that another type
/// before them is written by.
static constexpr TypeInfo types[] = {
    {"F64", "f64", 8}, {"F32", "f32", 4},    {"BF16", "bf16", 2},
    {"F16", "f16", 2}, {"I64", "i64", 8},    {"I32", "i32", 4},
    {"I16", "i16", 2}, {"I8", "i8", 1},      {"U8", "ui8", 1},
    {"BOOL", "i1", 1}, {"F8_E4M3", "ui8", 1}};

/// The type that is called so, or nothing.
static TypeInfo findType(std::string_view TypeInfo::*name,
                         std::string_view wanted) {
  for (const TypeInfo &known : types)
    if (known.*name == wanted)
      return known;
  return {};
}

unsigned parablock::files::getTypeBytes(std::string_view type) {
  return findType(&TypeInfo::word, type).bytes;
}

std::string_view parablock::files::getTypeKeyword(std::string_view type) {
  return findType(&TypeInfo::word, type).keyword;
}

std::string_view parablock::files::getTypeWord(std::string_view keyword) {
  return findType(&TypeInfo::keyword, keyword).word;
}

static std::string formatShape(const std::vector<int64_t> &shape) {
  std::string text;
  for (int64_t size : shape)
    text += (text.empty() ? "[" : ", ") + std::to_string(size);
  return shape.empty() ? "[]" : text + "]";
}

/// Returns text of a file for a message, without a long list of tensors.
static std::string shorten(std::string_view text) {
  if (text.empty())
    return "nothing";
  return std::string(text.substr(0, 77)) + (text.size() > 80 ? "..." : "");
}

namespace {
/// Reads a header, for a file with so many bytes of data.
class HeaderReader {
public:
  HeaderReader(std::string_view header, uint64_t dataSize, TensorLayout &layout)
      : header(header), dataSize(dataSize), layout(layout) {}

  Status read();

private:
  Status refuse(const std::string &message) {
    return fail("tensor '" + name + "': " + message);
  }
  Status readMetadata(std::string_view text);
  Status readTensor(std::string_view text);
  Status readShape(std::string_view text);
  Status readOffsets(std::string_view text);
  Status checkPlacement() const;

  std::string_view header;
  uint64_t dataSize;
  TensorLayout &layout;
  std::string name;
  TensorPlace tensor;
};
} // namespace

/// Returns the integers of a list; none for another value or element, which is
/// stored in `wrong`.
static std::optional<std::vector<uint64_t>>
readNumbers(std::string_view text, std::string_view &wrong) {
  wrong = text;
  std::vector<uint64_t> numbers;
  JsonReader reader(text);
  bool good = reader.peek() == '[' && reader.readArray([&] {
    std::string_view word;
    if (!reader.skipValue(word))
      return false;
    std::optional<uint64_t> number = parseJsonUnsigned(word);
    if (!number)
      wrong = word;
    else if (numbers.size() <= maxRank) // more are refused, not kept
      numbers.push_back(*number);
    return number.has_value();
  });
  if (!good)
    return std::nullopt;
  return numbers;
}

Status HeaderReader::readMetadata(std::string_view text) {
  JsonReader reader(text);
  if (reader.peek() != '{')
    return fail("__metadata__: expected an object, got " + shorten(text));
  Status failure;
  std::vector<std::string> keys;
  reader.readObject(keys, [&] {
    if (reader.peek() == '"')
      return reader.readString(layout.metadata[keys.back()]);
    std::string_view value;
    if (reader.skipValue(value))
      failure = fail("__metadata__: expected a string as '" + keys.back() +
                     "', got " + shorten(value));
    return false;
  });
  return failure;
}

Status HeaderReader::readShape(std::string_view text) {
  std::string_view wrong;
  std::optional<std::vector<uint64_t>> sizes = readNumbers(text, wrong);
  if (!sizes && (text.empty() || text.front() != '['))
    return refuse("expected a list as shape, got " + shorten(text));
  uint64_t count = 1;
  bool fits = true;
  for (uint64_t size : sizes.value_or(std::vector<uint64_t>())) {
    if (size > uint64_t(std::numeric_limits<int64_t>::max()))
      return refuse("expected sizes of 63 bits in shape, got " +
                    std::to_string(size));
    tensor.shape.push_back(static_cast<int64_t>(size));
    // The other sizes of an empty tensor must still fit: NumPy would reject
    // them.
    fits &= size == 0 || !__builtin_mul_overflow(count, size, &count);
  }
  if (!sizes)
    return refuse("expected non-negative whole numbers in shape, got " +
                  shorten(wrong));
  if (tensor.shape.size() > maxRank)
    return refuse("expected at most " + std::to_string(maxRank) +
                  " dimensions, got more");
  unsigned bytes = std::max(getTypeBytes(tensor.type), 1u);
  if (!fits || count > std::numeric_limits<int64_t>::max() / bytes)
    return refuse("expected a size that 64 bits can count, got shape " +
                  formatShape(tensor.shape));
  return {};
}

Status HeaderReader::readOffsets(std::string_view text) {
  std::string_view wrong;
  std::optional<std::vector<uint64_t>> offsets = readNumbers(text, wrong);
  if (!offsets || offsets->size() != 2 || (*offsets)[0] > (*offsets)[1])
    return refuse("expected data_offsets [begin, end] with begin <= end, got " +
                  shorten(text));
  tensor.begin = (*offsets)[0];
  tensor.end = (*offsets)[1];
  unsigned elementBytes = getTypeBytes(tensor.type);
  uint64_t bytes = elementBytes, got = tensor.end - tensor.begin;
  for (int64_t size : tensor.shape)
    bytes *= static_cast<uint64_t>(size);
  if (elementBytes && bytes != got)
    return refuse("expected " + std::to_string(bytes) + " bytes for " +
                  tensor.type + " " + formatShape(tensor.shape) +
                  ", got data_offsets of " + std::to_string(got) + " bytes");
  return {};
}

Status HeaderReader::readTensor(std::string_view text) {
  JsonReader reader(text);
  if (reader.peek() != '{')
    return refuse("expected an object with dtype, shape and data_offsets, "
                  "got " +
                  shorten(text));
  std::vector<std::string> keys;
  std::string_view type, shape, offsets, other;
  reader.readObject(keys, [&] {
    const std::string &key = keys.back();
    return reader.skipValue(key == "dtype"          ? type
                            : key == "shape"        ? shape
                            : key == "data_offsets" ? offsets
                                                    : other);
  });
  tensor = TensorPlace();
  tensor.name = name;
  JsonReader word(type);
  if (word.peek() != '"' || !word.readString(tensor.type))
    return refuse("expected a string as dtype, got " + shorten(type));
  if (Status failure = readShape(shape))
    return failure;
  if (Status failure = readOffsets(offsets))
    return failure;
  layout.tensors.push_back(std::move(tensor));
  return {};
}

/// Tensors, sorted by offset, must fill the data without holes or overlaps.
Status HeaderReader::checkPlacement() const {
  // Checked first, so that the error names the tensor with wrong offsets and
  // not the neighbour of the resulting hole.
  for (const TensorPlace &place : layout.tensors)
    if (place.end > dataSize)
      return fail(
          "tensor '" + place.name + "': expected data within the file's " +
          std::to_string(dataSize) + " bytes of data, got data_offsets [" +
          std::to_string(place.begin) + ", " + std::to_string(place.end) + "]");
  const TensorPlace *previous = nullptr;
  uint64_t expected = 0;
  for (const TensorPlace &place : layout.tensors) {
    if (place.begin != expected)
      return fail("tensor '" + place.name + "': expected data from offset " +
                  std::to_string(expected) + ", got offset " +
                  std::to_string(place.begin) +
                  (place.begin > expected
                       ? ", leaving bytes of no tensor"
                       : ", inside tensor '" + previous->name + "'"));
    expected = place.end;
    previous = &place;
  }
  if (expected != dataSize)
    return fail("expected the data to end at byte " + std::to_string(expected) +
                ", behind the last tensor, got " + std::to_string(dataSize) +
                " bytes of data");
  return {};
}

Status HeaderReader::read() {
  if (header.compare(0, 1, "{") != 0)
    return fail("expected a JSON object as header");
  if (Status failure = checkJson(header, maxHeaderDepth))
    return fail("header is no valid JSON: " + failure->text);
  JsonReader reader(header);
  Status failure;
  std::vector<std::string> keys;
  reader.readObject(keys, [&] {
    std::string_view value;
    if (!reader.skipValue(value))
      return false;
    name = keys.back();
    failure = name == "__metadata__" ? readMetadata(value) : readTensor(value);
    return !failure;
  });
  if (failure)
    return failure;
  std::sort(layout.tensors.begin(), layout.tensors.end(),
            [](const TensorPlace &a, const TensorPlace &b) {
              return std::tie(a.begin, a.end, a.name) <
                     std::tie(b.begin, b.end, b.name);
            });
  return checkPlacement();
}

Status TensorLayout::read(std::string_view contents) {
  *this = TensorLayout();
  if (contents.size() < lengthBytes)
    return fail("expected at least the 8 bytes of a header length, got " +
                std::to_string(contents.size()) + " bytes");
  uint64_t length = 0;
  for (unsigned i = 0; i < lengthBytes; ++i)
    length |= uint64_t(static_cast<unsigned char>(contents[i])) << 8 * i;
  if (length > maxHeaderSize)
    return fail("expected a header of at most " +
                std::to_string(maxHeaderSize) +
                " bytes, got a header length of " + std::to_string(length));
  if (length > contents.size() - lengthBytes)
    return fail("expected a header of " + std::to_string(length) +
                " bytes, got a file of " + std::to_string(contents.size()) +
                " bytes");
  std::string_view header = contents.substr(lengthBytes, length);
  uint64_t dataBegin = lengthBytes + length;
  Status failure =
      HeaderReader(header, contents.size() - dataBegin, *this).read();
  for (TensorPlace &place : tensors) {
    place.begin += dataBegin;
    place.end += dataBegin;
  }
  return failure;
}

std::string parablock::files::makeTensorHeader(
    const std::vector<TensorPlace> &tensors,
    const std::map<std::string, std::string> &metadata) {
  std::string header(lengthBytes, '\0'), words;
  for (const auto &[key, value] : metadata)
    words +=
        (words.empty() ? "" : ",") + quoteJson(key) + ":" + quoteJson(value);
  header += words.empty() ? "{" : "{\"__metadata__\":{" + words + "}";
  uint64_t begin = 0;
  for (const TensorPlace &tensor : tensors) {
    uint64_t bytes = getTypeBytes(tensor.type);
    std::string shape;
    for (int64_t size : tensor.shape) {
      shape += (shape.empty() ? "" : ",") + std::to_string(size);
      bytes *= static_cast<uint64_t>(size);
    }
    header += (header.back() == '{' ? "" : ",") + quoteJson(tensor.name) +
              ":{\"dtype\":\"" + tensor.type + "\",\"shape\":[" + shape +
              "],\"data_offsets\":[" + std::to_string(begin) + "," +
              std::to_string(begin + bytes) + "]}";
    begin += bytes;
  }
  header += "}";
  // So that the data is aligned in the file.
  header.resize((header.size() + 7) / 8 * 8, ' ');
  for (unsigned i = 0; i < lengthBytes; ++i)
    header[i] = static_cast<char>((header.size() - lengthBytes) >> 8 * i);
  return header;
}
