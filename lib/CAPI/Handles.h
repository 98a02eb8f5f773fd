//===- Handles.h - objects of the C API -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CAPI_HANDLES_H
#define PARABLOCK_LIB_CAPI_HANDLES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "parablock-c/Module.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <memory>
#include <string>

/// A context. Objects created with it hold a reference, so they may be
/// destroyed in any order.
struct ParablockContext : llvm::RefCountedBase<ParablockContext> {
  ParablockContext();
  /// Uses a context of the caller.
  explicit ParablockContext(mlir::MLIRContext &context);
  ~ParablockContext();

  /// Stores the message of `error`, and returns its kind as the status. For an
  /// error that was emitted as a diagnostic, stores the diagnostic's message.
  ParablockStatus finish(llvm::Error error);
  /// Runs a call of the API: clears earlier messages, checks that no pointer of
  /// `needed` is null, and returns the status of `work`'s error. No exception
  /// and no fatal error reaches the caller.
  ParablockStatus call(std::initializer_list<const void *> needed,
                       llvm::function_ref<llvm::Error()> work);
  ParablockContext &getContext() { return *this; }

  /// The context where it is not the caller's.
  std::unique_ptr<mlir::MLIRContext> owned;
  mlir::MLIRContext &context;
  bool readsBytecode = false;
  std::string message;
  /// The first error that was emitted during the present call.
  std::string diagnosed;
  /// The reason that ended an earlier call in the middle; empty without one.
  std::string internalError;
  ParablockDiagnosticHandler diagnosticHandler = nullptr;
  void *diagnosticData = nullptr;
  bool hasRemarkHandler = false;

private:
  mlir::LogicalResult handle(mlir::Diagnostic &diagnostic);

  mlir::DiagnosticEngine::HandlerID handler =
      context.getDiagEngine().registerHandler(
          [this](mlir::Diagnostic &diagnostic) { return handle(diagnostic); });
};

struct ParablockModule {
  ParablockContext &getContext() const { return *owner; }

  llvm::IntrusiveRefCntPtr<ParablockContext> owner;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

namespace parablock::capi {

/// Every function that returns a status runs its work by this: `handle` is its
/// first argument, `needed` are others that must not be null.
template <typename Handle>
ParablockStatus run(Handle *handle, std::initializer_list<const void *> needed,
                    llvm::function_ref<llvm::Error()> work) {
  return handle ? handle->getContext().call(needed, work) : ParablockBadInput;
}

/// Registers all passes, once per process.
void registerPassesOnce();

/// Runs `work` of a function without a status; returns false if an exception or
/// a fatal error ended it.
bool contain(llvm::function_ref<void()> work);

/// A place in memory that C callers free.
char *copyString(llvm::StringRef text);
char *copyJSON(llvm::json::Value value);

/// Returns the error for a null pointer argument.
llvm::Error createNullError();

/// Converts `location`, valid for the context's lifetime.
ParablockLocation getLocation(mlir::Location location);

} // namespace parablock::capi

#endif // PARABLOCK_LIB_CAPI_HANDLES_H
