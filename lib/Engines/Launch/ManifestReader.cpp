//===- ManifestReader.cpp - parses a manifest's fields --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ManifestReader.h"

#include <algorithm>

using namespace parablock;
using namespace parablock::launch;

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

PlanSize ManifestReader::readPart(const Json &value) {
  if (value.isString()) {
    if (std::find(package.dims.begin(), package.dims.end(), value.text()) ==
        package.dims.end())
      refuse("unknown dimension '" + value.text() + "'");
    return {0, value.text()};
  }
  if (value.isObject())
    return readStep(value);
  std::optional<int64_t> number = value.integer();
  if (!number || *number < 0 || *number > largest)
    refuse("expected a size to be a whole number, the name of a dimension or a "
           "step on other sizes");
  return {number.value_or(0), ""};
}

/// {"add": [size, size]} and so on, or a rank's share, {"dim": size, "over":
/// ranks}.
PlanSize ManifestReader::readStep(const Json &object) {
  if (const Json *shared = object.find("dim"))
    return makeShare(readPart(*shared), getInteger(object, "over", 1, largest));
  for (int step = PlanSize::Add; step < PlanSize::Share; ++step) {
    const char *name = getSizeStepName(static_cast<PlanSize::Step>(step));
    if (!object.find(name))
      continue;
    const std::vector<Json> &sizes = getArray(object, name);
    if (!fault && sizes.size() != 2)
      refuse(std::string("expected '") + name + "' of two sizes, got " +
             std::to_string(sizes.size()));
    if (fault)
      return {};
    return makeSize(static_cast<PlanSize::Step>(step), readPart(sizes[0]),
                    readPart(sizes[1]));
  }
  refuse("unknown step in a size");
  return {};
}

