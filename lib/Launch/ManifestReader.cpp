//===- ManifestReader.cpp - reads a package's manifest --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ManifestReader.h"

#include <algorithm>
#include <limits>

using namespace parablock;
using namespace parablock::launch;

static constexpr int64_t largest = std::numeric_limits<int32_t>::max();

void ManifestReader::refuse(const std::string &text) {
  if (!fault)
    fault = fail(place + text);
}

const Json &ManifestReader::get(const Json &object, const char *key,
                                Json::Kind kind) {
  static constexpr const char *names[] = {"null",     "a bool",   "a number",
                                          "a string", "an array", "an object"};
  static const Json nothing;
  const Json *found = object.find(key);
  if (found && found->kind() == kind)
    return *found;
  refuse(std::string("expected '") + key + "' to be " + names[kind] +
         (found ? "" : ", got nothing"));
  return nothing;
}

const std::vector<Json> &ManifestReader::getArray(const Json &object,
                                                  const char *key) {
  return get(object, key, Json::Array).elements();
}

std::string ManifestReader::getString(const Json &object, const char *key) {
  return get(object, key, Json::String).text();
}

int64_t ManifestReader::getInteger(const Json &object, const char *key,
                                   int64_t least, int64_t most) {
  std::optional<int64_t> value = get(object, key, Json::Number).integer();
  if (value && *value >= least && *value <= most)
    return *value;
  refuse(std::string("expected '") + key + "' to be a whole number from " +
         std::to_string(least) + " to " + std::to_string(most));
  return least;
}

unsigned ManifestReader::getTensor(const Json &value, const LaunchPlan &plan) {
  std::optional<int64_t> index = value.integer();
  if (index && *index >= 0 &&
      *index < static_cast<int64_t>(plan.tensors.size()))
    return static_cast<unsigned>(*index);
  refuse("expected the number of a tensor, below " +
         std::to_string(plan.tensors.size()));
  return 0;
}

std::vector<unsigned> ManifestReader::getTensors(const Json &object,
                                                 const char *key,
                                                 const LaunchPlan &plan) {
  std::vector<unsigned> tensors;
  for (const Json &value : getArray(object, key))
    tensors.push_back(getTensor(value, plan));
  return tensors;
}

PackageFile ManifestReader::readFile(const Json &object, const char *key) {
  const Json &entry = get(object, key, Json::Object);
  PackageFile file;
  file.name = getString(entry, "file");
  file.bytes = static_cast<uint64_t>(
      getInteger(entry, "bytes", 0, std::numeric_limits<int64_t>::max()));
  file.sha256 = getString(entry, "sha256");
  if (file.name.empty() || file.name.find('/') != std::string::npos)
    refuse("expected the file of '" + std::string(key) +
           "' to lie in the package");
  return file;
}

std::optional<PackageFile> ManifestReader::readOptionalFile(const Json &object,
                                                            const char *key) {
  const Json *found = object.find(key);
  if (!found || found->kind() == Json::Null)
    return std::nullopt;
  return readFile(object, key);
}

PlanSize ManifestReader::readSize(const Json &value) {
  if (value.isString()) {
    if (std::find(package.dims.begin(), package.dims.end(), value.text()) ==
        package.dims.end())
      refuse("unknown dimension '" + value.text() + "'");
    return {0, value.text()};
  }
  std::optional<int64_t> number = value.integer();
  if (!number || *number < 0 || *number > largest)
    refuse("expected a size to be a whole number or the name of a dimension");
  return {number.value_or(0), ""};
}

PlanTensor ManifestReader::readTensor(const Json &object) {
  PlanTensor tensor;
  tensor.name = getString(object, "name");
  tensor.type = getString(object, "dtype");
  if (!fault && !getPlanElementSize(tensor.type))
    refuse("unknown dtype '" + tensor.type + "' of '" + tensor.name + "'");
  for (const Json &size : getArray(object, "shape"))
    tensor.shape.push_back(readSize(size));
  return tensor;
}

/// {"pointer": T}, {"tensor_map": T, "box": [rows, columns]} or
/// {"dim": [T, D]}.
PlanArgument ManifestReader::readArgument(const Json &object,
                                          const LaunchPlan &plan) {
  PlanArgument argument;
  if (const Json *tensor = object.find("pointer")) {
    argument.tensor = getTensor(*tensor, plan);
  } else if (const Json *tensor = object.find("tensor_map")) {
    argument.kind = PlanArgument::TensorMap;
    argument.tensor = getTensor(*tensor, plan);
    const std::vector<Json> &box = getArray(object, "box");
    for (const Json &side : box)
      if (int64_t size = side.integer().value_or(0); size < 1 || size > 256)
        refuse("expected the sides of a box to be from 1 to 256");
    if (!fault && box.size() != 2)
      refuse("expected a box to have two sides");
    if (!fault) {
      argument.boxRows = static_cast<uint32_t>(*box[0].integer());
      argument.boxColumns = static_cast<uint32_t>(*box[1].integer());
    }
  } else {
    argument.kind = PlanArgument::Dim;
    const std::vector<Json> &pair = getArray(object, "dim");
    if (!fault && pair.size() != 2)
      refuse("expected 'dim' to be a tensor and a dimension");
    if (fault)
      return argument;
    argument.tensor = getTensor(pair[0], plan);
    int64_t dim = pair[1].integer().value_or(-1);
    if (dim < 0 ||
        dim >= static_cast<int64_t>(plan.tensors[argument.tensor].shape.size()))
      refuse("expected a dimension of '" + plan.tensors[argument.tensor].name +
             "'");
    argument.dim = static_cast<unsigned>(dim);
  }
  return argument;
}

