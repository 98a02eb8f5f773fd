//===- WeightsWriter.h - generated weights files ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_GENERATE_WEIGHTSWRITER_H
#define PARABLOCK_GENERATE_WEIGHTSWRITER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"

namespace parablock::generate {

/// Writes every parameter of `function`, drawn from `seed` by its block.init
/// and rounded to its type, as safetensors. The parameters' shapes are static.
llvm::Error writeWeights(mlir::func::FuncOp function, uint64_t seed,
                         llvm::StringRef path);

} // namespace parablock::generate

#endif // PARABLOCK_GENERATE_WEIGHTSWRITER_H
