//===- Drift.cpp - JSON requests for drift measurements -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock-c/Drift.h"

#include "Handles.h"
#include "mlir/IR/Diagnostics.h"
#include "parablock/Engines/CPUEngine/CpuFunction.h"
#include "parablock/Judges/Drift/Drift.h"
#include "parablock/Pipelines/BlockToCPU.h"
#include "parablock/Support/NearestName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace parablock;
using llvm::ArrayRef;
using llvm::Error;
using llvm::StringRef;

namespace {
/// A name of a request's option, the kind of its value, and its setter; `set`
/// returns false for an invalid value.
struct Option {
  StringRef name;
  std::string expected;
  std::function<bool(const llvm::json::Value &)> set;
};

class Options {
public:
  Options(drift::DriftRequest &request, std::string &engine);

  /// Sets an option by its name, with `_` or `-` between words.
  Error set(StringRef key, const llvm::json::Value &value) const;

private:
  void addText(StringRef name, StringRef expected, std::string &field);
  void addChoice(StringRef name, ArrayRef<StringRef> choices,
                 std::string &field);
  template <typename Enum> void addNamed(StringRef name, Enum &field);
  void addNumber(StringRef name, double &field);
  void addSwitch(StringRef name, bool &field);
  void addBudget(StringRef name, StringRef expected,
                 std::optional<double> &field);
  void addCount(StringRef name, std::function<void(uint64_t)> set);
  Error makeUnknownError(StringRef key) const;

  std::vector<Option> options;
};
} // namespace

void Options::addText(StringRef name, StringRef expected, std::string &field) {
  options.push_back(
      {name, expected.str(), [&field](const llvm::json::Value &value) {
         std::optional<StringRef> text = value.getAsString();
         field = text.value_or("").str();
         return text.has_value();
       }});
}

template <typename Enum> void Options::addNamed(StringRef name, Enum &field) {
  options.push_back(
      {name, listNames<Enum>(), [&field](const llvm::json::Value &value) {
         auto known = parseName<Enum>(value.getAsString().value_or(""));
         field = known.value_or(field);
         return known.has_value();
       }});
}

void Options::addChoice(StringRef name, ArrayRef<StringRef> choices,
                        std::string &field) {
  std::vector<StringRef> list = choices.vec();
  options.push_back(
      {name, listNames(choices), [&field, list](const auto &value) {
         std::optional<StringRef> text = value.getAsString();
         field = text.value_or("").str();
         return text && llvm::is_contained(list, *text);
       }});
}

void Options::addNumber(StringRef name, double &field) {
  options.push_back({name, "a number", [&field](const auto &value) {
                       std::optional<double> number = value.getAsNumber();
                       field = number.value_or(0);
                       return number.has_value();
                     }});
}

void Options::addSwitch(StringRef name, bool &field) {
  options.push_back({name, "true or false", [&field](const auto &value) {
                       std::optional<bool> state = value.getAsBoolean();
                       field = state.value_or(false);
                       return state.has_value();
                     }});
}

void Options::addBudget(StringRef name, StringRef expected,
                        std::optional<double> &field) {
  options.push_back(
      {name, expected.str(), [&field](const llvm::json::Value &value) {
         field = value.getAsNumber();
         return field.has_value();
       }});
}

void Options::addCount(StringRef name, std::function<void(uint64_t)> set) {
  options.push_back({name, "a whole number of at least 0",
                     [set = std::move(set)](const llvm::json::Value &value) {
                       std::optional<uint64_t> count = value.getAsUINT64();
                       set(count.value_or(0));
                       return count.has_value();
                     }});
}

