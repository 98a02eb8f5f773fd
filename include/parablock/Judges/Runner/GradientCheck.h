//===- GradientCheck.h - gradients against differences ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `block-run --check-gradients`: every result with block.grad is held against
// central differences of the other results of the same function, which the
// reference engine computes without any rounding but that of float64.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RUNNER_GRADIENTCHECK_H
#define PARABLOCK_RUNNER_GRADIENTCHECK_H

#include "parablock/Judges/Runner/ArgumentSupply.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace parablock::runner {

/// The judgement of one gradient.
struct GradientVerdict {
  /// That of the argument.
  std::string name;
  ElementType type = ElementType::F32;
  llvm::SmallVector<int64_t> shape;
  /// |<g, u> - difference|, relative to the largest of |g|, the difference and
  /// the least gradient that differences can tell from none, for a random u of
  /// standard deviation 1.
  double error = 0;
  /// The ops that read the argument, and where the first of them is: a layer's
  /// label, or empty.
  std::vector<std::string> readers;
  std::string layer;
  /// The op that made the gradient.
  std::string maker;
  /// Why it does not pass; empty where it does.
  std::vector<std::string> reasons;

  bool pass() const { return reasons.empty(); }
};

struct GradientCheck {
  /// In the order of the results.
  std::vector<GradientVerdict> verdicts;
  /// The index of the wrong one that a backward pass comes to first, as its
  /// argument is read last: what went wrong did so there, or just before.
  std::optional<size_t> firstWrong;

  bool pass() const { return !firstWrong; }
};

/// Judges the gradients that `function` returns at `arguments`, in directions
/// that `seed` draws. What is differentiated is the result that block.loss
/// names, else the sum of all float results, each times the argument
/// grad.NAME. Errors: nothing to judge, or nothing to judge it by.
llvm::Expected<GradientCheck> checkGradients(const BoundFunction &function,
                                             llvm::ArrayRef<Tensor> arguments,
                                             uint64_t seed);

/// name, shape, dtype, error, tolerance, pass, reasons, readers, layer and
/// maker of each.
llvm::json::Array toJSON(const GradientCheck &check);

/// One line per gradient with PASS or FAIL, below a failed one its reasons, and
/// behind all of them which failure came first.
void printGradients(llvm::raw_ostream &os, const GradientCheck &check);

} // namespace parablock::runner

#endif // PARABLOCK_RUNNER_GRADIENTCHECK_H
