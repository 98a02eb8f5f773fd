//===- Measure.cpp - runs models and checks outputs -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Measure.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Execution/ModuleLoading.h"
#include "parablock/Frontends/Generate/Families.h"
#include "parablock/Judges/Compare/Prepack.h"
#include "parablock/Judges/Compare/ReferenceEngine.h"
#include "parablock/Judges/Compare/RunReport.h"

using namespace bench;
using namespace parablock;
using namespace parablock::runner;
using llvm::Error;
using llvm::Expected;
namespace json = llvm::json;

char WrongNumbersError::ID = 0;

std::error_code WrongNumbersError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

llvm::StringRef bench::getName(generate::FloatKind dtype) {
  switch (dtype) {
  case generate::FloatKind::F32:
    return "f32";
  case generate::FloatKind::BF16:
    return "bf16";
  case generate::FloatKind::F16:
    return "f16";
  }
  return "";
}

static Expected<mlir::OwningOpRef<mlir::ModuleOp>>
buildModule(mlir::MLIRContext &context, const ModelRequest &request,
            bool isOpen = false) {
  generate::SizeFlags sizes;
  sizes.layers = request.layers;
  sizes.width = request.width;
  sizes.heads = request.heads;
  sizes.kvHeads = request.kvHeads;
  sizes.hidden = request.hidden;
  sizes.vocab = request.vocabulary;
  sizes.positions = request.positions;
  if (request.isStep && request.scope == generate::Scope::Model)
    sizes.positions = request.tokens;
  Expected<generate::ModelSpec> spec =
      generate::makeFamily(request.family, sizes);
  if (!spec)
    return spec.takeError();
  generate::BuildOptions options;
  options.scope = request.scope;
  options.loss = request.isStep && request.scope == generate::Scope::Model;
  options.batch = request.batch;
  options.dtype = request.dtype;
  options.sequence = options.encoderSequence = request.tokens;
  if (isOpen)
    options.batch = options.sequence = std::nullopt;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      generate::buildModel(context, *spec, options);
  if (!module)
    return llvm::createStringError("cannot build '" + request.family + "'");
  auto run = [&](const std::string &pass) -> Error {
    mlir::PassManager manager(&context);
    if (failed(mlir::parsePassPipeline(pass, manager)) ||
        failed(manager.run(*module)))
      return llvm::createStringError("cannot bring '" + request.family +
                                     "' through " + pass);
    return Error::success();
  };
  if (request.isParallel)
    if (Error error = run("block-parallelize{blocks=all}"))
      return error;
  if (!request.weights.empty())
    if (Error error = run("block-quantize{form=" + request.weights + "}"))
      return error;
  if (request.isStep)
    if (Error error =
            run(options.loss ? "block-differentiate"
                             : "block-differentiate{wrt=all loss=sum}"))
      return error;
  return module;
}

Expected<std::string> bench::printOpenModel(mlir::MLIRContext &context,
                                            const ModelRequest &request) {
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> module =
      buildModule(context, request, /*isOpen=*/true);
  if (!module)
    return module.takeError();
  std::string text;
  llvm::raw_string_ostream os(text);
  (*module)->print(os);
  return text;
}

Expected<std::unique_ptr<Model>> Model::bind(mlir::MLIRContext &context,
                                             const ModelRequest &request) {
  auto model = std::make_unique<Model>();
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> module =
      buildModule(context, request);
  if (!module)
    return module.takeError();
  model->module = std::move(*module);
  model->isStep = request.isStep;
  Expected<mlir::func::FuncOp> main =
      findFunction(*model->module, "", "the model");
  if (!main)
    return main.takeError();
  if (request.isStep)
    main = llvm::cast<mlir::func::FuncOp>(findStep(*main).getOperation());
  ArgumentSupply supply(/*inputs=*/nullptr, /*weights=*/nullptr, /*dims=*/{},
                        /*seed=*/7);
  Expected<BoundFunction> bound = supply.bind(*main);
  if (!bound)
    return bound.takeError();
  model->function = std::move(*bound);
  if (Error error =
          providePackedParameters(model->function, /*weights=*/nullptr,
                                  /*exactArithmetic=*/false,
                                  *createReferenceEngine(), /*rank=*/0, supply))
    return error;
  Expected<std::vector<Tensor>> values = supply.provide(model->function);
  if (!values)
    return values.takeError();
  model->arguments = std::move(*values);
  model->rows.emplace(model->function, model->arguments, supply.facts());
  return model;
}

