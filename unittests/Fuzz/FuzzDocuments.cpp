//===- FuzzDocuments.cpp - recipes and choices that lie --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Containment.h"
#include "Fuzzers.h"
#include "MemoryFile.h"
#include "MutateJSON.h"
#include "MutateText.h"
#include "TemporaryFolder.h"
#include "parablock/Analysis/Choice.h"
#include "parablock/Transforms/Recipe/Apply.h"

using namespace parablock;
using namespace parablock::fuzz;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr StringRef kWords[] = {
    "f32",     "bf16",     "i64",     "f64",       "source",   "concat",
    "slice",   "reshape",  "convert", "transpose", "multiply", "add",
    "name",    "shape",    "dtype",   "operands",  "dim",      "offset",
    "1+",      "5",        "none",    "separate",  "shared",   "refit",
    "q_bias",  "sm_90a",   "batch",   "seq",       "tensor",   "all_reduce",
    "kernels", "../other", "",        "\xC3\xA9"};

DocumentFuzzer::DocumentFuzzer(std::vector<std::string> files, Read read)
    : files(std::move(files)), read(read) {
  std::string place;
  for (const std::string &file : this->files)
    if (auto known = read(file, place); !known)
      llvm::reportFatalUsageError("a document to begin with is not read: " +
                                  llvm::Twine(toString(known.takeError())));
}

/// A number that could be right.
static std::string mutateDigit(std::string text, Random &random) {
  size_t at = text.find_first_of("0123456789", random.below(text.size()));
  if (at != std::string::npos)
    text[at] = static_cast<char>('0' + random.below(10));
  return text;
}

std::string DocumentFuzzer::makeInput(Random &random) {
  const std::string &file = random.among(files);
  if (random.chance(10))
    return random.chance(50) ? mutateText(file, random)
                             : mutateBytes(file, random);
  if (random.chance(30))
    return mutateDigit(file, random);
  Expected<json::Value> value = json::parse(file);
  if (!value) {
    llvm::consumeError(value.takeError());
    return mutateText(file, random);
  }
  mutateJSON(*value, kWords, random);
  std::string text;
  llvm::raw_string_ostream(text) << *value;
  return text;
}

void DocumentFuzzer::process(const std::string &input, Tally &tally,
                             Findings &findings) {
  enterStage("reading a document");
  std::string place;
  Expected<bool> ran = read(input, place);
  if (ran) {
    ++tally.accepted;
    tally.ran += *ran;
    return;
  }
  std::string message = llvm::toString(ran.takeError());
  // Its own name, or that of a file beside it, as a recipe's constants are.
  if (!StringRef(message).contains(llvm::sys::path::parent_path(place)))
    findings.failures.push_back("an error does not name its file: " + message);
  if (findings.verbose)
    llvm::errs() << message << "\n";
}

/// Writes what was read, and reads it again.
static Expected<bool> readAndWriteChoice(StringRef input, std::string &place) {
  MemoryFile memory(input);
  place = memory.path();
  Expected<Choice> choice = readChoice(place);
  if (!choice)
    return choice.takeError();
  enterStage("writing a choice");
  unittest::TemporaryFolder folder;
  if (Error error = writeChoice(folder.path("choice.json"), *choice))
    return Error(std::move(error));
  place = folder.path("choice.json");
  Expected<Choice> again = readChoice(place);
  if (!again)
    return again.takeError();
  return again->chosen == choice->chosen && again->norm == choice->norm;
}

/// Recipes are held against a file that has none of their tensors: what they
/// say of sizes must not be allocated before that is seen.
static Expected<bool> readAndApplyRecipe(StringRef input, std::string &place) {
  MemoryFile memory(input);
  place = memory.path();
  enterStage("reading a recipe", Input::Raw);
  Expected<recipe::Recipe> recipe = recipe::readRecipe(place);
  if (!recipe)
    return recipe.takeError();
  enterStage("applying a recipe");
  MemoryFile weights(StringRef("\2\0\0\0\0\0\0\0{}", 10));
  std::string remarks;
  llvm::raw_string_ostream os(remarks);
  Error error = recipe::applyRecipe(*recipe, weights.path(), "/dev/null", os);
  bool failed = static_cast<bool>(error);
  llvm::consumeError(std::move(error));
  error = recipe::undoRecipe(*recipe, weights.path(), "/dev/null",
                             /*allowPartial=*/true, os);
  llvm::consumeError(std::move(error));
  return failed;
}

static const char choiceText[] = R"({
  "schema": 1,
  "model_hash": "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
  "chosen": ["0", "3+"],
  "norm": "shared",
  "scales": {"scale": 1.0, "attn_scale": 0.5, "mlp_scale": 2},
  "correction": "refit",
  "added_parameters": [{"index": 0, "operand": "o_bias", "name": "h.0.b"}],
  "weights_hash": "w", "data_hash": "", "kl": 0.001
})";

DocumentFuzzer fuzz::makeChoiceFuzzer() {
  return {{choiceText}, readAndWriteChoice};
}

DocumentFuzzer fuzz::makeRecipeFuzzer(std::vector<std::string> files) {
  return {std::move(files), readAndApplyRecipe};
}
