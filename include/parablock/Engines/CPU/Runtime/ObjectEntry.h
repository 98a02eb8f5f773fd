//===- ObjectEntry.h - what object files call -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An object file of block-translate holds kernels, a program as numbers, and
// functions of the model's name that call these. Applications call those.
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

/// The numbers of calls that fail; 0 is success.
enum ParablockCpuError {
  parablockCpuOutOfMemory = 1,
  /// The object file is of another version than this runtime.
  parablockCpuOtherVersion = 2,
  /// A size is negative, or all are too large together.
  parablockCpuBadSizes = 3,
  /// The machine lacks instructions that the object's code is made of.
  parablockCpuOtherProcessor = 4
};

/// 0 where the object is of another version or processor; of a workspace,
/// SIZE_MAX where sizes are bad.
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
