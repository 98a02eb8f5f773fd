//===- BlockFormKernels.cpp - groups steps into launches ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One sweep over each basic block assigns every step to a group; each group
// then becomes a kernel. A projection or attention opens a group. Another step
// joins the latest group that it reads from, if that group can do its work on
// its tiles; else it opens a group of row-wise work. If the step also reads an
// op outside kernels that comes behind a later group, such as experts, the
// group that it joins moves behind that one, unless something between depends
// on it. So groups depend on earlier groups only. On a GPU, new rows of a cache
// are written by the projection that computes them, a product computes the few
// rows that it multiplies if that is faster than a launch for their norm, and
// an attention rounds its rows to codes.
//
//===----------------------------------------------------------------------===//

#include "FormPartialStats.h"
#include "KernelSteps.h"
#include "SinkSplits.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "parablock/Analysis/Collectives.h"
#include "parablock/Analysis/CostModel.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Analysis/ProductTiles.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ComputedRows.h"
#include "parablock/Dialect/Block/EncodedAttention.h"
#include "parablock/Dialect/Block/EraseDead.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Dialect/Block/StatisticsRow.h"
#include "parablock/Transforms/Passes.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include "llvm/ADT/SetVector.h"
#include <algorithm>
#include <cmath>

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKFORMKERNELS
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
constexpr StringLiteral kFormKernels = "block-form-kernels";

/// Columns of a partial statistic: a tile of the GPU kernels, and few enough on
/// a CPU that a row is work for several threads.
constexpr int64_t kStatisticColumns = 128;

/// Factor by which one launch must be slower than two for a step to stay out of
/// it: predictions are rough, so only a clear loss counts.
constexpr double kClearlySlower = 1.25;

/// Steps that become one launch.
struct KernelGroup {
  KernelKind kind;
  SmallVector<Operation *> ops;
};

/// The expected effect of grouping steps.
struct Saving {
  Cost apart, together;

  Saving &operator+=(const Saving &other) {
    apart += other.apart;
    together += other.together;
    return *this;
  }

  /// As numbers of a decision; times only where the chip has any.
  SmallVector<Metric> getMetrics() const {
    SmallVector<Metric> metrics = {
        {"launches", together.launches},
        {"launches_saved", apart.launches - together.launches},
        {"bytes_saved", apart.bytes - together.bytes}};
    if (together.seconds > 0) {
      metrics.push_back({"us_before", toMicroseconds(apart.seconds)});
      metrics.push_back({"us_after", toMicroseconds(together.seconds)});
    }
    return metrics;
  }

  /// To three decimals, so that they can be read.
  static double toMicroseconds(double seconds) {
    return std::round(seconds * 1e9) / 1e3;
  }
};

/// Returns the norm that only `product` reads, if the kernel of the product can
/// compute the rows: there may be few of them.
NormalizeOp findOwnNorm(Operation *product) {
  auto norm = canComputeRows(product)
                  ? product->getOperand(0).getDefiningOp<NormalizeOp>()
                  : NormalizeOp();
  if (!norm || !norm->hasOneUse() || norm->getBlock() != product->getBlock() ||
      norm.getGroups() != 1 || isInTrainingFunction(norm))
    return {};
  return countLeastRows(norm.getType()) <= mostFewRows ? norm : NormalizeOp();
}

/// Returns whether the statistics of a norm are those of its rows.
bool hasOwnStatistics(const ComputedRows &rows) {
  return llvm::all_of(rows.merge->getOperands(), [&](Value partial) {
    if (auto taken = partial.getDefiningOp<TakeRowsOp>())
      partial = taken.getInput();
    return findStatisticsRow(partial) == rows.getSource();
  });
}

/// Returns whether only ops among `readers` read results of `op`.
bool isReadBy(Operation *op, ArrayRef<Operation *> readers) {
  return llvm::all_of(op->getUsers(), [&](Operation *user) {
    return llvm::is_contained(readers, user);
  });
}

/// Returns the ops in `root` that take rows for the norms of heads alone.
DenseSet<Operation *> findTakenForHeads(Operation *root) {
  DenseSet<Operation *> found;
  root->walk([&](HeadOp head) {
    NormalizeOp norm = findOwnNorm(head);
    auto taken =
        norm ? norm.getInput().getDefiningOp<TakeRowsOp>() : TakeRowsOp();
    auto stats =
        taken ? norm.getMoment().getDefiningOp<NormStatsOp>() : NormStatsOp();
    if (stats && isReadBy(stats, {norm}) && isReadBy(taken, {norm, stats}))
      found.insert(taken);
  });
  return found;
}

