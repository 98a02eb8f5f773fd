//===- block-opt.cpp - main function and help of block-opt ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PassOptions.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Frontends/Raise/Passes.h"
#include "parablock/InitAll.h"
#include "parablock/Judges/Compare/RewriteVerifier.h"
#include "parablock/Pipelines/Optimize.h"
#include "parablock/Support/AtomicOutput.h"
#include "parablock/Support/LineWrapper.h"
#include "parablock/Support/SourceText.h"
#include "parablock/Support/ToolFlags.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace parablock;

/// Prints one reason per line, for scripts that compare reports.
static void listReasons(llvm::raw_ostream &os) {
  for (Reason reason : getAllReasons())
    os << getReasonName(reason) << "\n";
}

/// Adds the passes of the command line; with a result to fill in, each exact
/// one between two executions.
static MlirOptMainConfig
addSetup(const MlirOptMainConfig &config, ArrayRef<char *> arguments,
         const std::shared_ptr<runner::VerificationResult> &result) {
  MlirOptMainConfig own = config;
  own.setPassPipelineSetupFn([=](PassManager &manager) {
    if (failed(config.setupPassPipeline(manager))) {
      listPassOptions(arguments);
      return failure();
    }
    if (result)
      manager.addInstrumentation(
          std::make_unique<runner::RewriteVerifier>(result, getExactPasses()));
    return success();
  });
  return own;
}

/// Makes errors omit the op, which for a model is pages of text, unless the
/// user set that flag.
static void quietenDiagnostics(SmallVectorImpl<char *> &arguments) {
  static char flag[] = "--mlir-print-op-on-diagnostic=false";
  bool given = llvm::any_of(arguments, [](StringRef argument) {
    return argument.ltrim('-').starts_with("mlir-print-op-on-diagnostic");
  });
  if (!given && !arguments.empty())
    arguments.insert(arguments.begin() + 1, flag);
}

static int refuse(StringRef message) {
  llvm::errs() << "error: " << message << "\n";
  return 1;
}

static bool isHelp(StringRef argument) { return argument.ltrim('-') == "help"; }

/// Leaves flags of LLVM and most of MLIR to --help-hidden.
static void hideForeignFlags() {
  hideFlags([](StringRef name) {
    return StringSwitch<bool>(name)
        .Cases({"block-list-reasons", "block-raise-dump", "verify-rewrites",
                "o", "pass-pipeline", "split-input-file", "emit-bytecode",
                "mlir-print-ir-after-all", "mlir-timing", "list-passes",
                "load-pass-plugin", "mlir-disable-threading", "unbroken-lines"},
               true)
        .Default(PassInfo::lookup(name) || PassPipelineInfo::lookup(name));
  });
}

static LogicalResult run(llvm::raw_ostream &os,
                         std::unique_ptr<llvm::MemoryBuffer> input,
                         DialectRegistry &registry,
                         const MlirOptMainConfig &config, bool unbroken) {
  LineWrapper lines(os, unbroken);
  return MlirOptMain(lines, std::move(input), registry, config);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  SmallVector<char *> arguments(argv, argv + argc);
  quietenDiagnostics(arguments);
  spellOutHelp(arguments);
  argc = static_cast<int>(arguments.size());
  argv = arguments.data();
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllPasses();
  // --help is about the project's own passes; MLIR's are in --help-hidden.
  if (llvm::none_of(arguments, isHelp)) {
    registerTransformsPasses();
    // Derives the dimensions of results from operands; upstream has it in
    // memref.
    memref::registerResolveRankedShapeTypeResultDimsPass();
  }

  llvm::cl::OptionCategory group("Reports and checks");
  ToolFlag<bool> listReasonsFlag(
      group, "block-list-reasons",
      "print every reason for a missed rewrite and exit");
  ToolFlag<bool> verifyRewrites(
      group, "verify-rewrites",
      "execute the function before and after every exact pass and fail where "
      "the results differ");
  ToolFlag<bool> unbrokenLines(group, "unbroken-lines",
                               "print each op in one line, however long");
  raise::registerDumpFlag();
  ToolHelp help{"runs passes on transformer blocks",
                "block-gen --family=llama --layers=2 --width=64 --heads=4 "
                "--seq=16 -o llama.mlir\n"
                "block-opt --verify-rewrites --block-optimize llama.mlir "
                "--block-explain -o fused.mlir",
                "3 results differ (--verify-rewrites)"};
  registerCLIOptions(help.purpose, registry);
  hideForeignFlags();
  prepareHelp(help);
  auto [inputName, outputName] = parseCLIOptions(argc, argv, getOverview(help));
  if (listReasonsFlag) {
    llvm::Error error = printOutput(listReasons);
    return error ? refuse(llvm::toString(std::move(error))) : 0;
  }

  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  auto result = std::make_shared<runner::VerificationResult>();
  config = addSetup(config, arguments, verifyRewrites ? result : nullptr);
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(
        MlirOptMain(argc, argv, inputName, outputName, registry));

  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> input =
      readSourceText(inputName);
  if (!input)
    return refuse(llvm::toString(input.takeError()));
  // The input is mapped, and may be the file that the output goes to.
  llvm::Expected<std::unique_ptr<AtomicOutput>> output =
      AtomicOutput::create(outputName);
  if (!output)
    return refuse(llvm::toString(output.takeError()));
  if (failed(run((*output)->os(), std::move(*input), registry, config,
                 unbrokenLines)) ||
      result->failed)
    return 1;
  if (result->differs)
    return 3;
  if (verifyRewrites && result->verified == 0)
    llvm::errs() << "warning: --verify-rewrites verified nothing: no exact "
                    "pass ran on a model\n";
  if (llvm::Error error = (*output)->keep())
    return refuse(llvm::toString(std::move(error)));
  return 0;
}
