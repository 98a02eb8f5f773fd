//===- Drift.h - drift of parallel blocks -------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_C_DRIFT_H
#define PARABLOCK_C_DRIFT_H

#include "parablock-c/Context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Measures like block-drift. The request is a JSON object whose keys are
   block-drift's flags: "ir" (the model's file), "weights", "data",
   "seed", "engine", "blocks", "pairing", "from", "norm", "router",
   "scale", "attn-scale", "mlp-scale", "correction", "ridge",
   "add-biases", "low-rank", "compare-corrections", "budget-kl",
   "budget-generation", "budget-perplexity", "budget-tasks", "budget-order",
   "tasks", "generate",
   "heal", "heal-rate", "heal-targets", "heal-data", "heal-checkpoint",
   "heal-stop", "heal-streams", "heal-lora", "heal-codes", "weights-out",
   "choice", "progress" (true: a line on stderr). `json` is the report. */
PARABLOCK_API ParablockStatus parablockMeasureDrift(ParablockContext *context,
                                                    const char *request,
                                                    char **json);

#ifdef __cplusplus
}
#endif

#endif /* PARABLOCK_C_DRIFT_H */
