//===- RunCommand.cpp - one run from files to verdicts --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Runner/RunCommand.h"
#include "mlir/IR/Diagnostics.h"
#include "parablock/IR/Ranks.h"
#include "parablock/Runner/ModuleLoading.h"
#include "parablock/Runner/Prepack.h"
#include "parablock/Runner/ReferenceEngine.h"
#include "parablock/Support/AtomicOutput.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"

using namespace parablock;
using namespace parablock::runner;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {
/// A function with everything that running it takes.
struct Subject {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  BoundFunction function;
  /// Rank 0's, or all.
  std::vector<Tensor> arguments;
  /// Of every rank, where the module is for several.
  std::vector<std::vector<Tensor>> rankArguments;
};

/// One run of block-run; the steps of run(), in their order.
class Command {
public:
  Command(const RunRequest &request, const EngineRegistry &engines,
          mlir::MLIRContext &context, llvm::raw_ostream &remarks)
      : request(request), engines(engines), context(context), remarks(remarks),
        diagnostics(noSources, &context) {}

  Expected<RunReport> run();

private:
  Error openFiles();
  Error loadSubjects();
  Error runEngine();
  Error compareAll();
  Error compareWithBaseline(const OutputRows &rows);
  Error compareWithFile(const OutputRows &rows);
  Error compareWithEngine(const OutputRows &rows);
  Error writeOutputs() const;
  Error writeJSON() const;

  Expected<Subject> load(StringRef path);
  Error provideValues(Subject &subject);
  Error checkRanks() const;
  /// Runs on the reference engine.
  Expected<Outputs> interpret(const Subject &subject, bool exactArithmetic);
  /// The original and unfused function, as far as it is known.
  const Subject &getOriginal() const {
    return baseline ? *baseline : subject.value();
  }
  Error measureFloor();
  Error judgeAgainst(StringRef name, Outputs want, const OutputRows &rows);

  const RunRequest &request;
  const EngineRegistry &engines;
  mlir::MLIRContext &context;
  llvm::raw_ostream &remarks;
  /// Errors at ops while they run: the files themselves are closed by then.
  llvm::SourceMgr noSources;
  mlir::SourceMgrDiagnosticHandler diagnostics;

  std::unique_ptr<Engine> engine, otherEngine;
  std::optional<TensorFile> inputs, weights;
  std::optional<SafeTensorsFile> expected;
  std::optional<ArgumentSupply> supply;
  std::optional<Subject> subject, baseline;
  /// Of the original, with and without rounding.
  std::optional<Outputs> rounded, exact;
  RunReport report;
};
} // namespace

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

template <typename T>
static Error store(std::optional<T> &target, Expected<T> value) {
  if (!value)
    return value.takeError();
  target.emplace(std::move(*value));
  return Error::success();
}

/// Everything that can be refused before any work is done.
Error Command::openFiles() {
  Expected<std::unique_ptr<Engine>> created = engines.create(request.engine);
  if (!created)
    return created.takeError();
  engine = std::move(*created);
  if (!request.checkAgainst.empty()) {
    created = engines.create(request.checkAgainst);
    if (!created)
      return created.takeError();
    otherEngine = std::move(*created);
  }
  if (!request.inputsPath.empty())
    if (Error error = store(inputs, TensorFile::open(request.inputsPath)))
      return error;
  if (!request.weightsPath.empty())
    if (Error error = store(weights, TensorFile::open(request.weightsPath)))
      return error;
  if (!request.expectPath.empty())
    if (Error error =
            store(expected, SafeTensorsFile::open(request.expectPath)))
      return error;
  supply.emplace(inputs ? &*inputs : nullptr, weights ? &*weights : nullptr,
                 request.dims, request.seed);
  return Error::success();
}

