//===- SdpaGradKernel.cpp - gradients of attention ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An item is a query head, which no other item adds to. Block by block of its
// queries, scores and pulls of all keys that a query sees are rows in memory,
// so each product is made once: two for these rows, then one for each gradient
// by queries, keys and values. What keys get is summed up in f32, block after
// block of queries; heads of a group, tables and gains are summed up behind it,
// in the order of items.
//
//===----------------------------------------------------------------------===//

#include "SdpaGradKernel.h"

#include "RowsKernel.h"
#include "SdpaGradProduct.h"
#include "SdpaGradWeights.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

namespace {
/// Puts the parts of a kernel together.
class SdpaGradBuilder {
public:
  SdpaGradBuilder(Frame &frame, block::KernelOp kernel, block::SdpaGradOp grad,
                  GradLaunch launch)
      : code(frame.getCode()), grad(grad), launch(launch),
        sdpa(frame, kernel, grad), inputs(sdpa, grad.getGradient()),
        weights(sdpa), shawKey(sdpa, grad.getShawKey(), inputs.getQueries()),
        shawValue(sdpa, grad.getShawValue(), inputs.getGradients()),
        buckets(sdpa, launch == GradLaunch::Heads &&
                          wantsGradient(grad, "relative_table")),
        querySums(
            sdpa.allocate(sdpa.blockQueries * inputs.getQueries().padded)),
        tensors(listGradTensors(grad, launch, code.target)) {}

  cpugen::KernelCode build();

private:
  using Rows = SdpaGradInputs::Rows;

  void emitHeadItem(Value item);
  void emitBiasItem(Value item);
  /// Goes through the blocks of queries of a head.
  void emitBlocks(Value batchAndHead);
  void emitBlock(const SdpaHead &head);
  void emitScores(const SdpaHead &head);
  void emitGradients(const SdpaHead &head);
  void emitProducts(const SdpaHead &head, const SdpaKeys &keys,
                    const GradRows &rows, Value isFinite);
  void addOwnValues(const SdpaHead &head);
  void addToBias(const SdpaHead &head, const SdpaKeys &keys,
                 const GradRows &rows);
  void storeQueries(const SdpaHead &head);
  /// Stores `count` rows of sums from `first` on.
  void storeKeys(Value item, GradTensor what, GradTensor sums, Value first,
                 Value count, const Rows &like);
  void addTo(GradTensor what, Value number);

  /// The tensor of the launch, or null.
  Value getTensor(GradTensor what) const;
  /// The memory of the item at hand, or null.
  Value getMemory(GradTensor what) const { return memory.lookup(what); }
  void findMemory(Value item);
  GradRows getRows(Value firstKey) const;
  Value find(Value base, Value row, int64_t width) const {
    return base ? code.address(base, code.mulI(row, width), sdpa.narrow)
                : Value();
  }
  /// Says whether a pair may be hidden within the keys of a block.
  bool hidesPairs() const { return sdpa.hidesKeys() || sdpa.op.getScoreBias(); }

  Code &code;
  block::SdpaGradOp grad;
  GradLaunch launch;
  SdpaFrame sdpa;
  SdpaGradInputs inputs;
  SdpaGradWeights weights;
  SdpaGradShaw shawKey, shawValue;
  SdpaGradBuckets buckets;
  /// Memory: gradients by a block of queries.
  Value querySums;
  SmallVector<GradTensorInfo> tensors;
  DenseMap<GradTensor, Value> memory;
};
} // namespace

Value SdpaGradBuilder::getTensor(GradTensor what) const {
  for (auto [number, info] : llvm::enumerate(tensors))
    if (info.what == what)
      return sdpa.frame.getTensor(sdpa.kernel.getNumOperands() + number);
  return Value();
}

void SdpaGradBuilder::findMemory(Value item) {
  memory.clear();
  for (const GradTensorInfo &info : tensors) {
    if (info.isResult || info.what == GradTensor::BiasSums)
      continue;
    Value size = code.index(info.size);
    if (info.isPerKey)
      size = code.mulI(code.addI(sdpa.pastKeys, sdpa.newKeys), size);
    Value start =
        code.address(getTensor(info.what), code.mulI(item, size), sdpa.narrow);
    memory[info.what] = start;
    if (info.what != GradTensor::Weights && info.what != GradTensor::Pulls &&
        info.what != GradTensor::CapSlopes)
      code.fillZeros(start, size);
  }
}

