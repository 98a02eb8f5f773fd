//===- BackendGuard.cpp - the backend's last words as an error ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "BackendGuard.h"

#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include <mutex>
#include <string>

using namespace llvm;

/// Leaves the guarded code. On any other thread LLVM ends the process, as it
/// would without us.
static void handleFatalError(void *message, const char *reason,
                             bool /*generateCrashDiagnostics*/) {
  if (CrashRecoveryContext *context = CrashRecoveryContext::GetCurrent()) {
    *static_cast<std::string *>(message) = reason;
    context->HandleExit(1);
  }
}

Error parablock::runGuarded(function_ref<void()> work) {
  // There is one handler per process.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  std::string message;
  CrashRecoveryContext::Enable();
  ScopedFatalErrorHandler handler(handleFatalError, &message);
  CrashRecoveryContext context;
  bool finished = context.RunSafely(work);
  CrashRecoveryContext::Disable();
  if (finished)
    return Error::success();
  return createStringError(message.empty() ? "the backend of LLVM crashed"
                                           : message);
}
