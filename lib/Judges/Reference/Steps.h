//===- Steps.h - steps of both levels ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each step rounds once, at its result, unless noted otherwise. Widths and
// weights are static, so the verifier has compared them; sizes that `?` may
// hide (batch, sequence, past) are checked here.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_REFERENCE_STEPS_H
#define PARABLOCK_LIB_REFERENCE_STEPS_H

#include "Evaluation.h"
#include "parablock/Dialect/Block/BlockAttrs.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace parablock::reference {

/// The shape of `input` with another last dimension.
llvm::SmallVector<int64_t> withWidth(const Tensor &input, int64_t width);

/// `input weight^T + bias` without any rounding yet; the bias may be null.
mlir::FailureOr<std::vector<double>> project(Evaluation &at,
                                             const Tensor &input,
                                             const Tensor &weight,
                                             const Tensor *bias);

/// `block.linear`.
mlir::FailureOr<Tensor> linear(Evaluation &at, const Tensor &input,
                               const Tensor &weight, const Tensor *bias,
                               ElementType type);

/// `function` of every element.
Tensor mapElements(Evaluation &at, const Tensor &input, ElementType type,
                   llvm::function_ref<double(double)> function);

/// `block.clamp`.
Tensor bound(Evaluation &at, const Tensor &input, double limit,
             ElementType type);

/// 1 / (1 + e^-x).
double sigmoid(double x);

/// The function that an activation names.
double applyActivation(block::Activation kind, double x);

/// The derivative of that function.
double differentiateActivation(block::Activation kind, double x);

/// Computes the positions of the tokens of one batch row, starting at `first`
/// or according to `padId`.
std::vector<double> computePositions(std::optional<int64_t> padId, double first,
                                     llvm::ArrayRef<double> ids);

/// Evaluates `block.rope`: row t of each head of `input` has position `offset +
/// t`, with one offset for all batch rows or one for each.
mlir::FailureOr<Tensor> rotate(Evaluation &at, const Tensor &input,
                               block::RopeAttr form, int64_t heads,
                               llvm::ArrayRef<double> offsets, bool inverse,
                               ElementType type);

/// `block.rotate` of the first `dim` elements of each head.
mlir::FailureOr<Tensor>
rotateByTables(Evaluation &at, const Tensor &input, const Tensor &cosines,
               const Tensor &sines, block::RopeStyle style, int64_t dim,
               int64_t heads, bool inverse, ElementType type);

/// The operands of `block.sdpa`; null where absent.
struct SdpaOperands {
  const Tensor *query, *key, *value;
  const Tensor *lengths;
  const Tensor *cuSeqlens;
  const Tensor *relativeTable;
  const Tensor *shawKey, *shawValue;
  const Tensor *alpha, *beta, *gamma;
  const Tensor *pastKey, *pastValue;
  const Tensor *slopes;
  const Tensor *sinks;
  const Tensor *scoreBias;
  /// Counts of rows of caches, and their pages.
  const Tensor *pastLengths, *starts, *pages;
  /// The seed of dropped weights; null where none are.
  const Tensor *seed;
  block::DropoutAttr dropout;
  int64_t heads, kvHeads;
  block::ScoresAttr scores;
  block::BucketsAttr buckets;
};

/// The factor of an element under `#block.dropout`: 0, or 1 / (1 - rate).
double getDropoutFactor(block::DropoutAttr form, const Tensor &seed,
                        int64_t row, int64_t column);

/// Returns the factor of the weight of key `key` for query `row` of a head.
double getDropoutFactor(const SdpaOperands &in, int64_t batch, int64_t head,
                        int64_t queries, int64_t row, int64_t key);

/// Past rows, then new ones, of each batch row.
mlir::FailureOr<Tensor> prependPast(Evaluation &at, const Tensor &past,
                                    const Tensor &added);

/// The rows of caches: contiguous for each batch row, or, with a table, in the
/// pages of a pool.
struct CacheRows {
  const Tensor &cache;
  const Tensor *pages;

  /// Rows that each batch row has.
  int64_t getCapacity() const {
    return cache.shape[1] * (pages ? pages->shape[1] : 1);
  }
  /// Returns the row in `cache` of a position; an error if its page is
  /// invalid.
  mlir::FailureOr<int64_t> find(Evaluation &at, int64_t batch,
                                int64_t position) const;
};

/// Returns rows of a cache in the order of their positions, from `firsts[b]` up
/// to the last one of each batch row, for `added` new tokens; rows no longer in
/// the cache are 0.
mlir::FailureOr<Tensor> unrollCache(Evaluation &at, const CacheRows &cache,
                                    const Tensor &pastLengths,
                                    llvm::ArrayRef<int64_t> firsts,
                                    int64_t added);

/// `block.sdpa`.
mlir::FailureOr<Tensor> attend(Evaluation &at, SdpaOperands operands,
                               ElementType type);

} // namespace parablock::reference

#endif // PARABLOCK_LIB_REFERENCE_STEPS_H
