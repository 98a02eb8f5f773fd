//===- LoadDrift.cpp - checks requests and loads what they name -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DriftRun.h"
#include "Rows.h"
#include "parablock/Analysis/FittedLayers.h"
#include "parablock/Analysis/ModelHash.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Execution/ModuleLoading.h"
#include "parablock/Transforms/PairSelection.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace mlir;
using namespace parablock;
using namespace parablock::drift;
using llvm::Error;
using llvm::Expected;

/// Refuses options that nothing reads beside the others.
Error DriftRun::checkUse() const {
  bool hasBudget = request.budget.isGiven();
  bool isScreened = request.screen.mode == Screen::On ||
                    (request.screen.mode == Screen::Auto && !isCorrected() &&
                     request.blocks == "all");
  const std::tuple<StringRef, bool, StringRef> rules[] = {
      {"ridge", isCorrected(), "a --correction, which fits weights"},
      {"add-biases", isCorrected() || !request.addBiases,
       "a --correction, which fits weights"},
      {"low-rank",
       request.lowRank != 0 && request.lowRank <= largestRank &&
           llvm::is_contained({Correction::OutputRefit, Correction::Refit},
                              request.correction),
       "a rank from 1 to 65536, and --correction=output-refit or refit, which "
       "fit matrices"},
      {"damping", !request.quantize.empty(), "a --quantize=FORM beside it"},
      {"activations", request.quantize == "fp8", "--quantize=fp8 beside it"},
      {"budget-order", hasBudget,
       "a budget that limits how many pairs are taken, such as --budget-kl"},
      {"screen", hasBudget,
       "a budget to choose pairs under, such as --budget-kl"},
      {"screen-ends", hasBudget && isScreened,
       "a budget and a screen; --screen=0.5 asks for one where pairs are "
       "corrected or named"},
      {"heal", request.healing.tokens != 0,
       "a number of tokens of at least 1, got 0"}};
  for (auto [option, isUsed, expected] : rules)
    if (request.isGiven(option) && !isUsed)
      return llvm::createStringError("--" + option + ": expected " + expected);
  for (StringRef option :
       {"heal-data", "heal-checkpoint", "heal-stop", "heal-streams",
        "heal-lora", "heal-codes", "heal-targets", "heal-rate"})
    if (request.isGiven(option) && request.healing.tokens == 0)
      return llvm::createStringError("--" + option +
                                     ": expected a --heal=TOKENS beside it");
  return Error::success();
}