PlanSize ManifestReader::readSize(const Json &value) {
  PlanSize size = readPart(value);
  if (Status failure = checkSize(size))
    refuse(failure->text);
  return size;
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

/// {"kind": "past", "size": tokens, "caches": [{"size": S, "window": W}, ...],
/// "tables": [{"input": name, "rows": R, "pages": [S, ...], "window": W}, ...],
/// "starts": input, "positions": N, "counts_padding": true}.
PackageCaches ManifestReader::readCaches(const Json &object) {
  PackageCaches read;
  static const Json nothing;
  auto readOwnSize = [&](const Json &of) {
    const Json *size = of.find("size");
    return readSize(size ? *size : nothing);
  };
  read.tokens = readOwnSize(object);
  for (const Json &cache : getArray(object, "caches")) {
    read.capacities.push_back(readOwnSize(cache));
    CacheRoom::Cache &own = read.room.caches.emplace_back();
    if (cache.find("window"))
      own.window = getInteger(cache, "window", 1, largest);
  }
  if (object.find("tables"))
    for (const Json &table : getArray(object, "tables")) {
      CacheRoom::Table &own = read.room.tables.emplace_back();
      own.name = getString(table, "input");
      own.pageRows = getInteger(table, "rows", 1, largest);
      if (table.find("window"))
        own.window = getInteger(table, "window", 1, largest);
      std::vector<PlanSize> &pools = read.pools.emplace_back();
      for (const Json &pages : getArray(table, "pages"))
        pools.push_back(readSize(pages));
    }
  if (object.find("starts"))
    read.starts = getString(object, "starts");
  if (object.find("positions"))
    read.room.positions = getInteger(object, "positions", 0, largest);
  if (object.find("counts_padding"))
    read.room.countsPadding =
        get(object, "counts_padding", Json::Bool).isTrue();
  return read;
}

/// {"kind": "rows", "size": S} and so on; rows and positions may have more.
PackageLimit ManifestReader::readLimit(const Json &object,
                                       const PackagePort &port) {
  PackageLimit read;
  std::string kind = getString(object, "kind");
  bool isKnown = false;
  for (IndexLimit::Kind each : {IndexLimit::Rows, IndexLimit::Tokens,
                                IndexLimit::Bounds, IndexLimit::Positions})
    if (kind == getLimitName(each)) {
      read.limit.kind = each;
      isKnown = true;
    }
  if (!isKnown)
    refuse("unknown limit '" + kind + "' of '" + port.tensor.name + "'");
  const Json *size = object.find("size"), *past = object.find("past");
  static const Json nothing;
  read.size = readSize(size ? *size : nothing);
  if (read.limit.kind == IndexLimit::Rows && object.find("from_end"))
    read.limit.countsFromEnd = get(object, "from_end", Json::Bool).isTrue();
  if (read.limit.kind != IndexLimit::Positions)
    return read;
  read.limit.firstPosition = getInteger(object, "first", 0, largest);
  if (past)
    read.past = readSize(*past);
  if (object.find("pad"))
    read.limit.padId = getInteger(object, "pad", 0, largest);
  return read;
}

PackagePort ManifestReader::readArgument(const Json &object) {
  PackagePort port;
  port.tensor = readTensor(object);
  if (object.find("of_rank"))
    port.isOfRank = get(object, "of_rank", Json::Bool).isTrue();
  std::string role = getString(object, "role");
  port.isParameter = role == "parameter";
  if (role != "parameter" && role != "input")
    refuse("expected the role of '" + port.tensor.name +
           "' to be input or parameter, got '" + role + "'");
  for (const PlanSize &size : port.tensor.shape) {
    if (port.isParameter && !size.isNumber())
      refuse("expected parameter '" + port.tensor.name +
             "' to have a fixed size");
    // Names in it would be undefined.
    if (size.isStep())
      refuse("expected a size of input '" + port.tensor.name +
             "' to be a number or a name, got '" + formatSize(size) + "'");
  }
  // A kernel would use them without checks.
  bool isInteger = port.tensor.type.find('i') != std::string::npos;
  if (!port.isParameter && !fault && isInteger)
    for (const Json &limit : getArray(object, "limits")) {
      if (!fault && getString(limit, "kind") == pastLimitName)
        port.caches = readCaches(limit);
      else
        port.limits.push_back(readLimit(limit, port));
    }
  return port;
}

void ManifestReader::readImages(const Json &object, PackageCode &code) {
  uint64_t rest = code.cubin ? code.cubin->bytes : 0;
  for (const Json &entry : getArray(object, "images")) {
    PackageImage &image = code.images.emplace_back();
    image.bytes = static_cast<uint64_t>(
        getInteger(entry, "bytes", 1, std::numeric_limits<int64_t>::max()));
    for (const Json &function : getArray(entry, "functions")) {
      if (!function.isString())
        return refuse("expected names of functions of an image");
      image.functions.push_back(function.text());
    }
    if (image.bytes > rest)
      return refuse("expected images that are the file of machine code, got "
                    "larger ones");
    rest -= image.bytes;
  }
  if (rest != 0)
    refuse("expected images that are the file of machine code, got " +
           std::to_string(rest) + " bytes behind them");
}

PackageCode ManifestReader::readCode(const Json &object) {
  PackageCode code;
  code.chip = getString(object, "chip");
  place = "chip '" + code.chip + "': ";
  if (object.find("multiprocessors"))
    code.multiprocessors = getInteger(object, "multiprocessors", 1, largest);
  code.ptx = readFile(object, "ptx");
  code.cubin = readOptionalFile(object, "cubin");
  if (object.find("images"))
    readImages(object, code);
  code.bitcode = readFile(object, "bitcode");
  if (numRanks == 1)
    code.plans.push_back(readPlan(get(object, "plan", Json::Object)));
  else
    for (const Json &plan : getArray(object, "plans"))
      code.plans.push_back(readPlan(plan));
  if (code.plans.size() != numRanks)
    refuse("expected plans of " + std::to_string(numRanks) + " ranks, got " +
           std::to_string(code.plans.size()));
  place.clear();
  return code;
}

void ManifestReader::readRecipes() {
  if (numRanks == 1) {
    if (std::optional<PackageFile> recipe = readOptionalFile(root, "recipe"))
      package.recipes.push_back(*recipe);
    package.constants.push_back(readOptionalFile(root, "constants"));
    return;
  }
  for (const Json &recipe : getArray(root, "recipes")) {
    package.recipes.push_back(readFile(recipe, "recipe"));
    package.constants.push_back(readOptionalFile(recipe, "constants"));
  }
}

void ManifestReader::readWeights(const Json &object) {
  package.weights = {getString(object, "pairs"),
                     getString(object, "correction"),
                     getString(object, "model_hash")};
  if (!package.weights.isFitted())
    refuse("expected 'weights' to name pairs");
}

void ManifestReader::readTop() {
  package.function = getString(root, "function");
  for (const Json &dim : getArray(root, "dims"))
    package.dims.push_back(dim.text());
  for (const Json &argument : getArray(root, "arguments"))
    package.arguments.push_back(readArgument(argument));
  for (const Json &result : getArray(root, "results"))
    package.results.emplace_back().tensor = readTensor(result);
  for (const Json &layer : getArray(root, "layers"))
    package.layers.push_back(
        {getString(layer, "name"), getInteger(layer, "index", 0, largest)});
  if (root.find("weights"))
    readWeights(get(root, "weights", Json::Object));
  package.model = readFile(root, "model");
  readRecipes();
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
           std::to_string(schema) + ": the package is made for " +
           (schema > packageSchema ? "a newer launcher"
                                   : "an older launcher: make it anew"));
  if (!fault && root.find("ranks"))
    numRanks = static_cast<size_t>(getInteger(root, "ranks", 2, 4096));
  if (!fault)
    readTop();
  return fault;
}
