//===- BackendGuard.h - LLVM's backend with errors --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TARGET_BACKENDGUARD_H
#define PARABLOCK_LIB_TARGET_BACKENDGUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace parablock {

/// Runs `work`, a use of LLVM's backend, and returns its fatal errors, such as
/// an instruction that the chip lacks, which would otherwise end the process.
/// Memory of a failed `work` is leaked. Any number of threads may call it.
llvm::Error runGuarded(llvm::function_ref<void()> work);

} // namespace parablock

#endif // PARABLOCK_LIB_TARGET_BACKENDGUARD_H
