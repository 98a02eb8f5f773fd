//===- OpenTypes.cpp - sizes that become open again -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Block ops, arithmetic and structured ops follow the types of their operands.
// Ops that say sizes themselves are given those of an argument.
//
//===----------------------------------------------------------------------===//

#include "OpenTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::raise;

namespace {
class Opener {
public:
  Opener(FunctionOpInterface function, const Sizes &sizes)
      : function(function), sizes(sizes), builder(function.getContext()) {}
  bool run();

private:
  Type openType(Type type) const;
  bool isOpened(Type type) const { return openType(type) != type; }
  /// The open sizes of a type, as sizes of arguments.
  SmallVector<Value> getOpenSizes(RankedTensorType open,
                                  RankedTensorType known);
  Value getSize(int64_t number);
  Value makeEmpty(RankedTensorType known);
  void replaceOpsWithSizes();

  FunctionOpInterface function;
  const Sizes &sizes;
  OpBuilder builder;
  llvm::DenseMap<int64_t, Value> dims;
};
} // namespace

Type Opener::openType(Type type) const {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return type;
  SmallVector<int64_t> shape(tensor.getShape());
  for (int64_t &size : shape)
    for (auto &[name, number] : sizes)
      if (size == number)
        size = ShapedType::kDynamic;
  return tensor.clone(shape);
}

/// From the first argument that has it.
Value Opener::getSize(int64_t number) {
  Value &size = dims[number];
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    for (int64_t d = 0; !size && type && d < type.getRank(); ++d)
      if (type.getDimSize(d) == number) {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToStart(&function.getFunctionBody().front());
        size = tensor::DimOp::create(builder, argument.getLoc(), argument, d);
      }
  }
  return size;
}

SmallVector<Value> Opener::getOpenSizes(RankedTensorType open,
                                        RankedTensorType known) {
  SmallVector<Value> values;
  for (auto [d, size] : llvm::enumerate(known.getShape()))
    if (open.isDynamicDim(d))
      values.push_back(getSize(size));
  return values;
}

Value Opener::makeEmpty(RankedTensorType known) {
  auto open = cast<RankedTensorType>(openType(known));
  return tensor::EmptyOp::create(builder, builder.getUnknownLoc(),
                                 open.getShape(), open.getElementType(),
                                 getOpenSizes(open, known));
}

void Opener::replaceOpsWithSizes() {
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if (isa<tensor::EmptyOp, tensor::ExpandShapeOp, arith::ConstantOp>(op) &&
        isOpened(op->getResult(0).getType()))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    builder.setInsertionPoint(op);
    auto known = cast<RankedTensorType>(op->getResult(0).getType());
    auto open = cast<RankedTensorType>(openType(known));
    Value made =
        TypeSwitch<Operation *, Value>(op)
            .Case([&](tensor::EmptyOp) { return makeEmpty(known); })
            .Case([&](tensor::ExpandShapeOp expand) -> Value {
              SmallVector<OpFoldResult> shape =
                  getMixedValues(open.getShape(), getOpenSizes(open, known),
                                 builder.getContext());
              return tensor::ExpandShapeOp::create(
                  builder, op->getLoc(), open, expand.getSrc(),
                  expand.getReassociationIndices(), shape);
            })
            .Case([&](arith::ConstantOp constant) -> Value {
              auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
              if (!dense || !dense.isSplat())
                return {};
              Value number = arith::ConstantOp::create(
                  builder, op->getLoc(), dense.getSplatValue<TypedAttr>());
              return linalg::FillOp::create(builder, op->getLoc(), number,
                                            makeEmpty(known))
                  .getResult(0);
            });
    if (!made)
      continue;
    op->getResult(0).replaceAllUsesWith(made);
    op->erase();
  }
}

/// True where the types of results are those of operands, in whatever way.
static bool followsOperands(Operation *op) {
  bool isTosa =
      isa<tosa::TosaDialect>(op->getDialect()) && op->getNumOperands() > 0 &&
      llvm::none_of(op->getOperandTypes(),
                    [](Type type) { return isa<tosa::shapeType>(type); });
  return isTosa || isa<block::BlockDialect>(op->getDialect()) ||
         isa<linalg::LinalgOp, tensor::CollapseShapeOp>(op) ||
         OpTrait::hasElementwiseMappableTraits(op);
}

bool Opener::run() {
  replaceOpsWithSizes();
  bool isPossible = true;
  auto open = [&](Value value, bool isFree) {
    Type type = openType(value.getType());
    isPossible &= isFree || type == value.getType();
    value.setType(type);
  };
  for (BlockArgument argument : function.getArguments())
    open(argument, true);
  function.walk([&](Operation *op) {
    bool isFree = followsOperands(op);
    for (Value result : op->getResults())
      open(result, isFree);
    for (Region &region : op->getRegions())
      if (op != function.getOperation())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            open(argument, isFree);
  });
  auto openAll = [&](ArrayRef<Type> types) {
    return llvm::map_to_vector(types,
                               [&](Type type) { return openType(type); });
  };
  function.setType(FunctionType::get(function.getContext(),
                                     openAll(function.getArgumentTypes()),
                                     openAll(function.getResultTypes())));
  return isPossible;
}

bool parablock::raise::openTypes(FunctionOpInterface function,
                                 const Sizes &sizes) {
  return Opener(function, sizes).run();
}
