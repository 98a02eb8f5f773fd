//===- Numbers.h - The number formats of matrix instructions ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_NUMBERS_H
#define PARABLOCK_EMULATOR_NUMBERS_H

#include "parablock/Support/FloatFormats.h"
#include "llvm/ADT/bit.h"
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace parablock::emulator {

enum NumberFormat : int32_t { BF16, F16, TF32, E4M3 };

inline float fromBF16(uint16_t bits) {
  return llvm::bit_cast<float>(uint32_t(bits) << 16);
}

/// To nearest, ties to even. A NaN stays one.
inline uint16_t toBF16(float value) {
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  if ((bits & 0x7FFFFFFF) > 0x7F800000)
    return uint16_t(bits >> 16) | 0x40;
  return uint16_t((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

inline float fromF16(uint16_t bits) {
  static const auto table = [] {
    std::array<float, 1 << 16> values;
    for (uint32_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(fromF16Bits(static_cast<uint16_t>(i)));
    return values;
  }();
  return table[bits];
}

inline uint16_t toF16(float value) { return toF16Bits(value); }

inline float from16(uint16_t bits, NumberFormat format) {
  return format == BF16 ? fromBF16(bits) : fromF16(bits);
}

/// A sign, four bits of exponent, three of mantissa; 127 and 255 are no
/// numbers.
inline float fromE4M3(uint8_t bits) {
  static const auto table = [] {
    std::array<float, 256> values;
    for (uint32_t i = 0; i < values.size(); ++i) {
      uint32_t exponent = i >> 3 & 15, mantissa = i & 7;
      float number = exponent == 0
                         ? std::ldexp(float(mantissa), -9)
                         : std::ldexp(float(8 + mantissa), int(exponent) - 10);
      if ((i & 127) == 127)
        number = std::numeric_limits<float>::quiet_NaN();
      values[i] = i < 128 ? number : -number;
    }
    return values;
  }();
  return table[bits];
}

/// The tensor cores look at the upper 19 bits only.
inline float fromTF32(uint32_t bits) {
  return llvm::bit_cast<float>(bits & 0xFFFFE000);
}

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_NUMBERS_H
