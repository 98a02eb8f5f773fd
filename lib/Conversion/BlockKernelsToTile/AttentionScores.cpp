//===- AttentionScores.cpp - from products to scores ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AttentionBuilder.h"

#include <limits>

using namespace mlir;
using namespace parablock;

/// Whether a query that may see the keys `allowed` sees `key`.
Value AttentionBuilder::isAllowed(TileCode code, const KeySource &source,
                                  KeyRange allowed, Value key) {
  Value end = code.addIndex(source.first, source.count);
  Value isEarly = code.lessIndex(key, allowed.begin);
  Value isBefore = code.lessIndex(key, code.minIndex(allowed.end, end));
  return code.select(isEarly, code.boolean(false), isBefore);
}

/// 1 for every key that counts, else 0.
Value AttentionBuilder::createAllowed(TileCode code, const KeySource &source,
                                      Value firstKey) {
  return code.map(
      plan.getScores(), sequences,
      [&](TileCode inner, ValueRange indices, ValueRange sequence) {
        AttentionQuery query = createQuery(inner, indices[0], sequence);
        Value key = inner.addIndex(firstKey, indices[1]);
        return inner.select(isAllowed(inner, source, query.keys, key),
                            inner.f32(1), inner.f32(0));
      });
}

/// The bias of a query and a key. Rows and keys that only fill up a tile take
/// some other's; nobody reads their scores.
Value AttentionBuilder::loadScoreBias(TileCode code, Value row, Value key) {
  Value bias = get(op.getScoreBias());
  auto type = cast<MemRefType>(bias.getType());
  Value indices[] = {batch, createHead(code, row), createTime(code, row), key};
  for (auto [dim, index] : llvm::enumerate(indices)) {
    bool isOne = type.getShape()[dim] == 1;
    Value last = code.subIndex(code.dim(bias, dim), code.index(1));
    index = isOne ? zero : code.minIndex(index, last);
  }
  Value biasRow =
      code.addIndex(code.mulIndex(indices[0], code.dim(bias, 1)), indices[1]);
  biasRow =
      code.addIndex(code.mulIndex(biasRow, code.dim(bias, 2)), indices[2]);
  return code.load(bias, biasRow, indices[3]);
}

/// What the way of scores does after the product, but for a factor that goes
/// into the exponent.
Value AttentionBuilder::applyScores(TileCode code, Value row,
                                    const AttentionQuery &query, Value key,
                                    Value product) {
  if (Value table = get(op.getShawKey())) {
    Value shawRow =
        createShawRow(code, getNumRows(op.getShawKey()), query.position, key);
    product = code.accumulate(
        zero, code.index(plan.headSize), product,
        [&](TileCode inner, Value d, ValueRange sums) -> Values {
          return {inner.fma(inner.load(queryBuffer, row, d),
                            inner.load(table, shawRow, d), sums[0])};
        })[0];
  }
  if (plan.scaleIsInExponent())
    return product;
  Value score = scores ? scores->apply(code, product, query, key)
                       : createPipeline(code, createHead(code, row))
                             .apply(code, product, query, key);
  if (!op.getScoreBias())
    return score;
  return code.add(score, loadScoreBias(code, row, key));
}

Value AttentionBuilder::createScores(TileCode code, const KeySource &source,
                                     Value firstKey, Value products) {
  bool isChanged = !plan.scaleIsInExponent() || op.getShawKey();
  Values operands = {products};
  llvm::append_range(operands, sequences);
  auto createAll = [&](TileCode inner, bool hasMask) -> Value {
    if (!hasMask && !isChanged)
      return products;
    return inner.map(
        plan.getScores(), operands,
        [&](TileCode each, ValueRange indices, ValueRange elements) {
          Value row = indices[0], key = each.addIndex(firstKey, indices[1]);
          AttentionQuery query = createQuery(each, row, elements.drop_front());
          Value score = applyScores(each, row, query, key, elements[0]);
          if (!hasMask)
            return score;
          return each.select(
              isAllowed(each, source, query.keys, key), score,
              each.f32(-std::numeric_limits<double>::infinity()));
        });
  };
  // Some query may not see the first key of the tile, or the last.
  Value last = code.addIndex(firstKey, code.index(plan.keys - 1));
  Value end = code.addIndex(source.first, source.count);
  Value hidesFirst = code.lessIndex(firstKey, lastQuery.keys.begin);
  Value seesLast =
      code.lessIndex(last, code.minIndex(firstQuery.keys.end, end));
  Value seesAll = code.select(hidesFirst, code.boolean(false), seesLast);
  return code.ifElse(
      seesAll, [&](TileCode inner) { return createAll(inner, false); },
      [&](TileCode inner) { return createAll(inner, true); });
}