bool canJoin(const KernelGroup &group, Operation *op) {
  if (group.kind == KernelKind::Rows)
    return true;
  // Tiles are computed segment by segment: only the product itself is split.
  if (auto split = dyn_cast<SplitOp>(op)) {
    Operation *root = split.getInput().getDefiningOp();
    if (!root || !isProduct(root) || !llvm::is_contained(group.ops, root) ||
        !split.getInput().hasOneUse())
      return false;
  }
  return group.kind != KernelKind::Sdpa && group.kind != KernelKind::Head &&
         isTileEpilogue(op);
}

class KernelFormer {
public:
  KernelFormer(Block &basicBlock, const CostModel &costs)
      : basicBlock(basicBlock), costs(costs) {}

  /// Forms the kernels of the basic block and returns how many there are now.
  unsigned run() {
    for (Operation &op : basicBlock) {
      if (isStep(&op) || isAsked(&op))
        assign(&op);
      else if (auto append = dyn_cast<CacheAppendOp>(op);
               append && joinsProjection(append))
        add(append, groupOf.lookup(append.getAdded().getDefiningOp()));
      else if (!isPrologue(&op))
        stayOutside(&op);
    }
    // Kernels take over uses, which costs depend on.
    llvm::erase_if(groups,
                   [](const KernelGroup &group) { return group.ops.empty(); });
    SmallVector<Saving> savings;
    for (KernelGroup &group : groups)
      savings.push_back(
          {costs.estimateApart(group.ops), costs.estimateTogether(group.ops)});
    OpBuilder builder(basicBlock.getTerminator());
    for (auto [group, saving] : llvm::zip_equal(groups, savings)) {
      KernelOp kernel = emit(builder, group);
      remarkPassed(kernel, kFormKernels,
                   Twine(group.ops.size()) +
                       (group.ops.size() == 1 ? " step" : " steps") +
                       " in one launch",
                   saving.getMetrics());
      total += saving;
    }
    // The steps read each other across groups, so they go together.
    for (KernelGroup &group : llvm::reverse(groups))
      for (Operation *op : llvm::reverse(group.ops))
        op->erase();
    for (Operation &op : llvm::make_early_inc_range(basicBlock))
      if (isPrologue(&op) && op.use_empty())
        op.erase();
    // The inverse of a layer stays in front of the gradient that reads it.
    // Elsewhere, kernels that are ready go in front of ops outside kernels that
    // are not, such as experts: sums over ranks are then sent beside these.
    if (!basicBlock.getOps<LayerOp>().empty())
      restoreDominance(basicBlock);
    else if (!groups.empty())
      sortTopologically(&basicBlock);
    return llvm::range_size(basicBlock.getOps<KernelOp>());
  }

  const Saving &getSaving() const { return total; }

private:
  /// The latest groups that a step depends on; -1 for none.
  struct Producers {
    /// The group that it may join by reading its results, also through its
    /// prologue.
    int joinable = -1;
    /// Depends on it through an op outside kernels: it must come later.
    int behind = -1;
  };

  /// Returns whether `op` is a prologue with a reader that no kernel contains,
  /// which therefore cannot repeat it.
  static bool isAsked(Operation *op) {
    return isPrologue(op) && llvm::any_of(op->getUsers(), [&](Operation *user) {
             return user->getBlock() != op->getBlock() ||
                    (!isStep(user) && !isPrologue(user));
           });
  }

  Producers findProducers(Operation *op) const {
    Producers latest;
    llvm::SetVector<Value> reads;
    reads.insert_range(op->getOperands());
    for (size_t i = 0; i < reads.size(); ++i) {
      Operation *producer = reads[i].getDefiningOp();
      if (!producer)
        continue;
      if (isPrologue(producer)) {
        reads.insert_range(producer->getOperands());
      } else if (auto group = groupOf.find(producer); group != groupOf.end()) {
        latest.joinable = std::max(latest.joinable, group->second);
      } else if (auto last = outside.find(producer); last != outside.end()) {
        latest.behind = std::max(latest.behind, last->second);
      }
    }
    return latest;
  }

