//===- Executor.h - runs a compiled function --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The caller owns all memory for tensors, except the scratch of packing.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPU_RUNTIME_EXECUTOR_H
#define PARABLOCK_CPU_RUNTIME_EXECUTOR_H

#include "parablock-c/Pool.h"
#include "parablock/Engines/CPU/Runtime/Program.h"

#include <memory>
#include <mutex>

namespace parablock::cpu {

/// A program with fixed sizes.
struct SizedProgram {
  Symbols symbols;
  /// False if a size is negative, ranks do not divide it, or the memory exceeds
  /// the limit; then no other field is valid, and the program cannot run.
  bool isPossible = false;
  /// Offsets of temporaries.
  std::vector<uint64_t> offsets;
  /// Bytes of all temporaries together, with and without
  /// sharing.
  uint64_t temporaryBytes = 0, unsharedBytes = 0;

  struct Launch {
    std::vector<int64_t> dims;
    int64_t items = 0;
  };
  std::vector<Launch> launches;
};

/// The memory of one run. Each list is indexed by position.
struct RunBuffers {
  const void *const *parameters = nullptr;
  const void *const *inputs = nullptr;
  const void *packed = nullptr;
  void *const *results = nullptr;
  /// Aligned to `alignment`, of Executor::getWorkspaceBytes; if `scratch`, of
  /// Executor::getScratchBytes, is given, for temporaries alone.
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

  /// Returns the sizes, cached for the next call with the same symbols.
  /// Thread-safe.
  std::shared_ptr<const SizedProgram> getSized(const Symbols &symbols);
  /// Returns SIZE_MAX if the sizes are invalid.
  uint64_t getWorkspaceBytes(const SizedProgram &sized, int32_t workers) const;
  /// The part of it that is private to workers, and the arrays of pointers to
  /// tensors.
  uint64_t getScratchBytes(int32_t workers) const;

  /// Runs the prepack launches, which write `packed`, aligned to `alignment`.
  /// Returns false if scratch cannot be allocated. Without a pool, runs on the
  /// calling thread.
  bool prepack(const void *const *parameters, void *packed,
               ParablockPool *pool) const;

  /// Runs the launches of `range` in order, up to one that reports a fault,
  /// which is returned; results have no meaning then. A run in parts covers all
  /// of them, in order and on the same memory; results that no launch has
  /// written yet may be null.
  Fault run(const SizedProgram &sized, const RunBuffers &buffers,
            ParablockPool *pool, LaunchRange range = {}) const;

private:
  SizedProgram size(const Symbols &symbols) const;
  uint64_t findScratch(const std::vector<LaunchData> &launches) const;
  /// Calls kernels on `tensors`; `operands` is scratch with room for the
  /// operands of each launch.
  Fault execute(const std::vector<LaunchData> &launches,
                const std::vector<SizedProgram::Launch> &sizes,
                void *const *tensors, void **operands, char *scratch,
                ParablockPool *pool, LaunchRange range = {}) const;

  ProgramData program;
  std::vector<Kernel> kernels;
  /// Offsets of packed tensors.
  std::vector<uint64_t> packedOffsets;
  uint64_t packedBytes = 0;
  /// Per worker, for each of the two lists of launches.
  uint64_t prepackScratch = 0, runScratch = 0;
  /// Largest number of tensors of a launch in either list, and the bytes of
  /// pointers to these and to all tensors, at the start of a run's scratch.
  size_t mostOperands = 0;
  uint64_t pointerBytes = 0;
  std::vector<SizedProgram::Launch> prepackSizes;

  std::mutex mutex;
  std::shared_ptr<const SizedProgram> latest;
};

} // namespace parablock::cpu

#endif // PARABLOCK_CPU_RUNTIME_EXECUTOR_H
