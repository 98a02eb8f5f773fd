//===- SublayerOutlines.cpp - the steps of a sublayer as functions --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SublayerOutlines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include "parablock/Transforms/SeparateRouters.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::drift;

/// Weight and bias in a function that is being made.
using LinearValues = std::pair<Value, Value>;

namespace {
/// Collects the arguments of a function in one walk and hands them out in a
/// second one of the same order.
class Formals {
public:
  explicit Formals(const Sublayer &sublayer) : sublayer(sublayer) {}

  Formals &add(Formal formal) {
    formals.push_back(formal);
    return *this;
  }
  Formals &addOps(ArrayRef<Operation *> ops) {
    for (Operation *op : ops)
      for (Value weight : getWeightOperands(op))
        add(Formal::of(weight));
    return *this;
  }
  Formals &addInner() {
    for (const Projection &projection : sublayer.inputs)
      addLinear(projection);
    for (Value other : sublayer.others)
      add(Formal::of(other));
    return *this;
  }
  Formals &addLinear(const Projection &projection) {
    if (!projection.weight)
      return *this;
    auto type = cast<RankedTensorType>(projection.weight.getType());
    add({type, true});
    return add({type.clone(type.getShape().take_front()), true});
  }
  operator ArrayRef<Formal>() const { return formals; }

private:
  const Sublayer &sublayer;
  SmallVector<Formal> formals;
};

/// Writes the steps of a sublayer into a function.
class Writer {
public:
  Writer(const Sublayer &sublayer, OpBuilder &builder, ValueRange arguments)
      : sublayer(sublayer), builder(builder), rest(arguments) {}

  Value take() {
    Value value = rest.front();
    rest = rest.drop_front();
    return value;
  }

  /// Copies of `ops`, the first of which reads `from` in the model.
  Value writeOps(ArrayRef<Operation *> ops, Value from, Value input) {
    IRMapping map;
    map.map(from, input);
    for (Operation *op : ops) {
      for (Value weight : getWeightOperands(op))
        map.map(weight, take());
      input = builder.clone(*op, map)->getResult(0);
    }
    return input;
  }

  /// The head again, of another input with the weights of the last one.
  Value repeatHead(Value from, Value input, Value written) {
    IRMapping map;
    map.map(from, input);
    SmallVector<Operation *> copied;
    for (Value value = written; value != from;
         value = copied.back()->getOperand(0))
      copied.push_back(value.getDefiningOp());
    for (Operation *op : llvm::reverse(copied))
      input = builder.clone(*op, map)->getResult(0);
    return input;
  }

  /// With `router`, routers read that in place of `input`.
  Value writeFeatures(Value input, Value router = {}) {
    SmallVector<LinearValues> inputs;
    for (size_t i = 0; i < sublayer.inputs.size(); ++i)
      inputs.push_back(takeLinear());
    IRMapping map;
    map.map(sublayer.input, input);
    for (Value other : sublayer.others)
      map.map(other, take());
    if (!sublayer.steps.empty()) {
      SmallVector<Operation *> written;
      for (Operation *op : sublayer.steps)
        written.push_back(builder.clone(*op, map));
      if (!router)
        return map.lookup(sublayer.features);
      return block::separateRouters(written, map.lookup(sublayer.features),
                                    input, router);
    }
    if (auto attention = dyn_cast<block::AttentionOp>(sublayer.op))
      return writeHeads(attention, map, inputs);
    return writeHidden(cast<block::MlpOp>(sublayer.op), input, inputs);
  }

  /// Indices and weights of the slots of a mixture.
  SmallVector<Value> writeRoute(block::MoeOp op, Value input) {
    IRMapping map;
    for (Value other : sublayer.others)
      map.map(other, take());
    Location loc = op.getLoc();
    Value router = map.lookup(op.getRouterWeight());
    Type scores = getElementTypeOrSelf(router);
    if (!scores.isF32())
      scores = getElementTypeOrSelf(input);
    Value read = block::castElements(builder, loc, input, scores);
    int64_t experts = cast<RankedTensorType>(router.getType()).getDimSize(0);
    Value logits = block::LinearOp::create(
        builder, loc, block::withWidth(input, experts, scores), read, router,
        map.lookupOrNull(op.getRouterBias()));
    int64_t chosen = op.getRouting().getChosen();
    auto route = block::RouteOp::create(
        builder, loc, block::withWidth(logits, chosen, builder.getI64Type()),
        block::withWidth(logits, chosen, builder.getF32Type()), logits,
        map.lookupOrNull(op.getCorrection()),
        map.lookupOrNull(op.getExpertScale()), op.getRouting());
    return {route.getIndices(), route.getWeights()};
  }

