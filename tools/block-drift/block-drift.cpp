//===- block-drift.cpp - parses flags and prints the report ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "parablock/Engines/CPUEngine/CpuFunction.h"
#include "parablock/Execution/Engine.h"
#include "parablock/InitAll.h"
#include "parablock/Judges/Drift/Drift.h"
#include "parablock/Pipelines/BlockToCPU.h"
#include "parablock/Support/AtomicOutput.h"
#include "parablock/Support/ToolFlags.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"
#if defined(__GLIBC__)
#include <malloc.h>
#endif

using namespace parablock;
namespace cl = llvm::cl;

namespace {
/// A correction that can be asked for: healed weights are no choice, but what
/// --heal makes of one.
enum class AskedCorrection {};
} // namespace

template <> struct parablock::EnumNames<AskedCorrection> {
  static llvm::ArrayRef<llvm::StringRef> get() {
    return EnumNames<Correction>::get().drop_back();
  }
};
template <>
class llvm::cl::parser<AskedCorrection>
    : public NamedEnumParser<AskedCorrection> {
  using Base::Base;
};

namespace {
struct Flags {
  cl::OptionCategory measured{"What is measured"};
  cl::OptionCategory pairs{"Pairs, and what they become"};
  cl::OptionCategory corrections{"Corrections of weights"};
  cl::OptionCategory healing{"Healing"};
  cl::OptionCategory files{"What is written"};

