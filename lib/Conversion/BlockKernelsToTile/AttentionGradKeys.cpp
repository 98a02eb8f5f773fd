//===- AttentionGradKeys.cpp - gradients by keys and values ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AttentionGrad.h"

#include "parablock/Dialect/Block/ShapeChecks.h"

using namespace mlir;
using namespace parablock;

namespace {
/// One tile of keys of a head, or of all heads that share it.
class KeyPass : AttentionGradTile {
public:
  /// `keys` are those of the tensor that the tile is of, from `row` on.
  KeyPass(TileCode code, const AttentionGradPlan &plan,
          const AttentionPlan &cut, const AttentionOperands &operands,
          const KeySource &keys, Value batch, Value firstRow, Value keyHead);

  using Values = SmallVector<Value>;
  /// Adds to sums of keys, of values, or of both.
  Values addQueries(TileCode code, ValueRange own, bool ofKeys, bool ofValues,
                    ValueRange inits);

private:
  /// Tells whether steps of whole tiles, which then begin anywhere, may have
  /// queries of the next batch row.
  bool crossesEnds() const {
    block::AttentionOpInterface of = plan.op;
    return hidesAnywhere() && !of.getScores().getCausal();
  }
  /// Tells whether steps of whole tiles may have rows behind the last query.
  bool hasQueryEnd() const {
    block::AttentionOpInterface of = plan.op;
    return plan.endsInside(block::getDim(of.getQuery(), 1)) || crossesEnds() ||
           mayPassEnds() || (isWhole() && of.getCuSeqlens());
  }
  struct Step {
    const AttentionTile &tile;
    const AttentionSequences &sequences;
    const AttentionScores &scores;
    const KeySource &source;
    Value products, pulls;
    /// Facts of the step's queries, of whole tiles.
    Value facts;
    /// True if queries may be hidden from keys.
    bool mayHide;
  };
  Values consume(TileCode code, const Step &step, ValueRange buffers,
                 bool ofKeys, bool ofValues, ValueRange carried);
  Value loadFact(TileCode code, const Step &step, QueryFact fact, Value row);
  /// The query at a row of the step, and whether it may see keys of a sequence.
  AttentionQuery createQuery(TileCode code, const Step &step, Value row,
                             ValueRange sequence);
  Value isThere(TileCode code, const Step &step, Value row,
                ValueRange sequence);
  /// The queries that see a key, whose number in the tile is `row`, as rows of
  /// the step.
  KeyRange findQueries(TileCode code, const Step &step, Value row,
                       ValueRange sequence);
  Value markDropped(TileCode code, const Step &step, Value weight,
                    ValueRange indices);
  double getKeptFactor() {
    return 1 / (1 - op.getDropoutAttr().getRate().getValueAsDouble());
  }
  Value hideWeight(TileCode code, const Step &step, ValueRange indices,
                   ValueRange sequence, Value weight);
  Value createWeights(TileCode code, const Step &step);
  Value createShares(TileCode code, const Step &step, Value weights);
  Value createGradients(TileCode code, const Step &step, Value weights);
  /// So many blocks of queries of each head from the row `from` on.
  struct Range {
    Value from, blocks;
    bool mayHide;
  };
  Values addRange(TileCode code, const Range &range, ValueRange own,
                  bool ofKeys, bool ofValues, ValueRange inits);
  Value getFirstRow(TileCode code, const Range &range, Value step) {
    Value block = code.remIndex(step, range.blocks);
    return code.addIndex(range.from,
                         code.mulIndex(block, code.index(cut.keys)));
  }
  Value getHead(TileCode code, const Range &range, Value step) {
    return code.addIndex(
        code.mulIndex(keyHead, code.index(cut.heads / cut.keyHeads)),
        code.divIndex(step, range.blocks));
  }

  const AttentionOperands &operands;
  /// Its rows are keys, and its keys queries.
  const AttentionPlan &cut;
  block::SdpaGradOp op;
  KeySource keys;
  Value facts, batch, firstKey, keyHead;
  /// Products of gradients and the rows of `shaw_value`.
  Value relations;
  /// The first query, and how many steps pass those of a head.
  Value from, blocks;
  /// Rows behind which no query is: those of packed sequences, or all.
  Value queryRows;
  /// Bounds of the sequence of each key, as bits, where some are packed.
  Values keySequences;
};
} // namespace

