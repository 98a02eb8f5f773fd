//===- AttentionPlan.h - how attention is cut into tiles --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_ATTENTIONPLAN_H
#define PARABLOCK_LIB_CONVERSION_ATTENTIONPLAN_H

#include "parablock/Dialect/Block/EncodedAttention.h"
#include "parablock/Dialect/Tile/TileOps.h"

namespace parablock {

struct AttentionPlan {
  /// Its accessors are not const.
  mutable block::AttentionOpInterface op;
  mlir::Type elementType;
  /// Heads of queries, of keys and values; sizes of a head.
  int64_t heads, keyHeads, headSize, valueSize;
  /// Query heads whose rows are in one tile, time by time: such as share a head
  /// of keys.
  int64_t packed = 1;
  /// Query rows and keys of a tile, and columns of a value: a divisor of the
  /// size of its head.
  int64_t rows, keys, valueColumns;
  /// Tiles of queries, heads and values: of a batch row, and of all, where
  /// their number is known.
  std::optional<int64_t> tilesPerBatch, tiles;
  /// Steps of each CTA that shares the keys of a tile, at least.
  static constexpr int64_t leastSteps = 2;
  /// CTAs that share the keys of a tile: the most, where tiles are not known.
  int64_t splits = 1;
  /// Parts of tiles that CTAs may have at a time, where they share any.
  int64_t parts = 0;
  /// Heads, of a batch row each, that are worked on at a time.
  int64_t group = 1;
  /// The ops that round rows of the result to codes.
  std::optional<block::EncodedAttention> encoded;
  tile::ScheduleAttr schedule;
  /// Tiles of queries that shared memory holds at a time.
  int64_t queryStages = 1;

  /// Values of a head take so many tiles, each with all scores.
  int64_t getValueTiles() const { return valueSize / valueColumns; }
  /// Rows of a tile that are used: whole times.
  int64_t getUsedRows() const { return rows / packed * packed; }
  bool usesTensorMaps() const {
    return schedule.getCopies() == tile::CopyUnit::Tma;
  }
  /// Tells whether results go from registers to memory by tensor maps: whole
  /// tiles of rows, which no row of another batch row follows.
  bool copiesOut() const;
  /// Columns of others that are staged at a time: with wide heads, little
  /// shared memory is left, and beside codes there are two tiles of queries.
  int64_t getStagedColumns() const {
    bool isNarrow = valueColumns > 128 || encoded;
    return std::min<int64_t>(valueColumns, isNarrow ? 32 : 64);
  }
  /// The shared memory that results take on their way.
  int64_t getOutputBytes() const;
  /// Leaves other columns than those of a head out, where a copy would bring
  /// any.
  void limitColumns(tile::CopyOp copy, int64_t width) const {
    tile::BufferType buffer = copy.getBuffer().getType();
    if (!usesTensorMaps() || width != buffer.getColumns())
      copy.setWidth(width);
  }
  /// Tells whether all that is done to scores is a scale, which the exponent of
  /// the softmax takes in.
  bool scaleIsInExponent() const;
  /// Gives the factor from scores to exponents of 2.
  double getExponentFactor() const;
  bool hasMean() const { return op.getGamma() != nullptr; }
  /// Tells whether how many CTAs share a tile is known before a kernel runs:
  /// there are as many keys as a cache holds by then.
  bool knowsSplits() const { return tiles && !op.getPastLengths(); }
  /// How many keys there are, at most, where that is known.
  std::optional<int64_t> getNumKeys() const;

  tile::BufferType getQueryBuffer() const { return getBuffer(rows, headSize); }
  tile::BufferType getKeyBuffer() const { return getBuffer(keys, headSize); }
  tile::BufferType getValueBuffer() const {
    return getBuffer(keys, valueColumns);
  }
  tile::AccumulatorType getScores() const;
  tile::AccumulatorType getSums() const;
  tile::RowValuesType getRowValues() const;
  /// Gives the workspaces of splits: a row of sums and of what they are weighed
  /// by for each row of a part, and a counter for each tile.
  llvm::SmallVector<mlir::Type> getWorkspaces() const;
  /// Columns of such a row: sums, the largest score, the total, sums of a mean.
  int64_t getLargestColumn() const { return valueColumns; }
  int64_t getTotalColumn() const { return valueColumns + 1; }
  int64_t getMeanColumn() const { return valueColumns + 2; }
  /// The head size as the unit multiplies it: what is added is zeros.
  int64_t getDepth() const;

private:
  tile::BufferType getBuffer(int64_t rows, int64_t columns) const;
};

/// `most` are the most queries of a batch row, where their number comes later.
AttentionPlan planAttention(block::AttentionOpInterface op,
                            llvm::StringRef chip,
                            std::optional<int64_t> most = std::nullopt);

/// The most queries that a kernel for few takes in one tile: heads that share
/// keys are rows of it, too.
int64_t getMostFewQueries(block::AttentionOpInterface op);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_ATTENTIONPLAN_H