Expected<std::unique_ptr<Model>> Model::create(mlir::MLIRContext &context,
                                               const ModelRequest &request) {
  Expected<std::unique_ptr<Model>> model = bind(context, request);
  if (!model)
    return model.takeError();
  if (Error error = (*model)->expect())
    return error;
  return model;
}

Expected<std::unique_ptr<Model>>
Model::createUnchecked(mlir::MLIRContext &context,
                       const ModelRequest &request) {
  return bind(context, request);
}

Error Model::expect() {
  Expected<Original> run = Original::run(function.signature, arguments);
  if (!run)
    return run.takeError();
  original.emplace(std::move(*run));
  return Error::success();
}

Expected<json::Object> Model::measure(Engine &engine, unsigned threads,
                                      unsigned repeat) {
  RunOptions options;
  options.threads = threads;
  options.repeat = repeat;
  options.packsInRuns = isStep;
  Expected<RunResult> result =
      engine.run(function.signature.function, arguments, options);
  if (!result)
    return result.takeError();
  Outputs outputs = makeOutputs(function.signature, std::move(result->outputs));
  if (!original && first.tensors.empty())
    first = outputs;
  Expected<std::vector<Verdict>> verdicts =
      judgeOutputs(outputs,
                   {"reference", original ? original->getExact() : first,
                    original ? &*original : nullptr},
                   *rows);
  if (!verdicts)
    return verdicts.takeError();
  RunReport report;
  report.engine = engine.name().str();
  report.result = std::move(*result);
  report.outputs = std::move(outputs);
  report.comparisons.push_back({"reference", std::move(*verdicts)});
  if (!report.pass()) {
    std::string text =
        "engine " + report.engine + ": numbers are out of tolerance\n";
    llvm::raw_string_ostream os(text);
    for (const Verdict &verdict : report.comparisons.front().verdicts)
      if (!verdict.pass())
        printVerdicts(os, verdict);
    return llvm::make_error<WrongNumbersError>(
        llvm::StringRef(text).rtrim().str());
  }
  return toJSON(report);
}

uint64_t Model::getWeightBytes() const {
  uint64_t bytes = 0;
  for (auto [argument, value] :
       llvm::zip_equal(function.signature.arguments, arguments))
    if (argument.isParameter)
      bytes += value.data().size() * getElementSize(argument.type);
  return bytes;
}

/// The bytes of `values` in a file's type.
static std::vector<uint8_t> encode(ElementType type, const Tensor &tensor) {
  std::vector<uint8_t> bytes(tensor.data().size() * getElementSize(type));
  encodeElements(type, tensor.data(), bytes);
  return bytes;
}

Error Model::write(llvm::StringRef path, llvm::ArrayRef<Part> parts) const {
  std::vector<std::vector<uint8_t>> bytes;
  std::vector<TensorToWrite> tensors;
  auto add = [&](const std::string &name, ElementType type,
                 const Tensor &tensor) {
    TensorToWrite added;
    added.name = name;
    added.type = type;
    added.shape.assign(tensor.shape.begin(), tensor.shape.end());
    bytes.push_back(encode(type, tensor));
    added.bytes = bytes.back();
    tensors.push_back(std::move(added));
  };
  for (auto [argument, value] :
       llvm::zip_equal(function.signature.arguments, arguments))
    if (llvm::is_contained(parts,
                           argument.isParameter ? Part::Weights : Part::Values))
      add(argument.name, argument.type, value);
  const Outputs &exact = original ? original->getExact() : first;
  if (llvm::is_contained(parts, Part::Values))
    for (auto [port, value] : llvm::zip_equal(exact.ports, exact.tensors))
      add("expected." + port.name, ElementType::F32, value);
  return writeSafeTensors(path, tensors);
}
