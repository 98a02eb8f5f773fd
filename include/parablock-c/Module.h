//===- Module.h - model IR, passes and reports --------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_C_MODULE_H
#define PARABLOCK_C_MODULE_H

#include "parablock-c/Context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ParablockModule ParablockModule;

/* Parses text, or bytecode if the context trusts it; `name` is the name of the
   file in messages. */
PARABLOCK_API ParablockStatus parablockModuleParse(ParablockContext *context,
                                                   const char *data,
                                                   size_t size,
                                                   const char *name,
                                                   ParablockModule **module);
PARABLOCK_API ParablockStatus parablockModuleLoad(ParablockContext *context,
                                                  const char *path,
                                                  ParablockModule **module);
PARABLOCK_API ParablockStatus
parablockModuleClone(const ParablockModule *module, ParablockModule **copy);
PARABLOCK_API void parablockModuleDestroy(ParablockModule *module);

/* Returns the IR as zero-terminated text, or as `size` bytes of bytecode. */
PARABLOCK_API ParablockStatus parablockModulePrint(ParablockModule *module,
                                                   char **text);
PARABLOCK_API ParablockStatus parablockModuleWriteBytecode(
    ParablockModule *module, char **bytes, size_t *size);

/* Runs passes and pipelines given by flags, such as
   "block-parallelize{blocks=all},block-optimize{chip=sm_90a}". If a pass fails,
   the module is in an undefined state. */
PARABLOCK_API ParablockStatus parablockModuleRunPasses(ParablockModule *module,
                                                       const char *passes);

/* Raises IR of other tools to blocks, like block-raise, and renames the only
   function of a module to `main`. Without `options`, which may be null, a
   module with blocks or kernels is unchanged. */
PARABLOCK_API ParablockStatus parablockModuleRaise(ParablockModule *module,
                                                   const char *options);

/* Return the JSON of --block-report and --block-explain. */
PARABLOCK_API ParablockStatus parablockModuleReport(ParablockModule *module,
                                                    const char *chip,
                                                    char **json);
PARABLOCK_API ParablockStatus parablockModuleExplain(ParablockModule *module,
                                                     char **json);

/* Returns a JSON array of choices of the values that the model's step,
   created by block-differentiate, keeps of its layers for gradients: `layers`
   for block-checkpoint, `kept_bytes` of recomputable values, and
   `recompute_flops` of the others. No choice is worse than another in both;
   the one that keeps most is first. There are at most `most` (2 or more),
   chosen to differ most. */
PARABLOCK_API ParablockStatus parablockModuleListCheckpoints(
    ParablockModule *module, size_t most, char **json);

/* Returns a JSON array with an entry for each kernel of a module at level 3:
   `layer`, `kind`, `steps`, `flops`, `bytes` of activations and `weight_bytes`;
   the predicted time `us`, including the launch, and the times of arithmetic
   and memory at the chip's peaks, `arithmetic_us` and `memory_us`, null without
   peaks. */
PARABLOCK_API ParablockStatus parablockModuleCountKernels(
    ParablockModule *module, const char *chip, char **json);

/* Returns an error unless weights whose file's metadata has these `values` of
   `keys` fit the layers of the module: weights fitted to layers in parallel
   form fit only these. `file` is named in the message. Engines do not check
   this, since they get numbers only. */
PARABLOCK_API ParablockStatus parablockModuleCheckWeights(
    ParablockModule *module, const char *file, size_t numKeys,
    const char *const *keys, const char *const *values);

/* Returns a JSON array of the remaining ops of other dialects that no engine
   but `reference` supports: `op`, whether it only `prepares` masks, lengths and
   tables of attention, and `file` and `line` if known. */
PARABLOCK_API ParablockStatus
parablockModuleListUnrecognised(ParablockModule *module, char **json);

/* Names are those of safetensors files: f64 to i1 in the IR's words. */
typedef struct ParablockTensorInfo {
  const char *name;
  const char *type;
  /* Bytes of one element. */
  size_t elementSize;
  size_t rank;
  /* -1 for dynamic sizes. */
  const int64_t *shape;
  /* The name of each dynamic dimension, empty for static ones. Null for an
     output. */
  const char *const *dims;
} ParablockTensorInfo;

/* Inputs, parameters and outputs of a function; it outlives the module. An
   empty function name selects the model: `main`, or the only function. */
typedef struct ParablockSignature ParablockSignature;

PARABLOCK_API ParablockStatus
parablockModuleGetSignature(ParablockModule *module, const char *function,
                            ParablockSignature **signature);
PARABLOCK_API void parablockSignatureDestroy(ParablockSignature *signature);

/* Returns the name of the function, owned by the signature. */
PARABLOCK_API const char *
parablockSignatureGetFunction(const ParablockSignature *signature);

PARABLOCK_API size_t
parablockSignatureGetNumInputs(const ParablockSignature *signature);
PARABLOCK_API size_t
parablockSignatureGetNumParameters(const ParablockSignature *signature);
PARABLOCK_API size_t
parablockSignatureGetNumOutputs(const ParablockSignature *signature);

/* Returns the number of learned positions for the tokens of a row, in a
   function with caches; -1 if unlimited, or without caches. */
PARABLOCK_API int64_t
parablockSignatureGetMostPositions(const ParablockSignature *signature);

/* Returns how many preceding tokens are read of paged caches, if no layer reads
   all; -1 if one does, or no caches are paged. */
PARABLOCK_API int64_t
parablockSignatureGetPageWindow(const ParablockSignature *signature);

/* Return null for an index out of range. */
PARABLOCK_API const ParablockTensorInfo *
parablockSignatureGetInput(const ParablockSignature *signature, size_t index);
PARABLOCK_API const ParablockTensorInfo *
parablockSignatureGetParameter(const ParablockSignature *signature,
                               size_t index);
PARABLOCK_API const ParablockTensorInfo *
parablockSignatureGetOutput(const ParablockSignature *signature, size_t index);

#ifdef __cplusplus
}
#endif

#endif /* PARABLOCK_C_MODULE_H */
