//===- TokenSteps.h - calls for a few tokens --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_COMPARE_TOKENSTEPS_H
#define PARABLOCK_LIB_COMPARE_TOKENSTEPS_H

#include "parablock/Execution/ArgumentSupply.h"
#include "parablock/Execution/Engine.h"
#include "parablock/Judges/Compare/Comparison.h"

namespace parablock::runner {

/// A function with caches, called for a few tokens at a time.
class TokenSteps {
public:
  /// Fails if the function has no caches, or a fixed number of tokens.
  /// `signature` must not be moved.
  static llvm::Expected<TokenSteps> create(const Signature &signature,
                                           int64_t tokens);

  /// Finds the arguments that change between calls, again after arguments have
  /// moved; fails like `create`.
  llvm::Error findPorts();

  /// Adds to `dims` the sizes of one call for all tokens. The given sizes of
  /// caches apply to calls of few.
  DimSizes makeDims(const DimSizes &dims);
  /// Sets the arguments of one call for all tokens, with empty caches.
  void startEmpty(llvm::ArrayRef<Shape> shapes, ArgumentSupply &supply) const;

  /// Runs calls for `together` tokens each; `arguments` are those of one call
  /// for all. Caches are among the outputs if they have the same size there.
  llvm::Expected<Outputs> run(Engine &engine, llvm::ArrayRef<Tensor> arguments,
                              int64_t together, RunOptions options) const;

private:
  TokenSteps(const Signature &signature, int64_t tokens)
      : signature(&signature), tokens(tokens) {}

  std::optional<unsigned> find(llvm::StringRef input) const;
  void addPages(DimSizes &dims) const;

  const Signature *signature;
  int64_t tokens;
  /// Rows of caches in calls for few tokens.
  int64_t capacity = 0;
  unsigned pastLengths = 0;
  std::optional<unsigned> wantedRows;
  /// Arguments whose rows are the tokens.
  llvm::SmallVector<unsigned> perToken;
  /// The argument and result of each cache.
  llvm::SmallVector<std::pair<unsigned, unsigned>> caches;
};

} // namespace parablock::runner

#endif // PARABLOCK_LIB_COMPARE_TOKENSTEPS_H
