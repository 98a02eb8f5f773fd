//===- ElementPlaces.h - places of elements ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_ELEMENTPLACES_H
#define PARABLOCK_LIB_CONVERSION_ELEMENTPLACES_H

#include "ElementSizes.h"
#include "KernelShell.h"
#include "TileCode.h"

namespace parablock {

/// The place of an element: its number in memory order, its indices, or both.
/// Either one is computed from the other on demand.
struct ElementPosition {
  mlir::Value flat;
  std::optional<llvm::SmallVector<mlir::Value>> indices;

  static ElementPosition atFlat(mlir::Value flat) { return {flat, {}}; }
  static ElementPosition at(llvm::SmallVector<mlir::Value> indices) {
    return {{}, std::move(indices)};
  }
};

/// Generates sizes of tensors, and one form of an element's place from the
/// other.
class ElementPlaces {
public:
  using Value = mlir::Value;

  ElementPlaces(KernelShell &shell, ElementSizes &sizes)
      : shell(shell), sizes(sizes) {}

  /// Returns the static size, or computes it from sizes of operands.
  Value emitSize(TileCode code, Value tensor, int64_t dim);
  llvm::SmallVector<Value> &getIndices(TileCode code, Value tensor,
                                       ElementPosition &at);
  Value getFlat(TileCode code, Value tensor, const ElementPosition &at);

private:
  KernelShell &shell;
  ElementSizes &sizes;
};

/// Returns the indices of element `flat` in memory order.
llvm::SmallVector<mlir::Value> delinearise(TileCode code, mlir::Value flat,
                                           llvm::ArrayRef<mlir::Value> extents);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_ELEMENTPLACES_H
