//===- LowerMpi.cpp - pass cpu-lower-mpi ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MPIToLLVM/MPIToLLVM.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/MPI/IR/MPI.h"
#include "mlir/Transforms/DialectConversion.h"
#include "parablock/Conversion/BlockKernelsToCPU/Passes.h"

namespace parablock {
#define GEN_PASS_DEF_CPULOWERMPI
#include "parablock/Conversion/BlockKernelsToCPU/Passes.h.inc"
} // namespace parablock

using namespace mlir;
using namespace parablock;

/// Sets the MPI library in the form that upstream's patterns read.
static void setLibrary(ModuleOp module, bool isMpich) {
  MLIRContext *context = module.getContext();
  auto text = [&](StringRef value) { return StringAttr::get(context, value); };
  DataLayoutEntryInterface entry = DataLayoutEntryAttr::get(
      text("MPI:Implementation"), text(isMpich ? "MPICH" : "OpenMPI"));
  module->setAttr(DLTIDialect::kMapAttrName, MapAttr::get(context, entry));
}

static LogicalResult lowerMpi(ModuleOp module, bool isMpich) {
  WalkResult search =
      module.walk([](mpi::AllReduceOp) { return WalkResult::interrupt(); });
  if (!search.wasInterrupted())
    return success();
  setLibrary(module, isMpich);
  MLIRContext *context = module.getContext();
  LLVMTypeConverter types(context);
  RewritePatternSet patterns(context);
  mpi::populateMPIToLLVMConversionPatterns(types, patterns);
  LLVMConversionTarget target(*context);
  target.addIllegalDialect<mpi::MPIDialect>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  if (failed(applyPartialConversion(module, target, std::move(patterns))))
    return failure();
  module->removeAttr(DLTIDialect::kMapAttrName);
  return success();
}

namespace {
struct CpuLowerMpiPass
    : public parablock::impl::CpuLowerMpiBase<CpuLowerMpiPass> {
  using Base::Base;

  void runOnOperation() final {
    if (failed(lowerMpi(getOperation(),
                        /*isMpich=*/library == CpuRank::MPICH)))
      return signalPassFailure();
  }
};
} // namespace