/// Only queries pass that may see a key of the tile.
KeyPass::KeyPass(TileCode code, const AttentionGradPlan &plan,
                 const AttentionPlan &cut, const AttentionOperands &operands,
                 const KeySource &keys, Value batch, Value firstRow,
                 Value keyHead)
    : AttentionGradTile(plan), operands(operands), cut(cut), op(plan.op),
      keys(keys), batch(batch), firstKey(code.addIndex(keys.first, firstRow)),
      keyHead(keyHead) {
  unsigned first = op->getNumOperands();
  facts = operands.shell.getInput(first);
  relations = findRelations(plan, operands.shell, first + 1, op.getShawValue());
  block::ScoresAttr form = op.getScores();
  Value to = operands.queryRows;
  queryRows = operands.queryRows;
  from = code.index(0);
  // The row of the query that has the position of the first key.
  Value own =
      operands.pastRows ? code.subIndex(firstKey, operands.pastRows) : firstKey;
  if (form.getCausal())
    from = operands.pastRows ? code.maxIndex(own, from) : own;
  if (std::optional<int64_t> window = form.getWindow()) {
    int64_t reach = std::min<int64_t>(*window, 1 << 30);
    Value end = code.addIndex(own, code.index(cut.rows));
    to = code.minIndex(to, code.addIndex(end, code.index(reach)));
    if (!form.getCausal())
      from = code.maxIndex(code.subIndex(own, code.index(reach)), from);
  }
  if (op.getCuSeqlens()) {
    Value used = code.minIndex(code.subIndex(operands.keyRows, firstKey),
                               code.index(cut.rows));
    AttentionTile keys(code, operands, batch, firstKey, used, keyHead);
    AttentionSequences sequences(code, keys);
    llvm::append_range(keySequences, sequences.getRowSequences());
    queryRows = code.minIndex(queryRows, sequences.getValidKeys());
    // One number for each key is enough, which leaves registers.
    if (hidesAnywhere() && form.getCausal())
      keySequences.back() =
          code.map(cut.getRowValues(), keySequences,
                   [&](TileCode inner, ValueRange indices, ValueRange bounds) {
                     Value key = inner.addIndex(firstKey, indices[0]);
                     Value isBefore =
                         inner.lessIndex(key, inner.fromBits(bounds[0]));
                     return inner.select(isBefore, inner.toBits(inner.index(0)),
                                         bounds[1]);
                   });
    from =
        code.maxIndex(from, sequences.findSequence(code, code.index(0)).begin);
    Value last = code.subIndex(used, code.index(1));
    to = code.minIndex(to, sequences.findSequence(code, last).end);
  }
  // Keys behind the last one of their batch row are seen by no query.
  if (isWhole() && op.getLengths())
    to = code.select(code.lessIndex(firstKey, keys.count), to, from);
  // One step at least, of which all queries may be hidden.
  Value count = code.maxIndex(code.subIndex(to, from), code.index(1));
  blocks = code.divIndex(code.addIndex(count, code.index(cut.keys - 1)),
                         code.index(cut.keys));
}

Value KeyPass::loadFact(TileCode code, const Step &step, QueryFact fact,
                        Value row) {
  if (isWhole())
    return code.load(step.facts, row, code.index(plan.getPlace(fact)));
  Value last = code.subIndex(operands.queryRows, code.index(1));
  Value time = code.minIndex(step.tile.createTime(code, row), last);
  Value line = code.addIndex(code.mulIndex(batch, operands.queryRows), time);
  return code.load(facts, line,
                   plan.createColumn(code, fact, step.tile.firstHead));
}

/// A query that sees a key is in its sequence.
AttentionQuery KeyPass::createQuery(TileCode code, const Step &step, Value row,
                                    ValueRange sequence) {
  return step.sequences.createQuery(code, row, sequence);
}

