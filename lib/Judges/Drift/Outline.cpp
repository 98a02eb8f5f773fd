//===- Outline.cpp - parts of a model as functions ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Outline.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Judges/Compare/ReferenceEngine.h"
#include "parablock/Judges/Reference/Interpreter.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::drift;

static llvm::Expected<Tensors>
runOnReference(func::FuncOp function, ArrayRef<Tensor> values, bool exact) {
  runner::RunOptions options;
  options.exactArithmetic = exact;
  llvm::Expected<runner::RunResult> result =
      runner::createReferenceEngine()->run(function, values, options);
  if (!result)
    return result.takeError();
  return std::move(result->outputs);
}

llvm::Expected<Tensors> Outline::runExact(ArrayRef<Tensor> values) const {
  return runOnReference(function, values, /*exact=*/true);
}

llvm::Expected<Tensors> Outline::runRounded(ArrayRef<Tensor> values) const {
  return runOnReference(function, values, /*exact=*/false);
}

llvm::Expected<std::vector<reference::RoutedRow>>
Outline::findRoutes(ArrayRef<Tensor> values) const {
  reference::RouteLog log;
  reference::Options options;
  options.exactArithmetic = true;
  options.routes = &log;
  if (failed(reference::run(function, values, options)))
    return llvm::make_error<runner::DiagnosedError>();
  return std::move(log.rows);
}

llvm::Expected<Tensors> Outline::run(ArrayRef<Tensor> values) const {
  return ready ? ready(values) : runExact(values);
}

Formal Formal::of(Value value) {
  return {value.getType(), block::isWeightOnly(value)};
}

/// Names the open dimensions of `type`; those that `before` had open keep the
/// names `given`.
static ArrayAttr nameRows(Builder &builder, RankedTensorType type,
                          RankedTensorType before = {}, ArrayAttr given = {}) {
  SmallVector<Attribute> names;
  size_t known = 0;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (given && before.isDynamicDim(dim))
      names.push_back(given[known++]);
    else if (type.isDynamicDim(dim))
      names.push_back(builder.getStringAttr(
          dim == 0 ? "batch" : (dim == 1 ? "seq" : "d" + std::to_string(dim))));
  return builder.getArrayAttr(names);
}

Outliner::Outliner(MLIRContext *context)
    : module(ModuleOp::create(UnknownLoc::get(context))) {}

Outline Outliner::make(ArrayRef<Formal> formals, Build build) {
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  auto types = llvm::map_to_vector(
      formals, [](const Formal &formal) { return formal.type; });
  auto function = func::FuncOp::create(builder, builder.getUnknownLoc(),
                                       "part" + std::to_string(count++),
                                       builder.getFunctionType(types, {}));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  SmallVector<Value> results = build(builder, body->getArguments());
  func::ReturnOp::create(builder, builder.getUnknownLoc(), results);
  function.setFunctionType(
      builder.getFunctionType(types, ValueRange(results).getTypes()));
  for (auto [number, formal] : llvm::enumerate(formals)) {
    auto type = dyn_cast<RankedTensorType>(formal.type);
    if (formal.isParameter)
      function.setArgAttr(number, block::kParamAttr,
                          builder.getStringAttr("w" + std::to_string(number)));
    else if (type && !type.hasStaticShape())
      function.setArgAttr(number, block::kDimsAttr, nameRows(builder, type));
  }
  return {function, {}, nullptr};
}

namespace {
/// The ops that values are made from, operands first.
class Slice {
public:
  explicit Slice(ArrayRef<Value> given) {
    known.insert(given.begin(), given.end());
  }

  void visit(Value value) {
    if (!known.insert(value).second)
      return;
    Operation *op = value.getDefiningOp();
    if (!op) {
      arguments.push_back(value);
      return;
    }
    for (Value result : op->getResults())
      known.insert(result);
    for (Value operand : op->getOperands())
      visit(operand);
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    for (Value outside : captured)
      visit(outside);
    ops.push_back(op);
  }

  SmallVector<Operation *> ops;
  std::vector<Value> arguments;

private:
  DenseSet<Value> known;
};
} // namespace

