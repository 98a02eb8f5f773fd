//===- SdpaKernel.cpp - plain attention -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One warp takes a few queries of a head and goes over the keys in chunks: scores
// with lanes over keys, then the weighted values with lanes over columns, with a
// running maximum and sum per query. Right for every form; made to be simple, not
// fast.
//
//===----------------------------------------------------------------------===//

#include "KernelShell.h"
#include "RowKernels.h"
#include "SdpaScores.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;

/// Keys whose scores are in scratch at a time.
static constexpr int64_t chunkKeys = 128;
/// Queries of a warp, that share what it loads of keys and values.
static constexpr int64_t maxQueries = 4;
/// Below every score, yet finite: differences to it are numbers.
static constexpr double lowestScore = -1e30;

namespace {
/// Keys and values in consecutive rows of two tensors.
struct KeySource {
  Value key, value;
  /// Position of the first one, how many there are, and the row of the first.
  Value first, count, row;
};

/// The running softmax of each query.
struct SoftmaxState {
  SmallVector<Value> maxima, sums;
};

class SdpaBuilder {
public:
  SdpaBuilder(block::SdpaOp op, KernelShell &shell, int64_t numQueries)
      : op(op), shell(shell), numQueries(numQueries), heads(op.getHeads()),
        headSize(getLastDim(op.getQuery()) / heads),
        valueSize(getLastDim(op.getValue()) / op.getKvHeads()) {}

  void build(TileCode code);

private:
  static int64_t getLastDim(Value tensor) {
    return cast<RankedTensorType>(tensor.getType()).getShape().back();
  }
  static int64_t getRows(Value table) {
    return cast<RankedTensorType>(table.getType()).getDimSize(0);
  }
  /// The argument that stands for an operand; null for none.
  Value get(Value operand) {
    return operand ? shell.lookupInput(operand) : Value();
  }
  /// The place of query `q` in a scratch row of `size` elements per query.
  static Value at(TileCode code, int64_t q, int64_t size, Value index) {
    return code.addIndex(code.index(q * size), index);
  }
  /// Column `index` of the part of a row that a head owns.
  static Value inHead(TileCode code, Value head, int64_t size, Value index) {
    return code.addIndex(code.mulIndex(head, code.index(size)), index);
  }

  void buildRow(TileCode code, Value row);
  void prepareQueries(TileCode code, Value firstTime);
  SoftmaxState addKeys(TileCode code, const KeySource &source,
                       SoftmaxState state);
  void writeScores(TileCode code, const KeySource &source, Value start,
                   Value stop);
  SoftmaxState updateSoftmax(TileCode code, const SoftmaxState &state,
                             Value start, Value stop,
                             SmallVectorImpl<Value> &corrections);
  void addValues(TileCode code, const KeySource &source, Value start,
                 Value stop, ArrayRef<Value> corrections);
  Value loadGain(TileCode code, Value gain);
  void writeResult(TileCode code, const SoftmaxState &state, unsigned query,
                   Value newValue);

  block::SdpaOp op;
  KernelShell &shell;
  const int64_t numQueries, heads, headSize, valueSize;

  // Facts of the kernel, then of the warp's work.
  Value queryRows, keyRows, pastRows, blocks;
  Value batch, head, keyHead, zero;
  SmallVector<AttentionQuery> queries;
  std::optional<ScorePipeline> pipeline;
  /// One part per query: the query, scores or weights of a chunk, sums of
  /// weighted values and, for the mean term, of values.
  Value queryScratch, chunkScratch, sumScratch, meanScratch;
};
} // namespace

void SdpaBuilder::build(TileCode code) {
  queryRows = code.dim(get(op.getQuery()), 1);
  keyRows = code.dim(get(op.getKey()), 1);
  if (op.getPastKey())
    pastRows = code.dim(get(op.getPastKey()), 1);
  Value last = code.index(numQueries - 1), per = code.index(numQueries);
  blocks = code.divIndex(code.addIndex(queryRows, last), per);
  Value count = code.mulIndex(code.mulIndex(code.dim(get(op.getQuery()), 0), blocks),
                              code.index(heads));
  code.gridRows(count,
                [&](TileCode inner, Value row) { buildRow(inner, row); });
}

