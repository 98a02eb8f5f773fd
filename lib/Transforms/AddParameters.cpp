//===- AddParameters.cpp - parameters that corrected weights have ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Transforms/ParallelizeLayers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
/// Weight and bias operand of a projection of an op.
struct ProjectionSlot {
  std::optional<MutableOperandRange> weight, bias;

  Value getWeight() const {
    return weight && !weight->empty() ? (*weight)[0].get() : Value();
  }
};

/// The factors of a change of a matrix.
struct Factors {
  ProjectionSlot slot;
  Value left, right;
};
} // namespace

static ProjectionSlot findSlot(AttentionOp op, StringRef projection) {
  return llvm::StringSwitch<ProjectionSlot>(projection)
      .Case("q", {op.getQWeightMutable(), op.getQBiasMutable()})
      .Case("k", {op.getKWeightMutable(), op.getKBiasMutable()})
      .Case("v", {op.getVWeightMutable(), op.getVBiasMutable()})
      .Case("o", {op.getOWeightMutable(), op.getOBiasMutable()})
      .Default({});
}

static ProjectionSlot findSlot(MlpOp op, StringRef projection) {
  return llvm::StringSwitch<ProjectionSlot>(projection)
      .Case("up", {op.getUpWeightMutable(), op.getUpBiasMutable()})
      .Case("gate", {op.getGateWeightMutable(), op.getGateBiasMutable()})
      .Case("down", {op.getDownWeightMutable(), op.getDownBiasMutable()})
      .Default({});
}

/// The slot of the attention or MLP of the layer that has it.
static ProjectionSlot findSlot(FunctionOpInterface function,
                               const AddedParameter &added) {
  ProjectionSlot found;
  function.getFunctionBody().walk([&](LayerOp layer) {
    if (static_cast<int64_t>(layer.getIndex()) != added.index)
      return;
    layer.getBody().walk([&](Operation *op) {
      ProjectionSlot slot;
      if (auto attention = dyn_cast<AttentionOp>(op);
          attention && !attention.isCross())
        slot = findSlot(attention, added.getProjection());
      else if (auto mlp = dyn_cast<MlpOp>(op))
        slot = findSlot(mlp, added.getProjection());
      if (slot.getWeight() && !found.getWeight())
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

/// Returns `matrix + left right` as updates of rank one, from rows of `left`
/// transposed and of `right`. All but the last one are in f32, so the sum is
/// rounded once to the type of `matrix`.
static Value addProduct(OpBuilder &builder, Value matrix, Value left,
                        Value right) {
  Location loc = matrix.getLoc();
  auto type = cast<RankedTensorType>(matrix.getType());
  int64_t rank = cast<RankedTensorType>(right.getType()).getDimSize(0);
  auto getRow = [&](Value factor, int64_t row) -> Value {
    auto whole = cast<RankedTensorType>(factor.getType());
    int64_t size = whole.getDimSize(1);
    auto slice = RankedTensorType::get({size}, whole.getElementType());
    SmallVector<OpFoldResult> offsets = {builder.getIndexAttr(row),
                                         builder.getIndexAttr(0)};
    SmallVector<OpFoldResult> sizes = {builder.getIndexAttr(1),
                                       builder.getIndexAttr(size)};
    SmallVector<OpFoldResult> strides(2, builder.getIndexAttr(1));
    return tensor::ExtractSliceOp::create(builder, loc, slice, factor, offsets,
                                          sizes, strides);
  };
  Type wide = type.clone(builder.getF32Type());
  for (int64_t row = 0; row < rank; ++row)
    matrix = OuterUpdateOp::create(
        builder, loc, row + 1 == rank ? type : wide, matrix, getRow(left, row),
        getRow(right, row), builder.getF64FloatAttr(1));
  return matrix;
}

/// Returns the type of an added parameter for a projection of that weight.
static RankedTensorType getType(const AddedParameter &added, Value matrix) {
  auto weight = cast<RankedTensorType>(matrix.getType());
  int64_t outputs = weight.getDimSize(0), inputs = weight.getDimSize(1);
  SmallVector<int64_t, 2> shape = {outputs};
  if (added.getKind() == "left")
    shape = {added.rank, outputs};
  else if (added.getKind() == "right")
    shape = {added.rank, inputs};
  return RankedTensorType::get(shape, weight.getElementType());
}

LogicalResult block::addParameters(FunctionOpInterface function,
                                   ArrayRef<AddedParameter> parameters) {
  Builder builder(function.getContext());
  llvm::MapVector<std::pair<int64_t, StringRef>, Factors> changes;
  for (const AddedParameter &added : parameters) {
    auto fail = [&]() {
      return function.emitError()
             << "cannot add parameter '" << added.name << "': ";
    };
    if (hasParameter(function, added.name))
      return fail() << "the function has one of that name";
    ProjectionSlot slot = findSlot(function, added);
    if (!slot.getWeight())
      return fail() << "layer " << added.index << " has no projection for "
                    << added.operand;
    auto matrix = cast<RankedTensorType>(slot.getWeight().getType());
    if (llvm::Error error =
            checkRank(added, matrix.getDimSize(0), matrix.getDimSize(1)))
      return fail() << llvm::toString(std::move(error));
    Factors *change = nullptr;
    if (added.rank != 0)
      change = &changes[{added.index, added.getProjection()}];
    Value *factor = nullptr;
    if (change)
      factor = added.getKind() == "left" ? &change->left : &change->right;
    if (factor ? static_cast<bool>(*factor) : !slot.bias->empty())
      return fail() << "layer " << added.index << " has its " << added.operand
                    << " already";
    // Without corrected weights the parameter is drawn as nothing.
    auto zero =
        InitAttr::get(function.getContext(), InitKind::Constant, {}, {});
    unsigned position = function.getNumArguments();
    if (failed(function.insertArgument(
            position, getType(added, slot.getWeight()),
            builder.getDictionaryAttr(
                {builder.getNamedAttr(kParamAttr,
                                      builder.getStringAttr(added.name)),
                 builder.getNamedAttr(kInitAttr, zero)}),
            function.getLoc())))
      return failure();
    Value argument = function.getArgument(position);
    if (!factor) {
      slot.bias->assign(argument);
      continue;
    }
    change->slot = slot;
    *factor = argument;
  }
  for (auto &[place, change] : changes) {
    Value matrix = change.slot.getWeight();
    Type left = change.left ? change.left.getType() : Type();
    Type right = change.right ? change.right.getType() : Type();
    if (!left || !right ||
        cast<RankedTensorType>(left).getDimSize(0) !=
            cast<RankedTensorType>(right).getDimSize(0))
      return function.emitError()
             << "cannot change the matrix '" << place.second << "' of layer "
             << place.first << ": expected a left and a right factor of one "
             << "rank";
    OpBuilder at(function.getContext());
    at.setInsertionPointAfterValue(matrix);
    change.slot.weight->assign(
        addProduct(at, matrix, change.left, change.right));
  }
  return success();
}
