//===- EmitScores.h - allowed keys and the way of a score -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_EMITSCORES_H
#define PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_EMITSCORES_H

#include "EmitSteps.h"

namespace parablock {

/// Truth values beside scores `[B, H, T, S]`, null where every key is allowed.
mlir::FailureOr<mlir::Value> emitAllowedKeys(block::AttentionOpInterface op,
                                             TensorEmitter &emit);

/// Gives what becomes of the products of queries and keys on the way to the
/// softmax.
mlir::FailureOr<mlir::Value> emitScores(block::AttentionOpInterface op,
                                        mlir::Value products,
                                        TensorEmitter &emit);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_EMITSCORES_H
