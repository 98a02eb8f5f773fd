//===- FittedLayers.h - checks of weights fitted to layers ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// If block-parallelize used a choice whose correction changed the weights, the
// stamp of the layer records it. Stamps survive every rewrite, so each reader
// of weights can check that they belong to the layers (rule:
// parablock/Files/WeightsForm.h).
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_FITTEDLAYERS_H
#define PARABLOCK_ANALYSIS_FITTEDLAYERS_H

#include "parablock/Analysis/Choice.h"
#include "parablock/Files/WeightsForm.h"
#include "parablock/Support/SafeTensors.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace parablock {

/// Prints the stamp parameters that identify the weights required by the layer
/// of `pair`, whose matrices have changes of up to `rank`, 0 for none. Prints
/// nothing without a correction.
void printFitted(llvm::raw_ostream &os, LayerPair pair, Correction correction,
                 int64_t rank, llvm::StringRef modelHash);

/// Returns a stamp's parameters without the pair, for messages about several
/// layers.
std::string dropPair(llvm::StringRef parameters);

/// Returns the form of weights that the layers below `root` need, by their
/// stamps.
files::WeightsForm findWeightsForm(mlir::Operation *root);

/// Returns the form of the weights that fit a choice.
files::WeightsForm getWeightsForm(const Choice &choice);

/// Returns an error unless the weights of `path`, with that metadata, fit the
/// layers below `root`.
llvm::Error checkWeightsForm(mlir::Operation *root,
                             const SafeTensorsMetadata &metadata,
                             llvm::StringRef path);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_FITTEDLAYERS_H
