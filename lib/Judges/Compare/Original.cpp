//===- Original.cpp - runs originals and draws roundings ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Judges/Compare/Original.h"

#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ElementTypes.h"
#include "parablock/Judges/Compare/ReferenceEngine.h"
#include "parablock/Support/RandomRounding.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace parablock;
using namespace parablock::runner;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

/// Number of random roundings. With these, a number that exceeds 1.5 times the
/// largest of nine errors with probability half a percent has a tenth of that
/// probability.
static constexpr uint64_t kDraws = 16;

/// The largest unit roundoff of the types that values of `function` have.
static double findUnitRoundoff(mlir::func::FuncOp function) {
  double largest = 0;
  auto add = [&](mlir::Type type) {
    std::optional<ElementType> element =
        getElementTypeOf(mlir::getElementTypeOrSelf(type));
    if (element && isFloatType(*element))
      largest = std::max(largest, getUnitRoundoff(*element));
  };
  llvm::for_each(function.getArgumentTypes(), add);
  function.walk(
      [&](mlir::Operation *op) { llvm::for_each(op->getResultTypes(), add); });
  return largest;
}

Original::Original(const Signature &signature, ArrayRef<Tensor> arguments,
                   ArrayRef<std::vector<Tensor>> rankArguments)
    : signature(&signature), arguments(arguments), rankArguments(rankArguments),
      unitRoundoff(findUnitRoundoff(signature.function)) {}

Expected<Outputs> Original::evaluate(RunOptions options) const {
  options.rankArguments = rankArguments.vec();
  Expected<RunResult> result =
      createReferenceEngine()->run(signature->function, arguments, options);
  if (!result)
    return result.takeError();
  return makeOutputs(*signature, std::move(result->outputs));
}

Expected<Original> Original::run(const Signature &signature,
                                 ArrayRef<Tensor> arguments,
                                 ArrayRef<std::vector<Tensor>> rankArguments) {
  Original original(signature, arguments, rankArguments);
  for (bool isExact : {false, true}) {
    RunOptions options;
    options.exactArithmetic = isExact;
    Expected<Outputs> outputs = original.evaluate(options);
    if (!outputs)
      return outputs.takeError();
    if (isExact)
      original.exact = std::move(*outputs);
    else
      original.rounded.push_back(std::move(*outputs));
  }
  return original;
}

bool Original::needsSamples() const {
  auto isStream = [](mlir::Operation *op) {
    return mlir::isa<block::StreamAddOp>(op) ? mlir::WalkResult::interrupt()
                                             : mlir::WalkResult::advance();
  };
  if (signature->function->walk(isStream).wasInterrupted())
    return true;
  return unitRoundoff > getUnitRoundoff(ElementType::F32) &&
         llvm::any_of(signature->results,
                      [](const Port &port) { return port.isGradient; });
}

Error Original::drawRoundings() {
  while (rounded.size() <= kDraws) {
    RunOptions options;
    options.roundingSeed = rounded.size();
    Expected<Outputs> outputs = evaluate(options);
    if (!outputs)
      return outputs.takeError();
    rounded.push_back(std::move(*outputs));
  }
  return Error::success();
}

ErrorFloor Original::measureFloor(const Port &port,
                                  const OutputRows &rows) const {
  const Tensor *want = exact.lookup(port.name);
  if (!want)
    return {};
  Port exactPort = port;
  exactPort.shape.assign(want->shape.begin(), want->shape.end());
  CompareOptions options = rows.getOptions(exactPort);
  if (options.rowMask.empty() && !want->shape.empty())
    options.rowLength = want->shape.back();
  ErrorFloor floor;
  double worstRow = 0, worstElement = 0;
  for (const Outputs &outputs : rounded) {
    const Tensor *got = outputs.lookup(port.name);
    if (!got || got->shape != want->shape)
      continue;
    ErrorMetrics metrics = compare(got->data(), want->data(), options);
    floor.norm = std::max(floor.norm, metrics.errorNorm);
    floor.relL2 = std::max(floor.relL2, metrics.relL2);
    floor.relL2Update =
        std::max(floor.relL2Update, metrics.relL2Update.value_or(0));
    worstRow = std::max(worstRow, metrics.worstRowRelL2);
    worstElement = std::max(worstElement, metrics.worstElementError);
  }
  if (!port.isGradient)
    return floor;
  // If the value is only rounding, errors are relative to a single rounding of
  // it.
  if (floor.relL2 >= 1) {
    floor.relL2 = unitRoundoff;
    floor.leastNorm = floor.norm / unitRoundoff;
  } else {
    floor.worstRow = worstRow;
    floor.worstElement = worstElement;
  }
  return floor;
}
