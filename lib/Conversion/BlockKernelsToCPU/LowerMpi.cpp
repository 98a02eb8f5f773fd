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

/// Loads the address of the tensor of that number among those of `function`,
/// its first argument.
static Value loadTensor(OpBuilder &builder, Location loc, func::FuncOp function,
                        int32_t number) {
  Value tensors = function.getArgument(0);
  Type pointer = tensors.getType();
  Value place = LLVM::GEPOp::create(builder, loc, pointer, pointer, tensors,
                                    ArrayRef<LLVM::GEPArg>{number});
  return LLVM::LoadOp::create(builder, loc, pointer, place);
}

/// Replaces `call` by one of the function `name`, with a result of its type.
static LogicalResult replaceCall(LLVM::CallOp call, ModuleOp module,
                                 StringRef name, ValueRange operands) {
  OpBuilder builder(call);
  FailureOr<LLVM::LLVMFuncOp> function = LLVM::lookupOrCreateFn(
      builder, module, name, llvm::to_vector(operands.getTypes()),
      call.getResultTypes()[0]);
  if (failed(function))
    return failure();
  call->replaceAllUsesWith(
      LLVM::CallOp::create(builder, call.getLoc(), *function, operands));
  call.erase();
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
    SmallVector<Value> operands(call.getArgOperands());
    operands.push_back(loadTensor(builder, loc, function, /*number=*/2));
    if (failed(replaceCall(call, module, "MPI_Iallreduce", operands)))
      return failure();
  }
  return success();
}

/// Makes calls in functions that exchange rows those of MPI_Alltoallv, by the
/// numbers of words among the tensors of these functions.
static LogicalResult exchangeRows(ModuleOp module) {
  SmallVector<std::pair<LLVM::CallOp, int32_t>> calls;
  module.walk([&](func::FuncOp function) {
    auto ranks = dyn_cast_or_null<IntegerAttr>(
        function->removeAttr(cpugen::kExchangesRows));
    if (ranks)
      function.walk([&](LLVM::CallOp call) {
        if (call.getCallee() == "MPI_Allreduce")
          calls.emplace_back(call, ranks.getInt());
      });
  });
  for (auto [call, ranks] : calls) {
    auto function = call->getParentOfType<func::FuncOp>();
    OpBuilder builder(call);
    Location loc = call.getLoc();
    Value numbers =
        loadTensor(builder, loc, function, cpugen::kExchangeNumbers);
    auto getNumbers = [&](int32_t which) -> Value {
      return LLVM::GEPOp::create(builder, loc, numbers.getType(),
                                 builder.getI32Type(), numbers,
                                 ArrayRef<LLVM::GEPArg>{which * ranks});
    };
    // Of a sum: sent, received, count, type, operation, world.
    OperandRange sum = call.getArgOperands();
    SmallVector<Value> operands = {sum[0],        getNumbers(0), getNumbers(1),
                                   sum[3],        sum[1],        getNumbers(2),
                                   getNumbers(3), sum[3],        sum[5]};
    if (failed(replaceCall(call, module, "MPI_Alltoallv", operands)))
      return failure();
  }
  return success();
}

/// Renames Open MPI's reductions: MLIR 22 calls `ompi_mpi_op_sum` otherwise.
static LogicalResult renameReductions(ModuleOp module) {
  constexpr StringRef prefix = "ompi_mpi_", wanted = "ompi_mpi_op_";
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    auto type = dyn_cast<LLVM::LLVMStructType>(global.getType());
    StringRef name = global.getSymName();
    if (!type || !type.isIdentified() ||
        type.getName() != "ompi_predefined_op_t" || name.starts_with(wanted))
      continue;
    std::string own = (wanted + name.drop_front(prefix.size())).str();
    StringAttr renamed = StringAttr::get(module.getContext(), own);
    if (failed(SymbolTable::replaceAllSymbolUses(global, renamed, module)))
      return failure();
    global.setSymNameAttr(renamed);
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
  return success(succeeded(renameReductions(module)) &&
                 succeeded(startSums(module)) &&
                 succeeded(exchangeRows(module)));
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
