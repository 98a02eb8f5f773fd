//===- AddParameters.cpp - biases that corrected weights have -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Transforms/ParallelizeLayers.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
/// A bias operand of an op and the projection that it belongs to.
struct BiasSlot {
  Value weight;
  std::optional<MutableOperandRange> bias;
};
} // namespace

static BiasSlot findSlot(AttentionOp op, StringRef operand) {
  return llvm::StringSwitch<BiasSlot>(operand)
      .Case("q_bias", {op.getQWeight(), op.getQBiasMutable()})
      .Case("k_bias", {op.getKWeight(), op.getKBiasMutable()})
      .Case("v_bias", {op.getVWeight(), op.getVBiasMutable()})
      .Case("o_bias", {op.getOWeight(), op.getOBiasMutable()})
      .Default({});
}

static BiasSlot findSlot(MlpOp op, StringRef operand) {
  return llvm::StringSwitch<BiasSlot>(operand)
      .Case("up_bias", {op.getUpWeight(), op.getUpBiasMutable()})
      .Case("gate_bias", {op.getGateWeight(), op.getGateBiasMutable()})
      .Case("down_bias", {op.getDownWeight(), op.getDownBiasMutable()})
      .Default({});
}

/// The slot of the attention or MLP of the layer that has it.
static BiasSlot findSlot(FunctionOpInterface function,
                         const AddedParameter &added) {
  BiasSlot found;
  function.getFunctionBody().walk([&](LayerOp layer) {
    if (static_cast<int64_t>(layer.getIndex()) != added.index)
      return;
    layer.getBody().walk([&](Operation *op) {
      BiasSlot slot;
      if (auto attention = dyn_cast<AttentionOp>(op);
          attention && !attention.isCross())
        slot = findSlot(attention, added.operand);
      else if (auto mlp = dyn_cast<MlpOp>(op))
        slot = findSlot(mlp, added.operand);
      if (slot.weight && !found.weight)
        found = slot;
    });
  });
  return found;
}

static bool hasParameter(FunctionOpInterface function, StringRef name) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (auto known = function.getArgAttrOfType<StringAttr>(i, kParamAttr);
        known && known.getValue() == name)
      return true;
  return false;
}

LogicalResult block::addParameters(FunctionOpInterface function,
                                   ArrayRef<AddedParameter> parameters) {
  Builder builder(function.getContext());
  for (const AddedParameter &added : parameters) {
    if (hasParameter(function, added.name))
      return function.emitError() << "cannot add parameter '" << added.name
                                  << "': the function has one of that name";
    BiasSlot slot = findSlot(function, added);
    if (!slot.weight)
      return function.emitError()
             << "cannot add parameter '" << added.name << "': layer "
             << added.index << " has no projection for " << added.operand;
    if (!slot.bias->empty())
      return function.emitError()
             << "cannot add parameter '" << added.name << "': layer "
             << added.index << " has its " << added.operand << " already";
    auto weight = cast<RankedTensorType>(slot.weight.getType());
    auto type =
        RankedTensorType::get({weight.getDimSize(0)}, weight.getElementType());
    // Without corrected weights the parameter is drawn as nothing.
    auto zero =
        InitAttr::get(function.getContext(), InitKind::Constant, {}, {});
    unsigned position = function.getNumArguments();
    if (failed(function.insertArgument(
            position, type,
            builder.getDictionaryAttr(
                {builder.getNamedAttr(kParamAttr,
                                      builder.getStringAttr(added.name)),
                 builder.getNamedAttr(kInitAttr, zero)}),
            function.getLoc())))
      return failure();
    slot.bias->assign(function.getArgument(position));
  }
  return success();
}
