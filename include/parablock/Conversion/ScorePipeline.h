//===- ScorePipeline.h - from products of keys to scores --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Implements `#block.scores` once for all kernels of attention: the score of a
// query and a key, and the keys that a query sees. A score is an f32 of one GPU
// thread or, on the CPU, a vector of f32 for as many queries. Positions are
// integers of any type; a scalar may be combined with a vector.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_SCOREPIPELINE_H
#define PARABLOCK_CONVERSION_SCOREPIPELINE_H

#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ElementCode.h"

namespace parablock {

/// Keys from `begin` to below `end`; null for a bound that does not exist.
struct KeyRange {
  mlir::Value begin, end;
};

/// Query and key of a score, whose positions count past tokens, and the values
/// that the kernel has loaded for it; null for those that do not exist.
struct ScorePlace {
  mlir::Value position, key;
  /// The first key of the query's sequence, if it is not the first key of all.
  mlir::Value sequence;
  /// ALiBi's slope of the head (createSlope), the entry of the relative table
  /// (createTableRow), and the one of score_bias.
  mlir::Value slope, relative, bias;
};

/// Applies scale, bias and soft cap to a score in the order of the form, with
/// any `code`. `bias` is null for none.
mlir::Value orderScore(const ElementCode &code, block::ScoresAttr form,
                       mlir::Value product, mlir::Value bias);

/// Returns the score, as the softmax reads it, of a product that includes its
/// Shaw term.
mlir::Value createScore(const RowCode &code, block::ScoresAttr form,
                        mlir::Value product, const ScorePlace &place);

/// Returns the slope of the soft cap at that product: 1 - (t / cap)^2, where
/// `t` is the capped value.
mlir::Value createCapSlope(const RowCode &code, block::ScoresAttr form,
                           mlir::Value product, const ScorePlace &place);

/// Returns the slope of a head; null without ALiBi. `operand` is the head's
/// entry of the operand `slopes`, or null; `load` returns the head's entry of a
/// table of all `heads`.
mlir::Value
createSlope(const RowCode &code, block::ScoresAttr form, int64_t heads,
            mlir::Value operand,
            llvm::function_ref<mlir::Value(llvm::ArrayRef<float>)> load);

/// Weights of a row and the sink of its head, relative to the larger of the
/// sink and the largest score of the row.
struct SinkShare {
  /// Factor of the weights that are relative to the largest score.
  mlir::Value scale;
  /// The weight of the sink, and the total with it.
  mlir::Value sink, total;
};

/// Adds the logit `sink` to a softmax whose weights, relative to the score
/// `largest`, have the sum `total`.
SinkShare addSink(const ElementCode &code, mlir::Value sink,
                  mlir::Value largest, mlir::Value total);

/// Returns the factor of a row's weighted sum, whose weights are relative to
/// the score `largest` and have the sum `total`: `gain` over that sum, 0
/// for a row without an allowed key, and NaN where the sum or the sink is NaN.
/// `sink` is the head's, or null.
mlir::Value createFactor(const RowCode &code, mlir::Value gain,
                         mlir::Value sink, mlir::Value largest,
                         mlir::Value total);

/// Returns the row for `distance` of a table with one for each distance from
/// `-reach` to `reach`. For Shaw's tables, the distance is the key's position
/// less the query's, for buckets the other way round.
mlir::Value createTableRow(const RowCode &code, mlir::Value distance,
                           int64_t reach);

/// Returns the part of `keys` that a query at `position` may see.
KeyRange limitKeys(const RowCode &code, block::ScoresAttr form,
                   mlir::Value position, KeyRange keys);

/// Returns whether `key` is one of `keys`; null for always.
mlir::Value isWithin(const RowCode &code, mlir::Value key,
                     const KeyRange &keys);

} // namespace parablock

#endif // PARABLOCK_CONVERSION_SCOREPIPELINE_H
