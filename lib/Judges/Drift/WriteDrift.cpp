//===- WriteDrift.cpp - writes choice, model and report -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DriftReport.h"
#include "NormStatistics.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Execution/ModuleLoading.h"
#include "parablock/Support/AtomicOutput.h"
#include "parablock/Support/LineWrapper.h"
#include "parablock/Transforms/ParallelizeLayers.h"
#include "llvm/Support/FormatVariadic.h"
#include <filesystem>

using namespace parablock;
using namespace parablock::drift;
using llvm::Error;
using llvm::Expected;

/// Returns `path` relative to the folder of the file `from`; empty if it is
/// outside.
static std::string getPathFrom(llvm::StringRef from, llvm::StringRef path) {
  std::error_code problem;
  std::filesystem::path folder =
      std::filesystem::absolute(from.str(), problem).parent_path();
  std::filesystem::path target =
      std::filesystem::absolute(path.str(), problem).lexically_normal();
  std::string found =
      target.lexically_relative(folder.lexically_normal()).string();
  return isPathBelow(found) ? found : std::string();
}

Choice drift::makeChoice(const DriftRequest &request, const Model &model,
                         const DriftResults &results) {
  Choice choice;
  choice.modelHash = results.modelHash;
  for (const Candidate &candidate : results.chosen)
    choice.chosen.push_back(candidate.pair);
  choice.ladder = request.form.ladder;
  choice.shortcut = request.form.shortcut;
  choice.norm = request.form.norm;
  choice.router = request.form.router;
  choice.scale = request.form.scale;
  choice.attentionScale = request.form.attentionScale;
  choice.mlpScale = request.form.mlpScale;
  choice.correction = request.correction;
  for (const NewParameter &added : results.changes.added)
    choice.addedParameters.push_back(added.parameter);
  choice.weightsHash = results.correctedWeightsHash;
  if (!request.choicePath.empty() && !request.weightsOutPath.empty())
    choice.weightsFile =
        getPathFrom(request.choicePath, request.weightsOutPath);
  choice.dataHash = results.dataHash;
  if (model.hasLogits())
    choice.kl = results.logits.kl.getMean();
  return choice;
}

/// Writes the output of block-parallelize for the choice.
static Error writeParallelModel(const DriftRequest &request,
                                const Choice &choice, mlir::ModuleOp original) {
  mlir::OwningOpRef<mlir::ModuleOp> module = original.clone();
  Expected<mlir::func::FuncOp> function =
      runner::findFunction(*module, request.functionName, request.irPath);
  if (!function)
    return function.takeError();
  module->getContext()->loadDialect<mlir::tensor::TensorDialect>();
  if (failed(block::addParameters(*function, choice.addedParameters)))
    return llvm::make_error<runner::DiagnosedError>();
  llvm::SmallVector<LayerPair> converted = block::parallelizeLayers(
      *function, choice.chosen, block::ParallelizeOptions::of(choice));
  std::string fault =
      block::describeUnconverted(*function, choice.chosen, converted);
  if (!fault.empty())
    return llvm::createStringError("--ir-out: " + fault +
                                   ": leave the pair out by --blocks");
  return writeFile(request.irOutPath, [&](llvm::raw_ostream &os) -> Error {
    LineWrapper lines(os);
    module->print(lines);
    lines << "\n";
    return Error::success();
  });
}

Error drift::writeOutputs(const DriftRequest &request, const Model &model,
                          const DriftResults &results,
                          const llvm::json::Object &report,
                          mlir::ModuleOp original) {
  Choice choice = makeChoice(request, model, results);
  if (!request.irOutPath.empty())
    if (Error error = writeParallelModel(request, choice, original))
      return error;
  if (!request.weightsOutPath.empty())
    if (Error error = writeWeights(request.weightsOutPath, model,
                                   results.changes, choice))
      return error;
  if (!request.choicePath.empty())
    if (Error error = writeChoice(request.choicePath, choice))
      return error;
  if (!request.statisticsPath.empty()) {
    Expected<llvm::json::Array> norms = measureNorms(model, results.scan);
    if (!norms)
      return norms.takeError();
    llvm::json::Object statistics{{"schema", 1},
                                  {"model_hash", results.modelHash},
                                  {"weights_hash", results.weightsHash},
                                  {"data_hash", results.dataHash},
                                  {"norms", std::move(*norms)}};
    if (Error error = writeFile(
            request.statisticsPath,
            llvm::formatv("{0:2}\n", llvm::json::Value(std::move(statistics)))
                .str()))
      return error;
  }
  if (request.jsonPath.empty())
    return Error::success();
  return writeFile(
      request.jsonPath,
      llvm::formatv("{0:2}\n", llvm::json::Value(llvm::json::Object(report)))
          .str());
}
