//===- Module.h - model IR, passes on it, reports of it -----------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_C_MODULE_H
#define PARABLOCK_C_MODULE_H

#include "parablock-c/Context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ParablockModule ParablockModule;

/* Parses text, or bytecode where the context trusts it; `name` stands for the
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

/* The IR as text that ends with a zero, or as `size` bytes of bytecode. */
PARABLOCK_API ParablockStatus parablockModulePrint(ParablockModule *module,
                                                   char **text);
PARABLOCK_API ParablockStatus parablockModuleWriteBytecode(
    ParablockModule *module, char **bytes, size_t *size);

/* Runs passes and pipelines by their flags, such as
   "block-parallelize{blocks=all},block-optimize{chip=sm_90a}". A module whose
   passes failed may be in any state. */
PARABLOCK_API ParablockStatus parablockModuleRunPasses(ParablockModule *module,
                                                       const char *passes);

/* Makes blocks of IR of other tools, as block-raise does, and calls the only
   function of a module `main`. Without `options`, which may be null, a module
   that has blocks or kernels stays as it is. */
PARABLOCK_API ParablockStatus parablockModuleRaise(ParablockModule *module,
                                                   const char *options);

/* The JSON of --block-report and --block-explain. */
PARABLOCK_API ParablockStatus parablockModuleReport(ParablockModule *module,
                                                    const char *chip,
                                                    char **json);
PARABLOCK_API ParablockStatus parablockModuleExplain(ParablockModule *module,
                                                     char **json);

/* A JSON array of what the step of the model, which block-differentiate makes,
   may keep of its layers for its gradients: `layers`, as block-checkpoint takes
   it, `kept_bytes` of what may be computed again, and `recompute_flops` of what
   is. None of them is beaten in both; what keeps most is first. There are at
   most `most` of them, 2 or more, which differ most. */
PARABLOCK_API ParablockStatus parablockModuleListCheckpoints(
    ParablockModule *module, size_t most, char **json);

/* A JSON array with an entry for each kernel of a module at level 3: `layer`,
   `kind`, `steps`, `flops`, `bytes` of activations and `weight_bytes`; the time
   `us` that is predicted, launch and all, and what arithmetic and memory take
   at the chip's peaks, `arithmetic_us` and `memory_us`, null where it has none.
 */
PARABLOCK_API ParablockStatus parablockModuleCountKernels(
    ParablockModule *module, const char *chip, char **json);

/* Returns an error unless weights whose file says `values` of `keys` in its
   metadata belong to the layers of the module: weights that were fitted to
   layers in parallel form are for these alone. `file` names it in the message.
   Engines do not check it: they are given numbers alone. */
PARABLOCK_API ParablockStatus parablockModuleCheckWeights(
    ParablockModule *module, const char *file, size_t numKeys,
    const char *const *keys, const char *const *values);

/* A JSON array of the ops that are left of other dialects and that engines do
   not take, but for `reference`: `op`, whether it `prepares` nothing but masks,
   lengths and tables of attention, and `file` and `line` where known. */
PARABLOCK_API ParablockStatus
parablockModuleListUnrecognised(ParablockModule *module, char **json);

/* Names are those of safetensors files: f64 to i1 in the IR's words. */
typedef struct ParablockTensorInfo {
  const char *name;
  const char *type;
  /* Bytes of one element. */
  size_t elementSize;
  size_t rank;
  /* -1 where the caller chooses. */
  const int64_t *shape;
  /* One per dimension: its name where the caller chooses, else empty. Null of
     an output. */
  const char *const *dims;
} ParablockTensorInfo;

/* What a function takes and gives; it outlives the module. An empty name of a
   function stands for the model: `main`, or the only one. */
typedef struct ParablockSignature ParablockSignature;

PARABLOCK_API ParablockStatus
parablockModuleGetSignature(ParablockModule *module, const char *function,
                            ParablockSignature **signature);
PARABLOCK_API void parablockSignatureDestroy(ParablockSignature *signature);

/* The name of the function, which belongs to the signature. */
PARABLOCK_API const char *
parablockSignatureGetFunction(const ParablockSignature *signature);

PARABLOCK_API size_t
parablockSignatureGetNumInputs(const ParablockSignature *signature);
PARABLOCK_API size_t
parablockSignatureGetNumParameters(const ParablockSignature *signature);
PARABLOCK_API size_t
parablockSignatureGetNumOutputs(const ParablockSignature *signature);

/* The tokens of a row that a function with caches has learned positions for; -1
   where nothing ends, or there are no caches. */
PARABLOCK_API int64_t
parablockSignatureGetMostPositions(const ParablockSignature *signature);

/* How many tokens back are seen of caches in pages, where no layer sees all; -1
   where one does, or no caches lie in pages. */
PARABLOCK_API int64_t
parablockSignatureGetPageWindow(const ParablockSignature *signature);

/* Null for an index that is too large. */
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
