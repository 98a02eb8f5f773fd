//===- LeftoverCost.cpp - counts work and repeated reads ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LeftoverCost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace parablock;

/// A size, or a number of repetitions, that is known at run time only.
static constexpr double kUnknownSize = 64;

static double getSize(int64_t size) {
  return ShapedType::isDynamic(size) ? kUnknownSize : static_cast<double>(size);
}

static double countWorkOfNumber(Operation *op) {
  constexpr double kFunction = 8, kQuotient = 4, kGather = 4;
  if (isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
          math::FloorOp, math::FmaOp>(op))
    return 1;
  if (isa_and_nonnull<math::MathDialect>(op->getDialect()))
    return kFunction;
  if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp,
          arith::RemFOp, arith::RemSIOp, arith::RemUIOp>(op))
    return kQuotient;
  if (isa<tensor::ExtractOp>(op))
    return kGather;
  return isa<arith::ConstantOp, linalg::IndexOp>(op) ||
                 op->hasTrait<OpTrait::IsTerminator>()
             ? 0
             : 1;
}

double parablock::countWork(Operation *op) {
  // A choice between parts.
  if (isa<tensor::ConcatOp, tensor::PadOp, tensor::InsertSliceOp>(op))
    return 2;
  double work = 0;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) { work += countWorkOfNumber(inner); });
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    for (auto [size, kind] : llvm::zip_equal(generic.getStaticLoopRanges(),
                                             generic.getIteratorTypesArray()))
      if (kind == utils::IteratorType::reduction)
        work *= getSize(size);
  return work;
}

double parablock::countRepeats(OpOperand &read) {
  Operation *op = read.getOwner();
  // One that reads a view reads each element once.
  if (isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ConcatOp,
          tensor::DimOp, tensor::ExpandShapeOp, tensor::ExtractSliceOp,
          tensor::InsertSliceOp, tensor::PadOp>(op))
    return 1;
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic)
    return kUnknownSize;
  AffineMap map = generic.getMatchingIndexingMap(&read);
  llvm::SmallBitVector isRead(map.getNumDims());
  map.walkExprs([&](AffineExpr expr) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      isRead.set(dim.getPosition());
  });
  double repeats = 1;
  for (auto [dim, size] : llvm::enumerate(generic.getStaticLoopRanges()))
    if (!isRead.test(dim))
      repeats *= getSize(size);
  return repeats;
}
