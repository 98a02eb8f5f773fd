//===- BackendGuard.h - the backend's last words as an error ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TARGET_BACKENDGUARD_H
#define PARABLOCK_LIB_TARGET_BACKENDGUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace parablock {

/// Runs `work`, a use of LLVM's backend, and returns what that reports when it
/// gives up, for instance on an instruction that the chip does not have. It
/// would end the process otherwise. What `work` had allocated until then is
/// lost. One caller at a time; others wait.
llvm::Error runGuarded(llvm::function_ref<void()> work);

} // namespace parablock

#endif // PARABLOCK_LIB_TARGET_BACKENDGUARD_H
