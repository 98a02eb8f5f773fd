//===- PairSelection.h - which pairs an option names ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_PAIRSELECTION_H
#define PARABLOCK_TRANSFORMS_PAIRSELECTION_H

#include "mlir/IR/Operation.h"
#include "parablock/Analysis/LayerPair.h"

namespace parablock::block {

/// The pairs, in the order of the chain, that `blocks=` and `pairing=` name:
/// `none`; `all`, which is every pair of the kind that `pairing` asks for; or a
/// list of names and ranges, `0,2-5,7+`. A plain number in a list is a block
/// pair, under `pairing=shifted` a shifted one. `best` takes for `all` every
/// shifted pair that can be formed, and block pairs for layers in none of
/// those. What is wrong is emitted at `root`.
mlir::FailureOr<llvm::SmallVector<LayerPair>>
selectPairs(mlir::Operation *root, llvm::StringRef blocks, Pairing pairing);

/// Every pair must be of layers under `root`; emits an error there that ends
/// with `where`.
llvm::LogicalResult checkPairsExist(mlir::Operation *root,
                                    llvm::ArrayRef<LayerPair> pairs,
                                    const llvm::Twine &where);

} // namespace parablock::block

#endif // PARABLOCK_TRANSFORMS_PAIRSELECTION_H
