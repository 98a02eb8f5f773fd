//===- LeftoverMemory.cpp - from tensors to loops over memory -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Additions to upstream's bufferization: deallocation, shapes with several
// dynamic sizes, and results that begin with equal contents.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "parablock/Conversion/BlockKernelsToCPU/Passes.h"

namespace parablock {
#define GEN_PASS_DEF_CPUCOPYINLOOPS
#define GEN_PASS_DEF_CPUDECOMPOSECONCATS
#define GEN_PASS_DEF_CPUEXPANDSHAPES
#define GEN_PASS_DEF_CPUFREEATEND
#define GEN_PASS_DEF_CPUSEPARATEBLANKS
#include "parablock/Conversion/BlockKernelsToCPU/Passes.h.inc"
} // namespace parablock

using namespace mlir;
using namespace parablock;

static void copyInLoops(memref::CopyOp op) {
  OpBuilder builder(op);
  linalg::makeMemRefCopyOp(builder, op.getLoc(), op.getSource(),
                           op.getTarget());
  op.erase();
}

/// Returns whether a tensor is uninitialised memory or filled without data,
/// possibly reshaped.
static bool isBlank(Operation *op) {
  if (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return isBlank(op->getOperand(0).getDefiningOp());
  auto fill = dyn_cast_if_present<linalg::LinalgOp>(op);
  return isa_and_nonnull<tensor::EmptyOp>(op) ||
         (fill && fill.getNumDpsInputs() == 0 && fill->getNumResults() == 1 &&
          isBlank(fill.getDpsInits().front().getDefiningOp()));
}

/// Gives each reader its own blank tensor.
static void separateBlanks(func::FuncOp function) {
  SmallVector<Operation *> blanks;
  function.walk([&](Operation *op) {
    if (isBlank(op))
      blanks.push_back(op);
  });
  // Readers come before their operands.
  for (Operation *op : llvm::reverse(blanks))
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses()))
      if (!op->hasOneUse())
        use.set(OpBuilder(use.getOwner()).clone(*op)->getResult(0));
}

/// Returns whether the terminator of `block` passes on `memory`, directly, as a
/// view, through a select or through an op with regions.
static bool isHandedOn(Value memory, Block *block) {
  return llvm::any_of(memory.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (user->hasTrait<OpTrait::IsTerminator>()) {
      if (user->getBlock() == block)
        return true;
      user = user->getParentOp();
    } else if (!isa<ViewLikeOpInterface, arith::SelectOp>(user) &&
               user->getNumRegions() == 0) {
      return false;
    }
    return llvm::any_of(user->getResults(), [&](Value result) {
      return isa<BaseMemRefType>(result.getType()) && isHandedOn(result, block);
    });
  });
}

static void freeAtEnd(memref::AllocOp op) {
  Operation *end = op->getBlock()->getTerminator();
  if (isHandedOn(op, op->getBlock()))
    return;
  OpBuilder builder(end);
  memref::DeallocOp::create(builder, op.getLoc(), op);
}

static void expandShape(memref::ExpandShapeOp op) {
  if (!op.getResultType().getLayout().isIdentity())
    return;
  OpBuilder builder(op);
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  SmallVector<OpFoldResult> strides(sizes.size());
  OpFoldResult stride = builder.getIndexAttr(1);
  for (unsigned dim = sizes.size(); dim-- > 0;) {
    strides[dim] = stride;
    stride = affine::makeComposedFoldedAffineApply(
        builder, op.getLoc(),
        builder.getAffineSymbolExpr(0) * builder.getAffineSymbolExpr(1),
        {stride, sizes[dim]});
  }
  auto expanded = memref::ReinterpretCastOp::create(
      builder, op.getLoc(), op.getSrc(), builder.getIndexAttr(0), sizes,
      strides);
  Value result = expanded;
  if (result.getType() != op.getResultType())
    result = memref::CastOp::create(builder, op.getLoc(), op.getResultType(),
                                    result);
  op.replaceAllUsesWith(result);
  op.erase();
}

namespace {
struct CpuDecomposeConcatsPass
    : public parablock::impl::CpuDecomposeConcatsBase<CpuDecomposeConcatsPass> {
  /// Adds the models of those ops that bufferization meets after this pass.
  void getDependentDialects(DialectRegistry &registry) const final {
    Base::getDependentDialects(registry);
    arith::registerBufferizableOpInterfaceExternalModels(registry);
    linalg::registerBufferizableOpInterfaceExternalModels(registry);
    scf::registerBufferizableOpInterfaceExternalModels(registry);
    tensor::registerBufferizableOpInterfaceExternalModels(registry);
  }

  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    tensor::populateDecomposeTensorConcatPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

struct CpuSeparateBlanksPass
    : public parablock::impl::CpuSeparateBlanksBase<CpuSeparateBlanksPass> {
  void runOnOperation() final { separateBlanks(getOperation()); }
};

struct CpuFreeAtEndPass
    : public parablock::impl::CpuFreeAtEndBase<CpuFreeAtEndPass> {
  void runOnOperation() final { getOperation().walk(freeAtEnd); }
};

struct CpuExpandShapesPass
    : public parablock::impl::CpuExpandShapesBase<CpuExpandShapesPass> {
  void runOnOperation() final { getOperation().walk(expandShape); }
};

struct CpuCopyInLoopsPass
    : public parablock::impl::CpuCopyInLoopsBase<CpuCopyInLoopsPass> {
  void runOnOperation() final { getOperation().walk(copyInLoops); }
};
} // namespace
