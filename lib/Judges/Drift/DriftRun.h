//===- DriftRun.h - one run of block-drift ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_DRIFTRUN_H
#define PARABLOCK_LIB_DRIFT_DRIFTRUN_H

#include "DriftReport.h"
#include "parablock/Transforms/Passes.h"
#include "llvm/ADT/StringSet.h"

namespace parablock::drift {

class DriftRun {
public:
  DriftRun(const DriftRequest &request, mlir::MLIRContext &context,
           llvm::raw_ostream &remarks)
      : request(request), context(context), remarks(remarks),
        progress(llvm::errs(), request.showProgress),
        preparation(this->request.engine, remarks) {}

  llvm::Expected<llvm::json::Object> run();

private:
  llvm::Error checkRequest();
  llvm::Error checkUse() const;
  llvm::Error load();
  llvm::Error checkForm() const;
  llvm::Error checkWeightsFit() const;
  llvm::Error readGivenChoice();
  llvm::Error selectCandidates();
  llvm::Expected<llvm::json::Object> quantize();
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
  encode(EncodedRows activations);
  llvm::Expected<std::vector<mlir::OwningOpRef<mlir::ModuleOp>>> encodeRows();
  llvm::Error checkData();
  llvm::Error listCorrections();
  llvm::Error judgeAlone(const Candidate &candidate, Recovery &recovery);
  llvm::Error measure();
  llvm::Error checkAgainstFile() const;
  bool isScreening() const;
  llvm::Error checkGeneration();
  llvm::Error choose();
  llvm::Expected<Trial> tryChoice(llvm::ArrayRef<Candidate> chosen);
  llvm::Error predictChosen();
  llvm::Error confirm();
  llvm::Error measureChosen();
  llvm::Error checkHealing();
  llvm::Error loadHealingData();
  llvm::Error heal();
  llvm::Expected<double> measureSelected();
  llvm::Expected<Divergence> compareGeneration(const Conversion &conversion,
                                               Split split);
  llvm::Error checkTasks();
  llvm::Expected<std::vector<TaskScore>>
  solveTasks(const Conversion &conversion, Split split);

  bool isCorrected() const { return request.correction != Correction::None; }
  CorrectionOptions getOptions() const {
    return {request.ridge, request.addBiases,
            static_cast<int64_t>(request.lowRank), given ? &*given : nullptr};
  }

  /// Diagnostics so far.
  llvm::StringSet<> diagnosed;
  /// With what a choice file says in place of what it overrides.
  DriftRequest request;
  mlir::MLIRContext &context;
  llvm::raw_ostream &remarks;
  Progress progress;
  Preparation preparation;
  /// As it is measured, with rows of any number, and as it was read.
  mlir::OwningOpRef<mlir::ModuleOp> module, original;
  mlir::func::FuncOp function;
  std::optional<runner::TensorFile> weights;
  std::optional<ParameterSource> source;
  std::optional<Dataset> data;
  /// The data to train on, if they have a file of their own.
  std::optional<Dataset> healingData;
  std::unique_ptr<Model> model;
  /// The choice file, if one was given, and its weights.
  std::optional<Choice> choice;
  std::optional<GivenWeights> given;
  std::vector<Candidate> candidates;
  /// The corrections to fit to pairs alone; the requested one comes last.
  llvm::SmallVector<Correction> corrections;
  /// The pairs are those that the request lists.
  bool isExplicit = false;
  Split klSplit = Split::Select;
  /// Tokens to generate; 0: none.
  int64_t generatedTokens = 0;
  std::map<Split, std::unique_ptr<GenerationJudge>> judges;
  std::map<Split, std::unique_ptr<TaskJudge>> taskJudges;
  DriftResults results;
};

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_DRIFTRUN_H
