//===- FormPartialStats.cpp - moves statistics to producers ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FormPartialStats.h"

#include "parablock/Analysis/HeadNorm.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock::block;

namespace {

/// The statistics of one row for their reader: partial means (null unless
/// centred) and moments.
struct Partials {
  Value mean, moment;
};

class PartialStatsFormer {
public:
  PartialStatsFormer(int64_t tile, const DenseSet<Operation *> &followed)
      : tile(tile), followed(followed) {}

  void run(Operation *function) {
    SmallVector<NormStatsOp> all;
    walkOutsideKernels<NormStatsOp>(function, [&](NormStatsOp stats) {
      if (!parablock::isHeadNorm(stats))
        all.push_back(stats);
    });
    for (NormStatsOp stats : all)
      replace(stats);
  }

private:
  /// Columns per partial for rows of `width`.
  int64_t tileOf(int64_t width) const { return std::min(tile, width); }

  void replace(NormStatsOp stats) {
    int64_t width = getDim(stats.getInput(), -1);
    Partials partials =
        getPartials(stats.getInput(), stats.getCentered(), stats.getLoc());
    if (!partials.moment)
      return;
    OpBuilder builder(stats);
    auto merged = MergeStatsOp::create(
        builder, stats.getLoc(), stats.getResultTypes(), partials.mean,
        partials.moment, builder.getI64IntegerAttr(width),
        builder.getI64IntegerAttr(tileOf(width)));
    stats.replaceAllUsesWith(merged.getResults());
    stats.erase();
  }

  /// Returns the partial statistics of `row`, computed at its definition. Null
  /// for arguments.
  Partials getPartials(Value row, bool centered, Location loc) {
    auto key = std::pair(row, static_cast<int64_t>(centered));
    if (auto known = made.find(key); known != made.end())
      return known->second;
    // Exporting replaces the layer, and `row` with it.
    if (auto layer = row.getDefiningOp<LayerOp>())
      return exportFromLayer(layer, cast<OpResult>(row).getResultNumber(),
                             centered, loc);
    Partials partials;
    Operation *producer = row.getDefiningOp();
    if (followed.contains(producer))
      partials = takeWith(cast<TakeRowsOp>(producer), centered, loc);
    if (producer && !partials.moment)
      partials = makeAfter(producer, row, centered, loc);
    made[key] = partials;
    return partials;
  }

  /// Takes the partials of the rows that `take` takes.
  Partials takeWith(TakeRowsOp take, bool centered, Location loc) {
    Partials all = getPartials(take.getInput(), centered, loc);
    OpBuilder builder(take->getContext());
    builder.setInsertionPointAfter(take);
    auto takePartial = [&](Value partial) -> Value {
      if (!partial)
        return {};
      auto type = cast<RankedTensorType>(take.getType());
      return TakeRowsOp::create(
          builder, loc,
          RankedTensorType::get(
              {type.getDimSize(0), type.getDimSize(1), getDim(partial, -1)},
              builder.getF32Type()),
          partial, take.getRows());
    };
    return {takePartial(all.mean), takePartial(all.moment)};
  }

  Partials makeAfter(Operation *producer, Value row, bool centered,
                     Location loc) {
    OpBuilder builder(producer->getContext());
    builder.setInsertionPointAfter(producer);
    int64_t width = getDim(row, -1), columns = tileOf(width);
    Type type =
        withWidth(row, llvm::divideCeil(width, columns), builder.getF32Type());
    auto stats = PartialStatsOp::create(
        builder, loc, SmallVector<Type>(centered ? 2 : 1, type), row, centered,
        columns);
    return {centered ? stats.getPartials().front() : Value(),
            stats.getPartials().back()};
  }

  /// Yields the partials of a result of the layer, as further results.
  Partials exportFromLayer(LayerOp layer, unsigned result, bool centered,
                           Location loc) {
    auto yield = cast<YieldOp>(layer.getBody().front().getTerminator());
    Partials inside = getPartials(yield.getOperand(result), centered, loc);
    if (!inside.moment)
      return {};
    SmallVector<Value> added;
    if (inside.mean)
      added.push_back(inside.mean);
    added.push_back(inside.moment);
    unsigned first = yield.getNumOperands();
    LayerOp grown = grow(layer, added);
    ResultRange results = grown.getResults();
    Partials partials = {inside.mean ? Value(results[first]) : Value(),
                         results.back()};
    made[{results[result], static_cast<int64_t>(centered)}] = partials;
    return partials;
  }

  /// Grows the layer, and transfers recorded facts to the new
  /// results.
  LayerOp grow(LayerOp layer, ValueRange added) {
    SmallVector<Value> before(layer.getResults());
    IRRewriter rewriter(layer->getContext());
    LayerOp grown = growLayer(rewriter, layer, added);
    auto find = [&](Value value) -> Value {
      auto place = llvm::find(before, value);
      return place == before.end() ? value
                                   : grown.getResult(place - before.begin());
    };
    decltype(made) moved;
    for (auto [key, partials] : made)
      moved[{find(key.first), key.second}] = {find(partials.mean),
                                              find(partials.moment)};
    made = std::move(moved);
    return grown;
  }

  int64_t tile;
  const DenseSet<Operation *> &followed;
  /// Partials by row and whether centred. A null moment: they are not made.
  DenseMap<std::pair<Value, int64_t>, Partials> made;
};

} // namespace

void parablock::block::formPartialStats(Operation *function, int64_t tile,
                                        const DenseSet<Operation *> &followed) {
  PartialStatsFormer(tile, followed).run(function);
}