Outline Outliner::outline(ArrayRef<Value> results, ArrayRef<Value> given) {
  Slice slice(given);
  for (Value result : results)
    slice.visit(result);
  std::vector<Value> arguments(given.begin(), given.end());
  llvm::append_range(arguments, slice.arguments);
  Outline made = make(llvm::map_to_vector(arguments, Formal::of),
                      [&](OpBuilder &builder, ValueRange newArguments) {
                        IRMapping map;
                        map.map(ValueRange(arguments), newArguments);
                        for (Operation *op : slice.ops)
                          builder.clone(*op, map);
                        return llvm::map_to_vector(results, [&](Value result) {
                          return map.lookup(result);
                        });
                      });
  made.arguments = std::move(arguments);
  return made;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static bool fixesSequence(func::FuncOp function) {
  return function
      .walk([](Operation *op) {
        auto attention = dyn_cast<block::AttentionOpInterface>(op);
        bool fixed = isa<block::PatchEmbeddingOp>(op) ||
                     (attention && attention.getPastKey());
        return fixed ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Ids are `[B, T]`, lengths `[B]`, hidden states `[B, T, width]`.
static bool hasSequence(RankedTensorType type) {
  return type.getRank() == 3 ||
         (type.getRank() == 2 && !isa<FloatType>(type.getElementType()));
}

static void setFunctionType(func::FuncOp function) {
  auto results = function.getBody().front().getTerminator()->getOperandTypes();
  function.setFunctionType(FunctionType::get(
      function.getContext(), function.getBody().getArgumentTypes(), results));
}

std::optional<unsigned> drift::findLogits(func::FuncOp function) {
  Operation *terminator = function.getBody().front().getTerminator();
  for (auto [index, result] : llvm::enumerate(terminator->getOperands())) {
    auto name =
        function.getResultAttrOfType<StringAttr>(index, block::kOutputAttr);
    if (result.getDefiningOp<block::HeadOp>() &&
        (!name || name.getValue() == "logits"))
      return index;
  }
  return std::nullopt;
}

void drift::dropUnmeasured(func::FuncOp function) {
  Block &body = function.getBody().front();
  Operation *terminator = body.getTerminator();
  SmallVector<Value> kept;
  SmallVector<Attribute> attributes;
  if (std::optional<unsigned> logits = findLogits(function)) {
    kept.push_back(terminator->getOperand(*logits));
    auto own = function.getResultAttrDict(*logits);
    attributes.push_back(own ? own
                             : DictionaryAttr::get(function.getContext(), {}));
  }
  terminator->setOperands(kept);
  setFunctionType(function);
  function.setAllResultAttrs(attributes);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (!isa<block::LayerOp>(op) && isOpTriviallyDead(&op))
      op.erase();
}

void drift::makeRowsDynamic(func::FuncOp function) {
  bool keepsSequence = fixesSequence(function);
  auto release = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || type.getRank() == 0)
      return;
    SmallVector<int64_t> shape(type.getShape());
    shape[0] = ShapedType::kDynamic;
    if (!keepsSequence && hasSequence(type))
      shape[1] = ShapedType::kDynamic;
    value.setType(type.clone(shape));
  };
  Builder builder(function.getContext());
  DenseSet<Value> rows;
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    if (function.getArgAttr(number, block::kParamAttr))
      continue;
    auto before = dyn_cast<RankedTensorType>(argument.getType());
    auto given = function.getArgAttrOfType<ArrayAttr>(number, block::kDimsAttr);
    release(argument);
    rows.insert(argument);
    // Open dimensions without names are those of the argument, as in other
    // tools: `input_ids.d0`.
    if (before && (given || before.hasStaticShape()))
      function.setArgAttr(number, block::kDimsAttr,
                          nameRows(builder,
                                   cast<RankedTensorType>(argument.getType()),
                                   before, given));
  }
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function)
      return;
    bool dependent = isa<block::LayerOp>(op) ||
                     llvm::any_of(op->getOperands(), [&](Value operand) {
                       return rows.contains(operand);
                     });
    if (!dependent)
      return;
    for (Value result : op->getResults()) {
      release(result);
      rows.insert(result);
    }
  });
  setFunctionType(function);
}

/// The elements, too, where there are some.
static void convertConstant(arith::ConstantOp op, Type element) {
  auto type = cast<FloatType>(element);
  auto round = [&](const APFloat &value) {
    APFloat rounded = value;
    bool losesInfo;
    rounded.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
    return rounded;
  };
  if (auto number = dyn_cast<FloatAttr>(op.getValue()))
    op.setValueAttr(FloatAttr::get(type, round(number.getValue())));
  if (auto values = dyn_cast<DenseFPElementsAttr>(op.getValue()))
    op.setValueAttr(values.mapValues(type, [&](const APFloat &value) {
      return round(value).bitcastToAPInt();
    }));
}

void drift::declareBatches(func::FuncOp function, int64_t batch) {
  Builder builder(function.getContext());
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || type.getRank() == 0 || type.getDimSize(0) != batch ||
        function.getArgAttr(number, block::kParamAttr))
      continue;
    SmallVector<int64_t> shape(type.getShape());
    shape[0] = ShapedType::kDynamic;
    argument.setType(type.clone(shape));
    function.setArgAttr(
        number, block::kDimsAttr,
        nameRows(builder, cast<RankedTensorType>(argument.getType())));
  }
}

/// Casts between types that have become one.
static void eraseIdleCasts(func::FuncOp function) {
  function.walk([](Operation *op) {
    if (!isa<arith::ExtFOp, arith::TruncFOp>(op) ||
        op->getOperand(0).getType() != op->getResult(0).getType())
      return;
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    op->erase();
  });
}

void drift::setFloatType(func::FuncOp function, Type element) {
  auto convert = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (type && isa<FloatType>(type.getElementType()))
      value.setType(type.clone(element));
    else if (isa<FloatType>(value.getType()))
      value.setType(element);
  };
  for (BlockArgument argument : function.getArguments())
    convert(argument);
  function.walk([&](Operation *op) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      convertConstant(constant, element);
    for (Value result : op->getResults())
      convert(result);
    for (Region &region : op->getRegions())
      llvm::for_each(region.getArguments(), convert);
  });
  eraseIdleCasts(function);
  setFunctionType(function);
}
