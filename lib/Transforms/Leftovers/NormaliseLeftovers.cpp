//===- NormaliseLeftovers.cpp - passes and pipeline on leftovers ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Upstream passes and additions: sums of 16 bits in f32, bounds of indices that
// come from data, and a fusion that repeats no costly work.
//
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/Leftovers/NormaliseLeftovers.h"

#include "BoundIndices.h"
#include "LeftoverCost.h"
#include "OpenBroadcasts.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/TensorInferTypeOpInterfaceImpl.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "parablock/Dialect/Block/GuardAngles.h"
#include "parablock/Transforms/Leftovers/Passes.h"

namespace parablock {
#define GEN_PASS_DEF_LEFTOVERSBOUNDINDICES
#define GEN_PASS_DEF_LEFTOVERSDECOMPOSEAGGREGATES
#define GEN_PASS_DEF_LEFTOVERSDROPASSERTIONS
#define GEN_PASS_DEF_LEFTOVERSFUSE
#define GEN_PASS_DEF_LEFTOVERSGUARDANGLES
#define GEN_PASS_DEF_LEFTOVERSSIMPLIFYBROADCASTS
#define GEN_PASS_DEF_LEFTOVERSWIDENSUMS
#include "parablock/Transforms/Leftovers/Passes.h.inc"
} // namespace parablock

using namespace mlir;
using namespace parablock;

/// Registers dialects that the passes create ops of, and models of ops in their
/// input.
static void registerNormalDialects(DialectRegistry &registry) {
  registry
      .insert<affine::AffineDialect, arith::ArithDialect,
              cf::ControlFlowDialect, func::FuncDialect, index::IndexDialect,
              linalg::LinalgDialect, math::MathDialect, memref::MemRefDialect,
              scf::SCFDialect, tensor::TensorDialect, tosa::TosaDialect>();
  tensor::registerInferTypeOpInterfaceExternalModels(registry);
}

static bool isNarrow(Type type) { return type.isBF16() || type.isF16(); }

/// Returns whether `op` is a pure sum of so many numbers that a chain of f32
/// additions would lose a digit beyond the roundings of the summands.
static bool isLongSum(linalg::GenericOp op) {
  constexpr int64_t most = 32;
  int64_t count = 1;
  for (auto [size, kind] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::reduction)
      count = ShapedType::isDynamic(size) ? most + 1 : count * size;
  return count > most && op.getNumDpsInputs() == 1 &&
         llvm::hasNItems(*op.getBody(), 2) &&
         isa<arith::AddFOp>(op.getBody()->front());
}

/// Returns the type in which sums of `type` are computed.
static Type getSumType(linalg::GenericOp op, Type type, bool isLong) {
  if (isNarrow(type))
    return Float32Type::get(op.getContext());
  return type.isF32() && isLong ? Float64Type::get(op.getContext()) : type;
}

/// Computes sums in a wider type, and rounds them once: sums in 16 bits stop
/// growing early.
static void widenSums(linalg::GenericOp op, bool longSums) {
  if (op.getNumReductionLoops() == 0)
    return;
  bool isLong = longSums && isLongSum(op);
  Operation *yield = op.getBody()->getTerminator();
  OpBuilder builder(op);
  Location loc = op.getLoc();
  for (auto [number, init] : llvm::enumerate(op.getDpsInitsMutable())) {
    BlockArgument carried = op.getRegionOutputArgs()[number];
    Operation *sum = yield->getOperand(number).getDefiningOp();
    Type type = carried.getType(), wider = getSumType(op, type, isLong);
    if (wider == type || !carried.hasOneUse() || !sum ||
        *carried.user_begin() != sum || sum->getNumOperands() != 2 ||
        !sum->hasOneUse() ||
        !isa_and_nonnull<arith::ArithDialect>(sum->getDialect()))
      continue;
    auto narrow = cast<RankedTensorType>(init.get().getType());
    Type wide = narrow.clone(wider);
    builder.setInsertionPoint(op);
    init.set(arith::ExtFOp::create(builder, loc, wide, init.get()));
    carried.setType(wider);
    builder.setInsertionPoint(sum);
    for (OpOperand &operand : sum->getOpOperands())
      if (operand.get().getType() == type)
        operand.set(arith::ExtFOp::create(builder, loc, wider, operand.get()));
    sum->getResult(0).setType(wider);
    builder.setInsertionPointAfter(op);
    Value result = op->getResult(number);
    result.setType(wide);
    auto rounded = arith::TruncFOp::create(builder, loc, narrow, result);
    result.replaceAllUsesExcept(rounded, rounded);
  }
}

//===----------------------------------------------------------------------===//
// Fusion
//===----------------------------------------------------------------------===//

/// Returns whether `read` is the only use of its value, except for its shape.
static bool isReadOnce(OpOperand *read) {
  Operation *producer = read->get().getDefiningOp();
  auto reader = dyn_cast<linalg::LinalgOp>(read->getOwner());
  return producer && llvm::all_of(producer->getUses(), [&](OpOperand &use) {
           return &use == read || (reader && use.getOwner() == reader &&
                                   !reader.payloadUsesValueFromOperand(&use));
         });
}

/// Returns whether the reader of `read` may do the work of its operand:
/// unless it would repeat it for every index of a loop that the operand
/// lacks.
static bool isCheapToFuse(OpOperand *read) {
  if (!isReadOnce(read))
    return false;
  auto reader = dyn_cast<linalg::GenericOp>(read->getOwner());
  return !reader || countRepeats(*read) <= 1 ||
         countWork(read->get().getDefiningOp()) <= kCheapWork;
}

