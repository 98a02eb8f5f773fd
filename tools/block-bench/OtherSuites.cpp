//===- OtherSuites.cpp - compile times and emulated devices ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Suites.h"
#include "parablock/Engines/Device/EmulateEngine.h"
#include "parablock/Pipelines/BlockToGPU.h"
#include "llvm/Support/FormatVariadic.h"

using namespace bench;
using namespace parablock;
using llvm::Error;
using llvm::Expected;
namespace json = llvm::json;

/// Measures one model and notes `field` of its report, in milliseconds.
static Expected<double> measure(mlir::MLIRContext &context,
                                const ModelRequest &request,
                                llvm::StringRef name, runner::Engine &engine,
                                const BenchOptions &options,
                                SuiteResult &result) {
  Expected<std::unique_ptr<Model>> model = Model::create(context, request);
  if (!model)
    return model.takeError();
  Expected<json::Object> report =
      (*model)->measure(engine, /*threads=*/0, options.repeat);
  if (!report)
    return report.takeError();
  double compile = report->getNumber("compile_ms").value_or(0);
  double run = report->getObject("time_ms")->getNumber("min").value_or(0);
  llvm::outs() << llvm::formatv("{0,-28} compile {1:f1} ms, run {2:f3} ms\n",
                                name, compile, run);
  llvm::outs().flush();
  (*report)["name"] = engine.name();
  if (Error error = result.addCell(json::Object{
          {"case", name}, {"entries", json::Array{std::move(*report)}}}))
    return error;
  return compile;
}

Error bench::runCompileSuite(mlir::MLIRContext &context,
                             const BenchOptions &options, SuiteResult &result) {
  Expected<std::unique_ptr<runner::Engine>> engine =
      createHostEngine(options, result);
  if (!engine)
    return engine.takeError();
  for (int64_t layers : {1, 12}) {
    std::string name = llvm::formatv("gpt2-layers/{0}", layers);
    if (!llvm::StringRef(name).contains(options.caseFilter))
      continue;
    // Code does not depend on how wide layers are; weights to draw do.
    ModelRequest request;
    request.layers = layers;
    request.width = 256;
    request.heads = 4;
    request.tokens = 17;
    Expected<double> milliseconds =
        measure(context, request, name, **engine, options, result);
    if (!milliseconds)
      return milliseconds.takeError();
    if (layers == 12)
      result.addFloor("milliseconds to compile 12 equal layers", *milliseconds,
                      2000, /*isCeiling=*/true);
  }
  return Error::success();
}

Error bench::runEmulateSuite(mlir::MLIRContext &context,
                             const BenchOptions &options, SuiteResult &result) {
  for (llvm::StringRef chip : {"sm_80", "sm_90a"}) {
    std::string name = ("gptj-layer/bf16/" + chip).str();
    if (!llvm::StringRef(name).contains(options.caseFilter))
      continue;
    std::unique_ptr<runner::Engine> engine =
        createEmulateEngine({chip.str(), ""}, lowerToDevice);
    ModelRequest request;
    request.family = "gptj";
    request.width = 128;
    request.heads = 2;
    request.tokens = 65;
    request.dtype = generate::FloatKind::BF16;
    Expected<double> milliseconds =
        measure(context, request, name, *engine, options, result);
    if (!milliseconds)
      return milliseconds.takeError();
  }
  return Error::success();
}
