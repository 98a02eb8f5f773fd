//===- ProgramEngines.h - engines of programs -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CAPI_PROGRAMENGINES_H
#define PARABLOCK_LIB_CAPI_PROGRAMENGINES_H

#include "parablock-c/Program.h"
#include "parablock/Engines/CPU/CpuExecutable.h"
#include "parablock/Engines/CPU/ProgramSegments.h"
#include "parablock/Judges/Compare/RunReport.h"

namespace parablock::capi {

/// Arguments by position; null where nothing reads one.
using Arguments = llvm::ArrayRef<const ParablockTensor *>;
using Shape = llvm::SmallVector<int64_t, 4>;

/// A run that is done segment by segment.
class ProgramRun {
public:
  virtual ~ProgramRun() = default;
  /// Runs the next segment; `outputs` are the results that it writes first.
  virtual llvm::Error proceed(llvm::ArrayRef<ParablockTensor> outputs) = 0;

  /// The number of the segments that are done.
  size_t done = 0;
};

/// A function prepared for an engine. Tensors already have the types and the
/// ranks of the signature.
class ProgramEngine {
public:
  virtual ~ProgramEngine() = default;
  virtual llvm::Error setParameters(Arguments arguments) = 0;
  /// Uses packed weights cached by that text, if there are any.
  virtual bool findParameters(llvm::StringRef) { return false; }
  virtual void keepParameters(llvm::StringRef) {}
  virtual llvm::Expected<Shape> findOutputShape(Arguments arguments,
                                                unsigned output) = 0;
  virtual llvm::Error run(Arguments arguments,
                          llvm::ArrayRef<ParablockTensor> outputs) = 0;
  /// Returns the segments of a run; empty if the engine supports only whole
  /// runs.
  virtual llvm::ArrayRef<CpuSegment> getSegments() const { return {}; }
  /// Returns the bytes that a run allocates in addition to arguments and
  /// results.
  virtual llvm::Expected<CpuRunBytes> planMemory(Arguments arguments);
  /// Begins a run in segments, with its own parameters among `arguments`.
  virtual llvm::Expected<std::unique_ptr<ProgramRun>>
  begin(Arguments arguments);

  /// The report of the latest run.
  runner::RunReport report;
};

/// Creates a program compiled by the CPU engine, which runs on the caller's
/// memory directly. `parameters` are the initial ones, if any.
llvm::Expected<std::unique_ptr<ProgramEngine>>
createCompiledProgram(mlir::func::FuncOp function,
                      const ParablockProgramOptions &options,
                      std::optional<Arguments> parameters);

/// Returns the plan of the program that the CPU engine would compile, for a
/// memory shared by several programs.
llvm::Expected<std::unique_ptr<ProgramEngine>>
createPlannedProgram(mlir::func::FuncOp function,
                     const ParablockProgramOptions &options);

/// Creates a program for any engine of block-run, through float64. With
/// `isExact` nothing is rounded, and floats of the caller are f64.
llvm::Expected<std::unique_ptr<ProgramEngine>>
createInterpretedProgram(mlir::func::FuncOp function,
                         std::unique_ptr<runner::Engine> engine,
                         unsigned threads, bool isExact = false);

/// The element type of the caller's memory.
inline ElementType getCallersType(ElementType type, bool isExact) {
  return isExact && isFloatType(type) ? ElementType::F64 : type;
}

} // namespace parablock::capi

#endif // PARABLOCK_LIB_CAPI_PROGRAMENGINES_H