Value KeyPass::isThere(TileCode code, const Step &step, Value row,
                       ValueRange sequence) {
  Value time = step.tile.createTime(code, row);
  if (sequence.empty())
    return code.lessIndex(time, operands.queryRows);
  Value isBehind = code.lessIndex(time, code.fromBits(sequence[1]));
  return code.select(code.lessIndex(time, code.fromBits(sequence[0])),
                     code.boolean(false), isBehind);
}

KeyRange KeyPass::findQueries(TileCode code, const Step &step, Value row,
                              ValueRange sequence) {
  Value key = code.addIndex(firstKey, row);
  KeyRange queries = {code.index(0), operands.queryRows};
  if (!sequence.empty())
    queries = {code.fromBits(sequence[0]), code.fromBits(sequence[1])};
  // Keys in no sequence have an end at 0.
  if (op.getScores().getCausal())
    queries.begin = key;
  if (std::optional<int64_t> window = op.getScores().getWindow()) {
    Value reach = code.index(std::min<int64_t>(*window, 1 << 30));
    queries.end = code.minIndex(queries.end, code.addIndex(key, reach));
    if (!op.getScores().getCausal()) {
      Value next = code.addIndex(key, code.index(1));
      queries.begin = code.maxIndex(queries.begin, code.subIndex(next, reach));
    }
  }
  Value first = step.tile.firstRow;
  return {code.subIndex(queries.begin, first),
          code.subIndex(queries.end, first)};
}

/// Turns a weight that dropout does not keep negative, so that what is drawn
/// takes no register.
Value KeyPass::markDropped(TileCode code, const Step &step, Value weight,
                           ValueRange indices) {
  if (!op.getSeed())
    return weight;
  Value row = indices[1], key = code.addIndex(firstKey, indices[0]);
  Value halves[] = {loadFact(code, step, QueryFact::DropLow, row),
                    loadFact(code, step, QueryFact::DropHigh, row)};
  return code.select(
      AttentionDropout::isKept(code, op.getDropoutAttr(), halves, key), weight,
      code.neg(weight));
}

/// The weight of a key and a query that may be hidden from it, or 0.
Value KeyPass::hideWeight(TileCode code, const Step &step, ValueRange indices,
                          ValueRange sequence, Value weight) {
  Value row = indices[1], zero = code.f32(0);
  if (hidesAnywhere())
    return selectWithin(
        code, row, findQueries(code, step, indices[0], sequence), weight, zero);
  // Else whole tiles have a causal mask at most.
  if (isWhole()) {
    Value behind = code.subIndex(step.tile.firstRow, firstKey);
    return code.select(isBefore(code, row, code.subIndex(indices[0], behind)),
                       zero, weight);
  }
  AttentionQuery query = createQuery(code, step, row, sequence);
  Value isSeen = step.scores.isAllowed(code, step.source, query.keys,
                                       code.addIndex(firstKey, indices[0]));
  return code.select(isThere(code, step, row, sequence),
                     code.select(isSeen, weight, zero), zero);
}

/// Weights of the softmax: 0 where a query does not see a key, and negative
/// where dropout does not keep them.
Value KeyPass::createWeights(TileCode code, const Step &step) {
  Values all = {step.products};
  llvm::append_range(all, keySequences);
  return code.map(
      cut.getScores(), all,
      [&](TileCode each, ValueRange indices, ValueRange elements) {
        Value row = indices[1], key = each.addIndex(firstKey, indices[0]);
        ValueRange sequence = elements.drop_front();
        AttentionQuery query = createQuery(each, step, row, sequence);
        Value score =
            step.scores.createScore(each, row, query, key, elements[0]);
        Value weight = createWeight(each, score, [&](QueryFact fact) {
          return loadFact(each, step, fact, row);
        });
        if (step.mayHide)
          weight = hideWeight(each, step, indices, sequence, weight);
        return markDropped(each, step, weight, indices);
      });
}

