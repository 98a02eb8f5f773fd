//===- NativeCode.cpp - a CPU program's kernels as LLVM IR ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "NativeCode.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "parablock/Support/OptimizeModule.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace parablock;
using llvm::Expected;

llvm::orc::JITTargetMachineBuilder
parablock::makeMachineBuilder(const CpuTarget &target) {
  llvm::orc::JITTargetMachineBuilder builder{llvm::Triple(target.triple)};
  builder.setCPU(target.cpu);
  if (!target.features.empty())
    builder.getFeatures() = llvm::SubtargetFeatures(target.features);
  builder.setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
  builder.setRelocationModel(llvm::Reloc::PIC_);
  // LLVM's own choice for code that is run at once finds every constant by an
  // address of 64 bits, which takes an instruction more.
  builder.setCodeModel(llvm::CodeModel::Small);
  return builder;
}

Expected<NativeKernels> parablock::translateKernels(const CpuProgram &program) {
  Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      makeMachineBuilder(program.target).createTargetMachine();
  if (!machine)
    return machine.takeError();
  mlir::ModuleOp kernels = *program.module;
  mlir::DialectRegistry registry;
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  kernels.getContext()->appendDialectRegistry(registry);
  NativeKernels native = {std::make_unique<llvm::LLVMContext>(),
                          std::move(*machine), nullptr};
  native.module = mlir::translateModuleToLLVMIR(kernels, *native.context);
  if (!native.module)
    return llvm::createStringError("kernels do not translate to LLVM IR");
  native.module->setTargetTriple(native.machine->getTargetTriple());
  native.module->setDataLayout(native.machine->createDataLayout());
  return native;
}

void parablock::optimizeKernels(llvm::Module &kernels,
                                llvm::TargetMachine &machine) {
  // The kernels are vectors and unrolled already.
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  tuning.LoopUnrolling = false;
  optimizeModule(kernels, machine, llvm::OptimizationLevel::O2, tuning);
}

Expected<std::string> parablock::emitObject(llvm::Module &module,
                                            llvm::TargetMachine &machine) {
  llvm::SmallString<0> object;
  llvm::raw_svector_ostream os(object);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, os, /*DwoOut=*/nullptr,
                                  llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError("no object files for " +
                                   machine.getTargetTriple().str());
  passes.run(module);
  return object.str().str();
}
