//===- LowerMpi.cpp - pass cpu-lower-mpi ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RankKernels.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MPIToLLVM/MPIToLLVM.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/MPI/IR/MPI.h"
#include "mlir/IR/TypeUtilities.h"
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

/// Fails, with an error at the op, for elements that MPI has no type for:
/// MLIR's conversion would refer to a global without a name.
static LogicalResult checkElements(mpi::AllReduceOp op) {
  for (Value buffer : {op.getSendbuf(), op.getRecvbuf()}) {
    Type element = getElementTypeOrSelf(buffer.getType());
    bool isKnown =
        element.isF32() || element.isF64() ||
        llvm::any_of(ArrayRef<unsigned>{8, 16, 32, 64},
                     [&](unsigned bits) { return element.isInteger(bits); });
    if (!isKnown)
      return op.emitError()
             << "no CPU code for '" << op->getName() << "' of "
             << buffer.getType() << ": expected f32, f64, i8, i16, i32 or i64";
  }
  return success();
}

/// Gives calls of functions that start sums a request, the third tensor of
/// these functions, and the name of the function that does not wait.
static LogicalResult startSums(ModuleOp module) {
  SmallVector<LLVM::CallOp> calls;
  module.walk([&](func::FuncOp function) {
    if (function->removeAttr(cpugen::kStartsSum))
      function.walk([&](LLVM::CallOp call) {
        if (call.getCallee() == "MPI_Allreduce")
          calls.push_back(call);
      });
  });
  for (LLVM::CallOp call : calls) {
    auto function = call->getParentOfType<func::FuncOp>();
    OpBuilder builder(call);
    Location loc = call.getLoc();
    Value tensors = function.getArgument(0);
    Type pointer = tensors.getType();
    Value place = LLVM::GEPOp::create(builder, loc, pointer, pointer, tensors,
                                      ArrayRef<LLVM::GEPArg>{2});
    Value request = LLVM::LoadOp::create(builder, loc, pointer, place);
    SmallVector<Value> operands(call.getArgOperands());
    operands.push_back(request);
    FailureOr<LLVM::LLVMFuncOp> start =
        LLVM::lookupOrCreateFn(builder, module, "MPI_Iallreduce",
                               llvm::to_vector(ValueRange(operands).getTypes()),
                               call.getResultTypes()[0]);
    if (failed(start))
      return failure();
    call->replaceAllUsesWith(
        LLVM::CallOp::create(builder, loc, *start, operands));
    call.erase();
  }
  return success();
}

static LogicalResult lowerMpi(ModuleOp module, bool isMpich) {
  SmallVector<mpi::AllReduceOp> sums;
  module.walk([&](mpi::AllReduceOp op) { sums.push_back(op); });
  if (sums.empty())
    return success();
  for (mpi::AllReduceOp op : sums)
    if (failed(checkElements(op)))
      return failure();
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
  return startSums(module);
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
