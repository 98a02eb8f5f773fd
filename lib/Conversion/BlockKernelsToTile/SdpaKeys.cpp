//===- SdpaKeys.cpp - the running softmax over chunks of keys -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SdpaBuilder.h"

using namespace mlir;
using namespace parablock;

/// The keys of `source` that any query may see, chunk by chunk. Both ends of
/// the range of a query only grow with its position.
SoftmaxState SdpaBuilder::addKeys(TileCode code, const KeySource &source,
                                  SoftmaxState state) {
  Value from = code.maxIndex(queries.front().begin, source.first);
  Value to = code.minIndex(queries.back().end,
                           code.addIndex(source.first, source.count));
  Value size = code.index(chunkKeys);
  Value count = code.maxIndex(code.subIndex(to, from), zero);
  Value chunks =
      code.divIndex(code.addIndex(count, code.index(chunkKeys - 1)), size);
  SmallVector<Value> init = state.maxima;
  llvm::append_range(init, state.sums);
  SmallVector<Value> final = code.accumulate(
      zero, chunks, init, [&](TileCode inner, Value chunk, ValueRange carried) {
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
  Value one = arith::CmpIOp::create(
      code.builder, code.loc, arith::CmpIPredicate::sge, key, query.begin);
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
          Value k =
              code.load(source.key, row, inHead(code, keyHead, headSize, d));
          SmallVector<Value> next;
          for (int64_t q = 0; q < numQueries; ++q) {
            Value factor =
                shawTable ? code.add(k, code.load(shawTable, shawRows[q], d))
                          : k;
            next.push_back(code.fma(
                code.load(queryScratch, zero, at(code, q, headSize, d)), factor,
                sums[q]));
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
SoftmaxState SdpaBuilder::updateSoftmax(TileCode code,
                                        const SoftmaxState &state, Value start,
                                        Value stop,
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
    corrections.push_back(code.exp(code.sub(state.maxima[q], next.maxima[q])));
  }
  code.columns(start, stop, [&](TileCode inner, Value key) {
    for (int64_t q = 0; q < numQueries; ++q) {
      Value weight =
          inner.exp(inner.sub(loadChunk(inner, q, key), next.maxima[q]));
      inner.store(
          inner.select(isAllowed(inner, queries[q], key), weight, inner.f32(0)),
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

void SdpaBuilder::addValues(TileCode code, const KeySource &source, Value start,
                            Value stop, ArrayRef<Value> corrections) {
  Value shawTable = get(op.getShawValue());
  code.columns(zero, code.index(valueSize), [&](TileCode inner, Value column) {
    SmallVector<Value> sums;
    for (int64_t q = 0; q < numQueries; ++q)
      sums.push_back(inner.mul(
          inner.load(sumScratch, zero, at(inner, q, valueSize, column)),
          corrections[q]));
    if (meanScratch)
      for (int64_t q = 0; q < numQueries; ++q)
        sums.push_back(
            inner.load(meanScratch, zero, at(inner, q, valueSize, column)));
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