  cl::opt<std::string> irPath{cl::Positional, cl::desc("<serial model>"),
                              cl::init("-")};
  ToolFlag<std::string> engine{
      measured, "engine",
      "what runs the model: cpu, in float32, or reference, in float64; by "
      "default cpu, and reference for what cpu has no code for",
      cl::value_desc("name")};
  ToolFlag<std::string> function{measured, "function",
                                 "which function is the model; by default main "
                                 "or the only one",
                                 cl::value_desc("name")};
  ToolFlag<std::string> weights{measured, "weights",
                                "parameters, as safetensors; drawn without",
                                cl::value_desc("file")};
  ToolFlag<std::string> data{measured, "data",
                             "inputs, as safetensors: calibration data",
                             cl::value_desc("file")};
  ToolFlag<uint64_t> seed{measured, "seed", "draws what no file gives",
                          cl::value_desc("N"), cl::init(0)};
  ToolFlag<std::string> dims{measured, "dims", "sizes of dynamic dimensions",
                             cl::value_desc("batch=64,seq=128")};
  ToolFlag<std::string> blocks{
      pairs, "blocks",
      "pairs to look at: all, none, 1,3-4,5+ or @FILE, "
      "a choice to measure again",
      cl::value_desc("list"), cl::init("all")};
  ToolFlag<Pairing> pairing{pairs, "pairing", listNames<Pairing>(),
                            cl::value_desc("kind"), cl::init(Pairing::Block)};
  ToolFlag<std::string> from{
      pairs, "from",
      "first layer of which pairs are looked at: an index, or half for the "
      "upper half",
      cl::value_desc("layer")};
  ToolFlag<SecondNorm> norm{pairs, "norm", listNames<SecondNorm>(),
                            cl::value_desc("kind"),
                            cl::init(SecondNorm::Separate)};
  ToolFlag<RouterInput> router{
      pairs, "router",
      "stream that routers of experts read: parallel, as the experts, or "
      "serial, behind the attention",
      cl::value_desc("kind"), cl::init(RouterInput::Parallel)};
  ToolFlag<Number> scale{pairs, "scale", "of both branches",
                         cl::value_desc("factor"), cl::init(1.0)};
  ToolFlag<Number> attentionScale{pairs, "attn-scale",
                                  "of the attention, besides",
                                  cl::value_desc("factor"), cl::init(1.0)};
  ToolFlag<Number> mlpScale{pairs, "mlp-scale", "of the MLP, besides",
                            cl::value_desc("factor"), cl::init(1.0)};
  ToolFlag<AskedCorrection> correction{
      corrections, "correction", listNames<AskedCorrection>(),
      cl::value_desc("kind"), cl::init(AskedCorrection(Correction::None))};
  ToolFlag<bool> compareCorrections{corrections, "compare-corrections",
                                    "report of each pair alone what the other "
                                    "corrections would recover, too",
                                    cl::init(false)};
  ToolFlag<std::string> ridge{
      corrections, "ridge",
      "of corrections, relative to the mean of the Gram matrix's diagonal; by "
      "default each fit chooses from 1e-4 to 10 on the tokens to choose by",
      cl::value_desc("factor")};
  ToolFlag<bool> addBiases{
      corrections, "add-biases",
      "let corrections add biases that the model, and so the "
      "checkpoint, lacks",
      cl::init(false)};
  ToolFlag<uint64_t> lowRank{
      corrections, "low-rank",
      "fit changes of that rank where other layers read a matrix, too: added "
      "parameters of one layer",
      cl::value_desc("rank"), cl::init(0)};
  ToolFlag<std::string> quantize{
      corrections, "quantize",
      "write weights that block-quantize rounds to codes as the data wants "
      "them: int8, int4-g128, int4-g32, mxfp4 or fp8; no pairs are looked at",
      cl::value_desc("form")};
  ToolFlag<std::string> activations{
      corrections, "activations",
      "beside --quantize=fp8, measure rows of products in codes as by "
      "block-quantize, too: fp8",
      cl::value_desc("form")};
  ToolFlag<Number> damping{corrections, "damping",
                           "of --quantize, relative to the mean of the Gram "
                           "matrix's diagonal",
                           cl::value_desc("factor"), cl::init(1e-2)};
  ToolFlag<uint64_t> heal{
      healing, "heal",
      "tokens to train converted layers on, after the correction (refit unless "
      "--correction is given), towards the serial model's distribution",
      cl::value_desc("tokens"), cl::init(0)};
  ToolFlag<Number> healRate{healing, "heal-rate",
                            "largest learning rate of --heal",
                            cl::value_desc("rate"), cl::init(3e-4)};
  ToolFlag<std::string> healData{
      healing, "heal-data",
      "inputs to train on, as safetensors; by default the part of --data that "
      "is for fitting",
      cl::value_desc("file")};
  ToolFlag<drift::HealTargets> healTargets{
      healing, "heal-targets",
      "train towards the serial model's distribution (teacher) or the next "
      "token of the data (text)",
      cl::value_desc("kind"), cl::init(drift::HealTargets::Teacher)};
  ToolFlag<std::string> healCheckpoint{
      healing, "heal-checkpoint",
      "file to save the state of --heal in, and to continue from if it exists",
      cl::value_desc("file")};
  ToolFlag<uint64_t> healStop{
      healing, "heal-stop",
      "step to stop at, saved in --heal-checkpoint; 0: none",
      cl::value_desc("N"), cl::init(0)};
  ToolFlag<std::string> healStreams{
      healing, "heal-streams",
      "factor of the relative squared error of streams in the loss, beside KL; "
      "1 by default, 0 with --heal-targets=text",
      cl::value_desc("factor")};
  ToolFlag<uint64_t> healLora{
      healing, "heal-lora",
      "train a change of this rank of each matrix with more numbers than the "
      "change, not the matrix; 0: matrices",
      cl::value_desc("rank"), cl::init(0)};
  ToolFlag<std::string> healCodes{healing, "heal-codes",
                                  "train matrices that are rounded to codes, "
                                  "as block-quantize rounds them: "
                                  "int8, int4-g128, int4-g32, mxfp4 or fp8",
                                  cl::value_desc("form")};
  ToolFlag<std::string> budgetKl{
      pairs, "budget-kl",
      "choose as many pairs as cost at most so many nats a token",
      cl::value_desc("K")};
  ToolFlag<std::string> budgetGeneration{
      pairs, "budget-generation",
      "choose as many pairs as keep at least this share of greedy "
      "continuations, from 0 to 1, the same",
      cl::value_desc("share")};
  ToolFlag<std::string> budgetPerplexity{
      pairs, "budget-perplexity",
      "choose as many pairs as raise the perplexity at most by this factor, "
      "such as 1.01",
      cl::value_desc("factor")};
  ToolFlag<std::string> budgetTasks{
      pairs, "budget-tasks",
      "choose as many pairs as solve at least this share, from 0 to 1, of the "
      "tasks of each kind that the serial model solves",
      cl::value_desc("share")};
  ToolFlag<drift::BudgetOrder> budgetOrder{
      pairs, "budget-order",
      "order in which a budget takes pairs: cheapest alone first, or top, the "
      "last layers first",
      cl::value_desc("order"), cl::init(drift::BudgetOrder::Cheapest)};
  ToolFlag<bool> requireBudget{
      pairs, "require-budget",
      "exit with code 3 where no pair fits a budget, or the chosen pairs do "
      "not keep it on the report split",
      cl::init(false)};
  ToolFlag<std::string> screen{
      pairs, "screen",
      "with --budget-kl: drop pairs before their KL is measured, at most half: "
      "those whose |d|/|x| passes a number at its 99th percentile or that are "
      "near an end; off; or auto, 0.5 unless pairs are corrected or named",
      cl::value_desc("auto|off|factor"), cl::init("auto")};
  ToolFlag<uint64_t> screenEnds{pairs, "screen-ends",
                                "how many layers make up each end of the model",
                                cl::value_desc("N"), cl::init(2)};
  ToolFlag<uint64_t> generate{
      measured, "generate",
      "how many tokens both models generate greedily after the first halves of "
      "sequences, to be compared; 0: none; by default up to 64",
      cl::value_desc("N"), cl::init(0)};
  ToolFlag<std::string> tasks{
      measured, "tasks",
      "tasks for both models, as safetensors: KIND.input_ids, prompts and "
      "answers, and KIND.answers, where answers begin and end",
      cl::value_desc("file")};
  ToolFlag<uint64_t> memory{
      measured, "memory-mebibytes",
      "hidden states to keep in memory; the rest goes to a "
      "temporary file",
      cl::value_desc("N"), cl::init(2048)};
  ToolFlag<std::string> irOut{files, "ir-out",
                              "where to write the parallel model",
                              cl::value_desc("file")};
  ToolFlag<std::string> weightsOut{files, "weights-out",
                                   "where to write corrected weights",
                                   cl::value_desc("file")};
  ToolFlag<std::string> correctedWeights{
      corrections, "corrected-weights",
      "what a correction wrote, for --blocks=@FILE", cl::value_desc("file")};
  ToolFlag<std::string> statistics{files, "statistics",
                                   "where to write what the norms read, for "
                                   "block-fold-norm",
                                   cl::value_desc("file")};
  ToolFlag<std::string> choice{files, "choice",
                               "where to write the chosen pairs, for "
                               "block-parallelize",
                               cl::value_desc("file")};
  ToolFlag<std::string> json{files, "json", "where to write the report",
                             cl::value_desc("file")};
};
} // namespace

