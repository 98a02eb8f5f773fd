//===- ConvertSizes.cpp - sizes and places that are computed --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Sizes and positions are tensors of numbers here, and scalars upstream. They
// are read through the ops that assemble such tensors, so that a size remains a
// `tensor.dim` and a known position becomes a number.
//
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::hlo;

namespace {
/// An op whose sizes are values.
class OpenOp : public Conversion {
public:
  using Conversion::Conversion;
  Value convert();

private:
  Value convertDimensionSize();
  Value convertOpenReshape();
  Value convertOpenSlice();
  Value convertDynamicSlice();
  Value convertDynamicUpdate();
  SmallVector<OpFoldResult> readSizes(Value shape, RankedTensorType type);
  SmallVector<OpFoldResult> readStarts(unsigned first, RankedTensorType whole,
                                       RankedTensorType part);
};
} // namespace

SmallVector<OpFoldResult> OpenOp::readSizes(Value shape,
                                            RankedTensorType type) {
  RankedTensorType list = typeOf(shape);
  if (list.getRank() != 1 || list.getDimSize(0) != type.getRank() ||
      !list.getElementType().isIntOrIndex())
    return {};
  SmallVector<OpFoldResult> sizes;
  for (auto [d, size] : llvm::enumerate(type.getShape()))
    sizes.push_back(ShapedType::isDynamic(size) ? readSize(shape, d)
                                                : builder.getIndexAttr(size));
  return sizes;
}

Value OpenOp::convertDimensionSize() {
  SmallVector<int64_t> dim = getNumbers("dim", "dimension");
  RankedTensorType from = typeOf(operand(0));
  if (dim.size() != 1 || dim[0] < 0 || dim[0] >= from.getRank())
    return refuse("a dimension of the operand");
  Value size = getValueOrCreateConstantIndexOp(
      builder, loc, tensor::getMixedSize(builder, loc, operand(0), dim[0]));
  size = arith::IndexCastOp::create(builder, loc,
                                    getResultType().getElementType(), size);
  return tensor::FromElementsOp::create(builder, loc, getResultType(), size);
}

Value OpenOp::convertOpenReshape() {
  RankedTensorType type = getResultType(), list = typeOf(operand(1));
  if (list.getRank() != 1 || list.getDimSize(0) != type.getRank())
    return {};
  SmallVector<Value> sizes;
  for (int64_t d = 0; d < type.getRank(); ++d)
    sizes.push_back(readElement(operand(1), d));
  if (sizes.empty())
    return {};
  Value shape = tensor::FromElementsOp::create(builder, loc, sizes);
  return tensor::ReshapeOp::create(builder, loc, type, operand(0), shape);
}

/// Starts, limits and strides are lists of numbers; strides are 1.
Value OpenOp::convertOpenSlice() {
  RankedTensorType type = getResultType();
  for (unsigned k : {1, 2, 3})
    if (typeOf(operand(k)).getRank() != 1 ||
        typeOf(operand(k)).getDimSize(0) != type.getRank())
      return {};
  SmallVector<OpFoldResult> starts, sizes, strides;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    OpFoldResult first = readSize(operand(1), d);
    strides.push_back(readSize(operand(3), d));
    if (!isConstantIntValue(strides.back(), 1))
      return {};
    starts.push_back(first);
    if (!type.isDynamicDim(d)) {
      sizes.push_back(builder.getIndexAttr(type.getDimSize(d)));
      continue;
    }
    Value from = getValueOrCreateConstantIndexOp(builder, loc, first);
    Value to =
        getValueOrCreateConstantIndexOp(builder, loc, readSize(operand(2), d));
    sizes.push_back(builder.createOrFold<arith::SubIOp>(loc, to, from));
  }
  return tensor::ExtractSliceOp::create(builder, loc, type, operand(0), starts,
                                        sizes, strides);
}

/// Returns positions from operand `first` on, clamped to keep the part inside.
SmallVector<OpFoldResult> OpenOp::readStarts(unsigned first,
                                             RankedTensorType whole,
                                             RankedTensorType part) {
  if (!whole.hasStaticShape() || !part.hasStaticShape() ||
      whole.getRank() != part.getRank() ||
      op->getNumOperands() != first + whole.getRank())
    return {};
  SmallVector<OpFoldResult> starts;
  for (int64_t d = 0; d < whole.getRank(); ++d) {
    int64_t last = whole.getDimSize(d) - part.getDimSize(d);
    if (last < 0 || typeOf(operand(first + d)).getRank() != 0)
      return {};
    OpFoldResult start = readSize(operand(first + d), 0);
    if (std::optional<int64_t> known = getConstantIntValue(start)) {
      starts.push_back(
          builder.getIndexAttr(std::clamp(*known, int64_t(0), last)));
      continue;
    }
    Value lowest = arith::ConstantIndexOp::create(builder, loc, 0);
    Value highest = arith::ConstantIndexOp::create(builder, loc, last);
    Value place =
        arith::MaxSIOp::create(builder, loc, cast<Value>(start), lowest);
    starts.push_back(
        arith::MinSIOp::create(builder, loc, place, highest).getResult());
  }
  return starts;
}

static SmallVector<OpFoldResult> getOnes(OpBuilder &builder, int64_t rank) {
  return SmallVector<OpFoldResult>(rank, builder.getIndexAttr(1));
}

Value OpenOp::convertDynamicSlice() {
  RankedTensorType type = getResultType();
  SmallVector<OpFoldResult> starts = readStarts(1, typeOf(operand(0)), type);
  if (starts.empty())
    return {};
  return tensor::ExtractSliceOp::create(
      builder, loc, type, operand(0), starts,
      getAsIndexOpFoldResult(builder.getContext(), type.getShape()),
      getOnes(builder, type.getRank()));
}

Value OpenOp::convertDynamicUpdate() {
  RankedTensorType part = typeOf(operand(1));
  SmallVector<OpFoldResult> starts = readStarts(2, getResultType(), part);
  if (starts.empty())
    return {};
  return tensor::InsertSliceOp::create(
      builder, loc, operand(1), operand(0), starts,
      getAsIndexOpFoldResult(builder.getContext(), part.getShape()),
      getOnes(builder, part.getRank()));
}

Value OpenOp::convert() {
  StringRef name = op->getName().stripDialect();
  unsigned operands = op->getNumOperands();
  RankedTensorType type = getResultType();
  if (name == "get_dimension_size" && operands == 1)
    return convertDimensionSize();
  if (name == "dynamic_reshape" && operands == 2)
    return convertOpenReshape();
  if (name == "real_dynamic_slice" && operands == 4)
    return convertOpenSlice();
  if (name == "dynamic_slice" && operands > 1)
    return convertDynamicSlice();
  if (name == "dynamic_update_slice" && operands > 2)
    return convertDynamicUpdate();
  if (name == "dynamic_iota" && operands == 1) {
    SmallVector<int64_t> dim = getNumbers("dim", "iota_dimension");
    SmallVector<OpFoldResult> sizes = readSizes(operand(0), type);
    return dim.size() == 1 && !sizes.empty() ? iota(dim[0], sizes) : Value();
  }
  if (name == "dynamic_broadcast_in_dim" && operands == 2) {
    SmallVector<OpFoldResult> sizes = readSizes(operand(1), type);
    return sizes.empty()
               ? Value()
               : broadcast(operand(0), type,
                           getNumbers("dims", "broadcast_dimensions"), sizes);
  }
  return {};
}

Value hlo::convertOpen(Operation *op) { return OpenOp(op).convert(); }
