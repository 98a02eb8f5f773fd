//===- Memory.h - memory shared by programs -----------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_C_MEMORY_H
#define PARABLOCK_C_MEMORY_H

#include "parablock-c/Context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Memory of programs that run in sequence, such as forward and backward of a
   step, and of tensors passed between them. Allocations are counted.
   Thread-safe; programs created with it keep it alive. */
typedef struct ParablockMemory ParablockMemory;

PARABLOCK_API ParablockMemory *parablockMemoryCreate(void);
PARABLOCK_API void parablockMemoryDestroy(ParablockMemory *memory);

/* Allocates memory for a tensor, aligned to 64 bytes. `use` is "results",
   "saved" or "gradients", the count that it is added to. Returns null on
   failure, and for another use. Free it by the same memory, before that is
   destroyed. */
PARABLOCK_API void *parablockMemoryAllocate(ParablockMemory *memory,
                                            const char *use, size_t bytes);
PARABLOCK_API void parablockMemoryFree(ParablockMemory *memory, void *data);

/* Returns the bytes that parablockMemoryAllocate allocates for a size. */
PARABLOCK_API size_t parablockMemoryRound(size_t bytes);

/* Returns an object with `now` and `peak`: bytes currently allocated
   from the system, and their maximum, by use: arena_bytes,
   scratch_bytes, results_bytes, saved_bytes, gradients_bytes. Free it by
   parablockFree. */
PARABLOCK_API char *parablockMemoryReport(ParablockMemory *memory);

/* Resets the peak. */
PARABLOCK_API void parablockMemoryForgetPeak(ParablockMemory *memory);

#ifdef __cplusplus
}
#endif

#endif /* PARABLOCK_C_MEMORY_H */
