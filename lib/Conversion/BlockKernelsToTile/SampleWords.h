//===- SampleWords.h - integers of 64 bits in kernels -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_SAMPLEWORDS_H
#define PARABLOCK_LIB_CONVERSION_SAMPLEWORDS_H

#include "TileCode.h"

namespace parablock {

/// Emits unsigned arithmetic on i64, and the formulas of
/// parablock/Support/TokenShares.h. Created for every region, as TileCode is.
struct Words {
  using Value = mlir::Value;

  TileCode code;

  Value number(uint64_t value) const;
  Value add(Value a, Value b) const { return code.addIndex(a, b); }
  Value sub(Value a, Value b) const { return code.subIndex(a, b); }
  Value mul(Value a, Value b) const { return code.mulIndex(a, b); }
  Value shiftLeft(Value a, uint64_t bits) const;
  Value shiftLeft(Value a, Value bits) const;
  Value shiftRight(Value a, uint64_t bits) const;
  Value shiftRight(Value a, Value bits) const;
  Value conjunction(Value a, Value b) const;
  Value exclusiveOr(Value a, Value b) const;
  Value less(Value a, Value b) const;
  Value equal(Value a, Value b) const { return code.equalIndex(a, b); }
  Value min(Value a, Value b) const { return select(less(b, a), b, a); }
  Value max(Value a, Value b) const { return select(less(a, b), b, a); }
  Value select(Value condition, Value a, Value b) const {
    return code.select(condition, a, b);
  }
  /// 1 if the condition holds, else 0.
  Value truth(Value condition) const;
  Value toWord(Value index) const { return code.toI64(index); }
  Value toIndex(Value word) const { return code.toIndex(word); }

  /// Returns 32 bits that are ordered as f32 are. Zeros are equal, a NaN is
  /// above infinity.
  Value toKey(Value score) const;
  /// Returns the score of a key that is no NaN's.
  Value fromKey(Value key) const;
  static constexpr uint64_t keyOfInfinity = 0xFF800000,
                            keyOfMinusInfinity = 0x007FFFFF;

  /// f64 arithmetic.
  Value f64(double value) const;
  Value toF64(Value word) const;
  Value fromF64(Value number) const;

  /// shares::getShare, getLeast and getBound.
  Value share(Value score, Value best) const;
  Value least(Value part, Value sum) const;
  Value bound(Value point, Value sum) const;
  /// SeededBits::uniform of the stream with that state.
  Value uniform(Value state, Value index) const;
};

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_SAMPLEWORDS_H
