//===- Package.h - packages of compiled functions -----------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_C_PACKAGE_H
#define PARABLOCK_C_PACKAGE_H

#include "parablock-c/Module.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the package of the model, like block-translate
   --block-to-package, for IR of any level, including other tools'. `chips`
   is a list such as "sm_90a,sm_80". The module is unchanged; a remark
   summarises the result. */
PARABLOCK_API ParablockStatus parablockModuleWritePackage(
    ParablockModule *module, const char *chips, const char *path);

/* Packs a safetensors file of original weights by a package's recipe.mlir, like
   block-weights. */
PARABLOCK_API ParablockStatus parablockPackWeights(ParablockContext *context,
                                                   const char *recipe,
                                                   const char *input,
                                                   const char *output);

#ifdef __cplusplus
}
#endif

#endif /* PARABLOCK_C_PACKAGE_H */
