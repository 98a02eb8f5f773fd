//===- Engine.h - interface and registry of engines -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The common interface of everything that executes functions of model IR;
// loading, comparing and reporting are written once above it.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EXECUTION_ENGINE_H
#define PARABLOCK_EXECUTION_ENGINE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock/Support/HostTensor.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parablock::runner {

/// A tensor in memory: float64 for every element type.
using Tensor = HostTensor;

/// Called after an op ran, with its results.
using Observer = std::function<void(mlir::Operation *, llvm::ArrayRef<Tensor>)>;

struct RunOptions {
  /// Disables rounding to element types, in engines that support it.
  bool exactArithmetic = false;
  /// Draws roundings at random instead of rounding to nearest; for the
  /// reference engine.
  std::optional<uint64_t> roundingSeed;
  /// Number of runs; the outputs are those of the last one.
  unsigned repeat = 1;
  /// True if the time of a run must include packing weights, which steps of
  /// training change; for engines that pack.
  bool packsInRuns = false;
  /// True if the function does not change between this run and the next ones:
  /// engines that compile may reuse the code.
  bool keepsCode = false;
  /// Worker threads; 0 lets the engine choose.
  unsigned threads = 0;
  /// The current rank, for functions that read it.
  int64_t rank = 0;
  /// The arguments of every rank if one engine runs them all; those of rank 0
  /// are also passed to run().
  std::vector<std::vector<Tensor>> rankArguments;
  /// Called for every op of the first run, by engines that support it.
  Observer observer;
  /// True to record the times of kernels and sums of one more run; for engine
  /// cpu.
  bool recordsTimes = false;
};

/// A kernel, and its number of launches in one run.
struct KernelCount {
  std::string name;
  uint64_t count = 0;
};

/// The time of a kernel, or of a sum over ranks that kernels run beside.
struct StepTime {
  std::string name;
  int64_t rank = 0;
  /// -1 outside layers and for sums.
  int64_t layer = -1;
  bool isSum = false;
  /// Nanoseconds since the beginning of the run.
  int64_t begin = 0, end = 0;
};

struct RunResult {
  /// In the order of the function's results.
  std::vector<Tensor> outputs;
  /// The kernels that actually ran, in order of first appearance.
  std::vector<KernelCount> kernels;
  /// One entry per repetition.
  std::vector<double> milliseconds;
  /// Time to compile; 0 for engines that do not compile.
  double compileMilliseconds = 0;
  uint64_t peakBytes = 0;
  /// The part of peakBytes for values between kernels; 0 if
  /// unknown.
  uint64_t temporaryBytes = 0;
  /// Number of available worker threads.
  unsigned threads = 1;
  /// The steps of all ranks, if they were recorded.
  std::vector<StepTime> times;
};

class Engine {
public:
  virtual ~Engine() = default;
  virtual llvm::StringRef name() const = 0;
  /// Returns whether it supports arithmetic without rounding.
  virtual bool canBeExact() const { return false; }
  /// Returns whether it runs functions of weights alone, such as `@prepack`.
  virtual bool canPrepack() const { return false; }
  /// Returns whether it runs one rank of a function that was split, each in its
  /// own process.
  virtual bool canBeRank() const { return false; }
  /// Returns whether it runs all ranks of a function that was split, in one
  /// process.
  virtual bool canSimulateRanks() const { return false; }
  /// Runs `function` on `arguments`. Errors in IR and data are diagnosed at the
  /// op and returned as DiagnosedError.
  virtual llvm::Expected<RunResult> run(mlir::func::FuncOp function,
                                        llvm::ArrayRef<Tensor> arguments,
                                        const RunOptions &options) = 0;
};

/// An optional component is missing here (exit code 4), named in the message.
class MissingError : public llvm::ErrorInfo<MissingError> {
public:
  static char ID;
  explicit MissingError(std::string text) : text(std::move(text)) {}
  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override;

private:
  std::string text;
};

/// An error that has already been printed as a diagnostic at its location.
class DiagnosedError : public llvm::ErrorInfo<DiagnosedError> {
public:
  static char ID;
  void log(llvm::raw_ostream &os) const override { os << "see above"; }
  std::error_code convertToErrorCode() const override;
};

/// The engines of a tool, by name.
class EngineRegistry {
public:
  using Factory = std::function<llvm::Expected<std::unique_ptr<Engine>>()>;

  void add(llvm::StringRef name, Factory factory);
  /// An unknown name is an error that lists the known ones.
  llvm::Expected<std::unique_ptr<Engine>> create(llvm::StringRef name) const;

private:
  struct Entry {
    std::string name;
    Factory factory;
  };
  std::vector<Entry> entries;
};

} // namespace parablock::runner

#endif // PARABLOCK_EXECUTION_ENGINE_H
