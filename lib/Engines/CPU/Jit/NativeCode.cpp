//===- NativeCode.cpp - translates and optimises kernels ------------------===//
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
  // LLVM's own choice for JIT code loads every constant by a 64-bit address,
  // which takes an additional instruction.
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

/// Kernels are vectorised and unrolled already, in functions with almost no
/// calls: LLVM's default passes at O2 produce inner loops of the same length in
/// twice the time. Each pass here shortens loops; the last ones clean up after
/// earlier rounds.
static constexpr llvm::StringLiteral kernelPasses =
    "always-inline,globaldce,cgscc(inline),function<eager-inv>("
    "sroa,instcombine<no-verify-fixpoint>,early-cse<memssa>,simplifycfg,"
    "instcombine<no-verify-fixpoint>,"
    "loop-mssa(loop-simplifycfg,loop-rotate,licm<allowspeculation>),"
    "correlated-propagation,simplifycfg,instcombine<no-verify-fixpoint>,"
    "loop(loop-idiom,indvars,loop-deletion),"
    "gvn,dse,loop-mssa(licm<allowspeculation>),"
    "simplifycfg<forward-switch-cond;switch-range-to-icmp;hoist-common-insts;"
    "sink-common-insts;no-keep-loops>,"
    "instcombine<no-verify-fixpoint>,loop-mssa(licm<allowspeculation>),"
    "early-cse,loop-sink,instsimplify,div-rem-pairs,simplifycfg),globaldce";

void parablock::optimizeKernels(llvm::Module &kernels,
                                llvm::TargetMachine &machine) {
  optimizeModule(kernels, machine, kernelPasses);
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