Expected<Subject> Command::load(StringRef path) {
  Subject result;
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> module =
      loadModule(path, context);
  if (!module)
    return module.takeError();
  result.module = std::move(*module);
  Expected<mlir::func::FuncOp> function =
      findFunction(*result.module, request.functionName, path);
  if (!function)
    return function.takeError();
  Expected<BoundFunction> bound = supply->bind(*function);
  if (!bound)
    return llvm::createStringError(path + ": " +
                                   llvm::toString(bound.takeError()));
  result.function = std::move(*bound);
  return result;
}

/// Weights are packed by the engine that runs with them, where it can.
Error Command::provideValues(Subject &which) {
  std::unique_ptr<Engine> reference;
  Engine *packer = engine.get();
  if (!packer->canPrepack()) {
    reference = createReferenceEngine();
    packer = reference.get();
  }
  std::optional<int64_t> ranks = countRanks(*which.module);
  for (int64_t rank = 0; rank < ranks.value_or(1); ++rank) {
    if (Error error = providePackedParameters(
            *which.module, which.function, weights ? &*weights : nullptr,
            request.exactArithmetic, *packer, rank, *supply))
      return error;
    Expected<std::vector<Tensor>> values = supply->provide(which.function);
    if (!values)
      return values.takeError();
    if (rank == 0)
      which.arguments = *values;
    if (ranks)
      which.rankArguments.push_back(std::move(*values));
  }
  return Error::success();
}

/// A function that was split runs on as many ranks as it was split for.
Error Command::checkRanks() const {
  std::optional<int64_t> ranks = countRanks(*subject->module);
  if (!ranks && request.ranks > 1)
    return llvm::createStringError(
        request.irPath + ": expected a module of " +
        llvm::Twine(request.ranks) +
        " ranks, got one that block-shard has not split");
  if (!ranks)
    return Error::success();
  for (const Engine *each : {engine.get(), otherEngine.get()})
    if (each && !each->canSimulateRanks())
      return llvm::createStringError(
          request.irPath + ": expected " + llvm::Twine(*ranks) +
          " ranks, got one: engine '" + each->name() + "' runs a single rank");
  if (request.ranks == *ranks)
    return Error::success();
  return llvm::createStringError(
      request.irPath + ": expected --ranks=" + llvm::Twine(*ranks) +
      ", for which the module was split, got " + llvm::Twine(request.ranks));
}

