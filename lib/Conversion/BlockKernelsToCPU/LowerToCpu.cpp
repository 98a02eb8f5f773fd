//===- LowerToCpu.cpp - builds the pass pipeline of the engine ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Conversion/BlockKernelsToCPU/LowerToCpu.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToFuncs/MathToFuncs.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "parablock/Conversion/BlockKernelsToCPU/Passes.h"
#include "parablock/Conversion/BlockKernelsToCPU/PlanForCpu.h"
#include "parablock/Dialect/Plan/PlanOps.h"
#include "parablock/Transforms/Leftovers/NamedFailures.h"
#include "parablock/Transforms/Leftovers/NormaliseLeftovers.h"
#include "parablock/Transforms/Shard/Ranks.h"

using namespace mlir;
using namespace parablock;

LogicalResult parablock::findTarget(Location loc, CpuChoice &cpu) {
  if (cpu.target)
    return success();
  llvm::Expected<CpuTarget> found = findCpuTarget(cpu.name);
  if (!found)
    return emitError(loc) << llvm::toString(found.takeError());
  cpu.target = *found;
  return success();
}

namespace {
/// Rejects ops on tensors that have no form in memory, by name: bufferization
/// reports none.
class CheckMemoryForms
    : public PassWrapper<CheckMemoryForms, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckMemoryForms)
  StringRef getArgument() const final { return "cpu-check-memory-forms"; }
  void runOnOperation() final {
    WalkResult search = getOperation().walk([](Operation *op) {
      bool isOnTensors =
          llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) ||
          llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
      if (!isOnTensors || isa<bufferization::BufferizableOpInterface>(op) ||
          isa_and_nonnull<func::FuncDialect>(op->getDialect()))
        return WalkResult::advance();
      op->emitError() << "no CPU code for '" << op->getName() << "'";
      return WalkResult::interrupt();
    });
    if (search.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace

static void addMemoryPasses(OpPassManager &manager) {
  manager.addNestedPass<func::FuncOp>(createCpuDecomposeConcats());
  manager.addNestedPass<func::FuncOp>(createCpuSeparateBlanks());
  manager.addPass(std::make_unique<CheckMemoryForms>());
  // Results are computed where they belong, not copied there.
  manager.addPass(bufferization::createEmptyTensorEliminationPass());
  manager.addPass(bufferization::createOneShotBufferizePass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  OpPassManager &functions = manager.nest<func::FuncOp>();
  functions.addPass(createCpuFreeAtEnd());
  functions.addPass(createCpuExpandShapes());
  functions.addPass(createCpuCopyInLoops());
  functions.addPass(createConvertLinalgToLoopsPass());
}

static void addNumberPasses(OpPassManager &manager, const CpuChoice &cpu) {
  OpPassManager &functions = manager.nest<func::FuncOp>();
  functions.addPass(createCpuBoundDivisors());
  functions.addPass(createCpuWidenIntegers());
  functions.addPass(math::createMathExtendToSupportedTypes());
  manager.addPass(createCpuCallLibrary());
  arith::ArithEmulateUnsupportedFloatsOptions narrow;
  narrow.sourceTypeStrs = {"bf16", "f16"};
  manager.addPass(arith::createArithEmulateUnsupportedFloats(narrow));
  // LLVM has powers of 32 bits alone.
  manager.addPass(createConvertMathToFuncs({/*minWidthOfFPowIExponent=*/1,
                                            /*convertCtlz=*/false}));
  manager.addPass(createConvertMathToLLVMPass());
  manager.addPass(createConvertMathToLibmPass());
  manager.addNestedPass<func::FuncOp>(createCpuConvertNarrowFloats(cpu));
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createFinalizeMemRefToLLVMConversionPass());
  manager.addPass(createConvertIndexToLLVMPass());
}

void parablock::buildLeftoverPipeline(OpPassManager &manager,
                                      const CpuChoice &cpu) {
  buildNormalisePipeline(manager, /*longSums=*/true);
  addMemoryPasses(manager);
  addNumberPasses(manager, cpu);
}

void parablock::buildCpuCodePipeline(OpPassManager &manager, StringRef function,
                                     const CpuChoice &cpu,
                                     const CpuRank &rank) {
  manager.addPass(createConvertBlockKernelsToCpu(function, cpu, rank.rank));
  // They are in a module within that of the kernels.
  buildLeftoverPipeline(manager.nest<ModuleOp>().nest<ModuleOp>(), cpu);
  manager.addPass(createCpuJoinLeftovers());
  OpPassManager &kernels = manager.nest<ModuleOp>();
  kernels.addPass(createCpuLowerMpi({rank.library}));
  // Compiles as many kernels at a time as there are threads.
  OpPassManager &functions = kernels.nest<func::FuncOp>();
  functions.addPass(createCanonicalizerPass());
  functions.addPass(createCSEPass());
  functions.addPass(createSCFToControlFlowPass());
  functions.addPass(createConvertVectorToLLVMPass());
  functions.addPass(createConvertMathToLLVMPass());
  functions.addPass(createArithToLLVMConversionPass());
  kernels.addPass(createConvertFuncToLLVMPass());
  kernels.addPass(createConvertControlFlowToLLVMPass());
  kernels.addPass(createUBToLLVMConversionPass());
  kernels.addPass(createReconcileUnrealizedCastsPass());
}

llvm::Expected<CpuProgram> parablock::lowerToCpu(func::FuncOp function,
                                                 const CpuTarget &target,
                                                 const CpuRank &rank) {
  auto module = function->getParentOfType<ModuleOp>();
  std::string name = function.getSymName().str();
  int64_t ranks = countRanks(module).value_or(1);
  if (ranks != rank.count)
    return llvm::createStringError("no CPU code for '" + name +
                                   "': expected one of " + Twine(rank.count) +
                                   " ranks, got one of " + Twine(ranks));
  PassManager manager(module.getContext());
  // A quarter of the time, if after each pass: once, after all.
  manager.enableVerifier(false);
  buildCpuCodePipeline(manager, name, {target.cpu, target}, rank);
  NamedFailures failures(module.getContext());
  if (failed(manager.run(module)) || failed(verify(module))) {
    failures.report("CPU code");
    return llvm::createStringError("no CPU code for '" + name + "'");
  }
  return readCpuProgram(module.lookupSymbol<plan::ProgramOp>(name), target);
}

llvm::Expected<CpuProgram> parablock::planForCpu(func::FuncOp function,
                                                 const CpuTarget &target) {
  auto module = function->getParentOfType<ModuleOp>();
  std::string name = function.getSymName().str();
  PassManager manager(module.getContext());
  manager.enableVerifier(false);
  manager.addPass(
      createConvertBlockKernelsToCpu(name, {target.cpu, target}, /*rank=*/0));
  if (failed(manager.run(module)))
    return llvm::createStringError("no CPU code for '" + name + "'");
  return readCpuProgram(module.lookupSymbol<plan::ProgramOp>(name), target);
}
