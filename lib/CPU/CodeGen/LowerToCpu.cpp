//===- LowerToCpu.cpp - kernels to functions for the CPU ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LowerMpi.h"
#include "ProgramBuilder.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/MPI/IR/MPI.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "parablock/IR/Ranks.h"

using namespace mlir;
using namespace parablock;

/// To the LLVM dialect.
static LogicalResult lowerKernels(ModuleOp module) {
  PassManager manager(module.getContext());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(createConvertVectorToLLVMPass());
  manager.addPass(createConvertMathToLLVMPass());
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createConvertFuncToLLVMPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createUBToLLVMConversionPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
  return manager.run(module);
}

void parablock::registerCpuDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect, DLTIDialect,
                  func::FuncDialect, LLVM::LLVMDialect, math::MathDialect,
                  mpi::MPIDialect, scf::SCFDialect, ub::UBDialect,
                  vector::VectorDialect>();
  cpugen::registerLeftoverDialects(registry);
}

llvm::Expected<CpuProgram> parablock::lowerToCpu(func::FuncOp function,
                                                 const CpuTarget &target,
                                                 const CpuRank &rank) {
  MLIRContext *context = function.getContext();
  DialectRegistry registry;
  registerCpuDialects(registry);
  context->appendDialectRegistry(registry);
  for (StringRef name : registry.getDialectNames())
    context->getOrLoadDialect(name);
  int64_t ranks = countRanks(function->getParentOfType<ModuleOp>()).value_or(1);
  if (ranks != rank.count)
    return llvm::createStringError("no CPU code for '" + function.getName() +
                                   "': expected one of " + Twine(rank.count) +
                                   " ranks, got one of " + Twine(ranks));
  CpuProgram program;
  program.target = target;
  program.module = ModuleOp::create(function.getLoc());
  if (failed(cpugen::ProgramBuilder(function, rank, program).build()))
    return llvm::createStringError("no CPU code for '" + function.getName() +
                                   "'");
  if (failed(cpugen::lowerMpi(*program.module, rank.library)) ||
      failed(lowerKernels(*program.module)))
    return llvm::createStringError("kernels of '" + function.getName() +
                                   "' do not lower to LLVM");
  return program;
}
