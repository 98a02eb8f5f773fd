//===- RankFacts.h - what all ranks of a run have to agree on ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RUNNER_RANKFACTS_H
#define PARABLOCK_RUNNER_RANKFACTS_H

#include "mlir/IR/BuiltinOps.h"
#include "parablock/Runner/ArgumentSupply.h"

namespace parablock::runner {

/// Of the text of `module`.
uint64_t hashModule(mlir::ModuleOp module);

/// Of names, types, shapes and contents of the tensors in `file`: of all bytes
/// where there are few, else of pieces from all over each tensor, as ranks read
/// little of a large file. 0 for no file.
uint64_t hashTensors(const TensorFile *file);

/// Of the values in `arguments` that are no parameters.
uint64_t hashInputs(const BoundFunction &function,
                    llvm::ArrayRef<Tensor> arguments);

} // namespace parablock::runner

#endif // PARABLOCK_RUNNER_RANKFACTS_H
