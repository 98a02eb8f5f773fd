//===- RunCommand.cpp - runs engines and compares results -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Judges/Compare/RunCommand.h"

#include "Command.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Support/AtomicOutput.h"
#include "llvm/Support/FormatVariadic.h"

using namespace parablock;
using namespace parablock::runner;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Error Command::runEngine() {
  RunOptions options;
  options.exactArithmetic = request.exactArithmetic;
  options.repeat = request.repeat;
  options.threads = request.threads;
  options.recordsTimes = !request.timelinePath.empty();
  options.rankArguments = subject->rankArguments;
  std::optional<Tracer> tracer;
  if (request.trace) {
    tracer.emplace(subject->function.signature.function, subject->arguments);
    options.observer = [&](mlir::Operation *op, ArrayRef<Tensor> results) {
      tracer->observe(op, results);
    };
  }
  if (tokenSteps)
    return runWhole(std::move(options));
  Expected<RunResult> result = engine->run(subject->function.signature.function,
                                           subject->arguments, options);
  if (!result)
    return result.takeError();
  // The reference engine takes the place of cpu for ops without code.
  if (options.recordsTimes && result->times.empty())
    return llvm::createStringError(
        "--timeline: expected kernels of engine cpu, which ran none");
  report.engine = engine->name().str();
  report.seed = request.seed;
  report.outputs =
      makeOutputs(subject->function.signature, std::move(result->outputs));
  report.result = std::move(*result);
  if (tracer)
    report.trace = tracer->finish();
  return Error::success();
}

