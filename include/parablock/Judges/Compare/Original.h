//===- Original.h - exact results and rounding errors -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_COMPARE_ORIGINAL_H
#define PARABLOCK_COMPARE_ORIGINAL_H

#include "parablock/Execution/Engine.h"
#include "parablock/Judges/Compare/Comparison.h"

namespace parablock::runner {

/// Exact results that chose experts as another engine did where scores are so
/// near that rounding decides, and the number of such choices.
struct TiedResults {
  Outputs exact;
  unsigned choices = 0;
};

/// An original function on given arguments, run by the reference engine: its
/// exact results, and their rounding errors.
class Original {
public:
  /// Runs the original; `rankArguments` are the arguments of every rank, if
  /// there are several. All arguments must outlive the result.
  static llvm::Expected<Original>
  run(const Signature &signature, llvm::ArrayRef<Tensor> arguments,
      llvm::ArrayRef<std::vector<Tensor>> rankArguments = {});

  const Outputs &getExact() const { return exact; }

  /// Returns true for functions of which one evaluation may have small errors
  /// by chance: with gradients that round to 16 bits, or streams in fixed
  /// point.
  bool needsSamples() const;
  /// Runs it with random roundings, if that has not been done.
  llvm::Error drawRoundings();

  /// Returns the largest known rounding error in `port`. If a gradient is not
  /// larger than that (the gradient of a key's bias is 0), the floor also
  /// contains the value that errors must be relative to.
  ErrorFloor measureFloor(const Port &port, const OutputRows &rows) const;

  /// Returns the exact results that are nearest to `got` among those whose
  /// routers choose, of scores that rounding brings in another order, either.
  /// None if `want` has other values than the exact results, if no score is so
  /// near, or if no other choice is nearer. Other errors in `got` stay as they
  /// are: floors do not change.
  llvm::Expected<std::optional<TiedResults>>
  followTies(const Outputs &got, const Outputs &want,
             const OutputRows &rows) const;

private:
  Original(const Signature &signature, llvm::ArrayRef<Tensor> arguments,
           llvm::ArrayRef<std::vector<Tensor>> rankArguments);
  llvm::Expected<Outputs> evaluate(RunOptions options) const;

  const Signature *signature;
  llvm::ArrayRef<Tensor> arguments;
  llvm::ArrayRef<std::vector<Tensor>> rankArguments;
  /// Unit roundoff of the narrowest type in the function.
  double unitRoundoff;
  Outputs exact;
  /// To nearest first, then at random.
  std::vector<Outputs> rounded;
};

} // namespace parablock::runner

#endif // PARABLOCK_COMPARE_ORIGINAL_H
