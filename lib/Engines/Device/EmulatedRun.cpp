//===- EmulatedRun.cpp - binds arguments and reads results ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EmulatedRun.h"

#include "EmulatedDevice.h"
#include "parablock/Engines/Device/ReadLaunchPlan.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Threading.h"
#include <chrono>

using namespace parablock;
using namespace parablock::runner;
using llvm::Error;
using llvm::Expected;

/// The plan's launches by kernel.
static std::vector<KernelCount> countLaunches(const LaunchPlan &plan,
                                              const BoundPlan &bound) {
  llvm::MapVector<llvm::StringRef, uint64_t> counts;
  for (const PlanLaunch &launch : plan.launches)
    if (const PlanKernel &kernel = chooseKernel(launch, bound.tensors);
        !kernel.isNone())
      ++counts[kernel.kernel];
  std::vector<KernelCount> result;
  for (auto &[name, count] : counts)
    result.push_back({name.str(), count});
  return result;
}

/// The sizes that the arguments give the plan's dimensions.
static Error bindToArguments(const LaunchPlan &plan,
                             llvm::ArrayRef<Tensor> arguments,
                             BoundPlan &bound) {
  PlanDims dims;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    std::vector<int64_t> shape(argument.shape.begin(), argument.shape.end());
    if (Error error = toError(matchShape(plan.tensors[index], shape, dims)))
      return error;
  }
  return toError(bindPlan(plan, dims, bound));
}

/// The function's results, as they are on the device.
static Error downloadResults(const LaunchPlan &plan, const BoundPlan &bound,
                             EmulatedDevice &device, RunResult &result) {
  for (unsigned tensor : plan.results) {
    Expected<std::vector<double>> values = device.download(tensor);
    if (!values)
      return values.takeError();
    Tensor output;
    output.type = getElementType(plan.tensors[tensor]);
    output.shape.assign(bound.tensors[tensor].shape.begin(),
                        bound.tensors[tensor].shape.end());
    output.values =
        std::make_shared<const std::vector<double>>(std::move(*values));
    result.outputs.push_back(std::move(output));
  }
  return Error::success();
}

Expected<RunResult> parablock::runEmulated(const LaunchPlan &plan,
                                           llvm::orc::ThreadSafeModule module,
                                           llvm::ArrayRef<Tensor> arguments,
                                           const RunOptions &options) {
  if (llvm::any_of(plan.launches,
                   [](const PlanLaunch &step) { return step.rankStep; }))
    return llvm::createStringError(
        "engine emulate runs a single rank, got a function of several");
  BoundPlan bound;
  if (Error error = bindToArguments(plan, arguments, bound))
    return error;
  Expected<std::unique_ptr<EmulatedDevice>> device =
      EmulatedDevice::create(plan, bound, std::move(module), options.threads);
  if (!device)
    return device.takeError();
  for (auto [index, argument] : llvm::enumerate(arguments))
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
  if (Error error = downloadResults(plan, bound, **device, result))
    return error;
  result.kernels = countLaunches(plan, bound);
  result.peakBytes = (*device)->getBytes();
  result.threads = options.threads
                       ? options.threads
                       : llvm::hardware_concurrency().compute_thread_count();
  return result;
}

Error parablock::refuseExactArithmetic(const RunOptions &options) {
  if (!options.exactArithmetic)
    return Error::success();
  return llvm::createStringError(
      "engine emulate: device code rounds, expected no exact arithmetic");
}
