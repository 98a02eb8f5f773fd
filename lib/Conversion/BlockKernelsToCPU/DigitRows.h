//===- DigitRows.h - rows as 23-bit integers --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Products of bytes, four at a time, are exact, and take a third of the time of
// converting codes to f32. A row of 16-bit floats equals a 23-bit integer per
// element times a power of 2 for the row: split into three signed bytes, its
// products with codes are sums of three such products. Processors without
// products of bytes multiply two digits of 12 bits with codes of 8 bits as
// words. Elements down to 2^-15 of the largest one keep all their bits, smaller
// ones lose less than 2^-23 of it.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_DIGITROWS_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_DIGITROWS_H

#include "parablock/Conversion/CPUCode/Code.h"

namespace parablock::cpugen {

/// The digits of an element: how many, of how many bits, in memory of how many
/// bytes.
struct DigitForm {
  int64_t count, bits, bytes;
};
inline constexpr DigitForm kByteDigits = {3, 8, 1}, kWordDigits = {2, 12, 2};

/// Steps of codes that one instruction sums up.
inline constexpr int64_t kQuad = 4;

/// A row in memory: [digit][element], or if two codes share a byte,
/// [digit][even, odd][half of the elements]. Their sums follow.
struct DigitRow {
  Value digits;
  /// A step of the whole numbers, f32.
  Value factor;
  int64_t depth;
};

/// Writes the digits of `depth` elements of `type`, a multiple of 4, or of 8 if
/// `inHalves`, starting at `input`. Returns the factor, which is NaN if an
/// element is NaN or infinite.
Value writeDigits(Code &code, const DigitForm &form, Value input,
                  mlir::Type type, int64_t depth, bool inHalves, Value digits);

/// Adds products of vectors of i16, two to a sum of i32, with AVX2.
Value addWordProducts(Code &code, Value sums, Value left, Value right);

/// Sums of products of unsigned and signed bytes, four per sum. Processors
/// without an instruction for it first sum in 16 bits: at most kMostNarrowPairs
/// pairs of vectors, whose unsigned bytes have 4 bits.
class ByteSums {
public:
  ByteSums(Code &code, ValueRange sums) : code(code), sums(sums) {}

  /// Adds products of vectors of i32 to the sum `number`.
  void add(unsigned number, Value unsignedBytes, Value signedBytes);
  Values finish();

private:
  Code &code;
  Values sums;
  /// In 16 bits; null where nothing was added yet.
  Values narrow = Values(sums.size());
};

/// Each adds two products to a sum of 16 bits.
inline constexpr int64_t kMostNarrowPairs = 32767 / (2 * 15 * 128);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_DIGITROWS_H