void SdpaBuilder::buildRow(TileCode code, Value row) {
  zero = code.index(0);
  head = code.remIndex(row, code.index(heads));
  keyHead = code.divIndex(head, code.index(heads / op.getKvHeads()));
  Value work = code.divIndex(row, code.index(heads));
  batch = code.divIndex(work, blocks);
  pipeline.emplace(code, op, get(op.getRelativeTable()), head);
  prepareQueries(code, code.mulIndex(code.remIndex(work, blocks),
                                     code.index(numQueries)));

  SoftmaxState state;
  state.maxima.assign(numQueries, code.f32(lowestScore));
  state.sums.assign(numQueries, code.f32(0));
  if (pastRows)
    state = addKeys(code,
                    {get(op.getPastKey()), get(op.getPastValue()), zero,
                     pastRows, code.mulIndex(batch, pastRows)},
                    state);
  KeySource added = {get(op.getKey()), get(op.getValue()),
                     pastRows ? pastRows : zero, keyRows,
                     code.mulIndex(batch, keyRows)};
  state = addKeys(code, added, state);

  for (int64_t q = 0; q < numQueries; ++q) {
    // The last warp may have fewer queries: it repeats the last one.
    Value time = code.addIndex(
        code.mulIndex(code.remIndex(work, blocks), code.index(numQueries)),
        code.index(q));
    code.when(code.lessIndex(time, queryRows), [&](TileCode inner) {
      writeResult(inner, state, q,
                  inner.addIndex(added.row, queries[q].time));
    });
  }
}

