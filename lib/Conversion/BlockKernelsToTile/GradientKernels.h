//===- GradientKernels.h - sums over rows and attention, by launches ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Gradients that sum over rows are launches of their own, some of them several:
// what CTAs have in parts is summed by the next launch, in a fixed order. No
// kernel has atomics, so numbers do not depend on timing.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_GRADIENTKERNELS_H
#define PARABLOCK_LIB_CONVERSION_GRADIENTKERNELS_H

#include "KernelShell.h"
#include "TileCode.h"

namespace parablock {

/// Launches that compute an op, in order.
struct LaunchSequence {
  /// An operand of the op, or a result of an earlier launch.
  struct Source {
    unsigned number;
    std::optional<unsigned> launch = std::nullopt;
  };
  struct Launch {
    tile::KernelOp kernel;
    llvm::SmallVector<Source> inputs;
    /// For each result, the input that has its open sizes.
    llvm::SmallVector<unsigned> sizesOf;
    /// An open size that is the sum of sizes of inputs and a number instead.
    struct Size {
      unsigned result, dim;
      llvm::SmallVector<std::pair<unsigned, unsigned>, 2> of;
      int64_t more = 0;
    };
    llvm::SmallVector<Size> sizes;
    /// The input whose memory result 0 may have.
    std::optional<unsigned> overwrites;
  };
  llvm::SmallVector<Launch, 0> launches;
  /// Replacements of the results of the op.
  llvm::SmallVector<Source> results;

  /// Appends a launch of `kernel`, all of whose results have the sizes of the
  /// first input, and returns its number.
  unsigned append(tile::KernelOp kernel, llvm::ArrayRef<Source> inputs,
                  std::optional<unsigned> overwrites = std::nullopt);
};

/// Where the kernels of one op come from.
struct GradientSite {
  mlir::OpBuilder &atModule;
  mlir::Operation *op;
  llvm::StringRef name, chip;

  /// Creates a kernel with a warp for each of `rows` rows.
  KernelShell createRowsShell(llvm::StringRef suffix,
                              std::optional<int64_t> rows,
                              mlir::TypeRange inputs,
                              mlir::TypeRange outputs) const;
};

/// Builds the kernels of an op that is a gradient's launches. A form without a
/// kernel is an error at the op.
mlir::FailureOr<LaunchSequence> buildGradientKernels(const GradientSite &site);

/// Sums `element` of the numbers from `from` to `to`, in runs: sums of sums
/// lose fewer digits.
mlir::Value sumRuns(TileCode code, mlir::Value from, mlir::Value to,
                    TileCode::Element element);

/// Adds element `column` of row `row` to a sum.
using AddRow =
    llvm::function_ref<mlir::Value(TileCode, KernelShell &, mlir::Value row,
                                   mlir::Value column, mlir::Value sum)>;
using StoreColumn = llvm::function_ref<void(
    TileCode, KernelShell &, mlir::Value column, mlir::Value sum)>;

/// Columns are summed in two launches: each part of the rows of the first input
/// first, then parts in order. `parts` has a row for each part.
int64_t countColumnParts(std::optional<int64_t> rows);
tile::KernelOp buildColumnParts(const GradientSite &site,
                                llvm::StringRef suffix, mlir::TypeRange inputs,
                                mlir::RankedTensorType parts, AddRow addRow);
tile::KernelOp buildColumnTotal(const GradientSite &site,
                                llvm::StringRef suffix, mlir::TypeRange inputs,
                                mlir::Type output, StoreColumn store);

// One file each.
mlir::FailureOr<LaunchSequence> buildColumnSums(const GradientSite &site);
mlir::FailureOr<LaunchSequence> buildEmbeddingGrad(const GradientSite &site);
mlir::FailureOr<LaunchSequence> buildWeightGrad(const GradientSite &site);
mlir::FailureOr<LaunchSequence> buildAttentionGrad(const GradientSite &site);
mlir::FailureOr<LaunchSequence> buildPatchGrad(const GradientSite &site);
mlir::FailureOr<LaunchSequence> buildExpertsGrad(const GradientSite &site);
mlir::FailureOr<LaunchSequence> buildRouteGrad(const GradientSite &site);
mlir::FailureOr<LaunchSequence> buildLoss(const GradientSite &site);
mlir::FailureOr<LaunchSequence> buildLossGrad(const GradientSite &site);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_GRADIENTKERNELS_H