GradRows SdpaGradBuilder::getRows(Value firstKey) const {
  auto at = [&](GradTensor what) {
    return find(getMemory(what), firstKey, sdpa.blockQueries);
  };
  return {at(GradTensor::Weights), at(GradTensor::Pulls),
          at(GradTensor::CapSlopes)};
}

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

cpugen::KernelCode SdpaGradBuilder::build() {
  Frame &frame = sdpa.frame;
  code.loop(frame.getBegin(), frame.getEnd(), 1, [&](Value item) {
    findMemory(item);
    if (launch == GradLaunch::Heads)
      emitHeadItem(item);
    else
      emitBiasItem(item);
  });
  return frame.finish(launch == GradLaunch::Heads ? sdpa.heads : 1);
}

void SdpaGradBuilder::emitBlocks(Value batchAndHead) {
  Value blocks = code.ceilDivI(sdpa.queries, sdpa.blockQueries);
  Value first = code.mulI(batchAndHead, blocks);
  code.loop(code.index(0), blocks, 1, [&](Value number) {
    emitBlock(sdpa.findHead(code.addI(first, number)));
  });
}

void SdpaGradBuilder::emitHeadItem(Value item) {
  emitBlocks(item);
  auto store = [&](GradTensor ofKey, GradTensor ofValue, Value first,
                   Value count) {
    storeKeys(item, ofKey, GradTensor::KeySums, first, count, inputs.getKeys());
    storeKeys(item, ofValue, GradTensor::ValueSums, first, count,
              inputs.getValues());
  };
  store(GradTensor::PastKey, GradTensor::PastValue, code.index(0),
        sdpa.pastKeys);
  store(GradTensor::Key, GradTensor::Value, sdpa.pastKeys, sdpa.newKeys);
}

/// An entry that stands for all batch rows, or heads, gets from all of them.
void SdpaGradBuilder::emitBiasItem(Value item) {
  unsigned first = kFirstFreeDim + (grad.getCuSeqlens() ? 1 : 0);
  auto getSize = [&](unsigned dim) { return sdpa.frame.getDim(first + dim); };
  Value entries = code.mulI(getSize(2), getSize(3));
  code.fillZeros(code.address(getTensor(GradTensor::BiasSums),
                              code.mulI(item, entries), sdpa.narrow),
                 entries);
  auto forAll = [&](Value own, Value size, Value all,
                    llvm::function_ref<void(Value)> body) {
    Value standsForAll = code.equalI(size, code.index(1));
    auto choose = [&](Value a, Value b) -> Value {
      return code.select(standsForAll, a, b);
    };
    code.loop(choose(code.index(0), own), choose(all, code.addI(own, 1)), 1,
              body);
  };
  Value batch = code.divI(item, getSize(1)), head = code.remI(item, getSize(1));
  forAll(batch, getSize(0), sdpa.frame.getDim(0), [&](Value row) {
    forAll(head, getSize(1), code.index(sdpa.heads), [&](Value number) {
      emitBlocks(code.addI(code.mulI(row, sdpa.heads), number));
    });
  });
}

//===----------------------------------------------------------------------===//
// Blocks of queries
//===----------------------------------------------------------------------===//

void SdpaGradBuilder::emitBlock(const SdpaHead &head) {
  inputs.loadQueries(head);
  weights.prepareHead(head);
  shawKey.prepareHead();
  shawValue.prepareHead();
  sdpa.clear(querySums, sdpa.blockQueries * inputs.getQueries().padded);
  emitScores(head);
  sdpa.forBlocks(head, [&](const SdpaKeys &block) {
    weights.createWeights(head, block, getRows(block.first));
  });
  weights.finishWeights();
  emitGradients(head);
  if (launch == GradLaunch::Bias)
    return;
  shawKey.addToRows(querySums);
  shawKey.addToTable(getMemory(GradTensor::ShawKeySums));
  shawValue.addToTable(getMemory(GradTensor::ShawValueSums));
  if (getMemory(GradTensor::BetaSums))
    addTo(GradTensor::BetaSums, weights.sumBeta());
  if (getMemory(GradTensor::GammaSums))
    addTo(GradTensor::GammaSums, weights.sumGamma());
  if (getMemory(GradTensor::SinkSums))
    addTo(GradTensor::SinkSums, weights.sumSinks());
  addOwnValues(head);
  storeQueries(head);
}

