//===- WeightsOutput.cpp - collects changes and writes weights ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "WeightsOutput.h"

#include "Hashing.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Analysis/FittedLayers.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::drift;
using llvm::Error;
using llvm::Expected;

namespace {
class ChangeCollector {
public:
  explicit ChangeCollector(const Model &model) : model(model) {
    for (size_t i = 0; i < model.source().size(); ++i)
      names.insert(model.source().getArgument(i).name);
  }

  Error add(const SublayerRunner &runner, const SublayerWeights &corrected) {
    Expected<SublayerWeights> original = runner.load(model.source());
    if (!original)
      return original.takeError();
    const Sublayer &sublayer = runner.sublayer();
    for (auto [projection, before, after] :
         llvm::zip_equal(sublayer.inputs, original->inputs, corrected.inputs))
      if (Error error = add(sublayer, projection, before, after))
        return error;
    if (sublayer.getMixture())
      for (auto [value, before, after] :
           llvm::zip_equal(sublayer.others, original->others, corrected.others))
        if (before.data() != after.data())
          if (Error error = addOther(sublayer, value, after))
            return error;
    return add(sublayer, sublayer.output, original->output, corrected.output);
  }

  WeightChanges take() { return std::move(changes); }

private:
  /// Adds a weight of a mixture.
  Error addOther(const Sublayer &sublayer, Value value, const Tensor &after) {
    Expected<WeightSite> site = write(sublayer, value, after);
    if (site)
      return Error::success();
    return llvm::createStringError(
        "layer " + llvm::Twine(sublayer.getLayerIndex()) + ", experts: " +
        llvm::toString(site.takeError()) + "; --blocks can leave its pair out");
  }

  Error add(const Sublayer &sublayer, const Projection &projection,
            const LinearWeights &before, const LinearWeights &after) {
    Error error = addChanges(sublayer, projection, before, after);
    if (!error)
      return error;
    return llvm::createStringError(
        "layer " + llvm::Twine(sublayer.getLayerIndex()) + ", " +
        projection.name + ": " + llvm::toString(std::move(error)) +
        "; --blocks can leave its pair out");
  }

  Error addChanges(const Sublayer &sublayer, const Projection &projection,
                   const LinearWeights &before, const LinearWeights &after) {
    if (!before)
      return Error::success();
    bool hasFactors = static_cast<bool>(after.left.values);
    if (!hasFactors && before.weight.data() != after.weight.data())
      if (Error error =
              write(sublayer, projection.weight, after.weight).takeError())
        return error;
    bool hasBias = before.bias.data() != after.bias.data();
    if (hasBias && projection.bias)
      if (Error error =
              write(sublayer, projection.bias, after.bias).takeError())
        return error;
    bool addsBias = hasBias && !projection.bias;
    if (!hasFactors && !addsBias)
      return Error::success();
    Expected<WeightSite> site =
        locateWeight(model.outliner(), projection.weight);
    if (!site)
      return site.takeError();
    // Other layers may have factors of the matrix, too.
    std::string stem = makeStem(projection, *site).first + ".layer" +
                       std::to_string(sublayer.getLayerIndex());
    if (hasFactors)
      for (auto [kind, values] :
           {std::pair("left", &after.left), std::pair("right", &after.right)})
        add(sublayer, projection, kind, makeUnique(stem + "." + kind), *values);
    if (addsBias)
      add(sublayer, projection, "bias",
          hasFactors ? makeUnique(stem + ".bias") : makeName(projection, *site),
          after.bias);
    return Error::success();
  }

  void add(const Sublayer &sublayer, const Projection &projection,
           llvm::StringRef kind, std::string name, const Tensor &values) {
    NewParameter added;
    added.parameter.index = sublayer.getLayerIndex();
    added.parameter.operand = (projection.name + "_" + kind).str();
    added.parameter.name = std::move(name);
    if (kind != "bias")
      added.parameter.rank = values.shape[0];
    added.type = model.getStoredType(projection.weight);
    added.values = values;
    changes.added.push_back(std::move(added));
  }

