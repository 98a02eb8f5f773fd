//===- AttentionGradQueries.cpp - gradients by queries --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AttentionGrad.h"
#include "RunningSoftmax.h"
#include "parablock/Dialect/Block/ShapeChecks.h"

#include <limits>

using namespace mlir;
using namespace parablock;

namespace {
/// One tile of queries.
class QueryPass : AttentionGradTile {
public:
  QueryPass(TileCode code, const AttentionGradPlan &plan, KernelShell &shell,
            const AttentionTile &tile, ValueRange own)
      : AttentionGradTile(plan), shell(shell), tile(tile), cut(plan.ofQueries),
        op(plan.op), sequences(code, tile), query(own[0]), gradient(own[1]),
        scores(code, tile, sequences, query), dropout(code, tile) {
    if (tile.past)
      addSource(code, op.getPastKey(), op.getPastValue(), code.index(0),
                tile.pastRows, tile.pastRows);
    addSource(code, op.getKey(), op.getValue(),
              tile.past ? tile.past : code.index(0), tile.keyRows,
              limitKeys(code, tile.keyRows, tile.queryRows));
    unsigned first = op->getNumOperands();
    relations = findRelations(plan, shell, first, op.getShawValue());
  }

  using Values = SmallVector<Value>;
  /// The facts of the tile's rows, in the plan's order.
  Values findFacts(TileCode code);
  Value addKeys(TileCode code, ValueRange facts, Value sums);

private:
  /// Sums over keys; AllPulls are not weighted.
  enum { Largest, Total, Pull, AllPulls };
  /// Elements of a step; facts and sequences of the row follow.
  enum { OfScore, OfPull, OfProduct, NumOfStep };
  /// Keys that are read, of consecutive rows, and those that are passed.
  struct Source : KeySource {
    KeyRange range;
  };
  /// Passes keys, with their scores and pulls.
  struct Step {
    const Source *source;
    /// Pulls are those of weights as dropout leaves them, and of all.
    Value firstKey, products, scores, pulls, allPulls;
    ValueRange buffers;
    KeyTile keys;
    bool mayHide;
  };
  void addSource(TileCode code, Value key, Value value, Value first, Value rows,
                 Value seen);
  using Consume =
      llvm::function_ref<Values(TileCode, const Step &, ValueRange)>;
  Values pass(TileCode code, ValueRange inits, Consume consume);
  Values passRange(TileCode code, const Source &source, KeyRange range,
                   bool mayHide, ValueRange inits, Consume consume);
  /// Tells whether steps of whole tiles may have rows behind the last key.
  bool mayEnd(bool mayHide) const { return mayHide && hasKeyEnd(); }
  Value createScores(TileCode code, const Step &step);
  Values addScores(TileCode code, const Step &step, ValueRange carried);
  Values sumScores(TileCode code);
  Value loadSink(TileCode code, Value row);
  Value toScore(TileCode code, Value largest);
  Value findFactors(TileCode code, Value largest, Value total);
  Value createPullMean(TileCode code, Value allPulls);
  Value createSinkPull(TileCode code, Value largest, Value total, Value mean);
  Value createElement(TileCode code, const Step &step, ValueRange indices,
                      ValueRange elements, StringRef by);
  Value createGradients(TileCode code, const Step &step, ValueRange facts,
                        StringRef by);
  Value constant(TileCode code, double value) {
    return code.map(cut.getRowValues(), {},
                    [&](TileCode inner, ValueRange, ValueRange) {
                      return inner.f32(value);
                    });
  }
  Value addShares(TileCode code, Value sums, Value corrections, Value shares) {
    return code.map(cut.getRowValues(), {sums, corrections, shares},
                    [](TileCode inner, ValueRange, ValueRange elements) {
                      return inner.fma(elements[0], elements[1], elements[2]);
                    });
  }
  void storeScores(TileCode code, const Step &step, Value byBias, Value stored);
  Value changePulls(TileCode code, Value firstKey, Value pulls);
  Value createKept(TileCode code, Value row, Value key, Value weight,
                   ValueRange halves);
  Value loadBeta(TileCode code, Value row) {
    return op.getBeta() ? tile.loadGain(code, op.getBeta(), row) : Value();
  }

  KernelShell &shell;
  const AttentionTile &tile;
  const AttentionPlan &cut;
  block::SdpaGradOp op;
  AttentionSequences sequences;
  Value query, gradient;
  AttentionScores scores;
  AttentionDropout dropout;
  SmallVector<Source, 2> sources;
  /// True if the pass multiplies by keys that it sums over.
  bool addsKeys = false;
  /// Products of gradients and the rows of `shaw_value`.
  Value relations;
};
} // namespace

