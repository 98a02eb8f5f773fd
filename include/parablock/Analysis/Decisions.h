//===- Decisions.h - what passes decide, and why ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A decision is said twice: as a remark, for whoever watches the compilation,
// and in the `log` of the layer, for reports and requirements that run later or
// in another process.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_DECISIONS_H
#define PARABLOCK_ANALYSIS_DECISIONS_H

#include "mlir/IR/Operation.h"
#include "parablock/Dialect/Block/BlockAttrs.h"

namespace parablock {

/// Why a rewrite was not done. Each has a case in some refuse.mlir; a lint
/// fails on one that has none.
enum class Reason {
#define PARABLOCK_REASON(NAME, TEXT, MEANING) NAME,
#include "parablock/Analysis/Reasons.def"
};

/// The reason in kebab-case, as reports spell it.
llvm::StringRef getReasonName(Reason reason);
/// One sentence that says what the reason means.
llvm::StringRef getReasonMeaning(Reason reason);
/// Every reason, in the order of their definition.
llvm::ArrayRef<Reason> getAllReasons();

/// A number that a decision rests on.
struct Metric {
  llvm::StringRef name;
  double value;
};

/// Says that pass `pass` did its rewrite at `at`.
void recordPassed(mlir::Operation *at, llvm::StringRef pass,
                  const llvm::Twine &what, llvm::ArrayRef<Metric> metrics = {});

/// The same of one of several choices: the log, too, has `what` was chosen.
void recordChoice(mlir::Operation *at, mlir::Location location,
                  llvm::StringRef pass, const llvm::Twine &what,
                  llvm::ArrayRef<Metric> metrics = {});

/// The same as a remark alone: for a rewrite that always happens, so that the
/// log of the layer keeps to what was a choice.
void remarkPassed(mlir::Operation *at, llvm::StringRef pass,
                  const llvm::Twine &what, llvm::ArrayRef<Metric> metrics = {});

/// Says that pass `pass` found its root at `at` but stopped, and why.
void recordMissed(mlir::Operation *at, llvm::StringRef pass, Reason reason,
                  const llvm::Twine &detail,
                  llvm::ArrayRef<Metric> metrics = {});

/// The same about what is no op of its own: a place `at` within `of`.
void recordMissedAt(mlir::Location at, mlir::Operation *of,
                    llvm::StringRef pass, Reason reason,
                    const llvm::Twine &detail,
                    llvm::ArrayRef<Metric> metrics = {});

/// The same as a remark alone, for layers that are as the pass would leave
/// them.
void remarkMissed(mlir::Operation *at, llvm::StringRef pass, Reason reason,
                  const llvm::Twine &detail,
                  llvm::ArrayRef<Metric> metrics = {});

/// Both: as a remark alone, of a place `at` within `of`.
void remarkMissedAt(mlir::Location at, mlir::Operation *of,
                    llvm::StringRef pass, Reason reason,
                    const llvm::Twine &detail,
                    llvm::ArrayRef<Metric> metrics = {});

/// Says what rule or fact pass `pass` went by in `function`.
void remarkAnalysis(mlir::Operation *function, llvm::StringRef pass,
                    llvm::StringRef name, const llvm::Twine &what,
                    llvm::ArrayRef<Metric> metrics);

/// Says that pass `pass` found nothing to work on in `function`.
void recordNoMatch(mlir::Operation *function, llvm::StringRef pass,
                   const llvm::Twine &sought);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_DECISIONS_H
