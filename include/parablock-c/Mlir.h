//===- Mlir.h - beside MLIR's own C API ---------------------------*- C -*-===//
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

/* Every dialect that parablockContextCreate knows, those of other tools that
   are read among them. */
PARABLOCK_API void parablockRegisterAllDialects(MlirDialectRegistry registry);
/* Every pass and pipeline, for the whole process; may be called again. */
PARABLOCK_API void parablockRegisterAllPasses(void);

/* The context behind ours, for as long as ours or a module of it lives. */
PARABLOCK_API MlirContext
parablockContextGetMlir(const ParablockContext *context);
/* A context of ours on top of `context`, which stays its owner's and has to
   outlive it and all that is made with it. It learns our dialects. Handlers of
   diagnostics that were there are called after ours; a remark handler takes the
   place of the context's own. Null for a null context. */
PARABLOCK_API ParablockContext *
parablockContextCreateFromMlir(MlirContext context);

/* The module behind ours: still ours, and gone with it. */
PARABLOCK_API MlirModule parablockModuleGetMlir(const ParablockModule *module);
/* Takes `taken` over, which has to be of this very context. */
PARABLOCK_API ParablockStatus parablockModuleTakeMlir(ParablockContext *context,
                                                      MlirModule taken,
                                                      ParablockModule **module);
/* Gives the module away, and destroys what was ours. The context has to live as
   long as the module does. */
PARABLOCK_API MlirModule parablockModuleRelease(ParablockModule *module);

#ifdef __cplusplus
}
#endif

#endif /* PARABLOCK_C_MLIR_H */
