//===- AttentionTile.h - a tile of queries and the keys they see -*- C++ -*-==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_ATTENTIONTILE_H
#define PARABLOCK_LIB_CONVERSION_ATTENTIONTILE_H

#include "AttentionPlan.h"
#include "CachePages.h"
#include "KernelShell.h"
#include "TileCode.h"
#include "parablock/Conversion/ScorePipeline.h"

namespace parablock {

/// The operands of a kernel of attention, whatever tile it is at.
struct AttentionOperands {
  AttentionOperands(const AttentionPlan &plan, KernelShell &shell,
                    TileCode code);

  /// The argument that stands for an operand; null for none.
  mlir::Value get(mlir::Value operand) const {
    return operand ? shell.lookupInput(operand) : mlir::Value();
  }

  const AttentionPlan &plan;
  /// Its accessors are not const.
  mutable block::AttentionOpInterface op;
  KernelShell &shell;
  /// Rows of keys are those that a cache has, where there is one.
  mlir::Value zero, queryRows, keyRows, pastRows;
  /// Products of each query and the rows of `shaw_key`, if a launch before has
  /// computed them (loadRelation).
  mlir::Value shawProducts;

  /// Gives where the rows of a cache of keys or values are, if in pages.
  std::optional<CachePages> getPages(mlir::Value pool) const {
    if (!op.getPages())
      return std::nullopt;
    return CachePages{get(op.getPages()), get(pool)};
  }
};

/// Rows of queries of one head, or of heads that share keys.
struct AttentionTile : AttentionOperands {
  /// `columnTile` counts heads and then columns of values.
  AttentionTile(TileCode code, const AttentionOperands &operands,
                mlir::Value batch, mlir::Value firstRow, mlir::Value usedRows,
                mlir::Value columnTile);

  // What a row of the tile is.
  mlir::Value createTime(TileCode code, mlir::Value row) const;
  mlir::Value createPosition(TileCode code, mlir::Value row) const;
  mlir::Value createHead(TileCode code, mlir::Value row) const;
  /// Finds the row of values that its own token has.
  mlir::Value createValueRow(TileCode code, mlir::Value row) const;
  /// Loads the head's entry of a gain with one element or one per head.
  mlir::Value loadGain(TileCode code, mlir::Value gain, mlir::Value row) const;

  mlir::Value batch, firstRow, usedRows, firstHead, firstColumn, keyHead;
  /// The position of the first query; null where that is 0.
  mlir::Value past;
};

/// A query, the keys that it may see, and the first one of its sequence, which
/// is null where that is the first of all. Positions count past tokens, and
/// padding in front of them.
struct AttentionQuery {
  mlir::Value position;
  KeyRange keys;
  mlir::Value sequence;
};

/// Packed sequences stand one after the other, and a query sees keys of its own
/// alone. The first and the last row of a tile say which keys the tile needs at
/// all. Where each row's sequence begins and ends is searched for once, and
/// then kept in registers: two numbers for each row of a thread.
class AttentionSequences {
public:
  /// Without `findsRows`, the tile's own first and last query are unknown, and
  /// so are the sequences of its rows.
  AttentionSequences(TileCode code, const AttentionTile &tile,
                     bool findsRows = true);

  /// The tile's first query and its last.
  const AttentionQuery &getFirst() const { return first; }
  const AttentionQuery &getLast() const { return last; }
  /// The end of the keys that no length hides, past ones included.
  mlir::Value getValidKeys() const { return validKeys; }
  /// The first key and the end of each row's sequence, as bits: row values that
  /// a map of rows wants for createQuery. Empty where there is one sequence.
  mlir::ValueRange getRowSequences() const { return rowValues; }

  /// Takes the sequence from elements of getRowSequences.
  AttentionQuery createQuery(TileCode code, mlir::Value row,
                             mlir::ValueRange sequence) const;
  /// Takes the sequence from where it is searched for.
  AttentionQuery findQuery(TileCode code, mlir::Value row) const;
  /// Searches for the sequence of packed ones that a row is in.
  KeyRange findSequence(TileCode code, mlir::Value row) const;

private:
  mlir::Value countBounds(TileCode code, mlir::Value time) const;
  mlir::Value loadBound(TileCode code, mlir::Value number) const;
  mlir::Value createLastBound(TileCode code) const;
  KeyRange getBoundsAround(TileCode code, mlir::Value count) const;
  AttentionQuery createQuery(TileCode code, mlir::Value row,
                             KeyRange sequence) const;
  void findRowValues(TileCode code);

  const AttentionTile &tile;
  mlir::Value bounds, firstKey, validKeys;
  AttentionQuery first, last;
  llvm::SmallVector<mlir::Value, 2> rowValues;
};

/// Which weights dropout keeps. A row's key is searched for once, and then kept
/// in registers: two numbers for each row of a thread.
class AttentionDropout {
public:
  AttentionDropout(TileCode code, const AttentionTile &tile);

  /// Halves of the key of each row, as bits: row values that a map of rows
  /// wants for `keep`. Empty without dropout.
  mlir::ValueRange getRowKeys() const { return rowKeys; }
  /// Tells whether dropout keeps the weight of a key, in the row with the row
  /// key's `halves`.
  static mlir::Value isKept(TileCode code, block::DropoutAttr form,
                            mlir::ValueRange halves, mlir::Value key);
  /// Returns `number`, of the row with the key's `halves`, as dropout leaves
  /// it; as it is without halves.
  static mlir::Value keep(TileCode code, block::DropoutAttr form,
                          mlir::Value number, mlir::ValueRange halves,
                          mlir::Value key);

private:
  llvm::SmallVector<mlir::Value, 2> rowKeys;
};

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_ATTENTIONTILE_H
