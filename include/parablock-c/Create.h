//===- Create.h - model IR from a published config ----------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_C_CREATE_H
#define PARABLOCK_C_CREATE_H

#include "parablock-c/Module.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ParablockConfigOptions {
  /* "f32", "bf16" or "f16"; null for f32. */
  const char *dtype;
  /* Not 0: the function also has inputs for lengths of right-padded rows, and
     types if the model has any, as tokenizers return them. */
  int32_t padding;
  /* Not 0: the layers alone, from hidden states to hidden states. */
  int32_t layersOnly;
} ParablockConfigOptions;

/* Creates the model that a Hugging Face config.json describes, for any batch
   and sequence; its parameters have the checkpoint's names and layouts.
   Assumptions are diagnostics of ParablockInformation. `options` may be
   null. */
PARABLOCK_API ParablockStatus parablockModuleFromConfig(
    ParablockContext *context, const char *path,
    const ParablockConfigOptions *options, ParablockModule **module);

#ifdef __cplusplus
}
#endif

#endif /* PARABLOCK_C_CREATE_H */
