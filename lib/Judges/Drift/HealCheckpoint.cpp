//===- HealCheckpoint.cpp - files to resume healing from ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Healer.h"

#include "parablock/Support/SafeTensors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace parablock;
using namespace parablock::drift;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// Metadata that identify the run begin with it; so do those of its state.
static constexpr StringRef runPrefix = "heal.run.", statePrefix = "heal.";

static std::string makeName(StringRef part, size_t index) {
  return (part + "." + llvm::Twine(index)).str();
}

/// Writes all digits of a number.
static std::string printBits(double number) {
  return llvm::utohexstr(llvm::bit_cast<uint64_t>(number));
}

static std::optional<uint64_t> readInteger(StringRef text, unsigned radix) {
  uint64_t number;
  if (text.getAsInteger(radix, number))
    return std::nullopt;
  return number;
}

Error drift::writeCheckpoint(StringRef path, const HealState &state,
                             const HealIdentity &identity) {
  SafeTensorsMetadata metadata;
  for (const auto &[key, value] : identity)
    metadata[(runPrefix + key).str()] = value;
  std::string history;
  for (auto [step, kl] : state.history)
    history += (history.empty() ? "" : " ") + std::to_string(step) + ":" +
               printBits(kl);
  metadata["heal.step"] = std::to_string(state.step);
  metadata["heal.tokens"] = std::to_string(state.tokens);
  metadata["heal.best_step"] = std::to_string(state.bestStep);
  metadata["heal.best_kl"] = printBits(state.bestKl);
  metadata["heal.history"] = history;
  metadata["heal.end"] = state.end;
  std::vector<TensorDeclaration> declarations;
  llvm::StringMap<std::vector<double>> values;
  auto add = [&](StringRef part, size_t index, ElementType type,
                 const Tensor &like, std::vector<double> numbers) {
    declarations.push_back(
        {makeName(part, index), type, {like.shape.begin(), like.shape.end()}});
    values[declarations.back().name] = std::move(numbers);
  };
  for (size_t i = 0; i < state.weights.size(); ++i) {
    const Tensor &weight = state.weights[i];
    add("weight", i, ElementType::F64, weight, *weight.values);
    add("average", i, ElementType::F64, weight, *state.average[i].values);
    add("best", i, ElementType::F64, weight, *state.best[i].values);
    add("first", i, ElementType::F32, weight,
        {state.first[i].begin(), state.first[i].end()});
    add("second", i, ElementType::F32, weight,
        {state.second[i].begin(), state.second[i].end()});
  }
  Expected<std::unique_ptr<SafeTensorsWriter>> writer =
      SafeTensorsWriter::create(path, std::move(declarations), metadata);
  if (!writer)
    return writer.takeError();
  for (const TensorDeclaration &declaration : (*writer)->declarations())
    if (Error error =
            (*writer)->appendValues(declaration.name, values[declaration.name]))
      return error;
  return (*writer)->keep();
}

/// Fails if the file is no checkpoint of this run, with what differs.
static Error checkIdentity(StringRef path, const SafeTensorsMetadata &metadata,
                           const HealIdentity &identity) {
  for (const auto &[key, value] : identity) {
    auto found = metadata.find((runPrefix + key).str());
    if (found == metadata.end())
      return llvm::createStringError(
          "--heal-checkpoint: " + path +
          ": expected a checkpoint of healing, got a file without '" +
          runPrefix + key + "'");
    if (found->second != value)
      return llvm::createStringError(
          "--heal-checkpoint: " + path +
          ": a checkpoint of another run: " + key + ": expected " + value +
          ", got " + found->second + "; remove it or name another file");
  }
  return Error::success();
}

static bool readState(const SafeTensorsMetadata &metadata, HealState &state) {
  auto find = [&](StringRef key) -> StringRef {
    auto found = metadata.find((statePrefix + key).str());
    return found == metadata.end() ? StringRef() : StringRef(found->second);
  };
  bool isValid = true;
  auto read = [&](StringRef text, unsigned radix) -> uint64_t {
    std::optional<uint64_t> number = readInteger(text, radix);
    isValid &= number.has_value();
    return number.value_or(0);
  };
  state.step = read(find("step"), 10);
  state.tokens = read(find("tokens"), 10);
  state.bestStep = read(find("best_step"), 10);
  state.bestKl = llvm::bit_cast<double>(read(find("best_kl"), 16));
  state.end = find("end").str();
  state.history.clear();
  llvm::SmallVector<StringRef> entries;
  find("history").split(entries, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef entry : entries) {
    auto [step, kl] = entry.split(':');
    uint64_t number = read(step, 10);
    state.history.emplace_back(number, llvm::bit_cast<double>(read(kl, 16)));
  }
  return isValid && !state.history.empty();
}

Error drift::readCheckpoint(StringRef path, HealState &state,
                            const HealIdentity &identity) {
  Expected<SafeTensorsFile> file = SafeTensorsFile::open(path);
  if (!file)
    return file.takeError();
  if (Error error = checkIdentity(path, file->metadata(), identity))
    return error;
  if (!readState(file->metadata(), state))
    return llvm::createStringError("--heal-checkpoint: " + path +
                                   ": expected metadata of a checkpoint of "
                                   "healing, got damaged ones");
  auto read = [&](StringRef part, size_t index, ElementType type,
                  const Tensor &like) -> Expected<std::vector<double>> {
    Expected<const SafeTensorsEntry *> entry =
        file->require(makeName(part, index), like.shape);
    if (!entry)
      return entry.takeError();
    if ((*entry)->type != type)
      return llvm::createStringError("--heal-checkpoint: " + path +
                                     ": tensor '" + (*entry)->name +
                                     "' has another element type");
    return (*entry)->decode();
  };
  for (size_t i = 0; i < state.weights.size(); ++i) {
    Tensor &weight = state.weights[i];
    for (auto [part, to] : {std::pair("best", &state.best[i]),
                            std::pair("average", &state.average[i]),
                            std::pair("weight", &weight)}) {
      auto values = read(part, i, ElementType::F64, weight);
      if (!values)
        return values.takeError();
      *to = makeTensor(weight.type, weight.shape, std::move(*values));
    }
    for (auto [part, to] : {std::pair("first", &state.first[i]),
                            std::pair("second", &state.second[i])}) {
      auto values = read(part, i, ElementType::F32, weight);
      if (!values)
        return values.takeError();
      to->assign(values->begin(), values->end());
    }
  }
  return Error::success();
}
