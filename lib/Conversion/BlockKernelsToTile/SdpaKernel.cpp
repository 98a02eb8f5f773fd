//===- SdpaKernel.cpp - plain attention -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowKernels.h"
#include "SdpaBuilder.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;

/// Queries of a warp, that share what it loads of keys and values.
static constexpr int64_t maxQueries = 4;

void SdpaBuilder::build(TileCode code) {
  queryRows = code.dim(get(op.getQuery()), 1);
  keyRows = code.dim(get(op.getKey()), 1);
  if (op.getPastKey())
    pastRows = code.dim(get(op.getPastKey()), 1);
  Value last = code.index(numQueries - 1), per = code.index(numQueries);
  blocks = code.divIndex(code.addIndex(queryRows, last), per);
  Value count =
      code.mulIndex(code.mulIndex(code.dim(get(op.getQuery()), 0), blocks),
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
  Value firstTime =
      code.mulIndex(code.remIndex(work, blocks), code.index(numQueries));
  prepareQueries(code, firstTime);

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
    Value time = code.addIndex(firstTime, code.index(q));
    code.when(code.lessIndex(time, queryRows), [&](TileCode inner) {
      writeResult(inner, state, q, inner.addIndex(added.row, queries[q].time));
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
    query.time =
        code.minIndex(code.addIndex(firstTime, code.index(q)), lastTime);
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
  Value numerator = op.getBeta() ? loadGain(code, op.getBeta()) : code.f32(1);
  Value factor = guard(code.div(numerator, state.sums[q]));
  Value meanFactor, own;
  if (op.getGamma())
    meanFactor =
        guard(code.div(loadGain(code, op.getGamma()),
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
  KernelShell shell = createKernelShell(
      atModule, kernel, name, getRowSchedule(kernel.getContext(), rows, chip));
  SdpaBuilder(op, shell, numQueries).build({shell.builder, kernel.getLoc()});
  return shell.kernel;
}
