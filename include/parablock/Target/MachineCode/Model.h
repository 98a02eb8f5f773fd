//===- Model.h - how fast machine code can be ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A prediction from counts: each unit of a multiprocessor is busy so many
// cycles with what a loop asks of it, and the loop takes at least as long as
// the busiest. Latencies, bank conflicts, clocks and power are left out, so the
// numbers are bounds, not times. Nothing is run.
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

  /// The unit that is busy longest, and how long.
  std::pair<llvm::StringRef, double> getLimit() const;
  UnitCycles operator*(double times) const;
};

/// The main loop of products of a kernel.
struct MainLoop {
  UnitCycles cycles;
  /// Shapes of its products, each with how many one warp or warpgroup starts.
  std::map<std::string, unsigned> products;
  /// Instructions beside them.
  size_t others = 0;
  /// Elements of the sum that one round adds, and the tile that it adds to; 0
  /// for attention, whose two products differ.
  int64_t depth = 0, rows = 0, columns = 0;
};

/// A loop that writes rows, for what one warp stores in a round.
struct RowLoop {
  UnitCycles cycles;
  size_t instructions = 0;
  unsigned storedBytes = 0;
};

struct KernelModel {
  /// Warps that multiply, or all of them where none does only copies.
  unsigned warps = 0;
  std::optional<MainLoop> main;
  std::vector<RowLoop> rows;
  /// Work that is done once for each tile, on all paths together.
  UnitCycles tile;
};

/// Fails for products whose shape is not known, and kernels that do not say
/// how many threads they have.
llvm::Expected<KernelModel>
modelKernel(const Kernel &kernel, llvm::ArrayRef<Loop> loops, const Chip &chip);

/// A product that a kernel makes, as the IR has it.
struct ProductSize {
  int64_t rows = 0, columns = 0, depth = 0;
  /// Bytes that are read and written for it once.
  double bytes = 0;
  /// Bytes that are written for one element of the product.
  double storedBytes = 0;
};

/// Shares of the peak of the tensor cores.
struct Prediction {
  llvm::StringRef limit;
  /// With the dearest and with the cheapest of the kernel's row loops.
  double least = 0, most = 0;
};

/// None where a kernel has no products.
std::optional<Prediction> predictProduct(const KernelModel &model,
                                         const ProductSize &size,
                                         const Chip &chip);

/// The bound that the main loop alone sets.
std::optional<Prediction> predictMainLoop(const KernelModel &model);

} // namespace parablock::machine

#endif // PARABLOCK_TARGET_MACHINECODE_MODEL_H
