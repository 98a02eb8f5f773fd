//===- Package.h - packages of compiled functions -----------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_C_PACKAGE_H
#define PARABLOCK_C_PACKAGE_H

#include "parablock-c/Program.h"

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

typedef struct ParablockDevicePackageOptions {
  /* The one chip to compile for, such as "sm_90a". */
  const char *chip;
  /* Not 0 if the device is later than the chip, and so requires PTX. Otherwise
     the package has machine code if ptxas is found. */
  int32_t ptxOnly;
  /* The folder for compiled code, as in ParablockProgramOptions. */
  const char *cache;
} ParablockDevicePackageOptions;

/* Writes a package for one device: like parablockModuleWritePackage, without
   code for other chips and without a summary. A package whose compilation emits
   no diagnostics is cached. */
PARABLOCK_API ParablockStatus parablockModuleWriteDevicePackage(
    ParablockModule *module, const ParablockDevicePackageOptions *options,
    const char *path);

/* A package's recipe.mlir, which packs weights in memory one after the
   other. */
typedef struct ParablockPacking ParablockPacking;

PARABLOCK_API ParablockStatus parablockPackingCreate(
    ParablockContext *context, const char *recipe, ParablockPacking **packing);
PARABLOCK_API void parablockPackingDestroy(ParablockPacking *packing);

/* Packed weights, and the original ones that each is packed of. Names are valid
   as long as the packing; null for an index out of range. */
PARABLOCK_API size_t parablockPackingCount(const ParablockPacking *packing);
PARABLOCK_API const char *
parablockPackingGetName(const ParablockPacking *packing, size_t index);
PARABLOCK_API const char *
parablockPackingGetOriginal(const ParablockPacking *packing, size_t index,
                            size_t original);

/* Returns 1 if the weight has the bytes of its only original, in the type of
   the recipe, else 0. */
PARABLOCK_API int32_t
parablockPackingIsOriginal(const ParablockPacking *packing, size_t index);

/* Returns the number of the first weight that the same program for devices
   packs, to the bits of parablockPackingPack; -1 if there is none. */
PARABLOCK_API int64_t
parablockPackingGetDeviceProgram(const ParablockPacking *packing, size_t index);

/* Returns why there is none, as long as the packing; null if there is one. */
PARABLOCK_API const char *
parablockPackingGetDeviceReason(const ParablockPacking *packing, size_t index);

/* Writes the package of that program. Its inputs "0", "1", .. are the weight's
   originals in order, its result is "packed". */
PARABLOCK_API ParablockStatus parablockPackingWriteDevicePackage(
    ParablockPacking *packing, size_t index,
    const ParablockDevicePackageOptions *options, const char *path);

/* Receives bytes of a packed weight, in order. Returns 0, or another number to
   stop. */
typedef int32_t (*ParablockPieceHandler)(void *data, uint64_t offset,
                                         const void *bytes, uint64_t count);

/* Packs a weight from its `count` originals. Floats of another type than the
   recipe's are rounded to that; a weight that is packed as it is, is passed on
   without a copy. */
PARABLOCK_API ParablockStatus parablockPackingPack(
    ParablockPacking *packing, size_t index, const ParablockTensor *originals,
    size_t count, ParablockPieceHandler handler, void *data);

#ifdef __cplusplus
}
#endif

#endif /* PARABLOCK_C_PACKAGE_H */
