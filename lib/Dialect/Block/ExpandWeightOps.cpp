//===- ExpandWeightOps.cpp - expands weight ops to linalg.generic ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/ExpandWeightOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/BlockOps.h"

using namespace mlir;
using namespace parablock::block;

namespace {
/// The body of a structured op, in f64.
class BodyMath final : public WeightMath {
public:
  BodyMath(ImplicitLocOpBuilder &builder, WeightOpInterface op,
           const DenseMap<unsigned, Value> &read)
      : builder(builder), op(op), read(read) {}

  Value element(unsigned operand) override { return widen(find(operand)); }
  Value widen(Value value) {
    Type f64 = builder.getF64Type();
    if (value.getType() == f64)
      return value;
    if (isa<FloatType>(value.getType()))
      return arith::ExtFOp::create(builder, f64, value);
    return arith::SIToFPOp::create(builder, f64, value);
  }
  Value decode(unsigned operand, ArrayRef<double> numbers) override {
    Value code = mask(
        arith::ExtSIOp::create(builder, builder.getI32Type(), find(operand)),
        255);
    if (numbers.size() == 16)
      code = getHalf(code);
    auto type = RankedTensorType::get(static_cast<int64_t>(numbers.size()),
                                      builder.getF64Type());
    // A constant outside of the body.
    OpBuilder outside(op);
    Value table = arith::ConstantOp::create(
        outside, op.getLoc(), DenseElementsAttr::get(type, numbers));
    return tensor::ExtractOp::create(
        builder, table,
        ValueRange{
            arith::IndexCastOp::create(builder, builder.getIndexType(), code)});
  }
  Value number(double value) override {
    return arith::ConstantOp::create(builder, builder.getF64FloatAttr(value));
  }
  Value add(Value a, Value b) override {
    return arith::AddFOp::create(builder, a, b);
  }
  Value add(Value a, double b) override { return add(a, number(b)); }
  Value multiply(Value a, Value b) override {
    return arith::MulFOp::create(builder, a, b);
  }
  Value multiply(Value a, double b) override {
    return b == 1 ? a : multiply(a, number(b));
  }
  Value identity() override {
    Value same = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq,
                                       linalg::IndexOp::create(builder, 0),
                                       linalg::IndexOp::create(builder, 1));
    return arith::SelectOp::create(builder, same, number(1), number(0));
  }

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, value);
  }
  Value whole(int64_t value) {
    return arith::ConstantIntOp::create(builder, value, 32);
  }
  Value mask(Value code, int64_t bits) {
    return arith::AndIOp::create(builder, code, whole(bits));
  }
  /// Returns the code of the current column, of two in a byte.
  Value getHalf(Value code) {
    Value isLow = arith::CmpIOp::create(
        builder, arith::CmpIPredicate::eq,
        arith::RemUIOp::create(builder, linalg::IndexOp::create(builder, 1),
                               index(2)),
        index(0));
    return arith::SelectOp::create(
        builder, isLow, mask(code, 15),
        arith::ShRSIOp::create(builder, code, whole(4)));
  }
  /// Returns the element that loops read, or one at a computed place.
  Value find(unsigned operand) {
    if (Value argument = read.lookup(operand))
      return argument;
    SmallVector<Value> places;
    for (AffineExpr expr : op.getOperandMap(operand).getResults())
      places.push_back(place(expr));
    return tensor::ExtractOp::create(builder, op->getOperand(operand), places);
  }
  Value place(AffineExpr expr) {
    if (auto loop = dyn_cast<AffineDimExpr>(expr))
      return linalg::IndexOp::create(builder, loop.getPosition());
    if (auto number = dyn_cast<AffineConstantExpr>(expr))
      return index(number.getValue());
    auto quotient = cast<AffineBinaryOpExpr>(expr);
    return arith::DivUIOp::create(builder, place(quotient.getLHS()),
                                  place(quotient.getRHS()));
  }

  ImplicitLocOpBuilder &builder;
  WeightOpInterface op;
  const DenseMap<unsigned, Value> &read;
};

