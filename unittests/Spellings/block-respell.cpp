//===- block-respell.cpp - level-0 IR written differently -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For tests of what recognises patterns in IR of other tools.
//
//   block-respell F.mlir --respell=RULE|any [--count=K] [--seed=N] [-o G.mlir]
//       applies K changes (by default 1) that keep the function
//   block-respell F.mlir --mutate=RULE|any [--seed=N] [-o G.mlir]
//       applies one change of a constant, predicate, order or function, most of
//       which change what is computed: what raises G must leave the changed
//       part alone or stay numerically equal to G
//   block-respell F.mlir --list
//       one line per rule: respell|mutate, its name, the number of its places
//
// The seed chooses among the places. Each change is a remark on standard error,
// `F.mlir:12:5: remark: reassociate`. Exit code 1 where there is no place.
//
//===----------------------------------------------------------------------===//

#include "Sites.h"
#include "mlir/IR/Verifier.h"
#include "parablock/Execution/ModuleLoading.h"
#include "parablock/InitAll.h"
#include "parablock/Support/AtomicOutput.h"
#include "parablock/Support/SeededRandom.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace parablock;
using namespace parablock::spellings;
namespace cl = llvm::cl;

static cl::opt<std::string> inputPath(cl::Positional, cl::Required,
                                      cl::desc("<IR file>"));
static cl::opt<std::string> outputPath("o", cl::init("-"));
static cl::opt<std::string> respelling("respell", cl::desc("rule, or any"));
static cl::opt<std::string> mutation("mutate", cl::desc("rule, or any"));
static cl::opt<unsigned> count("count", cl::init(1));
static cl::opt<uint64_t> seed("seed", cl::init(0));
static cl::opt<bool> list("list");

static void printCounts(llvm::StringRef kind, const Sites &sites) {
  llvm::MapVector<llvm::StringRef, unsigned> counts;
  for (const Site &site : sites)
    ++counts[site.rule];
  for (auto [rule, number] : counts)
    llvm::outs() << kind << " " << rule << " " << number << "\n";
}

static Sites find(mlir::ModuleOp module, bool mutates, llvm::StringRef rule) {
  Sites sites = mutates ? findMutations(module) : findRespellings(module);
  if (rule != "any")
    llvm::erase_if(sites, [&](const Site &site) { return site.rule != rule; });
  return sites;
}

/// Applies one change, another where it leaves no valid module; null where none
/// does.
static mlir::OwningOpRef<mlir::ModuleOp>
change(mlir::ModuleOp module, bool mutates, llvm::StringRef rule,
       SeededStream &choices, uint64_t round) {
  unsigned number = find(module, mutates, rule).size();
  if (number == 0)
    return {};
  uint64_t first = choices.integer(round, number);
  for (unsigned attempt = 0; attempt < number; ++attempt) {
    mlir::OwningOpRef<mlir::ModuleOp> changed = module.clone();
    Sites sites = find(*changed, mutates, rule);
    Site &site = sites[(first + attempt) % number];
    mlir::Location place = site.op->getLoc();
    site.apply();
    mlir::ScopedDiagnosticHandler silence(
        module.getContext(),
        [](mlir::Diagnostic &) { return mlir::success(); });
    if (failed(mlir::verify(*changed)))
      continue;
    llvm::errs() << place << ": remark: " << site.rule << "\n";
    return changed;
  }
  return {};
}

static llvm::Error run() {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  context.loadAllAvailableDialects();
  auto module = runner::loadModule(inputPath, context);
  if (!module)
    return module.takeError();
  if (list) {
    printCounts("respell", findRespellings(**module));
    printCounts("mutate", findMutations(**module));
    return llvm::Error::success();
  }
  bool mutates = !mutation.empty();
  if (mutates == !respelling.empty())
    return llvm::createStringError("expected --respell or --mutate");
  std::string rule = mutates ? mutation : respelling;
  SeededStream choices(seed, rule);
  unsigned rounds = mutates ? 1 : count.getValue();
  for (unsigned round = 0; round < rounds; ++round) {
    auto changed = change(**module, mutates, rule, choices, round);
    if (!changed)
      return llvm::createStringError("no place for '" + rule + "'");
    *module = std::move(changed);
  }
  auto output = AtomicOutput::create(outputPath);
  if (!output)
    return output.takeError();
  (**module)->print((*output)->os());
  return (*output)->keep();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "level-0 IR written differently\n");
  if (llvm::Error error = run()) {
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
