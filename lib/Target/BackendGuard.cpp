//===- BackendGuard.cpp - catches LLVM's fatal errors ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "BackendGuard.h"

#include "parablock/Support/FatalErrors.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include <mutex>
#include <string>

using namespace llvm;

/// Leaves the guarded code.
static void handleFatalError(void *message, const char *reason) {
  *static_cast<std::string *>(message) = reason;
  if (CrashRecoveryContext *context = CrashRecoveryContext::GetCurrent())
    context->HandleExit(1);
}

Error parablock::runGuarded(function_ref<void()> work) {
  // Crash recovery is on or off for the whole process.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  std::string message;
  CrashRecoveryContext::Enable();
  FatalErrorScope scope(handleFatalError, &message);
  CrashRecoveryContext context;
  bool finished = context.RunSafely(work);
  CrashRecoveryContext::Disable();
  if (finished)
    return Error::success();
  return createStringError(message.empty() ? "the backend of LLVM crashed"
                                           : message);
}
