//===- NormaliseLeftovers.cpp - ops of many dialects as few ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Upstream passes, and what they lack: sums of 16 bits in f32, bounds of
// indices that come from data, and a fusion that repeats no costly work.
//
//===----------------------------------------------------------------------===//

#include "parablock/Leftovers/NormaliseLeftovers.h"

#include "BoundIndices.h"
#include "LeftoverCost.h"
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
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace parablock;

void parablock::registerNormalDialects(DialectRegistry &registry) {
  registry
      .insert<affine::AffineDialect, arith::ArithDialect,
              cf::ControlFlowDialect, func::FuncDialect, index::IndexDialect,
              linalg::LinalgDialect, math::MathDialect, memref::MemRefDialect,
              scf::SCFDialect, tensor::TensorDialect, tosa::TosaDialect>();
  tensor::registerInferTypeOpInterfaceExternalModels(registry);
}

static bool isNarrow(Type type) { return type.isBF16() || type.isF16(); }

/// Sums in f32, and rounds them once: in 16 bits they would not get far.
static void widenSums(linalg::GenericOp op) {
  if (op.getNumReductionLoops() == 0)
    return;
  Operation *yield = op.getBody()->getTerminator();
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type f32 = builder.getF32Type();
  for (auto [number, init] : llvm::enumerate(op.getDpsInitsMutable())) {
    BlockArgument carried = op.getRegionOutputArgs()[number];
    Operation *sum = yield->getOperand(number).getDefiningOp();
    if (!isNarrow(carried.getType()) || !carried.hasOneUse() || !sum ||
        *carried.user_begin() != sum || sum->getNumOperands() != 2 ||
        !sum->hasOneUse() || !isa<arith::ArithDialect>(sum->getDialect()))
      continue;
    auto narrow = cast<RankedTensorType>(init.get().getType());
    Type wide = narrow.clone(f32);
    builder.setInsertionPoint(op);
    init.set(arith::ExtFOp::create(builder, loc, wide, init.get()));
    carried.setType(f32);
    builder.setInsertionPoint(sum);
    for (OpOperand &operand : sum->getOpOperands())
      if (isNarrow(operand.get().getType()))
        operand.set(arith::ExtFOp::create(builder, loc, f32, operand.get()));
    sum->getResult(0).setType(f32);
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

static bool isReadOnce(OpOperand *read) {
  Operation *producer = read->get().getDefiningOp();
  return producer && producer->hasOneUse();
}

/// Whether the op that `read` is of had better do the work of what it reads: it
/// would do it again for every index of a loop that what it reads does not
/// have.
static bool isCheapToFuse(OpOperand *read) {
  if (!isReadOnce(read))
    return false;
  auto reader = dyn_cast<linalg::GenericOp>(read->getOwner());
  return !reader || countRepeats(*read) <= 1 ||
         countWork(read->get().getDefiningOp()) <= kCheapWork;
}

/// As upstream's pass of that name, with another rule of what is worth it.
static LogicalResult fuseElementwise(ModuleOp module) {
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
  // What is not fused for good is no failure.
  (void)applyPatternsGreedily(
      module, std::move(patterns),
      GreedyRewriteConfig().setUseTopDownTraversal(true));
  return success();
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

/// Whether the size that `op` broadcasts where it is 1 is that of the result
/// anyway.
static bool hasSizeAnyway(scf::IfOp op, linalg::GenericOp broadcast) {
  auto compare = op.getCondition().getDefiningOp<arith::CmpIOp>();
  auto empty =
      broadcast.getDpsInitOperand(0)->get().getDefiningOp<tensor::EmptyOp>();
  if (!compare || !empty || !matchPattern(compare.getRhs(), m_One()))
    return false;
  auto asked = compare.getLhs().getDefiningOp<tensor::DimOp>();
  std::optional<int64_t> dim = asked ? asked.getConstantIndex() : std::nullopt;
  return dim && empty.getType().isDynamicDim(*dim) &&
         empty.getDynamicSize(*dim) == compare.getLhs();
}

/// TOSA broadcasts an open size where it is 1, which it asks of each operand at
/// run time. Whoever reads the result may ask for the first element instead.
static void simplifyBroadcast(scf::IfOp op) {
  if (op.getNumResults() != 1 || op.elseBlock() == nullptr ||
      !llvm::hasSingleElement(*op.elseBlock()))
    return;
  auto made = op.thenYield().getOperand(0).getDefiningOp<linalg::GenericOp>();
  Value source = op.elseYield().getOperand(0);
  if (!made || made.getNumDpsInputs() != 1 ||
      made.getDpsInputOperand(0)->get() != source ||
      !llvm::hasSingleElement(*made.getBody()) ||
      !made.getMatchingIndexingMap(made.getDpsInitOperand(0)).isIdentity())
    return;
  AffineMap map = made.getMatchingIndexingMap(made.getDpsInputOperand(0));
  for (auto [dim, expr] : llvm::enumerate(map.getResults()))
    if (expr != getAffineDimExpr(dim, op.getContext()) &&
        expr != getAffineConstantExpr(0, op.getContext()))
      return;
  if (hasSizeAnyway(op, made)) {
    op.replaceAllUsesWith(ValueRange(source));
    op.erase();
    return;
  }
  OpBuilder builder(op);
  Location loc = op.getLoc();
  IRMapping mapping;
  for (Operation &inner : op.thenBlock()->without_terminator())
    if (&inner != made)
      builder.clone(inner, mapping);
  Value init = mapping.lookupOrDefault(made.getDpsInitOperand(0)->get());
  auto replacement = linalg::GenericOp::create(
      builder, loc, op.getResultTypes(), ValueRange(), init,
      made.getMatchingIndexingMap(made.getDpsInitOperand(0)),
      made.getIteratorTypesArray(),
      [&](OpBuilder &inner, Location loc, ValueRange) {
        SmallVector<Value> indices;
        for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
          Value index = linalg::IndexOp::create(inner, loc, dim);
          if (isa<AffineConstantExpr>(expr))
            index = arith::SelectOp::create(
                inner, loc, op.getCondition(),
                arith::ConstantIndexOp::create(inner, loc, 0), index);
          indices.push_back(index);
        }
        Value element = tensor::ExtractOp::create(inner, loc, source, indices);
        linalg::YieldOp::create(inner, loc, element);
      });
  op.replaceAllUsesWith(replacement.getResults());
  op.erase();
}

/// Ops of linalg that are several steps, such as a softmax, become these.
static LogicalResult decomposeAggregates(ModuleOp module) {
  SmallVector<linalg::AggregatedOpInterface> ops;
  module.walk([&](linalg::AggregatedOpInterface op) { ops.push_back(op); });
  for (linalg::AggregatedOpInterface op : ops) {
    IRRewriter rewriter(op);
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(rewriter);
    if (failed(results))
      return op->emitError() << "no code for '" << op->getName() << "'";
    rewriter.replaceOp(op, *results);
  }
  return success();
}

LogicalResult parablock::normaliseLeftovers(ModuleOp module) {
  if (failed(dropAssertions(module)) || failed(decomposeAggregates(module)))
    return failure();
  PassManager manager(module.getContext());
  tosa::addTosaToLinalgPasses(manager, TosaToLinalgOptions(),
                              TosaToLinalgNamedOptions(), std::nullopt);
  OpPassManager &functions = manager.nest<func::FuncOp>();
  functions.addPass(createTosaToArithPass({/*includeApplyRescale=*/true}));
  functions.addPass(createTosaToTensorPass());
  functions.addPass(createLinalgGeneralizeNamedOpsPass());
  // Equal sizes become one number, so far as they are known to be.
  manager.addPass(memref::createResolveRankedShapeTypeResultDimsPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  if (failed(manager.run(module)))
    return failure();
  module.walk(simplifyBroadcast);
  module.walk(widenSums);
  PassManager fusion(module.getContext());
  OpPassManager &fused = fusion.nest<func::FuncOp>();
  fused.addPass(createConvertElementwiseToLinalgPass());
  fused.addPass(createCanonicalizerPass());
  fused.addPass(createCSEPass());
  if (failed(fusion.run(module)) || failed(fuseElementwise(module)))
    return failure();
  module.walk(boundIndices);
  return success();
}