/// Runs the whole function; the report's outputs are those of the calls for few
/// tokens.
Error Command::runWhole(RunOptions options) {
  options.keepsCode = true;
  const Signature &signature = subject->function.signature;
  Expected<RunResult> all =
      engine->run(signature.function, subject->arguments, options);
  if (!all)
    return all.takeError();
  together = makeOutputs(signature, std::move(all->outputs));
  Expected<Outputs> few =
      tokenSteps->run(*engine, subject->arguments, request.stepTokens, options);
  if (!few)
    return few.takeError();
  report.engine = engine->name().str();
  report.seed = request.seed;
  report.outputs = std::move(*few);
  report.result = std::move(*all);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

Error Command::judgeAgainst(StringRef name, Outputs want,
                            const OutputRows &rows) {
  Expectation expectation{name.str(), std::move(want), &*original};
  return judgeAgainst(report.outputs, std::move(expectation), rows);
}

Error Command::judgeAgainst(const Outputs &got, Expectation expectation,
                            const OutputRows &rows) {
  Expected<std::vector<Verdict>> verdicts =
      judgeOutputs(got, expectation, rows);
  if (!verdicts)
    return verdicts.takeError();
  bool isWithin = llvm::all_of(
      *verdicts, [](const Verdict &verdict) { return verdict.pass(); });
  if (!isWithin)
    if (Error error = judgeWithTies(got, expectation, rows, *verdicts))
      return error;
  report.comparisons.push_back({expectation.against, std::move(*verdicts)});
  return Error::success();
}

/// Judges results again whose routers may have chosen other experts where
/// rounding decides.
Error Command::judgeWithTies(const Outputs &got, Expectation &expectation,
                             const OutputRows &rows,
                             std::vector<Verdict> &verdicts) {
  Expected<std::optional<TiedResults>> tied =
      original->followTies(got, expectation.want, rows);
  if (!tied)
    return tied.takeError();
  if (!*tied)
    return Error::success();
  expectation.want = std::move((*tied)->exact);
  expectation.against +=
      llvm::formatv(" (experts of {0} rows, which rounding decides, are those "
                    "that {1} chose)",
                    (*tied)->choices, engine->name())
          .str();
  Expected<std::vector<Verdict>> again = judgeOutputs(got, expectation, rows);
  if (!again)
    return again.takeError();
  verdicts = std::move(*again);
  return Error::success();
}

/// Emits a remark for layers that differ intentionally.
void Command::remarkApproximations() const {
  for (const Subject *which : {&getWhole(), &*baseline}) {
    unsigned layers = 0, approximate = 0;
    which->module.get().walk([&](block::LayerOp layer) {
      ++layers;
      approximate += layer.getApprox().has_value();
    });
    if (approximate)
      remarks << "remark: "
              << (which == &*baseline ? request.baselinePath : request.irPath)
              << ": " << approximate << " of " << layers
              << " layers are stamped approximate: they do not compute what "
                 "they were made from\n";
  }
}

Error Command::compareWithBaseline(const OutputRows &rows) {
  if (Error error =
          judgeAgainst(request.baselinePath, original->getExact(), rows))
    return error;
  if (!report.comparisons.back().pass())
    remarkApproximations();
  return Error::success();
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
  const Subject &other = getWhole();
  options.rankArguments = other.rankArguments;
  Expected<RunResult> result = otherEngine->run(
      other.function.signature.function, other.arguments, options);
  if (!result)
    return result.takeError();
  return judgeAgainst(
      otherEngine->name(),
      makeOutputs(other.function.signature, std::move(result->outputs)), rows);
}

/// Both ways through the tokens are held against one exact call for all.
Error Command::judgeSteps(const OutputRows &rows) {
  Outputs want;
  for (const Port &port : report.outputs.ports) {
    want.ports.push_back(port);
    want.tensors.push_back(*original->getExact().lookup(port.name));
  }
  if (Error error = judgeAgainst(
          llvm::formatv("{0} tokens in one call, exact", request.steps).str(),
          std::move(want), rows))
    return error;
  return judgeAgainst(together,
                      {"the same, of one call on this engine",
                       original->getExact(), &*original},
                      rows);
}

Error Command::compareAll() {
  if (!baseline && !expected && !otherEngine && !tokenSteps)
    return Error::success();
  if (subject->isOneRank)
    if (Error error = provideForComparison())
      return error;
  const Subject &which = chooseOriginal();
  Expected<Original> run = Original::run(which.function.signature,
                                         which.arguments, which.rankArguments);
  if (!run)
    return run.takeError();
  original.emplace(std::move(*run));
  OutputRows rows(subject->function, subject->arguments, supply->facts());
  if (tokenSteps)
    return judgeSteps(rows);
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

Error Command::judgeGradients() {
  if (!request.checkGradients)
    return Error::success();
  Expected<GradientCheck> check =
      checkGradients(subject->function, subject->arguments, request.seed);
  if (!check)
    return llvm::createStringError(request.irPath + ": " +
                                   llvm::toString(check.takeError()));
  report.gradients = std::move(*check);
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

/// Writes the times as events of Chrome's trace viewers, in microseconds. A
/// rank is a process; its sums have a thread of their own.
Error Command::writeTimeline() const {
  llvm::json::Array events;
  for (const StepTime &time : report.result.times) {
    llvm::json::Object arguments;
    if (time.layer >= 0)
      arguments["layer"] = time.layer;
    events.push_back(llvm::json::Object{
        {"name", time.name},
        {"ph", "X"},
        {"pid", time.rank},
        {"tid", time.isSum ? "sums" : "kernels"},
        {"ts", static_cast<double>(time.begin) / 1000},
        {"dur", static_cast<double>(time.end - time.begin) / 1000},
        {"args", std::move(arguments)}});
  }
  llvm::json::Value json(
      llvm::json::Object{{"traceEvents", std::move(events)}});
  return writeFile(request.timelinePath, llvm::formatv("{0:2}\n", json).str());
}

Error Command::writeFiles() {
  // Results that are out of tolerance are not written.
  if (!request.outputsPath.empty() && report.pass())
    if (Error error = writeOutputs())
      return error;
  if (!request.jsonPath.empty())
    if (Error error = writeJSON())
      return error;
  return request.timelinePath.empty() ? Error::success() : writeTimeline();
}

Error Command::runSteps(ArrayRef<Step> steps) {
  for (Step step : steps)
    if (Error error = (this->*step)())
      return error;
  return Error::success();
}

Expected<RunReport> Command::run() {
  Error error = runSteps({&Command::openFiles, &Command::loadSubjects,
                          &Command::meetRanks, &Command::provideAll,
                          &Command::runEngine});
  if (RankGroup *group = request.group) {
    // A local failure is reported to the others.
    error = error ? group->meet(std::move(error)) : group->leave();
  }
  if (!error && isFirst())
    error = runSteps(
        {&Command::compareAll, &Command::judgeGradients, &Command::writeFiles});
  if (error)
    return error;
  return std::move(report);
}

Expected<RunReport> runner::runRequest(const RunRequest &request,
                                       const EngineRegistry &engines,
                                       mlir::MLIRContext &context,
                                       llvm::raw_ostream &remarks) {
  return Command(request, engines, context, remarks).run();
}
