//===- HealRun.cpp - heals the chosen pairs and measures again ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DriftRun.h"
#include "Hashing.h"
#include "Healer.h"
#include "parablock/Support/StrictJSON.h"
#include "parablock/Transforms/Passes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace parablock;
using namespace parablock::drift;
using llvm::Error;
using llvm::Expected;
namespace json = llvm::json;

/// Tokens of one call, and its logits: more would not be faster.
static constexpr int64_t callTokens = 512, callLogits = 1 << 22;
/// Held-out tokens of a measurement.
static constexpr int64_t heldOutTokens = 8192;
/// Passes over the training data beyond which healing learns it by heart.
static constexpr uint64_t mostPasses = 100;
/// Largest relative difference between KL of drift and of healing, and the
/// largest absolute one.
static constexpr double largestRatio = 0.01, largestDifference = 1e-5;

/// Prints a number with the digits that tell it from others.
static std::string print(double number) {
  return llvm::formatv("{0}", json::Value(number)).str();
}

/// Checks what needs no programs.
Error DriftRun::checkHealing() {
  const Healing &healing = request.healing;
  if (healing.tokens == 0)
    return Error::success();
  double rate = healing.getRate();
  if (!(rate > 0) || std::isinf(rate))
    return llvm::createStringError(
        "--heal-rate: expected a finite number above 0, got " +
        llvm::Twine(print(rate)));
  if (healing.stop && healing.checkpointPath.empty())
    return llvm::createStringError(
        "--heal-stop: expected a --heal-checkpoint to continue from");
  if (healing.streams &&
      !(*healing.streams >= 0 && std::isfinite(*healing.streams)))
    return llvm::createStringError(
        "--heal-streams: expected a finite number of at least 0, got " +
        llvm::Twine(print(*healing.streams)));
  if (healing.streams && healing.targets == HealTargets::Text)
    return llvm::createStringError(
        "--heal-streams: expected --heal-targets=teacher, got text, which has "
        "no streams");
  if (!healing.codes.empty() && !parseName<QuantizedForm>(healing.codes))
    return llvm::createStringError("--heal-codes: expected " +
                                   listNames<QuantizedForm>() + ", got '" +
                                   healing.codes + "'");
  if (healing.loraRank > largestRank)
    return llvm::createStringError("--heal-lora: expected a rank of at most " +
                                   llvm::Twine(largestRank) + ", got " +
                                   llvm::Twine(healing.loraRank));
  if (request.lowRank != 0 || (choice && choice->getRank() != 0))
    return llvm::createStringError(
        "--heal: expected pairs without changes of low rank, which are not "
        "trained");
  if (!request.engine.prepare)
    return llvm::createStringError(
        "--heal: expected engine cpu, which trains, got reference");
  if (data->countSequences(Split::Select) == 0 ||
      data->countSequences(Split::Fit) == 0)
    return llvm::createStringError(
        "--heal: expected at least 3 sequences, one to train on, one held out "
        "and one to report on, got " +
        llvm::Twine(data->numRows()));
  bool hasIds = data->getIds(data->chunks().front()).has_value();
  if (healing.targets == HealTargets::Text && (!hasIds || !model->isCausal()))
    return llvm::createStringError(
        "--heal-targets=text: expected a causal model of ids, whose next token "
        "is the target, got " +
        llvm::Twine(hasIds ? "attention to later tokens" : "no ids"));
  if (candidates.empty())
    return llvm::createStringError(
        "--heal: expected layers to convert, got none");
  return loadHealingData();
}

/// Returns the factor of the error of streams in the loss.
static double getStreamFactor(const Healing &healing) {
  return healing.streams.value_or(healing.targets == HealTargets::Text ? 0 : 1);
}

/// Returns rows of one call.
static HealSizes chooseSizes(const Model &model) {
  const Dataset &data = model.data();
  int64_t tokens = data.numTokensPerRow();
  int64_t rows = std::max<int64_t>(
      1, std::min(callTokens / tokens,
                  callLogits /
                      (tokens * std::max<int64_t>(1, model.getVocabulary()))));
  return {data.getFixedBatch() ? data.getFixedBatch() : rows, tokens};
}

