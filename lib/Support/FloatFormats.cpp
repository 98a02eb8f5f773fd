//===- FloatFormats.cpp - rounds, encodes and decodes elements ------------===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "parablock/Support/FloatFormats.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/ErrorHandling.h"
#include <cassert>
#include <cmath>

using namespace parablock;
using llvm::ArrayRef;
using llvm::MutableArrayRef;
using llvm::StringRef;

namespace {
struct ElementTypeInfo {
  StringRef name;
  StringRef keyword;
  unsigned size;
};

/// Indexed by ElementType.
constexpr ElementTypeInfo elementTypes[] = {
    {"F64", "f64", 8}, {"F32", "f32", 4}, {"BF16", "bf16", 2},
    {"F16", "f16", 2}, {"I64", "i64", 8}, {"I32", "i32", 4},
    {"I16", "i16", 2}, {"I8", "i8", 1},   {"U8", "ui8", 1},
    {"BOOL", "i1", 1},
};

const ElementTypeInfo &getInfo(ElementType type) {
  return elementTypes[static_cast<unsigned>(type)];
}

/// Converts like a C++ cast, except that values out of range saturate.
template <typename Integer> Integer toInteger(double value) {
  using Limits = std::numeric_limits<Integer>;
  if (std::isnan(value))
    return 0;
  if (value <= static_cast<double>(Limits::min()))
    return Limits::min();
  // The maximum of 64 bits rounds up to 2^63 as a double, hence >=.
  if (value >= static_cast<double>(Limits::max()))
    return Limits::max();
  return static_cast<Integer>(value);
}

// One description per element type: its rounding of doubles, and its storage.
template <ElementType type> struct Format;
template <> struct Format<ElementType::F64> {
  using Storage = uint64_t;
  static double round(double value) { return value; }
  static Storage encode(double value) {
    return llvm::bit_cast<uint64_t>(value);
  }
  static double decode(Storage bits) { return llvm::bit_cast<double>(bits); }
};
template <> struct Format<ElementType::F32> {
  using Storage = uint32_t;
  static double round(double value) { return roundToF32(value); }
  static Storage encode(double value) {
    return llvm::bit_cast<uint32_t>(static_cast<float>(value));
  }
  static double decode(Storage bits) { return llvm::bit_cast<float>(bits); }
};
template <typename Narrow> struct HalfFormat {
  using Storage = uint16_t;
  static double round(double value) { return Narrow::round(value); }
  static Storage encode(double value) { return Narrow::toBits(value); }
  static double decode(Storage bits) { return Narrow::fromBits(bits); }
};
template <> struct Format<ElementType::BF16> : HalfFormat<BF16Format> {};
template <> struct Format<ElementType::F16> : HalfFormat<F16Format> {};
template <typename Integer> struct IntegerFormat {
  using Storage = Integer;
  static double round(double value) {
    return static_cast<double>(toInteger<Integer>(value));
  }
  static Storage encode(double value) { return toInteger<Integer>(value); }
  static double decode(Storage value) { return static_cast<double>(value); }
};
template <> struct Format<ElementType::I64> : IntegerFormat<int64_t> {};
template <> struct Format<ElementType::I32> : IntegerFormat<int32_t> {};
template <> struct Format<ElementType::I16> : IntegerFormat<int16_t> {};
template <> struct Format<ElementType::I8> : IntegerFormat<int8_t> {};
template <> struct Format<ElementType::U8> : IntegerFormat<uint8_t> {};
template <> struct Format<ElementType::Bool> {
  using Storage = uint8_t;
  static double round(double value) { return value != 0; }
  static Storage encode(double value) { return value != 0; }
  static double decode(Storage value) { return value != 0; }
};

/// Calls `action` with the Format of `type`.
template <typename Action> auto dispatch(ElementType type, Action action) {
  switch (type) {
  case ElementType::F64:
    return action(Format<ElementType::F64>());
  case ElementType::F32:
    return action(Format<ElementType::F32>());
  case ElementType::BF16:
    return action(Format<ElementType::BF16>());
  case ElementType::F16:
    return action(Format<ElementType::F16>());
  case ElementType::I64:
    return action(Format<ElementType::I64>());
  case ElementType::I32:
    return action(Format<ElementType::I32>());
  case ElementType::I16:
    return action(Format<ElementType::I16>());
  case ElementType::I8:
    return action(Format<ElementType::I8>());
  case ElementType::U8:
    return action(Format<ElementType::U8>());
  case ElementType::Bool:
    return action(Format<ElementType::Bool>());
  }
  llvm_unreachable("unknown element type");
}
} // namespace

StringRef parablock::getElementTypeName(ElementType type) {
  return getInfo(type).name;
}

StringRef parablock::getElementTypeKeyword(ElementType type) {
  return getInfo(type).keyword;
}

std::optional<ElementType> parablock::parseElementTypeName(StringRef name) {
  for (unsigned i = 0; i < std::size(elementTypes); ++i)
    if (elementTypes[i].name == name)
      return static_cast<ElementType>(i);
  return std::nullopt;
}

std::optional<ElementType>
parablock::parseElementTypeKeyword(StringRef keyword) {
  for (unsigned i = 0; i < std::size(elementTypes); ++i)
    if (elementTypes[i].keyword == keyword)
      return static_cast<ElementType>(i);
  return std::nullopt;
}

unsigned parablock::getElementSize(ElementType type) {
  return getInfo(type).size;
}

bool parablock::isFloatType(ElementType type) {
  return type <= ElementType::F16;
}

double parablock::roundTo(ElementType type, double value) {
  return dispatch(type, [=](auto format) { return format.round(value); });
}

void parablock::roundTo(ElementType type, MutableArrayRef<double> values) {
  if (type == ElementType::F64)
    return;
  dispatch(type, [=](auto format) {
    for (double &value : values)
      value = format.round(value);
  });
}

void parablock::decodeElements(ElementType type, ArrayRef<uint8_t> bytes,
                               MutableArrayRef<double> values) {
  assert(bytes.size() == values.size() * getElementSize(type));
  dispatch(type, [=](auto format) {
    using Storage = typename decltype(format)::Storage;
    const uint8_t *source = bytes.data();
    for (double &value : values) {
      value = format.decode(
          llvm::support::endian::read<Storage, llvm::endianness::little>(
              source));
      source += sizeof(Storage);
    }
  });
}

void parablock::encodeElements(ElementType type, ArrayRef<double> values,
                               MutableArrayRef<uint8_t> bytes) {
  assert(bytes.size() == values.size() * getElementSize(type));
  dispatch(type, [=](auto format) {
    using Storage = typename decltype(format)::Storage;
    uint8_t *target = bytes.data();
    for (double value : values) {
      llvm::support::endian::write<Storage, llvm::endianness::little>(
          target, format.encode(value));
      target += sizeof(Storage);
    }
  });
}
