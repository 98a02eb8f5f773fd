//===- block-reduce.cpp - bisects reductions by a test --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "InterestingTest.h"
#include "Reductions.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "parablock/InitAll.h"
#include "parablock/Support/AtomicOutput.h"
#include "parablock/Support/LineWrapper.h"
#include "parablock/Support/SourceText.h"
#include "parablock/Support/ToolFlags.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace parablock;
namespace cl = llvm::cl;

namespace {
/// Made in main, after LLVM's own flags, which are of no use here, are gone.
struct Flags {
  cl::OptionCategory group{"Shrinking"};

  cl::opt<std::string> input{cl::Positional, cl::Required,
                             cl::desc("<IR file>")};
  cl::opt<std::string> test{
      "test", cl::Required, cl::value_desc("program"), cl::cat(group),
      cl::desc(
          "called with the name of a file; exits with 0 while the model in "
          "it still shows what is looked for")};
  ToolFlag<std::string> output{group, "o", "where the result goes",
                               cl::init("-"), cl::value_desc("file")};
};
} // namespace

/// Tries one reduction on smaller and smaller groups of places, and keeps those
/// that pass the test. Returns whether the module became smaller.
static llvm::Expected<bool> reduce(mlir::OwningOpRef<mlir::ModuleOp> &module,
                                   const ModelReduction &reduction,
                                   const InterestingTest &test) {
  bool changed = false;
  for (unsigned size = reduction.count(*module); size > 0; size /= 2) {
    for (unsigned first = 0; first < reduction.count(*module);) {
      unsigned number = std::min(size, reduction.count(*module) - first);
      mlir::OwningOpRef<mlir::ModuleOp> smaller = module->clone();
      reduction.apply(*smaller, first, number);
      bool holds = mlir::succeeded(mlir::verify(*smaller));
      if (holds) {
        llvm::Expected<bool> answer = test.holdsFor(*smaller);
        if (!answer)
          return answer.takeError();
        holds = *answer;
      }
      if (!holds) {
        first += number;
        continue;
      }
      module = std::move(smaller);
      changed = true;
    }
  }
  return changed;
}

static llvm::Error run(mlir::OwningOpRef<mlir::ModuleOp> &module,
                       const std::string &testProgram) {
  llvm::Expected<InterestingTest> test = InterestingTest::create(testProgram);
  if (!test)
    return test.takeError();
  llvm::Expected<bool> holds = test->holdsFor(*module);
  if (!holds)
    return holds.takeError();
  if (!*holds)
    return llvm::createStringError("the test does not hold for the input");
  for (bool changed = true; changed;) {
    changed = false;
    for (const ModelReduction &reduction : getReductions()) {
      llvm::Expected<bool> smaller = reduce(module, reduction, *test);
      if (!smaller)
        return smaller.takeError();
      changed |= *smaller;
    }
  }
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ResetCommandLineParser();
  Flags flags;
  parseToolFlags(
      argc, argv,
      {"shrinks a model while a test program still says yes",
       "block-reduce big.mlir --test=./still-fails.sh -o small.mlir"});
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry);

  auto fail = [](const llvm::Twine &message) {
    llvm::errs() << "block-reduce: error: " << message << "\n";
    return 1;
  };
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> input =
      readSourceText(flags.input);
  if (!input)
    return fail(llvm::toString(input.takeError()));
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*input), llvm::SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> module;
  {
    mlir::SourceMgrDiagnosticHandler handler(sources, &context);
    module = mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
  }
  if (!module)
    return 1;

  // Errors of a smaller model are expected.
  mlir::ScopedDiagnosticHandler silent(
      &context, [](mlir::Diagnostic &) { return mlir::success(); });
  if (llvm::Error error = run(module, flags.test))
    return fail(llvm::toString(std::move(error)));
  llvm::Error error = writeFile(flags.output, [&](llvm::raw_ostream &os) {
    LineWrapper lines(os);
    (*module)->print(lines); // with resources, unlike <<
    return llvm::Error::success();
  });
  if (error)
    return fail(llvm::toString(std::move(error)));
  return 0;
}
