//===- DriftReport.cpp - prints results as JSON ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DriftReport.h"

#include "parablock/Support/StrictJSON.h"
#include <cmath>

using namespace parablock;
using namespace parablock::drift;
namespace json = llvm::json;

static json::Value getMeanOrNull(const TokenStatistics &statistics) {
  return statistics.empty() ? json::Value(nullptr)
                            : toJSONNumber(statistics.getMean());
}

static json::Value getPerplexity(const TokenStatistics &nll) {
  return nll.empty() ? json::Value(nullptr)
                     : toJSONNumber(std::exp(nll.getMean()));
}

static json::Value getNumberOrNull(std::optional<double> number) {
  return number ? toJSONNumber(*number) : json::Value(nullptr);
}

static json::Object describeCorrected(const CorrectedPair &pair) {
  json::Array fits;
  for (const FitRecord &fit : pair.fits)
    fits.push_back(
        json::Object{{"what", fit.what},
                     {"tokens", fit.tokens},
                     {"unknowns", fit.unknowns},
                     {"targets", fit.targets},
                     {"ridge", toJSONNumber(fit.ridge)},
                     {"relative_ridge", toJSONNumber(fit.relativeRidge)},
                     {"condition", toJSONNumber(fit.condition)},
                     {"rank", fit.rank},
                     {"residual", toJSONNumber(fit.residual)}});
  json::Object object{{"applied", pair.applied},
                      {"held_out_ratio", toJSONNumber(pair.heldOutRatio)},
                      {"fits", std::move(fits)}};
  if (!pair.reason.empty())
    object["reason"] = pair.reason;
  auto describe = [](const FittedExperts &experts) {
    return json::Object{{"refitted", experts.refitted},
                        {"left", experts.left},
                        {"needed_rows", experts.neededRows}};
  };
  if (pair.experts.neededRows != 0)
    object["experts"] = describe(pair.experts);
  if (pair.outputs.neededRows != 0)
    object["expert_outputs"] = describe(pair.outputs);
  return object;
}

/// `hasPostNorms` is whether norms stand behind the sums of both branches.
static json::Object describeCandidate(const CandidateReport &report,
                                      bool hasPostNorms) {
  const PairMetrics &metrics = report.metrics;
  json::Object recovered;
  for (const Recovery &recovery : report.recoveries) {
    if (recovery.correction == Correction::None)
      continue;
    json::Object object = describeCorrected(recovery.pair);
    object["update_rel_l2"] = recovery.updateError.toJSON();
    object["kl_alone"] = getMeanOrNull(recovery.logits.kl);
    object["top1_alone"] = getMeanOrNull(recovery.logits.agreement);
    object["perplexity_alone"] = getPerplexity(recovery.logits.nll);
    object["generation_alone"] = getNumberOrNull(recovery.generation);
    object["tasks_alone"] = getNumberOrNull(recovery.tasks);
    recovered[getEnumName(recovery.correction)] = std::move(object);
  }
  return json::Object{
      {"index", report.candidate.pair.index},
      {"pair", report.candidate.pair.getName()},
      {"post_norms", hasPostNorms},
      {"update_rel_l2", metrics.updateError.toJSON()},
      {"output_rel_l2", metrics.outputError.toJSON()},
      {"cosine", getMeanOrNull(metrics.updateCosine)},
      {"output_cosine", getMeanOrNull(metrics.outputCosine)},
      {"delta_over_x", getMeanOrNull(metrics.delta)},
      {"delta_over_x_p99", toJSONNumber(metrics.delta.getP99())},
      {"normed_cosine", getMeanOrNull(metrics.normedCosine)},
      {"interaction", getMeanOrNull(metrics.interaction)},
      {"nonlinearity", getMeanOrNull(metrics.nonlinearity)},
      {"screen", report.screen.reason.empty()
                     ? json::Value(nullptr)
                     : json::Value(report.screen.reason)},
      {"screen_delta_p99", toJSONNumber(report.screen.deltaP99)},
      {"dropped", report.screen.isDropped},
      {"kl_alone", getMeanOrNull(report.recoveries.front().logits.kl)},
      {"top1_alone", getMeanOrNull(report.recoveries.front().logits.agreement)},
      {"perplexity_alone", getPerplexity(report.recoveries.front().logits.nll)},
      {"generation_alone",
       getNumberOrNull(report.recoveries.front().generation)},
      {"tasks_alone", getNumberOrNull(report.recoveries.front().tasks)},
      {"kl_alone_corrected", getMeanOrNull(report.recoveries.back().logits.kl)},
      {"recovered", std::move(recovered)}};
}

static json::Object describeSplit(const Dataset &data, Split split) {
  return json::Object{{"sequences", data.countSequences(split)},
                      {"tokens", data.countTokens(split)}};
}