  /// Records the group after which an op outside kernels comes.
  void stayOutside(Operation *op) {
    int last = -1;
    op->walk([&](Operation *inner) {
      Producers latest = findProducers(inner);
      last = std::max({last, latest.joinable, latest.behind});
    });
    outside[op] = last;
  }

  void assign(Operation *op) {
    std::optional<KernelKind> rootKind = getRootKind(op);
    auto [latest, behind] = findProducers(op);
    bool waits = latest >= 0 && latest < behind;
    bool joins = !rootKind && latest >= 0 &&
                 (latest > behind || (waits && canMove(latest, behind))) &&
                 canJoin(groups[latest], op) && !delays(op, groups[latest]) &&
                 !isDeclined(groups[latest], op);
    if (joins && waits)
      latest = move(latest, behind--);
    joins |= latest > behind && joinsAttention(groups[latest], op);
    if (!joins) {
      latest = groups.size();
      groups.push_back({rootKind.value_or(KernelKind::Rows), {}});
    }
    // A prologue that reads a result of this group is a step of it.
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && isPrologue(producer) && !groupOf.contains(producer) &&
          findProducers(producer).joinable == latest)
        add(producer, latest);
    if (costs.isOfDevice())
      addRowsOfProduct(op, latest);
    add(op, latest);
  }

  /// Returns whether `group` can be ordered behind `last`: no op outside
  /// kernels and no group up to there reads its results.
  bool canMove(int group, int last) const {
    llvm::SetVector<Operation *> readers;
    auto insertReaders = [&](Operation *op) {
      for (Operation *user : op->getUsers())
        readers.insert(basicBlock.findAncestorOpInBlock(*user));
    };
    llvm::for_each(groups[group].ops, insertReaders);
    for (size_t i = 0; i < readers.size(); ++i) {
      int place = groupOf.lookup_or(readers[i], last + 1);
      if (outside.contains(readers[i]) || (place != group && place <= last))
        return false;
      if (isPrologue(readers[i]))
        insertReaders(readers[i]);
    }
    return true;
  }

  /// Orders `group` behind `last` and returns its new place.
  int move(int group, int last) {
    std::rotate(groups.begin() + group, groups.begin() + group + 1,
                groups.begin() + last + 1);
    for (auto *places : {&groupOf, &outside})
      for (int &place : llvm::make_second_range(*places))
        if (place == group)
          place = last;
        else if (place > group && place <= last)
          --place;
    return last;
  }

  /// Moves what makes the rows of a product to its group.
  void addRowsOfProduct(Operation *product, int group) {
    NormalizeOp norm = findOwnNorm(product);
    std::optional<ComputedRows> rows =
        norm ? findComputedRows(norm.getResult()) : std::nullopt;
    if (!rows || !hasOwnStatistics(*rows) ||
        !costs.isFasterWithRows(product, *rows))
      return;
    SmallVector<Operation *> ops = rows->getOps();
    KernelGroup &before = groups[groupOf.lookup(norm)];
    // Another norm may share the statistics, which both kernels then merge.
    if (!rows->take && !isReadBy(rows->merge, ops))
      llvm::erase(ops, rows->merge.getOperation());
    for (Operation *op : ops)
      if (op->getBlock() != &basicBlock || (op != norm && !isReadBy(op, ops)))
        return;
    if (!llvm::all_of(before.ops, [&](Operation *op) {
          return llvm::is_contained(ops, op);
        }))
      return;
    before.ops.clear();
    for (Operation *op : ops) {
      outside.erase(op);
      add(op, group);
    }
  }

  /// Returns whether a device writes new rows of a cache from the tiles of the
  /// projection that computes them. Nothing else may read the cache before.
  bool joinsProjection(CacheAppendOp append) const {
    auto group = groupOf.find(append.getAdded().getDefiningOp());
    if (!costs.isOfDevice() || group == groupOf.end() ||
        !isa<BlockArgument>(append.getCache()) ||
        !append.getCache().hasOneUse())
      return false;
    KernelKind kind = groups[group->second].kind;
    return (kind == KernelKind::Linear || kind == KernelKind::LinearSum) &&
           findProducers(append).behind < group->second;
  }

  /// Returns whether a device rounds rows of an attention to codes where it
  /// computes them.
  bool joinsAttention(const KernelGroup &group, Operation *op) const {
    if (!costs.isOfDevice() || group.kind != KernelKind::Sdpa)
      return false;
    auto attention = dyn_cast<SdpaOp>(group.ops.front());
    std::optional<EncodedAttention> encoded;
    if (attention)
      encoded = findEncoded(attention);
    return encoded && encoded->contains(op);
  }

  /// Returns whether `op` would make other readers of a group that reads a sum
  /// over ranks wait for one more, as in a ladder.
  static bool delays(Operation *op, const KernelGroup &group) {
    auto isSum = [](Value value) { return isRankSum(value.getDefiningOp()); };
    DenseSet<Value> sums;
    for (Operation *inside : group.ops)
      for (Value operand : inside->getOperands())
        if (isSum(operand))
          sums.insert(operand);
    bool readsOther = llvm::any_of(op->getOperands(), [&](Value operand) {
      return isSum(operand) && !sums.contains(operand);
    });
    auto isReadByOthers = [&](Operation *inside) {
      return llvm::any_of(inside->getUsers(), [&](Operation *user) {
        return user != op && !llvm::is_contained(group.ops, user);
      });
    };
    return !sums.empty() && readsOther &&
           llvm::any_of(group.ops, isReadByOthers);
  }

  /// Returns whether `op` should stay out of `group`, whose tiles would have to
  /// hold whole heads for it.
  bool isDeclined(const KernelGroup &group, Operation *op) const {
    if (!costs.hasTimes() || group.kind == KernelKind::Rows ||
        getReach(op) <= StepReach::Tile)
      return false;
    SmallVector<Operation *> joined = group.ops;
    joined.push_back(op);
    double together = costs.estimateTogether(joined).seconds;
    double apart = costs.estimateTogether(group.ops).seconds +
                   costs.estimateTogether(op).seconds;
    if (together <= kClearlySlower * apart)
      return false;
    auto head = static_cast<double>(getGranule(op));
    if (std::isinf(together))
      recordMissed(op, kFormKernels, Reason::HeadExceedsTile,
                   "needs all columns of a head in one tile", {{"head", head}});
    else
      recordMissed(op, kFormKernels, Reason::SlowerTogether,
                   "tiles of whole heads are partly empty",
                   {{"head", head},
                    {"us_apart", Saving::toMicroseconds(apart)},
                    {"us_together", Saving::toMicroseconds(together)}});
    return true;
  }

  void add(Operation *op, int group) {
    groups[group].ops.push_back(op);
    groupOf[op] = group;
  }

  /// Returns the values that the kernel reads, in the order of first use, after
  /// copying its prologue.
  static SetVector<Value> collectInputs(ArrayRef<Operation *> ops,
                                        SetVector<Operation *> &prologue) {
    DenseSet<Operation *> inside(ops.begin(), ops.end());
    SetVector<Value> inputs;
    for (Operation *op : ops)
      for (Value operand : op->getOperands()) {
        Operation *producer = operand.getDefiningOp();
        if (producer && inside.contains(producer))
          continue;
        if (producer && isPrologue(producer)) {
          prologue.insert(producer);
          inputs.insert(producer->operand_begin(), producer->operand_end());
        } else {
          inputs.insert(operand);
        }
      }
    return inputs;
  }

  KernelOp emit(OpBuilder &builder, KernelGroup &group) {
    SetVector<Operation *> prologue;
    SetVector<Value> inputs = collectInputs(group.ops, prologue);
    DenseSet<Operation *> inside(group.ops.begin(), group.ops.end());
    SmallVector<Value> outputs;
    SmallVector<Location> locations;
    for (Operation *op : group.ops) {
      locations.push_back(op->getLoc());
      if (isPrologue(op) && !isAsked(op)) // others repeat it
        continue;
      for (Value result : op->getResults())
        if (isReadOutside(result, inside))
          outputs.push_back(result);
    }
    SmallVector<Value> mappedInputs = llvm::map_to_vector(
        inputs, [&](Value input) { return emitted.lookupOrDefault(input); });
    Location loc = FusedLoc::get(builder.getContext(), locations);
    auto kernel = KernelOp::create(builder, loc, ValueRange(outputs).getTypes(),
                                   mappedInputs, group.kind);
    Block &body = kernel.getBody().emplaceBlock();
    IRMapping mapping;
    for (Value input : inputs)
      mapping.map(input, body.addArgument(input.getType(), input.getLoc()));
    OpBuilder inner = OpBuilder::atBlockEnd(&body);
    for (Operation *op : prologue)
      inner.clone(*op, mapping);
    for (Operation *op : group.ops)
      widenAccumulator(op, inner.clone(*op, mapping));
    SmallVector<Value> yielded = llvm::map_to_vector(
        outputs, [&](Value output) { return mapping.lookup(output); });
    YieldOp::create(inner, loc, yielded);
    for (auto [output, result] :
         llvm::zip_equal(outputs, kernel.getResults())) {
      emitted.map(output, result);
      output.replaceUsesWithIf(result, [&](OpOperand &use) {
        return !groupOf.contains(use.getOwner()) && use.getOwner() != kernel;
      });
    }
    return kernel;
  }

  /// Returns whether a kernel of the ops `inside` must store `result`. Steps of
  /// other kernels may repeat its prologue, and then read the prologue's
  /// inputs.
  static bool isReadOutside(Value result, const DenseSet<Operation *> &inside) {
    return llvm::any_of(result.getUsers(), [&](Operation *user) {
      return !inside.contains(user) ||
             (isPrologue(user) &&
              llvm::any_of(user->getUsers(), [&](Operation *reader) {
                return !inside.contains(reader) && isStep(reader) &&
                       reader->getBlock() == user->getBlock();
              }));
    });
  }

  /// Keeps the accumulator's type in `copy`, the kernel's copy, for a
  /// projection that only a residual reads.
  static void widenAccumulator(Operation *op, Operation *copy) {
    auto residual = dyn_cast<ResidualOp>(op);
    if (!residual)
      return;
    Type f32 = Float32Type::get(op->getContext());
    for (auto [branch, copied] : llvm::zip_equal(
             residual.getBranches(), cast<ResidualOp>(copy).getBranches()))
      if (branch.hasOneUse() && isProduct(copied.getDefiningOp()))
        copied.setType(withElementType(copied, f32));
  }

  Block &basicBlock;
  const CostModel &costs;
  Saving total;
  SmallVector<KernelGroup> groups;
  DenseMap<Operation *, int> groupOf;
  /// The latest group before each op that is in none.
  DenseMap<Operation *, int> outside;
  /// Maps results of steps to results of kernels.
  IRMapping emitted;
};

