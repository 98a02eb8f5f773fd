//===- SdpaKernel.cpp - attention without a matrix of scores --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SdpaKernel.h"

#include "RowsKernel.h"
#include "SdpaBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// Keys of a block: their rows and scores stay in the caches.
static constexpr int64_t kBlockKeys = 128;

static int64_t numRows(Value table) {
  return cast<RankedTensorType>(table.getType()).getDimSize(0);
}

SdpaBuilder::SdpaBuilder(Frame &frame, block::KernelOp kernel, block::SdpaOp op)
    : frame(frame), code(frame.getCode()), kernel(kernel), op(op),
      shape(TileShape::forAttention(code.target)), heads(op.getHeads()),
      keyHeads(op.getKvHeads()), headSize(getRowWidth(op.getQuery()) / heads),
      valueSize(getRowWidth(op.getValue()) / keyHeads),
      paddedValues(llvm::alignTo(valueSize, code.lanes())),
      blockQueries(shape.vectors * code.lanes()),
      type(getElementTypeOrSelf(op.getQuery().getType())) {
  queries = frame.getDim(1);
  newKeys = frame.getDim(2);
  pastKeys = frame.getDim(3);
  if (op.getCuSeqlens())
    numBounds = frame.getDim(kFirstFreeDim);
  auto allocate = [&](int64_t numbers) {
    return frame.allocate(numbers * sizeof(float));
  };
  queryMemory = allocate(headSize * blockQueries);
  keyMemory = allocate(kBlockKeys * headSize);
  valueMemory = allocate(kBlockKeys * paddedValues);
  scores = allocate(kBlockKeys * blockQueries);
  sums = allocate(blockQueries * paddedValues);
  maxima = allocate(blockQueries);
  totals = allocate(blockQueries);
  corrections = allocate(blockQueries);
  if (op.getGamma()) {
    marks = allocate(kBlockKeys * blockQueries);
    markCounts = allocate(blockQueries);
    markSums = allocate(blockQueries * paddedValues);
  }
  if (hidesKeys())
    visible = allocate(kBlockKeys * blockQueries);
  if (op.getRelativeTable())
    biases = allocate(kBlockKeys + blockQueries);
  if (op.getShawKey()) {
    shawKeyRows = numRows(op.getShawKey());
    shawProducts = allocate(shawKeyRows * blockQueries);
  }
  if (op.getShawValue()) {
    shawValueRows = numRows(op.getShawValue());
    shawWeights = allocate(shawValueRows * blockQueries);
  }
}

Value SdpaBuilder::pointer(Value operand) {
  return frame.getTensor(cast<BlockArgument>(operand).getArgNumber());
}

SdpaBuilder::Head SdpaBuilder::findHead(Value item) {
  Head head;
  Value blocks = code.ceilDivI(queries, blockQueries);
  Value rest = code.divI(item, blocks);
  head.number = code.remI(rest, heads);
  head.batch = code.divI(rest, heads);
  head.keyHead = code.divI(head.number, heads / keyHeads);
  head.firstQuery = code.mulI(code.remI(item, blocks), blockQueries);
  head.numQueries =
      code.minI(code.subI(queries, head.firstQuery), code.index(blockQueries));
  head.position = code.addI(pastKeys, head.firstQuery);
  // The first and the last query say where allowed keys begin and end.
  block::ScoresAttr form = op.getScores();
  Value valid = newKeys;
  if (op.getLengths())
    valid = code.loadI64(pointer(op.getLengths()), head.batch);
  head.begin = code.index(0);
  head.end = code.addI(pastKeys, valid);
  Value after = code.addI(head.position, head.numQueries);
  if (form.getCausal())
    head.end = code.minI(head.end, after);
  if (std::optional<int64_t> window = form.getWindow()) {
    // No sequence is longer than this.
    int64_t reach = std::min<int64_t>(*window, int64_t(1) << 30);
    head.begin = code.maxI(head.begin, code.addI(head.position, 1 - reach));
    if (!form.getCausal())
      head.end = code.minI(head.end, code.addI(after, reach - 1));
  }
  findSequences(head);
  return head;
}

/// Transposed; past the last query, there are zeros.
void SdpaBuilder::loadQueries(const Head &head) {
  Value memory = pointer(op.getQuery());
  Value first = code.addI(code.mulI(head.batch, queries), head.firstQuery);
  clear(queryMemory, headSize * blockQueries);
  code.loop(code.index(0), head.numQueries, 1, [&](Value query) {
    Value start =
        code.addI(code.mulI(code.addI(first, query), heads * headSize),
                  code.mulI(head.number, headSize));
    code.loop(code.index(0), code.index(headSize), 1, [&](Value at) {
      Value element = code.load(memory, type, code.addI(start, at), 1);
      code.storeRaw(element, queryMemory,
                    code.addI(code.mulI(at, blockQueries), query));
    });
  });
}

