//===- Layers.h - grouping of ops into layers -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_LAYERS_H
#define PARABLOCK_LIB_RAISE_LAYERS_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::raise {

/// Attribute of an MLP during raising: the error of its activation.
inline constexpr llvm::StringLiteral kNearAttr = "raise_near";

/// Stamps layers of such MLPs in the name of `pass` with `parameters`; fails,
/// with an error, if one is in no layer.
llvm::LogicalResult stampNear(mlir::FunctionOpInterface function,
                              llvm::StringRef pass, llvm::StringRef parameters);

/// Groups attentions and MLPs or experts, with their norms and residuals, into
/// layers, and returns these in order.
llvm::SmallVector<block::LayerOp>
formLayers(mlir::FunctionOpInterface function);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_LAYERS_H
