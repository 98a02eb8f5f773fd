//===- BlockDialect.h - the block dialect -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_BLOCKDIALECT_H
#define PARABLOCK_IR_BLOCKDIALECT_H

#include "mlir/IR/Dialect.h"

#include "parablock/Dialect/Block/BlockDialect.h.inc"

namespace parablock::block {

/// Names of the argument and result attributes that functions carry
/// (docs/design/Spec.md, "Functions").
inline constexpr llvm::StringLiteral kInputAttr = "block.input";
/// The input that says which elements dropout drops.
inline constexpr llvm::StringLiteral kSeedInput = "dropout_seed";
inline constexpr llvm::StringLiteral kParamAttr = "block.param";
inline constexpr llvm::StringLiteral kOutputAttr = "block.output";
inline constexpr llvm::StringLiteral kGradAttr = "block.grad";
inline constexpr llvm::StringLiteral kSavedAttr = "block.saved";
inline constexpr llvm::StringLiteral kLossAttr = "block.loss";
inline constexpr llvm::StringLiteral kDimsAttr = "block.dims";
inline constexpr llvm::StringLiteral kInitAttr = "block.init";

} // namespace parablock::block

#endif // PARABLOCK_IR_BLOCKDIALECT_H
