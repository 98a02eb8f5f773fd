//===- AttentionScores.cpp - from products to scores ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AttentionBuilder.h"

#include <limits>

using namespace mlir;
using namespace parablock;

/// Whether the query of a row sees the key of a column.
Value AttentionBuilder::isAllowed(TileCode code, const KeySource &source,
                                  ValueRange indices, Value firstKey) {
  AttentionQuery query = createQuery(code, indices[0]);
  Value key = code.addIndex(firstKey, indices[1]);
  Value end = code.addIndex(source.first, source.count);
  Value isLate = code.lessIndex(key, query.begin);
  Value isEarly = code.lessIndex(key, code.minIndex(query.end, end));
  return code.select(isLate, code.boolean(false), isEarly);
}

/// 1 for every key that counts, else 0.
Value AttentionBuilder::createAllowed(TileCode code, const KeySource &source,
                                      Value firstKey) {
  return code.map(plan.getScores(), {},
                  [&](TileCode inner, ValueRange indices, ValueRange) {
                    return inner.select(
                        isAllowed(inner, source, indices, firstKey),
                        inner.f32(1), inner.f32(0));
                  });
}

/// What the way of scores does after the product, but for a factor that goes
/// into the exponent.
Value AttentionBuilder::applyScores(TileCode code, ValueRange indices,
                                    Value firstKey, Value product) {
  Value row = indices[0], key = code.addIndex(firstKey, indices[1]);
  AttentionQuery query = createQuery(code, row);
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
  if (scores)
    return scores->apply(code, product, query.position, key);
  return createPipeline(code, createHead(code, row))
      .apply(code, product, query.position, key);
}

Value AttentionBuilder::createScores(TileCode code, const KeySource &source,
                                     Value firstKey, Value products) {
  bool isChanged = !plan.scaleIsInExponent() || op.getShawKey();
  auto createAll = [&](TileCode inner, bool hasMask) -> Value {
    if (!hasMask && !isChanged)
      return products;
    return inner.map(
        plan.getScores(), products,
        [&](TileCode each, ValueRange indices, ValueRange elements) {
          Value score = applyScores(each, indices, firstKey, elements[0]);
          if (!hasMask)
            return score;
          return each.select(
              isAllowed(each, source, indices, firstKey), score,
              each.f32(-std::numeric_limits<double>::infinity()));
        });
  };
  // Some query may not see the first key of the tile, or the last.
  Value last = code.addIndex(firstKey, code.index(plan.keys - 1));
  Value end = code.addIndex(source.first, source.count);
  Value hidesFirst = code.lessIndex(firstKey, lastQuery.begin);
  Value seesLast = code.lessIndex(last, code.minIndex(firstQuery.end, end));
  Value seesAll = code.select(hidesFirst, code.boolean(false), seesLast);
  return code.ifElse(
      seesAll, [&](TileCode inner) { return createAll(inner, false); },
      [&](TileCode inner) { return createAll(inner, true); });
}