/// Loads the data to train on; requires enough of them for one step at least,
/// and for not too many passes.
Error DriftRun::loadHealingData() {
  const std::string &path = request.healing.dataPath;
  int64_t length = data->numTokensPerRow();
  if (!path.empty()) {
    Expected<Dataset> loaded = Dataset::create(
        model->getFunction(),
        {path, {}, {}, data->getFixedBatch(), 0, request.seed}, remarks);
    if (!loaded)
      return loaded.takeError();
    healingData.emplace(std::move(*loaded));
    if (healingData->numTokensPerRow() != length)
      return llvm::createStringError(
          "--heal-data: " + path + ": expected sequences of " +
          llvm::Twine(length) + " tokens as in --data, got " +
          llvm::Twine(healingData->numTokensPerRow()));
  }
  uint64_t tokens = request.healing.tokens;
  uint64_t atLeast = Healer::countStepTokens(chooseSizes(*model));
  size_t rows = healingData ? healingData->listRows(std::nullopt).size()
                            : data->countSequences(Split::Fit);
  uint64_t available = rows * length;
  if (tokens < atLeast)
    return llvm::createStringError(
        "--heal: expected at least the " + llvm::Twine(atLeast) +
        " tokens of one step, got " + llvm::Twine(tokens));
  if (tokens / mostPasses > available)
    return llvm::createStringError(
        "--heal: expected at most " + llvm::Twine(mostPasses) +
        " passes over the " + llvm::Twine(available) +
        " tokens to train on, got " + llvm::Twine(tokens) +
        " tokens: give more data, or --heal-data=FILE");
  return Error::success();
}

/// Loads the changes that a choice file's weights are of the model's.
static Expected<WeightChanges> listChanges(const Model &model,
                                           const GivenWeights &given) {
  WeightChanges changes;
  for (unsigned i = 0; i < model.source().size(); ++i) {
    if (!model.source().getArgument(i).isParameter)
      continue;
    Expected<Tensor> before = model.source().load(i), after = given.load(i);
    if (!before)
      return llvm::joinErrors(before.takeError(), after.takeError());
    if (!after)
      return after.takeError();
    if (before->data() != after->data())
      changes.parameters[i] = std::move(*after);
  }
  ElementType type = getElementTypeOf(model.getLink(0).input);
  for (const AddedParameter &added : given.getChoice().addedParameters) {
    Expected<Tensor> loaded = given.loadAdded(added, type);
    if (!loaded)
      return loaded.takeError();
    changes.added.push_back({added, type, std::move(*loaded)});
  }
  return changes;
}

/// Rounds like a file of the weights, so that measurements hold for the file.
static Tensor roundAs(ElementType stored, const Tensor &tensor) {
  std::vector<double> values(tensor.data());
  roundTo(stored, values);
  roundTo(tensor.type, values);
  return makeTensor(tensor.type, tensor.shape, std::move(values));
}

namespace {
/// The chosen pairs at one stage, on the split to report on.
struct Stage {
  const char *name;
  LogitDrift logits;
  TokenStatistics lastStream;
  std::optional<Divergence> divergence;
  std::vector<TaskScore> tasks;
};

/// Healing of one run's pairs.
class HealRun {
public:
  HealRun(const Model &model, const DriftRequest &request,
          const DriftResults &results, const Choice &choice,
          WeightChanges start, const Dataset *own, Progress &progress,
          llvm::raw_ostream &remarks)
      : model(model), request(request), results(results), choice(choice),
        start(std::move(start)), progress(progress), remarks(remarks),
        own(own) {}

  /// Prepares programs and data. `expected` is the loss a token of the start on
  /// the select split: KL, or the squared error of the last stream.
  Error prepare(double expected);
  /// Returns the healed weights.
  Expected<WeightChanges> run();
  json::Object describe() const;

private:
  Expected<Tensors> loadArguments() const;
  Expected<HealWeights> makeWeights();
  Error checkRank(llvm::ArrayRef<Tensor> trained) const;
  HealIdentity identify() const;
  WeightChanges collect();

  const Model &model;
  const DriftRequest &request;
  const DriftResults &results;
  const Choice &choice;
  WeightChanges start;
  Progress &progress;
  llvm::raw_ostream &remarks;
  const Dataset *own;
  HealRows training, heldOut;
  std::optional<HealPrograms> programs;
  std::optional<Healer> healer;
  HealState state;
  /// Numbers that the types of the file round to another code.
  int64_t lostCodes = 0;
};
} // namespace

/// Returns the student's arguments: parameters as they are before healing.
Expected<Tensors> HealRun::loadArguments() const {
  Tensors arguments;
  const ParameterSource &source = model.source();
  for (unsigned i = 0; i < source.size(); ++i) {
    arguments.emplace_back();
    if (!source.getArgument(i).isParameter)
      continue;
    Expected<Tensor> value = source.load(i);
    if (!value)
      return value.takeError();
    arguments.back() = std::move(*value);
  }
  for (const NewParameter &added : start.added)
    arguments.push_back(added.values);
  return arguments;
}

