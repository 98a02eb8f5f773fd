//===- Shapes.h - sizes that the caller chooses -------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Importers of traced models see one size at a time, and ones for masks instead
// of lengths. This is how their IR is opened for any size and for padding.
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

/* Adds the input `name`, how many tokens of each row are real, and gives it to
   these attentions, counted in the order of the function. */
PARABLOCK_API ParablockStatus
parablockModuleAddLengths(ParablockModule *module, const char *name,
                          const size_t *attentions, size_t numAttentions);

#ifdef __cplusplus
}
#endif

#endif /* PARABLOCK_C_SHAPES_H */
