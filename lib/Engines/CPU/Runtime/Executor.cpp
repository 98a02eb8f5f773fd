//===- Executor.cpp - sizes tensors and executes launches -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPU/Runtime/Executor.h"

#include "parablock/Support/ArenaPlan.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

using namespace parablock;
using namespace parablock::cpu;

namespace {
uint64_t align(uint64_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

SizedProgram::Launch sizeLaunch(const LaunchData &launch,
                                const Symbols &symbols) {
  SizedProgram::Launch sized;
  for (const ExtentData &extent : launch.dims)
    sized.dims.push_back(extent.evaluate(symbols));
  sized.items = launch.work.evaluate(symbols);
  return sized;
}

/// One launch, as its parts see it.
struct Call {
  Kernel kernel;
  void *const *tensors;
  const int64_t *dims;
  char *scratch;
  uint64_t scratchBytes;
};

void runPart(void *context, int32_t worker, int64_t begin, int64_t end) {
  const Call &call = *static_cast<const Call *>(context);
  call.kernel(call.tensors, call.dims,
              call.scratch + static_cast<uint64_t>(worker) * call.scratchBytes,
              begin, end);
}
} // namespace

Executor::Executor(ProgramData data, std::vector<Kernel> addresses)
    : program(std::move(data)), kernels(std::move(addresses)) {
  packedOffsets.resize(program.tensors.size());
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    if (program.tensors[i].kind != TensorKind::Packed)
      continue;
    packedOffsets[i] = packedBytes;
    packedBytes += align(program.tensors[i].getBytes({}));
  }
  prepackScratch = findScratch(program.prepack);
  runScratch = findScratch(program.launches);
  for (const LaunchData &launch : program.prepack)
    prepackSizes.push_back(sizeLaunch(launch, {}));
  for (const auto *launches : {&program.prepack, &program.launches})
    for (const LaunchData &launch : *launches)
      mostOperands = std::max(mostOperands, launch.tensors.size());
  pointerBytes =
      align((program.tensors.size() + mostOperands) * sizeof(void *));
}

uint64_t Executor::findScratch(const std::vector<LaunchData> &launches) const {
  int64_t most = 0;
  for (const LaunchData &launch : launches)
    most = std::max(most, launch.scratchBytes);
  return align(static_cast<uint64_t>(most));
}

SizedProgram Executor::size(const Symbols &symbols) const {
  SizedProgram sized;
  sized.symbols = symbols;
  uint64_t bytes = 0;
  for (const TensorData &tensor : program.tensors) {
    bytes += tensor.getBytes(symbols);
    if (bytes > mostBytes ||
        !std::all_of(
            tensor.shape.begin(), tensor.shape.end(),
            [&](const ExtentData &extent) { return extent.divides(symbols); }))
      return sized;
  }
  sized.isPossible = true;
  std::vector<ArenaBuffer> buffers;
  std::vector<size_t> owners;
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    const TensorData &tensor = program.tensors[i];
    if (tensor.kind != TensorKind::Temporary)
      continue;
    buffers.push_back({tensor.getBytes(symbols),
                       static_cast<uint32_t>(tensor.firstUse),
                       static_cast<uint32_t>(tensor.lastUse)});
    owners.push_back(i);
  }
  ArenaPlan plan = planArena(buffers, alignment);
  sized.offsets.resize(program.tensors.size());
  for (size_t i = 0; i < owners.size(); ++i)
    sized.offsets[owners[i]] = plan.offsets[i];
  sized.temporaryBytes = plan.peakBytes;
  sized.unsharedBytes = plan.sumBytes;
  for (const LaunchData &launch : program.launches)
    sized.launches.push_back(sizeLaunch(launch, symbols));
  return sized;
}

std::shared_ptr<const SizedProgram> Executor::getSized(const Symbols &symbols) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!latest || latest->symbols != symbols)
    latest = std::make_shared<const SizedProgram>(size(symbols));
  return latest;
}

