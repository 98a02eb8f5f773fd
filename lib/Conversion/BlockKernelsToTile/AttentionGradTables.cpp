//===- AttentionGradTables.cpp - gradients by tables and gains ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AttentionGrad.h"

#include "parablock/Analysis/ScoreTables.h"
#include "parablock/Dialect/Block/ShapeChecks.h"

using namespace mlir;
using namespace parablock;
using block::getDim;

/// Distances of a query to a key, from the lowest: one less than there are new
/// keys, below 0.
static int64_t countDistances(const AttentionGradPlan &plan) {
  block::SdpaGradOp op = plan.op;
  return getDim(op.getQuery(), 1) + *plan.ofQueries.getNumKeys() - 1;
}

static RankedTensorType getDiagonals(const AttentionGradPlan &plan) {
  block::SdpaGradOp op = plan.op;
  return RankedTensorType::get({plan.ofQueries.heads, countDistances(plan)},
                               Float32Type::get(op.getContext()));
}

/// The sums of gradients by scores of each head and distance.
tile::KernelOp parablock::buildScoreDiagonals(const GradientSite &site,
                                              const AttentionGradPlan &plan) {
  block::SdpaGradOp op = plan.op;
  int64_t heads = plan.ofQueries.heads, distances = countDistances(plan);
  KernelShell shell =
      site.createRowsShell("_diagonals", heads * distances,
                           plan.getScoresType(), getDiagonals(plan));
  TileCode code{shell.builder, op.getLoc()};
  Value queries = code.index(getDim(op.getQuery(), 1)),
        keys = code.index(*plan.ofQueries.getNumKeys()),
        past =
            code.index(*plan.ofQueries.getNumKeys() - getDim(op.getKey(), 1)),
        batch = code.index(getDim(op.getQuery(), 0));
  code.gridRows(code.index(heads * distances), [&](TileCode inner, Value item) {
    Value zero = inner.index(0);
    Value head = inner.divIndex(item, inner.index(distances));
    Value place = inner.remIndex(item, inner.index(distances));
    Value distance =
        inner.subIndex(place, inner.index(getDim(op.getKey(), 1) - 1));
    Value sum = inner.reduce(
        tile::Reduction::Add, zero, inner.mulIndex(batch, queries),
        [&](TileCode each, Value token) {
          Value time = each.remIndex(token, queries);
          Value key = each.subIndex(each.addIndex(past, time), distance);
          Value known = each.minIndex(each.maxIndex(key, zero),
                                      each.subIndex(keys, each.index(1)));
          Value line = each.addIndex(
              each.mulIndex(each.divIndex(token, queries), each.index(heads)),
              head);
          line = each.addIndex(each.mulIndex(line, queries), time);
          return each.select(each.equalIndex(key, known),
                             each.load(shell.getInput(0), line, known),
                             each.f32(0));
        });
    inner.store(sum, shell.getOutput(0), head, place);
  });
  return shell.kernel;
}

/// Sums the distances of each bucket.
tile::KernelOp parablock::buildTableGradient(const GradientSite &site,
                                             const AttentionGradPlan &plan,
                                             Type type) {
  block::SdpaGradOp op = plan.op;
  int64_t heads = plan.ofQueries.heads, distances = countDistances(plan);
  int64_t rows = cast<RankedTensorType>(type).getDimSize(0);
  KernelShell shell =
      site.createRowsShell("_table", rows * heads, getDiagonals(plan), type);
  TileCode code{shell.builder, op.getLoc()};
  code.gridRows(code.index(rows * heads), [&](TileCode inner, Value item) {
    Value row = inner.divIndex(item, inner.index(heads)),
          head = inner.remIndex(item, inner.index(heads));
    Value buckets = inner.table(
        llvm::to_vector_of<int32_t>(computeBuckets(*op.getBuckets(), rows)));
    Value sum = inner.reduce(
        tile::Reduction::Add, inner.index(0), inner.index(distances),
        [&](TileCode each, Value place) {
          Value distance =
              each.subIndex(place, each.index(getDim(op.getKey(), 1) - 1));
          Value entry =
              createTableRow(each, distance, op.getBuckets()->getMaxDistance());
          Value bucket = each.toIndex(each.load(buckets, each.index(0), entry));
          return each.select(each.equalIndex(bucket, row),
                             each.load(shell.getInput(0), head, place),
                             each.f32(0));
        });
    inner.store(sum, shell.getOutput(0), row, head);
  });
  return shell.kernel;
}

