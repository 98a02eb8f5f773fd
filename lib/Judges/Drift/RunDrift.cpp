//===- RunDrift.cpp - measures, chooses, corrects, writes -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CompensateRounding.h"
#include "DriftReport.h"
#include "Rows.h"
#include "mlir/IR/Builders.h"
#include "parablock/Analysis/FittedLayers.h"
#include "parablock/Analysis/ModelHash.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Execution/ModuleLoading.h"
#include "parablock/Transforms/PairSelection.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace mlir;
using namespace parablock;
using namespace parablock::drift;
using llvm::Error;
using llvm::Expected;

namespace {
class DriftRun {
public:
  DriftRun(const DriftRequest &request, MLIRContext &context,
           llvm::raw_ostream &remarks)
      : request(request), context(context), remarks(remarks),
        progress(remarks, request.showProgress),
        preparation(this->request.engine, remarks) {}

  Expected<llvm::json::Object> run() {
    // What is wrong with one chunk is wrong with many.
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      std::string text;
      llvm::raw_string_ostream(text) << diagnostic.getLocation() << diagnostic;
      return success(!diagnosed.insert(text).second);
    });
    if (Error error = checkRequest())
      return error;
    if (Error error = load())
      return error;
    if (!request.quantize.empty())
      return quantize();
    if (Error error = checkData())
      return error;
    if (Error error = measure())
      return error;
    if (Error error = choose())
      return error;
    if (Error error = confirm())
      return error;
    results.refusals = preparation.getRefusals();
    llvm::json::Object report = makeReport(request, *model, results);
    progress.show("");
    if (weights)
      weights->printRemarks(remarks);
    if (Error error = writeOutputs(request, *model, results, report, *original))
      return error;
    return report;
  }

private:
  Error checkRequest();
  Error load();
  Error checkForm() const;
  Error checkWeightsFit() const;
  Error readGivenChoice();
  Error selectCandidates();
  Expected<llvm::json::Object> quantize();
  Error checkData();
  Error measure();
  bool isScreening() const;
  Error choose();
  Error confirm();
  Error generate();

  bool isCorrected() const { return request.correction != Correction::None; }
  CorrectionOptions getOptions() const {
    return {request.ridge, request.addBiases, given ? &*given : nullptr};
  }

  /// Diagnostics so far.
  llvm::StringSet<> diagnosed;
  /// With what a choice file says in place of what it overrides.
  DriftRequest request;
  MLIRContext &context;
  llvm::raw_ostream &remarks;
  Progress progress;
  Preparation preparation;
  /// As it is measured, with rows of any number, and as it was read.
  OwningOpRef<ModuleOp> module, original;
  func::FuncOp function;
  std::optional<runner::TensorFile> weights;
  std::optional<ParameterSource> source;
  std::optional<Dataset> data;
  std::unique_ptr<Model> model;
  /// The choice file, if one was given, and its weights.
  std::optional<Choice> choice;
  std::optional<GivenWeights> given;
  std::vector<Candidate> candidates;
  /// The pairs are those that the request lists.
  bool isExplicit = false;
  Split klSplit = Split::Select;
  DriftResults results;
};
} // namespace

Error DriftRun::checkRequest() {
  if (request.budgetKl && !(*request.budgetKl >= 0))
    return llvm::createStringError("--budget-kl: expected at least 0");
  if (!(request.ridge >= 0) || std::isinf(request.ridge))
    return llvm::createStringError(
        "--ridge: expected a finite number of at least 0");
  const ParallelForm &form = request.form;
  for (auto [flag, scale] : {std::pair("--scale", form.scale),
                             std::pair("--attn-scale", form.attentionScale),
                             std::pair("--mlp-scale", form.mlpScale)})
    if (!std::isfinite(scale))
      return llvm::createStringError(llvm::Twine(flag) +
                                     ": expected a finite number");
  if (request.screen.mode == Screen::On && !request.budgetKl)
    return llvm::createStringError(
        "--screen: expected a --budget-kl to choose pairs under");
  if (request.compareCorrections && !isCorrected())
    return llvm::createStringError(
        "--compare-corrections: expected a --correction to compare with");
  return Error::success();
}

