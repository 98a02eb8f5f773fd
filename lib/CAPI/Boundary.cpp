//===- Boundary.cpp - where calls of the C API begin and end --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The project is compiled without exceptions, but the C++ library and LLVM can
// still end a process: by an exception, or by a fatal error. Callers in C and
// Python get a status instead. Only this file is compiled with exceptions.
// Memory and locks of the failed call are leaked, so its context accepts no
// more calls.
//
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "parablock/Support/FatalErrors.h"
#include <exception>

using namespace parablock;

namespace {
/// A fatal error that is reported to the caller.
struct FatalError {
  std::string reason;
};
} // namespace

static void throwFatalError(void * /*data*/, const char *reason) {
  throw FatalError{reason};
}

/// Runs `work`; returns the message of a fault, or an empty text.
static std::string runContained(llvm::function_ref<void()> work) {
  FatalErrorScope scope(throwFatalError, nullptr);
  try {
    work();
    return "";
  } catch (const FatalError &error) {
    return error.reason.empty() ? "a fatal error" : error.reason;
  } catch (const std::exception &error) {
    return error.what();
  } catch (...) {
    return "an unknown exception";
  }
}

ParablockStatus
ParablockContext::call(std::initializer_list<const void *> needed,
                       llvm::function_ref<llvm::Error()> work) {
  if (!internalError.empty()) {
    message = "an earlier call ended with an internal error (" + internalError +
              "): make a new context";
    return ParablockInternalError;
  }
  diagnosed.clear();
  ParablockStatus status = ParablockSuccess;
  std::string reason = runContained([&] {
    status = finish(
        llvm::is_contained(needed, nullptr) ? capi::createNullError() : work());
  });
  if (reason.empty())
    return status;
  internalError = reason;
  message = "internal error: " + reason + "; please report it";
  return ParablockInternalError;
}

bool capi::contain(llvm::function_ref<void()> work) {
  return runContained(work).empty();
}
