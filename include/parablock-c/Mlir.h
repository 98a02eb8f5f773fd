//===- Mlir.h - interoperation with MLIR's C API ------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For programs that also use MLIR's C API or its bindings: returns the dialects
// as handles and passes contexts and modules between the two APIs. Both must
// link the same libMLIR, whose headers this file requires. Bindings that bundle
// another copy of MLIR can exchange text and bytecode with Parablock, but not
// pointers.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_C_MLIR_H
#define PARABLOCK_C_MLIR_H

#include "mlir-c/IR.h"
#include "parablock-c/Module.h"

#ifdef __cplusplus
extern "C" {
#endif

/* mlirGetDialectHandle__block__() and mlirGetDialectHandle__tile__(). */
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Block, block);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Tile, tile);

/* Registers every dialect of parablockContextCreate, including those of other
   tools that can be read. */
PARABLOCK_API void parablockRegisterAllDialects(MlirDialectRegistry registry);
/* Registers every pass and pipeline, for the whole process; may be called
   again. */
PARABLOCK_API void parablockRegisterAllPasses(void);

/* Returns the MLIR context of `context`, valid as long as it or one of its
   modules lives. */
PARABLOCK_API MlirContext
parablockContextGetMlir(const ParablockContext *context);
/* Creates a context on top of `context`, whose owner must keep it alive longer
   than all objects created with it. Loads our dialects. Existing handlers of
   diagnostics are called after ours; a remark handler replaces the context's
   own. Returns null for a null context. */
PARABLOCK_API ParablockContext *
parablockContextCreateFromMlir(MlirContext context);

/* Returns the MLIR module of `module`, which still owns it. */
PARABLOCK_API MlirModule parablockModuleGetMlir(const ParablockModule *module);
/* Takes ownership of `taken`, which must belong to this context. */
PARABLOCK_API ParablockStatus parablockModuleTakeMlir(ParablockContext *context,
                                                      MlirModule taken,
                                                      ParablockModule **module);
/* Transfers the module to the caller, and destroys `module`. The context must
   outlive it. */
PARABLOCK_API MlirModule parablockModuleRelease(ParablockModule *module);

#ifdef __cplusplus
}
#endif

#endif /* PARABLOCK_C_MLIR_H */
