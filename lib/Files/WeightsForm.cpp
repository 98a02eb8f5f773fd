//===- WeightsForm.cpp - compares forms and words errors ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Files/WeightsForm.h"

#include <algorithm>

using namespace parablock;
using namespace parablock::files;

using Metadata = std::map<std::string, std::string>;

static constexpr char formKey[] = "parablock.form";
static constexpr char pairsKey[] = "parablock.pairs";
static constexpr char correctionKey[] = "parablock.correction";
static constexpr char modelKey[] = "parablock.model_hash";
static constexpr char noCorrection[] = "none";

static std::string get(const Metadata &metadata, const char *key) {
  auto found = metadata.find(key);
  return found == metadata.end() ? "" : found->second;
}

WeightsForm files::readWeightsForm(const Metadata &metadata) {
  WeightsForm form;
  std::string correction = get(metadata, correctionKey);
  if (correction.empty() || correction == noCorrection)
    return form;
  form.pairs = get(metadata, pairsKey);
  if (!form.isFitted())
    return form;
  form.correction = std::move(correction);
  form.model = get(metadata, modelKey);
  return form;
}

void files::writeWeightsForm(const WeightsForm &form, Metadata &metadata) {
  metadata[formKey] = form.isFitted() ? "parallel" : "serial";
  metadata[pairsKey] = form.pairs;
  metadata[correctionKey] = form.correction;
  metadata[modelKey] = form.model;
}

std::string files::describeWeights(const WeightsForm &form) {
  if (!form.isFitted())
    return "original weights";
  std::string text =
      "weights of the parallel form, fitted by correction=" + form.correction +
      " to the pairs " + form.pairs;
  if (!form.model.empty())
    text += " of model " + form.model.substr(0, 23);
  return text;
}

/// Hashes may be shortened.
static bool isSameModel(const std::string &a, const std::string &b) {
  size_t length = std::min(a.size(), b.size());
  return a.compare(0, length, b, 0, length) == 0;
}

/// Returns how to use the given weights, or where to find the required ones.
static std::string getWayOut(const WeightsForm &required,
                             const WeightsForm &found) {
  if (!found.isFitted())
    return "give the file that block-drift wrote as --weights-out beside this "
           "model, or run the serial model";
  if (!required.isFitted())
    return "give the checkpoint's own file, or the model that block-drift "
           "wrote as --ir-out beside these weights (or its choice, as "
           "parallel=@CHOICE)";
  return "give the files that one run of block-drift wrote";
}

Status files::checkWeightsForm(const WeightsForm &required,
                               const WeightsForm &found,
                               std::string_view file) {
  if (required.pairs == found.pairs &&
      required.correction == found.correction &&
      isSameModel(required.model, found.model))
    return {};
  return fail(std::string(file) + ": expected " + describeWeights(required) +
              ", got " + describeWeights(found) + ": " +
              getWayOut(required, found));
}
