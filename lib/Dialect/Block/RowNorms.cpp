//===- RowNorms.cpp - row models of norms and statistics ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowModels.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <numeric>

using namespace mlir;
using namespace parablock;

Value parablock::emitFactor(const RowCode &code, block::NormAttr form,
                            Value moment, int64_t size) {
  double eps = form.getEpsValue();
  Value s = form.getKind() == block::NormKind::L2
                ? code.scale(moment, static_cast<double>(size))
                : moment;
  switch (form.getEpsForm()) {
  case block::EpsForm::InsideRoot:
    return code.rsqrt(eps == 0 ? s : code.add(s, code.f32(eps)));
  case block::EpsForm::OutsideRoot:
    return code.div(code.f32(1), code.add(code.sqrt(s), code.f32(eps)));
  case block::EpsForm::Clamp:
    return code.div(code.f32(1), code.max(code.sqrt(s), code.f32(eps)));
  }
  llvm_unreachable("every form of epsilon has its case");
}

/// Keeps the factor of a norm as a fact about the op.
template <typename NormOp>
static void prepareFactor(NormOp op, RowElements &rows, Value group,
                          int64_t size) {
  if (op.getMean())
    rows.getStatistic(op.getMean(), group);
  rows.fact(op.getOperation()) = emitFactor(
      rows.code, op.getForm(), rows.getStatistic(op.getMoment(), group), size);
}

namespace {
struct NormalizeRows : RowModel<NormalizeRows, block::NormalizeOp> {
  int64_t getGroupSize(Operation *op) const {
    return getSizeOfGroups(cast<block::NormalizeOp>(op));
  }
  std::optional<int64_t> getColumnReach(Operation *op) const {
    int64_t size = getGroupSize(op);
    return size ? std::optional(size) : std::nullopt;
  }
  void emitFacts(Operation *op, RowElements &rows, Value group) const {
    auto norm = cast<block::NormalizeOp>(op);
    prepareFactor(norm, rows, group,
                  getRowWidth(norm.getInput()) / norm.getGroups());
  }
  Value emit(block::NormalizeOp op, RowElements &rows,
             const Column &column) const {
    const RowCode &code = rows.code;
    block::NormAttr form = op.getForm();
    int64_t width = getRowWidth(op.getInput());
    Value x = rows.element(op.getInput(), column);
    if (op.getMean())
      x = code.sub(x, rows.statistic(op.getMean()));
    x = code.mul(x, rows.fact(op.getOperation()));
    if (form.getRounding() == block::NormRounding::BeforeGain)
      x = code.round(x, getElementTypeOrSelf(op.getType()));
    if (op.getGamma()) {
      Value gain = rows.repeatedElement(op.getGamma(), column, width);
      if (form.getGammaForm() == block::GammaForm::OnePlus)
        gain = code.add(gain, code.f32(1));
      x = code.mul(x, gain);
    }
    if (!op.getBeta())
      return x;
    return code.add(x, rows.repeatedElement(op.getBeta(), column, width));
  }
};

struct DeferredNormRows : RowModel<DeferredNormRows, block::DeferredNormOp> {
  void emitFacts(Operation *op, RowElements &rows, Value group) const {
    auto norm = cast<block::DeferredNormOp>(op);
    prepareFactor(norm, rows, group, norm.getWidth());
    if (!norm.getMean() || norm.getForm().getEpsValue() == 0 ||
        rows.isCentred(norm.getInput()))
      return;
    // Elements that are all equal are at their mean: the rounding error of the
    // difference of two products must not be amplified.
    const RowCode &code = rows.code;
    Value moment = rows.getStatistic(norm.getMoment(), group);
    Value &factor = rows.fact(op);
    factor = code.select(
        code.less(moment, code.f32(std::numeric_limits<float>::min())),
        code.f32(0), factor);
  }
  Value emit(block::DeferredNormOp op, RowElements &rows,
             const Column &column) const {
    const RowCode &code = rows.code;
    Value x = rows.element(op.getInput(), column);
    if (op.getMean() && !rows.isCentred(op.getInput()))
      x = code.sub(x, code.mul(rows.statistic(op.getMean()),
                               rows.element(op.getSums(), column)));
    Value factor = rows.fact(op.getOperation());
    if (!op.getBias())
      return code.mul(x, factor);
    return code.fma(x, factor, rows.element(op.getBias(), column));
  }
};

template <typename Model, typename Op>
struct StatisticsModel : block::RowStepOpInterface::ExternalModel<Model, Op> {
  bool yieldsStatistics(Operation *) const { return true; }
};

struct NormStatsRows : StatisticsModel<NormStatsRows, block::NormStatsOp> {
  int64_t getGroupSize(Operation *op) const {
    return getSizeOfGroups(cast<block::NormStatsOp>(op));
  }
  void emitFacts(Operation *op, RowElements &rows, Value group) const {
    auto stats = cast<block::NormStatsOp>(op);
    const RowCode &code = rows.code;
    int64_t size = getRowWidth(stats.getInput()) / stats.getGroups();
    Value length = code.index(size), count = code.f32(size);
    Value from = code.mulIndex(group, length);
    RowElements::Moments moments = rows.computeMoments(
        stats.getInput(),
        {from, code.addIndex(from, length), size, getGroupSize(op) != 0}, count,
        stats.getCentered());
    if (stats.getCentered())
      rows.statistic(stats.getMean()) = moments.mean;
    rows.statistic(stats.getMoment()) = code.div(moments.squares, count);
  }
};

struct PartialStatsRows
    : StatisticsModel<PartialStatsRows, block::PartialStatsOp> {
  int64_t getTileSize(Operation *op) const {
    return cast<block::PartialStatsOp>(op).getTile();
  }
  SmallVector<Value> emitTile(Operation *op, RowElements &rows,
                              const ColumnRange &tile, Value count) const {
    auto stats = cast<block::PartialStatsOp>(op);
    RowElements::Moments moments =
        rows.computeMoments(stats.getInput(), tile, count, stats.getCentered());
    if (stats.getCentered())
      return {moments.mean, moments.squares};
    return {moments.squares};
  }
};

/// Returns the statistics that `merge` is of if its own kernel computes them
/// for it: all of one row, of the same tiles. Null for others.
static block::PartialStatsOp findOwnPartials(block::MergeStatsOp merge) {
  auto stats = merge.getMoment().getDefiningOp<block::PartialStatsOp>();
  if (!stats || stats.getTile() != merge.getTile() ||
      getRowWidth(stats.getInput()) != static_cast<int64_t>(merge.getWidth()) ||
      !llvm::equal(merge->getOperands(), stats.getPartials()))
    return {};
  return stats;
}

struct MergeStatsRows : StatisticsModel<MergeStatsRows, block::MergeStatsOp> {
  LogicalResult
  checkRows(Operation *op,
            llvm::function_ref<InFlightDiagnostic()> refuse) const {
    auto isRead = [](Value partial) {
      return isa<BlockArgument>(partial) ||
             partial.getDefiningOp<block::TakeRowsOp>();
    };
    if (findOwnPartials(cast<block::MergeStatsOp>(op)) ||
        llvm::all_of(op->getOperands(), isRead))
      return success();
    return refuse() << "of what its own kernel computes: expected all results "
                       "of one block.partial_stats with its width and tile";
  }
  void emitFacts(Operation *op, RowElements &rows, Value) const {
    auto merge = cast<block::MergeStatsOp>(op);
    const RowCode &code = rows.code;
    int64_t width = merge.getWidth();
    Value total = code.f32(width);
    bool centered = static_cast<bool>(merge.getMean());
    RowElements::Moments merged;
    if (block::PartialStatsOp partial = findOwnPartials(merge))
      // The row is here: no need to go through its parts.
      merged = rows.computeMoments(
          partial.getInput(), {code.index(0), code.index(width), width, false},
          total, centered);
    else
      merged = mergeTiles(merge, rows, total, centered);
    if (centered)
      rows.statistic(merge.getStatistics().front()) = merged.mean;
    rows.statistic(merge.getStatistics().back()) =
        code.div(merged.squares, total);
  }

