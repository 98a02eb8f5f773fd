//===- MemoryAttentions.h - keys of other rows than the tokens --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the function of new tokens and the one that is run before it, of what
// they look back at, have in common.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_MEMORYATTENTIONS_H
#define PARABLOCK_LIB_TRANSFORMS_MEMORYATTENTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::block {

/// Names of keys and values before their number, and of their size.
inline constexpr llvm::StringLiteral kMemoryKey = "memory_key.",
                                     kMemoryValue = "memory_value.",
                                     kMemorySize = "memory";

/// Puts steps in the place of the attentions that are wanted, and returns their
/// cores.
llvm::SmallVector<AttentionOpInterface>
expandAttentions(mlir::func::FuncOp function,
                 llvm::function_ref<bool(AttentionOp)> isWanted);

/// Gives a value of a layer's body as a result of that layer, and of those
/// around it; the caller has to use it before another one is taken.
mlir::Value takeOutOfLayers(mlir::Value value);

/// Erases what no result of `function` needs, arguments among it; its type is
/// still to be set.
void eraseUnread(mlir::func::FuncOp function);

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_MEMORYATTENTIONS_H
