//===- UpstreamOps.cpp - the evaluator beside the interpreter -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "UpstreamOps.h"

#include "parablock/Evaluator/Evaluator.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::runner;

reference::ForeignOps runner::makeForeignOps(bool exactArithmetic) {
  evaluator::Options options;
  options.exactArithmetic = exactArithmetic;
  return [options](Operation *op,
                   llvm::function_ref<const HostTensor &(Value)> lookup)
             -> std::optional<FailureOr<evaluator::Arrays>> {
    if (!evaluator::isKnown(op))
      return std::nullopt;
    return evaluator::runOp(op, lookup, options);
  };
}

FailureOr<std::vector<HostTensor>>
runner::runUpstream(func::FuncOp function, llvm::ArrayRef<HostTensor> arguments,
                    const reference::Options &options) {
  evaluator::Options evaluatorOptions;
  evaluatorOptions.exactArithmetic = options.exactArithmetic;
  evaluatorOptions.observer = options.observer;
  FailureOr<evaluator::Arrays> results =
      evaluator::run(function, arguments, evaluatorOptions);
  if (failed(results))
    return failure();
  return std::vector<HostTensor>(results->begin(), results->end());
}
