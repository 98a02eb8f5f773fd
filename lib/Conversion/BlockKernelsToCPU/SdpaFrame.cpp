//===- SdpaFrame.cpp - what code of attention works on --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SdpaFrame.h"

#include "RowsKernel.h"
#include "TileProduct.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Analysis/ScoreTables.h"
#include "parablock/Dialect/Block/ElementTypes.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// The path of products that are `depth` deep.
static CpuPath choosePath(const Code &code, Type type, int64_t depth) {
  return code.target.choosePath(*getElementTypeOf(type), depth);
}

SdpaFrame::SdpaFrame(Frame &frame, block::KernelOp kernel,
                     block::AttentionOpInterface op)
    : frame(frame), code(frame.getCode()), kernel(kernel), op(op),
      shape(code.target.processorClass->attention), heads(op.getHeads()),
      keyHeads(op.getKvHeads()), headSize(getRowWidth(op.getQuery()) / heads),
      valueSize(getRowWidth(op.getValue()) / keyHeads),
      blockQueries(shape.vectors * code.lanes()),
      type(getElementTypeOrSelf(op.getQuery().getType())),
      narrow(code.f32Type(1)), wide(code.f32Type(code.lanes())),
      queries(frame.getDim(1)), newKeys(frame.getDim(2)),
      pastKeys(frame.getDim(3)) {
  if (op.getPages()) {
    auto pool = cast<RankedTensorType>(op.getKey().getType());
    pages = CachePages{getTensor(op.getPages()), newKeys, pastKeys,
                       pool.getDimSize(1)};
    newKeys = pages->createCapacity(code);
  }
  // Tables of relative keys take queries as f32.
  keyPath = op.getShawKey() ? CpuPath::Fma : choosePath(code, type, headSize);
  valuePath = choosePath(code, type, blockKeys);
  paddedValues = llvm::alignTo(
      valueSize, isTilePath(valuePath) ? kTileProductColumns : code.lanes());
}

bool SdpaFrame::hidesKeys() const {
  block::ScoresAttr form = op.getScores();
  return form.getCausal() || form.getWindow() || op.getCuSeqlens();
}

Value SdpaFrame::getTensor(Value operand) const {
  return frame.getTensor(cast<BlockArgument>(operand).getArgNumber());
}

Value SdpaFrame::getResult() const {
  return frame.getTensor(kernel.getNumOperands());
}

Value SdpaFrame::loadGain(const SdpaHead &head, Value gain) const {
  auto type = cast<RankedTensorType>(gain.getType());
  Value at = type.getDimSize(0) == 1 ? code.index(0) : head.number;
  return code.load(getTensor(gain), type.getElementType(), at, 1);
}

std::pair<Value, Value> SdpaFrame::findRow(const SdpaHead &head, Value key,
                                           Value tensor, Value past,
                                           int64_t size) const {
  Value inHead = code.mulI(head.keyHead, size);
  auto placeOf = [&](Value row) {
    return code.addI(code.mulI(row, keyHeads * size), inHead);
  };
  auto startOf = [&](Value keys, Value row) {
    return placeOf(code.addI(code.mulI(head.batch, keys), row));
  };
  Value memory = getTensor(tensor);
  Value row =
      head.firstRow ? findCachedRow(head, key) : code.subI(key, pastKeys);
  if (pages)
    return {memory, placeOf(pages->findRow(code, head.batch, row))};
  Value start = startOf(newKeys, row);
  if (!past)
    return {memory, start};
  Value isPast = code.lessI(key, pastKeys);
  return {code.select(isPast, getTensor(past), memory),
          code.select(isPast, startOf(pastKeys, key), start)};
}

/// Counts the keys from `key` on whose rows lie one behind the other. A cache
/// begins again behind its last row, and new keys lie apart from past ones.
Value SdpaFrame::countTogether(const SdpaHead &head, Value key) const {
  if (!head.firstRow) {
    Value left = code.subI(pastKeys, key);
    return code.select(code.lessI(code.index(0), left), left, newKeys);
  }
  Value row = findCachedRow(head, key), left = code.subI(newKeys, row);
  if (!pages)
    return left;
  return code.minI(left, code.subI(code.index(pages->pageRows),
                                   code.remI(row, pages->pageRows)));
}

Values SdpaFrame::forRuns(
    const SdpaHead &head, const SdpaKeys &keys, ValueRange initial,
    llvm::function_ref<Values(const SdpaKeys &, ValueRange)> body) const {
  if (!head.firstRow && !op.getPastKey())
    return body(keys, initial);
  Values carried = {code.index(0)};
  llvm::append_range(carried, initial);
  Values last = code.loopWhile(
      carried,
      [&](ValueRange values) { return code.lessI(values[0], keys.count); },
      [&](ValueRange values) -> Values {
        Value first = code.addI(keys.first, values[0]);
        SdpaKeys run = {first, code.minI(code.subI(keys.count, values[0]),
                                         countTogether(head, first))};
        Values next = {code.addI(values[0], run.count)};
        llvm::append_range(next, body(run, values.drop_front()));
        return next;
      });
  return Values(llvm::drop_begin(last));
}

