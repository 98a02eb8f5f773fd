//===- Pool.h - threads for compiled models -----------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The hook by which an application lends its own threads. The declaration is
// repeated in the header of every object file, so it has its own guard.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_C_POOL_H
#define PARABLOCK_C_POOL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PARABLOCK_POOL_DEFINED
#define PARABLOCK_POOL_DEFINED

/* Runs part [begin, end) of some work, on worker `worker`. */
typedef void (*ParablockRangeBody)(void *context, int32_t worker, int64_t begin,
                                   int64_t end);

typedef struct ParablockPool {
  /* Maximum number of parts that run at the same time. */
  int32_t numWorkers;
  /* Splits [0, count) into parts of at least `grain` (except the last one),
     calls `body` for each, and returns when all are done. Workers are numbered
     from 0 to numWorkers - 1; one worker runs one part at a time. */
  void (*run)(struct ParablockPool *pool, int64_t count, int64_t grain,
              ParablockRangeBody body, void *context);
} ParablockPool;

#endif /* PARABLOCK_POOL_DEFINED */

#ifdef __cplusplus
}
#endif

#endif /* PARABLOCK_C_POOL_H */
