//===- GivenWeights.cpp - loads corrected and added weights ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GivenWeights.h"

#include "Hashing.h"

using namespace parablock;
using namespace parablock::drift;
using llvm::Error;
using llvm::Expected;

Expected<GivenWeights> GivenWeights::open(const Choice &choice,
                                          llvm::StringRef choicePath,
                                          llvm::StringRef weightsPath) {
  GivenWeights given;
  given.choice = choice;
  given.choicePath = choicePath.str();
  if (weightsPath.empty()) {
    if (choice.correction != Correction::None)
      return llvm::createStringError(
          choicePath + ": the choice is for weights with correction " +
          getEnumName(choice.correction) +
          "; give them with --corrected-weights");
    return given;
  }
  Expected<runner::TensorFile> file = runner::TensorFile::open(weightsPath);
  if (!file)
    return file.takeError();
  given.file = std::make_unique<runner::TensorFile>(std::move(*file));
  return given;
}

GivenWeights GivenWeights::of(const Model &model, const Choice &choice,
                              std::map<unsigned, Tensor> parameters,
                              llvm::StringMap<Tensor> added) {
  GivenWeights given;
  given.choice = choice;
  given.added = std::move(added);
  given.source = model.source().withChanges(std::move(parameters));
  return given;
}

Expected<Tensor> GivenWeights::loadAdded(const AddedParameter &parameter,
                                         ElementType type) const {
  auto known = added.find(parameter.name);
  if (known != added.end())
    return known->second;
  const SafeTensorsEntry *entry = file ? file->lookup(parameter.name) : nullptr;
  runner::Port port;
  port.name = parameter.name;
  port.type = type;
  if (entry)
    port.shape = entry->shape;
  if (!entry || entry->shape.size() != (parameter.rank ? 2 : 1))
    return llvm::createStringError(
        (file ? file->path() : llvm::StringRef(choicePath)) +
        ": expected the " +
        (parameter.rank ? llvm::Twine(parameter.getKind()) + " factor"
                        : llvm::Twine("bias")) +
        " '" + parameter.name + "' that the choice adds");
  return file->load(port, port.shape);
}

Error GivenWeights::check(const Model &model) {
  if (file) {
    Expected<ParameterSource> made =
        ParameterSource::create(model.getFunction(), file.get(), 0);
    if (!made)
      return made.takeError();
    source.emplace(std::move(*made));
  } else {
    source = model.source();
  }
  ContentHash hash;
  for (unsigned i = 0; i < source->size(); ++i) {
    if (!source->getArgument(i).isParameter)
      continue;
    Expected<Tensor> loaded = source->load(i);
    if (!loaded)
      return loaded.takeError();
    hash.add(source->getArgument(i).name, *loaded);
  }
  for (const AddedParameter &added : choice.addedParameters) {
    Expected<Tensor> loaded =
        loadAdded(added, getElementTypeOf(model.getLink(0).input));
    if (!loaded)
      return loaded.takeError();
    hash.add(added.name, *loaded);
  }
  std::string found = hash.finish();
  if (found != choice.weightsHash)
    return llvm::createStringError(
        choicePath + ": the choice is for other weights: expected hash " +
        choice.weightsHash + ", got " + found);
  return Error::success();
}

Error GivenWeights::addParameters(const Sublayer &sublayer,
                                  SublayerWeights &weights) const {
  auto add = [&](const Projection &projection, LinearWeights &linear) -> Error {
    for (const AddedParameter &parameter : choice.addedParameters) {
      if (parameter.index != sublayer.getLayerIndex() ||
          parameter.getProjection() != projection.name)
        continue;
      if (Error error =
              checkRank(parameter, linear.getOutputs(), linear.getInputs()))
        return llvm::createStringError(choicePath + ": " +
                                       llvm::toString(std::move(error)));
      llvm::StringRef kind = parameter.getKind();
      int64_t rank = parameter.rank;
      Expected<Tensor> loaded = loadAdded(parameter, linear.weight.type);
      if (!loaded)
        return loaded.takeError();
      std::vector<int64_t> shape = {linear.getOutputs()};
      if (kind == "left")
        shape = {rank, linear.getOutputs()};
      else if (kind == "right")
        shape = {rank, linear.getInputs()};
      if (loaded->shape != llvm::ArrayRef(shape))
        return llvm::createStringError(
            (file ? file->path() : llvm::StringRef(choicePath)) + ": tensor '" +
            parameter.name + "': expected shape " + formatShape(shape) +
            ", got " + formatShape(loaded->shape));
      (kind == "left"    ? linear.left
       : kind == "right" ? linear.right
                         : linear.bias) = std::move(*loaded);
    }
    if (linear.left.values && linear.right.values)
      linear.weight = addProduct(linear.weight, linear.left, linear.right);
    return Error::success();
  };
  for (auto [projection, linear] :
       llvm::zip_equal(sublayer.inputs, weights.inputs))
    if (Error error = add(projection, linear))
      return error;
  return add(sublayer.output, weights.output);
}

Expected<PairWeights> GivenWeights::load(const Model &model,
                                         const Candidate &candidate) const {
  const PairRunner &pair = model.getPair(candidate);
  PairWeights weights;
  for (auto [runner, to] : {std::pair(&pair.first(), &weights.first),
                            std::pair(&pair.second(), &weights.second)}) {
    Expected<SublayerWeights> loaded = runner->load(*source);
    if (!loaded)
      return loaded.takeError();
    *to = std::move(*loaded);
    if (Error error = addParameters(runner->sublayer(), *to))
      return error;
  }
  return weights;
}
