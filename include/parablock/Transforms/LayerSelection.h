//===- LayerSelection.h - which layers an option names ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_LAYERSELECTION_H
#define PARABLOCK_TRANSFORMS_LAYERSELECTION_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace parablock::block {

/// The value of an option such as `blocks=`: `all`, `none`, or indices and
/// ranges, `0,2-5`.
class LayerSelection {
public:
  /// Reads `text` and checks that each index is that of a layer under `root`;
  /// what is wrong is emitted there.
  static mlir::FailureOr<LayerSelection> parse(mlir::Operation *root,
                                               llvm::StringRef text);

  bool contains(int64_t index) const { return indices.contains(index); }
  bool empty() const { return indices.empty(); }

private:
  llvm::DenseSet<int64_t> indices;
};

} // namespace parablock::block

#endif // PARABLOCK_TRANSFORMS_LAYERSELECTION_H
