//===- ConvertLaunchesToPlan.cpp - functions that launch to plans ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A launch describes the sizes of its results as affine maps of its operands'
// sizes. A plan expresses all sizes by those that callers choose: maps are
// composed, as MLIR composes affine.apply.
//
//===----------------------------------------------------------------------===//

#include "PlanConverter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Dialect/Plan/StartedSteps.h"
#include "parablock/Engines/Device/Passes.h"
#include "parablock/Engines/Device/ReadLaunchPlan.h"
#include "parablock/Execution/Signature.h"
#include "parablock/Transforms/Shard/Ranks.h"

namespace parablock {
#define GEN_PASS_DEF_CONVERTLAUNCHESTOPLAN
#include "parablock/Engines/Device/Passes.h.inc"
} // namespace parablock

using namespace mlir;
using namespace parablock;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

InFlightDiagnostic PlanConverter::refuse(Operation *op) const {
  return emitError(op->getLoc()) << "no GPU code for ";
}

InFlightDiagnostic PlanConverter::refuseName(Operation *op) const {
  return refuse(op) << "'" << op->getName() << "'";
}

FailureOr<Value> PlanConverter::getTensor(Operation *op, Value value) const {
  if (Value known = tensorOf.lookup(value))
    return known;
  return refuseName(op) << " of what no kernel makes and no argument is";
}

FailureOr<plan::TensorOp> PlanConverter::addTensor(
    Operation *op, plan::TensorKind kind, const Twine &name, Type type,
    ArrayRef<OpFoldResult> sizes, std::optional<int64_t> position) {
  if (!isa<RankedTensorType, MemRefType>(type))
    return refuse(op) << "a value that is no tensor";
  Type element = getElementTypeOrSelf(type);
  if (!plan::isElement(element))
    return refuse(op) << "tensors of type " << element
                      << ": expected f64, f32, bf16, f16, i64, i32, i16, i8, "
                         "ui8 or i1";
  // Symbols for dynamic sizes are not numbers.
  if (llvm::any_of(sizes, [](OpFoldResult size) {
        std::optional<int64_t> number = getConstantIntValue(size);
        return number && ShapedType::isDynamic(*number);
      }))
    return refuse(op) << "a size of more than 63 bits";
  plan.builder.setLoc(op->getLoc());
  return plan.addTensor(kind, name, element, sizes, position);
}

plan::Sizes PlanConverter::getNumbers(ArrayRef<int64_t> shape) {
  return plan::Sizes(getAsIndexOpFoldResult(function.getContext(), shape));
}

