//===- AttentionScores.h - scores of a tile of queries ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_ATTENTIONSCORES_H
#define PARABLOCK_LIB_CONVERSION_ATTENTIONSCORES_H

#include "AttentionTile.h"

namespace parablock {

/// Keys and values in consecutive rows of two tensors.
struct KeySource {
  mlir::Value key, value;
  /// Position of the first one, how many there are, and the row of the first.
  mlir::Value first, count, row;
};

/// Keys from `first` on, which a step passes. `seesAll` is true where every
/// query of the tile sees all of them.
struct KeyTile {
  mlir::Value first, seesAll;
};

/// Finds the row of a Shaw table for a key.
mlir::Value createShawRow(TileCode code, mlir::Value table,
                          mlir::Value position, mlir::Value key);

/// Loads what a query at `row` of a tile and the row of a Shaw table for a key
/// have to do with each other, of `rows` numbers of each query and head.
mlir::Value loadRelation(TileCode code, const AttentionTile &tile,
                         mlir::Value relations, int64_t rows, mlir::Value row,
                         mlir::Value key);

/// Makes scores of products, and hides keys.
class AttentionScores {
public:
  /// `code` is where head and batch are as well known as they will be.
  AttentionScores(TileCode code, const AttentionTile &tile,
                  const AttentionSequences &sequences, mlir::Value queryBuffer);

  /// Gives the keys of `source` that every query sees.
  KeyRange getSeenByAll(TileCode code, const KeySource &source) const;
  mlir::Value create(TileCode code, const KeySource &source,
                     const KeyTile &keys, mlir::Value products) const;
  /// Makes 1 for every key that counts, else 0.
  mlir::Value createAllowed(TileCode code, const KeySource &source,
                            const KeyTile &keys) const;

  // Of one row of the tile and one key.
  mlir::Value createScore(TileCode code, mlir::Value row,
                          const AttentionQuery &query, mlir::Value key,
                          mlir::Value product) const;
  /// The slope of the soft cap at a product.
  mlir::Value createCapSlope(TileCode code, mlir::Value row,
                             const AttentionQuery &query, mlir::Value key,
                             mlir::Value product) const;
  mlir::Value isAllowed(TileCode code, const KeySource &source,
                        KeyRange allowed, mlir::Value key) const;

private:
  /// Facts that all scores of a head share.
  struct Head {
    mlir::Value number, slope, buckets;
  };

  Head createHead(TileCode code, mlir::Value number) const;
  /// Everything that is added to the score, and its place.
  ScorePlace createPlace(TileCode code, mlir::Value row,
                         const AttentionQuery &query, mlir::Value key) const;
  /// Adds what `shaw_key` adds to a product.
  mlir::Value addShaw(TileCode code, mlir::Value row,
                      const AttentionQuery &query, mlir::Value key,
                      mlir::Value product) const;
  mlir::Value loadRelative(TileCode code, const Head &head,
                           mlir::Value position, mlir::Value key) const;
  mlir::Value loadBias(TileCode code, mlir::Value row, mlir::Value key) const;

  const AttentionTile &tile;
  const AttentionPlan &plan;
  /// Its accessors are not const.
  mutable block::AttentionOpInterface op;
  const AttentionSequences &sequences;
  mlir::Value queryBuffer;
  /// The head of the tile, where that is one.
  std::optional<Head> only;
};

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_ATTENTIONSCORES_H
