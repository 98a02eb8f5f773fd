//===- EmulatedDevice.cpp - uploads tensors and runs launches -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EmulatedDevice.h"

#include "parablock/Engines/Device/ReadLaunchPlan.h"
#include "parablock/Files/TensorLayout.h"
#include "parablock/Judges/Emulator/TensorMap.h"
#include "llvm/ExecutionEngine/Orc/ThreadSafeModule.h"

using namespace parablock;
using llvm::Error;
using llvm::Expected;

ElementType parablock::getElementType(const PlanTensor &tensor) {
  // A plan has no others.
  std::string_view word = files::getTypeWord(tensor.type);
  return *parseElementTypeName(llvm::StringRef(word.data(), word.size()));
}

Expected<std::unique_ptr<EmulatedDevice>>
EmulatedDevice::create(const LaunchPlan &plan, const BoundPlan &bound,
                       llvm::orc::ThreadSafeModule module,
                       unsigned hostThreads) {
  std::unique_ptr<EmulatedDevice> device(new EmulatedDevice(plan, bound));
  Expected<std::unique_ptr<DeviceMemory>> memory = DeviceMemory::create();
  if (!memory)
    return memory.takeError();
  device->memory = std::move(*memory);
  EmulatorOptions options;
  options.hostThreads = hostThreads;
  Expected<std::unique_ptr<Emulator>> emulator =
      Emulator::create(std::move(module), *device->memory, options);
  if (!emulator)
    return emulator.takeError();
  device->emulator = std::move(*emulator);
  for (auto [tensor, sizes] : llvm::zip_equal(plan.tensors, bound.tensors)) {
    if (tensor.viewOf) {
      device->addresses.push_back(device->addresses[*tensor.viewOf]);
      continue;
    }
    uint64_t bytes = std::max<uint64_t>(sizes.bytes, 1);
    Expected<void *> address = device->memory->allocate(bytes, tensor.name);
    if (!address)
      return address.takeError();
    device->addresses.push_back(*address);
    device->bytes += bytes;
  }
  for (unsigned workspace : plan.workspaces)
    if (Error error = device->upload(
            workspace,
            std::vector<double>(bound.tensors[workspace].numElements)))
      return error;
  return device;
}

Error EmulatedDevice::upload(unsigned tensor, llvm::ArrayRef<double> values) {
  ElementType type = getElementType(plan.tensors[tensor]);
  std::vector<uint8_t> bytes(values.size() * getElementSize(type));
  encodeElements(type, values, bytes);
  return memory->upload(addresses[tensor], bytes.data(), bytes.size());
}

Expected<std::vector<double>> EmulatedDevice::download(unsigned tensor) {
  const BoundTensor &source = bound.tensors[tensor];
  std::vector<uint8_t> bytes(source.bytes);
  if (Error error =
          memory->download(bytes.data(), addresses[tensor], bytes.size()))
    return error;
  std::vector<double> values(source.numElements);
  decodeElements(getElementType(plan.tensors[tensor]), bytes, values);
  return values;
}

static std::optional<TensorMapType> getMapType(ElementType type) {
  switch (type) {
  case ElementType::BF16:
    return TensorMapType::BF16;
  case ElementType::F16:
    return TensorMapType::F16;
  case ElementType::F32:
    return TensorMapType::F32;
  case ElementType::I8:
    return TensorMapType::U8;
  default:
    return std::nullopt;
  }
}

