//===- BlockFormLeftovers.cpp - pass block-form-leftovers -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OutlineLeftovers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Transforms/Leftovers/Leftovers.h"
#include "parablock/Transforms/Leftovers/NamedFailures.h"
#include "parablock/Transforms/Leftovers/NormaliseLeftovers.h"
#include "parablock/Transforms/Passes.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKFORMLEFTOVERS
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

static constexpr StringLiteral kFormLeftovers = "block-form-leftovers";

//===----------------------------------------------------------------------===//
// Ops outside kernels
//===----------------------------------------------------------------------===//

/// Elements of a constant that a kernel may have in its code.
static constexpr int64_t kMostConstants = 64;

static LogicalResult checkConstant(arith::ConstantOp op) {
  auto elements = dyn_cast<ElementsAttr>(op.getValue());
  if (!elements || elements.isSplat() ||
      elements.getNumElements() <= kMostConstants)
    return success();
  return op.emitError() << "no code for a constant of "
                        << elements.getNumElements()
                        << " different numbers in a kernel: expected at most "
                        << kMostConstants << ", or a parameter";
}

/// Returns whether `value` depends on an element of a tensor.
static bool isData(Value value) {
  return walkSources(value,
                     [](Value source) {
                       Operation *op = source.getDefiningOp();
                       if (!op || !isLeftover(op) || isa<tensor::DimOp>(op))
                         return WalkResult::skip();
                       return isa<tensor::ExtractOp>(op)
                                  ? WalkResult::interrupt()
                                  : WalkResult::advance();
                     })
      .wasInterrupted();
}

/// Returns the operands of `op` that determine the size of its result.
static ValueRange getSizes(Operation *op) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return slice.getSizes();
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return expand.getOutputShape();
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return pad->getOperands().drop_front();
  if (isa<tensor::EmptyOp, tensor::GenerateOp>(op))
    return op->getOperands();
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return splat.getDynamicSizes();
  return {};
}

static LogicalResult checkSizes(Operation *op) {
  if (llvm::any_of(getSizes(op), isData))
    return op->emitError() << "no code for '" << op->getName()
                           << "' in a kernel: its size depends on data";
  return success();
}

