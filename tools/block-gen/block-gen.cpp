//===- block-gen.cpp - checks requests and prints IR ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GenFlags.h"
#include "RandomModel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "parablock/Conversion/Passes.h"
#include "parablock/Frontends/Generate/Config.h"
#include "parablock/Frontends/Generate/WeightsWriter.h"
#include "parablock/InitAll.h"
#include "parablock/Support/AtomicOutput.h"
#include "parablock/Support/LineWrapper.h"
#include "parablock/Transforms/Passes.h"
#include "llvm/Support/InitLLVM.h"

using namespace parablock::generate;

static int fail(llvm::Error error) {
  llvm::handleAllErrors(std::move(error), [](const llvm::ErrorInfoBase &info) {
    llvm::errs() << "error: " << info.message() << "\n";
  });
  return 1;
}

static llvm::Expected<ModelSpec> makeSpec(const GenRequest &request) {
  if (request.family == "random")
    return makeRandomModel(request.seed, request.sizes);
  if (!request.family.empty())
    return makeFamily(request.family, request.sizes);
  return readConfig(request.configPath,
                    {request.sequence.given, request.sequence.size});
}

/// Refuses more tokens than `stack` has learned positions for.
static llvm::Error checkPositions(const StackSpec &stack, llvm::StringRef flag,
                                  std::optional<int64_t> length) {
  const auto &embedding = stack.embedding;
  if (!length || !embedding || embedding->positionTable.empty())
    return llvm::Error::success();
  int64_t first =
      embedding->padId ? *embedding->padId + 1 : embedding->positionOffset;
  int64_t available = embedding->positionCount - first;
  if (*length <= available)
    return llvm::Error::success();
  return llvm::createStringError(
      "expected " + flag + " to be at most the model's " +
      llvm::Twine(available) + " positions, got " + llvm::Twine(*length));
}

/// Rejects a loss without logits, and levels that do not support one.
static llvm::Error checkLoss(const GenRequest &request, const ModelSpec &spec) {
  if (request.build.scope == Scope::Block)
    return llvm::createStringError(
        "expected --scope=model with --loss, got block, which has no logits");
  if (!spec.head)
    return llvm::createStringError(
        "expected a model with logits for --loss, got '" + spec.family +
        "', which returns hidden states");
  if (request.level == Level::Tosa || request.level == Level::Linalg)
    return llvm::createStringError(
        "expected --level=model or core with --loss, got " +
        llvm::Twine(request.level == Level::Tosa ? "tosa" : "linalg"));
  return llvm::Error::success();
}

/// Rejects options that a batch row of several sequences does not support.
static llvm::Error checkPacked(const ModelSpec &spec,
                               const BuildOptions &build) {
  auto refuse = [](const llvm::Twine &reason) {
    return llvm::createStringError("expected no --varlen with " + reason);
  };
  if (build.padding)
    return refuse("--padding, which counts the rows of one sequence");
  if (build.batch != 1)
    return refuse("--batch=" +
                  (build.batch ? llvm::Twine(*build.batch) : llvm::Twine("?")) +
                  ": all sequences share one batch row");
  if (hasCrossAttention(spec.stack))
    return refuse("cross-attention, whose keys have rows of their own");
  const auto &embedding = spec.stack.embedding;
  if (build.scope == Scope::Model &&
      (spec.stack.patches || (embedding && (!embedding->positionTable.empty() ||
                                            embedding->sinusoid))))
    return refuse("positions that count from the beginning of the row; "
                  "--scope=block has none");
  return llvm::Error::success();
}

/// Rejects options that a function of new tokens and caches does not support.
static llvm::Error checkPast(const GenRequest &request) {
  auto refuse = [](const llvm::Twine &flag) {
    return llvm::createStringError("expected no " + flag + " with --past");
  };
  if (request.build.padding)
    return refuse("--padding, as padding is in front there,");
  if (request.packedSequences.given)
    return refuse("--varlen");
  if (request.build.loss)
    return refuse("--loss");
  if (request.level == Level::Tosa || request.level == Level::Linalg)
    return refuse(request.level == Level::Tosa ? "--level=tosa"
                                               : "--level=linalg");
  return llvm::Error::success();
}

