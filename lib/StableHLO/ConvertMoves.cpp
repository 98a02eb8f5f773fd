//===- ConvertMoves.cpp - ops that only move elements ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AffineMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock::hlo;

/// Through one dimension.
Value Conversion::reshape(Value x, ArrayRef<int64_t> shape) {
  RankedTensorType from = typeOf(x);
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

Value Conversion::broadcast(Value x, RankedTensorType type,
                            ArrayRef<int64_t> dims) {
  unsigned rank = type.getRank();
  if (static_cast<int64_t>(dims.size()) != typeOf(x).getRank() ||
      llvm::any_of(dims, [&](int64_t d) { return d < 0 || d >= rank; }))
    return {};
  SmallVector<AffineExpr> reads;
  for (auto [extent, dim] : llvm::zip_equal(typeOf(x).getShape(), dims))
    reads.push_back(extent == 1 ? builder.getAffineConstantExpr(0)
                                : builder.getAffineDimExpr(dim));
  AffineMap maps[] = {AffineMap::get(rank, 0, reads, builder.getContext()),
                      builder.getMultiDimIdentityMap(rank)};
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, TypeRange(type), x, empty, maps, loops,
             [](OpBuilder &body, Location at, ValueRange values) {
               linalg::YieldOp::create(body, at, values.front());
             })
      .getResult(0);
}

Value Conversion::convertConstant() {
  auto value = dyn_cast_or_null<TypedAttr>(get("value"));
  return value ? arith::ConstantOp::create(builder, loc, value) : Value();
}

Value Conversion::convertIota() {
  RankedTensorType type = getResultType();
  SmallVector<int64_t> dim = getNumbers("dim", "iota_dimension");
  if (dim.size() != 1 || dim[0] < 0 || dim[0] >= type.getRank())
    return {};
  unsigned rank = type.getRank();
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, TypeRange(type), ValueRange(), empty,
             builder.getMultiDimIdentityMap(rank), loops,
             [&](OpBuilder &body, Location at, ValueRange) {
               Type element = type.getElementType();
               bool isFloat = isa<FloatType>(element);
               Value number = linalg::IndexOp::create(body, at, dim[0]);
               number = arith::IndexCastOp::create(
                   body, at, isFloat ? body.getI64Type() : element, number);
               if (isFloat)
                 number = arith::SIToFPOp::create(body, at, element, number);
               linalg::YieldOp::create(body, at, number);
             })
      .getResult(0);
}

Value Conversion::convertSlice() {
  SmallVector<int64_t> starts = getNumbers("start_indices");
  SmallVector<int64_t> limits = getNumbers("limit_indices");
  SmallVector<int64_t> strides = getNumbers("strides");
  size_t rank = getResultType().getRank();
  if (starts.size() != rank || limits.size() != rank || strides.size() != rank)
    return {};
  for (auto [start, limit, stride, size] :
       llvm::zip(starts, limits, strides, getResultType().getShape()))
    if (start < 0 || stride < 1 ||
        size != llvm::divideCeilSigned(limit - start, stride))
      return {};
  auto attributes = [&](ArrayRef<int64_t> numbers) {
    return llvm::map_to_vector(numbers, [&](int64_t number) -> OpFoldResult {
      return builder.getIndexAttr(number);
    });
  };
  return tensor::ExtractSliceOp::create(
      builder, loc, getResultType(), operand(0), attributes(starts),
      attributes(getResultType().getShape()), attributes(strides));
}

/// Only what adds elements outside.
Value Conversion::convertPad() {
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

/// Whole rows of a table, by numbers whose last dimension is of size 1. A
/// number beyond the table is an error of whoever runs it.
Value Conversion::convertGather() {
  auto numbers = dyn_cast_or_null<DictionaryAttr>(get("dimension_numbers"));
  if (!numbers)
    return {};
  auto read = [&](StringRef key) { return readNumbers(numbers.get(key)); };
  RankedTensorType table = typeOf(operand(0)), rows = typeOf(operand(1));
  RankedTensorType type = getResultType();
  SmallVector<int64_t> sizes = getNumbers("slice_sizes");
  int64_t rank = type.getRank();
  bool isPlain = table.getRank() == 2 && rows.getRank() == rank &&
                 read("offset_dims") == SmallVector<int64_t>{rank - 1} &&
                 read("collapsed_slice_dims") == SmallVector<int64_t>{0} &&
                 read("start_index_map") == SmallVector<int64_t>{0} &&
                 read("index_vector_dim") == SmallVector<int64_t>{rank - 1} &&
                 sizes == SmallVector<int64_t>{1, table.getDimSize(1)};
  if (!isPlain)
    return {};
  SmallVector<AffineExpr> reads;
  for (int64_t d = 0; d + 1 < rank; ++d)
    reads.push_back(builder.getAffineDimExpr(d));
  reads.push_back(builder.getAffineConstantExpr(0));
  AffineMap maps[] = {AffineMap::get(rank, 0, reads, builder.getContext()),
                      builder.getMultiDimIdentityMap(rank)};
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, TypeRange(type), operand(1), empty, maps, loops,
             [&](OpBuilder &body, Location at, ValueRange values) {
               Value row = arith::IndexCastOp::create(
                   body, at, body.getIndexType(), values.front());
               Value column = linalg::IndexOp::create(body, at, rank - 1);
               Value element = tensor::ExtractOp::create(
                   body, at, operand(0), ValueRange{row, column});
               linalg::YieldOp::create(body, at, element);
             })
      .getResult(0);
}

Value Conversion::convertMove() {
  StringRef name = op->getName().stripDialect();
  RankedTensorType type = getResultType();
  if (name == "constant")
    return convertConstant();
  if (name == "iota")
    return convertIota();
  if (op->getNumOperands() == 0)
    return {};
  if (name == "optimization_barrier")
    return operand(0);
  if (name == "reshape")
    return reshape(operand(0), type.getShape());
  if (name == "slice")
    return convertSlice();
  if (name == "pad" && op->getNumOperands() == 2)
    return convertPad();
  if (name == "gather" && op->getNumOperands() == 2)
    return convertGather();
  if (name == "broadcast_in_dim") {
    SmallVector<int64_t> dims = getNumbers("dims", "broadcast_dimensions");
    return broadcast(operand(0), type, dims);
  }
  if (name == "transpose") {
    SmallVector<int64_t> order = getNumbers("dims", "permutation");
    if (static_cast<int64_t>(order.size()) != type.getRank() ||
        llvm::any_of(order,
                     [&](int64_t d) { return d < 0 || d >= type.getRank(); }))
      return {};
    Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                          type.getElementType());
    return linalg::TransposeOp::create(builder, loc, operand(0), empty, order)
        ->getResult(0);
  }
  if (name == "concatenate") {
    SmallVector<int64_t> dim = getNumbers("dim", "dimension");
    return dim.size() == 1 ? tensor::ConcatOp::create(builder, loc, type,
                                                      dim[0], op->getOperands())
                           : Value();
  }
  return {};
}