Expected<HealWeights> HealRun::makeWeights() {
  const Healing &healing = request.healing;
  std::vector<CodeAxis> axes(programs->getTrained().size(), CodeAxis::None);
  if (!healing.codes.empty())
    if (Error error = programs->findCodeAxes().moveInto(axes))
      return std::move(error);
  return HealWeights(axes, static_cast<int64_t>(healing.loraRank),
                     parseName<QuantizedForm>(healing.codes));
}

/// Requires that the change of one matrix at least has fewer numbers than the
/// matrix; the others are trained whole.
Error HealRun::checkRank(llvm::ArrayRef<Tensor> trained) const {
  auto rank = static_cast<int64_t>(request.healing.loraRank);
  int64_t matrices = 0, whole = 0, largest = 0;
  for (const Tensor &weight : trained)
    if (std::optional<int64_t> own = HealWeights::getLargestRank(weight)) {
      ++matrices;
      whole += *own < rank;
      largest = std::max(largest, *own);
    }
  if (rank > largest)
    return llvm::createStringError(
        "--heal-lora: expected a rank of at most " + llvm::Twine(largest) +
        ", whose change has fewer numbers than a matrix, got " +
        llvm::Twine(rank) + "; without it, matrices are trained whole");
  if (rank != 0 && whole != 0)
    remarks << "remark: --heal-lora: " << whole << " of " << matrices
            << " matrices are trained whole: a change of rank " << rank
            << " has as many numbers as they have, or more\n";
  return Error::success();
}

HealIdentity HealRun::identify() const {
  const Healing &healing = request.healing;
  HealSizes sizes = programs->getSizes();
  std::string pairs;
  for (const LayerPair &pair : choice.chosen)
    pairs += (pairs.empty() ? "" : ",") + pair.getName();
  return {{"codes", healing.codes.empty() ? "none" : healing.codes},
          {"data", results.dataHash},
          {"engine", request.engine.name},
          {"heal_data", own ? own->computeHash() : "the fit part"},
          {"learning_rate", print(healing.getRate())},
          {"lora", std::to_string(healing.loraRank)},
          {"model", results.modelHash},
          {"norm", getEnumName(choice.norm).str()},
          {"pairs", pairs},
          {"scales", print(choice.scale) + " " + print(choice.attentionScale) +
                         " " + print(choice.mlpScale)},
          {"seed", std::to_string(request.seed)},
          {"streams", print(getStreamFactor(healing))},
          {"step_rows", std::to_string(healLanes * sizes.rows)},
          {"targets", getEnumName(healing.targets).str()},
          {"tokens", std::to_string(healing.tokens)},
          {"weights", results.correctedWeightsHash}};
}

Error HealRun::prepare(double expected) {
  const Dataset &data = model.data();
  training = own ? HealRows{own, own->listRows(std::nullopt)}
                 : HealRows{&data, data.listRows(Split::Fit)};
  heldOut = {&data, data.listRows(Split::Select)};
  size_t most = std::max<int64_t>(1, heldOutTokens / data.numTokensPerRow());
  if (heldOut.rows.size() > most)
    heldOut.rows.resize(most);
  progress.show("preparing to heal");
  Expected<HealPrograms> made = HealPrograms::create(
      model.getFunction(), choice, chooseSizes(model),
      getStreamFactor(request.healing), model.hasLogits(), request.engine);
  if (!made)
    return made.takeError();
  programs.emplace(std::move(*made));
  if (programs->getTrained().empty())
    return llvm::createStringError(
        "--heal: other layers read every weight of the converted ones");
  Expected<Tensors> arguments = loadArguments();
  if (!arguments)
    return arguments.takeError();
  Tensors trained;
  for (unsigned argument : programs->getTrained()) {
    auto changed = start.parameters.find(argument);
    trained.push_back(changed == start.parameters.end() ? (*arguments)[argument]
                                                        : changed->second);
  }
  if (Error error = checkRank(trained))
    return error;
  Expected<HealWeights> weights = makeWeights();
  if (!weights)
    return weights.takeError();
  healer.emplace(*programs, request.healing, request.seed,
                 std::move(*arguments), std::move(*weights), training, heldOut);
  Expected<double> found = healer->measure(trained);
  state = healer->makeState(std::move(trained));
  if (!found)
    return found.takeError();
  // Drift and healing run the same model in different ways.
  if (heldOut.rows.size() ==
          static_cast<size_t>(data.countSequences(Split::Select)) &&
      !(std::abs(*found - expected) <=
        largestRatio * expected + largestDifference))
    return llvm::createStringError(llvm::formatv(
        "--heal: expected a loss of {0} on the held-out part, as measured "
        "before, got {1}: this model cannot be healed",
        print(expected), print(*found)));
  return Error::success();
}

