//===- ScorePipeline.h - from products of keys to scores --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What `#block.scores` says about a score and about the keys that a query sees,
// written once for all kernels of attention. A score is an f32 of one GPU
// thread, or a vector of them, for as many queries, on the CPU. Positions are
// integers of any type; one of them may stand beside a vector.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_SCOREPIPELINE_H
#define PARABLOCK_CONVERSION_SCOREPIPELINE_H

#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ElementCode.h"

namespace parablock {

/// Keys from `begin` to below `end`, each null where there is no bound.
struct KeyRange {
  mlir::Value begin, end;
};

/// A score's query and key, whose positions count past tokens, and what the
/// kernel has loaded for it; null for what there is not.
struct ScorePlace {
  mlir::Value position, key;
  /// The first key of the query's sequence, where that is not the first of all.
  mlir::Value sequence;
  /// ALiBi's slope of the head (createSlope), the entry of the relative table
  /// (createTableRow), and the one of score_bias.
  mlir::Value slope, relative, bias;
};

/// The way of a score, over whatever has `code`: scale, bias and soft cap in
/// their order. `bias` is null for none.
mlir::Value orderScore(const ElementCode &code, block::ScoresAttr form,
                       mlir::Value product, mlir::Value bias);

/// Gives what becomes of a product, with its Shaw term, on the way to the
/// softmax.
mlir::Value createScore(const RowCode &code, block::ScoresAttr form,
                        mlir::Value product, const ScorePlace &place);

/// Gives the slope of the soft cap where that product is: 1 - (t / cap)^2, `t`
/// what the cap gives.
mlir::Value createCapSlope(const RowCode &code, block::ScoresAttr form,
                           mlir::Value product, const ScorePlace &place);

/// The slope of a head, null where there is no ALiBi. `operand` is the head's
/// entry of the operand `slopes`, or null; `load` gives the head's entry of a
/// table of all `heads`.
mlir::Value
createSlope(const RowCode &code, block::ScoresAttr form, int64_t heads,
            mlir::Value operand,
            llvm::function_ref<mlir::Value(llvm::ArrayRef<float>)> load);

/// A row's weights and its head's sink, relative to the larger of the row's
/// largest score and the sink.
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

/// The row, of a table with one for each distance from `-reach` to `reach`, for
/// `distance`: for Shaw's tables the key's position less the query's, for
/// buckets the other way round.
mlir::Value createTableRow(const RowCode &code, mlir::Value distance,
                           int64_t reach);

/// Those of `keys` that a query at `position` may see.
KeyRange limitKeys(const RowCode &code, block::ScoresAttr form,
                   mlir::Value position, KeyRange keys);

/// Tells whether `key` is one of `keys`; null for always.
mlir::Value isWithin(const RowCode &code, mlir::Value key,
                     const KeyRange &keys);

} // namespace parablock

#endif // PARABLOCK_CONVERSION_SCOREPIPELINE_H
