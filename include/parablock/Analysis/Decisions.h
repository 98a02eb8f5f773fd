//===- Decisions.h - decisions of passes, with reasons ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each decision is reported twice: as a remark during compilation, and in the
// `log` of the layer, for reports and requirements that run later or in another
// process.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_DECISIONS_H
#define PARABLOCK_ANALYSIS_DECISIONS_H

#include "mlir/IR/Operation.h"
#include "parablock/Dialect/Block/BlockAttrs.h"

namespace parablock {

/// Why a rewrite was not done. Each value has a case in some refuse.mlir; a
/// lint checks it.
enum class Reason {
#define PARABLOCK_REASON(NAME, TEXT, MEANING) NAME,
#include "parablock/Analysis/Reasons.def"
};

/// Returns the reason in kebab-case, as in reports.
llvm::StringRef getReasonName(Reason reason);
/// Returns one sentence that explains the reason.
llvm::StringRef getReasonMeaning(Reason reason);
/// Returns every reason, in the order of definition.
llvm::ArrayRef<Reason> getAllReasons();

/// A number that a decision is based on.
struct Metric {
  llvm::StringRef name;
  double value;
};

/// Records that pass `pass` did its rewrite at `at`.
void recordPassed(mlir::Operation *at, llvm::StringRef pass,
                  const llvm::Twine &what, llvm::ArrayRef<Metric> metrics = {});

/// Records one of several choices; `what` was chosen is also written to the
/// log.
void recordChoice(mlir::Operation *at, mlir::Location location,
                  llvm::StringRef pass, const llvm::Twine &what,
                  llvm::ArrayRef<Metric> metrics = {});

/// Emits a remark without a log entry: for a rewrite that always happens, so
/// that the log of the layer contains only choices.
void remarkPassed(mlir::Operation *at, llvm::StringRef pass,
                  const llvm::Twine &what, llvm::ArrayRef<Metric> metrics = {});

/// Records that pass `pass` found its root at `at` but stopped, and the reason.
void recordMissed(mlir::Operation *at, llvm::StringRef pass, Reason reason,
                  const llvm::Twine &detail,
                  llvm::ArrayRef<Metric> metrics = {});

/// Like recordMissed(), for a location `at` within `of` that is not an op.
void recordMissedAt(mlir::Location at, mlir::Operation *of,
                    llvm::StringRef pass, Reason reason,
                    const llvm::Twine &detail,
                    llvm::ArrayRef<Metric> metrics = {});

/// Emits a remark without a log entry, for layers that are already in the
/// pass's output form.
void remarkMissed(mlir::Operation *at, llvm::StringRef pass, Reason reason,
                  const llvm::Twine &detail,
                  llvm::ArrayRef<Metric> metrics = {});

/// Like remarkMissed(), for a place `at` within `of`.
void remarkMissedAt(mlir::Location at, mlir::Operation *of,
                    llvm::StringRef pass, Reason reason,
                    const llvm::Twine &detail,
                    llvm::ArrayRef<Metric> metrics = {});

/// Emits a remark about a rule or fact that pass `pass` used in `function`.
void remarkAnalysis(mlir::Operation *function, llvm::StringRef pass,
                    llvm::StringRef name, const llvm::Twine &what,
                    llvm::ArrayRef<Metric> metrics);

/// Records that pass `pass` found nothing to rewrite in `function`.
void recordNoMatch(mlir::Operation *function, llvm::StringRef pass,
                   const llvm::Twine &sought);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_DECISIONS_H