Expected<WeightChanges> HealRun::run() {
  const std::string &path = request.healing.checkpointPath;
  HealIdentity identity = identify();
  if (!path.empty() && llvm::sys::fs::exists(path)) {
    if (Error error = readCheckpoint(path, state, identity))
      return std::move(error);
    remarks << "remark: healing continues at step " << state.step << " of "
            << healer->countSteps() << " from " << path << "\n";
  }
  auto save = [&](const HealState &reached) -> Error {
    return path.empty() ? Error::success()
                        : writeCheckpoint(path, reached, identity);
  };
  if (Error error = healer->run(state, progress, save))
    return std::move(error);
  progress.show("");
  const std::string &codes = request.healing.codes;
  if (state.bestStep == 0 && codes.empty())
    remarks << "remark: healing brought nothing on the held-out part; weights "
               "stay as they were\n";
  else if (state.bestStep == 0)
    remarks << "remark: healing brought nothing on the held-out part; weights "
               "are those of the start, rounded to codes of "
            << codes << ", with a "
            << (model.hasLogits() ? "KL" : "squared error of the last stream")
            << llvm::format(" of %.4g", state.bestKl) << "\n";
  return collect();
}

WeightChanges HealRun::collect() {
  WeightChanges changes = start;
  unsigned shared = model.source().size();
  const HealWeights &weights = healer->getWeights();
  Tensors healed = weights.compose(state.best);
  for (auto [i, argument] : llvm::enumerate(programs->getTrained())) {
    if (argument >= shared) {
      NewParameter &added = changes.added[argument - shared];
      added.values = roundAs(added.type, healed[i]);
      continue;
    }
    Tensor &stored = changes.parameters[argument] =
        roundAs(model.source().getStoredType(argument), healed[i]);
    lostCodes += weights.countLost(i, healed[i], stored);
  }
  if (lostCodes != 0)
    remarks << "remark: --heal-codes: the file's types round " << lostCodes
            << " numbers to other codes; a checkpoint of f32 keeps them\n";
  return changes;
}

json::Object HealRun::describe() const {
  json::Array heldOutKl;
  for (auto [step, kl] : state.history)
    heldOutKl.push_back(json::Object{{"step", step}, {"kl", toJSONNumber(kl)}});
  int64_t elements = 0;
  for (const Tensor &weight : state.weights)
    elements += weight.getNumElements();
  bool isDone = state.step == healer->countSteps() || !state.end.empty();
  std::string end = state.end;
  if (end.empty())
    end = isDone ? "all tokens" : "--heal-stop";
  HealSizes sizes = programs->getSizes();
  const Healing &healing = request.healing;
  auto orNull = [](bool isGiven, json::Value value) {
    return isGiven ? std::move(value) : json::Value(nullptr);
  };
  return json::Object{
      {"stream_factor",
       programs->countStreams() ? getStreamFactor(healing) : 0},
      {"lora", orNull(healing.loraRank != 0, healing.loraRank)},
      {"codes", orNull(!healing.codes.empty(), healing.codes)},
      {"lost_codes", orNull(!healing.codes.empty(), lostCodes)},
      {"tokens", state.tokens},
      {"steps", state.step},
      {"planned_steps", healer->countSteps()},
      {"end", end},
      {"finished", isDone},
      {"learning_rate", healing.getRate()},
      {"targets", getEnumName(healing.targets)},
      {"seed", request.seed},
      {"rows_per_step", healLanes * sizes.rows},
      {"training_tokens",
       static_cast<int64_t>(training.rows.size()) * sizes.tokens},
      {"trained_tensors", static_cast<int64_t>(programs->getTrained().size())},
      {"trained_elements", elements},
      {"best_step", state.bestStep},
      {"held_out_tokens", healer->countHeldOut()},
      {"held_out", std::move(heldOutKl)}};
}

