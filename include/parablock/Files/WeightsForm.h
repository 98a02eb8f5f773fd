//===- WeightsForm.h - matching of weights and models -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Weights fitted to layers whose branches run in parallel give wrong results in
// any other form of the model, and original weights give wrong results there,
// both without an error. This file defines the single rule of which weights fit
// which model. A file of weights records its form in its metadata, models
// record theirs in the stamps of their layers
// (parablock/Analysis/FittedLayers.h), recipes and packages in fields.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_FILES_WEIGHTSFORM_H
#define PARABLOCK_FILES_WEIGHTSFORM_H

#include "parablock/Files/Status.h"
#include <map>
#include <string>
#include <string_view>

namespace parablock::files {

/// The form of a model that weights fit. Without pairs, weights are original:
/// they fit every form without fitted weights.
struct WeightsForm {
  /// The pairs that weights were fitted to, as `0,3+`, in the order of the
  /// chain.
  std::string pairs;
  /// The method that fitted them; "none" if `pairs` is empty.
  std::string correction = "none";
  /// The hash of the serial model, or a prefix of it; may be empty.
  std::string model;

  bool isFitted() const { return !pairs.empty(); }
};

/// Reads the form of a file's weights from its metadata. Pairs without a
/// correction have original weights.
WeightsForm readWeightsForm(const std::map<std::string, std::string> &metadata);

/// Writes `form` into metadata, for readWeightsForm.
void writeWeightsForm(const WeightsForm &form,
                      std::map<std::string, std::string> &metadata);

/// Returns a failure unless the weights in `file`, of the form `found`, fit a
/// model of the form `required`.
Status checkWeightsForm(const WeightsForm &required, const WeightsForm &found,
                        std::string_view file);

/// Describes weights of that form, for messages.
std::string describeWeights(const WeightsForm &form);

} // namespace parablock::files

#endif // PARABLOCK_FILES_WEIGHTSFORM_H