Values SdpaFrame::forBlocks(
    const SdpaHead &head, ValueRange initial,
    llvm::function_ref<Values(const SdpaKeys &, ValueRange)> body) const {
  Value size = code.index(blockKeys);
  return code.loop(head.begin, head.end, blockKeys, initial,
                   [&](Value first, ValueRange carried) {
                     return body(
                         {first, code.minI(code.subI(head.end, first), size)},
                         carried);
                   });
}

void SdpaFrame::forBlocks(
    const SdpaHead &head,
    llvm::function_ref<void(const SdpaKeys &)> body) const {
  forBlocks(head, {}, [&](const SdpaKeys &keys, ValueRange) -> Values {
    body(keys);
    return {};
  });
}

/// Sizes may turn out to be 1 only when the code runs.
Values SdpaFrame::createBiasStrides() const {
  unsigned first = kFirstFreeDim + (op.getCuSeqlens() ? 1 : 0);
  Value zero = code.index(0), stride = code.index(1);
  Values strides(4);
  for (unsigned dim = 4; dim-- > 0;) {
    Value size = frame.getDim(first + dim);
    strides[dim] = code.select(code.equalI(size, code.index(1)), zero, stride);
    stride = code.mulI(stride, size);
  }
  return strides;
}

Value SdpaFrame::spread(Value number) const {
  return code.splat(arith::TruncIOp::create(code.builder, code.loc,
                                            code.builder.getI32Type(), number),
                    code.lanes());
}

Value SdpaFrame::numberLanes(int64_t first) const {
  auto numbers = llvm::to_vector_of<int32_t>(
      llvm::seq<int64_t>(first, first + code.lanes()));
  auto type = VectorType::get(code.lanes(), code.builder.getI32Type());
  return arith::ConstantOp::create(
      code.builder, code.loc,
      DenseElementsAttr::get(type, ArrayRef<int32_t>(numbers)));
}

Value SdpaFrame::allocate(int64_t numbers) const {
  return frame.allocate(numbers * static_cast<int64_t>(sizeof(float)));
}

void SdpaFrame::clear(Value memory, int64_t numbers) const {
  Value zero = code.real(wide, 0);
  code.loop(code.index(0), code.index(numbers), code.lanes(),
            [&](Value at) { code.storeRaw(zero, memory, at); });
}

Value SdpaFrame::place(Value key, int64_t vector) const {
  return place(key, code.index(vector * code.lanes()));
}

Value SdpaFrame::place(Value key, Value query) const {
  return code.addI(code.mulI(key, blockQueries), query);
}

Values
SdpaFrame::forKeys(const SdpaKeys &keys, ValueRange initial,
                   llvm::function_ref<Values(Value, ValueRange)> body) const {
  return code.loop(code.index(0), keys.count, 1, initial, body);
}

void SdpaFrame::forBuckets(
    const SdpaHead &head, const SdpaKeys &keys,
    llvm::function_ref<void(Value distance, Value bucket)> body) const {
  auto tableType = cast<RankedTensorType>(op.getRelativeTable().getType());
  SmallVector<int64_t> numbers =
      computeBuckets(*op.getBuckets(), tableType.getDimSize(0));
  auto type = RankedTensorType::get(static_cast<int64_t>(numbers.size()),
                                    code.builder.getI64Type());
  Value buckets =
      code.table(DenseElementsAttr::get(type, ArrayRef<int64_t>(numbers)));
  Value last = code.addI(code.addI(keys.first, keys.count), -1);
  Value lowest = code.subI(head.position, last);
  Value count = code.addI(keys.count, blockQueries - 1);
  code.loop(code.index(0), count, 1, [&](Value distance) {
    Value row = createTableRow(code, code.addI(lowest, distance),
                               op.getBuckets()->getMaxDistance());
    body(distance, code.loadI64(buckets, row));
  });
}

void SdpaFrame::forParts(
    int64_t size, llvm::function_ref<void(int64_t, int64_t)> body) const {
  int64_t lanes = code.lanes();
  for (int64_t done = 0; done < size; done += lanes) {
    while (done + lanes > size)
      lanes /= 2;
    body(done, lanes);
  }
}

//===----------------------------------------------------------------------===//
// Heads
//===----------------------------------------------------------------------===//

