//===- RunningSoftmax.h - the softmax over tiles of keys --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_RUNNINGSOFTMAX_H
#define PARABLOCK_LIB_CONVERSION_RUNNINGSOFTMAX_H

#include "AttentionScores.h"

namespace parablock {

/// The logarithm, to base 2, of the sum of the exponentials of scores, of the
/// largest score and the factor of weights relative to it. Without weights it
/// is infinite, so that the weight of any score is 0.
mlir::Value createLogSum(TileCode code, const AttentionPlan &plan,
                         mlir::Value largest, mlir::Value factor);

/// The numbers that a tile of queries carries from keys to keys: the largest
/// score and the total of the weights of each row (until the last key, what
/// each thread has of it), sums of weighted values and, where a mean is wanted,
/// of all values.
class RunningSoftmax {
public:
  using Values = llvm::SmallVector<mlir::Value>;
  enum Carried { Sums, Largest, Totals, Means, NumCarried };

  /// Begins without keys.
  static Values createInits(TileCode code, const AttentionPlan &plan);

  /// `keys` are those that the CTA adds.
  RunningSoftmax(TileCode code, const AttentionTile &tile,
                 const AttentionSequences &sequences, KeyRange keys,
                 mlir::Value queryBuffer)
      : tile(tile), plan(tile.plan), op(tile.op), sequences(sequences),
        keys(keys), queryBuffer(queryBuffer),
        scores(code, tile, sequences, queryBuffer), dropout(code, tile) {}

  Values addAllKeys(TileCode code, mlir::ValueRange carried);

private:
  Values addCachedKeys(TileCode code, mlir::ValueRange carried);
  Values addKeys(TileCode code, const KeySource &source,
                 mlir::ValueRange carried);
  void copyKeys(TileCode code, mlir::Value tensor, mlir::Value row,
                mlir::Value column, mlir::Value buffer, mlir::Value endRow,
                int64_t width);
  KeyRange getStepsSeenByAll(TileCode code, const KeySource &source,
                             mlir::Value from);
  mlir::Value isSeenByAll(TileCode code, mlir::Value step, KeyRange steps);
  Values consume(TileCode code, const KeySource &source, const KeyTile &keys,
                 mlir::ValueRange buffers, mlir::ValueRange carried);
  mlir::Value createWeights(TileCode code, mlir::Value scores,
                            mlir::Value largest);
  mlir::Value dropWeights(TileCode code, mlir::Value firstKey,
                          mlir::Value weights);
  mlir::Value multiply(TileCode code, mlir::Value left, mlir::Value right,
                       mlir::Value sums, int64_t depth);
  mlir::Value addShawValues(TileCode code, mlir::Value firstKey,
                            mlir::Value weights, mlir::Value sums);

  const AttentionTile &tile;
  const AttentionPlan &plan;
  block::AttentionOpInterface op;
  const AttentionSequences &sequences;
  KeyRange keys;
  mlir::Value queryBuffer;
  AttentionScores scores;
  AttentionDropout dropout;
};

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_RUNNINGSOFTMAX_H
