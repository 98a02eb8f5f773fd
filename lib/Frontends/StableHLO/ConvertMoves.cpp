//===- ConvertMoves.cpp - converts ops that move elements -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/AffineMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::hlo;

namespace {
class Move : public Conversion {
public:
  using Conversion::Conversion;
  Value convert();

private:
  Value convertConstant();
  Value convertSlice();
  Value convertPad();
  Value convertTranspose();
  Value reshape(Value x, ArrayRef<int64_t> shape);
};
} // namespace

static SmallVector<OpFoldResult> getStaticSizes(RankedTensorType type) {
  return getAsIndexOpFoldResult(type.getContext(), type.getShape());
}

/// Through one dimension.
Value Move::reshape(Value x, ArrayRef<int64_t> shape) {
  RankedTensorType from = typeOf(x);
  if (!from.hasStaticShape()) {
    Value sizes = arith::ConstantOp::create(builder, loc,
                                            builder.getI64TensorAttr(shape));
    return tensor::ReshapeOp::create(builder, loc, from.clone(shape), x, sizes);
  }
  if (from.getShape() == shape)
    return x;
  auto flatType =
      RankedTensorType::get({from.getNumElements()}, from.getElementType());
  auto allOf = [](int64_t rank) {
    SmallVector<ReassociationIndices> groups;
    if (rank > 0)
      groups.emplace_back(llvm::to_vector(llvm::seq<int64_t>(0, rank)));
    return groups;
  };
  if (from.getRank() == 0)
    x = tensor::ExpandShapeOp::create(builder, loc, flatType, x, allOf(0));
  else if (from.getRank() > 1)
    x = tensor::CollapseShapeOp::create(builder, loc, flatType, x,
                                        allOf(from.getRank()));
  RankedTensorType to = from.clone(shape);
  int64_t rank = shape.size();
  if (rank == 1)
    return x;
  if (rank == 0)
    return tensor::CollapseShapeOp::create(builder, loc, to, x, allOf(0));
  return tensor::ExpandShapeOp::create(builder, loc, to, x, allOf(rank));
}

Value Move::convertConstant() {
  auto value = dyn_cast_or_null<TypedAttr>(get("value"));
  return value ? arith::ConstantOp::create(builder, loc, value) : Value();
}

Value Move::convertSlice() {
  SmallVector<int64_t> starts = getNumbers("start_indices");
  SmallVector<int64_t> limits = getNumbers("limit_indices");
  SmallVector<int64_t> strides = getNumbers("strides");
  size_t rank = getResultType().getRank();
  if (starts.size() != rank || limits.size() != rank || strides.size() != rank)
    return refuse("a start, limit and stride for each dimension");
  for (auto [start, limit, stride, size] :
       llvm::zip(starts, limits, strides, getResultType().getShape()))
    if (start < 0 || stride < 1 ||
        size != llvm::divideCeilSigned(limit - start, stride))
      return refuse("a result of the elements from " + Twine(start) +
                    " before " + Twine(limit) + " by " + Twine(stride));
  auto attributes = [&](ArrayRef<int64_t> numbers) {
    return llvm::map_to_vector(numbers, [&](int64_t number) -> OpFoldResult {
      return builder.getIndexAttr(number);
    });
  };
  return tensor::ExtractSliceOp::create(
      builder, loc, getResultType(), operand(0), attributes(starts),
      attributes(getResultType().getShape()), attributes(strides));
}

/// Converts padding by elements outside only.
Value Move::convertPad() {
  SmallVector<int64_t> low = getNumbers("low", "edge_padding_low");
  SmallVector<int64_t> high = getNumbers("high", "edge_padding_high");
  SmallVector<int64_t> inside = getNumbers("interior", "interior_padding");
  auto isNegative = [](int64_t n) { return n < 0; };
  if (llvm::any_of(inside, [](int64_t n) { return n != 0; }) ||
      llvm::any_of(low, isNegative) || llvm::any_of(high, isNegative))
    return {};
  Value number = tensor::ExtractOp::create(builder, loc, operand(1));
  auto pad = tensor::PadOp::create(builder, loc, getResultType(), operand(0),
                                   low, high, ValueRange(), ValueRange());
  SmallVector<Type> types(getResultType().getRank(), builder.getIndexType());
  SmallVector<Location> places(types.size(), loc);
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&pad.getRegion(), {}, types, places);
  tensor::YieldOp::create(builder, loc, number);
  return pad;
}

Value Move::convertTranspose() {
  RankedTensorType type = getResultType();
  SmallVector<int64_t> order = getNumbers("dims", "permutation");
  if (static_cast<int64_t>(order.size()) != type.getRank() ||
      llvm::any_of(order,
                   [&](int64_t d) { return d < 0 || d >= type.getRank(); }))
    return refuse("an order of the dimensions of the result");
  SmallVector<OpFoldResult> from = getSizes(operand(0));
  Value empty = makeEmpty(
      type, llvm::map_to_vector(order, [&](int64_t d) { return from[d]; }));
  return linalg::TransposeOp::create(builder, loc, operand(0), empty, order)
      ->getResult(0);
}

Value Move::convert() {
  StringRef name = op->getName().stripDialect();
  RankedTensorType type = getResultType();
  if (name == "constant")
    return convertConstant();
  if (name == "iota" && type.hasStaticShape()) {
    SmallVector<int64_t> dim = getNumbers("dim", "iota_dimension");
    return dim.size() == 1 ? iota(dim[0], getStaticSizes(type)) : Value();
  }
  if (op->getNumOperands() == 0)
    return {};
  if (name == "optimization_barrier")
    return operand(0);
  if (name == "reshape" && type.hasStaticShape())
    return reshape(operand(0), type.getShape());
  if (name == "slice")
    return convertSlice();
  if (name == "pad" && op->getNumOperands() == 2)
    return convertPad();
  if (name == "gather" && op->getNumOperands() == 2)
    return convertGather(op);
  if (name == "broadcast_in_dim" && type.hasStaticShape()) {
    SmallVector<int64_t> dims = getNumbers("dims", "broadcast_dimensions");
    return broadcast(operand(0), type, dims, getStaticSizes(type));
  }
  if (name == "transpose")
    return convertTranspose();
  if (name == "concatenate") {
    SmallVector<int64_t> dim = getNumbers("dim", "dimension");
    return dim.size() == 1 ? tensor::ConcatOp::create(builder, loc, type,
                                                      dim[0], op->getOperands())
                           : Value();
  }
  return {};
}

Value hlo::convertMove(Operation *op) { return Move(op).convert(); }
