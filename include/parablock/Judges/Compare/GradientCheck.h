//===- GradientCheck.h - gradients against differences ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `block-run --check-gradients`: compares every result with block.grad with
// central differences of the other results of the same function, which the
// reference engine computes in unrounded float64.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_COMPARE_GRADIENTCHECK_H
#define PARABLOCK_COMPARE_GRADIENTCHECK_H

#include "parablock/Execution/ArgumentSupply.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace parablock::runner {

/// The verdict on one gradient.
struct GradientVerdict {
  /// That of the argument.
  std::string name;
  ElementType type = ElementType::F32;
  llvm::SmallVector<int64_t> shape;
  /// |<g, u> - difference|, relative to the largest of |g|, the difference and
  /// the smallest gradient that differences can distinguish from 0, for a
  /// random u of standard deviation 1.
  double error = 0;
  /// The ops that read the argument, and the layer's label of the first one, or
  /// empty.
  std::vector<std::string> readers;
  std::string layer;
  /// The op that computes the gradient.
  std::string maker;
  /// Why it fails; empty if it passes.
  std::vector<std::string> reasons;

  bool pass() const { return reasons.empty(); }
};

struct GradientCheck {
  /// In the order of the results.
  std::vector<GradientVerdict> verdicts;
  /// The index of the wrong gradient that a backward pass computes first, since
  /// its argument is read last: the fault is there or just before.
  std::optional<size_t> firstWrong;

  bool pass() const { return !firstWrong; }
};

/// Checks the gradients that `function` returns at `arguments`, in directions
/// drawn from `seed`. The differentiated value is the result named by
/// block.loss, else the sum of all float results, each times the argument
/// grad.NAME. Fails without a gradient or without a value to differentiate.
llvm::Expected<GradientCheck> checkGradients(const BoundFunction &function,
                                             llvm::ArrayRef<Tensor> arguments,
                                             uint64_t seed);

/// Returns name, shape, dtype, error, tolerance, pass, reasons, readers, layer
/// and maker of each.
llvm::json::Array toJSON(const GradientCheck &check);

/// Prints one line per gradient with PASS or FAIL, below a failed one its
/// reasons, and last which failure came first.
void printGradients(llvm::raw_ostream &os, const GradientCheck &check);

} // namespace parablock::runner

#endif // PARABLOCK_COMPARE_GRADIENTCHECK_H
