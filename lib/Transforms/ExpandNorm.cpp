//===- ExpandNorm.cpp - a norm as statistics and their application --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExpandSteps.h"

#include "parablock/Transforms/RewriteHelpers.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

Operation *block::buildNorm(OpBuilder &builder, Location loc, Value input,
                            const NormParts &parts, Type element) {
  bool centered = parts.form.isCentered();
  RankedTensorType statistic =
      withWidth(input, parts.groups, builder.getF32Type());
  SmallVector<Type, 2> types(centered ? 2 : 1, statistic);
  auto stats =
      NormStatsOp::create(builder, loc, types, input, centered, parts.groups);
  return NormalizeOp::create(builder, loc, withElementType(input, element),
                             input, stats.getMean(), stats.getMoment(),
                             parts.gamma, parts.beta, parts.form, parts.groups);
}

Operation *block::expandNorm(OpBuilder &builder, NormOp op) {
  NormParts parts = {op.getForm(), op.getGamma(), op.getBeta(),
                     static_cast<int64_t>(op.getGroups())};
  return buildNorm(builder, op.getLoc(), op.getInput(), parts,
                   getElementTypeOrSelf(op.getResult()));
}
