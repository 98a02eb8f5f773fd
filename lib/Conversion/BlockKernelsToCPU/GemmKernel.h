//===- GemmKernel.h - products with their epilogues -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_GEMMKERNEL_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_GEMMKERNEL_H

#include "Product.h"
#include "parablock/Analysis/GemmPlan.h"
#include "parablock/Conversion/CPUCode/Frame.h"
#include "parablock/Conversion/CPUCode/PanelLayout.h"

namespace parablock::cpugen {

/// Columns [tile * columns, ...) of all segments of a group are one tile.
struct GemmTiles {
  /// Columns of each segment in a tile; the last tile may have fewer.
  int64_t columns;
  int64_t count;
  /// Panels per segment of a tile, and of the last one.
  int64_t panels, lastPanels;
  /// The first of each in the kernel.
  int64_t firstTile, firstPanel;
};

/// The sizes that a projection's kernel is generated with.
struct GemmLayout {
  CpuTile shape;
  CpuPath path;
  bool inPairs;
  /// Inputs that are adjacent in a panel: also two for bf16 that becomes f32,
  /// since pairs can be widened without moving elements between lanes.
  int64_t together;
  /// Rows that are worked on at once.
  int64_t blockRows;
  llvm::SmallVector<GemmTiles> groups;
  int64_t numTiles = 0;
  /// Columns of the buffer that a tile is summed up in.
  int64_t bufferColumns = 0;

  int64_t getPanelColumns(int64_t lanes) const { return shape.vectors * lanes; }
  /// Returns whether factors are converted to f32 first.
  bool isConverted(const GemmPlan &plan) const {
    return path == CpuPath::Fma && !plan.elementType.isF32();
  }
  bool isOnTiles() const { return isTilePath(path); }
};

GemmLayout chooseLayout(const GemmPlan &plan, const CpuTarget &target);

/// Returns the packing of the weight of `source`.
PanelLayout getPanelLayout(const GemmPlan &plan, const GemmLayout &layout,
                           const GemmSource &source, int64_t lanes);

/// Generates the kernel. Its tensors are the operands of `kernel`, with packed
/// weights instead of weights, and its results; its sizes are batch and
/// sequence.
mlir::FailureOr<KernelCode> buildGemmKernel(Frame &frame,
                                            block::KernelOp kernel,
                                            const GemmPlan &plan,
                                            const GemmLayout &layout);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_GEMMKERNEL_H