/// Layers that read another stack's result are no chain: what one pair changes
/// would reach them on two ways.
static Error checkOneStack(func::FuncOp function) {
  block::LayerOp found;
  function.walk([&](block::AttentionOp op) {
    if (op.isCross() && !found)
      found = op->getParentOfType<block::LayerOp>();
  });
  if (!found)
    return Error::success();
  return llvm::createStringError(
      "layer " + Twine(found.getIndex()) + " ('" + found.getLabel() +
      "'): expected layers of one stack, got a cross-attention: drift measures "
      "an encoder alone, so import that");
}

/// A file of which nothing is taken would leave all weights to the seed.
Error DriftRun::checkWeightsFit() const {
  if (!weights)
    return Error::success();
  Expected<runner::Signature> signature = runner::readSignature(function);
  if (!signature)
    return signature.takeError();
  SmallVector<StringRef> names;
  for (const runner::Argument &argument : signature->arguments)
    if (argument.isParameter)
      names.push_back(argument.name);
  if (llvm::any_of(names,
                   [&](StringRef name) { return weights->lookup(name); }))
    return Error::success();
  return weights->checkUsed("--weights", names);
}

Error DriftRun::load() {
  Expected<OwningOpRef<ModuleOp>> loaded =
      runner::loadModule(request.irPath, context);
  if (!loaded)
    return loaded.takeError();
  module = std::move(*loaded);
  original = module->clone();
  Expected<func::FuncOp> found =
      runner::findFunction(*module, request.functionName, request.irPath);
  if (!found)
    return found.takeError();
  function = *found;
  if (Error error = checkOneStack(function))
    return error;
  results.modelHash = computeModelHash(function);
  if (Error error = readGivenChoice())
    return error;
  dropUnmeasured(function);
  Expected<Dataset> dataset = loadRows(
      module, function,
      {request.dataPath, request.dims, {}, 0, 0, request.seed}, remarks);
  if (!dataset)
    return dataset.takeError();
  data.emplace(std::move(*dataset));
  if (!request.weightsPath.empty()) {
    Expected<runner::TensorFile> file =
        runner::TensorFile::open(request.weightsPath);
    if (!file)
      return file.takeError();
    weights.emplace(std::move(*file));
  }
  if (Error error = checkForm())
    return error;
  Expected<ParameterSource> parameters = ParameterSource::create(
      function, weights ? &*weights : nullptr, request.seed);
  if (!parameters)
    return parameters.takeError();
  source.emplace(std::move(*parameters));
  if (Error error = checkWeightsFit())
    return error;
  results.dataHash = data->computeHash();
  progress.show("preparing engine " + request.engine.name);
  Expected<std::unique_ptr<Model>> made =
      Model::create(function, *source, *data,
                    {request.form, request.memoryMebibytes << 20, preparation,
                     /*steps=*/isCorrected() || !request.quantize.empty()});
  if (!made)
    return made.takeError();
  model = std::move(*made);
  return selectCandidates();
}

/// Weights belong to the layers as they are, and pairs are fitted in one run.
Error DriftRun::checkForm() const {
  if (weights)
    if (Error error =
            checkWeightsForm(function, weights->metadata(), weights->path()))
      return error;
  files::WeightsForm form = findWeightsForm(function);
  if (!isCorrected() || !form.isFitted())
    return Error::success();
  return llvm::createStringError(
      "--correction=" + getEnumName(request.correction) +
      ": expected a model that needs original weights, got one of " +
      files::describeWeights(form) +
      ": begin with the serial model and correct all pairs at once");
}

Error DriftRun::readGivenChoice() {
  llvm::StringRef path = request.blocks;
  if (!path.consume_front("@")) {
    if (!request.correctedWeightsPath.empty())
      return llvm::createStringError("--corrected-weights: expected it beside "
                                     "the --blocks=@FILE that it belongs to");
    return Error::success();
  }
  if (isCorrected() || request.budgetKl)
    return llvm::createStringError("--blocks=@" + path +
                                   ": what is in a file is neither chosen nor "
                                   "corrected again");
  Expected<Choice> read = readChoice(path);
  if (!read)
    return read.takeError();
  if (read->modelHash != results.modelHash)
    return llvm::createStringError(
        path + ": the choice is for another model: expected model_hash " +
        results.modelHash + ", got " + read->modelHash);
  choice.emplace(std::move(*read));
  request.form = {choice->norm, choice->scale, choice->attentionScale,
                  choice->mlpScale};
  if (request.correctedWeightsPath.empty() && !choice->weightsFile.empty()) {
    SmallString<128> beside(llvm::sys::path::parent_path(path));
    llvm::sys::path::append(beside, choice->weightsFile);
    request.correctedWeightsPath = beside.str().str();
  }
  Expected<GivenWeights> opened =
      GivenWeights::open(*choice, path, request.correctedWeightsPath);
  if (!opened)
    return opened.takeError();
  given.emplace(std::move(*opened));
  return Error::success();
}

