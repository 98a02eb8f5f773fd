//===- block-weights.cpp - applies recipes to checkpoints -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Recipe/Apply.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace parablock::recipe;
namespace cl = llvm::cl;

namespace {
/// Made in main, after LLVM's own flags, which are of no use here, are gone.
struct Flags {
  cl::opt<std::string> input{cl::Positional, cl::desc("<safetensors file>"),
                             cl::Required};
  cl::opt<std::string> recipe{"recipe", cl::desc("what block-prepack wrote"),
                              cl::value_desc("file"), cl::ZeroOrMore};
  cl::opt<std::string> output{"o", cl::desc("where to write the tensors"),
                              cl::value_desc("file"), cl::ZeroOrMore};
  cl::opt<bool> undo{"undo", cl::desc("restore the original from the packed"),
                     cl::ZeroOrMore};
  cl::opt<bool> allowPartial{
      "allow-partial",
      cl::desc("with --undo: write what can be restored where not all can"),
      cl::ZeroOrMore};
};
} // namespace

static llvm::Error run(const Flags &flags) {
  if (flags.recipe.empty())
    return llvm::createStringError("expected a --recipe");
  if (flags.output.empty())
    return llvm::createStringError("expected a file to write, -o");
  if (flags.allowPartial && !flags.undo)
    return llvm::createStringError("--allow-partial goes with --undo");
  llvm::Expected<Recipe> recipe = readRecipe(flags.recipe);
  if (!recipe)
    return recipe.takeError();
  if (flags.undo)
    return undoRecipe(*recipe, flags.input, flags.output, flags.allowPartial,
                      llvm::errs());
  return applyRecipe(*recipe, flags.input, flags.output, llvm::errs());
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ResetCommandLineParser();
  Flags flags;
  cl::ParseCommandLineOptions(
      argc, argv, "Parablock: packs weights by a recipe, and unpacks them\n");
  if (llvm::Error error = run(flags)) {
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
