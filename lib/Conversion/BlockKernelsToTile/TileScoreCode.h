//===- TileScoreCode.h - code of scores in tile kernels ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_TILESCORECODE_H
#define PARABLOCK_LIB_CONVERSION_TILESCORECODE_H

#include "TileCode.h"
#include "parablock/Conversion/ScorePipeline.h"

namespace parablock {

/// Scores of one thread.
class TileScoreCode final : public ScoreCode {
public:
  TileScoreCode(TileCode code)
      : ScoreCode(code.builder, code.loc), code(code) {}

  Value f32(double value) const override { return code.f32(value); }
  Value add(Value a, Value b) const override { return code.add(a, b); }
  Value sub(Value a, Value b) const override { return code.sub(a, b); }
  Value mul(Value a, Value b) const override { return code.mul(a, b); }
  Value div(Value a, Value b) const override { return code.div(a, b); }
  Value fma(Value a, Value b, Value c) const override {
    return code.fma(a, b, c);
  }
  Value max(Value a, Value b) const override { return code.max(a, b); }
  Value min(Value a, Value b) const override {
    return code.select(code.less(b, a), b, a);
  }
  Value neg(Value a) const override { return code.negate(a); }
  Value exp(Value a) const override { return code.exp(a); }
  Value tanh(Value a) const override { return code.tanh(a); }
  Value normalShare(Value a) const override {
    Value erf = mlir::math::ErfOp::create(builder, loc,
                                          scale(a, 0.70710678118654752440));
    return scale(add(erf, f32(1)), 0.5);
  }
  Value round(Value a, mlir::Type type) const override {
    return code.round(a, type);
  }
  Value toF32(Value position) const override { return code.toF32(position); }

private:
  TileCode code;
};

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_TILESCORECODE_H
