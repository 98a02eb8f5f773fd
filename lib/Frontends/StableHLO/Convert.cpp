//===- Convert.cpp - helpers shared by conversions ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::hlo;

Value Conversion::refuse(const Twine &expected) const {
  op->emitError() << "'" << op->getName() << "' expected " << expected
                  << ", got "
                  << FunctionType::get(op->getContext(), op->getOperandTypes(),
                                       op->getResultTypes());
  return {};
}

Attribute Conversion::get(StringRef name, StringRef other) const {
  // The generic form of an unregistered op stores `<{..}>` separately.
  auto properties =
      dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute());
  for (StringRef key : {name, other}) {
    if (key.empty())
      continue;
    if (Attribute found = op->getAttr(key))
      return found;
    if (properties)
      if (Attribute found = properties.get(key))
        return found;
  }
  return {};
}

SmallVector<int64_t> Conversion::readNumbers(Attribute attribute) {
  if (auto list = dyn_cast_or_null<DenseI64ArrayAttr>(attribute))
    return SmallVector<int64_t>(list.asArrayRef());
  if (auto list = dyn_cast_or_null<DenseBoolArrayAttr>(attribute))
    return llvm::to_vector_of<int64_t>(list.asArrayRef());
  if (auto list = dyn_cast_or_null<DenseIntElementsAttr>(attribute))
    return llvm::map_to_vector(
        list, [](const APInt &number) { return number.getSExtValue(); });
  if (auto number = dyn_cast_or_null<IntegerAttr>(attribute))
    return {number.getValue().getSExtValue()};
  return {};
}

SmallVector<int64_t> Conversion::getNumbers(StringRef name,
                                            StringRef other) const {
  return readNumbers(get(name, other));
}

StringRef Conversion::readWord(StringRef key, StringRef kind) const {
  auto found = dyn_cast_or_null<DictionaryAttr>(get(key));
  auto word = found ? found.getAs<StringAttr>(kind) : StringAttr();
  return word ? word.getValue() : StringRef();
}

StringRef Conversion::getDirection() const {
  for (StringRef word : {"EQ", "NE", "LT", "LE", "GT", "GE"})
    if (get(word))
      return word;
  return readWord("comparison_direction", "comparison_direction");
}

bool Conversion::hasCompareType(StringRef type) const {
  return get(type) || readWord("compare_type", "comparison_type") == type;
}

SmallVector<OpFoldResult> Conversion::getSizes(Value value) {
  return tensor::getMixedSizes(builder, loc, value);
}

Value Conversion::makeEmpty(RankedTensorType type, Sizes sizes) {
  SmallVector<Value> open;
  for (auto [d, size] : llvm::enumerate(sizes))
    if (type.isDynamicDim(d))
      open.push_back(getValueOrCreateConstantIndexOp(builder, loc, size));
  return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                 type.getElementType(), open);
}

/// Computes an elementwise op on scalars, as a constant if
/// possible.
static Value computeScalar(OpBuilder &builder, Operation *op,
                           ArrayRef<Value> scalars) {
  OperationState state(op->getLoc(), op->getName(), scalars,
                       getElementTypeOrSelf(op->getResult(0)), op->getAttrs());
  Operation *made = builder.create(state);
  SmallVector<OpFoldResult> folded;
  if (failed(made->fold(folded)) || folded.size() != 1)
    return made->getResult(0);
  Value known = dyn_cast<Value>(folded[0]);
  if (!known)
    known = arith::ConstantOp::create(
        builder, op->getLoc(), cast<TypedAttr>(cast<Attribute>(folded[0])));
  made->erase();
  return known;
}

Value Conversion::readElement(Value tensor, int64_t k) {
  RankedTensorType type = typeOf(tensor);
  Operation *from = tensor.getDefiningOp();
  DenseElementsAttr numbers;
  if (matchPattern(tensor, m_Constant(&numbers)))
    return arith::ConstantOp::create(builder, loc,
                                     numbers.getValues<TypedAttr>()[k]);
  if (auto elements = dyn_cast_or_null<tensor::FromElementsOp>(from))
    return elements.getElements()[k];
  if (isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(from))
    return readElement(from->getOperand(0), k);
  if (auto concat = dyn_cast_or_null<tensor::ConcatOp>(from);
      concat && type.getRank() == 1)
    for (Value part : concat.getInputs()) {
      int64_t size = typeOf(part).getDimSize(0);
      if (k < size)
        return readElement(part, k);
      k -= size;
    }
  if (from && OpTrait::hasElementwiseMappableTraits(from)) {
    SmallVector<Value> scalars;
    for (Value part : from->getOperands())
      scalars.push_back(typeOf(part) ? readElement(part, k) : part);
    return computeScalar(builder, from, scalars);
  }
  SmallVector<Value> place;
  for (int64_t size : llvm::reverse(type.getShape())) {
    place.insert(place.begin(),
                 arith::ConstantIndexOp::create(builder, loc, k % size));
    k /= size;
  }
  return tensor::ExtractOp::create(builder, loc, tensor, place);
}

