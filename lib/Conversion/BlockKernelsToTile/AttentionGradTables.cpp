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
/// keys, below 0. None for an open number.
static std::optional<int64_t> countDistances(const AttentionGradPlan &plan) {
  block::SdpaGradOp op = plan.op;
  int64_t queries = getDim(op.getQuery(), 1);
  std::optional<int64_t> keys = plan.ofQueries.getNumKeys();
  if (ShapedType::isDynamic(queries) || !keys)
    return std::nullopt;
  return queries + *keys - 1;
}

static RankedTensorType getDiagonals(const AttentionGradPlan &plan) {
  block::SdpaGradOp op = plan.op;
  return RankedTensorType::get(
      {plan.ofQueries.heads,
       countDistances(plan).value_or(ShapedType::kDynamic)},
      Float32Type::get(op.getContext()));
}

/// The distance at a place of all, of the new `keys`.
static Value createDistanceAt(TileCode code, Value keys, Value place) {
  return code.subIndex(place, code.subIndex(code.dim(keys, 1), code.index(1)));
}

/// The sums of gradients by scores of each head and distance.
tile::KernelOp parablock::buildScoreDiagonals(const GradientSite &site,
                                              const AttentionGradPlan &plan) {
  block::SdpaGradOp op = plan.op;
  int64_t heads = plan.ofQueries.heads;
  std::optional<int64_t> count = countDistances(plan);
  KernelShell shell = site.createRowsShell(
      "_diagonals", count ? std::optional(heads * *count) : std::nullopt,
      {plan.getScoresType(), op.getKey().getType()}, getDiagonals(plan));
  TileCode code{shell.builder, op.getLoc()};
  Value scores = shell.getInput(0), newKeys = shell.getInput(1);
  Value batch = code.dim(scores, 0), queries = code.dim(scores, 2),
        keys = code.dim(scores, 3),
        past = code.subIndex(keys, code.dim(newKeys, 1)),
        distances = code.dim(shell.getOutput(0), 1);
  Value items = code.mulIndex(code.index(heads), distances);
  code.gridRows(items, [&](TileCode inner, Value item) {
    Value zero = inner.index(0);
    Value head = inner.divIndex(item, distances);
    Value place = inner.remIndex(item, distances);
    Value distance = createDistanceAt(inner, newKeys, place);
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
  int64_t heads = plan.ofQueries.heads;
  int64_t rows = cast<RankedTensorType>(type).getDimSize(0);
  KernelShell shell =
      site.createRowsShell("_table", rows * heads,
                           {getDiagonals(plan), op.getKey().getType()}, type);
  TileCode code{shell.builder, op.getLoc()};
  code.gridRows(code.index(rows * heads), [&](TileCode inner, Value item) {
    Value row = inner.divIndex(item, inner.index(heads)),
          head = inner.remIndex(item, inner.index(heads));
    Value buckets = inner.table(
        llvm::to_vector_of<int32_t>(computeBuckets(*op.getBuckets(), rows)));
    Value sum = inner.reduce(
        tile::Reduction::Add, inner.index(0), inner.dim(shell.getInput(0), 1),
        [&](TileCode each, Value place) {
          Value distance = createDistanceAt(each, shell.getInput(1), place);
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
/// in order, which may turn out when the kernel runs. A warp has a row of the
/// bias.
tile::KernelOp parablock::buildBiasGradient(const GradientSite &site,
                                            const AttentionGradPlan &plan,
                                            Type type) {
  auto biasType = cast<RankedTensorType>(type);
  KernelShell shell = site.createRowsShell("_bias", getStaticRows(biasType),
                                           {plan.getScoresType(), type}, type);
  TileCode code{shell.builder, plan.op->getLoc()};
  // Elements of each dimension, and how many scores each of them is a sum of.
  SmallVector<Value, 4> own, summed;
  for (int64_t dim = 0; dim < 4; ++dim) {
    own.push_back(code.dim(shell.getOutput(0), dim));
    summed.push_back(
        code.divIndex(code.dim(shell.getInput(0), dim), own.back()));
  }
  auto multiply = [&](ValueRange sizes) {
    Value product = sizes.front();
    for (Value size : sizes.drop_front())
      product = code.mulIndex(product, size);
    return product;
  };
  Value lines = multiply(ArrayRef(summed).take_front(3));
  // The row of scores of summand `number` of a row of the bias.
  auto findLine = [&](TileCode at, Value row, Value number) {
    Value line = at.index(0), stride = at.index(1);
    for (int64_t dim : {2, 1, 0}) {
      Value place = at.addIndex(at.remIndex(row, own[dim]),
                                at.remIndex(number, summed[dim]));
      line = at.addIndex(line, at.mulIndex(place, stride));
      stride = at.mulIndex(stride, at.mulIndex(own[dim], summed[dim]));
      row = at.divIndex(row, own[dim]);
      number = at.divIndex(number, summed[dim]);
    }
    return line;
  };
  code.gridRows(
      multiply(ArrayRef(own).take_front(3)), [&](TileCode inner, Value row) {
        Value zero = inner.index(0), items = inner.mulIndex(lines, summed[3]);
        auto load = [&](TileCode at, Value item, Value column) {
          Value key = at.addIndex(column, at.remIndex(item, summed[3]));
          return at.load(shell.getInput(0),
                         findLine(at, row, at.divIndex(item, summed[3])), key);
        };
        if (biasType.getShape().back() == 1) {
          Value sum = inner.reduce(tile::Reduction::Add, zero, items,
                                   [&](TileCode each, Value item) {
                                     return load(each, item, zero);
                                   });
          return inner.store(sum, shell.getOutput(0), row, zero);
        }
        inner.columns(zero, own[3], [&](TileCode each, Value column) {
          Value sum =
              sumRuns(each, each.index(0), items, [&](TileCode at, Value item) {
                return load(at, item, column);
              });
          each.store(sum, shell.getOutput(0), row, column);
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
