//===- GivenWeights.h - corrected weights -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_GIVENWEIGHTS_H
#define PARABLOCK_LIB_DRIFT_GIVENWEIGHTS_H

#include "Model.h"
#include "parablock/Analysis/Choice.h"

namespace parablock::drift {

/// A choice file and its weights, for a conversion that is measured again
/// rather than made.
class GivenWeights {
public:
  /// `weightsPath` may be empty for a choice without correction: then the
  /// weights are the model's own.
  static llvm::Expected<GivenWeights> open(const Choice &choice,
                                           llvm::StringRef choicePath,
                                           llvm::StringRef weightsPath);

  /// Creates weights of `choice` from new values of parameters, by argument,
  /// and of added ones, by name.
  static GivenWeights of(const Model &model, const Choice &choice,
                         std::map<unsigned, Tensor> parameters,
                         llvm::StringMap<Tensor> added);

  /// Checks that the weights are those that the choice was made with.
  llvm::Error check(const Model &model);
  llvm::Expected<PairWeights> load(const Model &model,
                                   const Candidate &candidate) const;
  /// Loads parameter `argument` of the model.
  llvm::Expected<Tensor> load(unsigned argument) const {
    return source->load(argument);
  }
  /// Loads a parameter that the choice adds.
  llvm::Expected<Tensor> loadAdded(const AddedParameter &added,
                                   ElementType type) const;
  const Choice &getChoice() const { return choice; }

private:
  llvm::Error addParameters(const Sublayer &sublayer,
                            SublayerWeights &weights) const;

  Choice choice;
  std::string choicePath;
  /// Added parameters by name, if no file has them.
  llvm::StringMap<Tensor> added;
  std::unique_ptr<runner::TensorFile> file;
  std::optional<ParameterSource> source;
};

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_GIVENWEIGHTS_H
