//===- WeightsOutput.h - corrected weights as a file ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_WEIGHTSOUTPUT_H
#define PARABLOCK_LIB_DRIFT_WEIGHTSOUTPUT_H

#include "Convert.h"
#include "parablock/Analysis/Choice.h"
#include <map>

namespace parablock::drift {

/// A bias, or a factor of a change of a matrix, that the model did not have.
struct NewParameter {
  AddedParameter parameter;
  ElementType type = ElementType::F32;
  Tensor values;
};

/// The changes of corrections, in terms of the checkpoint.
struct WeightChanges {
  /// New values of parameters, by argument.
  std::map<unsigned, Tensor> parameters;
  std::vector<NewParameter> added;
};

/// Returns the changes of `conversion`. Fails if a weight cannot be written
/// back, because it is computed rather than stored, or has another reader.
llvm::Expected<WeightChanges> collectChanges(const Model &model,
                                             const Conversion &conversion);

/// A sublayer with other weights than the model's.
struct RoundedSublayer {
  const SublayerRunner *runner;
  SublayerWeights weights;
};

/// Collects the changes of single sublayers.
llvm::Expected<WeightChanges>
collectChanges(const Model &model, llvm::ArrayRef<RoundedSublayer> sublayers);

/// Writes every tensor of the weights file (or every parameter, if they are
/// drawn), changed according to `changes`, and the new parameters. The file's
/// metadata record the parallel model they are for, since a reader that builds
/// the serial one would find every name it needs.
llvm::Error writeWeights(llvm::StringRef path, const Model &model,
                         const WeightChanges &changes, const Choice &choice);

/// The digest of all parameters with these changes.
llvm::Expected<std::string> computeWeightsHash(const Model &model,
                                               const WeightChanges &changes);

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_WEIGHTSOUTPUT_H
