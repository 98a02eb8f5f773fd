//===- ArgumentSupply.cpp - reads, draws and converts values --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Execution/ArgumentSupply.h"
#include "parablock/Execution/InputDrawing.h"
#include "parablock/Support/TensorPart.h"

using namespace parablock;
using namespace parablock::runner;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

Expected<BoundFunction> ArgumentSupply::bind(mlir::func::FuncOp function,
                                             bool isHeld) {
  Expected<Signature> signature = readSignature(function);
  if (!signature)
    return signature.takeError();
  DimensionBinding binding(givenDims);
  for (const Argument &argument : signature->arguments) {
    auto known = boundShapes.find(argument.name);
    if (known != boundShapes.end())
      if (Error error =
              binding.bind(argument, known->second, "the other function"))
        return error;
    TensorFile *file = findFile(argument);
    const SafeTensorsEntry *entry =
        file ? file->lookup(argument.name) : nullptr;
    if (entry)
      if (Error error = binding.bind(argument, entry->shape, file->path()))
        return error;
  }
  Expected<std::vector<Shape>> shapes = binding.resolve(*signature, isHeld);
  if (!shapes)
    return shapes.takeError();

  for (const auto &[name, size] : givenDims)
    if (binding.isUsed(name))
      usedDims.insert(name);
  for (auto [argument, shape] : llvm::zip_equal(signature->arguments, *shapes))
    boundShapes.try_emplace(argument.name, shape);
  for (const auto &entry : collectInputFacts(*signature, *shapes)) {
    InputFact &fact = inputFacts[entry.getKey()];
    if (!fact.tableRows) {
      fact.tableRows = entry.second.tableRows;
      fact.ignored = entry.second.ignored;
      fact.countsFromEnd = entry.second.countsFromEnd;
    }
    if (!fact.vocabulary)
      fact.vocabulary = entry.second.vocabulary;
    if (!fact.tokens)
      fact.tokens = entry.second.tokens;
    if (!fact.packedTokens)
      fact.packedTokens = entry.second.packedTokens;
    if (!fact.positions)
      fact.positions = entry.second.positions;
    if (!fact.drawnBelow) {
      fact.drawnBelow = entry.second.drawnBelow;
      fact.isDrawnOnce = entry.second.isDrawnOnce;
    }
  }
  return BoundFunction{std::move(*signature), std::move(*shapes)};
}

TensorFile *ArgumentSupply::findFile(const Argument &argument) const {
  auto has = [&](TensorFile *file) {
    return file &&
           file->lookup(argument.name,
                        argument.shape.empty() ? 0 : argument.shape.front());
  };
  if (argument.isParameter && has(weights))
    return weights;
  if (has(inputs))
    return inputs;
  // The error of the file lists missing tensors.
  bool isExpected = argument.isParameter && !isPositionalName(argument.name);
  return isExpected ? weights : nullptr;
}

Error ArgumentSupply::checkDimsUsed() const {
  for (const auto &[name, size] : givenDims)
    if (!usedDims.contains(name))
      return llvm::createStringError("--dims: no argument has a dynamic "
                                     "dimension named '" +
                                     name + "'");
  return Error::success();
}

void ArgumentSupply::add(StringRef name, Tensor value) {
  values[name] = std::move(value);
}

Expected<Tensor> ArgumentSupply::draw(const Argument &argument,
                                      ArrayRef<int64_t> shape,
                                      const InputFact &fact) {
  (argument.isParameter ? drawnParameters : drawnInputs).insert(argument.name);
  return drawArgument(argument, shape, fact, seed);
}

Expected<Tensor> ArgumentSupply::makePart(const Argument &argument,
                                          const ParameterPart &part) {
  Argument whole = argument;
  whole.name = part.parameter;
  if (weights)
    return weights->loadPart(whole, part.shape, part.offsets);
  Expected<Tensor> tensor = draw(whole, part.shape, {});
  if (!tensor)
    return tensor;
  tensor->values = std::make_shared<const std::vector<double>>(
      copyPart(tensor->data(), tensor->shape, {part.offsets, argument.shape}));
  tensor->shape.assign(argument.shape.begin(), argument.shape.end());
  return tensor;
}

Expected<Tensor> ArgumentSupply::makeValue(const Argument &argument,
                                           ArrayRef<int64_t> shape) {
  if (auto part = parts.find(argument.name); part != parts.end())
    return makePart(argument, part->second);
  if (TensorFile *file = findFile(argument))
    return file->load(argument, shape);
  return draw(argument, shape, inputFacts.lookup(argument.name));
}

/// Returns the same numbers in the element type of another function.
static Expected<Tensor> convert(const Tensor &value, const Argument &argument) {
  if (value.type == argument.type)
    return value;
  if (isFloatType(value.type) != isFloatType(argument.type))
    return llvm::createStringError(
        "argument '" + argument.name + "': expected " +
        getElementTypeKeyword(argument.type) + ", got " +
        getElementTypeKeyword(value.type) + " from the other function");
  std::vector<double> elements(value.data());
  roundTo(argument.type, elements);
  Tensor result = value;
  result.type = argument.type;
  result.values =
      std::make_shared<const std::vector<double>>(std::move(elements));
  return result;
}

Expected<std::vector<Tensor>>
ArgumentSupply::provide(const BoundFunction &function) {
  std::vector<Tensor> result;
  for (auto [argument, shape] :
       llvm::zip_equal(function.signature.arguments, function.shapes)) {
    auto known = values.find(argument.name);
    if (known == values.end()) {
      Expected<Tensor> value = makeValue(argument, shape);
      if (!value)
        return value.takeError();
      known = values.try_emplace(argument.name, std::move(*value)).first;
    }
    Expected<Tensor> value = convert(known->second, argument);
    if (!value)
      return value.takeError();
    result.push_back(std::move(*value));
  }
  return result;
}
