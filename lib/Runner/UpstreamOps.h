//===- UpstreamOps.h - the evaluator beside the interpreter -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The reference engine is two: the interpreter of block IR, and for IR of other
// tools the evaluator of upstream ops. A function that the evaluator knows all
// ops of is its own; in a mixture it takes what the interpreter does not know.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RUNNER_UPSTREAMOPS_H
#define PARABLOCK_LIB_RUNNER_UPSTREAMOPS_H

#include "parablock/Reference/Interpreter.h"

namespace parablock::runner {

/// Makes the answers to what the interpreter asks about ops that are not its
/// own.
reference::ForeignOps makeForeignOps(bool exactArithmetic);

/// `reference::run` by the evaluator.
mlir::FailureOr<std::vector<HostTensor>>
runUpstream(mlir::func::FuncOp function, llvm::ArrayRef<HostTensor> arguments,
            const reference::Options &options);

} // namespace parablock::runner

#endif // PARABLOCK_LIB_RUNNER_UPSTREAMOPS_H
