//===- BlockReport.cpp - pass block-report --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ReportFormats.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Support/AtomicOutput.h"
#include "parablock/Transforms/Launches.h"
#include "parablock/Transforms/Passes.h"
#include "parablock/Transforms/Shard/Ranks.h"
#include "parablock/Transforms/StepHalves.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKREPORT
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;

namespace {
struct BlockReportPass : public block::impl::BlockReportBase<BlockReportPass> {
  using BlockReportBase::BlockReportBase;

  void getDependentDialects(DialectRegistry &registry) const final {
    registerLaunchedDialects(registry);
  }

  void runOnOperation() final {
    markAllAnalysesPreserved();
    if (failed(report()))
      signalPassFailure();
  }

private:
  LogicalResult report() {
    llvm::Expected<const Chip &> known = findChip(chip);
    if (!known)
      return getOperation()->emitError() << llvm::toString(known.takeError());
    FunctionOpInterface function =
        findMainFunction(getOperation(), functionName);
    if (!function)
      return failure();
    FailureOr<ModelCounts> model = countLaunched(function);
    if (failed(model))
      return failure();

    std::string text;
    llvm::raw_string_ostream os(text);
    auto module = function->getParentOfType<ModuleOp>();
    ReportSubject subject = {function.getName(), *model, *known,
                             module ? countRanks(module) : std::nullopt};
    subject.codes = countCodes(getOperation());
    subject.exposedSums = findExposedSums(function);
    if (!machineCode.empty()) {
      auto kernels =
          reportMachineCode(function, machineCode, model->sizes, *known);
      if (!kernels)
        return getOperation()->emitError()
               << llvm::toString(kernels.takeError());
      subject.machineCode = std::move(*kernels);
    }
    if (FunctionOpInterface step = findStep(function)) {
      FailureOr<ModelCounts> counts = countLaunched(step);
      if (failed(counts))
        return failure();
      subject.step = {block::measureStep(step, counts->sizes),
                      std::move(*counts)};
    }
    if (format == ReportFormat::JSON)
      writeReportJSON(os, subject);
    else
      writeReportText(os, subject);
    if (file.empty()) {
      llvm::errs() << text;
      return success();
    }
    if (llvm::Error error = writeFile(file, text))
      return getOperation()->emitError() << llvm::toString(std::move(error));
    return success();
  }
};
} // namespace