LogicalResult PlanConverter::addArguments() {
  llvm::Expected<runner::Signature> signature = runner::readSignature(function);
  if (!signature)
    return function.emitError() << llvm::toString(signature.takeError());
  for (auto [value, argument] :
       llvm::zip_equal(function.getArguments(), signature->arguments)) {
    plan::Sizes sizes;
    for (auto [size, name] : llvm::zip_equal(argument.shape, argument.dims))
      sizes.push_back(name.empty()
                          ? OpFoldResult(plan.builder.getIndexAttr(size))
                          : OpFoldResult(plan.addSize(name)));
    auto kind = argument.isParameter ? plan::TensorKind::Parameter
                                     : plan::TensorKind::Input;
    FailureOr<plan::TensorOp> tensor =
        addTensor(function, kind, argument.name, value.getType(), sizes,
                  value.getArgNumber());
    if (failed(tensor))
      return failure();
    tensorOf[value] = *tensor;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

FailureOr<plan::Sizes> PlanConverter::findSizes(tile::LaunchOp launch,
                                                ValueRange inputs,
                                                OpResult result) {
  auto type = cast<RankedTensorType>(result.getType());
  plan::Sizes sizes = getNumbers(type.getShape());
  if (type.hasStaticShape())
    return sizes;
  if (!launch.getSizeSymbols() || !launch.getSizes())
    return emitError(launch.getLoc())
           << "expected 'size_symbols' and 'sizes', as results have dynamic "
              "sizes";
  SmallVector<OpFoldResult> symbols;
  ArrayRef<int64_t> pairs = *launch.getSizeSymbols();
  for (; !pairs.empty(); pairs = pairs.drop_front(2))
    symbols.push_back(plan::getMixedSizes(inputs[pairs[0]])[pairs[1]]);
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (type.isDynamicDim(dim))
      size = affine::makeComposedFoldedAffineApply(
          plan.builder, launch.getLoc(),
          launch.getSizeMap(result.getResultNumber(), dim), symbols);
  return sizes;
}

/// Adds the workspaces of `device` to the outputs of a launch. Launches of one
/// kernel run in sequence, and share them, but for the word of each launch's
/// reports.
LogicalResult PlanConverter::addWorkspaces(Operation *device,
                                           SmallVectorImpl<Value> &outputs) {
  auto [entry, isNew] = workspacesOf.try_emplace(device);
  auto facts = tile::LaunchAttr::of(device);
  ArrayRef<MemRefType> types =
      facts ? facts.getWorkspaces() : ArrayRef<MemRefType>();
  std::string name = SymbolTable::getSymbolName(device).str();
  auto add = [&](const Twine &suffix,
                 MemRefType type) -> FailureOr<plan::TensorOp> {
    return addTensor(device, plan::TensorKind::Workspace, name + suffix, type,
                     getNumbers(type.getShape()));
  };
  bool hasReports = facts && facts.getReports();
  if (hasReports && (types.empty() || types.back().getNumElements() != 1 ||
                     !types.back().getElementType().isInteger(64)))
    return emitError(device->getLoc())
           << "expected the last workspace of '" << name
           << "', which reports, to be a memref of one i64";
  for (auto [number, type] :
       llvm::enumerate(hasReports ? types.drop_back() : types)) {
    if (!isNew)
      break;
    FailureOr<plan::TensorOp> tensor = add(".workspace" + Twine(number), type);
    if (failed(tensor))
      return failure();
    entry->second.push_back(*tensor);
  }
  llvm::append_range(outputs, entry->second);
  if (!hasReports)
    return success();
  FailureOr<plan::TensorOp> word =
      add("#" + Twine(numLaunches) + ".reports", types.back());
  if (succeeded(word))
    outputs.push_back(*word);
  return word;
}

static FailureOr<LLVM::LLVMFuncOp> findDevice(tile::LaunchOp launch,
                                              SymbolRefAttr name) {
  auto device =
      SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(launch, name);
  if (!device)
    return emitError(launch.getLoc()) << "expected a device function to launch";
  return device;
}

/// Returns the operand whose memory a result has: one that another launch makes
/// and no other op reads. Null if there is none.
static Value findOverwritten(tile::LaunchOp launch, OpResult result) {
  ArrayRef<int64_t> pairs = launch.getInPlace().value_or(ArrayRef<int64_t>());
  for (; !pairs.empty(); pairs = pairs.drop_front(2)) {
    Value operand = launch.getInputs()[pairs[1]];
    if (pairs[0] == result.getResultNumber() && operand.hasOneUse() &&
        operand.getDefiningOp<tile::LaunchOp>())
      return operand;
  }
  return {};
}

FailureOr<Value> PlanConverter::addOutput(tile::LaunchOp launch,
                                          OpResult result,
                                          ArrayRef<Value> inputs,
                                          StringRef device) {
  plan.builder.setLoc(launch.getLoc());
  if (Value operand = findOverwritten(launch, result))
    return tensorOf[result] = tensorOf.lookup(operand);
  FailureOr<plan::Sizes> sizes = findSizes(launch, inputs, result);
  if (failed(sizes))
    return failure();
  FailureOr<plan::TensorOp> tensor = addTensor(
      launch, plan::TensorKind::Temporary,
      device + "#" + Twine(numLaunches) + "." + Twine(result.getResultNumber()),
      result.getType(), *sizes);
  if (failed(tensor))
    return failure();
  return tensorOf[result] = *tensor;
}

LogicalResult PlanConverter::addLaunch(tile::LaunchOp launch) {
  FailureOr<LLVM::LLVMFuncOp> device =
      findDevice(launch, launch.getKernelAttr());
  if (failed(device))
    return failure();
  SmallVector<Value> inputs, outputs;
  for (Value input : launch.getInputs()) {
    FailureOr<Value> tensor = getTensor(launch, input);
    if (failed(tensor))
      return failure();
    inputs.push_back(*tensor);
  }
  for (OpResult result : launch->getResults()) {
    FailureOr<Value> output =
        addOutput(launch, result, inputs, device->getName());
    if (failed(output))
      return failure();
    outputs.push_back(*output);
  }
  if (failed(addWorkspaces(*device, outputs)))
    return failure();
  if (SymbolRefAttr name = launch.getFewAttr()) {
    FailureOr<LLVM::LLVMFuncOp> few = findDevice(launch, name);
    if (failed(few) || failed(addWorkspaces(*few, outputs)))
      return failure();
  }
  plan.builder.setLoc(launch.getLoc());
  ImplicitLocOpBuilder end = plan.atEndOfRun();
  plan::LaunchOp::create(end, launch.getKernelAttr(), inputs, outputs,
                         /*dims=*/{}, /*static_dims=*/ArrayRef<int64_t>(),
                         /*factor=*/IntegerAttr(),
                         /*outer=*/{}, /*static_outer=*/ArrayRef<int64_t>(),
                         /*inner=*/{}, /*static_inner=*/ArrayRef<int64_t>(),
                         /*block=*/1, /*grain=*/1, /*scratch=*/0, layerAttr,
                         /*rows=*/ArrayRef<int64_t>(), /*sequences=*/false,
                         /*in_place=*/ArrayRef<int64_t>(), launch.getFewAttr(),
                         launch.getFewSizes().value_or(ArrayRef<int64_t>()),
                         launch.getMostAttr());
  ++numLaunches;
  return success();
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// Multiplies the sizes of `source` that become one by `groups`.
plan::Sizes PlanConverter::collapse(ArrayRef<OpFoldResult> source,
                                    ArrayRef<ReassociationIndices> groups) {
  plan::Sizes sizes;
  for (const ReassociationIndices &group : groups) {
    AffineExpr product = getAffineConstantExpr(1, function.getContext());
    SmallVector<OpFoldResult> factors;
    for (int64_t dim : group) {
      product =
          product * getAffineSymbolExpr(factors.size(), function.getContext());
      factors.push_back(source[dim]);
    }
    sizes.push_back(affine::makeComposedFoldedAffineApply(
        plan.builder, plan.builder.getLoc(), product, factors));
  }
  return sizes;
}

/// Returns the sizes of `type`, whose `groups` were one dimension of `source`
/// each; fails for two dynamic ones in a group, whose division is unknown.
FailureOr<plan::Sizes>
PlanConverter::expand(ArrayRef<OpFoldResult> source,
                      ArrayRef<ReassociationIndices> groups,
                      RankedTensorType type) {
  plan::Sizes sizes = getNumbers(type.getShape());
  for (auto [size, group] : llvm::zip_equal(source, groups)) {
    int64_t known = 1;
    OpFoldResult *open = nullptr;
    for (int64_t dim : group) {
      if (!type.isDynamicDim(dim))
        known *= type.getDimSize(dim);
      else if (open)
        return failure();
      else
        open = &sizes[dim];
    }
    if (open)
      *open = affine::makeComposedFoldedAffineApply(
          plan.builder, plan.builder.getLoc(),
          plan.builder.getAffineSymbolExpr(0).floorDiv(known), size);
  }
  return sizes;
}

LogicalResult PlanConverter::addView(Operation *op) {
  FailureOr<Value> source = getTensor(op, op->getOperand(0));
  if (failed(source))
    return failure();
  plan.builder.setLoc(op->getLoc());
  plan::Sizes whole(plan::getMixedSizes(*source));
  FailureOr<plan::Sizes> sizes;
  if (auto wide = dyn_cast<tensor::ExpandShapeOp>(op))
    sizes = expand(whole, wide.getReassociationIndices(), wide.getResultType());
  else
    sizes = collapse(
        whole, cast<tensor::CollapseShapeOp>(op).getReassociationIndices());
  if (failed(sizes))
    return refuse(op) << "a dimension that becomes two of open sizes";
  tensorOf[op->getResult(0)] = plan.addView(
      "view#" + Twine(plan.countTensors()), plan::getOwner(*source), *sizes);
  return success();
}

/// Ignores the cast to another type of the same tensor: the plan has more
/// precise sizes.
LogicalResult PlanConverter::addCast(tensor::CastOp cast) {
  FailureOr<Value> source = getTensor(cast, cast.getSource());
  if (failed(source))
    return failure();
  SmallVector<OpFoldResult> sizes = plan::getMixedSizes(*source);
  auto type = dyn_cast<RankedTensorType>(cast.getType());
  bool fits = type && type.getRank() == static_cast<int64_t>(sizes.size());
  for (size_t dim = 0; fits && dim < sizes.size(); ++dim)
    fits = type.isDynamicDim(dim) ||
           getConstantIntValue(sizes[dim]) == type.getDimSize(dim);
  if (!fits)
    return refuse(cast) << "a cast to sizes that are not those of "
                        << formatPlanType(describeTensor(*source));
  tensorOf[cast.getResult()] = *source;
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

LogicalResult PlanConverter::addLayer(block::LayerOp layer) {
  Block &inner = layer.getBody().front();
  IntegerAttr around = std::exchange(
      layerAttr, plan.builder.getI64IntegerAttr(layer.getIndex()));
  if (failed(addBody(inner)))
    return failure();
  layerAttr = around;
  for (auto [result, yielded] : llvm::zip_equal(
           layer.getResults(), inner.getTerminator()->getOperands()))
    if (Value made = tensorOf.lookup(yielded))
      tensorOf[result] = made;
  return success();
}

LogicalResult PlanConverter::addOp(Operation *op) {
  if (auto launch = dyn_cast<tile::LaunchOp>(op))
    return addLaunch(launch);
  if (auto layer = dyn_cast<block::LayerOp>(op))
    return addLayer(layer);
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return addCast(cast);
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return addView(op);
  // Computations of sizes of shapes, which launches express themselves, and
  // zeros that parts are put into.
  bool isSize = op->getNumResults() &&
                llvm::all_of(op->getResultTypes(),
                             [](Type type) { return type.isIndex(); });
  if (isSize || isa<tensor::SplatOp, arith::ConstantOp>(op))
    return success();
  return addRankStep(op);
}

LogicalResult PlanConverter::addBody(Block &body) {
  for (Operation &op : body.without_terminator())
    if (failed(addOp(&op)))
      return failure();
  return success();
}

LogicalResult PlanConverter::addFunction() {
  Block &body = function.getBody().front();
  if (failed(addArguments()) || failed(addBody(body)))
    return failure();
  SmallVector<Value> results;
  for (Value result : body.getTerminator()->getOperands()) {
    FailureOr<Value> tensor = getTensor(body.getTerminator(), result);
    if (failed(tensor))
      return failure();
    results.push_back(*tensor);
  }
  program = plan.finish(results);
  plan::delayAwaits(program.getRun());
  IRRewriter rewriter(program);
  DominanceInfo dominance(program);
  eliminateCommonSubExpressions(rewriter, dominance, program);
  return success();
}

FailureOr<plan::ProgramOp> PlanConverter::convert() {
  // Steps that launchers do not support are reported here, at their op.
  if (succeeded(addFunction()) && succeeded(readLaunchPlan(program)))
    return program;
  plan.abandon();
  return failure();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Returns whether `function` launches kernels.
static bool isLaunching(func::FuncOp function) {
  return function.walk([](tile::LaunchOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

namespace {
struct ConvertLaunchesToPlanPass
    : public parablock::impl::ConvertLaunchesToPlanBase<
          ConvertLaunchesToPlanPass> {
  using Base::Base;

  void runOnOperation() final {
    for (auto program : getOperation().getOps<plan::ProgramOp>())
      if (failed(readLaunchPlan(program)))
        return signalPassFailure();
    int64_t ranks = countRanks(getOperation()).value_or(1);
    // A model may have nothing to launch.
    SmallVector<FunctionOpInterface> models =
        listModelFunctions(getOperation());
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      if (!isLaunching(function) &&
          llvm::none_of(models, [&](FunctionOpInterface model) {
            return model == function;
          }))
        continue;
      FailureOr<plan::ProgramOp> program =
          PlanConverter(function, ranks).convert();
      if (failed(program))
        return signalPassFailure();
      if (checkOnly)
        program->erase();
      else
        function.erase();
    }
  }
};
} // namespace
