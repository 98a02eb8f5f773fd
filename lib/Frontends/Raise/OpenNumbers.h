//===- OpenNumbers.h - replacement of large numbers -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A window of thousands of keys would require tables of millions of elements.
// In the copy for recognition it is replaced by a small number, like a dynamic
// size, and is restored in the recognised ops.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_OPENNUMBERS_H
#define PARABLOCK_LIB_RAISE_OPENNUMBERS_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallSet.h"

namespace parablock::raise {

/// The relation of a function's numbers to its open sizes.
struct WholeNumbers {
  /// Sizes must be larger than these.
  llvm::SmallSet<int64_t, 32> below;
  /// Sizes must not be these.
  llvm::SmallSet<int64_t, 32> taken;
  /// Numbers so large that copies have others instead; without
  /// signs.
  llvm::SmallSet<int64_t, 4> large;
};

WholeNumbers findWholeNumbers(mlir::FunctionOpInterface function);

/// Numbers this close to each other are one, and that one plus or minus one.
inline constexpr int64_t kNearNumbers = 4;

/// Small numbers for large ones: neighbours stay neighbours.
using Stands = llvm::SmallDenseMap<int64_t, int64_t>;

/// Small numbers starting at `first`, none of them in `numbers`.
Stands chooseStands(const WholeNumbers &numbers, int64_t first);

/// Replaces large numbers by small ones, wherever elements are computed from
/// them.
void replaceLargeNumbers(mlir::FunctionOpInterface function,
                         const Stands &stands);

/// The way back, also for windows of attentions.
void restoreLargeNumbers(mlir::FunctionOpInterface function,
                         const Stands &stands);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_OPENNUMBERS_H
