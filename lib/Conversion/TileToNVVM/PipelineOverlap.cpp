//===- PipelineOverlap.cpp - products beside what the next step begins ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A step begins with products that it waits for (the first part), continues
// in registers (the rest), and ends with deferred products, which the
// tensor cores compute during work in registers:
//
//   first 0; rest 0
//   for step 1 ..: issue first; issue deferred of the previous step;
//                  wait for first; rest, which waits for those where it reads
//                  what they yield
//   deferred of the last step
//
// If the body reads whether a step is in the middle (tile.between), the
// steps before, between and after have separate, specialized loops.
//
// Warpgroups take turns at issuing, so that one multiplies while others
// work in registers: each waits for its turn, and then passes it to the
// next one. The last one lets the first begin, which finally consumes the
// last turn.
//
//===----------------------------------------------------------------------===//

#include "Copies.h"
#include "Multiply.h"
#include "Pipelines.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace parablock::tile;

/// Named barriers of the warpgroups; smaller numbers are taken.
static constexpr int64_t firstTurnBarrier = 2;
/// The threads that meet there: a warpgroup and the previous one.
static constexpr int64_t turnThreads = 256;

namespace parablock::tile {
class OverlappingConsumer {
public:
  explicit OverlappingConsumer(PipelineLowering &lowering);

  SmallVector<Value> create();

private:
  /// The state that one step leaves for the next.
  struct State {
    /// The state of the next step; deferred products have the one before.
    SharedRing::State next;
    /// The pipeline's carried values; for deferred products, their
    /// accumulators.
    SmallVector<Value> carried;
    /// The left operands of the deferred products.
    SmallVector<PackedOperand> lefts;
  };
  SharedRing::State getLast(const State &state) {
    return ring.createPrevious(builder, state.next);
  }
  SmallVector<Value> flatten(const State &state);
  State unflatten(ValueRange values, const State &like);

  IRMapping createMapping(Value step, SharedRing::State current);
  Operation *clone(Operation *op, IRMapping &mapping);
  void begin(IRMapping &mapping);
  State finish(IRMapping &mapping, ValueRange carried,
               SharedRing::State current, const State *before);
  State keep(IRMapping &mapping, SharedRing::State current);
  void waitForDeferred(const State &state);
  SmallVector<Value> multiplyDeferred(const State &state);
  State addSteps(Value from, Value to, const State &start,
                 std::optional<bool> isMiddle);
  State addAllSteps(const State &start);
  void waitForProducts(int64_t pending) {
    NVVM::WgmmaWaitGroupSyncOp::create(builder, pending);
  }

  int64_t getGroups() const { return lowering.context.getWarps() / 4; }
  bool takesTurns() const { return getGroups() > 1; }
  void arriveForTurn(Value group);
  void waitForTurn(Value group);
  /// Runs `body` in one of the warpgroups.
  void inGroup(int64_t group, llvm::function_ref<void()> body);

  PipelineLowering &lowering;
  PipelineOp pipeline;
  DeviceBuilder &builder;
  const SharedRing &ring;
  TileTypeConverter converter;
  SmallVector<Operation *> first, rest;
  /// The op that tests for steps in the middle, or null.
  BetweenOp middle;
  /// With the number of the result of each.
  SmallVector<std::pair<MmaOp, int64_t>> deferred;
};
} // namespace parablock::tile

OverlappingConsumer::OverlappingConsumer(PipelineLowering &lowering)
    : lowering(lowering), pipeline(lowering.pipeline),
      builder(lowering.builder), ring(lowering.ring),
      converter(lowering.context) {
  Block &body = pipeline.getConsume().front();
  auto yielded = body.getTerminator()->getOperands();
  auto asking = body.getOps<BetweenOp>();
  if (!asking.empty())
    middle = *asking.begin();
  bool isFirst = true;
  for (Operation &op : body.without_terminator()) {
    isFirst = isFirst && !isa<SettleOp>(op);
    auto product = dyn_cast<MmaOp>(op);
    if (product && product.getDeferred())
      deferred.emplace_back(product, llvm::find(yielded, product.getResult()) -
                                         yielded.begin());
    else
      (isFirst ? first : rest).push_back(&op);
  }
}

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

SmallVector<Value> OverlappingConsumer::flatten(const State &state) {
  SmallVector<Value> values = {state.next.stage, state.next.parity};
  llvm::append_range(values, state.carried);
  for (const PackedOperand &left : state.lefts)
    llvm::append_range(values, left.words);
  return values;
}

