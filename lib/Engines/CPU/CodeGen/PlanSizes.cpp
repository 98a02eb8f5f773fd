//===- PlanSizes.cpp - sizes that no launch has made yet ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PlanSizes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "parablock/Transforms/Leftovers/Leftovers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

namespace {
/// Where a size comes from: a dimension of another tensor, or an index.
struct SizeSource {
  Value tensor;
  unsigned dim = 0;
  OpFoldResult size;
};
} // namespace

static bool isOpen(Value tensor, unsigned dim) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  return type && dim < type.getRank() && type.isDynamicDim(dim);
}

/// The one dimension of several that is not 1.
static std::optional<unsigned> findOnly(RankedTensorType type,
                                        ArrayRef<int64_t> dims) {
  std::optional<unsigned> found;
  for (int64_t dim : dims) {
    if (type.getDimSize(dim) == 1)
      continue;
    if (found)
      return std::nullopt;
    found = static_cast<unsigned>(dim);
  }
  return found;
}

/// Finds the source of an open dimension of what `op` makes.
static std::optional<SizeSource> findSource(Operation *op, OpResult result,
                                            unsigned dim) {
  using Source = std::optional<SizeSource>;
  if (auto inPlace = dyn_cast<DestinationStyleOpInterface>(op))
    return SizeSource{inPlace.getTiedOpOperand(result)->get(), dim, {}};
  if (isElementwise(op)) {
    for (Value operand : op->getOperands())
      if (isOpen(operand, dim))
        return SizeSource{operand, dim, {}};
    return std::nullopt;
  }
  return llvm::TypeSwitch<Operation *, Source>(op)
      .Case([&](tensor::EmptyOp empty) {
        return SizeSource{{}, 0, empty.getMixedSizes()[dim]};
      })
      .Case([&](tensor::CastOp cast) {
        return SizeSource{cast.getSource(), dim, {}};
      })
      .Case([&](tensor::ExpandShapeOp expand) {
        return SizeSource{{}, 0, expand.getMixedOutputShape()[dim]};
      })
      .Case([&](tensor::CollapseShapeOp collapse) -> Source {
        std::optional<unsigned> only = findOnly(
            collapse.getSrcType(), collapse.getReassociationIndices()[dim]);
        if (!only)
          return std::nullopt;
        return SizeSource{collapse.getSrc(), *only, {}};
      })
      .Case([&](tensor::ExtractSliceOp slice) {
        SmallVector<OpFoldResult> kept;
        llvm::SmallBitVector dropped = slice.getDroppedDims();
        for (auto [number, size] : llvm::enumerate(slice.getMixedSizes()))
          if (!dropped[number])
            kept.push_back(size);
        return SizeSource{{}, 0, kept[dim]};
      })
      .Case([&](tensor::ConcatOp concat) -> Source {
        if (concat.getDim() == dim)
          return std::nullopt;
        return SizeSource{concat.getInputs().front(), dim, {}};
      })
      .Case([&](tosa::TransposeOp transpose) {
        return SizeSource{transpose.getInput1(),
                          static_cast<unsigned>(transpose.getPerms()[dim]),
                          {}};
      })
      .Default([](Operation *) { return std::nullopt; });
}

FailureOr<OpFoldResult> cpugen::findExtent(const PlanWriter &plan, Value value,
                                           unsigned dim) {
  if (plan.lookup(value) || !isOpen(value, dim))
    return plan.getExtent(value, dim);
  auto result = dyn_cast<OpResult>(value);
  std::optional<SizeSource> source =
      result ? findSource(result.getOwner(), result, dim) : std::nullopt;
  if (!source)
    return failure();
  return source->tensor ? findExtent(plan, source->tensor, source->dim)
                        : findSize(plan, source->size);
}

FailureOr<OpFoldResult> cpugen::findSize(const PlanWriter &plan,
                                         OpFoldResult size) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return makeSize(plan.builder.getContext(), *constant);
  auto dim = cast<Value>(size).getDefiningOp<tensor::DimOp>();
  std::optional<int64_t> position = dim ? dim.getConstantIndex() : std::nullopt;
  if (!position)
    return failure();
  return findExtent(plan, dim.getSource(), *position);
}
