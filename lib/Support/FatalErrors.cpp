//===- FatalErrors.cpp - dispatches errors by thread ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/FatalErrors.h"

#include "llvm/Support/ErrorHandling.h"
#include <mutex>

using namespace parablock;

static thread_local const FatalErrorScope *innermost = nullptr;

static void dispatch(void * /*data*/, const char *reason,
                     bool /*generateCrashDiagnostics*/) {
  if (innermost)
    innermost->handle(reason);
}

/// Installs the process's handler while any thread has a scope.
static void countThread(int change) {
  static std::mutex mutex;
  static int threads = 0;
  std::lock_guard<std::mutex> lock(mutex);
  if (threads == 0)
    llvm::install_fatal_error_handler(dispatch);
  threads += change;
  if (threads == 0)
    llvm::remove_fatal_error_handler();
}

FatalErrorScope::FatalErrorScope(Handler handler, void *data)
    : handler(handler), data(data), outer(innermost) {
  if (!outer)
    countThread(1);
  innermost = this;
}

// Inner scopes may have been left by an exception, without their
// destructors.
FatalErrorScope::~FatalErrorScope() {
  innermost = outer;
  if (!outer)
    countThread(-1);
}
