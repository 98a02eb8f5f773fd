//===- AttentionOutput.h - results of a tile of queries ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_ATTENTIONOUTPUT_H
#define PARABLOCK_LIB_CONVERSION_ATTENTIONOUTPUT_H

#include "RunningSoftmax.h"
#include <functional>

namespace parablock {

/// Brings what a tile has carried to the rows of the result.
class AttentionOutput {
public:
  AttentionOutput(const AttentionTile &tile,
                  const AttentionSequences &sequences)
      : tile(tile), plan(tile.plan), op(tile.op), sequences(sequences) {}

  void write(TileCode code, mlir::ValueRange carried);

  /// Gives what the sums of a row are multiplied by, and the sum of the values
  /// of all its keys. `largest` is the score that its weights are relative to.
  mlir::Value createFactor(TileCode code, mlir::Value row, mlir::Value largest,
                           mlir::Value total);
  mlir::Value createMeanFactor(TileCode code, mlir::Value row,
                               const AttentionQuery &query);

  /// An element of a row, by its column in the head.
  using RowElement = std::function<mlir::Value(TileCode, mlir::Value column)>;
  using RowReader = llvm::function_ref<RowElement(TileCode, mlir::Value row)>;
  /// Stores columns `first` and on of the head, of all rows of the tile; with
  /// `encodes`, as `plan.encoded` rounds them, of whole rows.
  void storeRows(TileCode code, int64_t first, int64_t count, RowReader read,
                 bool encodes = false);
  /// Stages columns of sums, as many as fit at a time.
  void stageAll(
      TileCode code, mlir::Value sums,
      llvm::function_ref<void(mlir::Value staged, int64_t first, int64_t count)>
          use);

private:
  mlir::Value createResult(TileCode code, mlir::ValueRange carried);
  mlir::Value encodeTile(TileCode code, mlir::Value sums);
  RowElement encodeRow(TileCode code, const RowElement &element,
                       mlir::Value row, mlir::Value head);
  mlir::Value round(TileCode code, mlir::Value number, mlir::Value scale) const;
  mlir::Value findOutput(mlir::Value result) const;
  mlir::Value createOutputRow(TileCode code, mlir::Value row) const;

  const AttentionTile &tile;
  const AttentionPlan &plan;
  block::AttentionOpInterface op;
  const AttentionSequences &sequences;
};

/// A tile whose keys several CTAs share. Few queries make few tiles, of which
/// each may have very many keys. Then CTAs take a range of the keys each, and
/// leave their sums, the largest score and the total of the weights in a
/// workspace. The last one weighs the sums by what the largest scores say,
/// always in the same order. Sums of a mean are only added.
class AttentionSplit {
public:
  /// Creates the number of CTAs that share the keys of each of so many tiles.
  static mlir::Value createCount(TileCode code,
                                 const AttentionOperands &operands,
                                 mlir::Value tiles);

  /// Part `split` of the `splits` that share tile `number`.
  AttentionSplit(mlir::Value splits, mlir::Value split, mlir::Value number,
                 const AttentionTile &tile, const AttentionSequences &sequences)
      : splits(splits), split(split), tileNumber(number), tile(tile),
        plan(tile.plan), sequences(sequences), output(tile, sequences) {}

  /// Takes this CTA's keys of all that the tile's queries may see.
  KeyRange chooseKeys(TileCode code, KeyRange keys);
  void shareKeys(TileCode code, mlir::ValueRange carried);

private:
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

  mlir::Value splits, split, tileNumber;
  const AttentionTile &tile;
  const AttentionPlan &plan;
  const AttentionSequences &sequences;
  AttentionOutput output;
};

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_ATTENTIONOUTPUT_H