void SdpaGradBuilder::emitScores(const SdpaHead &head) {
  const Rows &keys = inputs.getKeys(), &values = inputs.getValues();
  sdpa.forBlocks(head, [&](const SdpaKeys &block) {
    GradRows rows = getRows(block.first);
    inputs.loadKeys(head, block);
    inputs.loadValues(head, block);
    auto multiply = [&](const Rows &left, const Rows &right, Value to) {
      emitGradProduct(sdpa, {left.rows, left.padded, 1, right.transposed,
                             sdpa.blockQueries, to, sdpa.blockQueries,
                             sdpa.blockQueries, block.count,
                             code.index(left.size), left.size,
                             /*isFirst=*/true});
    };
    multiply(keys, inputs.getQueries(), rows.weights);
    multiply(values, inputs.getGradients(), rows.pulls);
    weights.addMeans(head, block, rows);
    shawKey.addProducts(head, block, rows.weights);
    shawValue.addProducts(head, block, rows.pulls);
    weights.createScores(head, block, rows);
  });
}

void SdpaGradBuilder::emitGradients(const SdpaHead &head) {
  bool isBias = launch == GradLaunch::Bias;
  Value isFinite =
      hidesPairs() && !isBias ? inputs.areQueriesFinite(head) : Value();
  sdpa.forBlocks(head, [&](const SdpaKeys &block) {
    GradRows rows = getRows(block.first);
    weights.createGradients(head, block, rows, isBias, buckets);
    if (isBias) {
      addToBias(head, block, rows);
      return;
    }
    buckets.addToTable(head, block, getMemory(GradTensor::RelativeSums));
    shawKey.addFactors(head, block, rows.pulls);
    shawValue.addFactors(head, block, rows.weights);
    weights.subtractMeans(head, block, rows);
    inputs.loadKeys(head, block);
    Value areFinite =
        isFinite ? Value(arith::AndIOp::create(code.builder, code.loc, isFinite,
                                               inputs.areKeysFinite(block)))
                 : Value();
    emitProducts(head, block, rows, areFinite);
  });
}

/// A pair that is hidden has no weight. But zero times infinity is no number:
/// where an input is not finite, such pairs are left out one by one.
void SdpaGradBuilder::emitProducts(const SdpaHead &head, const SdpaKeys &keys,
                                   const GradRows &rows, Value isFinite) {
  SmallVector<GradProduct> products;
  auto addForKeys = [&](GradTensor what, Value left, const Rows &right) {
    if (Value sums = getMemory(what))
      products.push_back({left, sdpa.blockQueries, 1, right.rows, right.padded,
                          find(sums, keys.first, right.padded), right.padded,
                          right.padded, keys.count, head.numQueries,
                          sdpa.blockQueries});
  };
  addForKeys(GradTensor::ValueSums, rows.weights, inputs.getGradients());
  addForKeys(GradTensor::KeySums, rows.pulls, inputs.getQueries());
  if (getTensor(GradTensor::Query)) {
    const Rows &right = inputs.getKeys();
    products.push_back({rows.pulls, 1, sdpa.blockQueries, right.rows,
                        right.padded, querySums, right.padded, right.padded,
                        head.numQueries, keys.count, SdpaFrame::blockKeys});
  }
  auto emitQuickly = [&]() -> Values {
    for (const GradProduct &product : products)
      emitGradProduct(sdpa, product);
    return {};
  };
  if (!isFinite) {
    emitQuickly();
    return;
  }
  code.ifElse(isFinite, {}, emitQuickly, [&]() -> Values {
    for (const GradProduct &product : products)
      emitCarefulGradProduct(sdpa, product);
    return {};
  });
}

