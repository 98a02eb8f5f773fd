//===- ElementSizes.cpp - affine expressions of dynamic sizes -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ElementSizes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace parablock;

using Expr = FailureOr<AffineExpr>;

AffineExpr ElementSizes::getConstant(int64_t value) {
  return getAffineConstantExpr(value, kernel.getContext());
}

AffineExpr ElementSizes::getSymbol(int64_t operand, int64_t dim) {
  auto found = llvm::find(symbols, std::pair(operand, dim));
  int64_t number = found - symbols.begin();
  if (found == symbols.end())
    symbols.push_back({operand, dim});
  return getAffineSymbolExpr(number, kernel.getContext());
}

/// Returns the position of the dynamic size `dim` among the size operands.
static unsigned getOpenNumber(Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return llvm::count_if(type.getShape().take_front(dim), ShapedType::isDynamic);
}

/// The dimension of an operand that becomes `dim` where some are dropped.
static int64_t findKept(const llvm::SmallBitVector &dropped, int64_t dim) {
  int64_t position = 0;
  for (; dropped.test(position) || dim > 0; ++position)
    dim -= !dropped.test(position);
  return position;
}

Expr ElementSizes::getSizeOfConcat(Operation *op, int64_t dim) {
  AffineExpr sum = getConstant(0);
  for (Value part : op->getOperands()) {
    Expr size = getSize(part, dim);
    if (failed(size))
      return failure();
    sum = sum + *size;
  }
  return sum;
}

LogicalResult ElementSizes::countStep(Operation *op) {
  constexpr unsigned kMostSteps = 1024;
  if (depth == 1)
    steps = 0;
  if (++steps <= kMostSteps)
    return success();
  return op->emitError() << "no GPU code for a size that is computed in more "
                            "than "
                         << kMostSteps << " steps";
}

Expr ElementSizes::getOpenSize(Operation *op, OpResult tensor, int64_t dim) {
  llvm::SaveAndRestore deeper(depth, depth + 1);
  if (failed(countStep(op)))
    return failure();
  auto product = [&](Value source, ArrayRef<int64_t> dims) -> Expr {
    AffineExpr all = getConstant(1);
    for (int64_t each : dims) {
      Expr size = getSize(source, each);
      if (failed(size))
        return failure();
      all = all * *size;
    }
    return all;
  };
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
    return getSize(destination.getTiedOpOperand(tensor)->get(), dim);
  if (op->hasTrait<OpTrait::Elementwise>())
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        return getSize(operand, dim);
  return llvm::TypeSwitch<Operation *, Expr>(op)
      .Case([&](tensor::EmptyOp empty) {
        return getNumber(empty.getDynamicSize(dim));
      })
      .Case([&](tensor::GenerateOp generate) {
        return getNumber(
            generate.getDynamicExtents()[getOpenNumber(tensor, dim)]);
      })
      .Case([&](tensor::SplatOp splat) {
        return getNumber(splat.getDynamicSizes()[getOpenNumber(tensor, dim)]);
      })
      .Case([&](tensor::CastOp cast) { return getSize(cast.getSource(), dim); })
      .Case([&](tensor::ExtractSliceOp slice) {
        return getNumber(
            slice.getMixedSizes()[findKept(slice.getDroppedDims(), dim)]);
      })
      .Case([&](tensor::ExpandShapeOp expand) {
        return getNumber(expand.getMixedOutputShape()[dim]);
      })
      .Case([&](tensor::CollapseShapeOp collapse) {
        SmallVector<ReassociationIndices> groups =
            collapse.getReassociationIndices();
        return product(collapse.getSrc(), groups[dim]);
      })
      .Case([&](tensor::ConcatOp concat) -> Expr {
        if (static_cast<int64_t>(concat.getDim()) != dim)
          return getSize(concat.getInputs().front(), dim);
        return getSizeOfConcat(concat, dim);
      })
      .Case([&](tensor::PadOp pad) -> Expr {
        Expr low = getNumber(pad.getMixedLowPad()[dim]);
        Expr size = getSize(pad.getSource(), dim);
        Expr high = getNumber(pad.getMixedHighPad()[dim]);
        if (failed(low) || failed(size) || failed(high))
          return failure();
        return *low + *size + *high;
      })
      .Default([&](Operation *other) -> Expr {
        return other->emitError()
               << "no GPU code for a size that '" << other->getName()
               << "' leaves open in a kernel of elements";
      });
}