Error DriftRun::checkRequest() {
  const Budget &budget = request.budget;
  if (budget.kl && !(*budget.kl >= 0))
    return llvm::createStringError("--budget-kl: expected at least 0");
  if (budget.generation &&
      !(*budget.generation >= 0 && *budget.generation <= 1))
    return llvm::createStringError("--budget-generation: expected a share of "
                                   "continuations, from 0 to 1");
  if (budget.perplexity &&
      !(*budget.perplexity >= 1 && std::isfinite(*budget.perplexity)))
    return llvm::createStringError(
        "--budget-perplexity: expected a ratio to the serial model's "
        "perplexity of at least 1, such as 1.01");
  if (budget.tasks && !(*budget.tasks >= 0 && *budget.tasks <= 1))
    return llvm::createStringError(
        "--budget-tasks: expected a share of the tasks that the serial model "
        "solves, from 0 to 1");
  if (request.ridge && (!(*request.ridge >= 0) || std::isinf(*request.ridge)))
    return llvm::createStringError(
        "--ridge: expected a finite number of at least 0");
  if (Error error = checkUse())
    return error;
  const ParallelForm &form = request.form;
  for (auto [flag, scale] : {std::pair("--scale", form.scale),
                             std::pair("--attn-scale", form.attentionScale),
                             std::pair("--mlp-scale", form.mlpScale)})
    if (!std::isfinite(scale))
      return llvm::createStringError(llvm::Twine(flag) +
                                     ": expected a finite number");
  request.form.ladder = request.pairing == Pairing::Ladder;
  request.form.shortcut = request.pairing == Pairing::Shortcut;
  if ((form.ladder || form.shortcut) && form.norm != SecondNorm::Separate)
    return llvm::createStringError("--norm: expected separate with --pairing=" +
                                   getEnumName(request.pairing) +
                                   ", whose branches read two streams, got '" +
                                   getEnumName(form.norm) + "'");
  if (form.router == RouterInput::Serial && request.pairing != Pairing::Block)
    return llvm::createStringError(
        "--router: expected parallel with --pairing=" +
        getEnumName(request.pairing) +
        ", whose second branch has no router behind an attention, got "
        "'serial': "
        "use --pairing=block");
  if (request.form.ladder && request.correction == Correction::MeanJacobian)
    return llvm::createStringError(
        "--correction: expected none, output-refit or refit with "
        "--pairing=ladder, got 'mean-jacobian', which corrects the second "
        "branch alone");
  if (request.correction == Correction::Healed)
    return llvm::createStringError(
        "--correction: expected none, mean-jacobian, output-refit or refit, "
        "got 'healed', which --heal makes of any of them");
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

/// Rejects models that train, whose masks of dropout are not those of a serial
/// run.
static Error checkNoDropout(func::FuncOp function) {
  WalkResult found = function.walk([](Operation *op) {
    bool drops = llvm::any_of(op->getAttrs(), [](NamedAttribute attribute) {
      return isa<block::DropoutAttr>(attribute.getValue());
    });
    return drops ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return Error::success();
  return llvm::createStringError(
      "function '" + function.getName() +
      "': expected a model without dropout, whose results are random: use "
      "block-remove-dropout first");
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
  if (Error error = checkNoDropout(function))
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

static bool hasPairing(const Choice &choice, Pairing pairing) {
  if (choice.ladder || choice.shortcut)
    return pairing == (choice.ladder ? Pairing::Ladder : Pairing::Shortcut);
  auto fits = [&](const LayerPair &pair) {
    return pair.shifted == (pairing == Pairing::Shifted);
  };
  return pairing == Pairing::Best ||
         ((pairing == Pairing::Block || pairing == Pairing::Shifted) &&
          llvm::all_of(choice.chosen, fits));
}

/// Options of the form that are given beside a file must be the file's.
Error DriftRun::checkAgainstFile() const {
  const ParallelForm &form = request.form;
  for (auto [option, isSame] :
       {std::pair("norm", form.norm == choice->norm),
        std::pair("router", form.router == choice->router),
        std::pair("scale", form.scale == choice->scale),
        std::pair("attn-scale", form.attentionScale == choice->attentionScale),
        std::pair("mlp-scale", form.mlpScale == choice->mlpScale),
        std::pair("pairing", hasPairing(*choice, request.pairing))})
    if (request.isGiven(option) && !isSame)
      return llvm::createStringError(
          "--" + Twine(option) + ": expected that of " +
          StringRef(request.blocks).drop_front() +
          ", which has the form of its pairs: leave it out");
  return Error::success();
}

Error DriftRun::readGivenChoice() {
  llvm::StringRef path = request.blocks;
  if (!path.consume_front("@")) {
    if (!request.correctedWeightsPath.empty())
      return llvm::createStringError("--corrected-weights: expected it beside "
                                     "the --blocks=@FILE that it belongs to");
    return Error::success();
  }
  if (isCorrected() || request.budget.isGiven())
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
  if (!request.from.empty())
    return llvm::createStringError("--from: expected --blocks to be all or a "
                                   "list, got '@" +
                                   path + "', which names its pairs");
  if (Error error = checkAgainstFile())
    return error;
  if (choice->ladder)
    request.pairing = Pairing::Ladder;
  if (choice->shortcut)
    request.pairing = Pairing::Shortcut;
  request.form = {choice->norm,           choice->router,   choice->scale,
                  choice->attentionScale, choice->mlpScale, choice->ladder,
                  choice->shortcut};
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

/// Returns whether one of the two layers of a shifted pair alone has norms
/// behind its sums.
static bool hasMixedNorms(const Model &model, LayerPair pair) {
  std::optional<bool> have[2];
  for (size_t link = 0; link < model.size(); ++link) {
    block::LayerOp layer = model.getLink(link).whole;
    int64_t place = static_cast<int64_t>(layer.getIndex()) - pair.index;
    const std::optional<Sublayer> &sublayer = model.getLink(link).sublayer;
    if (sublayer && (place == 0 || place == 1))
      have[place] = !sublayer->postNorm.empty();
  }
  return have[0] && have[1] && *have[0] != *have[1];
}

/// Returns why `pair` is no candidate.
static std::string describeNoCandidate(const Model &model, LayerPair pair) {
  auto isNext = [&](size_t link) {
    block::LayerOp layer = model.getLink(link).whole;
    return static_cast<int64_t>(layer.getIndex()) == pair.index + 1;
  };
  if (pair.shifted && llvm::none_of(llvm::seq(size_t(0), model.size()), isNext))
    return " stays in series: " + getReasonMeaning(Reason::NoExperts).str();
  if (pair.shifted && hasMixedNorms(model, pair))
    return " stays in series: " + getReasonMeaning(Reason::MixedNorms).str();
  for (size_t link = 0; link < model.size(); ++link) {
    block::LayerOp layer = model.getLink(link).whole;
    int64_t index = static_cast<int64_t>(layer.getIndex());
    bool isPart =
        index == pair.index || (pair.shifted && index == pair.index + 1);
    if (isPart && !model.getLink(link).sublayer &&
        std::holds_alternative<SerialForm>(
            matchSerialForm(layer, PostNorms::Accept)))
      return " is not measured: a branch of layer " + std::to_string(index) +
             " is no attention, MLP or experts that read the stream alone";
  }
  return " cannot be made parallel: it is no attention and MLP in series";
}

/// Returns why `candidate` cannot have the form that was asked for.
static std::optional<Reason> findFormObstacle(const Model &model,
                                              const Candidate &candidate,
                                              const ParallelForm &form) {
  auto getSublayer = [&](size_t place) -> const Sublayer & {
    return model.getRunner(candidate.position + place).sublayer();
  };
  const Sublayer &first = getSublayer(0);
  if (!first.postNorm.empty() &&
      (form.router == RouterInput::Serial || form.ladder || form.shortcut))
    return Reason::PostLayerNorm;
  if (form.router == RouterInput::Serial && !getSublayer(1).readsByRouter())
    return Reason::NoRouter;
  if (form.shortcut && !(first.getMixture() && first.tail.empty()))
    return Reason::NoExperts;
  return std::nullopt;
}

/// Returns why the candidate cannot be a rung of a ladder, or an empty text if
/// it can be one or is none.
static StringRef findRungObstacle(const Model &model,
                                  const Candidate *candidate) {
  if (!model.isLadder() || candidate == model.candidates().end() ||
      candidate->position == 0)
    return {};
  const std::optional<Sublayer> &below =
      model.getLink(candidate->position - 1).sublayer;
  if (!below)
    return "the layer below is no attention and MLP in series: "
           "--pairing=block converts the layer";
  if (!below->postNorm.empty())
    return "the layer below has norms behind its sums: --pairing=block "
           "converts the layer";
  return {};
}

/// The candidates that the request speaks of. Pairs that it names but that
/// cannot be made parallel are remarked on.
Error DriftRun::selectCandidates() {
  bool isBestOfAll =
      request.pairing == Pairing::Best && request.blocks == "all";
  isExplicit = request.blocks != "all";
  FailureOr<int64_t> first = block::findFirstLayer(function, request.from);
  if (failed(first))
    return llvm::make_error<runner::DiagnosedError>();
  if (isBestOfAll) {
    for (const Candidate &candidate : model->candidates())
      if (candidate.pair.index >= *first)
        candidates.push_back(candidate);
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
    llvm::erase_if(pairs, [&](LayerPair pair) { return pair.index < *first; });
    if (pairs.empty())
      remarks << "remark: no pair to measure: --pairing="
              << getEnumName(request.pairing)
              << " finds no layer, or none below another one: --pairing=block "
                 "takes each layer alone\n";
  }
  for (LayerPair pair : pairs) {
    const Candidate *found =
        llvm::find_if(model->candidates(), [&](const Candidate &candidate) {
          return candidate.pair == pair;
        });
    std::optional<Reason> obstacle;
    if (found != model->candidates().end())
      obstacle = findFormObstacle(*model, *found, request.form);
    if (obstacle) {
      std::string why = "pair " + pair.getName() + " stays in series: " +
                        getReasonMeaning(*obstacle).str();
      if (obstacle == Reason::PostLayerNorm)
        why += ": --pairing=block and --pairing=shifted convert it, with "
               "--router=parallel";
      if (choice)
        return llvm::createStringError(
            llvm::StringRef(request.blocks).drop_front() + ": " + why);
      remarks << "remark: " << why << "\n";
      continue;
    }
    if (StringRef why = findRungObstacle(*model, found); !why.empty()) {
      if (choice)
        return llvm::createStringError(
            llvm::StringRef(request.blocks).drop_front() + ": layer " +
            pair.getName() + " is no rung: " + why);
      remarks << "remark: layer " << pair.getName()
              << " cannot become a rung: " << why << "\n";
      continue;
    }
    if (found != model->candidates().end())
      candidates.push_back(*found);
    else if (choice)
      return llvm::createStringError(
          llvm::StringRef(request.blocks).drop_front() + ": pair " +
          pair.getName() + " is no attention and MLP in series");
    else
      remarks << "remark: pair " << pair.getName()
              << describeNoCandidate(*model, pair) << "\n";
  }
  return Error::success();
}
