//===- ManifestPlans.cpp - parses and checks plans of a manifest ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ManifestReader.h"

#include <algorithm>
#include <tuple>

using namespace parablock;
using namespace parablock::launch;

/// {"dim": [T, D]}: a tensor and one of its dimensions.
std::pair<unsigned, unsigned> ManifestReader::readDim(const Json &object,
                                                      const LaunchPlan &plan) {
  const std::vector<Json> &pair = getArray(object, "dim");
  if (!fault && pair.size() != 2)
    refuse("expected 'dim' to be a tensor and a dimension");
  if (fault)
    return {};
  unsigned tensor = getTensor(pair[0], plan);
  if (fault)
    return {};
  int64_t dim = pair[1].integer().value_or(-1);
  if (dim < 0 || dim >= static_cast<int64_t>(plan.tensors[tensor].shape.size()))
    refuse("expected a dimension of '" + plan.tensors[tensor].name + "'");
  return {tensor, static_cast<unsigned>(dim)};
}

/// {"pointer": T}, {"tensor_map": T, "box": [rows, columns]}, both optionally
/// with "constant", or {"dim": [T, D]}.
PlanArgument ManifestReader::readArgument(const Json &object,
                                          const LaunchPlan &plan) {
  PlanArgument argument;
  // A field that was added later.
  if (object.find("constant"))
    argument.isConstant = get(object, "constant", Json::Bool).isTrue();
  if (const Json *tensor = object.find("pointer")) {
    argument.tensor = getTensor(*tensor, plan);
  } else if (const Json *tensor = object.find("tensor_map")) {
    argument.kind = PlanArgument::TensorMap;
    argument.tensor = getTensor(*tensor, plan);
    const std::vector<Json> &box = getArray(object, "box");
    for (size_t i = 0; i < box.size(); ++i)
      if (int64_t size = box[i].integer().value_or(0);
          size < 1 || size > (i < 2 ? 256 : largest))
        refuse("expected the sides of a box to be from 1 to 256");
    if (!fault && box.size() != 2 && box.size() != 3)
      refuse("expected a box to have two sides, and columns of a part if any");
    if (!fault) {
      if (box.size() == 3)
        argument.partColumns = static_cast<uint32_t>(*box[2].integer());
      argument.boxRows = static_cast<uint32_t>(*box[0].integer());
      argument.boxColumns = static_cast<uint32_t>(*box[1].integer());
    }
  } else {
    argument.kind = PlanArgument::Dim;
    std::tie(argument.tensor, argument.dim) = readDim(object, plan);
  }
  return argument;
}

PlanKernel ManifestReader::readKernel(const Json &object,
                                      const LaunchPlan &plan) {
  PlanKernel step;
  step.kernel = getString(object, "kernel");
  step.grid = static_cast<uint32_t>(getInteger(object, "grid", 1, largest));
  step.cluster = static_cast<uint32_t>(getInteger(object, "cluster", 1, 16));
  step.threads = static_cast<uint32_t>(getInteger(object, "threads", 1, 1024));
  step.sharedBytes =
      static_cast<uint32_t>(getInteger(object, "shared_bytes", 0, 1 << 20));
  // A field that was added later.
  if (object.find("programmatic"))
    step.isProgrammatic = get(object, "programmatic", Json::Bool).isTrue();
  for (const Json &argument : getArray(object, "arguments"))
    step.arguments.push_back(readArgument(argument, plan));
  return step;
}

PlanFewKernel ManifestReader::readFewKernel(const Json &object,
                                            const LaunchPlan &plan) {
  PlanFewKernel few;
  if (object.find("kernel"))
    static_cast<PlanKernel &>(few) = readKernel(object, plan);
  for (const Json &size : getArray(object, "sizes"))
    few.sizes.push_back(readDim(size, plan));
  few.most = getInteger(object, "most", 1, largest);
  return few;
}

/// {"word": T}, of indices with "experts" and "slots".
PlanReports ManifestReader::readReports(const Json &object,
                                        const LaunchPlan &plan) {
  PlanReports reports;
  reports.word = getTensor(get(object, "word", Json::Number), plan);
  if (object.find("experts")) {
    reports.kind = PlanReports::Indices;
    reports.experts = getInteger(object, "experts", 1, largest);
    reports.slots = getInteger(object, "slots", 1, largest);
  }
  return reports;
}

