//===- Executor.h - runs a compiled function --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// All memory for numbers belongs to the caller, but for the scratch of packing.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPU_RUNTIME_EXECUTOR_H
#define PARABLOCK_CPU_RUNTIME_EXECUTOR_H

#include "parablock-c/Pool.h"
#include "parablock/Engines/CPU/Runtime/Program.h"

#include <memory>
#include <mutex>

namespace parablock::cpu {

/// A program at one choice of sizes.
struct SizedProgram {
  Symbols symbols;
  /// False where a size is negative or memory would be beyond all bounds; then
  /// nothing else is known, and nothing can run.
  bool isPossible = false;
  /// Places of the tensors that are temporaries.
  std::vector<uint64_t> offsets;
  /// Bytes of all temporaries together, and those that they would take side by
  /// side.
  uint64_t temporaryBytes = 0, unsharedBytes = 0;

  struct Launch {
    std::vector<int64_t> dims;
    int64_t items = 0;
  };
  std::vector<Launch> launches;
};

/// The memory of one run. Each list is indexed by its tensors' positions.
struct RunBuffers {
  const void *const *parameters = nullptr;
  const void *const *inputs = nullptr;
  const void *packed = nullptr;
  void *const *results = nullptr;
  /// Aligned to `alignment`, of Executor::getWorkspaceBytes; of temporaries
  /// alone where `scratch` is given, which is of Executor::getScratchBytes.
  char *workspace = nullptr, *scratch = nullptr;
};

class Executor {
public:
  /// Kernels that no call needs yet may be null.
  Executor(ProgramData program, std::vector<Kernel> kernels);
  void setKernels(std::vector<Kernel> addresses) {
    kernels = std::move(addresses);
  }

  const ProgramData &getProgram() const { return program; }
  uint64_t getPackedBytes() const { return packedBytes; }

  /// The sizes are kept: the next call with the same symbols is quick. Any
  /// thread may call it.
  std::shared_ptr<const SizedProgram> getSized(const Symbols &symbols);
  /// SIZE_MAX where the sizes are not possible.
  uint64_t getWorkspaceBytes(const SizedProgram &sized, int32_t workers) const;
  /// The part of that which workers have to themselves, and what points to
  /// tensors.
  uint64_t getScratchBytes(int32_t workers) const;

  /// Runs the prepack launches, which write `packed`, aligned to `alignment`.
  /// False where memory for scratch is short. Without a pool the calling thread
  /// does it all.
  bool prepack(const void *const *parameters, void *packed,
               ParablockPool *pool) const;

  /// Runs the launches of `range` in order. A run in parts goes through all of
  /// them, in order and on the same memory; results that no launch has written
  /// yet may be null.
  void run(const SizedProgram &sized, const RunBuffers &buffers,
           ParablockPool *pool, LaunchRange range = {}) const;

private:
  SizedProgram size(const Symbols &symbols) const;
  uint64_t findScratch(const std::vector<LaunchData> &launches) const;
  /// Calls kernels on `tensors`, by way of `operands`, which has room for those
  /// of each launch.
  void execute(const std::vector<LaunchData> &launches,
               const std::vector<SizedProgram::Launch> &sizes,
               void *const *tensors, void **operands, char *scratch,
               ParablockPool *pool, LaunchRange range = {}) const;

  ProgramData program;
  std::vector<Kernel> kernels;
  /// Places of the tensors that are packed.
  std::vector<uint64_t> packedOffsets;
  uint64_t packedBytes = 0;
  /// Per worker, for each of the two lists of launches.
  uint64_t prepackScratch = 0, runScratch = 0;
  /// The most tensors of a launch of either list, and the bytes of pointers to
  /// these and to all tensors, in front of a run's scratch.
  size_t mostOperands = 0;
  uint64_t pointerBytes = 0;
  std::vector<SizedProgram::Launch> prepackSizes;

  std::mutex mutex;
  std::shared_ptr<const SizedProgram> latest;
};

} // namespace parablock::cpu

#endif // PARABLOCK_CPU_RUNTIME_EXECUTOR_H
