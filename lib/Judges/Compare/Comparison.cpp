//===- Comparison.cpp - judges outputs with floors ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Judges/Compare/Comparison.h"

#include "parablock/Judges/Compare/Original.h"
#include "parablock/Support/ExactIntegers.h"

using namespace parablock;
using namespace parablock::runner;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

const Tensor *Outputs::lookup(StringRef name) const {
  for (auto [port, tensor] : llvm::zip_equal(ports, tensors))
    if (port.name == name)
      return &tensor;
  return nullptr;
}

ComparedTensor Outputs::getCompared(size_t index) const {
  return {ports[index].type, tensors[index].shape, tensors[index].data()};
}

Outputs runner::makeOutputs(const Signature &signature,
                            std::vector<Tensor> tensors) {
  Outputs outputs{signature.results, std::move(tensors)};
  for (auto [port, tensor] : llvm::zip_equal(outputs.ports, outputs.tensors))
    port.shape.assign(tensor.shape.begin(), tensor.shape.end());
  return outputs;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

OutputRows::OutputRows(const BoundFunction &function,
                       ArrayRef<Tensor> arguments, const InputFacts &facts) {
  for (auto [argument, value] :
       llvm::zip_equal(function.signature.arguments, arguments)) {
    if (argument.isParameter)
      continue;
    if (argument.name == "hidden_states")
      stream = value;
    if (argument.name != "lengths")
      continue;
    lengths.assign(value.data().begin(), value.data().end());
    tokens = facts.lookup(argument.name).tokens.value_or(0);
  }
  for (double length : lengths)
    for (int64_t token = 0; token < tokens; ++token)
      mask.push_back(static_cast<double>(token) < length);
}

CompareOptions OutputRows::getOptions(const Port &output) const {
  CompareOptions options;
  ArrayRef<int64_t> shape = output.shape;
  if (!mask.empty() && shape.size() >= 2 &&
      shape[0] == static_cast<int64_t>(lengths.size()) && shape[1] == tokens)
    options.rowMask = mask;
  if (output.name == "hidden_states" && stream.values &&
      ArrayRef<int64_t>(stream.shape) == shape)
    options.updateBase = stream.data();
  return options;
}

//===----------------------------------------------------------------------===//
// Judging
//===----------------------------------------------------------------------===//

static Expected<size_t> findPort(ArrayRef<Port> ports, StringRef name,
                                 StringRef where) {
  for (auto [index, port] : llvm::enumerate(ports))
    if (port.name == name)
      return index;
  return llvm::createStringError("output '" + name + "' is missing in " +
                                 where);
}

static Expected<std::vector<Verdict>>
judgeByKnownFloors(const Outputs &got, const Expectation &expectation,
                   const OutputRows &rows) {
  const Outputs &want = expectation.want;
  for (const Port &port : want.ports) {
    Expected<size_t> index =
        findPort(got.ports, port.name, "the function that ran");
    if (!index)
      return index.takeError();
  }
  std::vector<Verdict> verdicts;
  for (auto [index, port] : llvm::enumerate(got.ports)) {
    Expected<size_t> wanted =
        findPort(want.ports, port.name, expectation.against);
    if (!wanted)
      return wanted.takeError();
    ErrorFloor floor;
    if (expectation.original)
      floor = expectation.original->measureFloor(port, rows);
    verdicts.push_back(judge(port.name, got.getCompared(index),
                             want.getCompared(*wanted),
                             rows.getOptions(want.ports[*wanted]), floor));
  }
  return verdicts;
}

Expected<std::vector<Verdict>>
runner::judgeOutputs(const Outputs &got, const Expectation &expectation,
                     const OutputRows &rows) {
  Expected<std::vector<Verdict>> verdicts =
      judgeByKnownFloors(got, expectation, rows);
  Original *original = expectation.original;
  if (!verdicts || !original || !original->needsSamples() ||
      llvm::all_of(*verdicts, [](const Verdict &each) { return each.pass(); }))
    return verdicts;
  // One sample of an error may be small by chance. More samples take time, and
  // only increase limits.
  if (Error error = original->drawRoundings())
    return error;
  return judgeByKnownFloors(got, expectation, rows);
}

Expected<Outputs> runner::readExpectedOutputs(const SafeTensorsFile &file,
                                              ArrayRef<Port> ports,
                                              llvm::raw_ostream &remarks) {
  Outputs outputs;
  for (const Port &port : ports) {
    const SafeTensorsEntry *entry = file.lookup(port.name);
    if (!entry)
      return llvm::createStringError(
          file.path() + ": expected an output '" + port.name + "' of shape " +
          formatDims(port.shape) + ", got none of that name");
    bool isExact = entry->type == ElementType::F64 && isFloatType(port.type);
    Port stored;
    stored.name = port.name;
    stored.type = isExact ? port.type : entry->type;
    stored.shape.assign(entry->shape.begin(), entry->shape.end());
    if (Error error =
            checkExactAsDoubles(file.path() + ": tensor '" + entry->name + "'",
                                entry->type, entry->bytes))
      return error;
    Tensor tensor;
    tensor.type = entry->type;
    tensor.shape.assign(entry->shape.begin(), entry->shape.end());
    tensor.values =
        std::make_shared<const std::vector<double>>(entry->decode());
    outputs.ports.push_back(std::move(stored));
    outputs.tensors.push_back(std::move(tensor));
  }
  for (const SafeTensorsEntry &entry : file.entries())
    if (!outputs.lookup(entry.name))
      remarks << "remark: " << file.path() << ": '" << entry.name
              << "' is no output of the function\n";
  return outputs;
}
