//===- Patterns.h - the exact rewrites as patterns --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The patterns of the passes of the same names, for other pipelines: each set
// can be applied by any driver, together with other patterns. Ops within
// kernels (level 3) are never changed. `populateExpandWeightOps Patterns` is in
// Dialect/Block/ExpandWeightOps.h.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_PATTERNS_H
#define PARABLOCK_TRANSFORMS_PATTERNS_H

#include "mlir/IR/PatternMatch.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "llvm/ADT/MapVector.h"
#include <functional>

namespace parablock::block {

void populateExpandPatterns(mlir::RewritePatternSet &patterns);
void populateShareNormStatsPatterns(mlir::RewritePatternSet &patterns);
/// `getMaxMeanOverStd` returns the largest known |mean| / standard deviation of
/// the rows of a norm, negative if unknown.
void populateFoldNormPatterns(
    mlir::RewritePatternSet &patterns,
    std::function<double(NormalizeOp)> getMaxMeanOverStd = {});
/// Adds results to forward layers, and leaves norms without readers.
void populateFoldNormGradPatterns(
    mlir::RewritePatternSet &patterns,
    std::function<double(NormalizeOp)> getMaxMeanOverStd = {});
void populateFoldScalesPatterns(mlir::RewritePatternSet &patterns,
                                bool scoreScale = false);
void populateFuseInputProjectionsPatterns(mlir::RewritePatternSet &patterns);
void populateFuseOutputProjectionsPatterns(mlir::RewritePatternSet &patterns);
void populateFuseWeightGradsPatterns(mlir::RewritePatternSet &patterns);

/// Reports a failure to match: rewrite `pass` found its root but stops at `at`,
/// with the reason. For use in patterns.
llvm::LogicalResult refuse(mlir::RewriterBase &rewriter, mlir::Operation *at,
                           llvm::StringRef pass, Reason reason,
                           const llvm::Twine &detail,
                           llvm::ArrayRef<Metric> metrics = {});

/// Turns refusals of patterns into the passes' remarks and entries in the logs
/// of layers. A driver may try a pattern on an op repeatedly; only the last
/// refusal is reported.
class RefusalListener : public mlir::RewriterBase::Listener {
public:
  ~RefusalListener() override { say(); }

  /// Emits the refusals so far.
  void say();

  /// Returns the number of rewrites, and of refusals written.
  unsigned getNumDone() const { return done; }
  unsigned getNumRefused() const { return refused; }
  /// Returns whether a pattern has matched its root, even if it then failed.
  bool hasFound() const { return found; }

  void notifyPatternBegin(const mlir::Pattern &pattern,
                          mlir::Operation *op) override;
  void notifyPatternEnd(const mlir::Pattern &pattern,
                        llvm::LogicalResult status) override;
  void notifyMatchFailure(
      mlir::Location location,
      llvm::function_ref<void(mlir::Diagnostic &)> explain) override;
  void notifyOperationErased(mlir::Operation *op) override;

private:
  struct Refusal {
    const mlir::Pattern *by;
    mlir::Location at;
    std::string pass, detail;
    Reason reason;
    llvm::SmallVector<std::pair<std::string, double>> metrics;
  };

  llvm::MapVector<mlir::Operation *, std::vector<Refusal>> refusals;
  const mlir::Pattern *pattern = nullptr;
  mlir::Operation *root = nullptr;
  unsigned done = 0, refused = 0;
  bool found = false;
};

} // namespace parablock::block

#endif // PARABLOCK_TRANSFORMS_PATTERNS_H