/// Keys of a tensor that queries see; all where each has an element to store.
void QueryPass::addSource(TileCode code, Value key, Value value, Value first,
                          Value rows, Value seen) {
  Value valid = code.subIndex(sequences.getValidKeys(), first);
  Value end = code.addIndex(first, rows);
  Source source = {{tile.get(key), tile.get(value), first,
                    code.minIndex(seen, valid),
                    code.mulIndex(tile.batch, rows)},
                   {first, end}};
  if (plan.stored.empty()) {
    Value last = code.addIndex(first, source.count);
    source.range = {code.maxIndex(sequences.getFirst().keys.begin, first),
                    code.minIndex(sequences.getLast().keys.end, last)};
  }
  sources.push_back(source);
}

/// Keys of whole tiles are hidden by a causal mask only where their rows are
/// those of the queries, and behind the last key: before them, no element is
/// looked at. They take a known number of steps, also where the last ones are
/// behind all keys: else ptxas would serialise products.
SmallVector<Value> QueryPass::pass(TileCode code, ValueRange inits,
                                   Consume consume) {
  Values values(inits);
  for (const Source &source : sources) {
    Value from = source.range.begin, to = source.range.end;
    Value middle, size = code.index(cut.keys);
    bool mayHide = !isWhole() || hidesAnywhere(),
         isCausal = op.getScores().getCausal();
    if (!mayHide && hasKeyEnd()) {
      middle = code.mulIndex(code.divIndex(source.count, size), size);
      to = code.addIndex(middle, size);
    }
    if (!mayHide && isCausal) {
      middle = middle ? code.minIndex(middle, tile.firstRow) : tile.firstRow;
      to = code.addIndex(middle, code.index(cut.rows));
    }
    if (!middle) {
      values = passRange(code, source, {from, to}, mayHide, values, consume);
      continue;
    }
    // A step alone comes first, so that its sums visibly begin as zeros.
    for (bool isEnd : {!isCausal, isCausal})
      values = passRange(code, source,
                         isEnd ? KeyRange{middle, to} : KeyRange{from, middle},
                         isEnd, values, consume);
  }
  return values;
}

SmallVector<Value> QueryPass::passRange(TileCode code, const Source &source,
                                        KeyRange range, bool mayHide,
                                        ValueRange inits, Consume consume) {
  Value size = code.index(cut.keys), zero = code.index(0);
  Value count = code.maxIndex(code.subIndex(range.end, range.begin), zero);
  Value steps =
      code.divIndex(code.addIndex(count, code.index(cut.keys - 1)), size);
  Value endRow = code.addIndex(source.row, source.count);
  return code.pipeline(
      steps, {cut.getKeyBuffer(), cut.getValueBuffer()}, inits, /*stages=*/0,
      [&](TileCode inner, Value step, ValueRange buffers) {
        Value key = inner.addIndex(range.begin, inner.mulIndex(step, size));
        Value row = inner.addIndex(source.row,
                                   createDistance(inner, key, source.first));
        // Rows behind the last key have no weight, but may be no numbers,
        // which products by all keys of a step would find.
        copyRows(inner, cut, source.key, row, endRow, tile.keyHead,
                 cut.headSize, buffers[0], cut.keys,
                 addsKeys && mayEnd(mayHide));
        copyRows(inner, cut, source.value, row, endRow, tile.keyHead,
                 cut.valueSize, buffers[1], cut.keys);
      },
      [&](TileCode inner, Value step, ValueRange buffers, ValueRange carried) {
        Step now;
        now.source = &source;
        now.firstKey = inner.addIndex(range.begin, inner.mulIndex(step, size));
        now.buffers = buffers;
        now.mayHide = mayHide;
        now.keys = {now.firstKey, inner.boolean(false)};
        now.products =
            multiply(inner, query, buffers[0], cut.getScores(), cut.getDepth());
        now.allPulls = multiply(inner, gradient, buffers[1], cut.getScores(),
                                getDepth(cut.valueSize));
        now.products = inner.settle(now.products, /*pending=*/1);
        now.scores = createScores(inner, now);
        now.allPulls = inner.settle(now.allPulls);
        now.pulls = changePulls(inner, now.firstKey, now.allPulls);
        return consume(inner, now, carried);
      });
}

