//===- Original.h - what results are judged by ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RUNNER_ORIGINAL_H
#define PARABLOCK_RUNNER_ORIGINAL_H

#include "parablock/Judges/Runner/Comparison.h"
#include "parablock/Judges/Runner/Engine.h"

namespace parablock::runner {

/// An original function on given arguments, by the reference engine: its exact
/// results, and the errors that rounding makes in them.
class Original {
public:
  /// `rankArguments` are those of every rank, where there are several. All of
  /// them have to outlive this.
  static llvm::Expected<Original>
  run(const Signature &signature, llvm::ArrayRef<Tensor> arguments,
      llvm::ArrayRef<std::vector<Tensor>> rankArguments = {});

  const Outputs &getExact() const { return exact; }

  /// True of functions with gradients that round to 16 bits.
  bool isNarrowStep() const;
  /// Runs it with roundings drawn at random, if that has not been done.
  llvm::Error drawRoundings();

  /// The largest error of rounding in `port` that is known so far. Of a
  /// gradient that is not larger than that, as of a key's bias, which is 0,
  /// errors have to be relative to something else: it says to what.
  ErrorFloor measureFloor(const Port &port, const OutputRows &rows) const;

private:
  Original(const Signature &signature, llvm::ArrayRef<Tensor> arguments,
           llvm::ArrayRef<std::vector<Tensor>> rankArguments);
  llvm::Expected<Outputs> evaluate(RunOptions options) const;

  const Signature *signature;
  llvm::ArrayRef<Tensor> arguments;
  llvm::ArrayRef<std::vector<Tensor>> rankArguments;
  /// That of the narrowest type in the function.
  double unitRoundoff;
  Outputs exact;
  /// To nearest first, then at random.
  std::vector<Outputs> rounded;
};

} // namespace parablock::runner

#endif // PARABLOCK_RUNNER_ORIGINAL_H