/// Alpha adds each query's own value to its result.
void SdpaGradBuilder::addOwnValues(const SdpaHead &head) {
  if (!grad.getAlpha())
    return;
  Value alpha = sdpa.loadGain(head, grad.getAlpha());
  Value valueSums = getMemory(GradTensor::ValueSums);
  const Rows &gradients = inputs.getGradients();
  Values total = code.loop(
      code.index(0), head.numQueries, 1, code.f32(0),
      [&](Value query, ValueRange sum) -> Values {
        Value key = code.addI(head.position, query), result = sum[0];
        std::pair<Value, Value> row = sdpa.findRow(head, key, grad.getValue(),
                                                   /*past=*/{}, sdpa.valueSize);
        Value from = code.mulI(query, gradients.padded);
        Value to = code.mulI(key, gradients.padded);
        sdpa.forParts(gradients.size, [&](int64_t at, int64_t lanes) {
          Type part = code.f32Type(lanes);
          Value dy = code.loadRaw(gradients.rows, part, code.addI(from, at));
          Value own =
              code.load(row.first, sdpa.type, code.addI(row.second, at), lanes);
          Value product = code.mul(own, dy);
          result = code.add(result, lanes == 1 ? product : code.sum(product));
          if (!valueSums)
            return;
          Value place = code.addI(to, at);
          code.storeRaw(
              code.fma(dy, alpha, code.loadRaw(valueSums, part, place)),
              valueSums, place);
        });
        return {result};
      });
  if (getMemory(GradTensor::AlphaSums))
    addTo(GradTensor::AlphaSums, total[0]);
}

void SdpaGradBuilder::addTo(GradTensor what, Value number) {
  Value sum = getMemory(what), at = code.index(0);
  code.storeRaw(code.add(code.loadRaw(sum, sdpa.narrow, at), number), sum, at);
}

void SdpaGradBuilder::addToBias(const SdpaHead &head, const SdpaKeys &keys,
                                const GradRows &rows) {
  Value sums = getTensor(GradTensor::BiasSums), zero = code.index(0);
  Values strides = sdpa.createBiasStrides();
  Value start = code.addI(code.mulI(head.batch, strides[0]),
                          code.mulI(head.number, strides[1]));
  code.loop(zero, head.numQueries, 1, [&](Value query) {
    Value row = code.addI(
        start, code.mulI(code.addI(head.firstQuery, query), strides[2]));
    sdpa.forKeys(keys, {}, [&](Value key, ValueRange) -> Values {
      Value at =
          code.addI(row, code.mulI(code.addI(keys.first, key), strides[3]));
      Value byScore =
          code.loadRaw(rows.pulls, sdpa.narrow, sdpa.place(key, query));
      code.storeRaw(code.add(code.loadRaw(sums, sdpa.narrow, at), byScore),
                    sums, at);
      return {};
    });
  });
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Rounds a row of sums to a result of `type`.
static void storeRow(const SdpaFrame &sdpa, Value sums, Value from,
                     int64_t size, Value result, Type type, Value to) {
  Code &code = sdpa.code;
  sdpa.forParts(size, [&](int64_t at, int64_t lanes) {
    code.store(code.loadRaw(sums, code.f32Type(lanes), code.addI(from, at)),
               result, type, code.addI(to, at));
  });
}

void SdpaGradBuilder::storeQueries(const SdpaHead &head) {
  Value result = getTensor(GradTensor::Query);
  if (!result)
    return;
  const Rows &like = inputs.getQueries();
  Value first = code.addI(code.mulI(head.batch, sdpa.queries), head.firstQuery);
  code.loop(code.index(0), head.numQueries, 1, [&](Value query) {
    Value row =
        code.addI(code.mulI(code.addI(first, query), sdpa.heads), head.number);
    storeRow(sdpa, querySums, code.mulI(query, like.padded), like.size, result,
             sdpa.type, code.mulI(row, like.size));
  });
}

void SdpaGradBuilder::storeKeys(Value item, GradTensor what, GradTensor sums,
                                Value first, Value count, const Rows &like) {
  Value result = getTensor(what);
  if (!result)
    return;
  Value batch = code.divI(item, sdpa.heads);
  Value head = code.remI(item, sdpa.heads);
  code.loop(code.index(0), count, 1, [&](Value key) {
    Value row = code.addI(code.mulI(batch, count), key);
    row = code.addI(code.mulI(row, sdpa.heads), head);
    storeRow(sdpa, getMemory(sums),
             code.mulI(code.addI(first, key), like.padded), like.size, result,
             sdpa.type, code.mulI(row, like.size));
  });
}

cpugen::KernelCode cpugen::buildSdpaGradKernel(Frame &frame,
                                               block::KernelOp kernel,
                                               GradLaunch launch) {
  Block &body = kernel.getBody().front();
  return SdpaGradBuilder(frame, kernel,
                         *body.getOps<block::SdpaGradOp>().begin(), launch)
      .build();
}
