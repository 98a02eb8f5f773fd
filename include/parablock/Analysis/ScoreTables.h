//===- ScoreTables.h - ALiBi's slopes and T5's buckets ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_SCORETABLES_H
#define PARABLOCK_ANALYSIS_SCORETABLES_H

#include "parablock/Dialect/Block/BlockAttrs.h"
#include "llvm/ADT/SmallVector.h"

namespace parablock {

/// Computes ALiBi's slopes of heads. Slope `k`, from 1, is
/// `2^(-maximum k / power)`; if `heads` is not a power of two, even
/// `k` come first.
llvm::SmallVector<double> computeAlibiSlopes(int64_t heads, double maximum);

/// Computes the slopes of `scores`: rounded if they have an `alibi_type`.
llvm::SmallVector<double> computeAlibiSlopes(int64_t heads,
                                             block::ScoresAttr scores);

/// Rounds to an `alibi_type`, once; null for none.
double roundAlibi(double value, mlir::Type type);

/// Computes the bias of a key from a rounded slope, where ALiBi is rounded to
/// `type`.
double computeRoundedAlibi(double slope, int64_t key, mlir::Type type);

/// Returns the row, of a table of `rows` rows, for a query `distance` positions
/// after a key.
int64_t computeBucket(int64_t distance, int64_t rows, int64_t maxDistance,
                      bool bidirectional);

/// Returns the rows for the distances from `-form.getMaxDistance()` to it;
/// larger distances use the last ones.
llvm::SmallVector<int64_t> computeBuckets(block::BucketsAttr form,
                                          int64_t rows);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_SCORETABLES_H
