//===- FuzzConfig.cpp - configs with fields that lie ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Containment.h"
#include "Fuzzers.h"
#include "MemoryFile.h"
#include "MutateJSON.h"
#include "MutateText.h"
#include "mlir/IR/Diagnostics.h"
#include "parablock/Frontends/Generate/Config.h"
#include "parablock/Frontends/Generate/ModelBuilder.h"
#include "parablock/InitAll.h"

using namespace parablock;
using namespace parablock::fuzz;
using llvm::StringRef;

static constexpr StringRef kWords[] = {"gelu",
                                       "gelu_new",
                                       "silu",
                                       "relu",
                                       "tanh",
                                       "gpt2",
                                       "llama",
                                       "bert",
                                       "t5",
                                       "falcon",
                                       "LlamaModel",
                                       "GPT2LMHeadModel",
                                       "default",
                                       "linear",
                                       "dynamic",
                                       "yarn",
                                       "longrope",
                                       "llama3",
                                       "rope_type",
                                       "factor",
                                       "rope_scaling",
                                       "rope_theta",
                                       "absolute",
                                       "relative_key",
                                       "many",
                                       "",
                                       "gated-gelu",
                                       "alibi",
                                       "quantization_config",
                                       "pruned_heads"};

std::string ConfigFuzzer::makeInput(Random &random) {
  const std::string &file = random.among(files);
  if (random.chance(10))
    return random.chance(50) ? mutateText(file, random)
                             : mutateBytes(file, random);
  llvm::json::Value config = llvm::cantFail(llvm::json::parse(file));
  mutateJSON(config, kWords, random);
  std::string text;
  llvm::raw_string_ostream(text) << config;
  return text;
}

/// Thousands of layers take time, and are no news.
static bool isSmall(const generate::ModelSpec &spec) {
  return spec.stack.layers.size() <= 4 &&
         (!spec.encoder || spec.encoder->layers.size() <= 4);
}

void ConfigFuzzer::process(const std::string &input, Random &random,
                           Tally &tally, Findings &findings) {
  MemoryFile memory(input);
  enterStage("reading a config");
  generate::SequenceRequest sequence;
  sequence.given = random.chance(50);
  if (random.chance(50))
    sequence.length = 3;
  auto spec = generate::readConfig(memory.path(), sequence);
  if (!spec) {
    std::string message = llvm::toString(spec.takeError());
    if (!StringRef(message).starts_with(memory.path()))
      findings.failures.push_back("an error does not name its file: " +
                                  message);
    if (findings.verbose)
      llvm::errs() << message << "\n";
    return;
  }
  ++tally.accepted;
  if (!isSmall(*spec))
    return;
  enterStage("building the model of a config");
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  generate::loadDialects(context);
  std::string message;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &d) { message += d.str() + "\n"; });
  generate::BuildOptions options;
  options.batch = 2;
  options.sequence = options.encoderSequence = 3;
  options.padding = random.chance(30);
  if (generate::buildModel(context, *spec, options))
    ++tally.ran;
  else
    findings.failures.push_back("a config that is accepted makes no model: " +
                                message);
}
