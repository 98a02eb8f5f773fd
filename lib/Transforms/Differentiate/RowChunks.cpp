//===- RowChunks.cpp - divides rows around activations --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowChunks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

static constexpr StringLiteral kPass = "block-checkpoint";

/// Returns the type of rows `[batch, position, width]`, or null.
static RankedTensorType getRows(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == 3 && type.hasStaticShape()
             ? type
             : RankedTensorType();
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Returns whether results are sums over rows that may be added in parts.
static bool isRowSum(Operation *op) {
  return isa<WeightGradOp, ColumnSumsOp>(op) &&
         getElementTypeOrSelf(op->getResult(0)).isF32();
}

static bool isRowProduct(Operation *op) {
  return isa<LinearOp, LinearSumOp>(op);
}

/// Returns whether the rows of `op` depend on no other rows and on no number of
/// a row.
static bool hasOwnRows(Operation *op) {
  auto step = dyn_cast<StepOpInterface>(op);
  if (!step || dropsElements(op))
    return false;
  if (!isRowSum(op) && !isRowProduct(op) &&
      (step.getStepKind() != StepKind::Step ||
       step.getReach() > StepReach::Row))
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    OperandRole role = step.getOperandRole(operand);
    if (role == OperandRole::Table || role == OperandRole::Position ||
        role == OperandRole::Setting)
      return false;
  }
  return true;
}

/// Calls `visit` for the operands of `op` that have its rows.
static void forEachRowOperand(Operation *op,
                              llvm::function_ref<void(OpOperand &)> visit) {
  auto step = cast<StepOpInterface>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    OperandRole role = step.getOperandRole(operand);
    if (getRows(operand.get()) &&
        (role == OperandRole::Columns || role == OperandRole::Stream ||
         role == OperandRole::Rows || role == OperandRole::Statistic))
      visit(operand);
  }
}

namespace {
/// Grows a group from the values of an activation.
class Grower {
public:
  Grower(Block *body, bool mayEscape) : body(body), mayEscape(mayEscape) {}

  RowGroup run(Operation *seed) {
    add(seed);
    for (size_t i = 0; i < group.wide.size(); ++i) {
      Value value = group.wide[i];
      if (Operation *maker = value.getDefiningOp();
          maker && maker->getBlock() == body)
        add(maker);
      else
        stop(seed);
      for (Operation *user : value.getUsers())
        if (!mayEscape || !isa<YieldOp>(user))
          add(user);
    }
    SmallVector<Operation *> ordered(group.ops.takeVector());
    llvm::sort(ordered, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    group.ops.insert_range(ordered);
    if (!group.obstacle)
      checkOrder();
    return std::move(group);
  }

private:
  void stop(Operation *op) {
    if (!group.obstacle)
      group.obstacle = op;
  }

  void add(Operation *op) {
    if (op->getBlock() != body || !hasOwnRows(op))
      return stop(op);
    if (!group.ops.insert(op) || isRowSum(op) || isRowProduct(op))
      return;
    forEachRowOperand(op,
                      [&](OpOperand &read) { group.wide.insert(read.get()); });
    for (Value result : op->getResults())
      group.wide.insert(result);
  }

  /// An op outside of the group that depends on it and is read by it needs a
  /// part of the group before the other.
  void checkOrder() {
    SetVector<Operation *> behind;
    auto addUsers = [&](Operation *op) {
      for (Operation *user : op->getUsers())
        if (user = body->findAncestorOpInBlock(*user); user)
          if (!group.ops.contains(user))
            behind.insert(user);
    };
    for (Operation *op : group.ops)
      addUsers(op);
    for (size_t i = 0; i < behind.size(); ++i) {
      for (Operation *user : behind[i]->getUsers())
        if (group.ops.contains(user))
          return stop(behind[i]);
      addUsers(behind[i]);
    }
  }

  Block *body;
  bool mayEscape;
  RowGroup group;
};
} // namespace

SmallVector<RowGroup> block::findRowGroups(LayerOp layer, bool mayEscape) {
  SmallVector<RowGroup> groups;
  Block &body = layer.getBody().front();
  DenseSet<Operation *> seen;
  for (Operation &op : body.without_terminator()) {
    auto step = dyn_cast<StepOpInterface>(&op);
    if (!step || step.getStepKind() != StepKind::Step ||
        step.getPart() != ModelPart::Mlp || seen.contains(&op))
      continue;
    groups.push_back(Grower(&body, mayEscape).run(&op));
    seen.insert_range(groups.back().ops);
    seen.insert(&op);
  }
  return groups;
}

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

namespace {
/// Writes a group for some positions after the others.
class Divider {
public:
  explicit Divider(const RowGroup &group)
      : group(group), builder(group.ops.back()) {
    for (Operation *op : group.ops)
      for (Value result : op->getResults())
        if (llvm::any_of(result.getUsers(), [&](Operation *user) {
              return !group.ops.contains(user);
            }))
          parts[result];
  }

