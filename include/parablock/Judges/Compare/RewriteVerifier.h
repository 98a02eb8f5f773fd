//===- RewriteVerifier.h - verification of exact rewrites -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `--verify-rewrites`: around every exact pass, the reference engine executes
// the function before and after it, in exact arithmetic, on seeded inputs and,
// if its sizes are dynamic, at a small batch and sequence. Exact rewrites then
// agree to the last few bits of float64; any other difference is an error that
// names the pass, the layer and the first result that differs.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_COMPARE_REWRITEVERIFIER_H
#define PARABLOCK_COMPARE_REWRITEVERIFIER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"
#include <atomic>
#include <memory>
#include <mutex>

namespace parablock::runner {

/// The verdict of an instrumentation, which cannot fail a pass.
struct VerificationResult {
  /// A pass changed the function; the check itself failed.
  std::atomic<bool> differs = false, failed = false;
  std::atomic<unsigned> verified = 0;
};

/// Relative L2 error above which two runs in float64 differ; relative to the
/// summands of a gradient if that is 0 up to rounding.
inline constexpr double exactLimit = 1e-9;

enum class Equality { Same, Different, Unknown };

/// Runs `function` of both modules, or each module's model if it is empty, on
/// the same seeded values and emits an error at `after`, naming `pass`, unless
/// they agree.
Equality verifySameFunction(mlir::ModuleOp before, mlir::ModuleOp after,
                            llvm::StringRef pass,
                            llvm::StringRef function = "");

class RewriteVerifier : public mlir::PassInstrumentation {
public:
  /// `exactPasses` are the flags of the passes that preserve the function.
  RewriteVerifier(std::shared_ptr<VerificationResult> result,
                  llvm::ArrayRef<llvm::StringRef> exactPasses);

  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override;
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override;
  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *op) override;

private:
  std::shared_ptr<VerificationResult> result;
  llvm::StringSet<> exactPasses;
  std::mutex mutex;
  llvm::DenseMap<mlir::Operation *, mlir::OwningOpRef<mlir::ModuleOp>> before;
};

} // namespace parablock::runner

#endif // PARABLOCK_COMPARE_REWRITEVERIFIER_H