OpFoldResult Conversion::readSize(Value tensor, int64_t k) {
  Value number = readElement(tensor, k);
  APInt known;
  if (matchPattern(number, m_ConstantInt(&known)))
    return builder.getIndexAttr(known.getSExtValue());
  if (number.getType().isIndex())
    return number;
  if (auto cast = number.getDefiningOp<arith::IndexCastOp>();
      cast && cast.getIn().getType().isIndex())
    return cast.getIn();
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    number)
      .getResult();
}

/// The numbers of positions along one dimension.
Value Conversion::iota(int64_t dim, Sizes sizes) {
  RankedTensorType type = getResultType();
  unsigned rank = type.getRank();
  if (dim < 0 || dim >= rank)
    return refuse("a dimension of the result, not " + Twine(dim));
  Value empty = makeEmpty(type, sizes);
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, TypeRange(type), ValueRange(), empty,
             builder.getMultiDimIdentityMap(rank), loops,
             [&](OpBuilder &body, Location at, ValueRange) {
               Type element = type.getElementType();
               bool isFloat = isa<FloatType>(element);
               Value number = linalg::IndexOp::create(body, at, dim);
               number = arith::IndexCastOp::create(
                   body, at, isFloat ? body.getI64Type() : element, number);
               if (isFloat)
                 number = arith::SIToFPOp::create(body, at, element, number);
               linalg::YieldOp::create(body, at, number);
             })
      .getResult(0);
}

Value Conversion::broadcast(Value x, RankedTensorType type,
                            ArrayRef<int64_t> dims, Sizes sizes) {
  unsigned rank = type.getRank();
  if (static_cast<int64_t>(dims.size()) != typeOf(x).getRank() ||
      llvm::any_of(dims, [&](int64_t d) { return d < 0 || d >= rank; }))
    return refuse("a dimension of the result for each of the operand");
  SmallVector<AffineExpr> reads;
  for (auto [extent, dim] : llvm::zip_equal(typeOf(x).getShape(), dims))
    reads.push_back(extent == 1 ? builder.getAffineConstantExpr(0)
                                : builder.getAffineDimExpr(dim));
  AffineMap maps[] = {AffineMap::get(rank, 0, reads, builder.getContext()),
                      builder.getMultiDimIdentityMap(rank)};
  Value empty = makeEmpty(type, sizes);
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, TypeRange(type), x, empty, maps, loops,
             [](OpBuilder &body, Location at, ValueRange values) {
               linalg::YieldOp::create(body, at, values.front());
             })
      .getResult(0);
}

/// Sums products of both operands, read through the first two maps; the third
/// one is the result's. Sums of 16-bit floats are computed in f32.
Value Conversion::sumProducts(ArrayRef<Value> factors, ArrayRef<AffineMap> maps,
                              Sizes sizes) {
  SmallVector<utils::IteratorType> kinds(maps[2].getNumResults(),
                                         utils::IteratorType::parallel);
  kinds.resize(maps[2].getNumDims(), utils::IteratorType::reduction);
  Type element = getResultType().getElementType();
  bool isFloat = isa<FloatType>(element);
  // Products and sums of truth values differ from those of numbers.
  for (Value value : factors)
    if (typeOf(value).getElementType().isInteger(1))
      return {};
  Type wide = isFloat && element.getIntOrFloatBitWidth() < 32
                  ? builder.getF32Type()
                  : element;
  RankedTensorType type = getResultType().clone(wide);
  Value empty = makeEmpty(type, sizes);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(wide));
  Value init = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  auto generic = linalg::GenericOp::create(
      builder, loc, TypeRange(type), ValueRange(factors), init, maps, kinds,
      [&](OpBuilder &body, Location at, ValueRange x) {
        auto widen = [&](Value value) -> Value {
          if (value.getType() == wide)
            return value;
          return isFloat ? Value(arith::ExtFOp::create(body, at, wide, value))
                         : Value(arith::ExtSIOp::create(body, at, wide, value));
        };
        Value a = widen(x[0]), b = widen(x[1]), sum;
        if (isFloat) {
          Value product = arith::MulFOp::create(body, at, a, b);
          sum = arith::AddFOp::create(body, at, x[2], product);
        } else {
          Value product = arith::MulIOp::create(body, at, a, b);
          sum = arith::AddIOp::create(body, at, x[2], product);
        }
        linalg::YieldOp::create(body, at, sum);
      });
  return convertType(op, generic.getResult(0), element);
}
