//===- BlockExpandExperts.cpp - pass block-expand-experts -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// This file rewrites routers and experts as loops of upstream ops. A router
// sorts nothing: the rank of an expert is the number of experts that come
// before it, and a slot has the expert of its rank. Each slot of a row reads
// the matrices of its own expert, so that work and bytes are those of the
// chosen experts alone.
//
//===----------------------------------------------------------------------===//

#include "ExactPattern.h"
#include "ExpertLoops.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "parablock/Transforms/Passes.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include "llvm/Support/FormatVariadic.h"
#include <limits>

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKEXPANDEXPERTS
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

static constexpr StringLiteral kExpandExperts = "block-expand-experts";

//===----------------------------------------------------------------------===//
// Routers
//===----------------------------------------------------------------------===//

namespace {
/// Builds the steps of `#block.routing`, by their numbers there.
class RouteExpansion {
public:
  RouteExpansion(OpBuilder &builder, RouteOp op)
      : op(op), form(op.getForm()), loops(builder, op.getLoc(), op.getLogits()),
        f32(builder.getF32Type()), i64(builder.getI64Type()),
        experts(getDim(op.getLogits(), -1)) {}

  /// Returns indices and weights.
  std::pair<Value, Value> build();

private:
  /// Returns the number of values of the row that come before each: those that
  /// are larger, and of equal ones the first. Columns are divided into
  /// `groups`, which are ranked apart.
  Value buildRanks(Value values, int64_t groups);
  Value buildSoftmax(Value values, int64_t width);
  Value buildScores(Value logits);
  Value buildChoice(Value scores);
  Value hideGroups(Value choice);
  Value buildWeights(Value indices, Value logits, Value scores, Value choice);

  RouteOp op;
  RoutingAttr form;
  RowLoops loops;
  Type f32, i64;
  int64_t experts;
};
} // namespace

/// `indices` with another last one.
static SmallVector<Value> withLast(ValueRange indices, Value last) {
  SmallVector<Value> other(indices.drop_back());
  other.push_back(last);
  return other;
}

Value RouteExpansion::buildRanks(Value values, int64_t groups) {
  int64_t width = getDim(values, -1), size = width / groups;
  return loops.sum(
      width, size, i64, [&](const ScalarCode &code, ValueRange at) -> Value {
        Value own = at[2], first = code.mulI(code.divI(own, size), size);
        Value other = code.addI(first, at[3]);
        ValueRange row = at.drop_back();
        Value a = code.read(values, withLast(row, other)),
              b = code.read(values, withLast(row, own));
        Value isEarlier = code.compareI(arith::CmpIPredicate::slt, other, own);
        Value isEqual = code.compare(arith::CmpFPredicate::OEQ, a, b);
        Value comes = code.either(code.compare(arith::CmpFPredicate::OGT, a, b),
                                  code.both(isEqual, isEarlier));
        return code.select(comes, code.index(1), code.index(0));
      });
}

Value RouteExpansion::buildSoftmax(Value values, int64_t width) {
  Value most = loops.max({}, width, [&](const ScalarCode &code, ValueRange at) {
    return code.read(values, at);
  });
  Value powers =
      loops.map(width, f32, [&](const ScalarCode &code, ValueRange at) {
        return code.exp(
            code.sub(code.read(values, at), code.read(most, at.drop_back())));
      });
  Value sum =
      loops.sum({}, width, f32, [&](const ScalarCode &code, ValueRange at) {
        return code.read(powers, at);
      });
  return loops.map(width, f32, [&](const ScalarCode &code, ValueRange at) {
    return code.div(code.read(powers, at), code.read(sum, at.drop_back()));
  });
}

/// Step 1.
Value RouteExpansion::buildScores(Value logits) {
  if (form.getScore() == RouterScore::Softmax)
    return buildSoftmax(logits, experts);
  if (form.getScore() == RouterScore::Logit)
    return logits;
  return loops.map(experts, f32, [&](const ScalarCode &code, ValueRange at) {
    Value x = code.read(logits, at);
    if (form.getScore() == RouterScore::Sigmoid)
      return code.activate(Activation::Sigmoid, x);
    return code.sqrt(code.activate(Activation::Softplus, x));
  });
}

/// Steps 2 and 3.
Value RouteExpansion::buildChoice(Value scores) {
  Value choice = scores;
  if (Value correction = op.getCorrection())
    choice =
        loops.map(experts, f32, [&](const ScalarCode &code, ValueRange at) {
          return code.add(code.read(scores, at),
                          code.read(correction, at.back()));
        });
  return form.getGroups() > 1 ? hideGroups(choice) : choice;
}