/// Reads a rank step.
PlanLaunch ManifestReader::readRankStep(const Json &object) {
  PlanLaunch step;
  step.kernel = getString(object, "step");
  PlanRankStep &what = step.rankStep.emplace();
  bool isKnown = false;
  for (PlanRankStep::Kind kind :
       {PlanRankStep::AllReduce, PlanRankStep::AllGather,
        PlanRankStep::ReduceScatter, PlanRankStep::RowsToExperts,
        PlanRankStep::RowsFromExperts, PlanRankStep::Take, PlanRankStep::Put})
    if (step.kernel == getRankStepName(kind)) {
      what.kind = kind;
      isKnown = true;
    }
  if (!isKnown)
    refuse("unknown step '" + step.kernel + "'");
  what.dim = static_cast<unsigned>(getInteger(object, "dim", 0, 15));
  // Fields that were added later.
  if (object.find("starts"))
    what.starts = get(object, "starts", Json::Bool).isTrue();
  if (object.find("awaits"))
    what.awaits = get(object, "awaits", Json::Bool).isTrue();
  if (what.isOfRows())
    what.experts = getInteger(object, "experts", 1, largest);
  if (what.isTogether())
    return step;
  what.isShare = object.find("share");
  what.offset =
      getInteger(object, what.isShare ? "share" : "offset", 0, largest);
  return step;
}

PlanLaunch ManifestReader::readLaunch(const Json &object,
                                      const LaunchPlan &plan) {
  bool isKernel = numRanks == 1 || object.find("kernel");
  PlanLaunch step;
  if (isKernel)
    static_cast<PlanKernel &>(step) = readKernel(object, plan);
  else
    step = readRankStep(object);
  if (isKernel && object.find("few"))
    step.few = readFewKernel(get(object, "few", Json::Object), plan);
  // A field that was added later.
  if (isKernel && object.find("reports"))
    step.reports = readReports(get(object, "reports", Json::Object), plan);
  step.layer = getInteger(object, "layer", -1, largest);
  step.inputs = getTensors(object, "inputs", plan);
  step.outputs = getTensors(object, "outputs", plan);
  return step;
}

/// Returns whether each size of `parts`, except in dimension `dim`, is that of
/// `whole`.
static bool hasSameRows(const PlanTensor &parts, const PlanTensor &whole,
                        unsigned dim) {
  if (parts.type != whole.type || parts.shape.size() != whole.shape.size() ||
      dim >= whole.shape.size())
    return false;
  for (unsigned i = 0; i < whole.shape.size(); ++i)
    if (i != dim && !(parts.shape[i] == whole.shape[i]))
      return false;
  return true;
}

/// Returns whether `whole` is `ranks` times `part`.
static bool isMultiple(const PlanSize &whole, const PlanSize &part,
                       size_t ranks) {
  auto count = static_cast<int64_t>(ranks);
  return whole.isNumber() ? part.isNumber() && whole.value == part.value * count
                          : part == makeShare(whole, count);
}

/// Checks the sizes of an exchange of rows: [batch, share, width] of rows, and
/// [batch, rows, slots] of choices.
void ManifestReader::checkRows(const PlanLaunch &launch,
                               const LaunchPlan &plan) {
  bool isBack = launch.rankStep->kind == PlanRankStep::RowsFromExperts;
  if (launch.inputs.size() != 2 || launch.outputs.size() != (isBack ? 2 : 1))
    return refuse("expected step '" + launch.kernel +
                  "' to read rows and choices, and to write rows" +
                  (isBack ? " beside room for them" : ""));
  const PlanTensor &input = plan.tensors[launch.inputs[0]];
  const PlanTensor &choices = plan.tensors[launch.inputs[1]];
  const PlanTensor &output = plan.tensors[launch.outputs[0]];
  const PlanTensor &all = isBack ? input : output;
  const PlanTensor &own = isBack ? output : input;
  auto count = static_cast<int64_t>(numRanks);
  bool fits = isJoinedByRanks(input.type) && choices.type == "i64" &&
              input.type == output.type && choices.shape.size() == 3 &&
              all.shape.size() == 3 && own.shape.size() == 3;
  fits = fits && launch.rankStep->dim == 1 &&
         launch.rankStep->experts % count == 0 &&
         all.shape[0] == own.shape[0] && all.shape[0] == choices.shape[0] &&
         all.shape[1] == choices.shape[1] && choices.shape[2].isNumber() &&
         isMultiple(all.shape[1], own.shape[1], numRanks) &&
         all.shape[2].isNumber() && own.shape[2].isNumber() &&
         own.shape[2].value == all.shape[2].value * (isBack ? count : 1);
  if (fits && isBack) {
    const PlanTensor &room = plan.tensors[launch.outputs[1]];
    fits = room.type == input.type && room.shape == input.shape;
  }
  if (!fits)
    refuse("expected step '" + launch.kernel + "' of " +
           std::to_string(launch.rankStep->experts) +
           " experts to fit its tensors, got " + formatPlanType(input) + ", " +
           formatPlanType(choices) + " and " + formatPlanType(output));
}

