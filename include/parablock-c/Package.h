//===- Package.h - compiled functions as folders ------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_C_PACKAGE_H
#define PARABLOCK_C_PACKAGE_H

#include "parablock-c/Module.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the package of the model, as block-translate --block-to-package does,
   of IR of any level, other tools' too. `chips` is a list such as
   "sm_90a,sm_80". The module stays as it is; a remark says what became of it.
 */
PARABLOCK_API ParablockStatus parablockModuleWritePackage(
    ParablockModule *module, const char *chips, const char *path);

/* Packs a safetensors file of original weights by a package's recipe.mlir, as
   block-weights does. */
PARABLOCK_API ParablockStatus parablockPackWeights(ParablockContext *context,
                                                   const char *recipe,
                                                   const char *input,
                                                   const char *output);

#ifdef __cplusplus
}
#endif

#endif /* PARABLOCK_C_PACKAGE_H */