static llvm::Expected<drift::Screen> readScreen(const Flags &flags) {
  drift::Screen screen;
  screen.ends = std::min<uint64_t>(flags.screenEnds, INT32_MAX);
  if (flags.screen == "auto")
    return screen;
  screen.mode = flags.screen == "off" ? drift::Screen::Off : drift::Screen::On;
  if (screen.mode == drift::Screen::On &&
      (llvm::StringRef(flags.screen).getAsDouble(screen.mostDelta) ||
       !(screen.mostDelta >= 0)))
    return llvm::createStringError("--screen: expected auto, off or a number "
                                   "of at least 0, got '" +
                                   flags.screen + "'");
  return screen;
}

static llvm::Expected<drift::DriftRequest> readFlags(const Flags &flags) {
  drift::DriftRequest request;
  for (const auto &[name, option] : cl::getRegisteredOptions())
    if (option->getNumOccurrences() != 0)
      request.given.insert(name);
  llvm::Expected<runner::DimSizes> dims = runner::parseDimSizes(flags.dims);
  if (!dims)
    return dims.takeError();
  llvm::Expected<drift::DriftEngine> engine = drift::chooseEngine(
      flags.engine, [] { return createCpuPreparation(lowerToKernels); });
  if (!engine)
    return engine.takeError();
  request.irPath = flags.irPath;
  request.engine = std::move(*engine);
  request.functionName = flags.function;
  request.weightsPath = flags.weights;
  request.dataPath = flags.data;
  request.seed = flags.seed;
  request.dims = std::move(*dims);
  request.blocks = flags.blocks;
  request.pairing = flags.pairing;
  request.form = {flags.norm, flags.router, flags.scale, flags.attentionScale,
                  flags.mlpScale};
  request.correction = Correction(flags.correction.getValue());
  request.compareCorrections = flags.compareCorrections;
  request.addBiases = flags.addBiases;
  request.lowRank = flags.lowRank;
  request.healing = {flags.heal,
                     /*rate=*/std::nullopt,
                     flags.healTargets,
                     flags.healData,
                     flags.healCheckpoint,
                     std::nullopt,
                     /*streams=*/std::nullopt,
                     /*loraRank=*/0,
                     /*codes=*/""};
  if (flags.healRate.getNumOccurrences() != 0)
    request.healing.rate = flags.healRate;
  if (flags.healStop != 0)
    request.healing.stop = flags.healStop;
  request.healing.loraRank = flags.healLora;
  request.healing.codes = flags.healCodes;
  // A file's pairs are not corrected again.
  if (flags.heal != 0 && flags.correction.getNumOccurrences() == 0 &&
      !llvm::StringRef(flags.blocks).starts_with("@"))
    request.correction = Correction::Refit;
  request.quantize = flags.quantize;
  request.damping = flags.damping;
  request.activations = flags.activations;
  request.from = flags.from;
  request.budget.order = flags.budgetOrder;
  for (auto [flag, given] :
       {std::pair(&flags.budgetKl, &request.budget.kl),
        std::pair(&flags.budgetGeneration, &request.budget.generation),
        std::pair(&flags.budgetPerplexity, &request.budget.perplexity),
        std::pair(&flags.budgetTasks, &request.budget.tasks),
        std::pair(&flags.ridge, &request.ridge),
        std::pair(&flags.healStreams, &request.healing.streams)}) {
    if (flag->getNumOccurrences() == 0)
      continue;
    double number;
    if (llvm::StringRef(*flag).getAsDouble(number))
      return llvm::createStringError("--" + flag->ArgStr +
                                     ": expected a number, got '" +
                                     flag->getValue() + "'");
    *given = number;
  }
  if (flags.requireBudget && !request.budget.isGiven())
    return llvm::createStringError(
        "--require-budget: expected a --budget-kl, --budget-generation, "
        "--budget-perplexity or --budget-tasks");
  llvm::Expected<drift::Screen> screen = readScreen(flags);
  if (!screen)
    return screen.takeError();
  request.screen = *screen;
  if (flags.generate.getNumOccurrences() != 0)
    request.generate = flags.generate;
  request.tasksPath = flags.tasks;
  request.memoryMebibytes = flags.memory;
  request.irOutPath = flags.irOut;
  request.weightsOutPath = flags.weightsOut;
  request.correctedWeightsPath = flags.correctedWeights;
  request.choicePath = flags.choice;
  request.statisticsPath = flags.statistics;
  request.jsonPath = flags.json;
  request.showProgress = llvm::sys::Process::StandardErrIsDisplayed();
  return request;
}

