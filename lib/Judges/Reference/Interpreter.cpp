//===- Interpreter.cpp - walks functions and their calls ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Judges/Reference/Interpreter.h"

#include "Registry.h"
#include "RunFunction.h"
#include "mlir/IR/Diagnostics.h"
#include "parablock/Judges/Evaluator/Evaluator.h"
#include "parablock/Support/SafeTensors.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

const Registry &Registry::get() {
  static const Registry registry = [] {
    Registry all;
    addAttentionEvaluators(all);
    addCacheEvaluators(all);
    addCallEvaluators(all);
    addEmbeddingEvaluators(all);
    addEmbeddingGradEvaluators(all);
    addExpertEvaluators(all);
    addExpertGradEvaluators(all);
    addFusionEvaluators(all);
    addGradientEvaluators(all);
    addLayerEvaluators(all);
    addDropoutEvaluators(all);
    addLinearEvaluators(all);
    addLossEvaluators(all);
    addMlpEvaluators(all);
    addCodeEvaluators(all);
    addNormEvaluators(all);
    addPartialStatsEvaluators(all);
    addRopeEvaluators(all);
    addSampleEvaluators(all);
    addSdpaEvaluators(all);
    addSdpaGradEvaluators(all);
    addShardEvaluators(all);
    addWeightEvaluators(all);
    return all;
  }();
  return registry;
}

//===----------------------------------------------------------------------===//
// Frame
//===----------------------------------------------------------------------===//

void Frame::set(Value value, Tensor tensor) {
  int64_t uses = std::distance(value.use_begin(), value.use_end());
  if (uses)
    values[value] = {std::move(tensor), uses};
}

void Frame::dropUses(Operation &op) {
  for (Value operand : op.getOperands()) {
    auto entry = values.find(operand);
    // Values inside an upstream op's region are not this frame's.
    if (entry == values.end())
      continue;
    if (--entry->second.usesLeft == 0)
      values.erase(entry);
  }
}

/// Passes an op of other dialects to their evaluator, including outer values
/// that its regions read.
FailureOr<Tensors> Frame::evaluateUpstream(Operation &op) {
  if (!evaluator::isKnown(&op))
    return op.emitOpError("has no meaning in the reference engine");
  evaluator::Options upstream;
  upstream.exactArithmetic = options.exactArithmetic;
  upstream.roundingSeed = options.roundingSeed;
  FailureOr<Tensors> results = evaluator::runOp(
      &op, [&](Value value) -> const Tensor & { return get(value); }, upstream);
  for (Region &region : op.getRegions())
    region.walk([&](Operation *inner) { dropUses(*inner); });
  return results;
}

FailureOr<Tensors> Frame::evaluate(Operation &op) {
  const Registry::Evaluator *evaluator =
      Registry::get().lookup(op.getName().getStringRef());
  if (!evaluator)
    return evaluateUpstream(op);
  for (Type type : op.getResultTypes())
    if (!getElementTypeOf(type))
      return op.emitOpError() << "has a result of type " << type
                              << ", which has no meaning in the reference "
                                 "engine";
  FailureOr<Tensors> results = (*evaluator)(&op, *this);
  if (failed(results))
    return failure();
  for (auto [result, tensor] : llvm::zip_equal(op.getResults(), *results))
    if (!matchesType(tensor, result.getType()))
      return op.emitOpError()
             << "expected result " << result.getResultNumber() << " to be "
             << result.getType() << ", got " << describe(tensor);
  return results;
}

void Frame::finish(Operation &op, const Tensors &results) {
  dropUses(op);
  if (options.observer)
    options.observer(&op, results);
  for (auto [result, tensor] : llvm::zip_equal(op.getResults(), results))
    set(result, tensor);
}

Tensors Frame::leave(Operation &terminator) {
  Tensors yielded;
  for (Value operand : terminator.getOperands())
    yielded.push_back(get(operand));
  dropUses(terminator);
  return yielded;
}

FailureOr<Tensors> Frame::runBlock(Block &block) {
  for (Operation &op : block.without_terminator()) {
    FailureOr<Tensors> results = evaluate(op);
    if (failed(results))
      return failure();
    finish(op, *results);
  }
  return leave(*block.getTerminator());
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// A call chain this long is an infinite recursion: no branch could end
/// it.
static constexpr unsigned maxCallDepth = 64;

static LogicalResult checkArguments(func::FuncOp function,
                                    ArrayRef<Tensor> arguments) {
  if (arguments.size() != function.getNumArguments())
    return function.emitOpError() << "expected " << function.getNumArguments()
                                  << " arguments, got " << arguments.size();
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    Type type = function.getArgumentTypes()[index];
    if (!matchesType(argument, type))
      return function.emitOpError()
             << "expected argument " << index << " to be " << type << ", got "
             << describe(argument);
    std::optional<uint64_t> count = countElements(argument.shape);
    if (!count || static_cast<uint64_t>(argument.getNumElements()) != *count)
      return function.emitOpError()
             << "expected argument " << index << " to have the elements of "
             << describe(argument) << ", got " << argument.getNumElements();
  }
  return success();
}

LogicalResult reference::checkCall(func::FuncOp function,
                                   ArrayRef<Tensor> arguments) {
  if (function.isExternal())
    return function.emitOpError("has no body to run");
  if (!function.getBody().hasOneBlock())
    return function.emitOpError(
        "has control flow, which has no meaning in the reference engine");
  Operation *terminator = function.getBody().front().getTerminator();
  if (!isa<func::ReturnOp>(terminator))
    return terminator->emitOpError("has no meaning in the reference engine");
  return checkArguments(function, arguments);
}

FailureOr<Tensors> reference::runFunction(func::FuncOp function,
                                          ArrayRef<Tensor> arguments,
                                          const Options &options,
                                          unsigned callDepth) {
  if (callDepth > maxCallDepth)
    return function.emitOpError()
           << "is called more than " << maxCallDepth << " levels deep";
  if (failed(checkCall(function, arguments)))
    return failure();
  Frame frame(options, callDepth);
  for (auto [value, tensor] :
       llvm::zip_equal(function.getArguments(), arguments))
    frame.set(value, tensor);
  return frame.runBlock(function.getBody().front());
}

FailureOr<std::vector<Tensor>> reference::run(func::FuncOp function,
                                              ArrayRef<Tensor> arguments,
                                              const Options &options) {
  FailureOr<Tensors> results =
      runFunction(function, arguments, options, /*callDepth=*/0);
  if (failed(results))
    return failure();
  return std::vector<Tensor>(results->begin(), results->end());
}