/// Describes what each stage costs.
static void describeStages(llvm::ArrayRef<Stage> stages, json::Object &report) {
  json::Object kl, top1, perplexity, generation, tasks, streams;
  auto getMean = [](const TokenStatistics &statistics) -> json::Value {
    return statistics.empty() ? json::Value(nullptr)
                              : toJSONNumber(statistics.getMean());
  };
  for (const Stage &stage : stages) {
    kl[stage.name] = getMean(stage.logits.kl);
    top1[stage.name] = getMean(stage.logits.agreement);
    streams[stage.name] = getMean(stage.lastStream);
    perplexity[stage.name] =
        stage.logits.nll.empty()
            ? json::Value(nullptr)
            : toJSONNumber(std::exp(stage.logits.nll.getMean()));
    generation[stage.name] = stage.divergence
                                 ? toJSONNumber(stage.divergence->getShare())
                                 : json::Value(nullptr);
    std::optional<double> share = getKeptShare(stage.tasks);
    tasks[stage.name] = share ? toJSONNumber(*share) : json::Value(nullptr);
  }
  report["tasks"] = std::move(tasks);
  report["kl"] = std::move(kl);
  report["stream_rel_l2"] = std::move(streams);
  report["top1"] = std::move(top1);
  report["perplexity"] = std::move(perplexity);
  report["generation"] = std::move(generation);
}

/// Returns the loss a token of the chosen pairs on the select split.
Expected<double> DriftRun::measureSelected() {
  if (!model->hasLogits()) {
    Expected<TokenStatistics> errors = measureLastStream(
        *model, results.scan, results.conversion, Split::Select);
    if (!errors)
      return errors.takeError();
    return errors->getMeanSquare();
  }
  Expected<LogitDrift> drift = measureConversion(
      *model, results.scan, results.conversion, Split::Select);
  if (!drift)
    return drift.takeError();
  return drift->kl.getMean();
}

/// Heals the weights that the chosen pairs have, and measures the pairs with
/// the healed ones.
Error DriftRun::heal() {
  if (results.chosen.empty())
    return llvm::createStringError(
        "--heal: expected layers to convert, got none");
  auto getStage = [&](const char *name) {
    return Stage{name, results.logits, results.lastStream, results.divergence,
                 results.tasks};
  };
  std::vector<Stage> stages{getStage("start")};
  Expected<double> expected = measureSelected();
  if (!expected)
    return expected.takeError();
  WeightChanges start = results.changes;
  if (given)
    if (Error error = listChanges(*model, *given).moveInto(start))
      return error;
  results.changes = start;
  if (Error error = computeWeightsHash(*model, start)
                        .moveInto(results.correctedWeightsHash))
    return error;
  Correction before = given ? choice->correction : request.correction;
  request.correction = Correction::Healed;
  Choice made = makeChoice(request, *model, results);
  HealRun run(*model, request, results, made, std::move(start),
              healingData ? &*healingData : nullptr, progress, remarks);
  if (Error error = run.prepare(*expected))
    return error;
  Expected<WeightChanges> healed = run.run();
  if (!healed)
    return healed.takeError();

  // Without weights, to compare with.
  std::vector<ConvertedPair> fitted = results.conversion.pairs;
  std::optional<GivenWeights> none;
  std::swap(given, none);
  request.correction = Correction::None;
  if (Error error = measureChosen())
    return error;
  stages.insert(stages.begin(), getStage("plain"));

  request.correction = Correction::Healed;
  results.changes = std::move(*healed);
  if (Error error = computeWeightsHash(*model, results.changes)
                        .moveInto(results.correctedWeightsHash))
    return error;
  llvm::StringMap<Tensor> added;
  for (const NewParameter &each : results.changes.added)
    added[each.parameter.name] = each.values;
  given = GivenWeights::of(*model, makeChoice(request, *model, results),
                           results.changes.parameters, std::move(added));
  if (Error error = measureChosen())
    return error;
  stages.push_back(getStage("healed"));
  if (model->hasLogits()) {
    size_t pairs = results.selected ? results.selected->pairs : 0;
    Expected<Trial> selected = tryChoice(results.chosen);
    if (!selected)
      return selected.takeError();
    results.selected = *selected;
    results.selected->pairs = pairs;
  }
  // The report has the fits of the correction.
  for (auto [pair, old] : llvm::zip_equal(results.conversion.pairs, fitted)) {
    pair.corrected.fits = old.corrected.fits;
    pair.corrected.applied = true;
    pair.corrected.reason = old.corrected.reason;
    pair.corrected.heldOutRatio = old.corrected.heldOutRatio;
  }
  results.healing = run.describe();
  results.healing["start"] = getEnumName(before);
  describeStages(stages, results.healing);
  return Error::success();
}