Value QueryPass::createScores(TileCode code, const Step &step) {
  if (!isWhole())
    return scores.create(code, *step.source, step.keys, step.products);
  if (!step.mayHide)
    return step.products;
  Values operands = {step.products};
  llvm::append_range(operands, sequences.getRowSequences());
  return code.map(
      cut.getScores(), operands,
      [&](TileCode each, ValueRange indices, ValueRange elements) {
        Value hidden = each.f32(-std::numeric_limits<double>::infinity());
        Value end = each.subIndex(step.source->count, step.firstKey);
        if (hidesAnywhere()) {
          KeyRange keys =
              sequences.createQuery(each, indices[0], elements.drop_front())
                  .keys;
          end = each.minIndex(end, each.subIndex(keys.end, step.firstKey));
          Value begin = each.subIndex(keys.begin, step.firstKey);
          return selectWithin(each, indices[1], {begin, end}, elements[0],
                              hidden);
        }
        if (op.getScores().getCausal()) {
          Value ahead = each.subIndex(step.firstKey, tile.firstRow);
          Value own =
              each.addIndex(each.subIndex(indices[0], ahead), each.index(1));
          end = hasKeyEnd() ? each.minIndex(end, own) : own;
        }
        return selectWithin(each, indices[1], {Value(), end}, elements[0],
                            hidden);
      });
}

/// Adds what `shaw_value` gives, and drops weights.
Value QueryPass::changePulls(TileCode code, Value firstKey, Value pulls) {
  if (!op.getSeed() && !relations)
    return pulls;
  Values operands = {pulls};
  llvm::append_range(operands, dropout.getRowKeys());
  return code.map(
      cut.getScores(), operands,
      [&](TileCode each, ValueRange indices, ValueRange elements) {
        Value key = each.addIndex(firstKey, indices[1]);
        return AttentionDropout::keep(
            each, op.getDropoutAttr(),
            addShawPull(each, tile, relations, indices[0], key, elements[0]),
            elements.drop_front(), key);
      });
}

/// Adds the scores and pulls of some keys to the sums of the tile's rows.
SmallVector<Value> QueryPass::addScores(TileCode code, const Step &step,
                                        ValueRange carried) {
  auto add = [&](Value values) {
    return code.combineShares(tile::Reduction::Add, values);
  };
  auto createShares = [&](auto type, Value scores, Value largest) {
    return code.map(type, {scores, largest},
                    [&](TileCode each, ValueRange, ValueRange elements) {
                      return createShare(each, cut, elements[0], elements[1]);
                    });
  };
  Value largest = code.map(
      cut.getRowValues(),
      {carried[Largest], code.combine(tile::Reduction::Max, step.scores)},
      [](TileCode each, ValueRange, ValueRange elements) {
        return each.max(elements[0], elements[1]);
      });
  Value corrections =
      createShares(cut.getRowValues(), carried[Largest], largest);
  Value weights = createShares(cut.getScores(), step.scores, largest);
  Value pulls =
      code.map(cut.getScores(), {weights, step.pulls},
               [](TileCode each, ValueRange, ValueRange elements) {
                 return each.select(isZero(each, elements[0]), each.f32(0),
                                    each.mul(elements[0], elements[1]));
               });
  Values next = {largest,
                 addShares(code, carried[Total], corrections, add(weights)),
                 addShares(code, carried[Pull], corrections, add(pulls))};
  if (!op.getGamma())
    return next;
  Value seen = code.map(
      cut.getScores(),
      {scores.createAllowed(code, *step.source, step.keys), step.allPulls},
      [](TileCode each, ValueRange, ValueRange elements) {
        return each.select(each.less(each.f32(0), elements[0]), elements[1],
                           each.f32(0));
      });
  next.push_back(code.map(cut.getRowValues(), {carried[AllPulls], add(seen)},
                          [](TileCode each, ValueRange, ValueRange elements) {
                            return each.add(elements[0], elements[1]);
                          }));
  return next;
}

/// Sums scores and pulls over all keys of the tile's rows.
SmallVector<Value> QueryPass::sumScores(TileCode code) {
  Value zero = constant(code, 0);
  Values inits = {constant(code, -1e30), zero, zero};
  if (op.getScoreBias())
    inits[Largest] = constant(code, std::numeric_limits<float>::lowest());
  if (op.getGamma())
    inits.push_back(zero);
  Values sums =
      pass(code, inits,
           [&](TileCode inner, const Step &step, ValueRange carried) -> Values {
             return addScores(inner, step, carried);
           });
  for (Value &sum : MutableArrayRef<Value>(sums).drop_front())
    sum = code.combine(tile::Reduction::Add, sum);
  return sums;
}