  /// Returns `x` and true for `x.weight`, and `x.q` and false for the part `q`
  /// of a parameter.
  std::pair<std::string, bool> makeStem(const Projection &projection,
                                        const WeightSite &site) {
    const runner::Argument &parameter =
        model.source().getArgument(site.argument);
    llvm::StringRef stem = parameter.name;
    bool isWhole = stem.consume_back(".weight") &&
                   countElements(parameter.shape) == site.indices.size();
    return {isWhole ? stem.str() : (stem + "." + projection.name).str(),
            isWhole};
  }

  std::string makeUnique(std::string name) {
    while (!names.insert(name).second)
      name += "_";
    return name;
  }

  /// Returns `x.bias` for `x.weight`, and a separate name for a part of a
  /// parameter.
  std::string makeName(const Projection &projection, const WeightSite &site) {
    auto [stem, isWhole] = makeStem(projection, site);
    std::string name = stem + ".bias";
    if (!isWhole)
      name = stem + "_bias";
    else if (names.contains(name))
      name = stem + "." + projection.name.str() + "_bias";
    return makeUnique(std::move(name));
  }

  Expected<WeightSite> write(const Sublayer &sublayer, Value value,
                             const Tensor &values) {
    Expected<WeightSite> site = locateWeight(model.outliner(), value);
    if (!site)
      return site;
    const runner::Argument &parameter =
        model.source().getArgument(site->argument);
    auto fail = [&] {
      return llvm::createStringError(
          "parameter '" + parameter.name +
          "' is read in more than one place, so it cannot be corrected for one "
          "of them");
    };
    if (isShared(value, sublayer.op))
      return fail();
    auto [entry, isNew] = changes.parameters.try_emplace(site->argument);
    if (isNew) {
      Expected<Tensor> loaded = model.source().load(site->argument);
      if (!loaded)
        return loaded.takeError();
      entry->second = std::move(*loaded);
    }
    std::vector<double> elements(entry->second.data());
    std::vector<bool> &isWritten = written[site->argument];
    isWritten.resize(elements.size());
    for (auto [index, element] :
         llvm::zip_equal(site->indices, values.data())) {
      if (isWritten[index] && elements[index] != element)
        return fail();
      isWritten[index] = true;
      elements[index] = element;
    }
    entry->second = makeTensor(entry->second.type, entry->second.shape,
                               std::move(elements));
    return site;
  }

  const Model &model;
  llvm::StringSet<> names;
  WeightChanges changes;
  /// Elements of parameters that have their new values.
  std::map<unsigned, std::vector<bool>> written;
};
} // namespace

Expected<WeightChanges> drift::collectChanges(const Model &model,
                                              const Conversion &conversion) {
  ChangeCollector collector(model);
  for (const ConvertedPair &pair : conversion.pairs) {
    if (!pair.corrected.applied)
      continue;
    const PairRunner &runner = model.getPair(pair.candidate);
    if (Error error =
            collector.add(runner.first(), pair.corrected.weights.first))
      return error;
    if (Error error =
            collector.add(runner.second(), pair.corrected.weights.second))
      return error;
  }
  return collector.take();
}

