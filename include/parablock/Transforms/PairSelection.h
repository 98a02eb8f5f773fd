//===- PairSelection.h - pairs selected by options --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_PAIRSELECTION_H
#define PARABLOCK_TRANSFORMS_PAIRSELECTION_H

#include "mlir/IR/Operation.h"
#include "parablock/Analysis/LayerPair.h"

namespace parablock::block {

/// Returns the pairs, in the order of the chain, that `blocks=` and `pairing=`
/// select: `none`; `all`, every pair of the kind of `pairing`; or a list of
/// names and ranges, `0,2-5,7+`. A plain number in a list is a block pair,
/// under `pairing=shifted` a shifted one. With `best`, `all` selects every
/// shifted pair that can be formed, and block pairs for the remaining layers;
/// with `ladder`, names are those of layers as they are; with `shortcut`, the
/// last layer has a pair, too, of which the second layer is missing.
/// Errors are emitted at `root`.
mlir::FailureOr<llvm::SmallVector<LayerPair>>
selectPairs(mlir::Operation *root, llvm::StringRef blocks, Pairing pairing);

/// Returns the first layer that `from` names: an index, or `half` of the layers
/// of each function under `root`; empty: 0. Errors are emitted at `root`.
mlir::FailureOr<int64_t> findFirstLayer(mlir::Operation *root,
                                        llvm::StringRef from);

/// Fails unless every pair consists of layers under `root`; emits an error
/// there that ends with `where`.
llvm::LogicalResult checkPairsExist(mlir::Operation *root,
                                    llvm::ArrayRef<LayerPair> pairs,
                                    const llvm::Twine &where);

} // namespace parablock::block

#endif // PARABLOCK_TRANSFORMS_PAIRSELECTION_H