Value QueryPass::loadSink(TileCode code, Value row) {
  return op.getSinks() ? tile.loadGain(code, op.getSinks(), row) : Value();
}

/// Returns the scaled score of a number that the softmax compares.
Value QueryPass::toScore(TileCode code, Value largest) {
  return cut.scaleIsInExponent()
             ? code.scale(largest, op.getScores().getScaleValue())
             : largest;
}

/// The mean of pulls over the keys that a query sees; 0 without keys.
Value QueryPass::createPullMean(TileCode code, Value allPulls) {
  Values operands = {allPulls};
  llvm::append_range(operands, sequences.getRowSequences());
  return code.map(
      cut.getRowValues(), operands,
      [&](TileCode inner, ValueRange indices, ValueRange elements) {
        auto [begin, end] =
            sequences.createQuery(inner, indices[0], elements.drop_front())
                .keys;
        Value count = inner.toF32(inner.subIndex(end, begin));
        return inner.select(inner.lessIndex(begin, end),
                            inner.div(elements[0], count), inner.f32(0));
      });
}

/// The weight of the sink times the mean of pulls.
Value QueryPass::createSinkPull(TileCode code, Value largest, Value total,
                                Value mean) {
  return code.map(
      cut.getRowValues(), {largest, total, mean},
      [&](TileCode inner, ValueRange indices, ValueRange elements) {
        SinkShare share = addSink(inner, loadSink(inner, indices[0]),
                                  toScore(inner, elements[0]), elements[1]);
        return inner.mul(inner.div(share.sink, share.total), elements[2]);
      });
}

/// The factors of weights: 0 for a query without keys, also beside a sink that
/// is NaN.
Value QueryPass::findFactors(TileCode code, Value largest, Value total) {
  Values operands = {largest, total};
  if (op.getSinks())
    llvm::append_range(operands, sequences.getRowSequences());
  return code.map(
      cut.getRowValues(), operands,
      [&](TileCode inner, ValueRange indices, ValueRange elements) {
        Value row = indices[0];
        Value factor = createFactor(inner, inner.f32(1), loadSink(inner, row),
                                    toScore(inner, elements[0]), elements[1]);
        if (!op.getSinks())
          return factor;
        auto [begin, end] =
            sequences.createQuery(inner, row, elements.drop_front(2)).keys;
        return inner.select(inner.lessIndex(begin, end), factor, inner.f32(0));
      });
}

SmallVector<Value> QueryPass::findFacts(TileCode code) {
  Values sums = sumScores(code);
  Value factor = findFactors(code, sums[Largest], sums[Total]);
  Values facts = {sums[Largest], factor};
  if (plan.has(QueryFact::LogSum))
    facts = {code.map(cut.getRowValues(), facts,
                      [&](TileCode inner, ValueRange, ValueRange elements) {
                        return createLogSum(inner, cut, elements[0],
                                            elements[1]);
                      })};
  Value mean = code.map(cut.getRowValues(), {sums[Pull], factor},
                        [](TileCode inner, ValueRange, ValueRange elements) {
                          return inner.mul(elements[0], elements[1]);
                        });
  facts.push_back(mean);
  if (op.getGamma())
    facts.push_back(createPullMean(code, sums[AllPulls]));
  if (op.getSinks())
    facts.push_back(createSinkPull(code, sums[Largest], sums[Total], mean));
  llvm::append_range(facts, dropout.getRowKeys());
  return facts;
}

void QueryPass::storeScores(TileCode code, const Step &step, Value byBias,
                            Value stored) {
  Value staged = code.stage(byBias, 0, cut.keys), zero = code.index(0);
  Value firstKey = step.firstKey;
  Value count = code.minIndex(code.subIndex(step.source->range.end, firstKey),
                              code.index(cut.keys));
  code.tileRows(tile.usedRows, cut.rows, [&](TileCode inner, Value row) {
    Value line = inner.addIndex(
        inner.mulIndex(tile.batch, inner.index(cut.heads)), tile.firstHead);
    line = inner.addIndex(inner.mulIndex(line, tile.queryRows),
                          tile.createTime(inner, row));
    inner.columns(zero, count, [&](TileCode each, Value column) {
      each.store(each.load(staged, row, column), stored, line,
                 each.addIndex(firstKey, column));
    });
  });
}