/// The factors of the queries' gradients in those by values.
Value KeyPass::createShares(TileCode code, const Step &step, Value weights) {
  if (!op.getBeta() && !op.getGamma() && !op.getSeed())
    return weights;
  Values all = {weights};
  llvm::append_range(all, keySequences);
  return code.map(
      cut.getScores(), all,
      [&](TileCode each, ValueRange indices, ValueRange elements) {
        Value row = indices[1], share = elements[0];
        if (op.getSeed())
          share = each.scale(each.max(share, each.f32(0)), getKeptFactor());
        ValueRange sequence = elements.drop_front();
        if (op.getBeta())
          share = each.mul(share, step.tile.loadGain(each, op.getBeta(), row));
        if (!op.getGamma())
          return share;
        Value key = each.addIndex(firstKey, indices[0]);
        AttentionQuery query = createQuery(each, step, row, sequence);
        Value isSeen =
            step.scores.isAllowed(each, step.source, query.keys, key);
        Value count = each.maxIndex(
            each.subIndex(query.keys.end, query.keys.begin), each.index(1));
        Value mean = each.div(step.tile.loadGain(each, op.getGamma(), row),
                              each.toF32(count));
        mean = each.select(isSeen, mean, each.f32(0));
        return each.sub(share, each.select(isThere(each, step, row, sequence),
                                           mean, each.f32(0)));
      });
}

Value KeyPass::createGradients(TileCode code, const Step &step, Value weights) {
  Values all = {weights, step.pulls, step.products};
  size_t fixed = all.size();
  llvm::append_range(all, keySequences);
  return code.map(
      cut.getScores(), all,
      [&](TileCode each, ValueRange indices, ValueRange elements) {
        Value row = indices[1], slope, beta;
        if (op.getScores().getSoftcap())
          slope = step.scores.createCapSlope(
              each, row,
              createQuery(each, step, row, elements.drop_front(fixed)),
              each.addIndex(firstKey, indices[0]), elements[2]);
        if (op.getBeta())
          beta = step.tile.loadGain(each, op.getBeta(), row);
        Value pull =
            addShawPull(each, step.tile, relations, row,
                        each.addIndex(firstKey, indices[0]), elements[1]);
        Value weight = elements[0];
        if (op.getSeed()) {
          pull = each.select(each.less(weight, each.f32(0)), each.f32(0),
                             each.scale(pull, getKeptFactor()));
          weight = math::AbsFOp::create(each.builder, each.loc, weight);
        }
        return createGradient(each, weight, pull,
                              loadFact(each, step, QueryFact::Mean, row), beta,
                              slope, !isWhole() || hidesAnywhere())
            .byProduct;
      });
}

SmallVector<Value> KeyPass::consume(TileCode code, const Step &step,
                                    ValueRange buffers, bool ofKeys,
                                    bool ofValues, ValueRange carried) {
  // Both left operands are made before the first product reads registers.
  Value weights = createWeights(code, step), gradients, shares;
  if (ofKeys)
    gradients = createGradients(code, step, weights);
  if (ofValues)
    shares = createShares(code, step, weights);
  Values next;
  if (ofKeys)
    next.push_back(addProduct(code, gradients, buffers[0], carried.front()));
  if (ofValues)
    next.push_back(addProduct(code, shares, buffers[1], carried.back()));
  return next;
}

/// Under a causal mask, queries of whole tiles are hidden from keys only where
/// their rows are those of the keys: behind them, no element is looked at. Rows
/// behind the last query are zeros, with which products are 0.
SmallVector<Value> KeyPass::addQueries(TileCode code, ValueRange own,
                                       bool ofKeys, bool ofValues,
                                       ValueRange inits) {
  bool mayHide = !isWhole() || hidesAnywhere();
  if (mayHide || !op.getScores().getCausal())
    return addRange(code, {from, blocks, mayHide}, own, ofKeys, ofValues,
                    inits);
  Value hiding = code.index(cut.rows / cut.keys);
  Values sums =
      addRange(code, {from, hiding, true}, own, ofKeys, ofValues, inits);
  Range rest = {code.addIndex(from, code.index(cut.rows)),
                code.maxIndex(code.subIndex(blocks, hiding), code.index(0)),
                false};
  return addRange(code, rest, own, ofKeys, ofValues, sums);
}

