//===- BlockSplitStep.cpp - pass block-split-step -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/EraseDead.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Transforms/Differentiate/Passes.h"
#include "parablock/Transforms/StepHalves.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringSet.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKSPLITSTEP
#include "parablock/Transforms/Differentiate/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
/// Generates names of saved values that no argument or result has.
class SavedNames {
public:
  explicit SavedNames(func::FuncOp step) {
    for (unsigned i = 0, e = step.getNumArguments(); i < e; ++i)
      for (StringRef attribute : {kInputAttr, kParamAttr})
        if (auto name = step.getArgAttrOfType<StringAttr>(i, attribute))
          arguments.insert(name.getValue());
    taken = arguments;
    for (unsigned i = 0, e = step.getNumResults(); i < e; ++i)
      if (auto name = step.getResultAttrOfType<StringAttr>(i, kOutputAttr))
        taken.insert(name.getValue());
  }

  /// Returns whether no argument of the step has this name.
  bool isFree(StringRef name) const { return !arguments.contains(name); }

  /// Builds a name from the layer and the op that defines the value.
  std::string make(Value value) {
    std::string name;
    auto *op = value.getDefiningOp();
    while (auto layer = dyn_cast<LayerOp>(op)) {
      name += layer.getLabel().str() + ".";
      unsigned number = cast<OpResult>(value).getResultNumber();
      value = layer.getBody().front().getTerminator()->getOperand(number);
      op = value.getDefiningOp();
      if (!op)
        return makeUnique(name + "value");
    }
    return makeUnique(name + op->getName().stripDialect().str());
  }

private:
  std::string makeUnique(const std::string &name) {
    std::string unique = name;
    for (unsigned i = 1; !taken.insert(unique).second; ++i)
      unique = name + "." + std::to_string(i);
    return unique;
  }

  llvm::StringSet<> arguments, taken;
};

struct BlockSplitStepPass
    : public parablock::block::impl::BlockSplitStepBase<BlockSplitStepPass> {
  using BlockSplitStepBase::BlockSplitStepBase;

  void runOnOperation() final {
    if (failed(split()))
      signalPassFailure();
  }

  LogicalResult split() {
    ModuleOp module = getOperation();
    func::FuncOp step = findStepOrFail(module, functionName);
    if (!step)
      return failure();
    std::string model = getModelName(step);
    std::string forwardName = (model + kForwardSuffix).str();
    std::string backwardName = (model + kBackwardSuffix).str();
    for (const std::string &name : {forwardName, backwardName})
      if (Operation *made = module.lookupSymbol(name))
        return made->emitError()
               << "expected no @" << name << " yet, which is what splitting "
               << "makes";

    StepHalves halves = findHalves(step);
    IRMapping inForward, inBackward;
    func::FuncOp forward = step.clone(inForward);
    func::FuncOp backward = step.clone(inBackward);
    SymbolTable symbols(module);
    forward.setName(forwardName);
    symbols.insert(forward, std::next(step->getIterator()));
    backward.setName(backwardName);
    backward->removeAttr(kLossAttr);
    symbols.insert(backward, std::next(forward->getIterator()));

    SavedNames names(step);
    if (failed(eraseReturned(forward, /*gradients=*/true)))
      return failure();
    for (Value saved : halves.saved) {
      FailureOr<StringAttr> name =
          giveBack(forward, inForward.lookup(saved), saved, names);
      if (failed(name) ||
          failed(take(backward, inBackward.lookup(saved), *name)))
        return failure();
    }
    if (failed(eraseReturned(backward, /*gradients=*/false)))
      return failure();
    eraseDeadOps(forward->getRegions());
    eraseDeadOps(backward->getRegions());
    // Unread arguments stay arguments of forward, as of the model.
    return dropArguments(forward, backward);
  }

  /// Removes the gradients, or the others, from the results.
  static LogicalResult eraseReturned(func::FuncOp function, bool gradients) {
    Operation *end = function.getBody().front().getTerminator();
    llvm::BitVector erased(function.getNumResults());
    for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
      erased[i] = isGradient(function, i) == gradients;
    end->eraseOperands(erased);
    return function.eraseResults(erased);
  }

  /// Makes `forward` return `value`, unless it does, and returns its name.
  static FailureOr<StringAttr> giveBack(func::FuncOp forward, Value value,
                                        Value saved, SavedNames &names) {
    Operation *end = forward.getBody().front().getTerminator();
    for (unsigned i = 0, e = forward.getNumResults(); i < e; ++i) {
      auto output = forward.getResultAttrOfType<StringAttr>(i, kOutputAttr);
      if (end->getOperand(i) != value || !output ||
          !names.isFree(output.getValue()))
        continue;
      forward.setResultAttr(i, kSavedAttr, output);
      return output;
    }
    Builder builder(forward.getContext());
    StringAttr name = builder.getStringAttr(names.make(saved));
    end->insertOperands(end->getNumOperands(), value);
    if (failed(forward.insertResult(
            forward.getNumResults(), value.getType(),
            builder.getDictionaryAttr(builder.getNamedAttr(kSavedAttr, name)))))
      return failure();
    return name;
  }

  /// Makes `value` an argument of `backward`.
  static LogicalResult take(func::FuncOp backward, Value value,
                            StringAttr name) {
    Builder builder(backward.getContext());
    if (failed(backward.insertArgument(
            backward.getNumArguments(), value.getType(),
            builder.getDictionaryAttr(builder.getNamedAttr(kInputAttr, name)),
            value.getLoc())))
      return failure();
    value.replaceAllUsesWith(backward.getArguments().back());
    return success();
  }

  static LogicalResult dropArguments(func::FuncOp forward,
                                     func::FuncOp backward) {
    llvm::BitVector idle(backward.getNumArguments());
    for (BlockArgument argument : backward.getArguments())
      idle[argument.getArgNumber()] = argument.use_empty();
    llvm::BitVector elsewhere(forward.getNumArguments());
    for (BlockArgument argument : forward.getArguments())
      elsewhere[argument.getArgNumber()] =
          argument.use_empty() && !idle[argument.getArgNumber()];
    if (failed(backward.eraseArguments(idle)))
      return failure();
    return forward.eraseArguments(elsewhere);
  }
};
} // namespace