/// Defaults that depend on the model: its own positions as the length.
static llvm::Expected<BuildOptions> resolveDims(const GenRequest &request,
                                                const ModelSpec &spec) {
  BuildOptions build = request.build;
  if (request.batch.given)
    build.batch = request.batch.size;
  build.sequence = spec.positions ? spec.positions : 2048;
  if (request.sequence.given)
    build.sequence = request.sequence.size;
  build.encoderSequence = build.sequence;
  if (request.encoderSequence.given)
    build.encoderSequence = request.encoderSequence.size;
  build.packed = request.packedSequences.given;
  build.packedSequences = request.packedSequences.size;
  if (build.packed)
    if (llvm::Error error = checkPacked(spec, build))
      return error;
  if (build.loss)
    if (llvm::Error error = checkLoss(request, spec))
      return error;
  std::optional<int64_t> sequence = build.sequence;
  if (request.pageRows && !request.past.given)
    return llvm::createStringError("expected --past=? with --page-rows");
  if (request.past.given) {
    if (llvm::Error error = checkPast(request))
      return error;
    // Prompts and single tokens are calls of one function.
    build.sequence = std::nullopt;
  }
  if (build.scope == Scope::Block)
    return build;
  if (llvm::Error error = checkPositions(spec.stack, "--seq", sequence))
    return error;
  if (spec.encoder)
    if (llvm::Error error = checkPositions(*spec.encoder, "--encoder-seq",
                                           build.encoderSequence))
      return error;
  return build;
}

static llvm::LogicalResult lower(mlir::ModuleOp module,
                                 const GenRequest &request) {
  mlir::PassManager passes(module.getContext());
  Level level = request.level;
  if (request.past.given) {
    parablock::block::BlockAddCachesOptions options;
    options.capacity = static_cast<uint64_t>(request.past.size.value_or(0));
    options.pageRows = static_cast<uint64_t>(request.pageRows.value_or(0));
    options.wantedRows = false;
    passes.addPass(parablock::block::createBlockAddCaches(options));
  }
  if (level != Level::Model)
    passes.addPass(parablock::block::createBlockExpand());
  if (level == Level::Tosa)
    passes.addPass(parablock::createConvertBlockToTosa());
  if (level == Level::Linalg)
    passes.addPass(parablock::createConvertBlockToLinalg());
  // Layers made the same constants and masks, each for itself.
  if (level == Level::Tosa || level == Level::Linalg)
    passes.addPass(mlir::createCSEPass());
  return passes.run(module);
}

static llvm::Error generate(const GenRequest &request) {
  auto spec = makeSpec(request);
  if (!spec)
    return spec.takeError();
  for (const std::string &remark : spec->remarks)
    llvm::errs() << "remark: " << remark << "\n";
  auto build = resolveDims(request, *spec);
  if (!build)
    return build.takeError();
  mlir::DialectRegistry registry;
  parablock::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  loadDialects(context);
  auto module = buildModel(context, *spec, *build);
  if (!module)
    return llvm::createStringError("could not build '" + spec->family + "'");
  if (failed(lower(*module, request)))
    return llvm::createStringError("could not lower '" + spec->family + "'");

  auto output = parablock::AtomicOutput::create(request.outputPath);
  if (!output)
    return output.takeError();
  {
    parablock::LineWrapper lines((*output)->os(), request.unbrokenLines);
    module->print(lines);
  }
  if (!request.weightsPath.empty()) {
    auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
    if (llvm::Error error =
            writeWeights(main, request.seed, request.weightsPath))
      return error;
  }
  return (*output)->keep();
}

static void listFamilies(llvm::raw_ostream &os) {
  for (llvm::StringRef name : getFamilyNames())
    os << name << "\n";
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  auto request = readCommandLine(argc, argv);
  if (!request)
    return fail(request.takeError());
  llvm::Error error =
      request->listFamilies       ? parablock::printOutput(listFamilies)
      : request->describeFamilies ? parablock::printOutput(describeFamilies)
                                  : generate(*request);
  return error ? fail(std::move(error)) : 0;
}