  /// The input of one expert's output matrix, times its weight if that weighs
  /// outputs.
  Value writeExpertHidden(block::MoeOp op, Value input) {
    Value indices = take(), weights = take(), up = take();
    Value bias = op.getUpBias() ? take() : Value(), identity = take();
    int64_t hidden = cast<RankedTensorType>(identity.getType()).getDimSize(1);
    return block::ExpertsOp::create(
        builder, op.getLoc(),
        block::withWidth(input, hidden, getElementTypeOrSelf(input)), input,
        indices, weights, up, identity, bias, Value(), op.getForm());
  }

  /// The hidden values of a mixture's shared experts, times their gate.
  Value writeSharedHidden(block::MoeOp op, Value input) {
    IRMapping map;
    for (Value other : sublayer.others)
      map.map(other, take());
    Type element = cast<RankedTensorType>(input.getType()).getElementType();
    auto project = [&](Value read, Value weight) -> Value {
      auto type = cast<RankedTensorType>(weight.getType());
      return block::LinearOp::create(
          builder, op.getLoc(),
          block::withWidth(input, type.getDimSize(0), element), read, weight,
          Value());
    };
    auto getKind = [&](block::Activation kind) {
      return block::ActivationAttr::get(builder.getContext(), kind);
    };
    auto kind = getKind(op.getForm().getActivation());
    Value up = project(input, map.lookup(op.getSharedUp()));
    Type type = up.getType();
    Value hidden;
    if (op.getSharedGate())
      hidden = block::GateOp::create(
          builder, op.getLoc(), type,
          project(input, map.lookup(op.getSharedGate())), up, kind);
    else
      hidden =
          block::ActivationOp::create(builder, op.getLoc(), type, up, kind);
    if (!op.getSharedRouter())
      return hidden;
    auto column = RankedTensorType::get(
        {cast<RankedTensorType>(type).getDimSize(2), 1}, element);
    Value ones = arith::ConstantOp::create(
        builder, op.getLoc(),
        DenseElementsAttr::get(column, builder.getFloatAttr(element, 1.0)));
    Value openness =
        project(project(input, map.lookup(op.getSharedRouter())), ones);
    return block::GateOp::create(builder, op.getLoc(), type, openness, hidden,
                                 getKind(block::Activation::Sigmoid));
  }

  /// Output projection and tail.
  Value writeEnd(Value features) {
    Type type = sublayer.result.getType();
    return writeTail(sublayer.output.weight
                         ? writeLinear(features, takeLinear(), type)
                         : features);
  }

  Value writeTail(Value value) {
    return writeOps(sublayer.tail, sublayer.result, value);
  }

private:
  LinearValues takeLinear() {
    Value weight = take();
    return {weight, take()};
  }

  Value writeLinear(Value input, LinearValues linear, Type type) {
    return block::LinearOp::create(builder, sublayer.op->getLoc(), type, input,
                                   linear.first, linear.second);
  }

  Value writeHidden(block::MlpOp op, Value input,
                    ArrayRef<LinearValues> inputs) {
    auto project = [&](LinearValues linear) {
      auto weight = cast<RankedTensorType>(linear.first.getType());
      return writeLinear(
          input, linear,
          block::withWidth(
              input, weight.getDimSize(0),
              cast<RankedTensorType>(input.getType()).getElementType()));
    };
    Value up = project(inputs[0]);
    auto kind =
        block::ActivationAttr::get(builder.getContext(), op.getActivation());
    if (!op.getGateWeight())
      return block::ActivationOp::create(builder, op.getLoc(), up.getType(), up,
                                         kind);
    Value gate = project(inputs[1]);
    return block::GateOp::create(builder, op.getLoc(), up.getType(), gate, up,
                                 kind);
  }

