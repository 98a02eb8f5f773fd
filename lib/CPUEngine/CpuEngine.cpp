//===- CpuEngine.cpp - compiles for this machine, and runs ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/CPUEngine/CpuEngine.h"

#include "parablock/CPU/CpuExecutable.h"
#include "parablock/CPU/Runtime/AlignedMemory.h"
#include "parablock/CPU/Runtime/ThreadPool.h"
#include "parablock/Runner/IntegerChecks.h"
#include "llvm/ADT/MapVector.h"
#include <chrono>

using namespace parablock;
using namespace parablock::runner;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

namespace {
class CpuEngine : public Engine {
public:
  CpuEngine(CpuTarget target, KernelLowering lowering)
      : target(std::move(target)), lowering(std::move(lowering)) {}

  llvm::StringRef name() const override { return "cpu"; }
  bool canPrepack() const override { return true; }

  Expected<RunResult> run(mlir::func::FuncOp function,
                          ArrayRef<Tensor> arguments,
                          const RunOptions &options) override;

private:
  CpuTarget target;
  KernelLowering lowering;
};

/// Raw memory of tensors, by position.
class TensorMemory {
public:
  /// Adds memory of `tensor`, empty where that is null.
  Error add(const CpuTensor *tensor, ArrayRef<int64_t> symbols) {
    sizes.push_back(tensor ? tensor->getNumBytes(symbols) : 0);
    bytes += sizes.back();
    if (!memories.emplace_back().reserve(sizes.back()))
      return llvm::createStringError("no memory for tensor '" + tensor->name +
                                     "'");
    return Error::success();
  }
  llvm::MutableArrayRef<uint8_t> get(size_t index) {
    return {reinterpret_cast<uint8_t *>(memories[index].data()),
            static_cast<size_t>(sizes[index])};
  }
  uint64_t getBytes() const { return bytes; }

private:
  std::vector<cpu::AlignedMemory> memories;
  std::vector<int64_t> sizes;
  uint64_t bytes = 0;
};

/// One function, compiled, with the memory of one run.
class CpuRun {
public:
  CpuRun(CpuExecutable &executable, ParablockPool &pool)
      : executable(executable), pool(pool) {}

  /// Takes arguments in and packs weights.
  Error prepare(ArrayRef<Tensor> arguments, unsigned numResults);
  /// Runs once and says how long that took.
  Expected<double> run();
  std::vector<Tensor> takeOutputs();
  std::vector<KernelCount> countKernels() const;
  uint64_t getPeakBytes() const;
  uint64_t getTemporaryBytes() const {
    return executable.getTemporaryBytes(symbols);
  }

private:
  CpuExecutable &executable;
  ParablockPool &pool;
  llvm::SmallVector<int64_t> symbols;
  TensorMemory inputMemory, outputMemory;
  std::vector<const void *> inputs;
  std::vector<void *> outputs;
};
} // namespace

using Clock = std::chrono::steady_clock;

static double getMillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

/// Kernels use ids as indices, whatever they are.
static Error checkInputs(mlir::func::FuncOp function,
                         ArrayRef<Tensor> arguments) {
  Expected<Signature> signature = readSignature(function);
  if (!signature)
    return signature.takeError();
  std::vector<Shape> shapes;
  for (const Tensor &argument : arguments)
    shapes.emplace_back(argument.shape.begin(), argument.shape.end());
  InputFacts facts = collectInputFacts(*signature, shapes);
  for (auto [argument, value] :
       llvm::zip_equal(signature->arguments, arguments))
    if (auto fact = facts.find(argument.name); fact != facts.end())
      if (Error error = checkIntegers(
              argument.name, fact->second, value.data().size(),
              [&](size_t i) { return static_cast<int64_t>(value.data()[i]); }))
        return error;
  return Error::success();
}

