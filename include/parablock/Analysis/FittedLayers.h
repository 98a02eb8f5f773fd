//===- FittedLayers.h - layers that weights were fitted to ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A layer that block-parallelize made by a choice whose correction changed the
// weights says so in its stamp. The stamp outlives every rewrite, so each
// reader of weights can check that they belong to the layers
// (parablock/Files/WeightsForm.h has the rule).
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

/// Prints the part of a stamp's parameters that says which weights the layer of
/// `pair` needs. Nothing without a correction.
void printFitted(llvm::raw_ostream &os, LayerPair pair, Correction correction,
                 llvm::StringRef modelHash);

/// Returns a stamp's parameters without the pair, for messages about several
/// layers.
std::string dropPair(llvm::StringRef parameters);

/// Returns the form of weights that the layers below `root` need, by their
/// stamps.
files::WeightsForm findWeightsForm(mlir::Operation *root);

/// The form of the weights that belong to a choice.
files::WeightsForm getWeightsForm(const Choice &choice);

/// Returns an error unless the weights of `path`, with that metadata, belong to
/// the layers below `root`.
llvm::Error checkWeightsForm(mlir::Operation *root,
                             const SafeTensorsMetadata &metadata,
                             llvm::StringRef path);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_FITTEDLAYERS_H
