//===- WeightsForm.h - which form of a model weights are for ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Weights that were fitted to layers whose branches run side by side compute
// something else in any other form of the model, and original weights compute
// something else there: both would be wrong numbers without a sign. This file
// states the one rule of what belongs together. A file of weights has its form
// in its metadata; models have theirs in the stamps of their layers
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

/// The form of a model that weights are for. Without pairs, weights are
/// original ones: they belong to every form that no weights were fitted to.
struct WeightsForm {
  /// The pairs that weights were fitted to, as `0,3+`, in the order of the
  /// chain.
  std::string pairs;
  /// The method that fitted them; "none" where no pair is named.
  std::string correction = "none";
  /// The hash of the serial model, or its beginning; may be empty.
  std::string model;

  bool isFitted() const { return !pairs.empty(); }
};

/// Reads the form of a file's weights from its metadata. Pairs whose weights
/// no correction changed have original weights.
WeightsForm readWeightsForm(const std::map<std::string, std::string> &metadata);

/// Writes `form` into metadata, for readWeightsForm.
void writeWeightsForm(const WeightsForm &form,
                      std::map<std::string, std::string> &metadata);

/// Returns a failure unless weights of the form `found`, which are in `file`,
/// are those that a model of the form `required` needs.
Status checkWeightsForm(const WeightsForm &required, const WeightsForm &found,
                        std::string_view file);

/// Describes weights of that form, for messages.
std::string describeWeights(const WeightsForm &form);

} // namespace parablock::files

#endif // PARABLOCK_FILES_WEIGHTSFORM_H