PlanLaunch ManifestReader::readLaunch(const Json &object,
                                      const LaunchPlan &plan) {
  PlanLaunch step;
  step.kernel = getString(object, "kernel");
  step.layer = getInteger(object, "layer", -1, largest);
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
  step.inputs = getTensors(object, "inputs", plan);
  step.outputs = getTensors(object, "outputs", plan);
  return step;
}

/// Buffers come into being before they are read, and nothing writes arguments.
void ManifestReader::checkPlan(const LaunchPlan &plan) {
  std::vector<bool> exists(plan.tensors.size());
  std::fill_n(exists.begin(), plan.numArguments, true);
  for (unsigned workspace : plan.workspaces) {
    exists[workspace] = true;
    for (const PlanSize &size : plan.tensors[workspace].shape)
      if (size.isNamed())
        refuse("expected workspace '" + plan.tensors[workspace].name +
               "' to have a fixed size");
  }
  for (const PlanLaunch &launch : plan.launches) {
    for (unsigned input : launch.inputs)
      if (!exists[input])
        refuse("kernel '" + launch.kernel + "' reads '" +
               plan.tensors[input].name + "' before anything writes it");
    for (unsigned output : launch.outputs) {
      if (output < plan.numArguments)
        refuse("kernel '" + launch.kernel + "' writes the argument '" +
               plan.tensors[output].name + "'");
      exists[output] = true;
    }
  }
  for (size_t i = 0; i < plan.results.size(); ++i) {
    const PlanTensor &made = plan.tensors[plan.results[i]];
    const PlanTensor &wanted = package.results[i].tensor;
    if (!exists[plan.results[i]])
      refuse("nothing writes the result '" + wanted.name + "'");
    if (made.type != wanted.type || !(made.shape == wanted.shape))
      refuse("expected the result '" + wanted.name + "' to be " +
             formatPlanType(wanted) + ", got " + formatPlanType(made));
  }
}

LaunchPlan ManifestReader::readPlan(const Json &object) {
  LaunchPlan plan;
  for (const PackagePort &argument : package.arguments)
    plan.tensors.push_back(argument.tensor);
  plan.numArguments = static_cast<unsigned>(plan.tensors.size());
  for (const Json &tensor : getArray(object, "buffers"))
    plan.tensors.push_back(readTensor(tensor));
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

PackageCode ManifestReader::readCode(const Json &object) {
  PackageCode code;
  code.chip = getString(object, "chip");
  place = "chip '" + code.chip + "': ";
  code.ptx = readFile(object, "ptx");
  code.cubin = readOptionalFile(object, "cubin");
  code.bitcode = readFile(object, "bitcode");
  code.plan = readPlan(get(object, "plan", Json::Object));
  place.clear();
  return code;
}

void ManifestReader::readTop() {
  package.function = getString(root, "function");
  for (const Json &dim : getArray(root, "dims"))
    package.dims.push_back(dim.text());
  for (const Json &argument : getArray(root, "arguments")) {
    PackagePort port{readTensor(argument), false};
    std::string role = getString(argument, "role");
    port.isParameter = role == "parameter";
    if (role != "parameter" && role != "input")
      refuse("expected the role of '" + port.tensor.name +
             "' to be input or parameter, got '" + role + "'");
    package.arguments.push_back(std::move(port));
  }
  for (const Json &result : getArray(root, "results"))
    package.results.push_back({readTensor(result), false});
  for (const Json &layer : getArray(root, "layers"))
    package.layers.push_back(
        {getString(layer, "name"), getInteger(layer, "index", 0, largest)});
  package.model = readFile(root, "model");
  package.recipe = readOptionalFile(root, "recipe");
  for (const Json &chip : getArray(root, "chips"))
    package.chips.push_back(readCode(chip));
  if (package.chips.empty())
    refuse("expected code for at least one chip");
}

Status ManifestReader::read() {
  if (!root.isObject())
    return fail("expected an object");
  int64_t schema = getInteger(root, "schema", 1, largest);
  // Before anything else: another schema may look different in all of it.
  if (!fault && schema != packageSchema)
    refuse("expected schema " + std::to_string(packageSchema) + ", got " +
           std::to_string(schema) +
           ": the package is made for a newer launcher");
  if (!fault)
    readTop();
  return fault;
}
