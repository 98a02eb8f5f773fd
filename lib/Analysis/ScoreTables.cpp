//===- ScoreTables.cpp - computes slopes and bucket numbers ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/ScoreTables.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace parablock;
using llvm::SmallVector;

SmallVector<double> parablock::computeAlibiSlopes(int64_t heads,
                                                  double maximum) {
  int64_t power = llvm::PowerOf2Ceil(heads);
  int64_t step = power == heads ? 1 : 2;
  SmallVector<double> slopes;
  for (int64_t first = step; first >= 1; --first)
    for (int64_t k = first; k <= power; k += step)
      slopes.push_back(std::exp2(-maximum * static_cast<double>(k) /
                                 static_cast<double>(power)));
  slopes.truncate(heads);
  return slopes;
}

SmallVector<double> parablock::computeAlibiSlopes(int64_t heads,
                                                  block::ScoresAttr scores) {
  SmallVector<double> slopes =
      computeAlibiSlopes(heads, scores.getAlibiMax().getValueAsDouble());
  for (double &slope : slopes)
    slope = roundAlibi(slope, scores.getAlibiType());
  return slopes;
}

double parablock::roundAlibi(double value, mlir::Type type) {
  if (!type)
    return value;
  llvm::APFloat number(value);
  bool loses;
  number.convert(mlir::cast<mlir::FloatType>(type).getFloatSemantics(),
                 llvm::APFloat::rmNearestTiesToEven, &loses);
  return number.convertToDouble();
}

double parablock::computeRoundedAlibi(double slope, int64_t key,
                                      mlir::Type type) {
  return roundAlibi(slope * roundAlibi(static_cast<double>(key), type), type);
}

int64_t parablock::computeBucket(int64_t distance, int64_t rows,
                                 int64_t maxDistance, bool bidirectional) {
  int64_t count = bidirectional ? rows / 2 : rows;
  int64_t first = bidirectional && distance < 0 ? count : 0;
  int64_t x =
      bidirectional ? std::abs(distance) : std::max<int64_t>(distance, 0);
  int64_t exact = count / 2;
  if (x < exact)
    return first + x;
  // The logarithm is undefined for one bucket.
  if (exact == 0)
    return first;
  // In f32: at the edges of buckets the last bit of the quotient decides.
  auto logarithm = [exact](int64_t distance) {
    return std::log(static_cast<float>(distance) / static_cast<float>(exact));
  };
  float range = static_cast<float>(count - exact);
  float further = logarithm(x) / logarithm(maxDistance) * range;
  return first + std::min(count - 1, exact + static_cast<int64_t>(
                                                 std::min(further, range)));
}

SmallVector<int64_t> parablock::computeBuckets(block::BucketsAttr form,
                                               int64_t rows) {
  SmallVector<int64_t> buckets;
  int64_t reach = form.getMaxDistance();
  for (int64_t distance = -reach; distance <= reach; ++distance)
    buckets.push_back(
        computeBucket(distance, rows, reach, form.getBidirectional()));
  return buckets;
}