/// The candidates that the request speaks of. Pairs that it names but that
/// cannot be made parallel are remarked on.
Error DriftRun::selectCandidates() {
  bool isBestOfAll =
      request.pairing == Pairing::Best && request.blocks == "all";
  isExplicit = request.blocks != "all";
  if (isBestOfAll) {
    candidates = model->candidates();
    return Error::success();
  }
  SmallVector<LayerPair> pairs;
  if (choice) {
    pairs.assign(choice->chosen.begin(), choice->chosen.end());
    if (Error error = given->check(*model))
      return error;
  } else {
    FailureOr<SmallVector<LayerPair>> named =
        block::selectPairs(function, request.blocks, request.pairing);
    if (failed(named))
      return llvm::make_error<runner::DiagnosedError>();
    pairs = std::move(*named);
  }
  for (LayerPair pair : pairs) {
    const Candidate *found =
        llvm::find_if(model->candidates(), [&](const Candidate &candidate) {
          return candidate.pair == pair;
        });
    if (found != model->candidates().end())
      candidates.push_back(*found);
    else if (choice)
      return llvm::createStringError(
          llvm::StringRef(request.blocks).drop_front() + ": pair " +
          pair.getName() + " is no attention and MLP in series");
    else
      remarks << "remark: pair " << pair.getName()
              << " cannot be made parallel: it is no attention and MLP in "
                 "series\n";
  }
  return Error::success();
}

/// Writes weights of codes, and says what codes cost.
Expected<llvm::json::Object> DriftRun::quantize() {
  std::optional<QuantizedForm> form =
      parseName<QuantizedForm>(request.quantize);
  if (!form)
    return llvm::createStringError("--quantize: expected " +
                                   listNames<QuantizedForm>() + ", got '" +
                                   request.quantize + "'");
  if (isCorrected() || request.budgetKl || choice)
    return llvm::createStringError(
        "--quantize: expected no pairs to choose or correct beside it");
  if (data->countTokens(Split::Fit) == 0)
    return llvm::createStringError(
        "--quantize: expected at least 2 sequences, one to fit by and one to "
        "report on, got " +
        Twine(data->numRows()));
  progress.show("rounding weights");
  Expected<CompensatedWeights> rounded =
      compensateRounding(*model, *form, request.damping);
  if (!rounded)
    return rounded.takeError();
  progress.show("");
  if (weights)
    weights->printRemarks(remarks);
  results.changes = std::move(rounded->changes);
  llvm::json::Object report = describeRounding(*form, *rounded);
  report["model_hash"] = results.modelHash;
  report["data_hash"] = results.dataHash;
  if (Error error = writeOutputs(request, *model, results, report, *original))
    return error;
  return report;
}

Error DriftRun::checkData() {
  if (data->countSequences(Split::Select) == 0)
    klSplit = Split::Report;
  if (request.budgetKl) {
    if (!model->hasLogits())
      return llvm::createStringError(
          "--budget-kl: the model has no logits to take a KL divergence of");
    if (data->countSequences(Split::Select) == 0)
      return llvm::createStringError(
          "--budget-kl: expected at least 2 sequences, one to choose by and "
          "one to report on, got " +
          Twine(data->numRows()));
  }
  if (!isCorrected())
    return Error::success();
  int64_t unknowns = 0;
  for (const Candidate &candidate : candidates)
    unknowns = std::max(unknowns,
                        countUnknowns(*model, candidate, request.correction));
  int64_t tokens = data->countTokens(Split::Fit);
  if (tokens < minTokensPerUnknown * unknowns)
    return llvm::createStringError(
        "--correction=" + getEnumName(request.correction) +
        ": too few tokens: expected at least " +
        Twine(minTokensPerUnknown * unknowns) + " to fit " + Twine(unknowns) +
        " unknowns for each output, got " + Twine(tokens) +
        " in the half of the data that is for fitting");
  return Error::success();
}

