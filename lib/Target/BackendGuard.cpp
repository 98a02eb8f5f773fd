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

/// Crash recovery is on or off for the whole process: it is on while any
/// thread needs it.
static void countCaller(int change) {
  static std::mutex mutex;
  static int callers = 0;
  std::lock_guard<std::mutex> lock(mutex);
  if (callers == 0)
    CrashRecoveryContext::Enable();
  callers += change;
  if (callers == 0)
    CrashRecoveryContext::Disable();
}

Error parablock::runGuarded(function_ref<void()> work) {
  std::string message;
  countCaller(1);
  bool finished;
  {
    FatalErrorScope scope(handleFatalError, &message);
    CrashRecoveryContext context;
    finished = context.RunSafely(work);
  }
  countCaller(-1);
  if (finished)
    return Error::success();
  return createStringError(message.empty() ? "the backend of LLVM crashed"
                                           : message);
}