/// Both functions are bound before either gets values: what one of them says of
/// an input (the size of a vocabulary) holds for the other.
Error Command::loadSubjects() {
  if (Error error = store(subject, load(request.irPath)))
    return error;
  if (Error error = checkRanks())
    return error;
  if (!request.baselinePath.empty())
    if (Error error = store(baseline, load(request.baselinePath)))
      return error;
  if (Error error = supply->checkDimsUsed())
    return error;
  for (std::optional<Subject> *current : {&subject, &baseline})
    if (*current)
      if (Error error = provideValues(**current))
        return error;
  for (const std::optional<TensorFile> *file : {&inputs, &weights})
    if (*file)
      (*file)->printRemarks(remarks);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Error Command::runEngine() {
  RunOptions options;
  options.exactArithmetic = request.exactArithmetic;
  options.repeat = request.repeat;
  options.threads = request.threads;
  options.rankArguments = subject->rankArguments;
  std::optional<Tracer> tracer;
  if (request.trace) {
    tracer.emplace(subject->function.signature.function, subject->arguments);
    options.observer = [&](mlir::Operation *op, ArrayRef<Tensor> results) {
      tracer->observe(op, results);
    };
  }
  Expected<RunResult> result = engine->run(subject->function.signature.function,
                                           subject->arguments, options);
  if (!result)
    return result.takeError();
  report.engine = engine->name().str();
  report.seed = request.seed;
  report.outputs =
      makeOutputs(subject->function.signature, std::move(result->outputs));
  report.result = std::move(*result);
  if (tracer)
    report.trace = tracer->finish();
  return Error::success();
}

Expected<Outputs> Command::interpret(const Subject &which,
                                     bool exactArithmetic) {
  RunOptions options;
  options.exactArithmetic = exactArithmetic;
  options.rankArguments = which.rankArguments;
  Expected<RunResult> result = createReferenceEngine()->run(
      which.function.signature.function, which.arguments, options);
  if (!result)
    return result.takeError();
  return makeOutputs(which.function.signature, std::move(result->outputs));
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

Error Command::measureFloor() {
  for (bool isExact : {false, true}) {
    Expected<Outputs> outputs = interpret(getOriginal(), isExact);
    if (!outputs)
      return outputs.takeError();
    (isExact ? exact : rounded) = std::move(*outputs);
  }
  return Error::success();
}

Error Command::judgeAgainst(StringRef name, Outputs want,
                            const OutputRows &rows) {
  Expectation expectation{name.str(), std::move(want), *rounded, *exact};
  Expected<std::vector<Verdict>> verdicts =
      judgeOutputs(report.outputs, expectation, rows);
  if (!verdicts)
    return verdicts.takeError();
  report.comparisons.push_back({name.str(), std::move(*verdicts)});
  return Error::success();
}

Error Command::compareWithBaseline(const OutputRows &rows) {
  return judgeAgainst(request.baselinePath, *exact, rows);
}

Error Command::compareWithFile(const OutputRows &rows) {
  Expected<Outputs> want =
      readExpectedOutputs(*expected, report.outputs.ports, remarks);
  if (!want)
    return want.takeError();
  return judgeAgainst(request.expectPath, std::move(*want), rows);
}

Error Command::compareWithEngine(const OutputRows &rows) {
  RunOptions options;
  options.exactArithmetic = otherEngine->canBeExact();
  options.threads = request.threads;
  options.rankArguments = subject->rankArguments;
  Expected<RunResult> result = otherEngine->run(
      subject->function.signature.function, subject->arguments, options);
  if (!result)
    return result.takeError();
  return judgeAgainst(
      otherEngine->name(),
      makeOutputs(subject->function.signature, std::move(result->outputs)),
      rows);
}

Error Command::compareAll() {
  if (!baseline && !expected && !otherEngine)
    return Error::success();
  if (Error error = measureFloor())
    return error;
  OutputRows rows(subject->function, subject->arguments, supply->facts());
  if (baseline)
    if (Error error = compareWithBaseline(rows))
      return error;
  if (expected)
    if (Error error = compareWithFile(rows))
      return error;
  if (otherEngine)
    return compareWithEngine(rows);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

Error Command::writeOutputs() const {
  std::vector<TensorDeclaration> declarations;
  for (const Port &port : report.outputs.ports)
    declarations.push_back({port.name,
                            request.exactArithmetic && isFloatType(port.type)
                                ? ElementType::F64
                                : port.type,
                            port.shape});
  Expected<std::unique_ptr<SafeTensorsWriter>> writer =
      SafeTensorsWriter::create(request.outputsPath, std::move(declarations));
  if (!writer)
    return writer.takeError();
  for (const TensorDeclaration &declaration : (*writer)->declarations())
    if (Error error = (*writer)->appendValues(
            declaration.name, report.outputs.lookup(declaration.name)->data()))
      return error;
  return (*writer)->keep();
}

Error Command::writeJSON() const {
  llvm::json::Value json(toJSON(report));
  return writeFile(request.jsonPath, llvm::formatv("{0:2}\n", json).str());
}

Expected<RunReport> Command::run() {
  using Step = Error (Command::*)();
  for (Step step : {&Command::openFiles, &Command::loadSubjects,
                    &Command::runEngine, &Command::compareAll})
    if (Error error = (this->*step)())
      return error;
  // Numbers that are out of tolerance are for nobody to go on with.
  if (!request.outputsPath.empty() && report.pass())
    if (Error error = writeOutputs())
      return error;
  if (!request.jsonPath.empty())
    if (Error error = writeJSON())
      return error;
  return std::move(report);
}

Expected<RunReport> runner::runRequest(const RunRequest &request,
                                       const EngineRegistry &engines,
                                       mlir::MLIRContext &context,
                                       llvm::raw_ostream &remarks) {
  return Command(request, engines, context, remarks).run();
}
