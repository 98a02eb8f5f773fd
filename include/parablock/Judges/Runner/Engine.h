//===- Engine.h - what runs a function, and the list of them ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Everything that can execute a function of model IR stands behind one
// interface, so that loading, comparing and reporting are written once.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RUNNER_ENGINE_H
#define PARABLOCK_RUNNER_ENGINE_H

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

/// A tensor in memory: float64 whatever its element type.
using Tensor = HostTensor;

/// Called after an op ran, with its results.
using Observer = std::function<void(mlir::Operation *, llvm::ArrayRef<Tensor>)>;

struct RunOptions {
  /// No rounding to element types at all; for engines that can do without.
  bool exactArithmetic = false;
  /// Draws roundings at random instead of rounding to nearest; for the
  /// reference engine.
  std::optional<uint64_t> roundingSeed;
  /// How often to run; the outputs are those of the last time.
  unsigned repeat = 1;
  /// True where the time of a run has to hold that of packing weights, which
  /// steps of training change; for engines that pack.
  bool packsInRuns = false;
  /// True if the function does not change between this run and the next ones:
  /// engines that compile need not do so again.
  bool keepsCode = false;
  /// Worker threads; 0 leaves the number to the engine.
  unsigned threads = 0;
  /// Which of several ranks runs, for functions that ask.
  int64_t rank = 0;
  /// The arguments of every rank, where one engine is to run them all; rank 0's
  /// are those of run() too.
  std::vector<std::vector<Tensor>> rankArguments;
  /// Sees every op of the first run; for engines that can show them.
  Observer observer;
};

/// Something that was launched, and how often in one run.
struct KernelCount {
  std::string name;
  uint64_t count = 0;
};

struct RunResult {
  /// In the order of the function's results.
  std::vector<Tensor> outputs;
  /// The kernels that really ran, in order of first appearance.
  std::vector<KernelCount> kernels;
  /// One entry per repetition.
  std::vector<double> milliseconds;
  /// From IR to something that runs; 0 for engines that do not compile.
  double compileMilliseconds = 0;
  uint64_t peakBytes = 0;
  /// The part of peakBytes that holds values between kernels; 0 where that is
  /// unknown.
  uint64_t temporaryBytes = 0;
  /// Worker threads that it could use.
  unsigned threads = 1;
};

class Engine {
public:
  virtual ~Engine() = default;
  virtual llvm::StringRef name() const = 0;
  /// Tells whether it can do without rounding.
  virtual bool canBeExact() const { return false; }
  /// Tells whether it runs functions of weights alone, such as `@prepack`.
  virtual bool canPrepack() const { return false; }
  /// Tells whether it runs one rank of a function that was split, each in a
  /// process of its own.
  virtual bool canBeRank() const { return false; }
  /// Tells whether it runs all ranks of a function that was split, in one
  /// process.
  virtual bool canSimulateRanks() const { return false; }
  /// Runs `function` on `arguments`. Faults of IR and data are diagnostics at
  /// the op, and a DiagnosedError here.
  virtual llvm::Expected<RunResult> run(mlir::func::FuncOp function,
                                        llvm::ArrayRef<Tensor> arguments,
                                        const RunOptions &options) = 0;
};

/// Something optional is missing here (exit code 4), named in the message.
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
  /// An engine that exists, but not here; `missing` says what it needs. A
  /// later add() of that name replaces it.
  void addMissing(llvm::StringRef name, llvm::StringRef missing);

  /// An unknown name is an error that lists the known ones, a missing engine
  /// a MissingError.
  llvm::Expected<std::unique_ptr<Engine>> create(llvm::StringRef name) const;

private:
  struct Entry {
    std::string name;
    Factory factory;
  };
  std::vector<Entry> entries;
};

} // namespace parablock::runner

#endif // PARABLOCK_RUNNER_ENGINE_H
