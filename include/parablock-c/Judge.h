//===- Judge.h - verdicts and tolerances --------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The judge and the table of tolerances that every tool uses.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_C_JUDGE_H
#define PARABLOCK_C_JUDGE_H

#include "parablock-c/Context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Two results, as numbers of float64. */
typedef struct ParablockJudged {
  /* The type that `found` was computed in: "f32", "bf16", "f16", "i64", ... */
  const char *type;
  const int64_t *shape;
  size_t rank;
  /* Elements, as many as in the shape. */
  const double *found, *exact;
  /* Results of the original in its own type, or null: 1.5 times their error is
     allowed. */
  const double *own;
} ParablockJudged;

/* Judges `found` by `exact`. `json` is the verdict in the format of block-run's
   report for an output: "pass", "reasons", "rel_l2", "tolerance", ... */
PARABLOCK_API ParablockStatus parablockJudge(ParablockContext *context,
                                             const ParablockJudged *judged,
                                             char **json);

/* Returns the relative L2 error allowed for results of a type, for any
   function; 0 for types of integers, and -1 for an unknown type. */
PARABLOCK_API double parablockGetBaseTolerance(const char *type);

/* Returns the factor by which the original's own error may be exceeded. */
PARABLOCK_API double parablockGetFloorFactor(void);

#ifdef __cplusplus
}
#endif

#endif /* PARABLOCK_C_JUDGE_H */
