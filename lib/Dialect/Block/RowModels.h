//===- RowModels.h - row models of ops --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Implementations of RowStepOpInterface: here and not in the ops' definitions,
// so that everything about an op's elements is in one place.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_IR_ROWMODELS_H
#define PARABLOCK_LIB_IR_ROWMODELS_H

#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/RowInterface.h"

namespace parablock {

/// The part of an implementation that finds the op.
template <typename Model, typename Op>
struct RowModel : block::RowStepOpInterface::ExternalModel<Model, Op> {
  mlir::Value emitElement(mlir::Operation *op, RowElements &rows,
                          unsigned /*result*/, const Column &column) const {
    return static_cast<const Model *>(this)->emit(mlir::cast<Op>(op), rows,
                                                  column);
  }
};

/// The pairs of columns among the first `dim` columns of a part: neighbours, or
/// columns of its two halves.
struct PairColumns {
  PairColumns(const RowCode &code, const Column &column, mlir::Value place,
              int64_t dim, bool inHalves);

  /// `a` of the first columns of their pairs, `b` of the others.
  mlir::Value select(mlir::Value a, mlir::Value b) const;
  /// Returns how many turns pairs make from position 0 to `position`, plus
  /// `ahead`.
  mlir::Value turn(llvm::function_ref<double(int64_t)> ofPair,
                   mlir::Value position, mlir::Value ahead = {}) const;

  const RowCode &code;
  const Column &column;
  /// In the part.
  mlir::Value place;
  int64_t dim;
  bool inHalves;
  /// True where they are first; none where that is decided at run time.
  std::optional<bool> isFirst;
  mlir::Value isFirstValue;
  /// The numbers of the pairs; null for neighbours in one vector.
  mlir::Value pair;
};

void attachCodeRows(mlir::MLIRContext &context);
void attachElementwiseRows(mlir::MLIRContext &context);
void attachNormRows(mlir::MLIRContext &context);
void attachRotationRows(mlir::MLIRContext &context);
void attachEmbeddingRows(mlir::MLIRContext &context);
void attachGradientRows(mlir::MLIRContext &context);

/// Columns per group of a norm of heads; 0 where the row is the group.
template <typename NormOp> int64_t getSizeOfGroups(NormOp op) {
  int64_t groups = op.getGroups();
  return groups > 1 ? getRowWidth(op.getInput()) / groups : 0;
}

/// Returns the position of the row at `time`, with an offset for all batch
/// rows, for each, or none (null).
mlir::Value addOffset(RowElements &rows, mlir::Value time, mlir::Value offset);

/// Returns the factor of a norm, from the mean of `size` squares.
mlir::Value emitFactor(const RowCode &code, block::NormAttr form,
                       mlir::Value moment, int64_t size);

} // namespace parablock

#endif // PARABLOCK_LIB_IR_ROWMODELS_H
