//===- FatalErrors.h - handlers of LLVM's fatal errors ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_FATALERRORS_H
#define PARABLOCK_SUPPORT_FATALERRORS_H

namespace parablock {

/// Passes LLVM's fatal errors on this thread to a handler while the scope
/// is alive. LLVM has one handler per process and ends the process when
/// it returns, so a handler must leave otherwise. The innermost scope of
/// a thread is used. On threads without a scope, LLVM behaves as by
/// default.
class FatalErrorScope {
public:
  using Handler = void (*)(void *data, const char *reason);

  FatalErrorScope(Handler handler, void *data);
  ~FatalErrorScope();
  FatalErrorScope(const FatalErrorScope &) = delete;
  FatalErrorScope &operator=(const FatalErrorScope &) = delete;

  void handle(const char *reason) const { handler(data, reason); }

private:
  Handler handler;
  void *data;
  const FatalErrorScope *outer;
};

} // namespace parablock

#endif // PARABLOCK_SUPPORT_FATALERRORS_H