/// The factor of the gradient by what a table adds to a value.
Value QueryPass::createKept(TileCode code, Value row, Value key, Value weight,
                            ValueRange halves) {
  Value share =
      AttentionDropout::keep(code, op.getDropoutAttr(), weight, halves, key);
  return op.getBeta() ? code.mul(share, loadBeta(code, row)) : share;
}

/// The gradient by one operand of a score; by the product for an empty name.
Value QueryPass::createElement(TileCode code, const Step &step,
                               ValueRange indices, ValueRange elements,
                               StringRef by) {
  ValueRange facts = elements.slice(NumOfStep, plan.facts.size());
  Value row = indices[0];
  auto getFact = [&](QueryFact fact) { return facts[plan.getPlace(fact)]; };
  Value weight = createWeight(code, elements[OfScore], getFact);
  Value key = code.addIndex(step.firstKey, indices[1]);
  auto createQuery = [&]() {
    return sequences.createQuery(
        code, row, elements.drop_front(NumOfStep + plan.facts.size()));
  };
  // Weights of hidden keys are 0 in each sum over queries, also of one that
  // sees NaN. A bias of -inf does not hide a key.
  if (!by.empty())
    weight = code.select(
        scores.isAllowed(code, *step.source, createQuery().keys, key), weight,
        code.f32(0));
  if (by == "shaw_value") {
    Values halves;
    for (QueryFact half : {QueryFact::DropLow, QueryFact::DropHigh})
      if (plan.has(half))
        halves.push_back(getFact(half));
    return createKept(code, row, key, weight, halves);
  }
  Value slope;
  if (op.getScores().getSoftcap())
    slope = scores.createCapSlope(code, row, createQuery(), key,
                                  elements[OfProduct]);
  ScoreGradient gradient = createGradient(
      code, weight, elements[OfPull], getFact(QueryFact::Mean),
      loadBeta(code, row), slope, !isWhole() || mayEnd(step.mayHide));
  if (by == "score_bias")
    return gradient.byScore;
  block::ScoreOrder order = op.getScores().getOrder();
  if (by.empty() || order == block::ScoreOrder::BiasScaleCap)
    return gradient.byProduct;
  return order == block::ScoreOrder::ScaleBiasCap ? gradient.byCap
                                                  : gradient.byScore;
}

Value QueryPass::createGradients(TileCode code, const Step &step,
                                 ValueRange facts, StringRef by) {
  Values operands = {step.scores, step.pulls, step.products};
  llvm::append_range(operands, facts);
  llvm::append_range(operands, sequences.getRowSequences());
  return code.map(cut.getScores(), operands,
                  [&](TileCode each, ValueRange indices, ValueRange elements) {
                    return createElement(each, step, indices, elements, by);
                  });
}

Value QueryPass::addKeys(TileCode code, ValueRange facts, Value sums) {
  addsKeys = true;
  ShawFactors factors(plan, shell, tile);
  return pass(
      code, sums,
      [&](TileCode inner, const Step &step, ValueRange carried) -> Values {
        auto create = [&](StringRef by) {
          return createGradients(inner, step, facts, by);
        };
        for (auto [number, operand] : llvm::enumerate(plan.stored))
          storeScores(inner, step, create(operand),
                      shell.getOutput(2 + number));
        if (llvm::is_contained(plan.factors, "shaw_value"))
          factors.add(inner, "shaw_value", create("shaw_value"), step.firstKey);
        Value gradients = create(/*by=*/"");
        if (op.getShawKey())
          factors.add(inner, "shaw_key", gradients, step.firstKey);
        return {addProduct(inner, gradients, step.buffers[0], carried[0])};
      })[0];
}

