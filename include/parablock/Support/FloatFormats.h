//===- FloatFormats.h - Element types and their rounding --------*- C++ -*-===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The element types of stored tensors, and rounding from double to each of
// them: to nearest, ties to even, in one step. Rounding to bf16 or f16 through
// float would round twice, which is wrong for values that float rounds to a
// tie.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_FLOATFORMATS_H
#define PARABLOCK_SUPPORT_FLOATFORMATS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/bit.h"
#include <cstdint>
#include <limits>
#include <optional>

namespace parablock {

enum class ElementType : uint8_t {
  F64,
  F32,
  BF16,
  F16,
  I64,
  I32,
  I16,
  I8,
  U8,
  Bool
};

/// The name used by safetensors files: "F64", "F32", "BF16", "F16", "I64",
/// "I32", "I16", "I8", "U8", "BOOL".
llvm::StringRef getElementTypeName(ElementType type);

/// The name used on command lines, in IR and in JSON reports: "f64", "f32",
/// "bf16", "f16", "i64", "i32", "i16", "i8", "ui8", "i1".
llvm::StringRef getElementTypeKeyword(ElementType type);

/// Inverse of getElementTypeName; none for an unsupported name.
std::optional<ElementType> parseElementTypeName(llvm::StringRef name);

/// Inverse of getElementTypeKeyword.
std::optional<ElementType> parseElementTypeKeyword(llvm::StringRef keyword);

/// Bytes of one element in memory and in files.
unsigned getElementSize(ElementType type);

bool isFloatType(ElementType type);

namespace detail {
/// A binary float format that is narrower than double: `fractionBits` stored
/// bits of fraction, normal numbers from 2^minExponent to below 2^(maxExponent
/// + 1).
template <unsigned fractionBits, int minExponent, int maxExponent>
struct NarrowFormat {
  static constexpr unsigned dropped = 52 - fractionBits;
  static constexpr uint64_t signMask = uint64_t(1) << 63;
  static constexpr uint64_t infinity = uint64_t(0x7FF) << 52;
  static constexpr uint64_t smallestNormal = uint64_t(minExponent + 1023) << 52;
  static constexpr uint64_t firstOverflow = uint64_t(maxExponent + 1024) << 52;
  /// Adding this power of two to a smaller positive number leaves exactly the
  /// format's subnormal grid: the addition itself rounds, once, ties to even.
  static constexpr uint64_t subnormalGrid =
      uint64_t(minExponent - int(fractionBits) + 52 + 1023) << 52;

  static double round(double value) {
    uint64_t bits = llvm::bit_cast<uint64_t>(value);
    uint64_t sign = bits & signMask;
    uint64_t magnitude = bits ^ sign;
    if (magnitude < smallestNormal) {
      double grid = llvm::bit_cast<double>(subnormalGrid);
      double rounded = (llvm::bit_cast<double>(magnitude) + grid) - grid;
      return llvm::bit_cast<double>(llvm::bit_cast<uint64_t>(rounded) | sign);
    }
    if (magnitude > infinity) // NaN: quiet, payload truncated to the format
      return llvm::bit_cast<double>(((bits | (uint64_t(1) << 51)) >> dropped)
                                    << dropped);
    uint64_t odd = (magnitude >> dropped) & 1;
    magnitude += (uint64_t(1) << (dropped - 1)) - 1 + odd;
    magnitude = (magnitude >> dropped) << dropped;
    if (magnitude >= firstOverflow)
      magnitude = infinity;
    return llvm::bit_cast<double>(magnitude | sign);
  }

  /// The format's bit pattern of `value` after rounding.
  static uint16_t toBits(double value) {
    uint64_t bits = llvm::bit_cast<uint64_t>(round(value));
    uint16_t sign = uint16_t(bits >> 63) << 15;
    uint64_t magnitude = bits & ~signMask;
    if (magnitude >= infinity)
      return sign |
             uint16_t(uint64_t(maxExponent - minExponent + 2) << fractionBits) |
             uint16_t((magnitude ^ infinity) >> dropped);
    if (magnitude < smallestNormal) {
      double grid = llvm::bit_cast<double>(subnormalGrid);
      double onGrid = llvm::bit_cast<double>(magnitude) + grid;
      return sign | uint16_t(llvm::bit_cast<uint64_t>(onGrid) - subnormalGrid);
    }
    return sign | uint16_t((magnitude - smallestNormal + (uint64_t(1) << 52)) >>
                           dropped);
  }

  static double fromBits(uint16_t pattern) {
    uint64_t sign = uint64_t(pattern >> 15) << 63;
    uint64_t magnitude = uint64_t(pattern & 0x7FFF) << dropped;
    if (magnitude < (uint64_t(1) << 52)) { // subnormal or zero
      double grid = llvm::bit_cast<double>(subnormalGrid);
      double value =
          llvm::bit_cast<double>(subnormalGrid | (magnitude >> dropped)) - grid;
      return llvm::bit_cast<double>(llvm::bit_cast<uint64_t>(value) | sign);
    }
    uint64_t exponent = magnitude >> 52;
    if (exponent == uint64_t(maxExponent - minExponent + 2))
      return llvm::bit_cast<double>(sign | infinity |
                                    (magnitude & ((uint64_t(1) << 52) - 1)));
    return llvm::bit_cast<double>(
        sign | (magnitude - (uint64_t(1) << 52) + smallestNormal));
  }
};
} // namespace detail

using BF16Format = detail::NarrowFormat<7, -126, 127>;
using F16Format = detail::NarrowFormat<10, -14, 15>;

inline uint16_t toBF16Bits(double value) { return BF16Format::toBits(value); }
inline uint16_t toF16Bits(double value) { return F16Format::toBits(value); }
inline double fromBF16Bits(uint16_t bits) { return BF16Format::fromBits(bits); }
inline double fromF16Bits(uint16_t bits) { return F16Format::fromBits(bits); }

inline double roundToBF16(double value) { return BF16Format::round(value); }
inline double roundToF16(double value) { return F16Format::round(value); }
inline double roundToF32(double value) {
  return static_cast<double>(static_cast<float>(value));
}

/// Returns the double nearest to `value` among the values of `type`. Integer
/// types truncate towards zero and saturate, NaN becomes 0; Bool is `value !=
/// 0`. 64-bit integers are exact up to 2^53.
double roundTo(ElementType type, double value);

/// roundTo on every element, with the choice of type outside the loop.
void roundTo(ElementType type, llvm::MutableArrayRef<double> values);

/// Little-endian storage to doubles and back (rounding as roundTo). `bytes`
/// need not be aligned; its size must be the element size times the number of
/// values.
void decodeElements(ElementType type, llvm::ArrayRef<uint8_t> bytes,
                    llvm::MutableArrayRef<double> values);
void encodeElements(ElementType type, llvm::ArrayRef<double> values,
                    llvm::MutableArrayRef<uint8_t> bytes);

} // namespace parablock

#endif // PARABLOCK_SUPPORT_FLOATFORMATS_H
