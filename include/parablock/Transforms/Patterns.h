//===- Patterns.h - the exact rewrites as patterns --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the passes of the same names do, for pipelines of others: each set can
// be applied by any driver, together with patterns from elsewhere. Level 3 is
// finished, so ops within kernels stay as they are. `populateExpandWeightOps
// Patterns` is in Dialect/Block/ExpandWeightOps.h.
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
/// `getMaxMeanOverStd` gives the largest |mean| / standard deviation that rows
/// of a norm are known to have, a negative number where nothing is known.
void populateFoldNormPatterns(
    mlir::RewritePatternSet &patterns,
    std::function<double(NormalizeOp)> getMaxMeanOverStd = {});
/// Gives forward layers further results, and leaves norms without readers.
void populateFoldNormGradPatterns(
    mlir::RewritePatternSet &patterns,
    std::function<double(NormalizeOp)> getMaxMeanOverStd = {});
void populateFoldScalesPatterns(mlir::RewritePatternSet &patterns,
                                bool scoreScale = false);
void populateFuseInputProjectionsPatterns(mlir::RewritePatternSet &patterns);
void populateFuseOutputProjectionsPatterns(mlir::RewritePatternSet &patterns);
void populateFuseWeightGradsPatterns(mlir::RewritePatternSet &patterns);

/// Fails to match: rewrite `pass` found its root but stops at `at`, and why. To
/// be called by patterns.
llvm::LogicalResult refuse(mlir::RewriterBase &rewriter, mlir::Operation *at,
                           llvm::StringRef pass, Reason reason,
                           const llvm::Twine &detail,
                           llvm::ArrayRef<Metric> metrics = {});

/// Makes of what patterns refuse the remarks of the passes, and entries in the
/// logs of layers. A driver may try a pattern on an op again and again: what
/// it refused the last time is what counts.
class RefusalListener : public mlir::RewriterBase::Listener {
public:
  ~RefusalListener() override { say(); }

  /// Writes what is refused by now.
  void say();

  /// Gives the number of rewrites that were done, and of refusals written.
  unsigned getNumDone() const { return done; }
  unsigned getNumRefused() const { return refused; }
  /// Tells whether a pattern has found its root, be it only to fail there.
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