static json::Object describeFloor(const DriftResults &results) {
  json::Object object;
  for (const NumericFloor &floor : results.floors)
    object[floor.type] =
        json::Object{{"update_rel_l2", floor.updateError.toJSON()},
                     {"kl", getMeanOrNull(floor.logits.kl)},
                     {"top1", getMeanOrNull(floor.logits.agreement)}};
  return object;
}

static json::Array describeConversion(const DriftResults &results) {
  json::Array pairs;
  for (const ConvertedPair &pair : results.conversion.pairs) {
    json::Object object = describeCorrected(pair.corrected);
    object["pair"] = pair.candidate.pair.getName();
    pairs.push_back(std::move(object));
  }
  return pairs;
}

static llvm::StringRef getModeName(Screen::Mode mode) {
  return mode == Screen::Auto ? "auto" : mode == Screen::Off ? "off" : "on";
}

/// Describes which engine computed which numbers.
static json::Object describeEngines(const DriftRequest &request,
                                    const DriftResults &results) {
  json::Array refused;
  for (const auto &[reason, parts] : results.refusals)
    refused.push_back(json::Object{{"reason", reason}, {"parts", parts}});
  return json::Object{{"model", request.engine.name},
                      {"on_reference", std::move(refused)},
                      {"interaction", "reference"},
                      {"normed_cosine", "reference"},
                      {"floor", "reference"}};
}

static json::Object describeTrial(const Trial &trial) {
  return json::Object{
      {"pairs", static_cast<int64_t>(trial.pairs)},
      {"predicted_kl", getNumberOrNull(trial.predicted)},
      {"predicted_kl_independent", toJSONNumber(trial.independent)},
      {"measured_kl", toJSONNumber(trial.measured)},
      {"generation", getNumberOrNull(trial.generation)},
      {"tasks", getNumberOrNull(trial.tasks)},
      {"perplexity_ratio", getNumberOrNull(trial.perplexity)},
      {"fits", trial.fits}};
}

/// Null for a model that does not generate.
static json::Value describeGeneration(const DriftResults &results) {
  if (!results.divergence)
    return nullptr;
  const Divergence &divergence = *results.divergence;
  return json::Object{
      {"sequences", divergence.sequences},
      {"prompt", divergence.prompt},
      {"tokens", divergence.tokens},
      {"same", divergence.same},
      {"share", toJSONNumber(divergence.getShare())},
      {"first_difference", getMeanOrNull(divergence.firstDifference)},
      {"earliest_difference", divergence.earliest
                                  ? json::Value(*divergence.earliest)
                                  : json::Value(nullptr)}};
}

/// Null without tasks.
static json::Value describeTasks(const DriftResults &results) {
  if (results.tasks.empty())
    return nullptr;
  json::Array kinds;
  for (const TaskScore &score : results.tasks)
    kinds.push_back(json::Object{{"kind", score.kind},
                                 {"tasks", score.tasks},
                                 {"serial", score.serial},
                                 {"parallel", score.parallel}});
  return json::Object{{"kinds", std::move(kinds)},
                      {"share", getNumberOrNull(getKeptShare(results.tasks))}};
}

/// Adds the budgets, what the chosen set costs on the select split, and whether
/// it keeps them on the report split.
static void describeBudgets(const Budget &budget, const DriftResults &results,
                            json::Object &report) {
  if (!budget.isGiven())
    return;
  const LogitDrift &logits = results.logits;
  bool kept = true;
  if (budget.kl) {
    report["budget_kl"] = toJSONNumber(*budget.kl);
    kept &= logits.kl.getMean() <= *budget.kl;
  }
  if (budget.generation) {
    report["budget_generation"] = toJSONNumber(*budget.generation);
    report["selected_generation"] =
        getNumberOrNull(results.selected->generation);
    kept &= results.divergence->getShare() >= *budget.generation;
  }
  if (budget.perplexity) {
    double ratio = logits.getPerplexityRatio();
    report["budget_perplexity"] = toJSONNumber(*budget.perplexity);
    report["selected_perplexity_ratio"] =
        getNumberOrNull(results.selected->perplexity);
    report["perplexity_ratio"] = toJSONNumber(ratio);
    kept &= ratio <= *budget.perplexity;
  }
  if (budget.tasks) {
    report["budget_tasks"] = toJSONNumber(*budget.tasks);
    report["selected_tasks"] = getNumberOrNull(results.selected->tasks);
    kept &= *getKeptShare(results.tasks) >= *budget.tasks;
  }
  report["budget_order"] = getEnumName(budget.order);
  report["within_budget"] = kept;
}

/// Returns distances of keys and values in caches, or null where the model has
/// an attention whose keys are no projection of the stream.
static json::Value describeCaches(const Model &model,
                                  const Conversion &conversion) {
  for (size_t link = 0; link < model.size(); ++link) {
    const std::optional<Sublayer> &sublayer = model.getLink(link).sublayer;
    if (sublayer && sublayer->isAttention() && sublayer->inputs.empty())
      return nullptr;
  }
  return json::Object{{"keys", conversion.keys.toJSON()},
                      {"values", conversion.values.toJSON()}};
}

