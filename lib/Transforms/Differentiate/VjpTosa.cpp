//===- VjpTosa.cpp - gradients of ops that are no blocks ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops that raising leaves in TOSA have gradients in TOSA, so that they become
// kernels in backward as in forward. Operands are broadcast: a gradient is
// summed over the dimensions along which its operand was repeated.
//
//===----------------------------------------------------------------------===//

#include "TosaArithmetic.h"
#include "VjpModels.h"
#include <cmath>

using namespace mlir;
using namespace parablock::block;

namespace {
/// The model of ops of static shape; `Model::contribute` returns the
/// contribution to each operand.
template <typename Model, typename OpT> struct TosaVjp : VjpModel<Model, OpT> {
  static LogicalResult build(OpT op, Value dy, Adjoints &adjoints) {
    auto isStatic = [](Type type) {
      auto shaped = dyn_cast<ShapedType>(type);
      return !shaped || shaped.hasStaticShape();
    };
    if (!llvm::all_of(op->getOperandTypes(), isStatic) ||
        !llvm::all_of(op->getResultTypes(), isStatic))
      return op.emitOpError("has a gradient only where its shape is static");
    return Model::contribute(op, dy, adjoints, Arithmetic(adjoints, dy));
  }
  /// Adds for an operand that may have been repeated.
  static void give(Adjoints &adjoints, const Arithmetic &math, Value operand,
                   Value gradient) {
    if (adjoints.isActive(operand))
      adjoints.add(
          operand,
          math.sumTo(gradient, cast<ShapedType>(operand.getType()).getShape()));
  }
};

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

template <typename OpT, int sign>
struct TosaSumVjp : TosaVjp<TosaSumVjp<OpT, sign>, OpT> {
  static LogicalResult contribute(OpT op, Value dy, Adjoints &adjoints,
                                  const Arithmetic &math) {
    TosaSumVjp::give(adjoints, math, op.getInput1(), dy);
    if (adjoints.isActive(op.getInput2()))
      TosaSumVjp::give(adjoints, math, op.getInput2(),
                       sign == 1 ? dy : math.scale(dy, sign));
    return success();
  }
};

struct NegateVjp : TosaVjp<NegateVjp, tosa::NegateOp> {
  static LogicalResult contribute(tosa::NegateOp op, Value dy,
                                  Adjoints &adjoints, const Arithmetic &math) {
    adjoints.add(op.getInput1(), math.scale(dy, -1));
    return success();
  }
};

struct MulVjp : TosaVjp<MulVjp, tosa::MulOp> {
  static LogicalResult contribute(tosa::MulOp op, Value dy, Adjoints &adjoints,
                                  const Arithmetic &math) {
    Value a = op.getInput1(), b = op.getInput2();
    if (adjoints.isActive(a))
      give(adjoints, math, a, math.multiply(dy, math.read(b)));
    if (adjoints.isActive(b))
      give(adjoints, math, b, math.multiply(dy, math.read(a)));
    return success();
  }
};

struct MatMulVjp : TosaVjp<MatMulVjp, tosa::MatMulOp> {
  static LogicalResult contribute(tosa::MatMulOp op, Value dy,
                                  Adjoints &adjoints, const Arithmetic &math) {
    constexpr int32_t kSwapped[] = {0, 2, 1};
    auto multiply = [&](Value like, Value a, Value b) {
      auto shape = cast<ShapedType>(like.getType()).getShape();
      auto type = RankedTensorType::get(shape, getElementTypeOrSelf(dy));
      adjoints.add(like, tosa::MatMulOp::create(adjoints.builder, adjoints.loc,
                                                type, a, b));
    };
    if (adjoints.isActive(op.getA()))
      multiply(op.getA(), dy, math.transpose(math.read(op.getB()), kSwapped));
    if (adjoints.isActive(op.getB()))
      multiply(op.getB(), math.transpose(math.read(op.getA()), kSwapped), dy);
    return success();
  }
};

struct ReduceSumVjp : TosaVjp<ReduceSumVjp, tosa::ReduceSumOp> {
  static LogicalResult contribute(tosa::ReduceSumOp op, Value dy,
                                  Adjoints &adjoints, const Arithmetic &math) {
    Value input = op.getInput();
    adjoints.add(input,
                 math.repeat(dy, cast<ShapedType>(input.getType()).getShape()));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Functions of one element
//===----------------------------------------------------------------------===//

/// The factor of `dy`, of the operand `x` and the result `y`.
using Slope = Value (*)(const Arithmetic &math, Value x, Value y);

template <typename OpT, Slope slope>
struct FunctionVjp : TosaVjp<FunctionVjp<OpT, slope>, OpT> {
  static LogicalResult contribute(OpT op, Value dy, Adjoints &adjoints,
                                  const Arithmetic &math) {
    Value x = op->getOperand(0), y = op->getResult(0);
    adjoints.add(x, math.multiply(dy, slope(math, math.read(x), math.read(y))));
    return success();
  }
};

Value exponential(const Arithmetic & /*math*/, Value /*x*/, Value y) {
  return y;
}
Value logarithm(const Arithmetic &math, Value x, Value /*y*/) {
  return math.unary<tosa::ReciprocalOp>(x);
}
Value hyperbolicTangent(const Arithmetic &math, Value /*x*/, Value y) {
  return math.subtract(math.number(1, y), math.multiply(y, y));
}
Value sigmoid(const Arithmetic &math, Value /*x*/, Value y) {
  return math.multiply(y, math.subtract(math.number(1, y), y));
}
Value errorFunction(const Arithmetic &math, Value x, Value /*y*/) {
  Value power = math.unary<tosa::ExpOp>(math.scale(math.multiply(x, x), -1));
  return math.scale(power, 2 / std::sqrt(M_PI));
}
Value reciprocal(const Arithmetic &math, Value /*x*/, Value y) {
  return math.scale(math.multiply(y, y), -1);
}
Value reciprocalRoot(const Arithmetic &math, Value /*x*/, Value y) {
  return math.scale(math.multiply(y, math.multiply(y, y)), -0.5);
}
Value sine(const Arithmetic &math, Value x, Value /*y*/) {
  return math.unary<tosa::CosOp>(x);
}
Value cosine(const Arithmetic &math, Value x, Value /*y*/) {
  return math.scale(math.unary<tosa::SinOp>(x), -1);
}
/// 0 at 0, as PyTorch has it.
Value absolute(const Arithmetic &math, Value x, Value /*y*/) {
  Value zero = math.number(0, x), one = math.number(1, x);
  Value negative = math.select(math.compare<tosa::GreaterOp>(zero, x),
                               math.scale(one, -1), zero);
  return math.select(math.compare<tosa::GreaterOp>(x, zero), one, negative);
}

/// The gradient of a power by its base, `b x^(b-1)`.
struct PowVjp : TosaVjp<PowVjp, tosa::PowOp> {
  static LogicalResult contribute(tosa::PowOp op, Value dy, Adjoints &adjoints,
                                  const Arithmetic &math) {
    if (adjoints.isActive(op.getInput2()))
      return op.emitOpError("has no gradient by its exponent");
    Value b = math.read(op.getInput2()), one = math.number(1, b);
    Value power = math.binary<tosa::PowOp>(math.read(op.getInput1()),
                                           math.subtract(b, one));
    give(adjoints, math, op.getInput1(),
         math.multiply(dy, math.multiply(b, power)));
    return success();
  }
};

/// The gradient passes through a cast of floats unchanged.
struct TosaCastVjp : TosaVjp<TosaCastVjp, tosa::CastOp> {
  static LogicalResult contribute(tosa::CastOp op, Value dy, Adjoints &adjoints,
                                  const Arithmetic & /*math*/) {
    if (isa<FloatType>(getElementTypeOrSelf(op.getInput())))
      adjoints.add(op.getInput(), dy);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

struct SelectVjp : TosaVjp<SelectVjp, tosa::SelectOp> {
  static LogicalResult contribute(tosa::SelectOp op, Value dy,
                                  Adjoints &adjoints, const Arithmetic &math) {
    Value condition = op.getInput1(), zero = math.number(0, dy);
    if (adjoints.isActive(op.getInput2()))
      give(adjoints, math, op.getInput2(), math.select(condition, dy, zero));
    if (adjoints.isActive(op.getInput3()))
      give(adjoints, math, op.getInput3(), math.select(condition, zero, dy));
    return success();
  }
};

/// The gradient of the larger or the lesser of two: a half for each if they are
/// equal.
template <typename OpT, bool isLargest>
struct ExtremeVjp : TosaVjp<ExtremeVjp<OpT, isLargest>, OpT> {
  static LogicalResult contribute(OpT op, Value dy, Adjoints &adjoints,
                                  const Arithmetic &math) {
    Value a = op.getInput1(), b = op.getInput2();
    Value x = math.read(a), y = math.read(b);
    Value half = math.scale(dy, 0.5), zero = math.number(0, dy);
    Value shared = math.select(math.compare<tosa::EqualOp>(x, y), half, zero);
    auto choose = [&](Value operand, Value mine, Value its) {
      if (!adjoints.isActive(operand))
        return;
      Value wins = isLargest ? math.compare<tosa::GreaterOp>(mine, its)
                             : math.compare<tosa::GreaterOp>(its, mine);
      ExtremeVjp::give(adjoints, math, operand, math.select(wins, dy, shared));
    };
    choose(a, x, y);
    choose(b, y, x);
    return success();
  }
};

/// The gradient of the maximum along an axis: equal maxima share it.
struct ReduceMaxVjp : TosaVjp<ReduceMaxVjp, tosa::ReduceMaxOp> {
  static LogicalResult contribute(tosa::ReduceMaxOp op, Value dy,
                                  Adjoints &adjoints, const Arithmetic &math) {
    Value x = math.read(op.getInput()), y = math.read(op.getOutput());
    Value one = math.number(1, x), zero = math.number(0, x);
    Value isIt = math.select(math.compare<tosa::EqualOp>(x, y), one, zero);
    Value share = math.multiply(
        dy, math.unary<tosa::ReciprocalOp>(math.sum(isIt, op.getAxis())));
    adjoints.add(op.getInput(), math.multiply(isIt, share));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Ops that move elements
//===----------------------------------------------------------------------===//

struct TosaReshapeVjp : TosaVjp<TosaReshapeVjp, tosa::ReshapeOp> {
  static LogicalResult contribute(tosa::ReshapeOp op, Value dy,
                                  Adjoints &adjoints, const Arithmetic &math) {
    Value input = op.getInput1();
    adjoints.add(
        input, math.reshape(dy, cast<ShapedType>(input.getType()).getShape()));
    return success();
  }
};

struct TosaTransposeVjp : TosaVjp<TosaTransposeVjp, tosa::TransposeOp> {
  static LogicalResult contribute(tosa::TransposeOp op, Value dy,
                                  Adjoints &adjoints, const Arithmetic &math) {
    SmallVector<int32_t> back(op.getPerms().size());
    for (auto [place, dim] : llvm::enumerate(op.getPerms()))
      back[dim] = place;
    adjoints.add(op.getInput1(), math.transpose(dy, back));
    return success();
  }
};

struct TosaConcatVjp : TosaVjp<TosaConcatVjp, tosa::ConcatOp> {
  static LogicalResult contribute(tosa::ConcatOp op, Value dy,
                                  Adjoints &adjoints,
                                  const Arithmetic & /*math*/) {
    addPartsOfGradient(adjoints, op.getInput1(), op.getAxis(), dy);
    return success();
  }
};

/// Sums over the repetitions.
struct TileVjp : TosaVjp<TileVjp, tosa::TileOp> {
  static LogicalResult contribute(tosa::TileOp op, Value dy, Adjoints &adjoints,
                                  const Arithmetic &math) {
    Value input = op.getInput1();
    auto shape = cast<ShapedType>(input.getType()).getShape();
    auto whole = cast<ShapedType>(dy.getType()).getShape();
    SmallVector<int64_t> apart, once;
    for (auto [own, all] : llvm::zip_equal(shape, whole)) {
      if (own != all) {
        apart.push_back(all / own);
        once.push_back(1);
      }
      apart.push_back(own);
      once.push_back(own);
    }
    Value sum = math.sumTo(math.reshape(dy, apart), once);
    adjoints.add(input, math.reshape(sum, shape));
    return success();
  }
};
} // namespace

template <typename OpT, Slope slope> static void attach(MLIRContext *context) {
  OpT::template attachInterface<FunctionVjp<OpT, slope>>(*context);
}

void parablock::block::registerTosaVjps(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tosa::TosaDialect *) {
    tosa::AddOp::attachInterface<TosaSumVjp<tosa::AddOp, 1>>(*context);
    tosa::SubOp::attachInterface<TosaSumVjp<tosa::SubOp, -1>>(*context);
    tosa::NegateOp::attachInterface<NegateVjp>(*context);
    tosa::MulOp::attachInterface<MulVjp>(*context);
    tosa::MatMulOp::attachInterface<MatMulVjp>(*context);
    tosa::ReduceSumOp::attachInterface<ReduceSumVjp>(*context);
    tosa::ReduceMaxOp::attachInterface<ReduceMaxVjp>(*context);
    attach<tosa::ExpOp, exponential>(context);
    attach<tosa::LogOp, logarithm>(context);
    attach<tosa::TanhOp, hyperbolicTangent>(context);
    attach<tosa::SigmoidOp, sigmoid>(context);
    attach<tosa::ErfOp, errorFunction>(context);
    attach<tosa::ReciprocalOp, reciprocal>(context);
    attach<tosa::RsqrtOp, reciprocalRoot>(context);
    attach<tosa::SinOp, sine>(context);
    attach<tosa::CosOp, cosine>(context);
    attach<tosa::AbsOp, absolute>(context);
    tosa::PowOp::attachInterface<PowVjp>(*context);
    tosa::CastOp::attachInterface<TosaCastVjp>(*context);
    tosa::SelectOp::attachInterface<SelectVjp>(*context);
    tosa::MaximumOp::attachInterface<ExtremeVjp<tosa::MaximumOp, true>>(
        *context);
    tosa::MinimumOp::attachInterface<ExtremeVjp<tosa::MinimumOp, false>>(
        *context);
    tosa::ReshapeOp::attachInterface<TosaReshapeVjp>(*context);
    tosa::TransposeOp::attachInterface<TosaTransposeVjp>(*context);
    tosa::ConcatOp::attachInterface<TosaConcatVjp>(*context);
    tosa::TileOp::attachInterface<TileVjp>(*context);
  });
}