SdpaHead SdpaFrame::findHead(Value item) const {
  SdpaHead head;
  Value blocks = code.ceilDivI(queries, blockQueries);
  Value rest = code.divI(item, blocks);
  head.number = code.remI(rest, heads);
  head.batch = code.divI(rest, heads);
  head.keyHead = code.divI(head.number, heads / keyHeads);
  head.firstQuery = code.mulI(code.remI(item, blocks), blockQueries);
  head.numQueries =
      code.minI(code.subI(queries, head.firstQuery), code.index(blockQueries));
  Value past = pastKeys, valid = newKeys, firstKey = code.index(0);
  if (op.getPastLengths()) {
    past = code.maxI(code.loadI64(getTensor(op.getPastLengths()), head.batch),
                     code.index(0));
    valid = queries;
  }
  if (op.getStarts())
    firstKey = code.maxI(code.loadI64(getTensor(op.getStarts()), head.batch),
                         code.index(0));
  head.position = code.addI(past, head.firstQuery);
  if (op.getLengths())
    valid = code.loadI64(getTensor(op.getLengths()), head.batch);
  // The first and the last query say where allowed keys begin and end.
  block::ScoresAttr form = op.getScores();
  KeyRange all = {firstKey, code.addI(past, valid)};
  Value last = code.addI(code.addI(head.position, head.numQueries), -1);
  head.begin = limitKeys(code, form, head.position, all).begin;
  head.end = limitKeys(code, form, last, all).end;

  Value first = spread(head.position);
  for (int64_t v = 0; v < shape.vectors; ++v)
    head.positions.push_back(code.addI(numberLanes(v * code.lanes()), first));
  head.visible.resize(shape.vectors);
  if (op.getPastLengths())
    findCachedRows(head);
  if (op.getStarts())
    head.sequenceBegins.assign(shape.vectors, spread(firstKey));
  if (op.getCuSeqlens())
    findSequences(head);
  for (auto [keys, position] : llvm::zip_equal(head.visible, head.positions))
    keys = limitKeys(code, form, position, keys);
  return head;
}

/// Rows of a cache are those of positions in turn. Keys stay within the cache
/// for all lengths, also wrong ones.
void SdpaFrame::findCachedRows(SdpaHead &head) const {
  head.begin = code.maxI(head.begin, code.subI(head.end, newKeys));
  head.firstRow = code.remI(head.begin, newKeys);
}

/// A key is less than the whole cache away from the first one: one turn more,
/// or one less for the own key of padding.
Value SdpaFrame::findCachedRow(const SdpaHead &head, Value key) const {
  Value row = code.addI(head.firstRow, code.subI(key, head.begin));
  row = code.select(code.lessI(row, newKeys), row, code.subI(row, newKeys));
  row =
      code.select(code.lessI(row, code.index(0)), code.addI(row, newKeys), row);
  return code.maxI(row, code.index(0));
}

/// Sequences share one batch row. The sequence of a row begins at the last
/// bound that is not behind it and ends at the first one that is: a pass over
/// the bounds finds both for all queries of a block. Keys stay within the
/// tensor for all bounds, also wrong ones.
void SdpaFrame::findSequences(SdpaHead &head) const {
  OpBuilder &builder = code.builder;
  Location loc = code.loc;
  Type i32 = builder.getI32Type();
  Type lanes = code.typed(i32, code.lanes());
  Value none = code.integer(lanes, 0);
  Value noEnd = code.integer(lanes, std::numeric_limits<int32_t>::max());
  int64_t vectors = shape.vectors;
  Values initial(vectors, none);
  initial.append(vectors, noEnd);
  Value bounds = getTensor(op.getCuSeqlens());
  Values found =
      code.loop(code.index(0), frame.getDim(kFirstFreeDim), 1, initial,
                [&](Value number, ValueRange carried) -> Values {
                  Values next(carried);
                  Value bound = spread(code.loadI64(bounds, number));
                  for (int64_t v = 0; v < vectors; ++v) {
                    Value isBehind = code.lessI(head.positions[v], bound);
                    Value &begin = next[v], &end = next[vectors + v];
                    begin =
                        code.select(isBehind, begin, code.maxI(begin, bound));
                    end = code.select(isBehind, code.minI(end, bound), end);
                  }
                  return next;
                });
  // No end, no sequence, and no key.
  Value firstBegin, lastEnd;
  for (int64_t v = 0; v < vectors; ++v) {
    Value begin = found[v], end = found[vectors + v];
    end = code.select(code.equalI(end, noEnd), none, end);
    head.sequenceBegins.push_back(begin);
    head.visible[v] = {begin, end};
    firstBegin = firstBegin ? code.minI(firstBegin, begin) : begin;
    lastEnd = lastEnd ? code.maxI(lastEnd, end) : end;
  }
  auto reduce = [&](vector::CombiningKind kind, Value of) -> Value {
    Value narrow = vector::ReductionOp::create(builder, loc, kind, of);
    return arith::ExtSIOp::create(builder, loc, builder.getI64Type(), narrow);
  };
  head.begin =
      code.maxI(head.begin, reduce(vector::CombiningKind::MINSI, firstBegin));
  head.end = code.minI(head.end, reduce(vector::CombiningKind::MAXSI, lastEnd));
}
