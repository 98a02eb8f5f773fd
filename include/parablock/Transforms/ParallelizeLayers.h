//===- ParallelizeLayers.h - conversion of pairs ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_PARALLELIZELAYERS_H
#define PARABLOCK_TRANSFORMS_PARALLELIZELAYERS_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "parablock/Analysis/Choice.h"

namespace parablock::block {

/// The pass whose remarks and stamps these are.
inline constexpr llvm::StringLiteral kParallelize = "block-parallelize";

/// How pairs become parallel; block-parallelize documents each option.
struct ParallelizeOptions {
  SecondNorm norm = SecondNorm::Separate;
  RouterInput router = RouterInput::Parallel;
  double scale = 1.0, attentionScale = 1.0, mlpScale = 1.0;
  /// The correction of the weights, for the stamp.
  Correction correction = Correction::None;
  /// The measured drift, for the stamp; none: "unmeasured".
  std::optional<double> measured;
  /// The hash of the serial model that weights were corrected for.
  std::string modelHash;
  /// True if each branch of a layer reads the stream one sum older, and both
  /// residuals stay.
  bool ladder = false;
  /// True if, of the first branch of a shifted pair, routed experts alone run
  /// beside the attention.
  bool shortcut = false;
  /// The largest rank of changes of matrices, for the stamp; 0 without any.
  int64_t rank = 0;

  static ParallelizeOptions of(const Choice &choice) {
    return {choice.norm,     choice.router,
            choice.scale,    choice.attentionScale,
            choice.mlpScale, choice.correction,
            choice.kl,       choice.modelHash,
            choice.ladder,   choice.shortcut,
            choice.getRank()};
  }
};

/// Makes `pairs` under `root` parallel, after shifting layers if a pair is
/// shifted, and stamps the results. A pair that cannot be converted is recorded
/// with its reason. Returns the pairs that were converted.
llvm::SmallVector<LayerPair>
parallelizeLayers(mlir::Operation *root, llvm::ArrayRef<LayerPair> pairs,
                  const ParallelizeOptions &options);

/// Returns the first of `chosen` that is not in `converted`, and the reason
/// that the conversion recorded under `root`; an empty text if all were
/// converted.
std::string describeUnconverted(mlir::Operation *root,
                                llvm::ArrayRef<LayerPair> chosen,
                                llvm::ArrayRef<LayerPair> converted);

/// Adds the biases of corrected weights that the model lacks, as parameters
/// after the arguments of `function`. Must run before any shift.
llvm::LogicalResult addParameters(mlir::FunctionOpInterface function,
                                  llvm::ArrayRef<AddedParameter> parameters);

} // namespace parablock::block

#endif // PARABLOCK_TRANSFORMS_PARALLELIZELAYERS_H
