//===- Command.h - one run of block-run -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_COMPARE_COMMAND_H
#define PARABLOCK_LIB_COMPARE_COMMAND_H

#include "TokenSteps.h"
#include "mlir/IR/Diagnostics.h"
#include "parablock/Execution/ArgumentSupply.h"
#include "parablock/Judges/Compare/Original.h"
#include "parablock/Judges/Compare/RunCommand.h"
#include "llvm/Support/SourceMgr.h"

namespace parablock::runner {

/// A function with everything that running it takes.
struct Subject {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  BoundFunction function;
  /// Arguments of rank 0, of all ranks, or of the one rank that it was made
  /// for.
  std::vector<Tensor> arguments;
  /// Arguments of every rank, where the module is for several.
  std::vector<std::vector<Tensor>> rankArguments;
  bool isOneRank = false;
};

/// One run of block-run; the steps of run(), in their order.
class Command {
public:
  Command(const RunRequest &request, const EngineRegistry &engines,
          mlir::MLIRContext &context, llvm::raw_ostream &remarks)
      : request(request), engines(engines), context(context), remarks(remarks),
        diagnostics(noSources, &context) {}

  llvm::Expected<RunReport> run();

private:
  using Step = llvm::Error (Command::*)();
  llvm::Error runSteps(llvm::ArrayRef<Step> steps);

  // Loading (CommandLoading.cpp).
  llvm::Error openFiles();
  llvm::Error loadSubjects();
  llvm::Error meetRanks();
  llvm::Error provideAll();
  llvm::Error loadSubject(Subject &subject, llvm::StringRef path);
  llvm::Error chooseSteps();
  llvm::Error bind(Subject &subject, llvm::StringRef path, bool isHeld = true);
  llvm::Error checkForm(const Subject &subject, llvm::StringRef path);
  llvm::Error provideFor(Subject &subject, int64_t rank);
  llvm::Error provideValues(Subject &subject);
  llvm::Error checkRanks() const;
  llvm::Error checkPackedByRank() const;
  void makeOneRank(Subject &subject);
  llvm::Error provideForComparison();
  llvm::Error checkSharedParameters() const;
  llvm::Error checkInputNames() const;
  llvm::Error checkFilesUsed() const;
  void remarkDrawn() const;

  // Running, comparing, writing (RunCommand.cpp).
  llvm::Error runEngine();
  llvm::Error runWhole(RunOptions options);
  llvm::Error judgeSteps(const OutputRows &rows);
  llvm::Error compareAll();
  llvm::Error judgeGradients();
  llvm::Error compareWithBaseline(const OutputRows &rows);
  void remarkApproximations() const;
  llvm::Error compareWithFile(const OutputRows &rows);
  llvm::Error compareWithEngine(const OutputRows &rows);
  llvm::Error writeFiles();
  llvm::Error writeOutputs() const;
  llvm::Error writeJSON() const;
  llvm::Error writeTimeline() const;
  /// The function of all ranks.
  const Subject &getWhole() const { return whole ? *whole : *subject; }
  /// Returns the most original known form: the unfused baseline if given.
  const Subject &chooseOriginal() const {
    return baseline ? *baseline : getWhole();
  }
  bool isFirst() const { return !request.group || request.group->isFirst(); }
  llvm::Error judgeAgainst(llvm::StringRef name, Outputs want,
                           const OutputRows &rows);
  llvm::Error judgeAgainst(const Outputs &got, Expectation expectation,
                           const OutputRows &rows);
  llvm::Error judgeWithTies(const Outputs &got, Expectation &expectation,
                            const OutputRows &rows,
                            std::vector<Verdict> &verdicts);

  const RunRequest &request;
  const EngineRegistry &engines;
  mlir::MLIRContext &context;
  llvm::raw_ostream &remarks;
  /// Errors at ops while they run: the files themselves are closed by then.
  llvm::SourceMgr noSources;
  mlir::SourceMgrDiagnosticHandler diagnostics;

  std::unique_ptr<Engine> engine, otherEngine;
  std::optional<TensorFile> inputs, weights;
  std::optional<SafeTensorsFile> expected;
  std::optional<ArgumentSupply> supply;
  /// `whole` is the subject for all ranks, where this process is one of them.
  std::optional<Subject> subject, whole, baseline;
  /// The model with layers that need fitted weights, and which ones; empty for
  /// none.
  std::string needsFitted;
  /// The hash of the subject's module as it was read.
  uint64_t moduleHash = 0;
  std::optional<Original> original;
  /// The calls for few tokens, and the results of one call for all.
  std::optional<TokenSteps> tokenSteps;
  Outputs together;
  RunReport report;
};

} // namespace parablock::runner

#endif // PARABLOCK_LIB_COMPARE_COMMAND_H
