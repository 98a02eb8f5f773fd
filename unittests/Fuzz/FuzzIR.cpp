//===- FuzzIR.cpp - IR: parser, verifier, passes, interpreter -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Containment.h"
#include "Fuzzers.h"
#include "MutateIR.h"
#include "MutateText.h"
#include "RunTwice.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "parablock/InitAll.h"
#include "parablock/Pipelines/Optimize.h"
#include "parablock/Transforms/Passes.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::fuzz;

struct IRFuzzer::Impl {
  Impl(uint64_t seed, std::vector<std::string> files)
      : models(makeModelSources(seed)), files(std::move(files)),
        registry(makeRegistry()),
        context(registry, MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
    for (const std::string &file : this->files)
      if (!parse(file))
        llvm::report_fatal_error("a file of valid IR does not parse");
  }

  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerAllDialects(registry);
    return registry;
  }

  /// Keeps the text. Not inlined, for stack traces to show it: MLIR crashes on
  /// printing some attributes that its parsers make.
  LLVM_ATTRIBUTE_NOINLINE void note(Diagnostic &diagnostic, bool verbose);
  OwningOpRef<ModuleOp> parse(StringRef input);
  /// Prints and parses again, which must not change anything.
  void checkRoundTrip(ModuleOp module, Findings &findings);
  void checkPasses(ModuleOp module, unsigned function, Random &random,
                   Tally &tally, Findings &findings);

  std::vector<ModelSource> models;
  std::vector<std::string> files;
  DialectRegistry registry;
  MLIRContext context;
  std::string lastDiagnostic;
};

IRFuzzer::IRFuzzer(uint64_t seed, std::vector<std::string> files)
    : impl(std::make_unique<Impl>(seed, std::move(files))) {}
IRFuzzer::~IRFuzzer() = default;

void IRFuzzer::Impl::note(Diagnostic &diagnostic, bool verbose) {
  lastDiagnostic = diagnostic.str();
  if (verbose)
    llvm::errs() << lastDiagnostic << "\n";
}

OwningOpRef<ModuleOp> IRFuzzer::Impl::parse(StringRef input) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(input),
                             llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, &context);
}

template <typename... Flags>
static std::string print(ModuleOp module, Flags... flags) {
  std::string text;
  llvm::raw_string_ostream os(text);
  OpPrintingFlags printing;
  (flags(printing), ...);
  module->print(os, printing);
  return text;
}

std::string IRFuzzer::makeInput(Random &random) {
  const ModelSource &model = random.among(impl->models);
  uint64_t style = random.below(100);
  if (style < 6)
    return mutateText(random.among(impl->files), random);
  if (style < 25)
    return mutateText(model.text, random);
  if (style < 32)
    return mutateBytes(model.bytecode, random);
  ScopedDiagnosticHandler silence(&impl->context,
                                  [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module =
      impl->parse(style < 40 ? random.among(impl->files) : model.text);
  mutateIR(*module, random);
  return print(*module,
               [](OpPrintingFlags &flags) { flags.printGenericOpForm(); });
}

void IRFuzzer::Impl::checkRoundTrip(ModuleOp module, Findings &findings) {
  enterStage("printing and parsing again");
  std::string text = print(module);
  OwningOpRef<ModuleOp> again = parse(text);
  if (!again)
    findings.failures.push_back("printed IR does not parse: " + lastDiagnostic);
  else if (print(*again) != text)
    findings.failures.push_back("printed IR parses to something else");
}

static func::FuncOp getFunction(ModuleOp module, unsigned index) {
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      functions.push_back(function);
  return functions.empty() ? func::FuncOp()
                           : functions[index % functions.size()];
}

void IRFuzzer::Impl::checkPasses(ModuleOp module, unsigned index,
                                 Random &random, Tally &tally,
                                 Findings &findings) {
  func::FuncOp function = getFunction(module, index);
  Runs runs(random.next());
  std::optional<Runs::Results> before;
  if (function && isSmall(function)) {
    enterStage("interpreting with rounding");
    runs.run(function, /*exact=*/false);
    enterStage("interpreting");
    before = runs.run(function, /*exact=*/true);
    tally.ran += before.has_value();
  }

  OptimizeOptions options;
  StringRef chips[] = {"cpu", "sm_80", "sm_90a"};
  options.chip = random.among(chips).str();
  if (random.chance(50))
    options.assumeMaxMeanOverStd = 4;
  for (bool all : {false, true}) {
    const char *name = all ? "block-optimize" : "block-expand";
    enterStage(name);
    PassManager passes(&context);
    if (all)
      buildOptimizePipeline(passes, options);
    else
      passes.addPass(block::createBlockExpand());
    OwningOpRef<ModuleOp> rewritten(cast<ModuleOp>(module->clone()));
    if (failed(passes.run(*rewritten))) {
      findings.failures.push_back((Twine(name) + ": " + lastDiagnostic).str());
      continue;
    }
    if (!before)
      continue;
    enterStage(all ? "interpreting after block-optimize"
                   : "interpreting after block-expand");
    auto after = runs.run(getFunction(*rewritten, index), /*exact=*/true);
    std::string difference = after ? compareRuns(*before, *after)
                                   : "does not run: " + lastDiagnostic;
    if (!difference.empty())
      findings.failures.push_back(
          (Twine("after ") + name + ": " + difference).str());
  }
}

void IRFuzzer::process(const std::string &input, Random &random, Tally &tally,
                       Findings &findings) {
  ScopedDiagnosticHandler handler(&impl->context, [&](Diagnostic &diagnostic) {
    impl->note(diagnostic, findings.verbose);
    return success();
  });
  enterStage("parsing", Input::Raw);
  OwningOpRef<ModuleOp> module = impl->parse(input);
  if (!module)
    return;
  ++tally.accepted;
  // MLIR's bytecode reader lets through types that have no text, such as those
  // of negative sizes.
  bool isText = !isBytecode(llvm::MemoryBufferRef(input, "input"));
  if (random.chance(25) && isText)
    impl->checkRoundTrip(*module, findings);
  impl->checkPasses(*module, random.below(64), random, tally, findings);
}
