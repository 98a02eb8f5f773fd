//===- Memory.h - memory that programs share ----------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_C_MEMORY_H
#define PARABLOCK_C_MEMORY_H

#include "parablock-c/Context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Memory of programs that run in turn, such as forward and backward of a step,
   and of tensors that go between them. Whatever is taken is counted. Any thread
   may use it; programs that were made with it hold it, too. */
typedef struct ParablockMemory ParablockMemory;

PARABLOCK_API ParablockMemory *parablockMemoryCreate(void);
PARABLOCK_API void parablockMemoryDestroy(ParablockMemory *memory);

/* Memory for a tensor, aligned to 64 bytes. `use` is "results", "saved" or
   "gradients", whose part it is counted to. Null where there is none, and for
   another use. Free it by the same memory, before that is destroyed. */
PARABLOCK_API void *parablockMemoryAllocate(ParablockMemory *memory,
                                            const char *use, size_t bytes);
PARABLOCK_API void parablockMemoryFree(ParablockMemory *memory, void *data);

/* The bytes that parablockMemoryAllocate takes for so many. */
PARABLOCK_API size_t parablockMemoryRound(size_t bytes);

/* An object with `now` and `peak`: bytes as they were taken of the system and
   not given back yet, and when they were most, by use: arena_bytes,
   scratch_bytes, results_bytes, saved_bytes, gradients_bytes. Free it by
   parablockFree. */
PARABLOCK_API char *parablockMemoryReport(ParablockMemory *memory);

/* Lets the peak begin anew. */
PARABLOCK_API void parablockMemoryForgetPeak(ParablockMemory *memory);

#ifdef __cplusplus
}
#endif

#endif /* PARABLOCK_C_MEMORY_H */