/// Checks the sizes that the launcher relies on. Offsets of parts are checked
/// once they are numbers.
void ManifestReader::checkRankStep(const PlanLaunch &launch,
                                   const LaunchPlan &plan) {
  const PlanRankStep &what = *launch.rankStep;
  if (what.isOfRows())
    return checkRows(launch, plan);
  size_t maxInputs = what.kind == PlanRankStep::Put ? 2 : 1;
  bool mayMove = what.kind == PlanRankStep::AllGather ||
                 what.kind == PlanRankStep::ReduceScatter;
  if (launch.inputs.empty() || launch.inputs.size() > maxInputs ||
      launch.outputs.empty() || launch.outputs.size() > (mayMove ? 2 : 1))
    return refuse("expected step '" + launch.kernel +
                  "' to read one tensor and to write one");
  const PlanTensor &input = plan.tensors[launch.inputs.front()];
  const PlanTensor &output = plan.tensors[launch.outputs.front()];
  if (what.isTogether() && !isJoinedByRanks(input.type))
    return refuse("expected step '" + launch.kernel + "' of " +
                  typesJoinedByRanks + ", got " + formatPlanType(input));
  bool fits = hasSameRows(input, output, what.dim);
  if (fits && what.kind == PlanRankStep::AllReduce)
    fits = input.shape[what.dim] == output.shape[what.dim];
  if (fits && mayMove) {
    bool isGather = what.kind == PlanRankStep::AllGather;
    const PlanTensor &whole = isGather ? output : input;
    fits = isMultiple(whole.shape[what.dim],
                      (isGather ? input : output).shape[what.dim], numRanks);
    // Without scratch, parts must be contiguous.
    if (launch.outputs.size() == 2)
      fits &= plan.tensors[launch.outputs[1]].shape == whole.shape &&
              plan.tensors[launch.outputs[1]].type == whole.type;
    else
      for (unsigned dim = 0; dim < what.dim; ++dim)
        fits &= whole.shape[dim] == PlanSize{1, ""};
  }
  if (fits && launch.inputs.size() == 2)
    fits = plan.tensors[launch.inputs[1]].shape == output.shape &&
           plan.tensors[launch.inputs[1]].type == output.type;
  if (!fits)
    refuse("expected step '" + launch.kernel + "' of dimension " +
           std::to_string(what.dim) + " to fit its tensors, got " +
           formatPlanType(input) + " and " + formatPlanType(output));
}

/// They are buffers of the kernels' own, for nothing else.
void ManifestReader::checkWorkspaces(const LaunchPlan &plan) {
  std::vector<bool> isWorkspace(plan.tensors.size());
  for (unsigned workspace : plan.workspaces) {
    const PlanTensor &tensor = plan.tensors[workspace];
    if (workspace < plan.numArguments || isWorkspace[workspace] ||
        tensor.viewOf)
      refuse("expected a workspace to be a buffer of its own, got '" +
             tensor.name + "'");
    isWorkspace[workspace] = true;
    for (const PlanSize &size : tensor.shape)
      if (!size.isNumber())
        refuse("expected workspace '" + tensor.name + "' to have a fixed size");
  }
  auto check = [&](const std::vector<unsigned> &tensors) {
    for (unsigned tensor : tensors)
      if (isWorkspace[tensor])
        refuse("expected kernels alone to use workspace '" +
               plan.tensors[tensor].name + "'");
  };
  for (const PlanLaunch &launch : plan.launches) {
    check(launch.inputs);
    check(launch.outputs);
    if (!launch.reports || fault)
      continue;
    const PlanTensor &word = plan.tensors[launch.reports->word];
    if (!isWorkspace[launch.reports->word] || word.type != "i64" ||
        word.shape.size() != 1 || !(word.shape[0] == PlanSize{1, ""}))
      refuse("expected the reports of kernel '" + launch.kernel +
             "' in a workspace of i64 [1], got '" + word.name + "' of " +
             formatPlanType(word));
  }
  check(plan.results);
  for (const PlanTensor &tensor : plan.tensors)
    if (tensor.viewOf)
      check({*tensor.viewOf});
}