OverlappingConsumer::State OverlappingConsumer::unflatten(ValueRange values,
                                                          const State &like) {
  State state{{values[0], values[1]}, {}, {}};
  values = values.drop_front(2);
  llvm::append_range(state.carried, values.take_front(like.carried.size()));
  values = values.drop_front(like.carried.size());
  for (const PackedOperand &left : like.lefts) {
    state.lefts.push_back(
        {SmallVector<Value>(values.take_front(left.words.size()))});
    values = values.drop_front(left.words.size());
  }
  return state;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Maps the step and its buffers, once they are full.
IRMapping OverlappingConsumer::createMapping(Value step,
                                             SharedRing::State current) {
  IRMapping mapping;
  Block &body = pipeline.getConsume().front();
  SmallVector<Value> arguments = lowering.castArguments(step, current.stage);
  mapping.map(body.getArguments().take_front(arguments.size()), arguments);
  lowering.waitFor(ring.createFullBarrier(builder, current.stage),
                   current.parity);
  return mapping;
}

/// Clones an op; for a known choice, clones only the selected branch and
/// returns null.
Operation *OverlappingConsumer::clone(Operation *op, IRMapping &mapping) {
  if (op == middle && mapping.contains(middle.getResult()))
    return nullptr;
  auto choice = dyn_cast<scf::IfOp>(op);
  std::optional<int64_t> isTrue;
  if (choice)
    isTrue =
        getConstantIntValue(mapping.lookupOrDefault(choice.getCondition()));
  if (!isTrue)
    return builder.clone(*op, mapping);
  Block *chosen = *isTrue ? choice.thenBlock() : choice.elseBlock();
  for (Operation &inner : chosen->without_terminator())
    builder.clone(inner, mapping);
  for (auto [result, value] : llvm::zip_equal(
           choice.getResults(), chosen->getTerminator()->getOperands()))
    mapping.map(result, mapping.lookupOrDefault(value));
  return nullptr;
}

void OverlappingConsumer::begin(IRMapping &mapping) {
  for (Operation *op : first)
    clone(op, mapping);
}

/// Finishes a step. `before` is the state after the previous step, whose
/// products may still run; null for the first step.
OverlappingConsumer::State
OverlappingConsumer::finish(IRMapping &mapping, ValueRange carried,
                            SharedRing::State current, const State *before) {
  Block &body = pipeline.getConsume().front();
  for (auto [argument, value] :
       llvm::zip_equal(body.getArguments().take_back(carried.size()), carried))
    mapping.map(argument, builder.cast(argument.getType(), value));
  bool isFirstGiven = false, isLastGiven = before == nullptr;
  auto giveBackLast = [&] {
    lowering.release(getLast(*before).stage, /*condition=*/{}, /*group=*/1);
    isLastGiven = true;
  };
  for (Operation *op : rest) {
    auto settle = dyn_cast_or_null<SettleOp>(clone(op, mapping));
    if (!settle)
      continue;
    if (!isa<BlockArgument>(op->getOperand(0))) {
      if (before) // deferred products were issued since
        settle.setPending(settle.getPending() + deferred.size());
    } else if (!isLastGiven) {
      giveBackLast();
    }
    if (!isFirstGiven)
      lowering.release(current.stage);
    isFirstGiven = true;
  }
  if (!isLastGiven) {
    waitForProducts(0);
    giveBackLast();
  }
  return keep(mapping, current);
}

OverlappingConsumer::State
OverlappingConsumer::keep(IRMapping &mapping, SharedRing::State current) {
  Block &body = pipeline.getConsume().front();
  State state{ring.createNext(builder, current), {}, {}};
  for (auto [value, init] :
       llvm::zip_equal(body.getTerminator()->getOperands(), lowering.inits)) {
    auto product = value.getDefiningOp<MmaOp>();
    Value kept = product && product.getDeferred()
                     ? Value(product.getAccumulator())
                     : value;
    state.carried.push_back(
        builder.cast(init.getType(), mapping.lookupOrDefault(kept)));
  }
  for (auto [product, result] : deferred) {
    Value left = product.getLeft();
    Value converted = builder.cast(converter.convertType(left.getType()),
                                   mapping.lookupOrDefault(left));
    state.lefts.push_back(
        packLeft(builder, product, converted, lowering.context));
  }
  return state;
}

void OverlappingConsumer::waitForDeferred(const State &state) {
  SharedRing::State last = getLast(state);
  lowering.waitFor(ring.createFullBarrier(builder, last.stage, /*group=*/1),
                   last.parity);
}

SmallVector<Value> OverlappingConsumer::multiplyDeferred(const State &state) {
  SmallVector<Value> buffers =
      ring.createBuffers(builder, getLast(state).stage);
  SmallVector<Value> results = state.carried;
  for (auto [number, product] : llvm::enumerate(deferred)) {
    auto [op, result] = product;
    auto right = cast<BlockArgument>(op.getRight());
    results[result] =
        createPackedProduct(builder, op, state.lefts[number],
                            buffers[right.getArgNumber() - 1], results[result]);
  }
  return results;
}

/// Steps that are all in the middle, or all not, or not known to be.
OverlappingConsumer::State
OverlappingConsumer::addSteps(Value from, Value to, const State &start,
                              std::optional<bool> isMiddle) {
  Value one = builder.constant(1);
  auto loop = scf::ForOp::create(builder, from, to, one, flatten(start));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value group = builder.divide(builder.warpIndex(), 4);
  State before = unflatten(loop.getRegionIterArgs(), start);
  IRMapping mapping = createMapping(loop.getInductionVar(), before.next);
  if (isMiddle)
    mapping.map(
        middle.getResult(),
        arith::ConstantOp::create(builder, builder.getBoolAttr(*isMiddle)));
  waitForTurn(group);
  begin(mapping);
  waitForDeferred(before);
  SmallVector<Value> carried = multiplyDeferred(before);
  arriveForTurn(builder.remainder(builder.add(group, 1), getGroups()));
  State next = finish(mapping, carried, before.next, &before);
  scf::YieldOp::create(builder, flatten(next));
  return unflatten(loop.getResults(), start);
}

/// All but the first step.
OverlappingConsumer::State
OverlappingConsumer::addAllSteps(const State &start) {
  Value one = builder.constant(1), steps = lowering.steps;
  if (!middle)
    return addSteps(one, steps, start, std::nullopt);
  auto limit = [&](Value bound, Value least) -> Value {
    Value number = builder.cast(builder.getI32Type(), bound);
    number = arith::MaxSIOp::create(builder, number, least);
    return arith::MinSIOp::create(builder, number, steps);
  };
  State state = start;
  Value from = one;
  std::optional<int64_t> known = getConstantIntValue(middle.getFrom());
  if (!known || *known > 1) {
    from = limit(middle.getFrom(), one);
    state = addSteps(one, from, state, false);
  }
  Value to = limit(middle.getTo(), from);
  state = addSteps(from, to, state, true);
  return addSteps(to, steps, state, false);
}

SmallVector<Value> OverlappingConsumer::create() {
  Value zero = builder.constant(0), one = builder.constant(1);
  SharedRing::State start = ring.loadState(builder);
  inGroup(getGroups() - 1, [&] { arriveForTurn(zero); });
  IRMapping mapping = createMapping(zero, start);
  begin(mapping);
  State initial = finish(mapping, lowering.inits, start, /*before=*/nullptr);

  State last = addAllSteps(initial);
  inGroup(0, [&] { waitForTurn(zero); });
  waitForDeferred(last);
  Value stage = getLast(last).stage;
  lowering.clearPastEnds(builder.subtract(lowering.steps, one), stage);
  SmallVector<Value> results = multiplyDeferred(last);
  waitForProducts(0);
  lowering.release(stage, /*condition=*/{}, /*group=*/1);
  ring.storeState(builder, last.next);
  return results;
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

void OverlappingConsumer::inGroup(int64_t group,
                                  llvm::function_ref<void()> body) {
  if (takesTurns())
    builder.when(builder.compare(arith::CmpIPredicate::eq,
                                 builder.divide(builder.warpIndex(), 4),
                                 builder.constant(group)),
                 body);
}

void OverlappingConsumer::arriveForTurn(Value group) {
  if (!takesTurns())
    return;
  LLVM::CallIntrinsicOp::create(
      builder,
      builder.getStringAttr("llvm.nvvm.barrier.cta.arrive.aligned.count"),
      ValueRange{builder.add(group, firstTurnBarrier),
                 builder.constant(turnThreads)});
}

void OverlappingConsumer::waitForTurn(Value group) {
  if (!takesTurns())
    return;
  NVVM::BarrierOp::create(builder, TypeRange(),
                          builder.add(group, firstTurnBarrier),
                          builder.constant(turnThreads),
                          /*reductionOp=*/nullptr,
                          /*reductionPredicate=*/nullptr);
}

SmallVector<Value> PipelineLowering::createOverlappingConsumer() {
  return OverlappingConsumer(*this).create();
}
