//===- VjpUpstream.cpp - gradients of upstream ops on weights -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TosaArithmetic.h"
#include "VjpModels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "parablock/Transforms/RewriteHelpers.h"

using namespace mlir;
using namespace parablock::block;

namespace {
struct TransposeVjp : VjpModel<TransposeVjp, linalg::TransposeOp> {
  static LogicalResult build(linalg::TransposeOp op, Value dy,
                             Adjoints &adjoints) {
    OpBuilder &builder = adjoints.builder;
    RankedTensorType type = adjoints.getType(op.getInput());
    // For a product over rows, the operands are swapped.
    if (auto product = dy.getDefiningOp<WeightGradOp>()) {
      adjoints.add(op.getInput(),
                   WeightGradOp::create(builder, adjoints.loc, type,
                                        product.getInputs(),
                                        product.getGradients()));
      return success();
    }
    Value empty = tensor::EmptyOp::create(
        builder, adjoints.loc, type.getShape(), type.getElementType());
    SmallVector<int64_t> back = invertPermutationVector(op.getPermutation());
    adjoints.add(op.getInput(), linalg::TransposeOp::create(
                                    builder, adjoints.loc, dy, empty, back)
                                    ->getResult(0));
    return success();
  }
};

/// The same elements along more dimensions.
struct BroadcastVjp : VjpModel<BroadcastVjp, linalg::BroadcastOp> {
  static LogicalResult build(linalg::BroadcastOp op, Value dy,
                             Adjoints &adjoints) {
    if (!cast<RankedTensorType>(dy.getType()).hasStaticShape())
      return op.emitOpError("has a gradient only where its shape is static");
    Arithmetic math(adjoints, dy);
    for (int64_t dim : op.getDimensions())
      dy = math.sum(dy, dim);
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(op.getInput().getType()).getShape();
    adjoints.add(op.getInput(), math.reshape(dy, shape));
    return success();
  }
};

struct ExtractSliceVjp : VjpModel<ExtractSliceVjp, tensor::ExtractSliceOp> {
  static LogicalResult build(tensor::ExtractSliceOp op, Value dy,
                             Adjoints &adjoints) {
    bool isPlain =
        op.getSourceType().hasStaticShape() && op.getType().hasStaticShape() &&
        llvm::none_of(op.getStaticOffsets(), ShapedType::isDynamic) &&
        llvm::none_of(op.getStaticStrides(), ShapedType::isDynamic);
    if (!isPlain)
      return op.emitOpError("has a gradient only for static ranges");
    // A range may lack dimensions of one element.
    if (op.getType().getRank() == op.getSourceType().getRank() &&
        llvm::all_of(op.getStaticStrides(),
                     [](int64_t stride) { return stride == 1; })) {
      adjoints.addSlice(op.getSource(), dy, op.getStaticOffsets());
      return success();
    }
    OpBuilder &builder = adjoints.builder;
    Value zeros = arith::ConstantOp::create(
        builder, adjoints.loc,
        builder.getZeroAttr(
            adjoints.getType(op.getSource()).clone(getElementTypeOrSelf(dy))));
    adjoints.add(op.getSource(),
                 tensor::InsertSliceOp::create(
                     builder, adjoints.loc, dy, zeros, op.getMixedOffsets(),
                     op.getMixedSizes(), op.getMixedStrides()));
    return success();
  }
};

struct ConcatVjp : VjpModel<ConcatVjp, tensor::ConcatOp> {
  static LogicalResult build(tensor::ConcatOp op, Value dy,
                             Adjoints &adjoints) {
    if (!cast<RankedTensorType>(dy.getType()).hasStaticShape())
      return op.emitOpError("has a gradient only where its shape is static");
    addPartsOfGradient(adjoints, op.getInputs(), op.getDim(), dy);
    return success();
  }
};

/// The same elements in another shape.
template <typename OpT, typename InverseT>
struct ReshapeVjp : VjpModel<ReshapeVjp<OpT, InverseT>, OpT> {
  static LogicalResult build(OpT op, Value dy, Adjoints &adjoints) {
    RankedTensorType type = adjoints.getType(op.getSrc());
    if (!type.hasStaticShape())
      return op.emitOpError("has a gradient only where its shape is static");
    adjoints.add(op.getSrc(),
                 InverseT::create(adjoints.builder, adjoints.loc, type, dy,
                                  op.getReassociationIndices()));
    return success();
  }
};

/// A sum of two, or a difference.
template <typename OpT, int sign>
struct SumVjp : VjpModel<SumVjp<OpT, sign>, OpT> {
  static LogicalResult build(OpT op, Value dy, Adjoints &adjoints) {
    adjoints.add(op.getLhs(), dy);
    adjoints.add(op.getRhs(), dy, sign);
    return success();
  }
};

/// A product, or a quotient.
struct MulFVjp : VjpModel<MulFVjp, arith::MulFOp> {
  static LogicalResult build(arith::MulFOp op, Value dy, Adjoints &adjoints) {
    addProductOf(adjoints, op.getLhs(), dy, op.getRhs());
    addProductOf(adjoints, op.getRhs(), dy, op.getLhs());
    return success();
  }
  static void addProductOf(Adjoints &adjoints, Value wanted, Value dy,
                           Value other) {
    if (!adjoints.isActive(wanted))
      return;
    OpBuilder &builder = adjoints.builder;
    other =
        castElements(builder, adjoints.loc, other, getElementTypeOrSelf(dy));
    adjoints.add(wanted,
                 arith::MulFOp::create(builder, adjoints.loc, dy, other));
  }
};

struct DivFVjp : VjpModel<DivFVjp, arith::DivFOp> {
  static LogicalResult build(arith::DivFOp op, Value dy, Adjoints &adjoints) {
    OpBuilder &builder = adjoints.builder;
    Location loc = adjoints.loc;
    auto read = [&](Value value) {
      return castElements(builder, loc, value, getElementTypeOrSelf(dy));
    };
    Value slope = arith::DivFOp::create(builder, loc, dy, read(op.getRhs()));
    adjoints.add(op.getLhs(), slope);
    if (adjoints.isActive(op.getRhs()))
      adjoints.add(
          op.getRhs(),
          arith::NegFOp::create(builder, loc,
                                arith::MulFOp::create(builder, loc, slope,
                                                      read(op.getResult()))));
    return success();
  }
};

/// The gradient passes through a rounding unchanged.
template <typename OpT> struct CastVjp : VjpModel<CastVjp<OpT>, OpT> {
  static LogicalResult build(OpT op, Value dy, Adjoints &adjoints) {
    adjoints.add(op.getIn(), dy);
    return success();
  }
};
/// The gradient of a root, `dy / 2y`.
struct SqrtVjp : VjpModel<SqrtVjp, math::SqrtOp> {
  static LogicalResult build(math::SqrtOp op, Value dy, Adjoints &adjoints) {
    Arithmetic math(adjoints, dy);
    Value twice = math.scale(math.read(op.getResult()), 2);
    adjoints.add(
        op.getOperand(),
        arith::DivFOp::create(adjoints.builder, adjoints.loc, dy, twice));
    return success();
  }
};

/// The gradient of `log(1 + x)`.
struct Log1pVjp : VjpModel<Log1pVjp, math::Log1pOp> {
  static LogicalResult build(math::Log1pOp op, Value dy, Adjoints &adjoints) {
    Arithmetic math(adjoints, dy);
    Value x = math.read(op.getOperand());
    adjoints.add(op.getOperand(),
                 arith::DivFOp::create(adjoints.builder, adjoints.loc, dy,
                                       math.add(x, math.number(1, x))));
    return success();
  }
};
} // namespace

