//===- ExpandSteps.h - level 1 ops as the steps they are --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The parts of block-expand: one function per level 1 op, and the steps that
// several of them consist of.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_EXPANDSTEPS_H
#define PARABLOCK_LIB_TRANSFORMS_EXPANDSTEPS_H

#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::block {

/// Each builds the steps of `op` before it, at its location, and returns the
/// one that takes its place.
mlir::Operation *expandAttention(mlir::OpBuilder &builder, AttentionOp op);
mlir::Operation *expandMlp(mlir::OpBuilder &builder, MlpOp op);
mlir::Operation *expandMoe(mlir::OpBuilder &builder, MoeOp op);
mlir::Operation *expandNorm(mlir::OpBuilder &builder, NormOp op);

/// A norm without its input.
struct NormParts {
  NormAttr form;
  mlir::Value gamma, beta;
  int64_t groups;
};

/// `block.norm_stats` and `block.normalize`, whose result has element type
/// `element`.
mlir::Operation *buildNorm(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value input, const NormParts &parts,
                           mlir::Type element);

/// `block.linear` with a result of element type `element`; `bias` may be null.
mlir::Operation *buildLinear(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value input, mlir::Value weight,
                             mlir::Value bias, mlir::Type element);

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_EXPANDSTEPS_H