  void addChunk(int64_t first, int64_t count) {
    IRMapping chunk;
    for (Operation *op : group.ops) {
      forEachRowOperand(op, [&](OpOperand &read) {
        if (!chunk.contains(read.get()))
          chunk.map(read.get(), slice(read.get(), first, count));
      });
      Operation *clone = builder.clone(*op, chunk);
      for (auto [result, part] :
           llvm::zip_equal(op->getResults(), clone->getResults())) {
        if (RankedTensorType rows = getRows(result)) {
          SmallVector<int64_t> shape(rows.getShape());
          shape[1] = count;
          part.setType(rows.clone(shape));
        }
        keep(result, part);
      }
    }
  }

  void replaceOutputs() {
    for (auto &[output, own] : parts) {
      Value whole = own.front();
      if (own.size() > 1)
        whole = tensor::ConcatOp::create(
            builder, output.getLoc(), cast<RankedTensorType>(output.getType()),
            /*dim=*/1, own);
      Value(output).replaceAllUsesWith(whole);
    }
    Block *body = group.ops.front()->getBlock();
    for (Operation *op : llvm::reverse(group.ops))
      op->erase();
    restoreDominance(*body);
  }

private:
  Value slice(Value value, int64_t first, int64_t count) {
    ArrayRef<int64_t> shape = getRows(value).getShape();
    auto fold = [&](ArrayRef<int64_t> numbers) {
      return getAsIndexOpFoldResult(builder.getContext(), numbers);
    };
    return tensor::ExtractSliceOp::create(
        builder, value.getLoc(), value, fold({0, first, 0}),
        fold({shape[0], count, shape[2]}), fold({1, 1, 1}));
  }

  /// Sums are added at once, so that one part of each is in memory.
  void keep(Value output, Value part) {
    auto *own = parts.find(output);
    if (own == parts.end())
      return;
    if (getRows(output) || own->second.empty())
      own->second.push_back(part);
    else
      own->second.front() = arith::AddFOp::create(builder, output.getLoc(),
                                                  own->second.front(), part);
  }

  const RowGroup &group;
  OpBuilder builder;
  /// Results that are read outside of the group, with their rows so far.
  llvm::MapVector<Value, SmallVector<Value>> parts;
};
} // namespace

/// Experts compute rows of all sequences at once, in the order of the experts.
static void recordExperts(LayerOp layer) {
  for (Operation &op : layer.getBody().front())
    if (isa<MoeOp, ExpertsOp, ExpertsGradOp>(op))
      return recordMissed(
          layer, kPass, Reason::RowsTogether,
          op.getName().getStringRef() + " groups all rows by expert", {});
}

unsigned block::divideRows(LayerOp layer, uint64_t rows, bool isTrial) {
  unsigned divided = 0;
  if (!isTrial)
    recordExperts(layer);
  for (const RowGroup &group : findRowGroups(layer, /*mayEscape=*/false)) {
    if (group.obstacle) {
      if (!isTrial)
        recordMissed(layer, kPass, Reason::RowsTogether,
                     group.obstacle->getName().getStringRef() +
                         " stands between products",
                     {});
      continue;
    }
    ArrayRef<int64_t> shape = getRows(group.wide.front()).getShape();
    auto batch = static_cast<uint64_t>(shape[0]);
    if (rows < batch || rows >= batch * static_cast<uint64_t>(shape[1]))
      continue;
    auto each = static_cast<int64_t>(rows / batch);
    Divider divider(group);
    for (int64_t first = 0; first < shape[1]; first += each)
      divider.addChunk(first, std::min(each, shape[1] - first));
    divider.replaceOutputs();
    if (!isTrial)
      recordChoice(layer, layer.getLoc(), kPass,
                   "divides the rows of a feed-forward",
                   {{"chunks", double(llvm::divideCeil(shape[1], each))},
                    {"rows", double(each * shape[0])}});
    ++divided;
  }
  return divided;
}
