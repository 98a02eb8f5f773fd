//===- TensorEmitter.cpp - shape helpers shared by emitters ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TensorEmitter.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace parablock;

Value TensorEmitter::constant(ArrayRef<int64_t> shape,
                              ArrayRef<double> values) {
  auto narrow = llvm::map_to_vector(
      values, [](double value) { return static_cast<float>(value); });
  return constant(DenseElementsAttr::get(
      RankedTensorType::get(shape, builder.getF32Type()), ArrayRef(narrow)));
}

Value TensorEmitter::asRow(Value vector, unsigned rank) {
  if (rank == 1)
    return vector;
  SmallVector<Size> sizes(rank - 1, Size(1));
  sizes.push_back(Size(vector, 0));
  return split(vector, 0, sizes);
}

SmallVector<int64_t> TensorEmitter::broadcastShapes(ArrayRef<Value> operands) {
  SmallVector<int64_t> shape(getType(operands.front()).getShape());
  for (Value operand : operands.drop_front())
    for (auto [size, other] :
         llvm::zip_equal(shape, getType(operand).getShape()))
      if (size == 1 || (ShapedType::isDynamic(size) && other != 1))
        size = other;
  return shape;
}

SmallVector<int64_t> TensorEmitter::splitShape(Value input, unsigned dim,
                                               ArrayRef<Size> sizes) {
  ArrayRef<int64_t> from = getType(input).getShape();
  SmallVector<int64_t> shape(from.take_front(dim));
  for (const Size &size : sizes)
    shape.push_back(size.fixed);
  llvm::append_range(shape, from.drop_front(dim + 1));
  return shape;
}

SmallVector<int64_t> TensorEmitter::mergeShape(Value input, unsigned first,
                                               unsigned count) {
  ArrayRef<int64_t> from = getType(input).getShape();
  int64_t product = 1;
  for (int64_t size : from.slice(first, count))
    product = ShapedType::isDynamic(size) || ShapedType::isDynamic(product)
                  ? ShapedType::kDynamic
                  : product * size;
  SmallVector<int64_t> shape(from.take_front(first));
  shape.push_back(product);
  llvm::append_range(shape, from.drop_front(first + count));
  return shape;
}

SmallVector<int64_t> TensorEmitter::concatShape(ArrayRef<Value> inputs,
                                                unsigned dim) {
  SmallVector<int64_t> shape(getType(inputs.front()).getShape());
  for (Value input : inputs.drop_front()) {
    int64_t size = getType(input).getDimSize(dim);
    shape[dim] =
        ShapedType::isDynamic(size) || ShapedType::isDynamic(shape[dim])
            ? ShapedType::kDynamic
            : shape[dim] + size;
  }
  return shape;
}

TypedAttr TensorEmitter::getNumber(Type type, double value) {
  if (isa<FloatType>(type))
    return builder.getFloatAttr(type, value);
  return builder.getIntegerAttr(type, static_cast<int64_t>(value));
}