Value RouteExpansion::hideGroups(Value choice) {
  int64_t groups = form.getGroups(), size = experts / groups;
  auto readMember = [&](const ScalarCode &code, Value values, ValueRange at) {
    Value member = code.addI(code.mulI(at[2], size), at[3]);
    return code.read(values, withLast(at.drop_back(), member));
  };
  Value scores;
  if (form.getGroupScore() == GroupScore::BestTwo) {
    Value ranks = buildRanks(choice, groups);
    scores = loops.sum(
        groups, size, f32, [&](const ScalarCode &code, ValueRange at) {
          Value isOfTwo =
              code.compareI(arith::CmpIPredicate::slt,
                            readMember(code, ranks, at), code.index(2));
          return code.select(isOfTwo, readMember(code, choice, at),
                             code.f32(0));
        });
  } else {
    scores =
        loops.max(groups, size, [&](const ScalarCode &code, ValueRange at) {
          return readMember(code, choice, at);
        });
  }
  Value ranks = buildRanks(scores, /*groups=*/1);
  double hidden = form.getHidden() == HiddenGroups::Zero
                      ? 0
                      : -std::numeric_limits<double>::infinity();
  return loops.map(experts, f32, [&](const ScalarCode &code, ValueRange at) {
    Value rank = code.read(ranks, withLast(at, code.divI(at.back(), size)));
    Value isKept = code.compareI(arith::CmpIPredicate::slt, rank,
                                 code.index(form.getKept()));
    return code.select(isKept, code.read(choice, at), code.f32(hidden));
  });
}

/// Steps 5 and 6.
Value RouteExpansion::buildWeights(Value indices, Value logits, Value scores,
                                   Value choice) {
  int64_t chosen = form.getChosen();
  bool isScore = form.getWeight() == RouterWeight::Score;
  Value weights =
      loops.map(chosen, f32, [&](const ScalarCode &code, ValueRange at) {
        Value expert = code.read(indices, at);
        Value x = code.read(isScore ? scores : logits, withLast(at, expert));
        if (form.getWeight() == RouterWeight::Sigmoid)
          x = code.activate(Activation::Sigmoid, x);
        return x;
      });
  if (form.getWeight() == RouterWeight::Softmax)
    weights = buildSoftmax(weights, chosen);
  Value sum =
      loops.sum({}, chosen, f32, [&](const ScalarCode &code, ValueRange at) {
        return code.read(weights, at);
      });
  // NaN in a row with one.
  Value poison =
      loops.sum({}, experts, f32, [&](const ScalarCode &code, ValueRange at) {
        Value x = code.read(choice, at);
        Value isNaN = code.compare(arith::CmpFPredicate::UNO, x, x);
        return code.select(isNaN, x, code.f32(0));
      });
  Type element = getElementTypeOrSelf(op.getWeights());
  return loops.map(chosen, element, [&](const ScalarCode &code, ValueRange at) {
    Value x = code.read(weights, at), eps = code.f32(form.getEpsValue());
    ValueRange row = at.drop_back();
    if (form.getDivideBy() == WeightSum::Added)
      x = code.div(x, code.add(code.read(sum, row), eps));
    if (form.getDivideBy() == WeightSum::Floored)
      x = code.div(x, code.max(code.read(sum, row), eps));
    x = code.scale(x, form.getWeightScaleValue());
    if (Value scale = op.getExpertScale())
      x = code.mul(x, code.read(scale, code.read(indices, at)));
    return code.add(x, code.read(poison, row));
  });
}

std::pair<Value, Value> RouteExpansion::build() {
  Value logits =
      loops.map(experts, f32, [&](const ScalarCode &code, ValueRange at) {
        return code.scale(code.read(op.getLogits(), at),
                          form.getLogitScaleValue());
      });
  Value scores = buildScores(logits), choice = buildChoice(scores);
  Value ranks = buildRanks(choice, /*groups=*/1);
  // Step 4.
  Value indices = loops.sum(
      form.getChosen(), experts, i64,
      [&](const ScalarCode &code, ValueRange at) {
        Value rank = code.read(ranks, withLast(at.drop_back(), at[3]));
        Value isIt = code.compareI(arith::CmpIPredicate::eq, rank, at[2]);
        return code.select(isIt, at[3], code.index(0));
      });
  return {indices, buildWeights(indices, logits, scores, choice)};
}

//===----------------------------------------------------------------------===//
// Experts
//===----------------------------------------------------------------------===//

namespace {
class ExpertsExpansion {
public:
  ExpertsExpansion(OpBuilder &builder, ExpertsOp op)
      : op(op), form(op.getForm()), loops(builder, op.getLoc(), op.getInput()),
        f32(builder.getF32Type()), type(getElementTypeOrSelf(op.getInput())),
        experts(getDim(op.getUpWeight(), 0)),
        slots(getDim(op.getIndices(), -1)) {
    int in = form.getTransposed() ? 1 : 2, out = form.getTransposed() ? 2 : 1;
    hidden = getDim(op.getDownWeight(), in);
    width = getDim(op.getDownWeight(), out);
  }

