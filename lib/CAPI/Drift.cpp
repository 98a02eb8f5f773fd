//===- Drift.cpp - what serial to parallel does to a model ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock-c/Drift.h"

#include "Handles.h"
#include "mlir/IR/Diagnostics.h"
#include "parablock/CPUEngine/CpuFunction.h"
#include "parablock/Drift/Drift.h"
#include "parablock/Pipelines/BlockToCPU.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace parablock;
using llvm::Error;
using llvm::StringRef;

/// Sets the field of the request, or the engine's name, that belongs to a flag.
static Error setField(drift::DriftRequest &request, StringRef &engine,
                      StringRef key, const llvm::json::Value &value) {
  const std::pair<StringRef, std::string *> texts[] = {
      {"ir", &request.irPath},
      {"weights", &request.weightsPath},
      {"data", &request.dataPath},
      {"blocks", &request.blocks},
      {"pairing", &request.pairing},
      {"norm", &request.form.norm},
      {"weights-out", &request.weightsOutPath},
      {"choice", &request.choicePath}};
  const std::pair<StringRef, double *> numbers[] = {
      {"scale", &request.form.scale},
      {"attn-scale", &request.form.attentionScale},
      {"mlp-scale", &request.form.mlpScale},
      {"ridge", &request.ridge}};
  const std::pair<StringRef, bool *> switches[] = {
      {"add-biases", &request.addBiases},
      {"compare-corrections", &request.compareCorrections}};
  auto is = [&](const auto &field) { return field.first == key; };
  auto refuse = [&](StringRef expected) {
    return llvm::createStringError(
        llvm::formatv("drift: {0}: expected {1}, got {2}", key, expected, value)
            .str());
  };
  std::optional<StringRef> text = value.getAsString();
  std::optional<double> number = value.getAsNumber();
  if (auto *field = llvm::find_if(texts, is); field != std::end(texts)) {
    if (!text)
      return refuse("a text");
    *field->second = text->str();
  } else if (auto *field = llvm::find_if(numbers, is);
             field != std::end(numbers)) {
    if (!number)
      return refuse("a number");
    *field->second = *number;
  } else if (auto *field = llvm::find_if(switches, is);
             field != std::end(switches)) {
    if (!value.getAsBoolean())
      return refuse("true or false");
    *field->second = *value.getAsBoolean();
  } else if (key == "engine") {
    if (!text)
      return refuse("cpu or reference");
    engine = *text;
  } else if (key == "budget-kl") {
    if (!number)
      return refuse("a number of nats a token");
    request.budgetKl = *number;
  } else if (key == "seed") {
    if (!value.getAsUINT64())
      return refuse("a whole number of at least 0");
    request.seed = *value.getAsUINT64();
  } else if (key == "correction") {
    auto kind = drift::parseCorrection(text.value_or(""));
    if (!kind)
      return refuse("none, mean-jacobian, output-refit or refit");
    request.correction = *kind;
  } else {
    std::string known = "engine, budget-kl, seed, correction";
    auto add = [&](const auto &fields) {
      for (const auto &field : fields)
        known += (", " + field.first).str();
    };
    add(texts);
    add(numbers);
    add(switches);
    return llvm::createStringError(
        llvm::formatv("drift: no option '{0}'; there are {1}", key, known)
            .str());
  }
  return Error::success();
}

static Error measure(ParablockContext &context, StringRef text, char **json) {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  if (!parsed)
    return parsed.takeError();
  const llvm::json::Object *fields = parsed->getAsObject();
  if (!fields)
    return llvm::createStringError("drift: expected a JSON object");
  drift::DriftRequest request;
  StringRef engineName;
  for (const auto &[key, value] : *fields)
    if (Error error = setField(request, engineName, key, value))
      return error;
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
  *json = capi::copyString(
      llvm::formatv("{0:2}", llvm::json::Value(std::move(*report))).str());
  return Error::success();
}

ParablockStatus parablockMeasureDrift(ParablockContext *context,
                                      const char *request, char **json) {
  if (!context)
    return ParablockBadInput;
  context->begin();
  if (!request || !json)
    return context->finish(capi::createNullError());
  return context->finish(measure(*context, request, json));
}