  /// The attention without its output projection, and with a bias for each
  /// projection.
  Value writeHeads(block::AttentionOp op, IRMapping map,
                   ArrayRef<LinearValues> inputs) {
    for (auto [projection, linear] : llvm::zip_equal(sublayer.inputs, inputs)) {
      map.map(projection.weight, linear.first);
      if (projection.bias)
        map.map(projection.bias, linear.second);
    }
    // What is replaced in the clone may be anything of the right type.
    if (sublayer.output.weight)
      map.map(sublayer.output.weight, inputs.front().first);
    if (sublayer.output.bias)
      map.map(sublayer.output.bias, inputs.front().second);
    auto clone = cast<block::AttentionOp>(builder.clone(*op, map));
    clone.getQBiasMutable().assign(inputs[0].second);
    clone.getKBiasMutable().assign(inputs[1].second);
    if (op.getVWeight())
      clone.getVBiasMutable().assign(inputs[2].second);
    clone.getOWeightMutable().clear();
    clone.getOBiasMutable().clear();
    int64_t width = op.getHeads() * op.getValueHeadSize();
    Type element =
        cast<RankedTensorType>(op.getInput().getType()).getElementType();
    clone.getResult().setType(
        block::withWidth(clone.getResult(), width, element));
    return clone.getResult();
  }

  const Sublayer &sublayer;
  OpBuilder &builder;
  ValueRange rest;
};
} // namespace

static Outline makeHead(const Sublayer &sublayer, Outliner &outliner) {
  return outliner.make(
      Formals(sublayer).add(Formal::of(sublayer.stream)).addOps(sublayer.head),
      [&](OpBuilder &builder, ValueRange arguments) -> SmallVector<Value> {
        Writer writer(sublayer, builder, arguments);
        return {writer.writeOps(sublayer.head, sublayer.stream, writer.take())};
      });
}

SublayerOutlines::SublayerOutlines(const Sublayer &sublayer,
                                   Outliner &outliner) {
  head = makeHead(sublayer, outliner);
  features = outliner.make(
      Formals(sublayer).add(Formal::of(sublayer.input)).addInner(),
      [&](OpBuilder &builder, ValueRange arguments) -> SmallVector<Value> {
        Writer writer(sublayer, builder, arguments);
        return {writer.writeFeatures(writer.take())};
      });
  branch = outliner.make(
      Formals(sublayer)
          .add(Formal::of(sublayer.stream))
          .addOps(sublayer.head)
          .addInner()
          .addLinear(sublayer.output)
          .addOps(sublayer.tail),
      [&](OpBuilder &builder, ValueRange arguments) -> SmallVector<Value> {
        Writer writer(sublayer, builder, arguments);
        Value normed =
            writer.writeOps(sublayer.head, sublayer.stream, writer.take());
        return {writer.writeEnd(writer.writeFeatures(normed))};
      });
  if (block::MoeOp moe = sublayer.getMixture())
    addExperts(sublayer, moe, outliner);
  if (block::MoeOp moe = sublayer.getMixture(); moe && moe.getSharedUp())
    sharedHidden = outliner.make(
        Formals(sublayer).add(Formal::of(sublayer.input)).addInner(),
        [&](OpBuilder &builder, ValueRange arguments) -> SmallVector<Value> {
          Writer writer(sublayer, builder, arguments);
          return {writer.writeSharedHidden(moe, writer.take())};
        });
  if (!sublayer.tail.empty())
    tail = outliner.make(
        Formals(sublayer)
            .add(Formal::of(sublayer.result))
            .addOps(sublayer.tail),
        [&](OpBuilder &builder, ValueRange arguments) -> SmallVector<Value> {
          Writer writer(sublayer, builder, arguments);
          return {writer.writeTail(writer.take())};
        });
  if (!sublayer.postNorm.empty())
    postNorm = outliner.make(
        Formals(sublayer)
            .add(Formal::of(sublayer.residual->getResult(0)))
            .addOps(sublayer.postNorm),
        [&](OpBuilder &builder, ValueRange arguments) -> SmallVector<Value> {
          Writer writer(sublayer, builder, arguments);
          return {writer.writeOps(sublayer.postNorm,
                                  sublayer.residual->getResult(0),
                                  writer.take())};
        });
  if (!sublayer.output.weight && sublayer.tail.empty())
    return;
  Type read = features.function.getFunctionType().getResult(0);
  end = outliner.make(
      Formals(sublayer)
          .add({read, false})
          .addLinear(sublayer.output)
          .addOps(sublayer.tail),
      [&](OpBuilder &builder, ValueRange arguments) -> SmallVector<Value> {
        Writer writer(sublayer, builder, arguments);
        return {writer.writeEnd(writer.take())};
      });
}