SmallVector<Value> KeyPass::addRange(TileCode code, const Range &range,
                                     ValueRange own, bool ofKeys, bool ofValues,
                                     ValueRange inits) {
  Value start = code.mulIndex(batch, operands.queryRows);
  Value end = code.addIndex(start, isWhole() ? queryRows : operands.queryRows);
  Value steps =
      code.mulIndex(range.blocks, code.index(cut.heads / cut.keyHeads));
  SmallVector<Type> types = {cut.getKeyBuffer(), cut.getValueBuffer()};
  if (isWhole())
    types.push_back(plan.getFactsBuffer());
  return code.pipeline(
      steps, types, inits, /*stages=*/0,
      [&](TileCode inner, Value step, ValueRange buffers) {
        Value time = getFirstRow(inner, range, step);
        Value row = inner.addIndex(start, time);
        Value head = getHead(inner, range, step);
        copyRows(inner, cut, operands.get(op.getQuery()), row, end, head,
                 cut.headSize, buffers[0], cut.keys, hasQueryEnd());
        copyRows(inner, cut, operands.get(op.getGradient()), row, end, head,
                 cut.valueSize, buffers[1], cut.keys, hasQueryEnd());
        // Facts of other heads behind these are not read.
        if (isWhole())
          tile::CopyOp::create(
              inner.builder, inner.loc, facts, row,
              plan.createColumn(inner, plan.facts.front(), head), buffers[2], 0,
              cut.keys, hasQueryEnd() ? end : Value());
      },
      [&](TileCode inner, Value step, ValueRange buffers, ValueRange carried) {
        Value firstRow = getFirstRow(inner, range, step);
        Value used =
            inner.minIndex(inner.subIndex(operands.queryRows, firstRow),
                           inner.index(cut.keys));
        AttentionTile tile(inner, operands, batch, firstRow, used,
                           getHead(inner, range, step));
        AttentionSequences sequences(inner, tile, /*findsRows=*/false);
        AttentionScores scores(inner, tile, sequences, buffers[0]);
        KeySource source = keys;
        source.count = inner.minIndex(
            keys.count, inner.subIndex(sequences.getValidKeys(), keys.first));
        // Their left operands are in registers, which the next products want.
        Values sums;
        for (Value sum : carried)
          sums.push_back(inner.settle(sum));
        Value products = multiply(inner, own[0], buffers[0], cut.getScores(),
                                  cut.getDepth());
        Value pulls;
        if (ofKeys)
          pulls = multiply(inner, own[1], buffers[1], cut.getScores(),
                           getDepth(cut.valueSize));
        products = inner.settle(products);
        if (ofKeys)
          pulls = inner.settle(pulls);
        Step now = {tile,
                    sequences,
                    scores,
                    source,
                    products,
                    pulls,
                    isWhole() ? buffers[2] : Value(),
                    range.mayHide};
        return consume(inner, now, buffers, ofKeys, ofValues, sums);
      });
}

Value KeyGradient::getKeys() const {
  block::SdpaGradOp op = plan.op;
  return isPast ? op.getPastKey() : op.getKey();
}

Value KeyGradient::getValues() const {
  block::SdpaGradOp op = plan.op;
  return isPast ? op.getPastValue() : op.getValue();
}

