//===- HealWeights.h - what is trained of the student's weights -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Healing trains the student's weights themselves, or of each matrix W a
// low-rank change: W + B A. The program reads weights that are composed of what
// is trained, and rounded to codes if the student has codes. The gradient by a
// rounded weight is used as the gradient by the weight before rounding (the
// straight-through estimator).
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_HEALWEIGHTS_H
#define PARABLOCK_LIB_DRIFT_HEALWEIGHTS_H

#include "HealPrograms.h"
#include "parablock/Transforms/Passes.h"

namespace parablock::drift {

/// Gradients by tensors, without types and shapes.
using Gradients = std::vector<std::vector<double>>;

class HealWeights {
public:
  /// `rank` 0 trains matrices whole; without `codes`, weights are not rounded.
  HealWeights(llvm::ArrayRef<CodeAxis> axes, int64_t rank,
              std::optional<QuantizedForm> codes)
      : axes(axes), rank(rank), codes(codes) {}

  /// Returns the largest rank of a change with fewer numbers than a matrix, or
  /// than each of a stack; nullopt for other weights.
  static std::optional<int64_t> getLargestRank(const Tensor &weight);

  /// Sets the weights of the student before healing, and returns the tensors to
  /// train: low-rank factors of matrices, of which the second is drawn from
  /// `seed` and the first is 0, and other weights as they are.
  Tensors start(Tensors weights, uint64_t seed);

  /// Returns the student's weights, rounded to codes if it has codes.
  Tensors compose(llvm::ArrayRef<Tensor> trained) const;
  /// Returns the gradients by `trained` from those by the student's weights.
  Gradients pullBack(llvm::ArrayRef<Tensor> trained, Gradients gradients) const;

  /// Rounds a weight to the codes that it has, if any.
  Tensor round(size_t weight, const Tensor &tensor) const;
  /// Returns how many numbers of `stored` have another code than those of
  /// `rounded`; 0 for weights without codes.
  int64_t countLost(size_t weight, const Tensor &rounded,
                    const Tensor &stored) const;

private:
  /// Matrices of `[rows, columns]`, one or a stack of them.
  struct Stack {
    int64_t count, rows, columns;
  };
  static Stack getStack(const Tensor &weight);
  bool isLowRank(const Tensor &weight) const;

  std::vector<CodeAxis> axes;
  int64_t rank;
  std::optional<QuantizedForm> codes;
  Tensors base;
  /// Index of the first trained tensor of each weight; a low-rank change has
  /// two.
  std::vector<size_t> places;
};

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_HEALWEIGHTS_H
