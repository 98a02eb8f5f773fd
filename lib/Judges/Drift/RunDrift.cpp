//===- RunDrift.cpp - measures, chooses, corrects, writes -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CompensateRounding.h"
#include "DriftRun.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/PassManager.h"
#include "parablock/Transforms/QuantizedForms.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::drift;
using llvm::Error;
using llvm::Expected;

Expected<llvm::json::Object> DriftRun::run() {
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
  if (request.healing.tokens != 0)
    if (Error error = heal())
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

/// Returns the model with nearest codes; `activations` is the form of the rows
/// of products.
Expected<OwningOpRef<ModuleOp>> DriftRun::encode(EncodedRows activations) {
  OwningOpRef<ModuleOp> encoded = module->clone();
  block::BlockQuantizeOptions options;
  options.form = QuantizedForm::Fp8;
  options.activations = activations;
  options.functionName = function.getName().str();
  PassManager passes(&context);
  passes.addPass(block::createBlockQuantizeInPlace(options));
  if (failed(passes.run(*encoded)))
    return llvm::make_error<runner::DiagnosedError>();
  return std::move(encoded);
}

/// Returns the models with nearest codes, and with rows of products in codes
/// besides; none if these are not asked for.
Expected<std::vector<OwningOpRef<ModuleOp>>> DriftRun::encodeRows() {
  std::vector<OwningOpRef<ModuleOp>> encoded;
  if (!request.isGiven("activations"))
    return std::move(encoded);
  if (request.activations != "fp8")
    return llvm::createStringError("--activations: expected fp8, got '" +
                                   request.activations + "'");
  if (!model->hasLogits())
    return llvm::createStringError(
        "--activations: expected a model with logits, in which the error of "
        "rows is measured");
  for (EncodedRows activations : {EncodedRows::None, EncodedRows::Fp8}) {
    Expected<OwningOpRef<ModuleOp>> made = encode(activations);
    if (!made)
      return made.takeError();
    encoded.push_back(std::move(*made));
  }
  return std::move(encoded);
}

/// Writes weights of codes, and says what codes cost.
Expected<llvm::json::Object> DriftRun::quantize() {
  std::optional<QuantizedForm> form =
      parseName<QuantizedForm>(request.quantize);
  if (!form)
    return llvm::createStringError("--quantize: expected " +
                                   listNames<QuantizedForm>() + ", got '" +
                                   request.quantize + "'");
  if (request.healing.tokens != 0)
    return llvm::createStringError(
        "--heal: expected no --quantize beside it: healing trains weights "
        "that block-quantize rounds afterwards");
  auto isGiven = [&](StringRef option) { return request.isGiven(option); };
  constexpr StringRef ofPairs[] = {
      "blocks", "pairing", "from",     "norm",      "router",
      "scale",  "tasks",   "generate", "mlp-scale", "attn-scale"};
  if (isCorrected() || request.budget.isGiven() || choice ||
      llvm::any_of(ofPairs, isGiven))
    return llvm::createStringError(
        "--quantize: expected no pairs to choose, convert, correct or judge "
        "beside it");
  if (data->countTokens(Split::Fit) == 0)
    return llvm::createStringError(
        "--quantize: expected at least 2 sequences, one to fit by and one to "
        "report on, got " +
        Twine(data->numRows()));
  for (size_t link = 0; link < model->size(); ++link) {
    const Link &part = model->getLink(link);
    if (part.sublayer && part.sublayer->steps.empty())
      continue;
    remarks << "remark: layer " << block::LayerOp(part.whole).getIndex() << ", "
            << (part.sublayer ? part.sublayer->describe() : "all of it")
            << ": weights stay as they are: --quantize rounds projections of "
               "attentions and MLPs of one op\n";
  }
  progress.show("rounding weights");
  Expected<std::vector<OwningOpRef<ModuleOp>>> encoded = encodeRows();
  if (!encoded)
    return encoded.takeError();
  auto functions = llvm::map_to_vector(*encoded, [&](auto &each) {
    return each->template lookupSymbol<func::FuncOp>(function.getName());
  });
  Expected<CompensatedWeights> rounded =
      compensateRounding(*model, *form, request.damping, functions);
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
  const Budget &budget = request.budget;
  for (auto [flag, isGiven] :
       {std::pair("--budget-kl", budget.kl.has_value()),
        std::pair("--budget-generation", budget.generation.has_value()),
        std::pair("--budget-perplexity", budget.perplexity.has_value()),
        std::pair("--budget-tasks", budget.tasks.has_value())}) {
    if (!isGiven)
      continue;
    if (!model->hasLogits())
      return llvm::createStringError(
          llvm::Twine(flag) +
          ": the model has no logits, which the budget is in");
    if (data->countSequences(Split::Select) == 0)
      return llvm::createStringError(
          llvm::Twine(flag) +
          ": expected at least 2 sequences, one to choose by and one to report "
          "on, got " +
          Twine(data->numRows()));
  }
  if (Error error = checkGeneration())
    return error;
  if (Error error = checkTasks())
    return error;
  if (Error error = checkHealing())
    return error;
  if (Error error = listCorrections())
    return error;
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

/// Sets the number of tokens to generate.
Error DriftRun::checkGeneration() {
  std::string obstacle = findGenerationObstacle(*model);
  int64_t length = data->numTokensPerRow();
  int64_t possible = length - std::max<int64_t>(1, length / 2);
  generatedTokens =
      obstacle.empty() ? std::min<int64_t>(defaultTokens, possible) : 0;
  if (request.generate)
    generatedTokens = static_cast<int64_t>(*request.generate);
  if (request.budget.perplexity && (!model->isCausal() || !model->hasLogits()))
    return llvm::createStringError(
        "--budget-perplexity: expected a causal model with logits");
  if (generatedTokens > 0 && !obstacle.empty())
    return llvm::createStringError("--generate: the model does not generate: " +
                                   obstacle);
  if (!request.budget.generation || generatedTokens > 0)
    return Error::success();
  if (!obstacle.empty())
    return llvm::createStringError(
        "--budget-generation: the model does not generate: " + obstacle);
  return llvm::createStringError(
      "--budget-generation: expected tokens to generate, got " +
      (request.generate ? "--generate=0"
                        : "rows of " + llvm::Twine(length) + " token"));
}

/// Reads the tasks, and counts those that the serial model solves.
Error DriftRun::checkTasks() {
  const std::string &path = request.tasksPath;
  if (path.empty())
    return request.budget.tasks
               ? llvm::createStringError(
                     "--budget-tasks: expected a --tasks=FILE beside it")
               : Error::success();
  if (std::string obstacle = findGenerationObstacle(*model); !obstacle.empty())
    return llvm::createStringError("--tasks: the model does not generate: " +
                                   obstacle);
  llvm::SmallVector<Split> splits = {Split::Report};
  if (request.budget.tasks)
    splits.push_back(Split::Select);
  for (Split split : splits) {
    progress.show("solving tasks by the serial model");
    Expected<std::unique_ptr<TaskJudge>> judge =
        TaskJudge::create(*model, path, split);
    if (!judge)
      return judge.takeError();
    for (const std::string &kind : (*judge)->listUnsolved())
      if (request.budget.tasks)
        return llvm::createStringError(
            "--budget-tasks: the serial model solves no task of the kind '" +
            kind + "' of " + path + ", so none can be kept");
    taskJudges[split] = std::move(*judge);
  }
  return Error::success();
}

Expected<std::vector<TaskScore>>
DriftRun::solveTasks(const Conversion &conversion, Split split) {
  progress.show("solving tasks");
  return taskJudges.at(split)->judge(conversion);
}

/// Returns an error if a candidate lacks what the requested correction fits;
/// those to compare with are left out then.
Error DriftRun::listCorrections() {
  auto check = [&](Correction correction) -> Error {
    for (const Candidate &candidate : candidates)
      if (Error error =
              checkCorrection(*model, candidate, correction, getOptions()))
        return error;
    return Error::success();
  };
  if (request.compareCorrections)
    for (Correction correction : {Correction::MeanJacobian,
                                  Correction::OutputRefit, Correction::Refit}) {
      if (correction == request.correction ||
          (request.form.ladder && correction == Correction::MeanJacobian))
        continue;
      if (Error error = check(correction))
        remarks << "remark: --compare-corrections leaves "
                << getEnumName(correction)
                << " out: " << llvm::toString(std::move(error)) << "\n";
      else
        corrections.push_back(correction);
    }
  // The one that was asked for comes last: it is what pairs are chosen by.
  if (!isCorrected())
    return Error::success();
  corrections.push_back(request.correction);
  if (Error error = check(request.correction))
    return error;
  if (request.lowRank != 0 &&
      llvm::none_of(candidates, [&](const Candidate &candidate) {
        return fitsSharedMatrix(*model, candidate, request.correction);
      }))
    return llvm::createStringError(
        "--low-rank: expected pairs of which other layers read a matrix that "
        "the correction fits, got none");
  return Error::success();
}

/// Compares what the model says with one converted pair, on the split of KL,
/// and the tasks that it solves.
Error DriftRun::judgeAlone(const Candidate &candidate, Recovery &recovery) {
  Conversion alone;
  alone.pairs.emplace_back();
  alone.pairs.back().candidate = candidate;
  alone.pairs.back().corrected.weights = recovery.pair.weights;
  if (generatedTokens > 0) {
    Expected<Divergence> divergence = compareGeneration(alone, klSplit);
    if (!divergence)
      return divergence.takeError();
    recovery.generation = divergence->getShare();
  }
  if (taskJudges.empty())
    return Error::success();
  Expected<std::vector<TaskScore>> scores = solveTasks(alone, Split::Report);
  if (!scores)
    return scores.takeError();
  recovery.tasks = getKeptShare(*scores);
  return Error::success();
}

Error DriftRun::measure() {
  auto judge = [&](const Candidate &candidate, Recovery &recovery) {
    return judgeAlone(candidate, recovery);
  };
  Expected<Scan> scan =
      scanModel(*model,
                {candidates, corrections, getOptions(), klSplit, request.screen,
                 isScreening(), judge},
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
  if (!request.budget.isGiven() || request.screen.mode == Screen::Off)
    return false;
  return request.screen.mode == Screen::On || (!isExplicit && !isCorrected());
}

/// Measures a choice on the split to choose by.
Expected<Trial> DriftRun::tryChoice(ArrayRef<Candidate> chosen) {
  Expected<Conversion> conversion =
      convertModel(*model, results.scan, chosen, request.correction,
                   getOptions(), klSplit, progress);
  if (!conversion)
    return conversion.takeError();
  Expected<LogitDrift> drift =
      measureConversion(*model, results.scan, *conversion, klSplit);
  if (!drift)
    return drift.takeError();
  const Budget &budget = request.budget;
  Trial trial;
  trial.measured = drift->kl.getMean();
  trial.fits = !budget.kl || trial.measured <= *budget.kl;
  if (budget.perplexity) {
    trial.perplexity = drift->getPerplexityRatio();
    trial.fits &= *trial.perplexity <= *budget.perplexity;
  }
  if (budget.generation) {
    Expected<Divergence> divergence = compareGeneration(*conversion, klSplit);
    if (!divergence)
      return divergence.takeError();
    trial.generation = divergence->getShare();
    trial.fits &= *trial.generation >= *budget.generation;
  }
  if (budget.tasks) {
    Expected<std::vector<TaskScore>> scores = solveTasks(*conversion, klSplit);
    if (!scores)
      return scores.takeError();
    trial.tasks = getKeptShare(*scores);
    trial.fits &= *trial.tasks >= *budget.tasks;
  }
  if (!trial.fits)
    return trial;
  Expected<double> predicted =
      predictKl(*model, results.scan, chosen, trial.measured, progress);
  if (!predicted)
    return predicted.takeError();
  trial.predicted = *predicted;
  trial.fits = !budget.kl || *predicted <= *budget.kl;
  return trial;
}

Error DriftRun::choose() {
  std::vector<Priced> prices;
  for (const CandidateReport &report : results.scan.candidates)
    if (!report.screen.isDropped)
      prices.push_back({report.candidate,
                        model->hasLogits()
                            ? report.getKl(request.correction)
                            : report.recoveries.back().updateError.getMean()});
  bool isFromTop = request.budget.order == BudgetOrder::Top;
  std::vector<std::vector<Candidate>> choices =
      isFromTop ? chooseFromTop(prices) : chooseByCount(prices);
  size_t count = choices.size() - 1;
  if (request.budget.isGiven()) {
    Expected<size_t> found = searchUnderBudget(
        choices, prices, request.budget.kl,
        [&](size_t pairs) { return tryChoice(choices[pairs]); },
        results.trials);
    if (!found)
      return found.takeError();
    count = *found;
    results.selected.emplace().predicted = 0;
    for (const Trial &trial : results.trials)
      if (trial.pairs == count)
        results.selected = trial;
  } else if (request.pairing == Pairing::Best && !isExplicit && count > 1) {
    // Every sublayer paired leaves no choice; one pair less does.
    --count;
  }
  results.chosen = choices[count];
  results.sums = predict(results.chosen, prices);
  return Error::success();
}

/// Measures the chosen pairs on the select split, after their conversion.
Error DriftRun::predictChosen() {
  Expected<LogitDrift> drift = measureConversion(
      *model, results.scan, results.conversion, Split::Select);
  if (!drift)
    return drift.takeError();
  results.selected.emplace();
  results.selected->measured = drift->kl.getMean();
  Expected<double> predicted = predictKl(*model, results.scan, results.chosen,
                                         results.selected->measured, progress);
  if (!predicted)
    return predicted.takeError();
  results.selected->predicted = *predicted;
  return Error::success();
}

/// Measures the chosen pairs on the split to report on.
Error DriftRun::measureChosen() {
  Expected<Conversion> conversion =
      convertModel(*model, results.scan, results.chosen, request.correction,
                   getOptions(), Split::Report, progress);
  if (!conversion)
    return conversion.takeError();
  results.conversion = std::move(*conversion);
  for (const ConvertedPair &pair : results.conversion.pairs)
    for (auto [what, fitted] :
         {std::pair("", pair.corrected.experts),
          std::pair("output matrices of ", pair.corrected.outputs)})
      if (fitted.left != 0)
        remarks << "remark: pair " << pair.candidate.pair.getName()
                << ": refit leaves " << what << fitted.left << " of "
                << fitted.left + fitted.refitted
                << " experts, which fewer than " << fitted.neededRows << " of "
                << data->countTokens(Split::Fit) << " tokens choose\n";
  if (Error error = measureLastStream(*model, results.scan, results.conversion,
                                      Split::Report)
                        .moveInto(results.lastStream))
    return error;
  if (model->hasLogits() && !results.selected && klSplit == Split::Select)
    if (Error error = predictChosen())
      return error;
  if (model->hasLogits()) {
    Expected<LogitDrift> drift = measureConversion(
        *model, results.scan, results.conversion, Split::Report);
    if (!drift)
      return drift.takeError();
    results.logits = std::move(*drift);
  }
  if (generatedTokens > 0) {
    Expected<Divergence> divergence =
        compareGeneration(results.conversion, Split::Report);
    if (!divergence)
      return divergence.takeError();
    results.divergence = std::move(*divergence);
  }
  if (!taskJudges.empty())
    if (Error error = solveTasks(results.conversion, Split::Report)
                          .moveInto(results.tasks))
      return error;
  return Error::success();
}

Error DriftRun::confirm() {
  if (Error error = measureChosen())
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

Expected<Divergence> DriftRun::compareGeneration(const Conversion &conversion,
                                                 Split split) {
  std::unique_ptr<GenerationJudge> &judge = judges[split];
  if (!judge) {
    Expected<std::unique_ptr<GenerationJudge>> made = GenerationJudge::create(
        *model, split, generatedTokens, preparation, remarks, progress);
    if (!made)
      return made.takeError();
    judge = std::move(*made);
  }
  progress.show("comparing generated tokens");
  return judge->judge(conversion);
}

Expected<llvm::json::Object> drift::runDrift(const DriftRequest &request,
                                             MLIRContext &context,
                                             llvm::raw_ostream &remarks) {
  return DriftRun(request, context, remarks).run();
}