/// Returns the type of a stack of one of the matrices or biases of `stack`.
static RankedTensorType getOneOf(Value stack) {
  auto type = cast<RankedTensorType>(stack.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.front() = 1;
  return type.clone(shape);
}

void SublayerOutlines::addExperts(const Sublayer &sublayer, block::MoeOp op,
                                  Outliner &outliner) {
  route = outliner.make(
      Formals(sublayer).add(Formal::of(sublayer.input)).addInner(),
      [&](OpBuilder &builder, ValueRange arguments) -> SmallVector<Value> {
        Writer writer(sublayer, builder, arguments);
        return writer.writeRoute(op, writer.take());
      });
  Builder builder(op.getContext());
  Value input = op.getInput();
  RankedTensorType up = getOneOf(op.getUpWeight()),
                   down = getOneOf(op.getDownWeight());
  int64_t hidden = down.getDimSize(op.getForm().getTransposed() ? 1 : 2);
  Formals formals(sublayer);
  formals.add(Formal::of(sublayer.input))
      .add({block::withWidth(input, 1, builder.getI64Type()), false})
      .add({block::withWidth(input, 1, builder.getF32Type()), false})
      .add({up, true});
  if (op.getUpBias())
    formals.add({getOneOf(op.getUpBias()), true});
  formals.add({down.clone({1, hidden, hidden}), true});
  expertHidden = outliner.make(
      formals,
      [&](OpBuilder &builder, ValueRange arguments) -> SmallVector<Value> {
        Writer writer(sublayer, builder, arguments);
        return {writer.writeExpertHidden(op, writer.take())};
      });
}

void SublayerOutlines::addRouted(const Sublayer &sublayer, Outliner &outliner) {
  routedFeatures = outliner.make(
      Formals(sublayer)
          .add(Formal::of(sublayer.input))
          .add(Formal::of(sublayer.input))
          .addInner(),
      [&](OpBuilder &builder, ValueRange arguments) -> SmallVector<Value> {
        Writer writer(sublayer, builder, arguments);
        Value input = writer.take(), router = writer.take();
        return {writer.writeFeatures(input, router)};
      });
  routedBranch = outliner.make(
      Formals(sublayer)
          .add(Formal::of(sublayer.stream))
          .add(Formal::of(sublayer.stream))
          .addOps(sublayer.head)
          .addInner()
          .addLinear(sublayer.output)
          .addOps(sublayer.tail),
      [&](OpBuilder &builder, ValueRange arguments) -> SmallVector<Value> {
        Writer writer(sublayer, builder, arguments);
        Value stream = writer.take(), fresh = writer.take();
        Value normed = writer.writeOps(sublayer.head, sublayer.stream, stream);
        Value router = writer.repeatHead(stream, fresh, normed);
        return {writer.writeEnd(writer.writeFeatures(normed, router))};
      });
}

Outline drift::makeHeadAs(const Sublayer &sublayer, Outliner &outliner,
                          block::NormAttr form) {
  Outline made = makeHead(sublayer, outliner);
  made.function.walk([&](block::NormOp norm) {
    block::NormAttr own = norm.getForm();
    norm.setFormAttr(block::NormAttr::get(
        norm.getContext(), form.getKind(), form.getEps(), form.getEpsForm(),
        own.getGammaForm(), own.getRounding()));
  });
  return made;
}
