//===- Ranks.cpp - one function, executed by several ranks at once --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// All ranks run the same ops in the same order, in lockstep: each op is
// executed by every rank before the next one. A collective then has all its
// operands, and no rank ever waits.
//
//===----------------------------------------------------------------------===//

#include "Parts.h"
#include "RunFunction.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "parablock/Dialect/Block/BlockRankOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

namespace {
class Ranks {
public:
  Ranks(int64_t count, const Options &options) {
    for (int64_t rank = 0; rank < count; ++rank) {
      rankOptions.push_back(options);
      rankOptions.back().rank = rank;
      if (rank != 0)
        rankOptions.back().observer = nullptr;
    }
    for (const Options &own : rankOptions)
      frames.push_back(std::make_unique<Frame>(own, /*callDepth=*/0));
  }

  /// Returns the terminator's operands for each rank.
  FailureOr<std::vector<Tensors>> runBlock(Block &block);

  Frame &operator[](size_t rank) { return *frames[rank]; }

private:
  LogicalResult runOp(Operation &op);
  LogicalResult runBody(Operation &op, Block &body);
  FailureOr<std::vector<Tensor>> meet(Operation &op);
  FailureOr<Tensor> addUp(Operation &op, shard::ReductionKind kind);
  FailureOr<Tensor> join(Operation &op, unsigned axis);
  FailureOr<std::vector<Tensor>> share(Operation &op, const Tensor &whole,
                                       unsigned axis);
  template <typename OpT> FailureOr<std::vector<Tensor>> exchangeRows(OpT op);

  std::vector<Options> rankOptions;
  std::vector<std::unique_ptr<Frame>> frames;
};
} // namespace

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

FailureOr<Tensor> Ranks::addUp(Operation &op, shard::ReductionKind kind) {
  Evaluation at(&op, *frames.front());
  if (kind != shard::ReductionKind::Sum)
    return at.error("expected a sum, as only this has a meaning in the "
                    "reference engine");
  const Tensor &first = at.get(op.getOperand(0));
  std::vector<double> sum(first.data());
  for (auto &frame : llvm::drop_begin(frames)) {
    const Tensor &other = frame->get(op.getOperand(0));
    if (failed(at.checkSameShape("input of another rank", other,
                                 "that of rank 0", first)))
      return failure();
    for (auto [total, part] : llvm::zip_equal(sum, other.data()))
      total += part;
  }
  return at.round(std::move(sum), first.shape, at.getResultType());
}

FailureOr<Tensor> Ranks::join(Operation &op, unsigned axis) {
  Evaluation at(&op, *frames.front());
  const Tensor &first = at.get(op.getOperand(0));
  SmallVector<const Tensor *> parts;
  for (auto &frame : frames) {
    const Tensor &part = frame->get(op.getOperand(0));
    if (failed(at.checkSameShape("input of another rank", part,
                                 "that of rank 0", first)))
      return failure();
    parts.push_back(&part);
  }
  return joinParts(at, parts, axis);
}

FailureOr<std::vector<Tensor>> Ranks::share(Operation &op, const Tensor &whole,
                                            unsigned axis) {
  Evaluation at(&op, *frames.front());
  int64_t count = frames.size();
  if (failed(at.checkDivides("ranks", count, "the scattered dimension",
                             whole.shape[axis])))
    return failure();
  int64_t size = whole.shape[axis] / count;
  std::vector<Tensor> shares;
  for (int64_t rank = 0; rank < count; ++rank) {
    FailureOr<Tensor> share = takePart(at, whole, axis, rank * size, size);
    if (failed(share))
      return failure();
    shares.push_back(*share);
  }
  return shares;
}

/// Returns whether a row that chooses `choices` has an expert of `rank`, of
/// `experts` on each.
static bool isForRank(ArrayRef<double> choices, size_t rank, int64_t experts) {
  return llvm::any_of(choices, [&](double choice) {
    auto first = static_cast<double>(rank) * static_cast<double>(experts);
    return choice >= first && choice < first + static_cast<double>(experts);
  });
}

