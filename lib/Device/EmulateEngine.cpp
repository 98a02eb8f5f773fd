//===- EmulateEngine.cpp - device code on the emulator --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Device/EmulateEngine.h"

#include "EmulatedDevice.h"
#include "parablock/Device/DeviceProgram.h"
#include "parablock/Emulator/Mutator.h"
#include "parablock/Target/DeviceCode.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Threading.h"
#include <chrono>

using namespace parablock;
using namespace parablock::runner;
using llvm::Error;
using llvm::Expected;

namespace {
class EmulateEngine : public Engine {
public:
  EmulateEngine(EmulateOptions own, DeviceLowering lowering)
      : own(std::move(own)), lowering(std::move(lowering)) {}

  llvm::StringRef name() const override { return "emulate"; }

  Expected<RunResult> run(mlir::func::FuncOp function,
                          llvm::ArrayRef<Tensor> arguments,
                          const RunOptions &options) override;

private:
  EmulateOptions own;
  DeviceLowering lowering;
};
} // namespace

static std::vector<KernelCount> countLaunches(const LaunchPlan &plan) {
  llvm::MapVector<llvm::StringRef, uint64_t> counts;
  for (const PlanLaunch &launch : plan.launches)
    ++counts[launch.kernel];
  std::vector<KernelCount> result;
  for (auto &[name, count] : counts)
    result.push_back({name.str(), count});
  return result;
}

/// Applies "KIND:SEED" and says where.
static Error applyMutation(llvm::Module &module, llvm::StringRef mutation) {
  if (mutation.empty())
    return Error::success();
  auto [kind, number] = mutation.split(':');
  uint64_t seed = 0;
  if (!number.empty() && number.getAsInteger(10, seed))
    return llvm::createStringError("mutation '" + mutation +
                                   "': expected KIND:SEED");
  Expected<std::string> place = mutate(module, kind, seed);
  if (!place)
    return place.takeError();
  llvm::errs() << "mutated: " << kind << " at " << *place << "\n";
  return Error::success();
}

Expected<RunResult> EmulateEngine::run(mlir::func::FuncOp function,
                                       llvm::ArrayRef<Tensor> arguments,
                                       const RunOptions &options) {
  if (options.exactArithmetic)
    return llvm::createStringError(
        "engine emulate: device code rounds, expected no exact arithmetic");
  Expected<DeviceProgram> program =
      createDeviceProgram(function, arguments, own.chip, lowering);
  if (!program)
    return program.takeError();
  std::vector<llvm::SmallVector<int64_t, 4>> shapes;
  for (const Tensor &argument : program->arguments)
    shapes.emplace_back(argument.shape.begin(), argument.shape.end());
  Expected<LaunchPlan> plan = readLaunchPlan(program->function, shapes);
  if (!plan)
    return plan.takeError();
  auto context = std::make_unique<llvm::LLVMContext>();
  Expected<std::unique_ptr<llvm::Module>> module =
      translateToLLVM(program->kernels, own.chip, *context);
  if (!module)
    return module.takeError();
  if (Error error = applyMutation(**module, own.mutation))
    return error;
  Expected<std::unique_ptr<EmulatedDevice>> device = EmulatedDevice::create(
      *plan, std::move(*module), std::move(context), options.threads);
  if (!device)
    return device.takeError();
  for (auto [index, argument] : llvm::enumerate(program->arguments))
    if (Error error = (*device)->upload(index, argument.data()))
      return error;

  RunResult result;
  for (unsigned i = 0; i < options.repeat; ++i) {
    auto start = std::chrono::steady_clock::now();
    if (Error error = (*device)->run())
      return error;
    std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - start;
    result.milliseconds.push_back(elapsed.count());
  }
  for (unsigned tensor : plan->results) {
    Expected<std::vector<double>> values = (*device)->download(tensor);
    if (!values)
      return values.takeError();
    Tensor output;
    output.type = plan->tensors[tensor].type;
    output.shape.assign(plan->tensors[tensor].shape.begin(),
                        plan->tensors[tensor].shape.end());
    output.values =
        std::make_shared<const std::vector<double>>(std::move(*values));
    result.outputs.push_back(std::move(output));
  }
  result.kernels = countLaunches(*plan);
  result.peakBytes = (*device)->getBytes();
  result.threads = options.threads
                       ? options.threads
                       : llvm::hardware_concurrency().compute_thread_count();
  return result;
}

std::unique_ptr<Engine>
parablock::createEmulateEngine(EmulateOptions options,
                               DeviceLowering lowering) {
  return std::make_unique<EmulateEngine>(std::move(options),
                                         std::move(lowering));
}