/// Returns the share of tokens whose experts change, for each layer with
/// experts; null where no op of the layer chooses them.
static json::Array describeExperts(const Model &model,
                                   const Conversion &conversion) {
  json::Array layers;
  for (size_t link = 0; link < model.size(); ++link) {
    const std::optional<Sublayer> &sublayer = model.getLink(link).sublayer;
    if (!sublayer || !(sublayer->hasExperts() || sublayer->hasRouter()))
      continue;
    // Nothing changes before the first pair.
    auto found = conversion.changedExperts.find(link);
    json::Value changed = found == conversion.changedExperts.end()
                              ? json::Value(0)
                              : toJSONNumber(found->second.getMean());
    if (!sublayer->hasRouter())
      changed = nullptr;
    layers.push_back(json::Object{{"index", sublayer->getLayerIndex()},
                                  {"changed", std::move(changed)}});
  }
  return layers;
}

json::Object drift::makeReport(const DriftRequest &request, const Model &model,
                               const DriftResults &results) {
  json::Array layers, chosen, trials, added;
  for (const CandidateReport &report : results.scan.candidates)
    layers.push_back(describeCandidate(
        report,
        !model.getLink(report.candidate.position).sublayer->postNorm.empty()));
  for (const Candidate &candidate : results.chosen)
    chosen.push_back(candidate.pair.getName());
  for (const Trial &trial : results.trials)
    trials.push_back(describeTrial(trial));
  for (const NewParameter &each : results.changes.added)
    added.push_back(describe(each.parameter));
  const Dataset &data = model.data();
  bool hasLogits = model.hasLogits();
  json::Value measured = getMeanOrNull(results.logits.kl);
  json::Object report{
      {"schema", 1},
      {"model_hash", results.modelHash},
      {"weights_hash", results.weightsHash},
      {"corrected_weights_hash", results.correctedWeightsHash},
      {"data_hash", results.dataHash},
      {"pairing", getEnumName(request.pairing)},
      {"norm", getEnumName(request.form.norm)},
      {"router", getEnumName(request.form.router)},
      {"scales", json::Object{{"scale", request.form.scale},
                              {"attn_scale", request.form.attentionScale},
                              {"mlp_scale", request.form.mlpScale}}},
      {"correction", getEnumName(request.correction)},
      {"engine", request.engine.name},
      {"engines", describeEngines(request, results)},
      {"split", json::Object{{"fit", describeSplit(data, Split::Fit)},
                             {"select", describeSplit(data, Split::Select)},
                             {"report", describeSplit(data, Split::Report)}}},
      {"screen",
       json::Object{{"mode", getModeName(request.screen.mode)},
                    {"most_delta_p99", toJSONNumber(request.screen.mostDelta)},
                    {"ends", request.screen.ends}}},
      {"layers", std::move(layers)},
      {"floor", describeFloor(results)},
      {"chosen", std::move(chosen)},
      {"converted", describeConversion(results)},
      {"added_parameters", std::move(added)},
      {"trials", std::move(trials)},
      {"predicted_kl", results.selected
                           ? getNumberOrNull(results.selected->predicted)
                           : json::Value(nullptr)},
      {"predicted_kl_independent", hasLogits
                                       ? toJSONNumber(results.sums.independent)
                                       : json::Value(nullptr)},
      {"predicted_kl_aligned",
       hasLogits ? toJSONNumber(results.sums.aligned) : json::Value(nullptr)},
      {"selected_kl", results.selected
                          ? toJSONNumber(results.selected->measured)
                          : json::Value(nullptr)},
      {"measured_kl", measured},
      {"kl", results.logits.kl.toJSON()},
      {"stream_rel_l2", results.lastStream.toJSON()},
      {"top1", getMeanOrNull(results.logits.agreement)},
      {"perplexity",
       json::Object{{"serial", getPerplexity(results.logits.originalNll)},
                    {"parallel", getPerplexity(results.logits.nll)}}},
      {"nll",
       json::Object{{"serial", getMeanOrNull(results.logits.originalNll)},
                    {"parallel", getMeanOrNull(results.logits.nll)}}},
      {"generation", describeGeneration(results)},
      {"tasks", describeTasks(results)},
      {"experts", describeExperts(model, results.conversion)},
      {"cache_rel_l2", describeCaches(model, results.conversion)}};
  json::Array drawn;
  if (request.weightsPath.empty())
    drawn.push_back("weights");
  if (request.dataPath.empty())
    drawn.push_back("data");
  report["drawn"] = std::move(drawn);
  if (!results.healing.empty())
    report["healing"] = json::Object(results.healing);
  describeBudgets(request.budget, results, report);
  return report;
}