Error DriftRun::measure() {
  SmallVector<Correction> corrections;
  if (request.compareCorrections)
    for (Correction correction :
         {Correction::MeanJacobian, Correction::OutputRefit, Correction::Refit})
      if (correction != request.correction)
        corrections.push_back(correction);
  // The one that was asked for comes last: it is what pairs are chosen by.
  if (isCorrected())
    corrections.push_back(request.correction);
  Expected<Scan> scan = scanModel(*model,
                                  {candidates, corrections, getOptions(),
                                   klSplit, request.screen, isScreening()},
                                  progress);
  if (!scan)
    return scan.takeError();
  results.scan = std::move(*scan);
  progress.show("");
  for (const CandidateReport &report : results.scan.candidates)
    remarkOnDropped(remarks, report.candidate, report.screen, request.screen);
  progress.show("measuring the floor");
  Builder builder(&context);
  SmallVector<Type> types = {
      cast<RankedTensorType>(model->getLink(0).input.getType())
          .getElementType()};
  if (!types.front().isBF16())
    types.push_back(builder.getBF16Type());
  Expected<std::vector<NumericFloor>> floors =
      measureFloors(*model, function, types);
  if (!floors)
    return floors.takeError();
  results.floors = std::move(*floors);
  return Error::success();
}

bool DriftRun::isScreening() const {
  if (!request.budgetKl || request.screen.mode == Screen::Off)
    return false;
  return request.screen.mode == Screen::On || (!isExplicit && !isCorrected());
}

Error DriftRun::choose() {
  std::vector<Priced> prices;
  for (const CandidateReport &report : results.scan.candidates)
    if (!report.screen.isDropped)
      prices.push_back({report.candidate,
                        model->hasLogits()
                            ? report.getKl(request.correction)
                            : report.recoveries.back().updateError.getMean()});
  std::vector<std::vector<Candidate>> choices = chooseByCount(prices);
  size_t count = choices.size() - 1;
  if (request.budgetKl) {
    auto measureChoice = [&](size_t pairs) -> Expected<double> {
      Expected<Conversion> conversion =
          convertModel(*model, results.scan, choices[pairs], request.correction,
                       getOptions(), klSplit, progress);
      if (!conversion)
        return conversion.takeError();
      Expected<LogitDrift> drift =
          measureConversion(*model, results.scan, *conversion, klSplit);
      if (!drift)
        return drift.takeError();
      return drift->kl.getMean();
    };
    Expected<size_t> found = searchUnderBudget(
        choices, prices, *request.budgetKl, measureChoice, results.trials);
    if (!found)
      return found.takeError();
    count = *found;
    results.selectedKl = 0;
    for (const Trial &trial : results.trials)
      if (trial.pairs == count)
        results.selectedKl = trial.measured;
  } else if (request.pairing == Pairing::Best && !isExplicit && count > 1) {
    // Every sublayer paired leaves no choice; one pair less does.
    --count;
  }
  results.chosen = choices[count];
  results.predicted = predict(results.chosen, prices);
  return Error::success();
}

Error DriftRun::confirm() {
  Expected<Conversion> conversion =
      convertModel(*model, results.scan, results.chosen, request.correction,
                   getOptions(), Split::Report, progress);
  if (!conversion)
    return conversion.takeError();
  results.conversion = std::move(*conversion);
  if (model->hasLogits()) {
    Expected<LogitDrift> drift = measureConversion(
        *model, results.scan, results.conversion, Split::Report);
    if (!drift)
      return drift.takeError();
    results.logits = std::move(*drift);
  }
  if (Error error = generate())
    return error;
  Expected<std::string> before = computeWeightsHash(*model, {});
  if (!before)
    return before.takeError();
  results.weightsHash = std::move(*before);
  Expected<WeightChanges> changes = collectChanges(*model, results.conversion);
  if (!changes)
    return changes.takeError();
  results.changes = std::move(*changes);
  Expected<std::string> after = computeWeightsHash(*model, results.changes);
  if (!after)
    return after.takeError();
  results.correctedWeightsHash = std::move(*after);
  return Error::success();
}

Error DriftRun::generate() {
  if (request.generate == 0)
    return Error::success();
  Expected<Divergence> divergence =
      compareGeneration(*model, results.conversion,
                        static_cast<int64_t>(request.generate), progress);
  if (!divergence)
    return divergence.takeError();
  results.divergence = std::move(*divergence);
  return Error::success();
}

Expected<llvm::json::Object> drift::runDrift(const DriftRequest &request,
                                             MLIRContext &context,
                                             llvm::raw_ostream &remarks) {
  return DriftRun(request, context, remarks).run();
}