void SdpaBuilder::prepareQueries(TileCode code, Value firstTime) {
  Value validKeys = keyRows;
  if (op.getLengths())
    validKeys = code.toIndex(code.load(get(op.getLengths()), zero, batch));
  if (pastRows)
    validKeys = code.addIndex(pastRows, validKeys);
  Value lastTime = code.subIndex(queryRows, code.index(1));
  queries.assign(numQueries, {});
  for (auto [q, query] : llvm::enumerate(queries)) {
    query.time = code.minIndex(code.addIndex(firstTime, code.index(q)),
                               lastTime);
    query.position =
        pastRows ? code.addIndex(pastRows, query.time) : query.time;
    setAllowedKeys(code, op.getScores(), validKeys, query);
  }

  queryScratch = code.scratch(numQueries * headSize);
  chunkScratch = code.scratch(numQueries * chunkKeys);
  sumScratch = code.scratch(numQueries * valueSize);
  if (op.getGamma())
    meanScratch = code.scratch(numQueries * valueSize);
  Value firstRow = code.mulIndex(batch, queryRows);
  code.columns(zero, code.index(headSize), [&](TileCode inner, Value column) {
    for (int64_t q = 0; q < numQueries; ++q)
      inner.store(inner.load(get(op.getQuery()),
                             inner.addIndex(firstRow, queries[q].time),
                             inHead(inner, head, headSize, column)),
                  queryScratch, zero, at(inner, q, headSize, column));
  });
  code.columns(zero, code.index(valueSize), [&](TileCode inner, Value column) {
    for (int64_t q = 0; q < numQueries; ++q)
      for (Value sums : {sumScratch, meanScratch})
        if (sums)
          inner.store(inner.f32(0), sums, zero,
                      at(inner, q, valueSize, column));
  });
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// The keys of `source` that any query may see, chunk by chunk. Both ends of the
/// range of a query only grow with its position.
SoftmaxState SdpaBuilder::addKeys(TileCode code, const KeySource &source,
                                  SoftmaxState state) {
  Value from = code.maxIndex(queries.front().begin, source.first);
  Value to = code.minIndex(queries.back().end,
                           code.addIndex(source.first, source.count));
  Value size = code.index(chunkKeys);
  Value count = code.maxIndex(code.subIndex(to, from), zero);
  Value chunks = code.divIndex(
      code.addIndex(count, code.index(chunkKeys - 1)), size);
  SmallVector<Value> init = state.maxima;
  llvm::append_range(init, state.sums);
  SmallVector<Value> final = code.accumulate(
      zero, chunks, init,
      [&](TileCode inner, Value chunk, ValueRange carried) {
        Value start = inner.addIndex(from, inner.mulIndex(chunk, size));
        Value stop = inner.minIndex(inner.addIndex(start, size), to);
        SoftmaxState before = {carried.take_front(numQueries),
                               carried.drop_front(numQueries)};
        writeScores(inner, source, start, stop);
        SmallVector<Value> corrections;
        SoftmaxState after =
            updateSoftmax(inner, before, start, stop, corrections);
        addValues(inner, source, start, stop, corrections);
        SmallVector<Value> result = after.maxima;
        llvm::append_range(result, after.sums);
        return result;
      });
  return {SmallVector<Value>(ArrayRef(final).take_front(numQueries)),
          SmallVector<Value>(ArrayRef(final).drop_front(numQueries))};
}

/// The row of `key` in the tensors of its source.
static Value getKeyRow(TileCode code, const KeySource &source, Value key) {
  return code.addIndex(source.row, code.subIndex(key, source.first));
}

static Value isAllowed(TileCode code, const AttentionQuery &query, Value key) {
  Value one = arith::CmpIOp::create(code.builder, code.loc,
                                    arith::CmpIPredicate::sge, key,
                                    query.begin);
  return arith::AndIOp::create(code.builder, code.loc, one,
                               code.lessIndex(key, query.end));
}

void SdpaBuilder::writeScores(TileCode code, const KeySource &source,
                              Value start, Value stop) {
  Value shawTable = get(op.getShawKey());
  code.columns(start, stop, [&](TileCode inner, Value key) {
    Value row = getKeyRow(inner, source, key);
    SmallVector<Value> shawRows;
    if (shawTable)
      for (const AttentionQuery &query : queries)
        shawRows.push_back(createShawRow(inner, getRows(op.getShawKey()),
                                         query.position, key));
    SmallVector<Value> products = inner.accumulate(
        zero, inner.index(headSize),
        SmallVector<Value>(numQueries, inner.f32(0)),
        [&](TileCode code, Value d, ValueRange sums) {
          Value k = code.load(source.key, row,
                              inHead(code, keyHead, headSize, d));
          SmallVector<Value> next;
          for (int64_t q = 0; q < numQueries; ++q) {
            Value factor =
                shawTable ? code.add(k, code.load(shawTable, shawRows[q], d))
                          : k;
            next.push_back(code.fma(
                code.load(queryScratch, zero, at(code, q, headSize, d)),
                factor, sums[q]));
          }
          return next;
        });
    Value place = inner.subIndex(key, start);
    for (int64_t q = 0; q < numQueries; ++q) {
      Value score =
          pipeline->apply(inner, products[q], queries[q].position, key);
      inner.store(inner.select(isAllowed(inner, queries[q], key), score,
                               inner.f32(lowestScore)),
                  chunkScratch, zero, at(inner, q, chunkKeys, place));
    }
  });
}

/// Turns the scores of a chunk into weights; `corrections` multiply what was
/// summed with earlier maxima.
SoftmaxState
SdpaBuilder::updateSoftmax(TileCode code, const SoftmaxState &state,
                           Value start, Value stop,
                           SmallVectorImpl<Value> &corrections) {
  SoftmaxState next;
  auto loadChunk = [&](TileCode inner, int64_t q, Value key) {
    return inner.load(chunkScratch, zero,
                      at(inner, q, chunkKeys, inner.subIndex(key, start)));
  };
  for (int64_t q = 0; q < numQueries; ++q) {
    Value largest = code.reduce(
        tile::Reduction::Max, start, stop,
        [&](TileCode inner, Value key) { return loadChunk(inner, q, key); });
    next.maxima.push_back(code.max(state.maxima[q], largest));
    corrections.push_back(
        code.exp(code.sub(state.maxima[q], next.maxima[q])));
  }
  code.columns(start, stop, [&](TileCode inner, Value key) {
    for (int64_t q = 0; q < numQueries; ++q) {
      Value weight =
          inner.exp(inner.sub(loadChunk(inner, q, key), next.maxima[q]));
      inner.store(inner.select(isAllowed(inner, queries[q], key), weight,
                               inner.f32(0)),
                  chunkScratch, zero,
                  at(inner, q, chunkKeys, inner.subIndex(key, start)));
    }
  });
  for (int64_t q = 0; q < numQueries; ++q) {
    Value sum = code.reduce(
        tile::Reduction::Add, start, stop,
        [&](TileCode inner, Value key) { return loadChunk(inner, q, key); });
    next.sums.push_back(code.fma(state.sums[q], corrections[q], sum));
  }
  return next;
}

void SdpaBuilder::addValues(TileCode code, const KeySource &source,
                            Value start, Value stop,
                            ArrayRef<Value> corrections) {
  Value shawTable = get(op.getShawValue());
  code.columns(zero, code.index(valueSize), [&](TileCode inner, Value column) {
    SmallVector<Value> sums;
    for (int64_t q = 0; q < numQueries; ++q)
      sums.push_back(inner.mul(
          inner.load(sumScratch, zero, at(inner, q, valueSize, column)),
          corrections[q]));
    if (meanScratch)
      for (int64_t q = 0; q < numQueries; ++q)
        sums.push_back(inner.load(meanScratch, zero,
                                  at(inner, q, valueSize, column)));
    sums = inner.accumulate(
        start, stop, sums, [&](TileCode code, Value key, ValueRange sums) {
          Value v = code.load(source.value, getKeyRow(code, source, key),
                              inHead(code, keyHead, valueSize, column));
          Value place = code.subIndex(key, start);
          SmallVector<Value> next;
          for (int64_t q = 0; q < numQueries; ++q) {
            Value added = v;
            if (shawTable)
              added = code.add(
                  v, code.load(shawTable,
                               createShawRow(code, getRows(op.getShawValue()),
                                             queries[q].position, key),
                               column));
            Value weight =
                code.load(chunkScratch, zero, at(code, q, chunkKeys, place));
            next.push_back(code.fma(weight, added, sums[q]));
          }
          if (meanScratch)
            for (int64_t q = 0; q < numQueries; ++q)
              next.push_back(
                  code.add(sums[numQueries + q],
                           code.select(isAllowed(code, queries[q], key), v,
                                       code.f32(0))));
          return next;
        });
    for (int64_t q = 0; q < numQueries; ++q) {
      inner.store(sums[q], sumScratch, zero, at(inner, q, valueSize, column));
      if (meanScratch)
        inner.store(sums[numQueries + q], meanScratch, zero,
                    at(inner, q, valueSize, column));
    }
  });
}

//===----------------------------------------------------------------------===//
// Result
//===----------------------------------------------------------------------===//

/// The head's entry of a gain with one element or one per head.
Value SdpaBuilder::loadGain(TileCode code, Value gain) {
  return code.load(get(gain), zero, getLastDim(gain) == 1 ? zero : head);
}

/// `newValue` is the row of the query's own value.
void SdpaBuilder::writeResult(TileCode code, const SoftmaxState &state,
                              unsigned q, Value newValue) {
  const AttentionQuery &query = queries[q];
  // A query without keys attends to nothing.
  Value seesAny = code.lessIndex(query.begin, query.end);
  auto guard = [&](Value factor) {
    return code.select(seesAny, factor, code.f32(0));
  };
  Value numerator =
      op.getBeta() ? loadGain(code, op.getBeta()) : code.f32(1);
  Value factor = guard(code.div(numerator, state.sums[q]));
  Value meanFactor, own;
  if (op.getGamma())
    meanFactor = guard(
        code.div(loadGain(code, op.getGamma()),
                 code.toF32(code.subIndex(query.end, query.begin))));
  if (op.getAlpha())
    own = loadGain(code, op.getAlpha());
  Value row = code.addIndex(code.mulIndex(batch, queryRows), query.time);
  code.columns(zero, code.index(valueSize), [&](TileCode inner, Value column) {
    Value place = at(inner, q, valueSize, column);
    Value sum = inner.mul(inner.load(sumScratch, zero, place), factor);
    if (meanFactor)
      sum = inner.sub(
          sum, inner.mul(inner.load(meanScratch, zero, place), meanFactor));
    if (own)
      sum = inner.fma(own,
                      inner.load(get(op.getValue()), newValue,
                                 inHead(inner, keyHead, valueSize, column)),
                      sum);
    inner.store(sum, shell.getOutput(0), row,
                inHead(inner, head, valueSize, column));
  });
}

FailureOr<tile::KernelOp> parablock::buildSdpaKernel(OpBuilder &atModule,
                                                     block::KernelOp kernel,
                                                     StringRef name,
                                                     StringRef chip) {
  block::SdpaOp op;
  for (Operation &inner : kernel.getBody().front().without_terminator()) {
    if (op || !isa<block::SdpaOp>(inner))
      return inner.emitError() << "no GPU code for '" << inner.getName()
                               << "' in a kernel of attention";
    op = cast<block::SdpaOp>(inner);
  }
  if (!op || kernel.getNumResults() != 1)
    return kernel.emitError() << "expected one 'block.sdpa' and its result";
  if (failed(checkScores(op)))
    return failure();
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(op.getQuery().getType()).getShape();
  bool isLong = ShapedType::isDynamic(shape[1]) || shape[1] > maxQueries;
  int64_t numQueries = isLong ? maxQueries : std::max<int64_t>(shape[1], 1);
  std::optional<int64_t> rows;
  if (!ShapedType::isDynamic(shape[0]) && !ShapedType::isDynamic(shape[1]))
    rows = shape[0] * static_cast<int64_t>(op.getHeads()) *
           llvm::divideCeil(shape[1], numQueries);
  KernelShell shell =
      createKernelShell(atModule, kernel, name,
                        getRowSchedule(kernel.getContext(), rows, chip));
  SdpaBuilder(op, shell, numQueries).build({shell.builder, kernel.getLoc()});
  return shell.kernel;
}