/// Checks that buffers are written before they are read, once unless a kernel
/// overwrites what it reads, and that arguments are never written.
void ManifestReader::checkPlan(const LaunchPlan &plan) {
  checkWorkspaces(plan);
  std::vector<bool> exists(plan.tensors.size());
  std::fill_n(exists.begin(), plan.numArguments, true);
  for (const PlanLaunch &launch : plan.launches) {
    std::string step =
        (launch.rankStep ? "step '" : "kernel '") + launch.kernel + "' ";
    if (launch.rankStep)
      checkRankStep(launch, plan);
    for (unsigned input : launch.inputs)
      if (!exists[plan.getOwner(input)])
        refuse(step + "reads '" + plan.tensors[input].name +
               "' before anything writes it");
    for (unsigned output : launch.outputs) {
      if (output < plan.numArguments)
        refuse(step + "writes the argument '" + plan.tensors[output].name +
               "'");
      else if (plan.tensors[output].viewOf)
        refuse(step + "writes the view '" + plan.tensors[output].name + "'");
      else if (exists[output] && !launch.overwrites(output) &&
               !(launch.rankStep && launch.rankStep->awaits))
        refuse(step + "writes '" + plan.tensors[output].name +
               "', which another one has written");
      exists[output] = true;
    }
  }
  if (Status failure = checkStarts(plan); failure && !fault)
    refuse(failure->text);
  for (size_t i = 0; i < plan.results.size(); ++i) {
    const PlanTensor &made = plan.tensors[plan.results[i]];
    const PlanTensor &wanted = package.results[i].tensor;
    if (!exists[plan.getOwner(plan.results[i])])
      refuse("nothing writes the result '" + wanted.name + "'");
    if (made.type != wanted.type || !(made.shape == wanted.shape))
      refuse("expected the result '" + wanted.name + "' to be " +
             formatPlanType(wanted) + ", got " + formatPlanType(made));
  }
}

/// Reads the owner of a view, whose elements are written with its owner's.
std::optional<unsigned> ManifestReader::readOwner(const Json &value,
                                                  const PlanTensor &view,
                                                  const LaunchPlan &plan) {
  unsigned index = getTensor(value, plan);
  if (fault)
    return std::nullopt;
  const PlanTensor &owner = plan.tensors[index];
  if (owner.viewOf || owner.type != view.type)
    refuse("expected '" + view.name + "' to be a view of " + view.type +
           " that is no view, got '" + owner.name + "' of " +
           formatPlanType(owner));
  return index;
}

LaunchPlan ManifestReader::readPlan(const Json &object) {
  LaunchPlan plan;
  for (const PackagePort &argument : package.arguments)
    plan.tensors.push_back(argument.tensor);
  plan.numArguments = static_cast<unsigned>(plan.tensors.size());
  for (const Json &buffer : getArray(object, "buffers")) {
    PlanTensor tensor = readTensor(buffer);
    if (const Json *owner = buffer.find("view_of"))
      tensor.viewOf = readOwner(*owner, tensor, plan);
    plan.tensors.push_back(std::move(tensor));
  }
  plan.workspaces = getTensors(object, "workspaces", plan);
  for (const Json &launch : getArray(object, "launches"))
    plan.launches.push_back(readLaunch(launch, plan));
  plan.results = getTensors(object, "results", plan);
  if (!fault && plan.results.size() != package.results.size())
    refuse("expected " + std::to_string(package.results.size()) +
           " results, got " + std::to_string(plan.results.size()));
  if (!fault)
    checkPlan(plan);
  return plan;
}