  /// Chan's formula for all tiles at once, as they all are known.
  static RowElements::Moments mergeTiles(block::MergeStatsOp merge,
                                         RowElements &rows, Value total,
                                         bool centered) {
    const RowCode &code = rows.code;
    int64_t width = merge.getWidth(), tile = merge.getTile();
    Value zero = code.index(0);
    Value tiles = code.index(llvm::divideCeil(width, tile));
    auto load = [&](Value tensor, Value at) {
      return rows.load(tensor, rows.row, {at, std::nullopt, 1});
    };
    auto countOf = [&](Value at) {
      if (width % tile == 0)
        return code.f32(tile);
      Value left =
          code.subIndex(code.index(width), code.mulIndex(at, code.index(tile)));
      return code.toF32(code.minIndex(left, code.index(tile)));
    };
    RowElements::Moments merged;
    auto average = [&](Value from) {
      Value sum = code.sumOf(zero, tiles, [&](Value at) {
        Value mean = load(merge.getMean(), at);
        return code.mul(from ? code.sub(mean, from) : mean, countOf(at));
      });
      return code.div(sum, total);
    };
    if (centered) {
      merged.mean = average(/*from=*/Value());
      // As for the elements of a tile: means that are all equal are
      // unchanged.
      merged.mean = code.add(merged.mean, average(merged.mean));
    }
    merged.squares = code.sumOf(zero, tiles, [&](Value at) {
      Value squares = load(merge.getMoment(), at);
      if (!centered)
        return squares;
      Value distance = code.sub(load(merge.getMean(), at), merged.mean);
      return code.fma(code.mul(distance, distance), countOf(at), squares);
    });
    return merged;
  }
};
} // namespace

void parablock::attachNormRows(MLIRContext &context) {
  block::NormStatsOp::attachInterface<NormStatsRows>(context);
  block::NormalizeOp::attachInterface<NormalizeRows>(context);
  block::DeferredNormOp::attachInterface<DeferredNormRows>(context);
  block::PartialStatsOp::attachInterface<PartialStatsRows>(context);
  block::MergeStatsOp::attachInterface<MergeStatsRows>(context);
}