Expected<KernelArgument>
EmulatedDevice::encode(const PlanArgument &argument) const {
  const PlanTensor &tensor = plan.tensors[argument.tensor];
  const BoundTensor &sizes = bound.tensors[argument.tensor];
  void *address = addresses[argument.tensor];
  if (argument.kind == PlanArgument::Pointer)
    return KernelArgument::of(address);
  if (argument.kind == PlanArgument::Dim)
    return KernelArgument::of(static_cast<int32_t>(sizes.shape[argument.dim]));
  std::optional<TensorMapType> type = getMapType(getElementType(tensor));
  if (!type)
    return llvm::createStringError("tensor '" + tensor.name +
                                   "': expected a tensor map of f32, bf16, "
                                   "f16 or i8, got one of " +
                                   tensor.type);
  EmulatedTensorMap map;
  TensorMapShape shape(argument, sizes, getPlanElementSize(tensor.type));
  uint32_t ones[] = {1, 1, 1};
  if (const char *fault = encodeTensorMap(map, *type, shape.rank, address,
                                          shape.dims, shape.strides, shape.box,
                                          ones, TensorMapSwizzle::Bytes128))
    return llvm::createStringError("tensor '" + tensor.name + "': " + fault);
  return KernelArgument::of(map);
}

Error EmulatedDevice::runLaunch(const PlanLaunch &launch, bool isFirst) {
  const PlanKernel &kernel = chooseKernel(launch, bound.tensors);
  if (kernel.isNone())
    return Error::success();
  LaunchConfig config;
  config.mayBeginEarly = kernel.isProgrammatic && !isFirst;
  config.grid.x = kernel.grid;
  config.cluster.x = kernel.cluster;
  config.block.x = kernel.threads;
  config.dynamicSharedBytes = kernel.sharedBytes;
  std::vector<KernelArgument> arguments;
  for (const PlanArgument &argument : kernel.arguments) {
    Expected<KernelArgument> encoded = encode(argument);
    if (!encoded)
      return encoded.takeError();
    arguments.push_back(std::move(*encoded));
  }
  Expected<LaunchResult> result =
      emulator->launch(kernel.kernel, config, arguments);
  if (!result)
    return result.takeError();
  if (!result->clean()) {
    std::string text =
        "the emulator found defects in kernel '" + kernel.kernel + "':";
    llvm::raw_string_ostream os(text);
    for (const Report &report : result->reports)
      os << "\n  " << report;
    if (result->numDroppedReports)
      os << "\n  and " << result->numDroppedReports << " more";
    return llvm::createStringError(text);
  }
  for (unsigned output : launch.outputs) {
    const PlanTensor &tensor = plan.tensors[output];
    const BoundTensor &sizes = bound.tensors[output];
    Expected<uint64_t> unwritten =
        memory->countUninitialized(addresses[output], sizes.bytes);
    if (!unwritten)
      return unwritten.takeError();
    if (*unwritten)
      return llvm::createStringError(
          "kernel '" + kernel.kernel + "' left " +
          llvm::Twine(*unwritten / getPlanElementSize(tensor.type)) +
          " of the " + llvm::Twine(sizes.numElements) + " elements of '" +
          tensor.name + "' unwritten");
  }
  return Error::success();
}

/// Returns what kernels have reported about their data, and clears it.
Error EmulatedDevice::takeReports() {
  Error error = Error::success();
  for (const PlanLaunch &launch : plan.launches) {
    if (!launch.reports)
      continue;
    uint64_t word = 0;
    void *address = addresses[launch.reports->word];
    if (Error failure = memory->download(&word, address, sizeof(word)))
      return joinErrors(std::move(error), std::move(failure));
    if (!error)
      error = toError(describeReport(launch, word));
    word = 0;
    if (Error failure = memory->upload(address, &word, sizeof(word)))
      return joinErrors(std::move(error), std::move(failure));
  }
  return error;
}

Error EmulatedDevice::run() {
  // Outputs must not contain results of an earlier run.
  for (const PlanLaunch &launch : plan.launches)
    for (unsigned output : launch.outputs)
      if (uint64_t bytes = bound.tensors[output].bytes)
        if (Error error = memory->poison(addresses[output], bytes))
          return error;
  for (const PlanLaunch &launch : plan.launches)
    if (Error error = runLaunch(launch, &launch == &plan.launches.front()))
      return error;
  return takeReports();
}
