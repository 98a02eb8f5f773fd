//===- PipelineOverlap.cpp - products beside what the next step begins ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A step begins with products that are waited for (the first part), goes on
// with registers (the rest), and ends with deferred products, for which the
// tensor cores have time while registers are worked on:
//
//   first 0; rest 0
//   for step 1 ..: issue first; issue deferred of the step before;
//                  wait for first; rest, which waits for those where it reads
//                  what they yield
//   deferred of the last step
//
// Two warpgroups take turns at issuing, so that one multiplies while the other
// works on registers.
//
//===----------------------------------------------------------------------===//

#include "Copies.h"
#include "Multiply.h"
#include "Pipelines.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace parablock::tile;

/// Named barriers of the two warpgroups; smaller numbers are taken.
static constexpr int64_t firstTurnBarrier = 2;

namespace parablock::tile {
class OverlappingConsumer {
public:
  explicit OverlappingConsumer(PipelineLowering &lowering);

  SmallVector<Value> create();

private:
  /// The state that one step leaves for the next.
  struct State {
    /// The state of the next step, and of the deferred products.
    SharedRing::State next, last;
    /// The pipeline's values; of deferred products, what they are added to.
    SmallVector<Value> carried;
    /// The left operands of the deferred products.
    SmallVector<PackedOperand> lefts;
  };
  SmallVector<Value> flatten(const State &state);
  State unflatten(ValueRange values, const State &like);

  IRMapping createMapping(Value step, SharedRing::State current);
  void begin(IRMapping &mapping);
  State finish(IRMapping &mapping, ValueRange carried,
               SharedRing::State current, const State *before);
  State keep(IRMapping &mapping, SharedRing::State current);
  SmallVector<Value> multiplyDeferred(const State &state);
  void waitForProducts(int64_t pending) {
    NVVM::WgmmaWaitGroupSyncOp::create(builder, pending);
  }
  /// Keeps the wait that comes next behind what comes before: ptxas would put
  /// it in front of all that needs none, and nothing would be left to overlap.
  void keepInFront() {
    LLVM::FenceOp::create(builder, LLVM::AtomicOrdering::acq_rel, "block");
  }
  void clearPastEnds(Value step, Value stage);

  bool takesTurns() const { return lowering.context.getWarps() == 8; }
  void arriveForTurn(Value group);
  void waitForTurn(Value group);
  /// Runs `body` in one of the two warpgroups.
  void inGroup(int64_t group, llvm::function_ref<void()> body);

  PipelineLowering &lowering;
  PipelineOp pipeline;
  DeviceBuilder &builder;
  const SharedRing &ring;
  TileTypeConverter converter;
  SmallVector<Operation *> first, rest;
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
  SmallVector<Value> values = {state.next.stage, state.next.parity,
                               state.last.stage, state.last.parity};
  llvm::append_range(values, state.carried);
  for (const PackedOperand &left : state.lefts)
    llvm::append_range(values, left.words);
  return values;
}

OverlappingConsumer::State OverlappingConsumer::unflatten(ValueRange values,
                                                          const State &like) {
  State state{{values[0], values[1]}, {values[2], values[3]}, {}, {}};
  values = values.drop_front(4);
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

void OverlappingConsumer::begin(IRMapping &mapping) {
  for (Operation *op : first)
    builder.clone(*op, mapping);
}

/// The rest of a step. `before` is what the step before left, whose products
/// may still run; null for the first step.
OverlappingConsumer::State
OverlappingConsumer::finish(IRMapping &mapping, ValueRange carried,
                            SharedRing::State current, const State *before) {
  Block &body = pipeline.getConsume().front();
  for (auto [argument, value] :
       llvm::zip_equal(body.getArguments().take_back(carried.size()), carried))
    mapping.map(argument, builder.cast(argument.getType(), value));
  bool isFirstGiven = false, isLastGiven = before == nullptr;
  auto giveBackLast = [&] {
    lowering.release(before->last.stage, /*condition=*/{}, /*group=*/1);
    isLastGiven = true;
  };
  for (Operation *op : rest) {
    if (before && isa<SettleOp>(op) && isa<BlockArgument>(op->getOperand(0)))
      keepInFront();
    Operation *clone = builder.clone(*op, mapping);
    auto settle = dyn_cast<SettleOp>(clone);
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
  State state{ring.createNext(builder, current), current, {}, {}};
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

SmallVector<Value> OverlappingConsumer::multiplyDeferred(const State &state) {
  SmallVector<Value> buffers = ring.createBuffers(builder, state.last.stage);
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

/// Boxes of tensor maps know no ends but the tensor's.
void OverlappingConsumer::clearPastEnds(Value step, Value stage) {
  for (CopyOp copy : lowering.cloneProduce(step, stage))
    lowering.replaceCopy(copy, [&](DeviceBuilder &atCopy) {
      if (copy.getEnd())
        createZerosPastEnd(atCopy, lowering.context, copy);
    });
}

SmallVector<Value> OverlappingConsumer::create() {
  Value zero = builder.constant(0), one = builder.constant(1);
  SharedRing::State start = ring.loadState(builder);
  Value group = builder.divide(builder.warpIndex(), 4);
  inGroup(1, [&] { arriveForTurn(zero); });
  IRMapping mapping = createMapping(zero, start);
  begin(mapping);
  State initial = finish(mapping, lowering.inits, start, /*before=*/nullptr);

  auto loop =
      scf::ForOp::create(builder, one, lowering.steps, one, flatten(initial));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    State before = unflatten(loop.getRegionIterArgs(), initial);
    IRMapping mapping = createMapping(loop.getInductionVar(), before.next);
    waitForTurn(group);
    begin(mapping);
    lowering.waitFor(
        ring.createFullBarrier(builder, before.last.stage, /*group=*/1),
        before.last.parity);
    SmallVector<Value> carried = multiplyDeferred(before);
    arriveForTurn(builder.subtract(one, group));
    State next = finish(mapping, carried, before.next, &before);
    scf::YieldOp::create(builder, flatten(next));
  }
  State last = unflatten(loop.getResults(), initial);
  inGroup(0, [&] { waitForTurn(zero); });
  lowering.waitFor(
      ring.createFullBarrier(builder, last.last.stage, /*group=*/1),
      last.last.parity);
  clearPastEnds(builder.subtract(lowering.steps, one), last.last.stage);
  SmallVector<Value> results = multiplyDeferred(last);
  waitForProducts(0);
  lowering.release(last.last.stage, /*condition=*/{}, /*group=*/1);
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
      ValueRange{builder.add(group, firstTurnBarrier), builder.constant(256)});
}

void OverlappingConsumer::waitForTurn(Value group) {
  if (!takesTurns())
    return;
  NVVM::BarrierOp::create(builder, TypeRange(),
                          builder.add(group, firstTurnBarrier),
                          builder.constant(256), /*reductionOp=*/nullptr,
                          /*reductionPredicate=*/nullptr);
}

SmallVector<Value> PipelineLowering::createOverlappingConsumer() {
  return OverlappingConsumer(*this).create();
}
