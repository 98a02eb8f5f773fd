//===- SeparateRouters.h - streams of routers -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_SEPARATEROUTERS_H
#define PARABLOCK_TRANSFORMS_SEPARATEROUTERS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"

namespace parablock::block {

/// Returns whether a `block.moe` or `block.experts` among `ops` chooses experts
/// by what the ops of its block make of `stream`.
bool haveRouters(llvm::ArrayRef<mlir::Operation *> ops, mlir::Value stream);

/// Lets the routers of mixtures among `ops` read `fresh` in place of `stream`,
/// by copies of the ops between; experts read what they did. Replaces each
/// `block.moe` by its steps, so ops among `ops` may be erased; ops that lose
/// their readers stay. Returns the value in place of `result`.
mlir::Value separateRouters(llvm::ArrayRef<mlir::Operation *> ops,
                            mlir::Value result, mlir::Value stream,
                            mlir::Value fresh);

} // namespace parablock::block

#endif // PARABLOCK_TRANSFORMS_SEPARATEROUTERS_H