Error CpuRun::prepare(ArrayRef<Tensor> arguments, unsigned numResults) {
  std::vector<CpuShape> shapes;
  for (const Tensor &argument : arguments)
    shapes.emplace_back(argument.shape.begin(), argument.shape.end());
  Expected<llvm::SmallVector<int64_t>> found = executable.findSymbols(shapes);
  if (!found)
    return found.takeError();
  symbols = std::move(*found);
  for (auto [position, argument] : llvm::enumerate(arguments)) {
    const CpuTensor *tensor = executable.findArgument(position);
    if (Error error = inputMemory.add(tensor, symbols))
      return error;
    inputs.push_back(inputMemory.get(position).data());
    if (tensor)
      encodeElements(tensor->type, argument.data(), inputMemory.get(position));
  }
  for (unsigned position = 0; position < numResults; ++position) {
    if (Error error =
            outputMemory.add(executable.findResult(position), symbols))
      return error;
    outputs.push_back(outputMemory.get(position).data());
  }
  return executable.prepack(inputs, &pool);
}

Expected<double> CpuRun::run() {
  Clock::time_point start = Clock::now();
  if (Error error = executable.run(inputs, outputs, symbols, &pool))
    return error;
  return getMillisecondsSince(start);
}

std::vector<Tensor> CpuRun::takeOutputs() {
  std::vector<Tensor> results;
  for (unsigned position = 0; position < outputs.size(); ++position) {
    const CpuTensor &source = *executable.findResult(position);
    Tensor &result = results.emplace_back();
    result.type = source.type;
    for (const Extent &extent : source.shape)
      result.shape.push_back(extent.evaluate(symbols));
    std::vector<double> values(source.getNumElements(symbols));
    decodeElements(source.type, outputMemory.get(position), values);
    result.values =
        std::make_shared<const std::vector<double>>(std::move(values));
  }
  return results;
}

std::vector<KernelCount> CpuRun::countKernels() const {
  llvm::MapVector<llvm::StringRef, uint64_t> counts;
  for (const CpuLaunch &launch : executable.getProgram().launches)
    ++counts[launch.kernel];
  std::vector<KernelCount> result;
  for (auto &[name, count] : counts)
    result.push_back({name.str(), count});
  return result;
}

uint64_t CpuRun::getPeakBytes() const {
  return inputMemory.getBytes() + outputMemory.getBytes() +
         executable.getPackedBytes() + executable.getWorkspaceBytes();
}

Expected<RunResult> CpuEngine::run(mlir::func::FuncOp function,
                                   ArrayRef<Tensor> arguments,
                                   const RunOptions &options) {
  if (options.exactArithmetic)
    return llvm::createStringError(
        "engine cpu: machine code rounds, expected no exact arithmetic");
  if (options.observer)
    return llvm::createStringError(
        "engine cpu: kernels show no single steps, expected no trace");
  if (Error error = checkInputs(function, arguments))
    return error;
  Clock::time_point start = Clock::now();
  mlir::OwningOpRef<mlir::ModuleOp> module =
      function->getParentOfType<mlir::ModuleOp>().clone();
  if (failed(lowering(*module)))
    return llvm::make_error<DiagnosedError>();
  auto lowered =
      module->lookupSymbol<mlir::func::FuncOp>(function.getSymName());
  if (!lowered)
    return llvm::createStringError("lowering lost the function '" +
                                   function.getSymName() + "'");
  Expected<CpuProgram> program = lowerToCpu(lowered, target);
  if (!program)
    return program.takeError();
  Expected<std::unique_ptr<CpuExecutable>> executable =
      CpuExecutable::create(std::move(*program));
  if (!executable)
    return executable.takeError();
  RunResult result;
  result.compileMilliseconds = getMillisecondsSince(start);

  cpu::ThreadPool pool(options.threads);
  CpuRun run(**executable, pool);
  if (Error error = run.prepare(arguments, function.getNumResults()))
    return error;
  for (unsigned i = 0; i < options.repeat; ++i) {
    Expected<double> milliseconds = run.run();
    if (!milliseconds)
      return milliseconds.takeError();
    result.milliseconds.push_back(*milliseconds);
  }
  result.outputs = run.takeOutputs();
  result.kernels = run.countKernels();
  result.peakBytes = run.getPeakBytes();
  result.temporaryBytes = run.getTemporaryBytes();
  result.threads = pool.numWorkers;
  return result;
}

std::unique_ptr<Engine> parablock::createCpuEngine(CpuTarget target,
                                                   KernelLowering lowering) {
  return std::make_unique<CpuEngine>(std::move(target), std::move(lowering));
}
