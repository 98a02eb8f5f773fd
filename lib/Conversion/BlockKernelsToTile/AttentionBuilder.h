//===- AttentionBuilder.h - attention, tile by tile -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A tile of queries stays in shared memory while tiles of keys and values pass:
//
//   scores = query * key, then what the form does to them (a region)
//   largest score so far, weights 2^(score - largest), their sum
//   sums = sums * 2^(largest before - largest) + weights * value
//
// The scores of all keys are never in memory. Tiles of keys that no query of
// the tile may see are left out, and masks are computed for those only that
// some may not see.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_ATTENTIONBUILDER_H
#define PARABLOCK_LIB_CONVERSION_ATTENTIONBUILDER_H

#include "AttentionPlan.h"
#include "KernelShell.h"
#include "SdpaScores.h"
#include <functional>

namespace parablock {

/// Keys and values in consecutive rows of two tensors.
struct KeySource {
  mlir::Value key, value;
  /// Position of the first one, how many there are, and the row of the first.
  mlir::Value first, count, row;
};

class AttentionBuilder {
public:
  AttentionBuilder(const AttentionPlan &plan, KernelShell &shell)
      : plan(plan), op(plan.op), shell(shell) {}

  void build(TileCode code);

private:
  using Values = llvm::SmallVector<mlir::Value>;

  /// What the pipelines hand on.
  enum Carried { Sums, Largest, Totals, Means, NumCarried };

  /// The argument that stands for an operand; null for none.
  mlir::Value get(mlir::Value operand) {
    return operand ? shell.lookupInput(operand) : mlir::Value();
  }
  static int64_t getNumRows(mlir::Value table) {
    return mlir::cast<mlir::RankedTensorType>(table.getType()).getDimSize(0);
  }

  // AttentionKernel.cpp: the tile of queries, and the result.
  void buildTile(TileCode code, mlir::Value columnTile);
  /// What a row of the tile is.
  mlir::Value createTime(TileCode code, mlir::Value row);
  mlir::Value createPosition(TileCode code, mlir::Value row);
  mlir::Value createHead(TileCode code, mlir::Value row);
  AttentionQuery createQuery(TileCode code, mlir::Value row, KeyRange sequence);
  mlir::Value loadGain(TileCode code, mlir::Value gain, mlir::Value row);
  mlir::Value createFactor(TileCode code, mlir::Value row, mlir::Value total);
  mlir::Value createMeanFactor(TileCode code, mlir::Value row,
                               const AttentionQuery &query);
  mlir::Value createResult(TileCode code, mlir::ValueRange carried);
  void writeResult(TileCode code, mlir::Value sums);
  /// An element of a row, by its column in the head.
  using RowElement = std::function<mlir::Value(TileCode, mlir::Value column)>;
  using RowReader = llvm::function_ref<RowElement(TileCode, mlir::Value row)>;
  void storeRows(TileCode code, int64_t first, int64_t count, RowReader read);
  /// Stages columns of sums, as many as fit at a time.
  void stageAll(
      TileCode code, mlir::Value sums,
      llvm::function_ref<void(mlir::Value staged, int64_t first, int64_t count)>
          use);

  // AttentionSequences.cpp: the keys of the sequence that a row is of.
  mlir::Value countBounds(TileCode code, mlir::Value time);
  mlir::Value loadBound(TileCode code, mlir::Value number);
  mlir::Value createLastBound(TileCode code);
  KeyRange getBoundsAround(TileCode code, mlir::Value count);
  KeyRange findSequence(TileCode code, mlir::Value row);
  void createSequences(TileCode code);
  AttentionQuery createQuery(TileCode code, mlir::Value row,
                             mlir::ValueRange sequence);

  // AttentionSplit.cpp: a tile whose keys several CTAs share.
  mlir::Value createSplits(TileCode code, mlir::Value tiles);
  void chooseKeyRange(TileCode code);
  void shareKeys(TileCode code, mlir::ValueRange carried);
  void writePart(TileCode code, mlir::ValueRange carried);
  void storePart(TileCode code, mlir::Value staged, int64_t first,
                 int64_t count);
  void joinParts(TileCode code);
  mlir::Value getPartRow(TileCode code, mlir::Value split, mlir::Value row);
  mlir::Value loadPart(TileCode code, mlir::Value split, mlir::Value row,
                       mlir::Value column);
  using PartWeight = std::function<mlir::Value(TileCode, mlir::Value split)>;
  mlir::Value addParts(TileCode code, mlir::Value row, mlir::Value column,
                       const PartWeight &weigh = nullptr);

  // AttentionKeys.cpp: the tiles of keys and values.
  Values createInits(TileCode code);
  Values addAllKeys(TileCode code, mlir::ValueRange carried);
  Values addKeys(TileCode code, const KeySource &source,
                 mlir::ValueRange carried);
  void copyKeys(TileCode code, mlir::Value tensor, mlir::Value row,
                mlir::Value column, mlir::Value buffer, mlir::Value endRow,
                int64_t width);
  void limitColumns(tile::CopyOp copy, int64_t width);
  Values consume(TileCode code, const KeySource &source, mlir::Value firstKey,
                 mlir::ValueRange buffers, mlir::ValueRange carried);
  mlir::Value createWeights(TileCode code, mlir::Value scores,
                            mlir::Value largest);
  mlir::Value multiply(TileCode code, mlir::Value left, mlir::Value right,
                       mlir::Value sums, int64_t depth);
  mlir::Value addShawValues(TileCode code, mlir::Value firstKey,
                            mlir::Value weights, mlir::Value sums);

  // AttentionScores.cpp: from products to scores.
  mlir::Value createScores(TileCode code, const KeySource &source,
                           mlir::Value firstKey, mlir::Value products);
  mlir::Value applyScores(TileCode code, mlir::Value row,
                          const AttentionQuery &query, mlir::Value key,
                          mlir::Value product);
  mlir::Value loadScoreBias(TileCode code, mlir::Value row, mlir::Value key);
  ScorePipeline createPipeline(TileCode code, mlir::Value head) {
    return {code, op, get(op.getRelativeTable()), get(op.getSlopes()), head};
  }
  mlir::Value isAllowed(TileCode code, const KeySource &source,
                        KeyRange allowed, mlir::Value key);
  mlir::Value createAllowed(TileCode code, const KeySource &source,
                            mlir::Value firstKey);

  const AttentionPlan &plan;
  block::SdpaOp op;
  KernelShell &shell;

  // Facts of the kernel, then of the tile.
  mlir::Value zero, queryRows, keyRows, pastRows;
  mlir::Value batch, firstHead, keyHead, firstColumn, firstRow, usedRows;
  mlir::Value validKeys, queryBuffer;
  /// Of packed sequences, the first key and the end of each row's: row values,
  /// as bits.
  Values sequences;
  /// Of splits: how many, and which; and the keys that are this CTA's.
  mlir::Value splits, tileNumber, split, firstKey, endKey;
  AttentionQuery firstQuery, lastQuery;
  /// Where the tile has one head.
  std::optional<ScorePipeline> scores;
};

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_ATTENTIONBUILDER_H