struct BlockFormKernelsPass
    : public block::impl::BlockFormKernelsBase<BlockFormKernelsPass> {
  using BlockFormKernelsBase::BlockFormKernelsBase;

  void runOnOperation() final {
    Operation *root = getOperation();
    llvm::Expected<const Chip &> known = findChip(chip);
    if (!known) {
      root->emitError() << llvm::toString(known.takeError());
      return signalPassFailure();
    }
    // A launch of unread ops would have no result.
    eraseDeadOps(root->getRegions());
    sinkSplits(root);
    formPartialStats(root, kStatisticColumns,
                     known->isDevice() ? findTakenForHeads(root)
                                       : DenseSet<Operation *>());
    bool found = false;
    root->walk([&](FunctionOpInterface function) {
      found |= formKernels(function, {*known, findCountedSizes(function)});
    });
    if (!found)
      recordNoMatch(root, kFormKernels, "step to form a kernel of");
  }

  /// Returns whether `function` has kernels now.
  static bool formKernels(FunctionOpInterface function,
                          const CostModel &costs) {
    bool found = false;
    SmallVector<LayerOp> layers;
    function->walk([&](LayerOp layer) { layers.push_back(layer); });
    for (LayerOp layer : layers) {
      Block &body = layer.getBody().front();
      if (llvm::none_of(body, [](Operation &op) { return isStep(&op); }))
        continue;
      found = true;
      KernelFormer former(body, costs);
      former.run();
      recordPassed(layer, kFormKernels, "steps grouped into kernels",
                   former.getSaving().getMetrics());
    }
    for (Block &basicBlock : function.getFunctionBody())
      found |= KernelFormer(basicBlock, costs).run() > 0;
    return found;
  }
};
} // namespace