  Value build();

private:
  /// The expert of a slot, within the stacks.
  Value readExpert(const ScalarCode &code, ValueRange slot) {
    Value index = code.read(op.getIndices(), slot);
    return code.select(exists(code, index), index, code.index(0));
  }
  Value exists(const ScalarCode &code, Value index) {
    Value isBelow =
        code.compareI(arith::CmpIPredicate::slt, index, code.index(experts));
    return code.both(isBelow, code.compareI(arith::CmpIPredicate::sge, index,
                                            code.index(0)));
  }
  /// The summand of a slot without an expert: 0 where it is empty, else NaN.
  Value readEmpty(const ScalarCode &code, ValueRange slot) {
    Value isEmpty = code.both(
        code.compareI(arith::CmpIPredicate::sge,
                      code.read(op.getIndices(), slot), code.index(0)),
        code.compare(arith::CmpFPredicate::OEQ,
                     code.read(op.getWeights(), slot), code.f32(0)));
    return code.select(isEmpty, code.f32(0),
                       code.f32(std::numeric_limits<double>::quiet_NaN()));
  }
  Value readMatrix(const ScalarCode &code, Value stack, Value expert,
                   Value output, Value input) {
    if (form.getTransposed())
      std::swap(output, input);
    return code.read(stack, {expert, output, input});
  }
  Value readColumn(const ScalarCode &code, Value product, Value column,
                   ValueRange at);

  ExpertsOp op;
  ExpertsAttr form;
  RowLoops loops;
  Type f32, type;
  int64_t experts, slots, hidden, width;
};
} // namespace

/// Returns a column of the product by up, with its bias, rounded.
Value ExpertsExpansion::readColumn(const ScalarCode &code, Value product,
                                   Value column, ValueRange at) {
  Value x = code.read(product, withLast(at, column));
  if (Value bias = op.getUpBias())
    x = code.add(x,
                 code.read(bias, {readExpert(code, at.drop_back()), column}));
  return code.round(x, type);
}