/// Builds the replacement of one op.
class Expansion {
public:
  Expansion(WeightOpInterface op, OpBuilder &rewriter)
      : op(op), builder(op.getLoc(), rewriter),
        type(cast<RankedTensorType>(op->getResult(0).getType())) {}

  Value buildResult();

private:
  Value buildSum();
  /// Collects the operands that the loops of the result, or of the sum, read.
  void collect(bool ofSum);
  Value makeGeneric(Value init, unsigned numLoops,
                    llvm::function_ref<Value(BodyMath &, ValueRange)> body);

  WeightOpInterface op;
  ImplicitLocOpBuilder builder;
  RankedTensorType type;
  SmallVector<unsigned> operands;
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
};
} // namespace

void Expansion::collect(bool ofSum) {
  operands.clear();
  inputs.clear();
  maps.clear();
  unsigned rank = type.getRank();
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getOperandMap(operand.getOperandNumber());
    bool isSummed = map.getNumDims() > rank && map.isFunctionOfDim(rank);
    // Computed places belong to the body.
    if (isSummed != ofSum ||
        !map.isProjectedPermutation(/*allowZeroInResults=*/true))
      continue;
    operands.push_back(operand.getOperandNumber());
    inputs.push_back(operand.get());
    maps.push_back(AffineMap::get(ofSum ? rank + 1 : rank, 0, map.getResults(),
                                  builder.getContext()));
  }
}

Value Expansion::makeGeneric(
    Value init, unsigned numLoops,
    llvm::function_ref<Value(BodyMath &, ValueRange)> body) {
  unsigned rank = type.getRank();
  maps.push_back(AffineMap::get(
      numLoops, 0,
      builder.getMultiDimIdentityMap(numLoops).getResults().take_front(rank),
      builder.getContext()));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  loops.resize(numLoops, utils::IteratorType::reduction);
  Type element = cast<RankedTensorType>(init.getType()).getElementType();
  auto buildBody = [&](OpBuilder &at, Location loc, ValueRange arguments) {
    ImplicitLocOpBuilder inner(loc, at);
    DenseMap<unsigned, Value> read;
    for (auto [operand, argument] : llvm::zip(operands, arguments))
      read[operand] = argument;
    BodyMath math(inner, op, read);
    Value value = body(math, arguments);
    if (value.getType() != element)
      value = arith::TruncFOp::create(inner, element, value);
    linalg::YieldOp::create(inner, value);
  };
  return linalg::GenericOp::create(builder, init.getType(), inputs, init, maps,
                                   loops, buildBody)
      .getResult(0);
}

Value Expansion::buildSum() {
  collect(/*ofSum=*/true);
  RankedTensorType wide = type.clone(builder.getF64Type());
  Value zero = arith::ConstantOp::create(
      builder, wide,
      DenseElementsAttr::get(wide, builder.getF64FloatAttr(0).getValue()));
  return makeGeneric(zero, type.getRank() + 1,
                     [&](BodyMath &math, ValueRange arguments) {
                       return math.add(arguments.back(), op.buildSummand(math));
                     });
}

Value Expansion::buildResult() {
  Value sum = op.hasSum() ? buildSum() : Value();
  collect(/*ofSum=*/false);
  if (sum) {
    inputs.push_back(sum);
    maps.push_back(builder.getMultiDimIdentityMap(type.getRank()));
  }
  Value init =
      tensor::EmptyOp::create(builder, type.getShape(), type.getElementType());
  return makeGeneric(init, type.getRank(),
                     [&](BodyMath &math, ValueRange arguments) {
                       return op.buildElement(
                           math, sum ? arguments.drop_back().back() : Value());
                     });
}

namespace {
struct ExpandWeightOp final : OpInterfaceRewritePattern<WeightOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(WeightOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (llvm::any_of(op->getOperandTypes(), [](Type type) {
          return getElementTypeOrSelf(type).isUnsignedInteger();
        }))
      return rewriter.notifyMatchFailure(op, "no upstream op reads ui8");
    rewriter.replaceOp(op, Expansion(op, rewriter).buildResult());
    return success();
  }
};
} // namespace

void parablock::block::populateExpandWeightOpsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<ExpandWeightOp>(patterns.getContext());
}
