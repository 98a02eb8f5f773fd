//===- StepCounter.h - adds up the work of steps ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_ANALYSIS_STEPCOUNTER_H
#define PARABLOCK_LIB_ANALYSIS_STEPCOUNTER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "parablock/Analysis/ModelCounts.h"
#include "llvm/ADT/DenseSet.h"

namespace parablock {

/// The scores of one attention, from which its FLOPs follow at any length.
struct ScoreWork {
  block::ScoresAttr scores;
  /// Columns of all query heads and of all value heads.
  double queryWidth, valueWidth;

  double countFlops(double batch, double queries, double keys) const;
};

/// Activations have a batch and a sequence; weights and statistics of rows are
/// not counted.
bool isActivation(mlir::Value value);

/// Adds up the steps of one layer, or of what is outside of layers.
class StepCounter {
public:
  StepCounter(const CountedSizes &sizes, bool hasKernels)
      : sizes(sizes), hasKernels(hasKernels) {}

  /// Counts `op` alone, without the ops in its regions.
  void visit(mlir::Operation *op);

  double countRows(mlir::Value value) const;
  double countBytes(mlir::Value value) const;
  /// True for the first of `kind` that has to do with `op`, and where there is
  /// no such op.
  bool isFirstOf(mlir::Operation *op, llvm::StringRef kind);

  StepCounts counts;
  std::vector<ScoreWork> scores;

private:
  /// A tensor that is projected: `rows` rows of `width` columns.
  struct Source {
    mlir::Value value;
    double rows, width;
  };

  void visitAttention(block::AttentionOp op);
  void visitMlp(block::MlpOp op);
  void visitMoe(block::MoeOp op);
  void visitSdpa(block::AttentionOpInterface op);
  void visitProduct(block::StepOpInterface op);
  /// A step that nothing is known of but what it says itself.
  void visitStep(block::StepOpInterface op);
  void visitNormalize(block::NormalizeOp op);
  void visitKernel(block::KernelOp op);
  void visitMove(mlir::Value rows);
  void visitTake(block::TakeRowsOp op);
  void visitAppend(block::CacheAppendOp op);
  void visitGeneric(mlir::linalg::GenericOp op);
  void visitGradient(mlir::Operation *op);

  /// The product alone.
  void addProduct(const Source &source, double columns, ModelPart part);
  /// The launch of a projection and what it reads, unless another projection
  /// of the same value for the same part has them already.
  void openProjection(const Source &source, ModelPart part);
  /// A whole projection to `columns` columns of type `element`.
  void addProjection(const Source &source, double columns, ModelPart part,
                     mlir::Type element);
  void addExperts(const Source &source, double chosen, mlir::Value up,
                  mlir::Value down, block::ExpertsAttr form);
  double countKeys(mlir::Value key, mlir::Value pastKey) const;
  void addScores(const ScoreWork &work, mlir::Value query, double keys);

  /// Reads all operands that are activations and writes all results.
  void addTraffic(mlir::Operation *op);
  void addBytes(double elements, mlir::Type element);
  Source getSource(mlir::Value value) const;
  int64_t resolve(int64_t size, int dim) const;

  CountedSizes sizes;
  /// Launches and bytes are those of kernels.
  bool hasKernels;
  llvm::DenseSet<std::pair<mlir::Value, int>> projected;
  llvm::DenseSet<std::pair<mlir::Operation *, llvm::StringRef>> joined;
};

} // namespace parablock

#endif // PARABLOCK_LIB_ANALYSIS_STEPCOUNTER_H