/// Moves rows between the ranks that have them and those of their experts.
template <typename OpT>
FailureOr<std::vector<Tensor>> Ranks::exchangeRows(OpT op) {
  constexpr bool isBack = std::is_same_v<OpT, block::RowsFromExpertsOp>;
  Evaluation at(op, *frames.front());
  size_t count = frames.size();
  const Tensor &choices = at.get(op.getChoices()),
               &first = at.get(op.getInput());
  int64_t rows = choices.shape[1], slots = choices.shape[2],
          width = first.shape[2];
  auto ranks = static_cast<int64_t>(count);
  if (failed(at.checkDivides("ranks", ranks, "the rows of a sequence", rows)))
    return failure();
  int64_t own = rows / ranks, experts = op.getExperts() / ranks;
  Tensor expected = first;
  expected.shape = {choices.shape[0], isBack ? rows : own, width};
  for (auto &frame : frames)
    if (failed(at.checkSameShape("input of a rank", frame->get(op.getInput()),
                                 "its rows", expected)) ||
        failed(at.checkSameShape("choices of a rank",
                                 frame->get(op.getChoices()), "those of rank 0",
                                 choices)))
      return failure();
  for (auto &frame : frames)
    if (!llvm::equal(frame->get(op.getChoices()).data(), choices.data()))
      return at.error("expected the same choices on all ranks");
  SmallVector<int64_t> shape = {choices.shape[0], isBack ? own : rows,
                                isBack ? width * ranks : width};
  std::vector<std::vector<double>> results(
      count, std::vector<double>(llvm::product_of(shape)));
  for (int64_t row = 0; row < choices.shape[0] * rows; ++row) {
    // The row among those of the rank that has it.
    size_t owner = row % rows / own;
    int64_t local = row / rows * own + row % own;
    for (size_t reader = 0; reader < count; ++reader) {
      if (!isForRank(choices.data().slice(row * slots, slots), reader, experts))
        continue;
      const Tensor &from = frames[isBack ? reader : owner]->get(op.getInput());
      llvm::copy(from.data().slice((isBack ? row : local) * width, width),
                 results[isBack ? owner : reader].begin() +
                     (isBack ? local * ranks + reader : row) * width);
    }
  }
  std::vector<Tensor> moved;
  for (std::vector<double> &result : results)
    moved.push_back(at.round(std::move(result), shape, at.getResultType()));
  return moved;
}

/// The result of a collective on each rank; an empty list for other ops.
FailureOr<std::vector<Tensor>> Ranks::meet(Operation &op) {
  using Results = FailureOr<std::vector<Tensor>>;
  auto toAll = [&](FailureOr<Tensor> result) -> Results {
    if (failed(result))
      return failure();
    return std::vector<Tensor>(frames.size(), *result);
  };
  return llvm::TypeSwitch<Operation *, Results>(&op)
      .Case([&](shard::AllReduceOp reduce) {
        return toAll(addUp(op, reduce.getReduction()));
      })
      .Case([&](shard::AllGatherOp gather) {
        return toAll(join(
            op, static_cast<unsigned>(gather.getGatherAxis().getZExtValue())));
      })
      .Case([&](shard::ReduceScatterOp scatter) -> Results {
        FailureOr<Tensor> sum = addUp(op, scatter.getReduction());
        if (failed(sum))
          return failure();
        return share(
            op, *sum,
            static_cast<unsigned>(scatter.getScatterAxis().getZExtValue()));
      })
      .Case<block::RowsToExpertsOp, block::RowsFromExpertsOp>(
          [&](auto exchange) { return exchangeRows(exchange); })
      .Default([](Operation *) { return std::vector<Tensor>(); });
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult Ranks::runBody(Operation &op, Block &body) {
  FailureOr<std::vector<Tensors>> results = runBlock(body);
  if (failed(results))
    return failure();
  for (auto [frame, own] : llvm::zip_equal(frames, *results))
    frame->finish(op, own);
  return success();
}

LogicalResult Ranks::runOp(Operation &op) {
  if (auto layer = dyn_cast<block::LayerOp>(op))
    return runBody(op, layer.getBody().front());
  FailureOr<std::vector<Tensor>> met = meet(op);
  if (failed(met))
    return failure();
  for (auto [rank, frame] : llvm::enumerate(frames)) {
    FailureOr<Tensors> results =
        met->empty() ? frame->evaluate(op) : Tensors{(*met)[rank]};
    if (failed(results))
      return failure();
    frame->finish(op, *results);
  }
  return success();
}

FailureOr<std::vector<Tensors>> Ranks::runBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(runOp(op)))
      return failure();
  std::vector<Tensors> yielded;
  for (auto &frame : frames)
    yielded.push_back(frame->leave(*block.getTerminator()));
  return yielded;
}

FailureOr<std::vector<std::vector<Tensor>>>
reference::runRanks(func::FuncOp function,
                    ArrayRef<std::vector<Tensor>> arguments,
                    const Options &options) {
  Ranks ranks(arguments.size(), options);
  for (auto [rank, own] : llvm::enumerate(arguments)) {
    if (failed(checkCall(function, own)))
      return failure();
    for (auto [value, tensor] : llvm::zip_equal(function.getArguments(), own))
      ranks[rank].set(value, tensor);
  }
  FailureOr<std::vector<Tensors>> results =
      ranks.runBlock(function.getBody().front());
  if (failed(results))
    return failure();
  std::vector<std::vector<Tensor>> outputs;
  for (const Tensors &own : *results)
    outputs.emplace_back(own.begin(), own.end());
  return outputs;
}
