//===- RankFacts.h - hashes that ranks compare ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_COMPARE_RANKFACTS_H
#define PARABLOCK_COMPARE_RANKFACTS_H

#include "mlir/IR/BuiltinOps.h"
#include "parablock/Execution/ArgumentSupply.h"

namespace parablock::runner {

/// Hashes the text of `module`.
uint64_t hashModule(mlir::ModuleOp module);

/// Hashes names, types, shapes and contents of the tensors in `file`: all bytes
/// of small files, else pieces of each tensor, since ranks read little of a
/// large file. 0 for no file.
uint64_t hashTensors(const TensorFile *file);

/// Hashes the values in `arguments` that are not parameters.
uint64_t hashInputs(const BoundFunction &function,
                    llvm::ArrayRef<Tensor> arguments);

} // namespace parablock::runner

#endif // PARABLOCK_COMPARE_RANKFACTS_H