/// Sums gradients by scores over the dimensions that a bias has one element of,
/// in order. A warp has a row of the bias.
tile::KernelOp parablock::buildBiasGradient(const GradientSite &site,
                                            const AttentionGradPlan &plan,
                                            Type type) {
  block::SdpaGradOp op = plan.op;
  RankedTensorType scores = plan.getScoresType();
  ArrayRef<int64_t> all = scores.getShape(),
                    own = cast<RankedTensorType>(type).getShape();
  int64_t rows = own[0] * own[1] * own[2], keys = all[3], summed = 1;
  for (int64_t dim : {0, 1, 2})
    summed *= own[dim] == 1 ? all[dim] : 1;
  KernelShell shell = site.createRowsShell("_bias", rows, scores, type);
  TileCode code{shell.builder, op.getLoc()};
  // The row of scores of summand `number` of a row of the bias.
  auto findLine = [&](TileCode at, Value row, Value number) {
    Value line = at.index(0);
    int64_t rest = rows, restSummed = summed;
    for (int64_t dim : {0, 1, 2}) {
      bool isSummed = own[dim] == 1;
      (isSummed ? restSummed : rest) /= all[dim];
      Value place =
          at.remIndex(at.divIndex(isSummed ? number : row,
                                  at.index(isSummed ? restSummed : rest)),
                      at.index(all[dim]));
      line = at.addIndex(at.mulIndex(line, at.index(all[dim])), place);
    }
    return line;
  };
  code.gridRows(code.index(rows), [&](TileCode inner, Value row) {
    Value zero = inner.index(0);
    auto load = [&](TileCode at, Value number, Value key) {
      return at.load(shell.getInput(0), findLine(at, row, number), key);
    };
    if (own[3] == 1) {
      Value sum = inner.reduce(
          tile::Reduction::Add, zero, inner.index(summed * keys),
          [&](TileCode each, Value item) {
            return load(each, each.divIndex(item, each.index(keys)),
                        each.remIndex(item, each.index(keys)));
          });
      return inner.store(sum, shell.getOutput(0), row, zero);
    }
    inner.columns(zero, inner.index(keys), [&](TileCode each, Value key) {
      Value sum = sumRuns(
          each, each.index(0), each.index(summed),
          [&](TileCode at, Value number) { return load(at, number, key); });
      each.store(sum, shell.getOutput(0), row, key);
    });
  });
  return shell.kernel;
}

/// gradient . value of each token and query head.
tile::KernelOp parablock::buildOwnPulls(const GradientSite &site,
                                        const AttentionGradPlan &plan) {
  block::SdpaGradOp op = plan.op;
  const AttentionPlan &cut = plan.ofQueries;
  auto query = cast<RankedTensorType>(op.getQuery().getType());
  auto type = RankedTensorType::get(
      {query.getDimSize(0), query.getDimSize(1), cut.heads},
      Float32Type::get(op.getContext()));
  KernelShell shell = site.createRowsShell(
      "_own", getStaticRows(type),
      {op.getGradient().getType(), op.getValue().getType()}, type);
  TileCode code{shell.builder, op.getLoc()};
  Value rows = createRowCount(shell.builder, op.getLoc(), shell.getOutput(0));
  code.gridRows(rows, [&](TileCode inner, Value row) {
    inner.loop(
        inner.index(0), inner.index(cut.heads), [&](TileCode each, Value head) {
          Value size = each.index(cut.valueSize);
          Value from = each.mulIndex(head, size);
          Value shared = each.mulIndex(
              each.divIndex(head, each.index(cut.heads / cut.keyHeads)), size);
          Value sum = each.reduce(
              tile::Reduction::Add, each.index(0), size,
              [&](TileCode at, Value column) {
                Value own =
                    at.load(shell.getInput(0), row, at.addIndex(from, column));
                return at.mul(own, at.load(shell.getInput(1), row,
                                           at.addIndex(shared, column)));
              });
          each.store(sum, shell.getOutput(0), row, head);
        });
  });
  return shell.kernel;
}

/// The sum of a fact over all tokens, of each head or of all.
tile::KernelOp parablock::buildGainGradient(const GradientSite &site,
                                            const AttentionGradPlan &plan,
                                            StringRef operand, Type type) {
  block::SdpaGradOp op = plan.op;
  int64_t heads = plan.ofQueries.heads;
  int64_t size = cast<RankedTensorType>(type).getShape().back();
  bool isOwn = operand == "alpha";
  RankedTensorType facts = plan.getFactsType();
  if (isOwn)
    facts =
        RankedTensorType::get({facts.getDimSize(0), facts.getDimSize(1), heads},
                              facts.getElementType());
  SmallVector<Type> inputs = {facts};
  Value beta = operand == "sinks" ? op.getBeta() : Value();
  if (beta)
    inputs.push_back(beta.getType());
  KernelShell shell =
      site.createRowsShell(("_" + operand).str(), size, inputs, type);
  TileCode code{shell.builder, op.getLoc()};
  Value rows = createRowCount(shell.builder, op.getLoc(), shell.getInput(0));
  QueryFact fact = operand == "gamma"   ? QueryFact::PullMean
                   : operand == "sinks" ? QueryFact::SinkPull
                                        : QueryFact::Mean;
  int64_t together = heads / size;
  code.gridRows(code.index(size), [&](TileCode inner, Value gain) {
    Value sum = inner.reduce(
        tile::Reduction::Add, inner.index(0),
        inner.mulIndex(rows, inner.index(together)),
        [&](TileCode each, Value item) {
          Value row = each.divIndex(item, each.index(together));
          Value head =
              each.addIndex(gain, each.remIndex(item, each.index(together)));
          Value column = isOwn ? head : plan.createColumn(each, fact, head);
          Value own = each.load(shell.getInput(0), row, column);
          if (!beta)
            return own;
          bool isOne = getDim(beta, -1) == 1;
          Value zero = each.index(0);
          return each.mul(
              own, each.load(shell.getInput(1), zero, isOne ? zero : head));
        });
    bool isNegative = operand == "gamma" || operand == "sinks";
    inner.store(isNegative ? inner.neg(sum) : sum, shell.getOutput(0),
                inner.index(0), gain);
  });
  return shell.kernel;
}