Options::Options(drift::DriftRequest &request, std::string &engine) {
  addChoice("engine", {"cpu", "reference"}, engine);
  addText("blocks", "pairs such as 0,2-5, or @choice.json", request.blocks);
  addNamed("pairing", request.pairing);
  addNamed("norm", request.form.norm);
  addNamed("router", request.form.router);
  addNumber("scale", request.form.scale);
  addNumber("attn_scale", request.form.attentionScale);
  addNumber("mlp_scale", request.form.mlpScale);
  addNamed("correction", request.correction);
  addBudget("ridge", "a number", request.ridge);
  addSwitch("add_biases", request.addBiases);
  addCount("low_rank", [&request](uint64_t rank) { request.lowRank = rank; });
  addSwitch("compare_corrections", request.compareCorrections);
  addText("from", "the index of a layer, or half", request.from);
  addBudget("budget_kl", "a number of nats a token", request.budget.kl);
  addBudget("budget_generation", "a share of continuations, from 0 to 1",
            request.budget.generation);
  addBudget("budget_perplexity", "a factor of at least 1",
            request.budget.perplexity);
  addBudget("budget_tasks", "a share of solved tasks, from 0 to 1",
            request.budget.tasks);
  addNamed("budget_order", request.budget.order);
  addText("tasks", "a file", request.tasksPath);
  addCount("seed", [&request](uint64_t seed) { request.seed = seed; });
  addCount("generate",
           [&request](uint64_t tokens) { request.generate = tokens; });
  addCount("heal",
           [&request](uint64_t tokens) { request.healing.tokens = tokens; });
  addBudget("heal_rate", "a number", request.healing.rate);
  addNamed("heal_targets", request.healing.targets);
  addText("heal_data", "a file", request.healing.dataPath);
  addText("heal_checkpoint", "a file", request.healing.checkpointPath);
  addCount("heal_stop",
           [&request](uint64_t step) { request.healing.stop = step; });
  addBudget("heal_streams", "a number", request.healing.streams);
  addCount("heal_lora",
           [&request](uint64_t rank) { request.healing.loraRank = rank; });
  addText("heal_codes", "a form of block-quantize", request.healing.codes);
  addSwitch("progress", request.showProgress);
  addText("ir", "a file", request.irPath);
  addText("weights", "a file", request.weightsPath);
  addText("data", "a file", request.dataPath);
  addText("weights_out", "a file", request.weightsOutPath);
  addText("choice", "a file", request.choicePath);
}

Error Options::set(StringRef key, const llvm::json::Value &value) const {
  std::string name = key.str();
  std::replace(name.begin(), name.end(), '-', '_');
  for (const Option &option : options) {
    if (option.name != name)
      continue;
    if (option.set(value))
      return Error::success();
    std::string given = llvm::formatv("{0}", value).str();
    if (std::optional<StringRef> text = value.getAsString())
      given = ("'" + *text + "'").str();
    return llvm::createStringError("drift: " + name + ": expected " +
                                   option.expected + ", got " + given);
  }
  return makeUnknownError(name);
}

/// Lists the options, the most likely one first.
Error Options::makeUnknownError(StringRef key) const {
  std::vector<StringRef> names;
  std::string known;
  for (const Option &option : options) {
    names.push_back(option.name);
    known += llvm::formatv("{0}{1} ({2})", known.empty() ? "" : "; ",
                           option.name, option.expected)
                 .str();
  }
  StringRef nearest = findNearestName(key, names);
  std::string hint =
      nearest.empty() ? "." : (", did you mean '" + nearest + "'?").str();
  return llvm::createStringError(
      llvm::formatv("drift: no option '{0}'{1} There are {2}", key, hint, known)
          .str());
}

static Error measure(ParablockContext &context, StringRef text, char **json) {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  if (!parsed)
    return parsed.takeError();
  const llvm::json::Object *fields = parsed->getAsObject();
  if (!fields)
    return llvm::createStringError("drift: expected a JSON object");
  drift::DriftRequest request;
  std::string engineName;
  Options options(request, engineName);
  for (const auto &[key, value] : *fields) {
    if (Error error = options.set(key, value))
      return error;
    std::string name = key.str();
    std::replace(name.begin(), name.end(), '_', '-');
    request.given.insert(name);
  }
  llvm::Expected<drift::DriftEngine> engine = drift::chooseEngine(
      engineName, [] { return createCpuPreparation(lowerToKernels); });
  if (!engine)
    return engine.takeError();
  request.engine = std::move(*engine);
  std::string said;
  llvm::raw_string_ostream remarks(said);
  llvm::Expected<llvm::json::Object> report =
      drift::runDrift(request, context.context, remarks);
  if (!said.empty())
    mlir::emitRemark(mlir::UnknownLoc::get(&context.context))
        << StringRef(said).trim();
  if (!report)
    return report.takeError();
  *json = capi::copyJSON(std::move(*report));
  return Error::success();
}

ParablockStatus parablockMeasureDrift(ParablockContext *context,
                                      const char *request, char **json) {
  return capi::run(context, {request, json},
                   [&] { return measure(*context, request, json); });
}
