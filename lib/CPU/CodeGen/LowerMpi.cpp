//===- LowerMpi.cpp - upstream's MPI ops to calls -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LowerMpi.h"

#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MPIToLLVM/MPIToLLVM.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/MPI/IR/MPI.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace parablock;

/// Where upstream's patterns look for what the handles of MPI are.
static void setLibrary(ModuleOp module, CpuRank::Library library) {
  MLIRContext *context = module.getContext();
  auto text = [&](StringRef value) { return StringAttr::get(context, value); };
  DataLayoutEntryInterface entry = DataLayoutEntryAttr::get(
      text("MPI:Implementation"),
      text(library == CpuRank::MPICH ? "MPICH" : "OpenMPI"));
  module->setAttr(DLTIDialect::kMapAttrName, MapAttr::get(context, entry));
}

LogicalResult cpugen::lowerMpi(ModuleOp module, CpuRank::Library library) {
  WalkResult search =
      module.walk([](mpi::AllReduceOp) { return WalkResult::interrupt(); });
  if (!search.wasInterrupted())
    return success();
  setLibrary(module, library);
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
