//===- TensorHash.h - hashes of tensors -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_TENSORHASH_H
#define PARABLOCK_SUPPORT_TENSORHASH_H

#include "parablock/Support/SafeTensors.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace parablock {

/// Hashes names, types, shapes and contents; of large files only evenly spaced
/// pieces of each tensor. `release` is called after each tensor, because pages
/// read from a file otherwise count as memory in use.
uint64_t hashTensors(llvm::ArrayRef<const SafeTensorsEntry *> tensors,
                     llvm::function_ref<void()> release);

} // namespace parablock

#endif // PARABLOCK_SUPPORT_TENSORHASH_H