void QueryGradient::buildTile(TileCode code, KernelShell &shell,
                              const AttentionTile &tile) {
  const AttentionPlan &cut = plan.ofQueries;
  block::SdpaGradOp op = plan.op;
  auto sumsType = getSums(cut, cut.headSize);
  SmallVector<Value> inits = {code.zero(sumsType)};
  for (size_t fact = 0; fact < plan.facts.size(); ++fact)
    inits.push_back(code.map(
        cut.getRowValues(), {},
        [](TileCode inner, ValueRange, ValueRange) { return inner.f32(0); }));
  Value start = code.mulIndex(tile.batch, tile.queryRows);
  Value count = tile.queryRows;
  // Rows behind packed sequences may be no numbers.
  bool hasEnd = isWhole() && op.getCuSeqlens();
  if (hasEnd)
    count = code.minIndex(
        count,
        AttentionSequences(code, tile, /*findsRows=*/false).getValidKeys());
  Value end = code.addIndex(start, count);
  Value row = code.addIndex(start, tile.firstRow);
  SmallVector<Value> results = code.pipeline(
      code.index(1), {cut.getQueryBuffer(), getRows(cut, cut.valueSize)}, inits,
      /*stages=*/1,
      [&](TileCode inner, Value, ValueRange buffers) {
        copyRows(inner, cut, tile.get(op.getQuery()), row, end, tile.firstHead,
                 cut.headSize, buffers[0], cut.rows, hasEnd);
        copyRows(inner, cut, tile.get(op.getGradient()), row, end,
                 tile.firstHead, cut.valueSize, buffers[1], cut.rows, hasEnd);
      },
      [&](TileCode inner, Value, ValueRange buffers,
          ValueRange carried) -> SmallVector<Value> {
        QueryPass pass(inner, plan, shell, tile, buffers);
        ShawFactors(plan, shell, tile).clear(inner);
        SmallVector<Value> facts = pass.findFacts(inner);
        SmallVector<Value> next = {pass.addKeys(inner, facts, carried[0])};
        llvm::append_range(next, facts);
        return next;
      });
  auto finish = [&](TileCode each, Value element, Value line, Value column) {
    return ShawFactors(plan, shell, tile).addTo(each, element, line, column);
  };
  storeSums(code, cut, results[0], tile.usedRows, cut.headSize,
            shell.getOutput(1), row, tile.firstHead,
            op.getShawKey() ? FinishElement(finish) : FinishElement());
  storeFacts(code, shell, tile,
             joinFacts(code, cut.rows, ArrayRef(results).drop_front()));
}

void QueryGradient::storeFacts(TileCode code, KernelShell &shell,
                               const AttentionTile &tile, Value facts) {
  int64_t count = plan.facts.size();
  Value staged = code.stage(facts, 0, count);
  Value row =
      code.addIndex(code.mulIndex(tile.batch, tile.queryRows), tile.firstRow);
  code.tileRows(
      tile.usedRows, plan.ofQueries.rows, [&](TileCode inner, Value local) {
        inner.columns(
            inner.index(0), inner.index(count), [&](TileCode each, Value fact) {
              Value column = each.addIndex(
                  each.mulIndex(tile.firstHead, each.index(count)), fact);
              each.store(each.load(staged, local, fact), shell.getOutput(0),
                         each.addIndex(row, local), column);
            });
      });
}

tile::KernelOp QueryGradient::build(const GradientSite &site) {
  const AttentionPlan &cut = plan.ofQueries;
  block::SdpaGradOp op = plan.op;
  SmallVector<Type> outputs = {plan.getFactsType(), op.getQuery().getType()};
  outputs.append(plan.stored.size(), plan.getScoresType());
  for (StringRef name : plan.factors)
    outputs.push_back(plan.getRelationsType(
        name == "shaw_key" ? op.getShawKey() : op.getShawValue()));
  SmallVector<Type> inputs(op->getOperandTypes());
  for (Value table : listShawTables(plan))
    inputs.push_back(plan.getRelationsType(table));
  KernelShell shell = createKernelShell(
      site.atModule, op.getLoc(), (site.name + "_queries").str(), cut.schedule,
      inputs, outputs, /*workspaces=*/{});
  TileCode code{shell.builder, op.getLoc()};
  AttentionOperands operands(cut, shell, code);
  operands.shawProducts =
      findRelations(plan, shell, op->getNumOperands(), op.getShawKey());
  Value size = code.index(cut.rows);
  Value blocks = code.divIndex(
      code.addIndex(operands.queryRows, code.index(cut.rows - 1)), size);
  Value batch = code.dim(operands.get(op.getQuery()), 0);
  code.tiles(
      code.mulIndex(batch, blocks), code.index(cut.heads),
      [&](TileCode inner, Value rowTile, Value head) {
        Value firstRow = inner.mulIndex(inner.remIndex(rowTile, blocks), size);
        Value used =
            inner.minIndex(inner.subIndex(operands.queryRows, firstRow), size);
        AttentionTile tile(inner, operands, inner.divIndex(rowTile, blocks),
                           firstRow, used, head);
        buildTile(inner, shell, tile);
      });
  return shell.kernel;
}
