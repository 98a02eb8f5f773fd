//===- TosaArithmetic.h - gradients in TOSA ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DIFFERENTIATE_TOSAARITHMETIC_H
#define PARABLOCK_LIB_DIFFERENTIATE_TOSAARITHMETIC_H

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Utils/ConversionUtils.h"
#include "parablock/Transforms/Differentiate/Adjoints.h"
#include "parablock/Transforms/RewriteHelpers.h"

namespace parablock::block {

/// Writes arithmetic on tensors of one element type, that of an adjoint.
class Arithmetic {
public:
  Arithmetic(Adjoints &adjoints, mlir::Value adjoint)
      : builder(adjoints.builder), loc(adjoints.loc),
        element(mlir::getElementTypeOrSelf(adjoint)) {}

  /// Reads a value of the model in the adjoint's element type.
  mlir::Value read(mlir::Value value) const {
    return castElements(builder, loc, value, element);
  }
  /// Creates a number that is broadcast along all dimensions of `like`.
  mlir::Value number(double number, mlir::Value like) const {
    llvm::SmallVector<int64_t> ones(
        mlir::cast<mlir::ShapedType>(like.getType()).getRank(), 1);
    auto type = mlir::RankedTensorType::get(ones, element);
    return mlir::tosa::ConstOp::create(
        builder, loc, type,
        mlir::DenseElementsAttr::get(type,
                                     builder.getFloatAttr(element, number)));
  }
  mlir::Value add(mlir::Value a, mlir::Value b) const {
    return binary<mlir::tosa::AddOp>(a, b);
  }
  mlir::Value subtract(mlir::Value a, mlir::Value b) const {
    return binary<mlir::tosa::SubOp>(a, b);
  }
  mlir::Value multiply(mlir::Value a, mlir::Value b) const {
    auto type = mlir::RankedTensorType::get({1}, builder.getI8Type());
    mlir::Value shift = mlir::tosa::ConstOp::create(
        builder, loc, type,
        mlir::cast<mlir::DenseElementsAttr>(builder.getZeroAttr(type)));
    return mlir::tosa::MulOp::create(builder, loc, join(a, b, element), a, b,
                                     shift);
  }
  mlir::Value scale(mlir::Value a, double factor) const {
    return multiply(a, number(factor, a));
  }
  template <typename OpT> mlir::Value unary(mlir::Value a) const {
    return OpT::create(builder, loc, a.getType(), a);
  }
  template <typename OpT>
  mlir::Value compare(mlir::Value a, mlir::Value b) const {
    return OpT::create(builder, loc, join(a, b, builder.getI1Type()), a, b);
  }
  mlir::Value select(mlir::Value condition, mlir::Value a,
                     mlir::Value b) const {
    llvm::SmallVector<int64_t> shape = join({condition, a, b});
    return mlir::tosa::SelectOp::create(
        builder, loc, mlir::RankedTensorType::get(shape, element), condition, a,
        b);
  }
  template <typename OpT>
  mlir::Value binary(mlir::Value a, mlir::Value b) const {
    return OpT::create(builder, loc, join(a, b, element), a, b);
  }
  mlir::Value reshape(mlir::Value a, llvm::ArrayRef<int64_t> shape) const {
    mlir::ImplicitLocOpBuilder implicit(loc, builder);
    return mlir::tosa::ReshapeOp::create(
        builder, loc,
        mlir::RankedTensorType::get(shape, mlir::getElementTypeOrSelf(a)), a,
        mlir::tosa::getTosaConstShape(implicit, shape));
  }
  mlir::Value transpose(mlir::Value a, llvm::ArrayRef<int32_t> order) const {
    auto shape = mlir::cast<mlir::ShapedType>(a.getType()).getShape();
    auto moved =
        llvm::map_to_vector(order, [&](int32_t d) { return shape[d]; });
    return mlir::tosa::TransposeOp::create(
        builder, loc, mlir::RankedTensorType::get(moved, element), a,
        builder.getDenseI32ArrayAttr(order));
  }
  /// Sums over a dimension, which stays, of size 1.
  mlir::Value sum(mlir::Value a, int64_t axis) const {
    auto shape =
        llvm::to_vector(mlir::cast<mlir::ShapedType>(a.getType()).getShape());
    shape[axis] = 1;
    return mlir::tosa::ReduceSumOp::create(
        builder, loc, mlir::RankedTensorType::get(shape, element), a,
        builder.getI32IntegerAttr(axis));
  }
  /// Sums over the dimensions along which a value of `shape` was repeated.
  mlir::Value sumTo(mlir::Value a, llvm::ArrayRef<int64_t> shape) const {
    for (auto [axis, size] : llvm::enumerate(shape))
      if (size == 1 &&
          mlir::cast<mlir::ShapedType>(a.getType()).getDimSize(axis) != 1)
        a = sum(a, axis);
    return a;
  }
  mlir::Value repeat(mlir::Value a, llvm::ArrayRef<int64_t> shape) const {
    auto type = mlir::RankedTensorType::get(shape, element);
    if (a.getType() == type)
      return a;
    mlir::Value zeros = mlir::tosa::ConstOp::create(
        builder, loc, type,
        mlir::cast<mlir::DenseElementsAttr>(builder.getZeroAttr(type)));
    return add(a, zeros);
  }

private:
  /// The shape that operands are broadcast to.
  static llvm::SmallVector<int64_t> join(llvm::ArrayRef<mlir::Value> operands) {
    llvm::SmallVector<int64_t> shape;
    for (mlir::Value operand : operands) {
      auto own = mlir::cast<mlir::ShapedType>(operand.getType()).getShape();
      shape.resize(own.size(), 1);
      for (auto [size, its] : llvm::zip_equal(shape, own))
        size = std::max(size, its);
    }
    return shape;
  }
  static mlir::Type join(mlir::Value a, mlir::Value b, mlir::Type element) {
    return mlir::RankedTensorType::get(join({a, b}), element);
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type element;
};

} // namespace parablock::block

#endif // PARABLOCK_LIB_DIFFERENTIATE_TOSAARITHMETIC_H