void KeyGradient::buildTile(TileCode code, KernelShell &shell,
                            const AttentionOperands &operands, Value batch,
                            Value firstKey, Value keyHead) {
  block::SdpaGradOp op = plan.op;
  Value rows = isPast ? operands.pastRows : operands.keyRows;
  Value start = code.mulIndex(batch, rows);
  Value end = code.addIndex(start, rows);
  Value row = code.addIndex(start, firstKey);
  Value count =
      code.minIndex(code.subIndex(rows, firstKey), code.index(cut.rows));
  // Rows behind packed sequences, lengths or the last key that a query sees may
  // be no numbers.
  Value valid = isPast ? rows : limitKeys(code, rows, operands.queryRows);
  bool hasEnd =
      isWhole() && (op.getCuSeqlens() || op.getLengths() || valid != rows);
  if (hasEnd) {
    AttentionTile tile(code, operands, batch, firstKey, count, keyHead);
    AttentionSequences sequences(code, tile, /*findsRows=*/false);
    valid = code.minIndex(valid, sequences.getValidKeys());
    end = code.addIndex(start, valid);
  }
  KeySource keys = {operands.get(getKeys()), operands.get(getValues()),
                    operands.pastRows && !isPast ? operands.pastRows
                                                 : code.index(0),
                    valid, start};
  SmallVector<Value> inits;
  if (ofKeys)
    inits.push_back(code.zero(getSums(cut, cut.headSize)));
  if (ofValues)
    inits.push_back(code.zero(getSums(cut, cut.valueSize)));
  SmallVector<Value> sums = code.pipeline(
      code.index(1), {cut.getQueryBuffer(), getRows(cut, cut.valueSize)}, inits,
      /*stages=*/1,
      [&](TileCode inner, Value, ValueRange buffers) {
        copyRows(inner, cut, keys.key, row, end, keyHead, cut.headSize,
                 buffers[0], cut.rows, hasEnd);
        copyRows(inner, cut, keys.value, row, end, keyHead, cut.valueSize,
                 buffers[1], cut.rows, hasEnd);
      },
      [&](TileCode inner, Value, ValueRange buffers, ValueRange carried) {
        return KeyPass(inner, plan, cut, operands, keys, batch, firstKey,
                       keyHead)
            .addQueries(inner, buffers, ofKeys, ofValues, carried);
      });
  // Sums of keys that lengths hide are of weights without meaning.
  auto hide = [&](TileCode each, Value element, Value at, Value) {
    if (!isWhole() || !op.getLengths())
      return element;
    return each.select(each.lessIndex(at, end), element, each.f32(0));
  };
  if (ofKeys)
    storeSums(code, cut, sums.front(), count, cut.headSize, shell.getOutput(0),
              row, keyHead, hide);
  if (!ofValues)
    return;
  // A token's own value adds alpha times its gradient, of each query head.
  auto addOwn = [&](TileCode each, Value element, Value at, Value column) {
    Value gain = operands.get(op.getAlpha());
    if (!gain || isPast)
      return hide(each, element, at, column);
    int64_t group = cut.heads / cut.keyHeads;
    bool isOne = cast<MemRefType>(gain.getType()).getShape().back() == 1;
    for (int64_t number = 0; number < group; ++number) {
      Value head = each.addIndex(each.mulIndex(keyHead, each.index(group)),
                                 each.index(number));
      Value own = each.load(
          operands.get(op.getGradient()), at,
          each.addIndex(each.mulIndex(head, each.index(cut.valueSize)),
                        column));
      Value zero = each.index(0);
      element =
          each.fma(each.load(gain, zero, isOne ? zero : head), own, element);
    }
    return element;
  };
  storeSums(code, cut, sums.back(), count, cut.valueSize,
            shell.getOutput(ofKeys ? 1 : 0), row, keyHead, addOwn);
}

tile::KernelOp KeyGradient::build(const GradientSite &site, StringRef suffix) {
  block::SdpaGradOp op = plan.op;
  SmallVector<Type> inputs(op->getOperandTypes()), outputs;
  inputs.push_back(plan.getFactsType());
  for (Value table : listShawTables(plan))
    inputs.push_back(plan.getRelationsType(table));
  if (ofKeys)
    outputs.push_back(getKeys().getType());
  if (ofValues)
    outputs.push_back(getValues().getType());
  KernelShell shell =
      createKernelShell(site.atModule, op.getLoc(), (site.name + suffix).str(),
                        cut.schedule, inputs, outputs, /*workspaces=*/{});
  TileCode code{shell.builder, op.getLoc()};
  AttentionOperands operands(cut, shell, code);
  operands.shawProducts =
      findRelations(plan, shell, op->getNumOperands() + 1, op.getShawKey());
  Value rows = isPast ? operands.pastRows : operands.keyRows;
  Value size = code.index(cut.rows);
  Value blocks =
      code.divIndex(code.addIndex(rows, code.index(cut.rows - 1)), size);
  Value batch = code.dim(operands.get(op.getKey()), 0);
  code.tiles(code.mulIndex(batch, blocks), code.index(cut.keyHeads),
             [&](TileCode inner, Value rowTile, Value head) {
               Value firstKey =
                   inner.mulIndex(inner.remIndex(rowTile, blocks), size);
               buildTile(inner, shell, operands,
                         inner.divIndex(rowTile, blocks), firstKey, head);
             });
  return shell.kernel;
}
