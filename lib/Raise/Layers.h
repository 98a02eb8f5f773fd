//===- Layers.h - which ops are one block -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_LAYERS_H
#define PARABLOCK_LIB_RAISE_LAYERS_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "parablock/IR/BlockOps.h"

namespace parablock::raise {

/// Puts attentions and MLPs, with what belongs to them, into layers, and
/// returns these in order.
llvm::SmallVector<block::LayerOp>
formLayers(mlir::FunctionOpInterface function);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_LAYERS_H