Expected<WeightChanges>
drift::collectChanges(const Model &model,
                      llvm::ArrayRef<RoundedSublayer> sublayers) {
  ChangeCollector collector(model);
  for (const RoundedSublayer &sublayer : sublayers)
    if (Error error = collector.add(*sublayer.runner, sublayer.weights))
      return error;
  return collector.take();
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Adds to the file's metadata the fields that the original's lacks.
static SafeTensorsMetadata makeMetadata(const runner::TensorFile *file,
                                        const Choice &choice) {
  SafeTensorsMetadata metadata;
  if (file)
    metadata = file->metadata();
  files::WeightsForm form = getWeightsForm(choice);
  // Layers that weights were fitted to before keep them.
  if (!form.isFitted() && files::readWeightsForm(metadata).isFitted())
    return metadata;
  files::writeWeightsForm(form, metadata);
  metadata["parablock.norm"] = getEnumName(choice.norm).str();
  return metadata;
}

Error drift::writeWeights(llvm::StringRef path, const Model &model,
                          const WeightChanges &changes, const Choice &choice) {
  const ParameterSource &source = model.source();
  llvm::StringMap<unsigned> arguments;
  std::vector<TensorDeclaration> declarations;
  // A file's keys stay as they are.
  const runner::TensorFile *file = source.getFile();
  auto getKey = [&](const std::string &name) {
    const SafeTensorsEntry *entry = file ? file->lookup(name) : nullptr;
    return entry ? entry->name : name;
  };
  for (unsigned i = 0; i < source.size(); ++i)
    if (source.getArgument(i).isParameter)
      arguments[getKey(source.getArgument(i).name)] = i;
  if (file) {
    // Changed stacks take the place of the matrices that they are stored as.
    llvm::StringSet<> parts;
    for (const auto &[argument, values] : changes.parameters) {
      std::string key = getKey(source.getArgument(argument).name);
      ArrayRef<std::string> own = file->listParts(key);
      parts.insert(own.begin(), own.end());
      if (!own.empty())
        declarations.push_back({key,
                                source.getStoredType(argument),
                                {values.shape.begin(), values.shape.end()}});
    }
    for (const SafeTensorsEntry &entry : file->entries())
      if (!parts.contains(entry.name))
        declarations.push_back(entry);
  } else {
    for (const auto &entry : arguments) {
      const runner::Argument &argument = source.getArgument(entry.second);
      declarations.push_back({argument.name,
                              argument.type,
                              {argument.shape.begin(), argument.shape.end()}});
    }
  }
  llvm::StringMap<const NewParameter *> added;
  for (const NewParameter &each : changes.added) {
    added[each.parameter.name] = &each;
    declarations.push_back(
        {each.parameter.name,
         each.type,
         {each.values.shape.begin(), each.values.shape.end()}});
  }
  Expected<std::unique_ptr<SafeTensorsWriter>> writer =
      SafeTensorsWriter::create(path, std::move(declarations),
                                makeMetadata(file, choice));
  if (!writer)
    return writer.takeError();
  for (const TensorDeclaration &declaration : (*writer)->declarations()) {
    auto append = [&]() -> Error {
      if (const NewParameter *own = added.lookup(declaration.name))
        return (*writer)->appendValues(declaration.name, own->values.data());
      auto argument = arguments.find(declaration.name);
      if (argument != arguments.end()) {
        auto changed = changes.parameters.find(argument->second);
        if (changed != changes.parameters.end())
          return (*writer)->appendValues(declaration.name,
                                         changed->second.data());
      }
      if (file)
        return (*writer)->append(declaration.name,
                                 file->lookup(declaration.name)->bytes);
      Expected<Tensor> drawn = source.load(argument->second);
      if (!drawn)
        return drawn.takeError();
      return (*writer)->appendValues(declaration.name, drawn->data());
    };
    if (Error error = append())
      return error;
  }
  return (*writer)->keep();
}

Expected<std::string> drift::computeWeightsHash(const Model &model,
                                                const WeightChanges &changes) {
  ContentHash hash;
  for (unsigned i = 0; i < model.source().size(); ++i) {
    const runner::Argument &argument = model.source().getArgument(i);
    if (!argument.isParameter)
      continue;
    auto changed = changes.parameters.find(i);
    if (changed != changes.parameters.end()) {
      hash.add(argument.name, changed->second);
      continue;
    }
    Expected<Tensor> loaded = model.source().load(i);
    if (!loaded)
      return loaded.takeError();
    hash.add(argument.name, *loaded);
  }
  for (const NewParameter &added : changes.added)
    hash.add(added.parameter.name, added.values);
  return hash.finish();
}