std::pair<Value, Value> SdpaBuilder::findKeyRow(const Head &head, Value key,
                                                Value tensor, Value past,
                                                int64_t size) {
  Value inHead = code.mulI(head.keyHead, size);
  auto startOf = [&](Value keys, Value row) {
    return code.addI(
        code.mulI(code.addI(code.mulI(head.batch, keys), row), keyHeads * size),
        inHead);
  };
  Value memory = pointer(tensor);
  Value start = startOf(newKeys, code.subI(key, pastKeys));
  if (!past)
    return {memory, start};
  Value isPast = code.lessI(key, pastKeys);
  auto choose = [&](Value a, Value b) -> Value {
    return arith::SelectOp::create(code.builder, code.loc, isPast, a, b);
  };
  return {choose(pointer(past), memory), choose(startOf(pastKeys, key), start)};
}

void SdpaBuilder::copyRow(Value from, Type fromType, Value start, Value to,
                          Value position, int64_t length) {
  int64_t lanes = code.lanes();
  for (int64_t done = 0; done < length; done += lanes) {
    while (done + lanes > length)
      lanes /= 2;
    code.storeRaw(code.load(from, fromType, code.addI(start, done), lanes), to,
                  code.addI(position, done));
  }
}

void SdpaBuilder::loadKeys(const Head &head, const Keys &keys) {
  code.loop(code.index(0), keys.count, 1, [&](Value at) {
    Value key = code.addI(keys.first, at);
    auto [keyFrom, keyStart] =
        findKeyRow(head, key, op.getKey(), op.getPastKey(), headSize);
    copyRow(keyFrom, type, keyStart, keyMemory, code.mulI(at, headSize),
            headSize);
    auto [valueFrom, valueStart] =
        findKeyRow(head, key, op.getValue(), op.getPastValue(), valueSize);
    copyRow(valueFrom, type, valueStart, valueMemory,
            code.mulI(at, paddedValues), valueSize);
  });
}

/// scores[key][query] = key . query
void SdpaBuilder::multiplyKeys(const Keys &keys) {
  Value last = code.addI(keys.count, -1);
  code.loop(code.index(0), keys.count, shape.rows, [&](Value first) {
    ProductOperands operands;
    operands.rightType = code.f32Type(1);
    for (int64_t i = 0; i < shape.rows; ++i) {
      Value row = code.minI(code.addI(first, i), last);
      operands.leftRows.push_back(
          code.address(keyMemory, code.mulI(row, headSize), code.f32Type(1)));
    }
    operands.right = queryMemory;
    operands.rightStep = blockQueries;
    Values products = emitProduct(code, operands, code.index(headSize),
                                  zeroSums(code, shape));
    for (auto [i, product] : llvm::enumerate(products)) {
      Value row = code.addI(first, i / shape.vectors);
      code.storeRaw(product, scores,
                    code.addI(code.mulI(row, blockQueries),
                              (i % shape.vectors) * code.lanes()));
    }
  });
}

void SdpaBuilder::clear(Value memory, int64_t numbers) {
  Value zero = code.real(code.f32Type(code.lanes()), 0);
  code.loop(code.index(0), code.index(numbers), code.lanes(),
            [&](Value at) { code.storeRaw(zero, memory, at); });
}

Value SdpaBuilder::gain(const Head &head, Value vector) {
  Value at = numRows(vector) == 1 ? code.index(0) : head.number;
  return code.load(pointer(vector), getElementTypeOrSelf(vector.getType()), at,
                   1);
}

void SdpaBuilder::emitKeys(const Head &head,
                           llvm::function_ref<void(const Keys &keys)> add) {
  prepareScores(head);
  clear(sums, blockQueries * paddedValues);
  if (markSums)
    clear(markSums, blockQueries * paddedValues);
  code.loop(head.begin, head.end, kBlockKeys, [&](Value first) {
    Keys keys = {first,
                 code.minI(code.subI(head.end, first), code.index(kBlockKeys))};
    loadKeys(head, keys);
    multiplyKeys(keys);
    finishScores(head, keys);
    add(keys);
  });
}

void SdpaBuilder::emitHead(const Head &head) {
  loadQueries(head);
  auto addAll = [&](const Keys &keys) {
    addValues(head, keys, scores, sums, /*corrected=*/true);
    if (marks)
      addValues(head, keys, marks, markSums, /*corrected=*/false);
  };
  if (hidesKeys())
    emitPasses(head, addAll);
  else
    emitKeys(head, addAll);
  addShawValues(head);
  finish(head);
}

KernelCode SdpaBuilder::build() {
  code.loop(frame.getBegin(), frame.getEnd(), 1,
            [&](Value item) { emitHead(findHead(item)); });
  frame.finish();
  return {frame.getFunction().getSymName().str(), frame.getScratchBytes(),
          heads, blockQueries};
}

FailureOr<KernelCode> cpugen::buildSdpaKernel(Frame &frame,
                                              block::KernelOp kernel) {
  if (failed(checkSdpa(kernel)))
    return failure();
  auto op = *kernel.getBody().front().getOps<block::SdpaOp>().begin();
  return SdpaBuilder(frame, kernel, op).build();
}