Value ExpertsExpansion::build() {
  bool weighsInput = form.getWeigh() == Weigh::Input;
  int64_t depth = getDim(op.getInput(), -1),
          wide = form.hasGate() ? 2 * hidden : hidden;
  Value product = loops.sum(
      {slots, wide}, depth, f32, [&](const ScalarCode &code, ValueRange at) {
        ValueRange slot = at.take_front(3);
        Value x = code.read(op.getInput(), {at[0], at[1], at[4]});
        if (weighsInput)
          x = code.round(code.mul(x, code.read(op.getWeights(), slot)), type);
        return code.mul(x, readMatrix(code, op.getUpWeight(),
                                      readExpert(code, slot), at[3], at[4]));
      });
  Value inner = loops.map(
      {slots, hidden}, type, [&](const ScalarCode &code, ValueRange at) {
        bool interleaved = form.getLayout() == ExpertLayout::Interleaved;
        Value column = at[3], upColumn = column, gate;
        if (form.hasGate()) {
          Value gateColumn = interleaved ? code.mulI(column, 2) : column;
          upColumn =
              code.addI(gateColumn, code.index(interleaved ? 1 : hidden));
          gate = readColumn(code, product, gateColumn, at);
        }
        Value up = readColumn(code, product, upColumn, at);
        if (form.getLimit()) {
          Value limit = code.f32(form.getLimit().getValueAsDouble());
          up = code.max(code.min(up, limit), code.neg(limit));
          gate = gate ? code.min(gate, limit) : gate;
        }
        if (!gate)
          return code.activate(form.getActivation(), up);
        return code.mul(code.activate(form.getActivation(), gate),
                        code.add(up, code.f32(form.getUpOffsetValue())));
      });
  Value outputs = loops.sum(
      {slots, width}, hidden, f32, [&](const ScalarCode &code, ValueRange at) {
        Value x = code.read(inner, {at[0], at[1], at[2], at[4]});
        return code.mul(x, readMatrix(code, op.getDownWeight(),
                                      readExpert(code, at.take_front(3)), at[3],
                                      at[4]));
      });
  Value sums =
      loops.sum(width, slots, f32, [&](const ScalarCode &code, ValueRange at) {
        SmallVector<Value> slot = {at[0], at[1], at[3]};
        Value x = code.read(outputs, {at[0], at[1], at[3], at[2]});
        if (Value bias = op.getDownBias())
          x = code.add(x, code.read(bias, {readExpert(code, slot), at[2]}));
        if (!weighsInput)
          x = code.mul(x, code.read(op.getWeights(), slot));
        Value index = code.read(op.getIndices(), slot);
        return code.select(exists(code, index), x, readEmpty(code, slot));
      });
  Type result = getElementTypeOrSelf(op.getResult());
  if (result == f32)
    return sums;
  return loops.map(width, result, [&](const ScalarCode &code, ValueRange at) {
    return code.read(sums, at);
  });
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Sizes of a result may be known that follow from none of its operands.
static Value castTo(PatternRewriter &rewriter, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return tensor::CastOp::create(rewriter, value.getLoc(), type, value);
}

/// Returns why kernels of GPUs cannot choose among `experts`, and the way out;
/// empty if they can.
static std::string findObstacle(int64_t experts) {
  constexpr int64_t mostExperts = 1024;
  if (experts <= mostExperts)
    return "";
  return llvm::formatv("expected at most {0} experts, got {1}: split them "
                       "into several ops",
                       mostExperts, experts);
}

static std::string findObstacle(ExpertsOp op) {
  Type element = getElementTypeOrSelf(op.getInput());
  std::string obstacle = findObstacle(getDim(op.getUpWeight(), 0));
  if (!obstacle.empty())
    return obstacle;
  for (Value value :
       {op.getUpWeight(), op.getDownWeight(), op.getUpBias(), op.getDownBias()})
    if (value && getElementTypeOrSelf(value) != element)
      return llvm::formatv("expected matrices and biases of the input's "
                           "element type {0}, got {1}: convert them",
                           element, getElementTypeOrSelf(value));
  return "";
}

/// Leaves experts with matrices as [out, in].
static LogicalResult keepExperts(ExpertsOp op, PatternRewriter &rewriter) {
  ExpertsAttr form = op.getForm();
  remarkPassed(op, kExpandExperts, "left to grouped kernels",
               {{"experts", static_cast<double>(getDim(op.getUpWeight(), 0))},
                {"chosen", static_cast<double>(getDim(op.getIndices(), -1))}});
  if (!form.getTransposed())
    return success();
  rewriter.modifyOpInPlace(op, [&] {
    op.getUpWeightMutable().assign(
        transposeStack(rewriter, op.getLoc(), op.getUpWeight()));
    op.getDownWeightMutable().assign(
        transposeStack(rewriter, op.getLoc(), op.getDownWeight()));
    op.setFormAttr(ExpertsAttr::get(op.getContext(), form.getActivation(),
                                    form.getLayout(),
                                    /*transposed=*/false, form.getWeigh(),
                                    form.getLimit(), form.getUpOffset()));
  });
  return success();
}

namespace {
struct ExpandRoute final : public ExactPattern<RouteOp> {
  ExpandRoute(MLIRContext *context, bool keep)
      : ExactPattern(context), keep(keep) {}

  LogicalResult rewrite(RouteOp op, PatternRewriter &rewriter) const final {
    std::string obstacle = findObstacle(getDim(op.getLogits(), -1));
    if (keep && obstacle.empty()) {
      remarkPassed(op, kExpandExperts, "left to a kernel of its own");
      return success();
    }
    if (keep)
      remarkMissed(op, kExpandExperts, Reason::NoGroupedKernel, obstacle);
    auto [indices, weights] = RouteExpansion(rewriter, op).build();
    remarkPassed(op, kExpandExperts, "became loops",
                 {{"experts", static_cast<double>(getDim(op.getLogits(), -1))},
                  {"chosen", static_cast<double>(op.getForm().getChosen())}});
    rewriter.replaceOp(op,
                       {castTo(rewriter, indices, op.getIndices().getType()),
                        castTo(rewriter, weights, op.getWeights().getType())});
    return success();
  }

  bool keep;
};

struct ExpandExperts final : public ExactPattern<ExpertsOp> {
  ExpandExperts(MLIRContext *context, bool keep)
      : ExactPattern(context), keep(keep) {}

  LogicalResult rewrite(ExpertsOp op, PatternRewriter &rewriter) const final {
    std::string obstacle = findObstacle(op);
    if (keep && obstacle.empty())
      return keepExperts(op, rewriter);
    if (keep)
      remarkMissed(op, kExpandExperts, Reason::NoGroupedKernel, obstacle);
    Value result = ExpertsExpansion(rewriter, op).build();
    remarkPassed(
        op, kExpandExperts, "became loops",
        {{"experts", static_cast<double>(getDim(op.getUpWeight(), 0))},
         {"chosen", static_cast<double>(getDim(op.getIndices(), -1))}});
    rewriter.replaceOp(op, castTo(rewriter, result, op.getType()));
    return success();
  }

  bool keep;
};

struct BlockExpandExpertsPass
    : public block::impl::BlockExpandExpertsBase<BlockExpandExpertsPass> {
  using BlockExpandExpertsBase::BlockExpandExpertsBase;

  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandRoute, ExpandExperts>(&getContext(), keep);
    applyOnce(getOperation(), std::move(patterns), kExpandExperts,
              "router or experts", numDone, numRefused);
  }
};
} // namespace
