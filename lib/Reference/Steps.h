//===- Steps.h - steps that ops of both levels consist of -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each checks its operands' sizes and rounds once, at its result, unless it
// says otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_REFERENCE_STEPS_H
#define PARABLOCK_LIB_REFERENCE_STEPS_H

#include "Evaluation.h"
#include "parablock/IR/BlockAttrs.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace parablock::reference {

/// A tensor operand with the name that diagnostics call it by; the tensor is
/// null where the operand is absent.
struct NamedTensor {
  llvm::StringRef name;
  const Tensor *tensor;
};

/// `input weight^T + bias` without any rounding yet.
mlir::FailureOr<std::vector<double>> project(Evaluation &at,
                                             const Tensor &input,
                                             NamedTensor weight,
                                             NamedTensor bias);

/// `project`, rounded.
mlir::FailureOr<Tensor> linear(Evaluation &at, const Tensor &input,
                               NamedTensor weight, NamedTensor bias,
                               ElementType type);

/// `function` of every element.
Tensor mapElements(Evaluation &at, const Tensor &input, ElementType type,
                   llvm::function_ref<double(double)> function);

/// `block.clamp`.
Tensor bound(Evaluation &at, const Tensor &input, double limit,
             ElementType type);

/// The function that an activation names.
double applyActivation(block::Activation kind, double x);

/// What a norm is applied with besides its input.
struct NormOperands {
  NamedTensor gamma, beta;
  block::NormAttr form;
  int64_t groups;
  ElementType type;
};

/// `block.norm`.
mlir::FailureOr<Tensor> normalize(Evaluation &at, const Tensor &input,
                                  const NormOperands &operands);

/// `block.rope`: row t of each head of `input` has position `offset + t`.
mlir::FailureOr<Tensor> rotate(Evaluation &at, const Tensor &input,
                               block::RopeAttr form, int64_t heads,
                               int64_t offset, ElementType type);

/// The operands of `block.sdpa`; null where absent.
struct SdpaOperands {
  const Tensor *query, *key, *value;
  const Tensor *lengths;
  const Tensor *relativeTable;
  const Tensor *shawKey, *shawValue;
  const Tensor *alpha, *beta, *gamma;
  const Tensor *pastKey, *pastValue;
  int64_t heads, kvHeads;
  block::ScoresAttr scores;
  block::BucketsAttr buckets;
};

/// `block.sdpa`.
mlir::FailureOr<Tensor> attend(Evaluation &at, SdpaOperands operands,
                               ElementType type);

} // namespace parablock::reference

#endif // PARABLOCK_LIB_REFERENCE_STEPS_H
