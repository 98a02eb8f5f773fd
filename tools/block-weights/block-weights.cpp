//===- block-weights.cpp - parses flags, applies recipes ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/ToolFlags.h"
#include "parablock/Transforms/Recipe/Apply.h"
#include "llvm/Support/InitLLVM.h"

using namespace parablock::recipe;
using parablock::ToolFlag;
namespace cl = llvm::cl;

namespace {
/// Made in main, after LLVM's own flags, which are of no use here, are gone.
struct Flags {
  cl::OptionCategory group{"Packing and unpacking"};

  cl::opt<std::string> input{cl::Positional, cl::desc("<safetensors file>"),
                             cl::Required};
  ToolFlag<std::string> recipe{group, "recipe", "what block-prepack wrote",
                               cl::value_desc("file")};
  ToolFlag<std::string> output{group, "o", "where to write the tensors",
                               cl::value_desc("file")};
  ToolFlag<bool> undo{group, "undo", "restore the original from the packed"};
  ToolFlag<bool> allowPartial{
      group, "allow-partial",
      "with --undo: write what can be restored where not all can"};
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
  parablock::parseToolFlags(
      argc, argv,
      {"packs a checkpoint by a recipe, and unpacks it",
       "block-opt fused.mlir --block-prepack=recipe=recipe.mlir -o "
       "packed.mlir\n"
       "block-weights model.safetensors --recipe=recipe.mlir "
       "-o packed.safetensors"});
  if (llvm::Error error = run(flags)) {
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
