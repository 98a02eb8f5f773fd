//===- ExactPattern.h - base classes of exact rewrites ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_EXACTPATTERN_H
#define PARABLOCK_LIB_TRANSFORMS_EXACTPATTERN_H

#include "mlir/Pass/Pass.h"
#include "parablock/Transforms/Patterns.h"

namespace parablock::block {

/// A pattern for ops outside kernels, which are
/// final. It fails silently if the op is not its
/// root.
template <typename OpT>
struct ExactPattern : public mlir::OpRewritePattern<OpT> {
  using mlir::OpRewritePattern<OpT>::OpRewritePattern;

  virtual llvm::LogicalResult
  rewrite(OpT op, mlir::PatternRewriter &rewriter) const = 0;

  llvm::LogicalResult
  matchAndRewrite(OpT op, mlir::PatternRewriter &rewriter) const final {
    if (op->template getParentOfType<KernelOp>())
      return llvm::failure();
    return rewrite(op, rewriter);
  }
};

/// Applies `patterns` once to each op that is now in `root`, in order, records
/// refusals and counts; records that `pass` found no `sought` if no pattern
/// matches its root.
void applyOnce(mlir::Operation *root, mlir::RewritePatternSet &&patterns,
               llvm::StringRef pass, llvm::StringRef sought,
               mlir::Pass::Statistic &done, mlir::Pass::Statistic &refused);

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_EXACTPATTERN_H
