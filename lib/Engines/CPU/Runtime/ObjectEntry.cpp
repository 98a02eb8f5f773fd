//===- ObjectEntry.cpp - entry points called by object files --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPU/Runtime/ObjectEntry.h"

#include "parablock/Engines/CPU/Runtime/Executor.h"

using namespace parablock::cpu;

/// Returns the object's executor, created by the first caller; null if the
/// version or the processor does not match, with the reason in `error`. It
/// lives until the process ends, like the object.
static Executor *getExecutor(ParablockCpuObject &object, int32_t &error) {
  void *known = __atomic_load_n(&object.executor, __ATOMIC_ACQUIRE);
  if (known)
    return static_cast<Executor *>(known);
  ProgramData program;
  if (!program.decode(object.numbers)) {
    error = parablockCpuOtherVersion;
    return nullptr;
  }
  if (program.needs & ~getFeatures()) {
    error = parablockCpuOtherProcessor;
    return nullptr;
  }
  auto *made = new Executor(
      std::move(program),
      std::vector<Kernel>(object.kernels, object.kernels + object.numKernels));
  if (__atomic_compare_exchange_n(&object.executor, &known, made,
                                  /*weak=*/false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE))
    return made;
  delete made;
  return static_cast<Executor *>(known);
}

static std::shared_ptr<const SizedProgram> getSized(Executor &executor,
                                                    const int64_t *dims) {
  Symbols values;
  // Computed symbols follow those that the caller chooses.
  for (const SymbolData &symbol : executor.getProgram().symbols)
    values.push_back(symbol.isComputed() ? symbol.evaluate(values) : *dims++);
  return executor.getSized(values);
}

size_t parablockCpuPackedBytes(ParablockCpuObject *object) {
  int32_t error = 0;
  Executor *executor = getExecutor(*object, error);
  return executor ? executor->getPackedBytes() : 0;
}

size_t parablockCpuWorkspaceBytes(ParablockCpuObject *object,
                                  const int64_t *dims,
                                  const ParablockPool *pool) {
  int32_t error = 0;
  Executor *executor = getExecutor(*object, error);
  return executor ? executor->getWorkspaceBytes(*getSized(*executor, dims),
                                                pool ? pool->numWorkers : 1)
                  : 0;
}

int32_t parablockCpuPack(ParablockCpuObject *object, const void *const *weights,
                         void *packed, ParablockPool *pool) {
  int32_t error = 0;
  Executor *executor = getExecutor(*object, error);
  if (!executor)
    return error;
  return executor->prepack(weights, packed, pool) ? 0 : parablockCpuOutOfMemory;
}

int32_t parablockCpuRun(ParablockCpuObject *object, const void *const *inputs,
                        const void *const *weights, const void *packed,
                        void *const *outputs, const int64_t *dims,
                        void *workspace, ParablockPool *pool) {
  int32_t error = 0;
  Executor *executor = getExecutor(*object, error);
  if (!executor)
    return error;
  std::shared_ptr<const SizedProgram> sized = getSized(*executor, dims);
  if (!sized->isPossible)
    return parablockCpuBadSizes;
  RunBuffers buffers;
  buffers.inputs = inputs;
  buffers.parameters = weights;
  buffers.packed = packed;
  buffers.results = outputs;
  buffers.workspace = static_cast<char *>(workspace);
  Fault fault = executor->run(*sized, buffers, pool);
  return fault.kind == Fault::None ? 0 : parablockCpuBadData;
}