Expr ElementSizes::getSize(Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return getConstant(type.getDimSize(dim));
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return getSymbol(argument.getArgNumber(), dim);
  return getOpenSize(tensor.getDefiningOp(), cast<OpResult>(tensor), dim);
}

FailureOr<SmallVector<AffineExpr>> ElementSizes::getSizes(Value tensor) {
  SmallVector<AffineExpr> sizes;
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim) {
    Expr size = getSize(tensor, dim);
    if (failed(size))
      return failure();
    sizes.push_back(*size);
  }
  return sizes;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Expr ElementSizes::getNumber(OpFoldResult number) {
  if (std::optional<int64_t> constant = getConstantIntValue(number))
    return getConstant(*constant);
  auto value = cast<Value>(number);
  if (Operation *op = value.getDefiningOp())
    return getNumberOf(op);
  return emitError(value.getLoc())
         << "no GPU code for a size that is an argument of a region";
}

/// Sizes are not negative, so that all that divides rounds down.
static std::optional<AffineExpr> combine(Operation *op, AffineExpr a,
                                         AffineExpr b) {
  if (isa<arith::AddIOp, index::AddOp>(op))
    return a + b;
  if (isa<arith::SubIOp, index::SubOp>(op))
    return a - b;
  if (isa<arith::MulIOp, index::MulOp>(op))
    return a * b;
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp, index::DivSOp,
          index::DivUOp, index::FloorDivSOp>(op))
    return a.floorDiv(b);
  if (isa<arith::CeilDivSIOp, arith::CeilDivUIOp, index::CeilDivSOp,
          index::CeilDivUOp>(op))
    return a.ceilDiv(b);
  if (isa<arith::RemSIOp, arith::RemUIOp, index::RemSOp, index::RemUOp>(op))
    return a % b;
  return std::nullopt;
}

Expr ElementSizes::getNumberOf(Operation *op) {
  llvm::SaveAndRestore deeper(depth, depth + 1);
  if (failed(countStep(op)))
    return failure();
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    if (std::optional<int64_t> number = dim.getConstantIndex())
      return getSize(dim.getSource(), *number);
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp, arith::TruncIOp, index::CastSOp, index::CastUOp>(op))
    return getNumber(op->getOperand(0));
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<AffineExpr> operands;
    for (Value operand : apply.getMapOperands()) {
      Expr number = getNumber(operand);
      if (failed(number))
        return failure();
      operands.push_back(*number);
    }
    unsigned dims = apply.getAffineMap().getNumDims();
    return apply.getAffineMap().getResult(0).replaceDimsAndSymbols(
        ArrayRef(operands).take_front(dims),
        ArrayRef(operands).drop_front(dims));
  }
  AffineExpr zero = getConstant(0);
  if (op->getNumOperands() == 2 && combine(op, zero, getConstant(1))) {
    Expr a = getNumber(op->getOperand(0)), b = getNumber(op->getOperand(1));
    if (failed(a) || failed(b))
      return failure();
    return *combine(op, *a, *b);
  }
  return op->emitError()
         << "no GPU code for '" << op->getName()
         << "' in the size of a tensor: expected sums, differences, products "
            "and quotients of sizes";
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

LogicalResult ElementSizes::describeResults(tile::LaunchOp launch) {
  if (llvm::all_of(kernel.getResultTypes(), [](Type type) {
        return cast<RankedTensorType>(type).hasStaticShape();
      }))
    return success();
  SmallVector<SmallVector<AffineExpr>> results;
  for (Value result : kernel.getBody().front().getTerminator()->getOperands()) {
    FailureOr<SmallVector<AffineExpr>> sizes = getSizes(result);
    if (failed(sizes))
      return failure();
    results.push_back(*sizes);
  }
  Builder builder(kernel.getContext());
  SmallVector<Attribute> described;
  for (ArrayRef<AffineExpr> sizes : results) {
    SmallVector<Attribute> maps;
    for (AffineExpr size : sizes)
      maps.push_back(
          AffineMapAttr::get(AffineMap::get(0, symbols.size(), size)));
    described.push_back(builder.getArrayAttr(maps));
  }
  SmallVector<int64_t> flat;
  for (auto [operand, dim] : symbols)
    flat.append({operand, dim});
  launch.setSizesAttr(builder.getArrayAttr(described));
  launch.setSizeSymbols(flat);
  return success();
}
