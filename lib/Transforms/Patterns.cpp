//===- Patterns.cpp - refusals, logs and drivers --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExactPattern.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Rewrite/PatternApplicator.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

//===----------------------------------------------------------------------===//
// Refusals: pass, reason and detail as text, then names and numbers
//===----------------------------------------------------------------------===//

LogicalResult parablock::block::refuse(RewriterBase &rewriter, Operation *at,
                                       StringRef pass, Reason reason,
                                       const Twine &detail,
                                       ArrayRef<Metric> metrics) {
  return rewriter.notifyMatchFailure(at, [&](Diagnostic &text) {
    text << pass << ": " << getReasonName(reason) << ": " << detail;
    for (const Metric &metric : metrics)
      text << ", " << metric.name << " = " << metric.value;
  });
}

void RefusalListener::notifyMatchFailure(
    Location location, function_ref<void(Diagnostic &)> explain) {
  found = true;
  Diagnostic text(location, DiagnosticSeverity::Remark);
  explain(text);
  ArrayRef<DiagnosticArgument> words = text.getArguments();
  using Kind = DiagnosticArgument::DiagnosticArgumentKind;
  auto getText = [&](size_t k) {
    bool isText = k < words.size() && words[k].getKind() == Kind::String;
    return isText ? words[k].getAsString() : StringRef();
  };
  const Reason *reason = llvm::find_if(getAllReasons(), [&](Reason known) {
    return getReasonName(known) == getText(2);
  });
  // Other patterns fail for other reasons.
  if (reason == getAllReasons().end() || !root)
    return;
  Refusal refusal{pattern,          location, getText(0).str(),
                  getText(4).str(), *reason,  {}};
  for (auto [k, word] : llvm::enumerate(words))
    if (word.getKind() == Kind::Double)
      refusal.metrics.emplace_back(getText(k - 2).str(), word.getAsDouble());
  refusals[root].push_back(std::move(refusal));
}

void RefusalListener::notifyPatternBegin(const Pattern &begun, Operation *op) {
  pattern = &begun;
  root = op;
  if (auto *known = refusals.find(op); known != refusals.end())
    llvm::erase_if(known->second, [&](const Refusal &refusal) {
      return refusal.by == &begun;
    });
}

void RefusalListener::notifyPatternEnd(const Pattern &, LogicalResult status) {
  done += succeeded(status);
  found |= succeeded(status);
}

void RefusalListener::notifyOperationErased(Operation *op) {
  refusals.erase(op);
}

void RefusalListener::say() {
  for (auto &[op, own] : refusals)
    for (const Refusal &refusal : own) {
      ++refused;
      SmallVector<Metric> metrics;
      for (const auto &[name, value] : refusal.metrics)
        metrics.push_back({name, value});
      recordMissedAt(refusal.at, op, refusal.pass, refusal.reason,
                     refusal.detail, metrics);
    }
  refusals.clear();
}

//===----------------------------------------------------------------------===//
// The driver of the passes
//===----------------------------------------------------------------------===//

namespace {
/// Forgets erased ops: a new op may reuse the address of an erased one.
struct ErasedListener final : public RefusalListener {
  void notifyOperationErased(Operation *op) override {
    RefusalListener::notifyOperationErased(op);
    erased.insert(op);
  }
  DenseSet<Operation *> erased;
};
} // namespace

void parablock::block::applyOnce(Operation *root, RewritePatternSet &&patterns,
                                 StringRef pass, StringRef sought,
                                 Pass::Statistic &done,
                                 Pass::Statistic &refused) {
  FrozenRewritePatternSet frozen(std::move(patterns));
  PatternApplicator applicator(frozen);
  applicator.applyDefaultCostModel();
  ErasedListener listener;
  PatternRewriter rewriter(root->getContext());
  rewriter.setListener(&listener);
  // A rewrite may erase ops that come later, which walks do not allow.
  SmallVector<Operation *> ops;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::drop_begin(ops)) {
    if (listener.erased.contains(op))
      continue;
    rewriter.setInsertionPoint(op);
    (void)applicator.matchAndRewrite(
        op, rewriter,
        [&](const Pattern &pattern) {
          listener.notifyPatternBegin(pattern, op);
          return true;
        },
        [&](const Pattern &pattern) {
          listener.notifyPatternEnd(pattern, failure());
        },
        [&](const Pattern &pattern) {
          listener.notifyPatternEnd(pattern, success());
          return success();
        });
    listener.say();
  }
  if (!listener.hasFound())
    recordNoMatch(root, pass, sought);
  done += listener.getNumDone();
  refused += listener.getNumRefused();
}
