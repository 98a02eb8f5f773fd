//===- Experts.h - routers and experts --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_REFERENCE_EXPERTS_H
#define PARABLOCK_LIB_REFERENCE_EXPERTS_H

#include "Evaluation.h"
#include "parablock/Dialect/Block/BlockAttrs.h"
#include <optional>

namespace parablock::reference {

using Row = std::vector<double>;

void applySoftmax(Row &values);

/// Step 1 of `#block.routing`: the scores of all experts.
Row computeScores(block::RouterScore kind, const Row &logits);

/// Step 5 of a row: weights of what it chooses, before they are divided.
struct ChosenWeights {
  Row weights;
  double divisor = 1;
  /// True if the divisor depends on the weights.
  bool divisorMoves = false;
};

ChosenWeights computeChosenWeights(block::RoutingAttr form, const Row &logits,
                                   const Row &scores,
                                   llvm::ArrayRef<int64_t> chosen);

/// The matrices and biases of experts; biases may be null.
struct ExpertOperands {
  const Tensor *up, *down, *upBias, *downBias;
  block::ExpertsAttr form;
};

/// Slots of all rows, in order, and the expert of each; none in empty ones.
struct Slots {
  int64_t perRow;
  std::vector<std::optional<int64_t>> experts;
};

mlir::FailureOr<Slots> readSlots(Evaluation &at, const Tensor &indices,
                                 const Tensor &weights, int64_t experts);

/// Multiplies each row of `input`, one per slot, by the matrix of its expert,
/// and adds the bias, which may be null. Without `transposed`, a matrix is
/// [out, in].
mlir::FailureOr<std::vector<double>>
projectSlots(Evaluation &at, llvm::ArrayRef<double> input, const Slots &slots,
             const Tensor &stack, const Tensor *bias, bool transposed);

/// Values of experts, a row for each slot.
struct ExpertValues {
  Slots slots;
  /// The rows that up reads, the products by up, and the rows that down reads.
  Tensor read, projected, hidden;
  /// The product by down, not rounded and not weighed.
  std::vector<double> outputs;
};

mlir::FailureOr<ExpertValues>
computeExperts(Evaluation &at, const Tensor &input, const Tensor &indices,
               const Tensor &weights, const ExpertOperands &in);

} // namespace parablock::reference

#endif // PARABLOCK_LIB_REFERENCE_EXPERTS_H
