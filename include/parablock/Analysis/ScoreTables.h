//===- ScoreTables.h - ALiBi's slopes and T5's buckets ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_SCORETABLES_H
#define PARABLOCK_ANALYSIS_SCORETABLES_H

#include "parablock/Dialect/Block/BlockAttrs.h"
#include "llvm/ADT/SmallVector.h"

namespace parablock {

/// Computes ALiBi's slope of each head: the `k`-th, from 1, is
/// `2^(-maximum k / power)`; where heads are no power of two, even `k` come
/// first.
llvm::SmallVector<double> computeAlibiSlopes(int64_t heads, double maximum);

/// As `scores` have them: rounded where they have an `alibi_type`.
llvm::SmallVector<double> computeAlibiSlopes(int64_t heads,
                                             block::ScoresAttr scores);

/// Rounds to an `alibi_type`, once; null for none.
double roundAlibi(double value, mlir::Type type);

/// Computes the bias of a key where ALiBi is rounded to `type`, of a slope that
/// is rounded.
double computeRoundedAlibi(double slope, int64_t key, mlir::Type type);

/// Finds the row, of a table of `rows` rows, for a query `distance` positions
/// after a key.
int64_t computeBucket(int64_t distance, int64_t rows, int64_t maxDistance,
                      bool bidirectional);

/// Finds the rows for the distances from `-form.getMaxDistance()` to it;
/// beyond, the last ones hold.
llvm::SmallVector<int64_t> computeBuckets(block::BucketsAttr form,
                                          int64_t rows);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_SCORETABLES_H
