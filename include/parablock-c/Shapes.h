//===- Shapes.h - sizes that the caller chooses -------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Importers of traced models see one size at a time. This is how their IR is
// opened for any size.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_C_SHAPES_H
#define PARABLOCK_C_SHAPES_H

#include "parablock-c/Module.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `module` and `other` are one function, made for two choices of sizes. Sizes
   in which they differ become dynamic in `module`. Anything else in which they
   differ is an error: it depends on sizes, and the function cannot be opened.
   Sizes of arguments that differ alike are one dimension; `names` are theirs,
   in the order in which arguments first have them. */
PARABLOCK_API ParablockStatus parablockModuleOpenSizes(ParablockModule *module,
                                                       ParablockModule *other,
                                                       const char *const *names,
                                                       size_t numNames);

#ifdef __cplusplus
}
#endif

#endif /* PARABLOCK_C_SHAPES_H */
