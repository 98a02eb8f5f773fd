//===- ObjectEntry.h - entry points of object files -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An object file of block-translate contains kernels, a program as numbers, and
// functions named after the model that call these. Applications call those
// functions.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPU_RUNTIME_OBJECTENTRY_H
#define PARABLOCK_CPU_RUNTIME_OBJECTENTRY_H

#include "parablock-c/Pool.h"
#include "parablock/Engines/CPU/Runtime/Program.h"

extern "C" {

/// The self-description of an object file. `executor` is null until the first
/// call.
struct ParablockCpuObject {
  const int64_t *numbers;
  const parablock::cpu::Kernel *kernels;
  int64_t numKernels;
  void *executor;
};

/// Error codes; 0 is success.
enum ParablockCpuError {
  parablockCpuOutOfMemory = 1,
  /// The object file and this runtime have different versions.
  parablockCpuOtherVersion = 2,
  /// A size is negative, ranks do not divide it, or the total is too large.
  parablockCpuBadSizes = 3,
  /// The machine lacks instructions that the object's code uses.
  parablockCpuOtherProcessor = 4,
  /// A router's logits have a NaN, or an index has no expert.
  parablockCpuBadData = 5
};

/// Return 0 if the version or processor does not match; for a workspace,
/// SIZE_MAX if sizes are invalid.
size_t parablockCpuPackedBytes(ParablockCpuObject *object);
size_t parablockCpuWorkspaceBytes(ParablockCpuObject *object,
                                  const int64_t *dims,
                                  const ParablockPool *pool);

int32_t parablockCpuPack(ParablockCpuObject *object, const void *const *weights,
                         void *packed, ParablockPool *pool);
int32_t parablockCpuRun(ParablockCpuObject *object, const void *const *inputs,
                        const void *const *weights, const void *packed,
                        void *const *outputs, const int64_t *dims,
                        void *workspace, ParablockPool *pool);

} // extern "C"

#endif // PARABLOCK_CPU_RUNTIME_OBJECTENTRY_H
