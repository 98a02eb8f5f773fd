//===- ExpandStreams.cpp - expands streams to linalg.generic --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/ExpandStreams.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "parablock/Dialect/Block/BlockOps.h"

using namespace mlir;
using namespace parablock::block;

namespace {
/// Writes the arithmetic of one element.
class StreamMath {
public:
  StreamMath(OpBuilder &builder, Location loc) : b(loc, builder) {}

  /// Returns `stream` plus or minus `branch`; `stream` may be null.
  Value add(Value branch, Value stream, bool subtract) {
    if (!branch.getType().isF32())
      branch = arith::ExtFOp::create(b, b.getF32Type(), branch);
    Value units = math::RoundEvenOp::create(
        b, arith::MulFOp::create(b, branch, number(kUnits)));
    // False for NaN.
    Value fits =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OLT,
                              math::AbsFOp::create(b, units), number(0x1p31));
    Value whole = arith::FPToSIOp::create(
        b, b.getI32Type(), arith::SelectOp::create(b, fits, units, number(0)));
    Value sum = widen(whole);
    if (subtract)
      sum = arith::SubIOp::create(b, widen(integer(0)), sum);
    if (stream) {
      sum = arith::AddIOp::create(b, widen(stream), sum);
      fits = both(fits, compare(arith::CmpIPredicate::ne, stream, nan()));
    }
    Value result = arith::TruncIOp::create(b, b.getI32Type(), sum);
    fits = both(fits, compare(arith::CmpIPredicate::eq, widen(result), sum));
    return arith::SelectOp::create(b, fits, result, nan());
  }

  Value read(Value stream, Type type) {
    Value value = arith::MulFOp::create(
        b, arith::SIToFPOp::create(b, b.getF32Type(), stream),
        number(1 / kUnits));
    Value isNan = compare(arith::CmpIPredicate::eq, stream, nan());
    value = arith::SelectOp::create(
        b, isNan, number(std::numeric_limits<double>::quiet_NaN()), value);
    return type.isF32() ? value : arith::TruncFOp::create(b, type, value);
  }

private:
  Value number(double value) {
    return arith::ConstantOp::create(
        b, b.getF32FloatAttr(static_cast<float>(value)));
  }
  Value integer(int64_t value) {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
  }
  Value nan() { return integer(std::numeric_limits<int32_t>::min()); }
  Value widen(Value value) {
    return arith::ExtSIOp::create(b, b.getI64Type(), value);
  }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, predicate, x, y);
  }
  Value both(Value x, Value y) { return arith::AndIOp::create(b, x, y); }

  static constexpr double kUnits = 65536;
  ImplicitLocOpBuilder b;
};
} // namespace

/// Replaces `op`, whose operands are elements of `body`'s arguments.
static void
replace(Operation *op,
        llvm::function_ref<Value(StreamMath &math, ValueRange)> body) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(op->getResultTypes().front());
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, op->getOperand(0));
  Value empty =
      tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  AffineMap same = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<AffineMap> maps(op->getNumOperands() + 1, same);
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      builder, loc, empty.getType(), op->getOperands(), empty, maps, loops,
      [&](OpBuilder &inner, Location, ValueRange elements) {
        StreamMath math(inner, loc);
        linalg::YieldOp::create(inner, loc, body(math, elements));
      });
  Value result = generic.getResult(0);
  if (result.getType() != type)
    result = tensor::CastOp::create(builder, loc, type, result);
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

void parablock::block::expandStreams(Operation *root) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (isa<StreamAddOp, StreamValueOp>(op))
      ops.push_back(op);
  });
  // Passes depend on these; tools that lower a module call this directly.
  if (!ops.empty())
    root->getContext()
        ->loadDialect<arith::ArithDialect, linalg::LinalgDialect,
                      math::MathDialect, tensor::TensorDialect>();
  for (Operation *op : ops) {
    if (auto add = dyn_cast<StreamAddOp>(op))
      replace(op, [&](StreamMath &math, ValueRange elements) {
        return math.add(elements[0], add.getStream() ? elements[1] : Value(),
                        add.getSubtract());
      });
    else if (auto value = dyn_cast<StreamValueOp>(op))
      replace(op, [&](StreamMath &math, ValueRange elements) {
        return math.read(elements[0], value.getType().getElementType());
      });
  }
}
