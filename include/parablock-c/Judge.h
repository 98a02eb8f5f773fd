//===- Judge.h - judging one result by another --------------------*- C -*-===//
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
  /* As many elements as the shape has. */
  const double *found, *exact;
  /* What the original computes in its own type: 1.5 times its error is allowed.
     Null for none. */
  const double *own;
} ParablockJudged;

/* Judges `found` by `exact`. `json` is the verdict, as block-run's report has
   it for an output: "pass", "reasons", "rel_l2", "tolerance", ... */
PARABLOCK_API ParablockStatus parablockJudge(ParablockContext *context,
                                             const ParablockJudged *judged,
                                             char **json);

/* Returns the relative L2 error that results of a type may have whatever the
   function, 0 for types of integers, and -1 for an unknown type. */
PARABLOCK_API double parablockGetBaseTolerance(const char *type);

/* Returns how many times the original's own error is allowed. */
PARABLOCK_API double parablockGetFloorFactor(void);

#ifdef __cplusplus
}
#endif

#endif /* PARABLOCK_C_JUDGE_H */
