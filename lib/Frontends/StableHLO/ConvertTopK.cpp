//===- ConvertTopK.cpp - converts choices of the largest columns ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Upstream dialects have no op that chooses columns. A `block.route` whose
// scores are the numbers themselves gives the same columns in the same order,
// of equal numbers the first, and their numbers unchanged.
//
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Dialect/Block/BlockOps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::hlo;

namespace {
class TopK : public Conversion {
public:
  using Conversion::Conversion;
  SmallVector<Value> convert();

private:
  /// Returns `rows` of three dimensions in the shape of a result.
  Value restore(Value rows, RankedTensorType type);

  SmallVector<ReassociationIndices> groups;
  bool isWide = false;
};
} // namespace

Value TopK::restore(Value rows, RankedTensorType type) {
  if (type.getRank() == 3)
    return rows;
  if (isWide) {
    SmallVector<OpFoldResult> sizes = getSizes(operand(0));
    sizes.back() = builder.getIndexAttr(type.getShape().back());
    return tensor::ExpandShapeOp::create(builder, loc, type, rows, groups,
                                         sizes);
  }
  return tensor::CollapseShapeOp::create(builder, loc, type, rows, groups);
}

SmallVector<Value> TopK::convert() {
  RankedTensorType type = typeOf(operand(0));
  SmallVector<int64_t> chosen = getNumbers("k");
  int64_t rank = type.getRank();
  bool isFloat = type.getElementType().isF32() ||
                 type.getElementType().isF16() ||
                 type.getElementType().isBF16();
  if (!isFloat || rank == 0 || type.isDynamicDim(rank - 1) ||
      op->getNumResults() != 2 || chosen.size() != 1 || chosen[0] < 1 ||
      chosen[0] > type.getDimSize(rank - 1)) {
    refuse("floats of 16 or 32 bits with a known last dimension, and k from 1 "
           "to its size");
    return {};
  }
  // Batch, rows and columns.
  isWide = rank > 3;
  Value x = operand(0);
  SmallVector<int64_t> shape(3, 1);
  if (isWide) {
    groups.resize(3);
    for (int64_t d = 0; d < rank; ++d)
      groups[std::max<int64_t>(0, d - rank + 3)].push_back(d);
    x = tensor::CollapseShapeOp::create(builder, loc, x, groups);
  } else if (rank < 3) {
    groups = rank == 2 ? SmallVector<ReassociationIndices>{{0, 1}, {2}}
                       : SmallVector<ReassociationIndices>{{0, 1, 2}};
    llvm::copy(type.getShape(), shape.end() - rank);
    SmallVector<OpFoldResult> sizes(3 - rank, builder.getIndexAttr(1));
    llvm::append_range(sizes, getSizes(x));
    x = tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), x,
                                      groups, sizes);
  }
  auto form = block::RoutingAttr::get(
      op->getContext(), chosen[0], block::RouterScore::Logit,
      block::RouterWeight::Score, block::WeightSum::One, FloatAttr(), 1, 1,
      block::GroupScore::Best, block::HiddenGroups::Never, FloatAttr(),
      FloatAttr());
  shape = llvm::to_vector(typeOf(x).getShape());
  shape.back() = chosen[0];
  auto values = RankedTensorType::get(shape, type.getElementType());
  auto route = block::RouteOp::create(
      builder, loc, values.clone(builder.getI64Type()), values, x,
      /*correction=*/Value(), /*expert_scale=*/Value(), form);
  RankedTensorType second = typeOf(op->getResult(1));
  Type element = second.getElementType();
  Value indices =
      restore(route.getIndices(), second.clone(builder.getI64Type()));
  if (element.isInteger(32))
    indices = arith::TruncIOp::create(builder, loc, second, indices);
  return {restore(route.getWeights(), typeOf(op->getResult(0))), indices};
}

SmallVector<Value> hlo::convertTopK(Operation *op) {
  return TopK(op).convert();
}
