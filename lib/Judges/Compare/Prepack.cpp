//===- Prepack.cpp - runs @prepack for arguments --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Judges/Compare/Prepack.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Judges/Compare/ReferenceEngine.h"

using namespace parablock;
using namespace parablock::runner;
using llvm::Error;
using llvm::Expected;

static bool holdsAllParameters(const TensorFile &weights,
                               const Signature &signature,
                               const ArgumentSupply &supply) {
  return llvm::all_of(signature.arguments, [&](const Argument &argument) {
    return !argument.isParameter ||
           weights.lookup(supply.getParameter(argument.name));
  });
}

/// Returns whether numbers are rounded to codes of few bits.
static bool makesCodes(mlir::func::FuncOp prepack) {
  return prepack
      .walk([](mlir::arith::FPToSIOp) { return mlir::WalkResult::interrupt(); })
      .wasInterrupted();
}

Error runner::providePackedParameters(const BoundFunction &function,
                                      const TensorFile *weights,
                                      bool exactArithmetic, Engine &engine,
                                      int64_t rank, ArgumentSupply &supply) {
  mlir::func::FuncOp prepack = findPackingFunction(function.signature.function);
  if (!prepack || prepack == function.signature.function)
    return Error::success();
  if (weights && holdsAllParameters(*weights, function.signature, supply))
    return Error::success();
  Expected<BoundFunction> bound = supply.bind(prepack);
  if (!bound)
    return bound.takeError();
  if (llvm::none_of(bound->signature.results, [&](const Port &result) {
        return function.signature.lookupArgument(result.name);
      }))
    return Error::success();

  Expected<std::vector<Tensor>> arguments = supply.provide(*bound);
  if (!arguments)
    return arguments.takeError();
  RunOptions options;
  options.exactArithmetic = exactArithmetic;
  options.rank = rank;
  // A number between two codes is to become the same one everywhere.
  std::unique_ptr<Engine> reference;
  if (makesCodes(prepack)) {
    reference = createReferenceEngine();
    options.exactArithmetic = false;
  }
  Expected<RunResult> packed =
      (reference ? *reference : engine).run(prepack, *arguments, options);
  if (!packed)
    return packed.takeError();
  for (auto [result, value] :
       llvm::zip_equal(bound->signature.results, packed->outputs))
    supply.add(result.name, value);
  return Error::success();
}
