//===- Model.h - predictions for machine code -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A prediction from counts: each unit of a multiprocessor needs a number of
// cycles per round of a loop, and the loop takes at least the maximum.
// Latencies, bank conflicts, clocks and power are ignored, so the numbers are
// bounds, not times. Nothing is run.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TARGET_MACHINECODE_MODEL_H
#define PARABLOCK_TARGET_MACHINECODE_MODEL_H

#include "parablock/Support/Chips.h"
#include "parablock/Target/MachineCode/Listing.h"

namespace parablock::machine {

/// Cycles that the units of one multiprocessor are busy.
struct UnitCycles {
  double tensor = 0, shared = 0, issue = 0, special = 0, simple = 0;

  /// Returns the unit that is busy longest, and how long.
  std::pair<llvm::StringRef, double> getLimit() const;
  UnitCycles operator*(double times) const;
};

/// The main loop of products of a kernel.
struct MainLoop {
  UnitCycles cycles;
  /// Shapes of its products, each with the number that one warp or warpgroup
  /// starts.
  std::map<std::string, unsigned> products;
  /// Number of other instructions.
  size_t others = 0;
  /// Depth that one round adds to the sum, and the rows and columns of its
  /// tile; 0 for attention, whose two products differ.
  int64_t depth = 0, rows = 0, columns = 0;
};

/// A loop that writes rows, per warp and round.
struct RowLoop {
  UnitCycles cycles;
  size_t instructions = 0;
  unsigned storedBytes = 0;
};

struct KernelModel {
  /// Warps that multiply; all warps if none only copies.
  unsigned warps = 0;
  std::optional<MainLoop> main;
  /// All innermost loops with products, the main one among them.
  std::vector<MainLoop> loops;
  std::vector<RowLoop> rows;
  /// Work done once per tile, on all paths together.
  UnitCycles tile;
};

/// Fails for products of unknown shape and for kernels that do not specify
/// their number of threads. `isGradient` is set for gradients of attention,
/// which multiply by the columns of a copied tile and then by its rows.
llvm::Expected<KernelModel> modelKernel(const Kernel &kernel,
                                        llvm::ArrayRef<Loop> loops,
                                        const Chip &chip, bool isGradient);

/// A product of a kernel, as in the IR.
struct ProductSize {
  int64_t rows = 0, columns = 0, depth = 0;
  /// Bytes read and written for it once.
  double bytes = 0;
  /// Bytes written per element of the product.
  double storedBytes = 0;
};

/// Shares of the peak of the tensor cores.
struct Prediction {
  llvm::StringRef limit;
  /// With the most and the least expensive of the kernel's row loops.
  double least = 0, most = 0;
};

/// Returns none if a kernel has no products.
std::optional<Prediction> predictProduct(const KernelModel &model,
                                         const ProductSize &size,
                                         const Chip &chip);

/// Returns the bound of the main loop alone.
std::optional<Prediction> predictMainLoop(const KernelModel &model);

} // namespace parablock::machine

#endif // PARABLOCK_TARGET_MACHINECODE_MODEL_H