/// Hidden states are allocated and freed by the megabyte; returning their pages
/// each time would be a tenth of a run.
static void keepFreedMemory() {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

static int fail(llvm::Error error) {
  llvm::handleAllErrors(
      std::move(error), [](const runner::DiagnosedError &) {},
      [](const llvm::ErrorInfoBase &other) {
        llvm::errs() << "error: " << other.message() << "\n";
      });
  return 1;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  keepFreedMemory();
  cl::ResetCommandLineParser();
  Flags flags;
  parseToolFlags(argc, argv,
                 {"measures what serial to parallel does to a model, chooses "
                  "pairs under a budget, corrects weights",
                  "block-gen --config=config.json -o serial.mlir\n"
                  "block-drift serial.mlir --weights=model.safetensors "
                  "--data=data.safetensors --budget-kl=0.01 "
                  "--choice=chosen.json",
                  "3 --require-budget is not met"});
  llvm::Expected<drift::DriftRequest> request = readFlags(flags);
  if (!request)
    return fail(request.takeError());
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  // Errors at ops while they run: the files themselves are closed by then.
  llvm::SourceMgr noSources;
  mlir::SourceMgrDiagnosticHandler diagnostics(noSources, &context);
  llvm::Expected<llvm::json::Object> report =
      drift::runDrift(*request, context, llvm::errs());
  if (!report)
    return fail(report.takeError());
  bool isTaken = request->jsonPath == "-" || request->choicePath == "-" ||
                 request->irOutPath == "-";
  auto write = [&](llvm::raw_ostream &os) { drift::printDrift(os, *report); };
  if (llvm::Error error = parablock::printOutput(write, isTaken))
    return fail(std::move(error));
  if (!flags.requireBudget || drift::keepsBudget(*report))
    return 0;
  llvm::errs() << "error: --require-budget: " << drift::describeBudget(*report)
               << "\n";
  return 3;
}