static LogicalResult check(func::FuncOp function) {
  WalkResult result = function.walk([](Operation *op) {
    auto constant = dyn_cast<arith::ConstantOp>(op);
    if ((constant && failed(checkConstant(constant))) || failed(checkSizes(op)))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {
/// Inserts the kernels of one function in place of its ops.
class KernelPlacer {
public:
  /// `moved` maps results of earlier functions to their new values.
  KernelPlacer(LeftoverOutline &outline, IRMapping &moved)
      : outline(outline), moved(moved) {
    for (Operation &op : *outline.block)
      places.push_back(&op);
  }

  LogicalResult run();

private:
  void emit(const LeftoverGroup &group);
  void emitKernel(OpBuilder &builder, const LeftoverGroup &group);
  void emitBody(KernelOp kernel, const LeftoverGroup &group);

  LeftoverOutline &outline;
  IRMapping &moved;
  SmallVector<Operation *> places;
  /// Maps values of the function to values of the model.
  IRMapping given;
};
} // namespace

void KernelPlacer::emitBody(KernelOp kernel, const LeftoverGroup &group) {
  Block &body = kernel.getBody().emplaceBlock();
  IRMapping mapping;
  for (Value input : group.inputs)
    mapping.map(input, body.addArgument(input.getType(), input.getLoc()));
  OpBuilder builder = OpBuilder::atBlockEnd(&body);
  for (Operation &op : outline.function.front())
    if (group.ops.contains(&op))
      builder.clone(op, mapping);
  SmallVector<Value> yielded = llvm::map_to_vector(
      group.results, [&](Value result) { return mapping.lookup(result); });
  YieldOp::create(builder, kernel.getLoc(), yielded);
}

/// Returns whether `op` keeps the elements and their order.
static bool isShape(Operation *op) {
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    // Otherwise only this op defines how one size is divided.
    return llvm::all_of(expand.getReassociationIndices(), [&](auto &group) {
      return llvm::count_if(group, [&](int64_t dim) {
               return expand.getResultType().isDynamicDim(dim);
             }) <= 1;
    });
  return isa<tensor::CastOp, tensor::CollapseShapeOp>(op);
}

/// Returns whether the group needs no work: kernels read its operand
/// unchanged.
static bool isView(const LeftoverGroup &group) {
  return llvm::none_of(group.roots, isRemade) &&
         llvm::all_of(group.ops, [](Operation *op) {
           return isShape(op) || llvm::none_of(op->getResultTypes(),
                                               llvm::IsaPred<TensorType>);
         });
}

/// Returns whether `value` depends on weights alone, or on nothing.
static bool isOfWeights(Value value) {
  WalkResult sources = walkSources(value, [](Value source) -> WalkResult {
    auto argument = dyn_cast<BlockArgument>(source);
    if (!argument)
      return success(source.getDefiningOp<KernelOp>() != nullptr);
    auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    return success(function &&
                   function.getArgAttr(argument.getArgNumber(), kParamAttr));
  });
  return !sources.wasInterrupted();
}

void KernelPlacer::emitKernel(OpBuilder &builder, const LeftoverGroup &group) {
  SmallVector<Location> locations = llvm::map_to_vector(
      group.roots, [](Operation *root) { return root->getLoc(); });
  SmallVector<Value> inputs = llvm::map_to_vector(
      group.inputs, [&](Value input) { return given.lookup(input); });
  auto kernel = KernelOp::create(
      builder, FusedLoc::get(builder.getContext(), locations),
      ValueRange(group.results).getTypes(), inputs, KernelKind::Elements);
  emitBody(kernel, group);
  given.map(group.results, kernel.getResults());
  int64_t count =
      llvm::count_if(group.ops, [](Operation *op) { return !isRemade(op); });
  remarkPassed(kernel, kFormLeftovers,
               Twine(count) + (count == 1 ? " op" : " ops") + " in one launch" +
                   (llvm::all_of(inputs, isOfWeights)
                        ? ", of weights alone: no recipe packs that, so it "
                          "runs every time"
                        : ""),
               {{"ops", static_cast<double>(count)}});
}

void KernelPlacer::emit(const LeftoverGroup &group) {
  OpBuilder builder(places[group.before]);
  if (!isView(group))
    return emitKernel(builder, group);
  for (Operation &op : outline.function.front())
    if (group.ops.contains(&op))
      builder.clone(op, given);
  for (Value result : group.results)
    remarkPassed(given.lookup(result).getDefiningOp(), kFormLeftovers,
                 "another shape of the same elements: no launch");
}

LogicalResult KernelPlacer::run() {
  FailureOr<std::vector<LeftoverGroup>> groups =
      groupLeftovers(outline.function, outline.places);
  if (failed(groups))
    return failure();
  for (auto [argument, input] :
       llvm::zip_equal(outline.function.getArguments(), outline.inputs))
    given.map(argument, moved.lookupOrDefault(input));
  for (const LeftoverGroup &group : *groups)
    emit(group);
  ValueRange results = outline.function.front().getTerminator()->getOperands();
  for (auto [output, result] : llvm::zip_equal(outline.outputs, results)) {
    Value kernel = given.lookup(result);
    moved.map(output, kernel);
    output.replaceAllUsesWith(kernel);
  }
  return success();
}

namespace {
struct BlockFormLeftoversPass
    : public block::impl::BlockFormLeftoversBase<BlockFormLeftoversPass> {
  using BlockFormLeftoversBase::BlockFormLeftoversBase;

  void getDependentDialects(DialectRegistry &registry) const final {
    OpPassManager passes(ModuleOp::getOperationName());
    buildNormalisePipeline(passes, /*longSums=*/false);
    passes.getDependentDialects(registry);
    registry.insert<BlockDialect>();
  }

  void runOnOperation() final {
    ModuleOp module = getOperation();
    bool found = false;
    SmallVector<FunctionOpInterface> models = listModelFunctions(module);
    if (!functionName.empty()) {
      FunctionOpInterface named = findMainFunction(module, functionName);
      if (!named)
        return signalPassFailure();
      if (!llvm::is_contained(models, named))
        models.push_back(named);
    }
    for (FunctionOpInterface model : models) {
      auto function = dyn_cast<func::FuncOp>(model.getOperation());
      if (!function)
        continue;
      found = true;
      if (failed(formKernels(module, function)))
        return signalPassFailure();
    }
    if (!found)
      recordNoMatch(module, kFormLeftovers, "function that is a model");
  }

  LogicalResult formKernels(ModuleOp module, func::FuncOp model) {
    if (failed(dropAssertions(model)))
      return failure();
    LeftoverOutlines leftovers(model);
    auto builder = OpBuilder::atBlockEnd(module.getBody());
    auto functions = ModuleOp::create(builder, module.getLoc());
    std::vector<LeftoverOutline> outlines = leftovers.outline(functions);
    if (outlines.empty()) {
      functions.erase();
      leftovers.erase();
      recordNoMatch(model, kFormLeftovers, "op that is no block");
      return success();
    }
    OpPassManager passes(ModuleOp::getOperationName());
    buildNormalisePipeline(passes, /*longSums=*/false);
    NamedFailures failures(module.getContext());
    if (failed(runPipeline(passes, functions))) {
      failures.report("code");
      return failure();
    }
    IRMapping moved;
    for (LeftoverOutline &outline : outlines)
      if (failed(check(outline.function)) ||
          failed(KernelPlacer(outline, moved).run()))
        return failure();
    leftovers.erase();
    functions.erase();
    return success();
  }
};
} // namespace