void parablock::block::registerUpstreamVjps(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    linalg::BroadcastOp::attachInterface<BroadcastVjp>(*context);
    linalg::TransposeOp::attachInterface<TransposeVjp>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    using tensor::CollapseShapeOp, tensor::ExpandShapeOp;
    tensor::ExtractSliceOp::attachInterface<ExtractSliceVjp>(*context);
    tensor::ConcatOp::attachInterface<ConcatVjp>(*context);
    CollapseShapeOp::attachInterface<
        ReshapeVjp<CollapseShapeOp, ExpandShapeOp>>(*context);
    ExpandShapeOp::attachInterface<ReshapeVjp<ExpandShapeOp, CollapseShapeOp>>(
        *context);
  });
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    math::SqrtOp::attachInterface<SqrtVjp>(*context);
    math::Log1pOp::attachInterface<Log1pVjp>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    arith::AddFOp::attachInterface<SumVjp<arith::AddFOp, 1>>(*context);
    arith::SubFOp::attachInterface<SumVjp<arith::SubFOp, -1>>(*context);
    arith::MulFOp::attachInterface<MulFVjp>(*context);
    arith::DivFOp::attachInterface<DivFVjp>(*context);
    arith::ExtFOp::attachInterface<CastVjp<arith::ExtFOp>>(*context);
    arith::TruncFOp::attachInterface<CastVjp<arith::TruncFOp>>(*context);
  });
}