uint64_t Executor::getWorkspaceBytes(const SizedProgram &sized,
                                     int32_t workers) const {
  if (!sized.isPossible)
    return SIZE_MAX;
  return align(sized.temporaryBytes) + getScratchBytes(workers);
}

uint64_t Executor::getScratchBytes(int32_t workers) const {
  return pointerBytes +
         static_cast<uint64_t>(std::max(workers, 1)) * runScratch;
}

bool Executor::prepack(const void *const *parameters, void *packed,
                       ParablockPool *pool) const {
  uint64_t workers = pool ? static_cast<uint64_t>(pool->numWorkers) : 1;
  void *scratch = nullptr;
  if (prepackScratch != 0 &&
      posix_memalign(&scratch, alignment, workers * prepackScratch) != 0)
    return false;
  std::vector<void *> tensors(program.tensors.size()), operands(mostOperands);
  for (size_t i = 0; i < tensors.size(); ++i) {
    const TensorData &tensor = program.tensors[i];
    if (tensor.kind == TensorKind::Parameter)
      tensors[i] = const_cast<void *>(parameters[tensor.position]);
    else if (tensor.kind == TensorKind::Packed)
      tensors[i] = static_cast<char *>(packed) + packedOffsets[i];
  }
  execute(program.prepack, prepackSizes, tensors.data(), operands.data(),
          static_cast<char *>(scratch), pool);
  std::free(scratch);
  return true;
}

Fault Executor::run(const SizedProgram &sized, const RunBuffers &buffers,
                    ParablockPool *pool, LaunchRange range) const {
  char *scratch = buffers.scratch
                      ? buffers.scratch
                      : buffers.workspace + align(sized.temporaryBytes);
  // Pointers are stored before it, so that a run allocates no other memory.
  auto *tensors = reinterpret_cast<void **>(scratch);
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    const TensorData &tensor = program.tensors[i];
    switch (tensor.kind) {
    case TensorKind::Parameter:
      tensors[i] = const_cast<void *>(buffers.parameters[tensor.position]);
      break;
    case TensorKind::Input:
      tensors[i] = const_cast<void *>(buffers.inputs[tensor.position]);
      break;
    case TensorKind::Packed:
      tensors[i] = static_cast<char *>(const_cast<void *>(buffers.packed)) +
                   packedOffsets[i];
      break;
    case TensorKind::Temporary:
      tensors[i] = buffers.workspace + sized.offsets[i];
      break;
    case TensorKind::Result:
      tensors[i] = buffers.results[tensor.position];
      break;
    }
  }
  return execute(program.launches, sized.launches, tensors,
                 tensors + program.tensors.size(), scratch + pointerBytes, pool,
                 range);
}

Fault Executor::execute(const std::vector<LaunchData> &launches,
                        const std::vector<SizedProgram::Launch> &sizes,
                        void *const *tensors, void **operands, char *scratch,
                        ParablockPool *pool, LaunchRange range) const {
  size_t end = std::min(range.end, launches.size());
  for (size_t i = range.begin; i < end; ++i) {
    const LaunchData &launch = launches[i];
    for (size_t each = 0; each < launch.tensors.size(); ++each)
      operands[each] = tensors[static_cast<size_t>(launch.tensors[each])];
    for (size_t each = 0; each < launch.offsets.size(); ++each)
      operands[each] =
          static_cast<char *>(operands[each]) + launch.offsets[each];
    Call call{kernels[static_cast<size_t>(launch.kernel)], operands,
              sizes[i].dims.data(), scratch,
              align(static_cast<uint64_t>(launch.scratchBytes))};
    if (pool && pool->numWorkers > 1 && sizes[i].items > launch.grain)
      pool->run(pool, sizes[i].items, launch.grain, runPart, &call);
    else
      runPart(&call, 0, 0, sizes[i].items);
    if (!launch.reports)
      continue;
    Fault fault;
    std::memcpy(&fault, operands[launch.tensors.size() - 1], sizeof(fault));
    if (fault.kind != Fault::None)
      return fault;
  }
  return {};
}