/// Fuses like upstream's pass of that name, with a different profitability
/// rule.
static void fuseElementwise(ModuleOp module) {
  MLIRContext *context = module.getContext();
  RewritePatternSet patterns(context);
  linalg::populateElementwiseOpsFusionPatterns(patterns, isCheapToFuse);
  linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, isReadOnce);
  affine::AffineApplyOp::getCanonicalizationPatterns(patterns, context);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  context->getLoadedDialect<linalg::LinalgDialect>()
      ->getCanonicalizationPatterns(patterns);
  linalg::populateConstantFoldLinalgOperations(patterns, isReadOnce);
  // Not reaching a fixed point is not a failure.
  (void)applyPatternsGreedily(
      module, std::move(patterns),
      GreedyRewriteConfig().setUseTopDownTraversal(true));
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// Compares bits as the numbers 0 and 1: MLIR's code for `tosa.argmax` compares
/// numbers with signs, of which the one bit is -1.
static void widenBits(tosa::ArgMaxOp op) {
  auto type = cast<ShapedType>(op.getInput().getType());
  if (!type.getElementType().isInteger(1))
    return;
  OpBuilder builder(op);
  Type wider = type.clone(builder.getI8Type());
  op.getInputMutable().assign(
      tosa::CastOp::create(builder, op.getLoc(), wider, op.getInput()));
}

static LogicalResult decomposeAggregates(func::FuncOp function) {
  function.walk(widenBits);
  SmallVector<linalg::AggregatedOpInterface> ops;
  function.walk([&](linalg::AggregatedOpInterface op) { ops.push_back(op); });
  for (linalg::AggregatedOpInterface op : ops) {
    // MLIR decomposes them with numbers that floats alone have.
    for (Type type : op->getOperandTypes())
      if (!isa<FloatType>(getElementTypeOrSelf(type)))
        return op->emitError() << "no code for '" << op->getName() << "' of "
                               << type << ": expected floats";
    IRRewriter rewriter(op);
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(rewriter);
    if (failed(results))
      return op->emitError() << "no code for '" << op->getName() << "'";
    rewriter.replaceOp(op, *results);
  }
  return success();
}

namespace {
struct LeftoversDropAssertionsPass
    : public parablock::impl::LeftoversDropAssertionsBase<
          LeftoversDropAssertionsPass> {
  /// Also registers dialects for later passes: models of the ops in their
  /// input.
  void getDependentDialects(DialectRegistry &registry) const final {
    registerNormalDialects(registry);
  }

  void runOnOperation() final {
    if (failed(dropAssertions(getOperation())))
      signalPassFailure();
  }
};

struct LeftoversDecomposeAggregatesPass
    : public parablock::impl::LeftoversDecomposeAggregatesBase<
          LeftoversDecomposeAggregatesPass> {
  void runOnOperation() final {
    if (failed(decomposeAggregates(getOperation())))
      signalPassFailure();
  }
};

struct LeftoversWidenSumsPass
    : public parablock::impl::LeftoversWidenSumsBase<LeftoversWidenSumsPass> {
  using LeftoversWidenSumsBase::LeftoversWidenSumsBase;

  void runOnOperation() final {
    getOperation().walk(
        [this](linalg::GenericOp op) { widenSums(op, longSums); });
  }
};

struct LeftoversBoundIndicesPass
    : public parablock::impl::LeftoversBoundIndicesBase<
          LeftoversBoundIndicesPass> {
  void runOnOperation() final { getOperation().walk(boundIndices); }
};

struct LeftoversGuardAnglesPass
    : public parablock::impl::LeftoversGuardAnglesBase<
          LeftoversGuardAnglesPass> {
  void runOnOperation() final {
    guardAngles(getOperation(), /*ofConstants=*/false);
  }
};

struct LeftoversSimplifyBroadcastsPass
    : public parablock::impl::LeftoversSimplifyBroadcastsBase<
          LeftoversSimplifyBroadcastsPass> {
  void runOnOperation() final {
    getOperation().walk([](scf::IfOp op) { simplifyBroadcasts(op); });
  }
};

struct LeftoversFusePass
    : public parablock::impl::LeftoversFuseBase<LeftoversFusePass> {
  void runOnOperation() final { fuseElementwise(getOperation()); }
};
} // namespace

/// Adds passes that express shapes of tensors in linalg alone, and equal sizes,
/// as far as known, by one value; otherwise readers of sizes would keep tensors
/// alive.
static void resolveSizes(OpPassManager &manager) {
  manager.addNestedPass<func::FuncOp>(createConvertElementwiseToLinalgPass());
  manager.addPass(memref::createResolveRankedShapeTypeResultDimsPass());
  manager.addPass(createCSEPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

void parablock::buildNormalisePipeline(OpPassManager &manager, bool longSums) {
  manager.addPass(createLeftoversDropAssertions());
  manager.addPass(createLeftoversGuardAngles());
  manager.addNestedPass<func::FuncOp>(createLeftoversDecomposeAggregates());
  tosa::addTosaToLinalgPasses(manager, TosaToLinalgOptions(),
                              TosaToLinalgNamedOptions(), std::nullopt);
  OpPassManager &functions = manager.nest<func::FuncOp>();
  functions.addPass(createTosaToArithPass({/*includeApplyRescale=*/true}));
  functions.addPass(createTosaToTensorPass());
  functions.addPass(createLinalgGeneralizeNamedOpsPass());
  functions.addPass(createLeftoversWidenSums({longSums}));
  functions.addPass(createLeftoversBoundIndices());
  resolveSizes(manager);
  manager.addNestedPass<func::FuncOp>(createLeftoversSimplifyBroadcasts());
  // Sizes of selected values were unknown before; fusion also creates reads of
  // sizes, and a tensor whose size is read is not fused.
  resolveSizes(manager);
  for (int round = 0; round < 2; ++round) {
    manager.addPass(createLeftoversFuse());
    resolveSizes(manager);
  }
}
