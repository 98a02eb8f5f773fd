//===- ProgramHandle.h - object of ParablockProgram -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CAPI_PROGRAMHANDLE_H
#define PARABLOCK_LIB_CAPI_PROGRAMHANDLE_H

#include "Handles.h"
#include "ProgramEngines.h"
#include "parablock/Engines/Generation/Generation.h"
#include "parablock/Execution/Signature.h"

struct ParablockProgram {
  ParablockContext &getContext() const { return *owner; }

  llvm::IntrusiveRefCntPtr<ParablockContext> owner;
  std::unique_ptr<parablock::capi::ProgramEngine> engine;
  std::vector<parablock::runner::Argument> arguments;
  std::vector<parablock::runner::Port> results;
  /// The limits of tokens, of a function with caches.
  parablock::generation::TokenLimits tokenLimits;
  /// The parameters' descriptions; their memory is the caller's.
  std::vector<ParablockTensor> parameters = {};
  std::vector<std::vector<int64_t>> parameterShapes = {};
  bool hasParameters = false;

  /// Creates the engine, with the parameters of the options.
  llvm::Error create(mlir::func::FuncOp function,
                     const ParablockProgramOptions &options);
  /// Checks that `tensors` are the inputs, or the parameters, and lists them by
  /// position; inputs are completed by the current parameters.
  llvm::Expected<std::vector<const ParablockTensor *>>
  collect(const ParablockTensor *tensors, size_t count, bool wantParameters);
  /// Writes the current parameters to a list by position.
  void
  fillParameters(llvm::MutableArrayRef<const ParablockTensor *> list) const;
  bool wantsParameters() const;
  /// Checks that parameters are set, where there are any.
  llvm::Error checkHasParameters() const;
  /// Checks that `outputs` are those at `positions`, or all of them.
  llvm::Error checkOutputs(
      const ParablockTensor *outputs, size_t count,
      std::optional<llvm::ArrayRef<unsigned>> positions = std::nullopt) const;
  llvm::Error setParameters(const ParablockTensor *tensors, size_t count);
  /// Uses cached packed weights, if there are any.
  llvm::Expected<bool> findParameters(const ParablockTensor *tensors,
                                      size_t count, llvm::StringRef identity);

private:
  void note(const ParablockTensor *tensors, size_t count);
};

#endif // PARABLOCK_LIB_CAPI_PROGRAMHANDLE_H
