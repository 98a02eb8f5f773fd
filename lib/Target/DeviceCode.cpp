//===- DeviceCode.cpp - translates, optimises and emits PTX ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Target/DeviceCode.h"

#include "BackendGuard.h"
#include "DeviceModuleChecks.h"
#include "DeviceTargetMachine.h"
#include "OptimizeForDevice.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "parablock/Support/OptimizeModule.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace parablock;

llvm::Expected<mlir::gpu::GPUModuleOp>
parablock::findDeviceModule(mlir::Operation *module) {
  llvm::SmallVector<mlir::gpu::GPUModuleOp> found;
  module->walk([&](mlir::gpu::GPUModuleOp op) { found.push_back(op); });
  if (found.size() == 1)
    return found.front();
  return llvm::createStringError(
      "expected one gpu.module or kernels that become one, got " +
      llvm::Twine(found.size()));
}

/// Returns a module with a copy of `op` whose functions have scopes, without
/// which locations of ops are dropped.
static llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
cloneWithScopes(mlir::gpu::GPUModuleOp op) {
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(op.getLoc());
  module->push_back(op.clone());
  mlir::PassManager manager(op.getContext());
  // More than lines would make ptxas compile without optimisation.
  manager.addPass(mlir::LLVM::createDIScopeForLLVMFuncOpPass(
      {mlir::LLVM::DIEmissionKind::DebugDirectivesOnly}));
  if (mlir::failed(manager.run(*module)))
    return llvm::createStringError("device code cannot be given locations");
  return module;
}

/// Marks assembly as convergent: products and waits execute in all threads of a
/// warp together, and otherwise a pass could copy them into branches. Marks
/// exchanges between lanes as returning, which their intrinsics lack: loads
/// after them are then known to execute, and can be hoisted out of loops.
static void markCalls(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (!call)
        continue;
      llvm::Function *callee = call->getCalledFunction();
      if (call->isInlineAsm())
        call->setConvergent();
      else if (callee && callee->getName().starts_with("llvm.nvvm.shfl.sync"))
        call->addFnAttr(llvm::Attribute::WillReturn);
    }
}

llvm::Expected<std::unique_ptr<llvm::Module>> parablock::translateUnoptimized(
    mlir::gpu::GPUModuleOp op, llvm::TargetMachine &machine,
    llvm::LLVMContext &context, const TranslateOptions &options) {
  // On a copy, since a translation changes nothing that it reads.
  mlir::OwningOpRef<mlir::ModuleOp> copy;
  if (options.debugInfo) {
    llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> scoped =
        cloneWithScopes(op);
    if (!scoped)
      return scoped.takeError();
    copy = std::move(*scoped);
    op = *copy->getOps<mlir::gpu::GPUModuleOp>().begin();
  }
  std::unique_ptr<llvm::Module> module =
      mlir::translateModuleToLLVMIR(op, context, op.getName());
  if (!module)
    return llvm::createStringError("gpu.module '" + op.getName() +
                                   "' cannot be translated to LLVM IR");
  module->setTargetTriple(machine.getTargetTriple());
  module->setDataLayout(machine.createDataLayout());
  markCalls(*module);
  return module;
}

llvm::Error parablock::optimizeForDevice(llvm::Module &module,
                                         llvm::TargetMachine &machine) {
  optimizeModule(module, machine, llvm::OptimizationLevel::O3);
  return checkDeviceModule(module);
}

llvm::Expected<std::unique_ptr<llvm::Module>>
parablock::translateToLLVM(mlir::gpu::GPUModuleOp op, llvm::StringRef chip,
                           llvm::LLVMContext &context,
                           const TranslateOptions &options) {
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      createDeviceTargetMachine(chip);
  if (!machine)
    return machine.takeError();
  llvm::Expected<std::unique_ptr<llvm::Module>> module =
      translateUnoptimized(op, **machine, context, options);
  if (!module)
    return module.takeError();
  if (llvm::Error error = optimizeForDevice(**module, **machine))
    return error;
  return module;
}

namespace {
/// Collects errors of the backend, which would end the process.
struct CollectErrors : public llvm::DiagnosticHandler {
  explicit CollectErrors(std::string &errors) : errors(errors) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error)
      return true;
    llvm::raw_string_ostream stream(errors);
    stream << (errors.empty() ? "" : "; ");
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    return true;
  }
  std::string &errors;
};
} // namespace

llvm::Expected<std::string>
parablock::emitPTX(std::unique_ptr<llvm::Module> module, llvm::StringRef chip) {
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      createDeviceTargetMachine(chip);
  if (!machine)
    return machine.takeError();
  std::string errors;
  llvm::LLVMContext &context = module->getContext();
  std::unique_ptr<llvm::DiagnosticHandler> previous =
      context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<CollectErrors>(errors));

  llvm::SmallString<0> text;
  bool supported = true;
  llvm::Error error = runGuarded([&] {
    llvm::raw_svector_ostream stream(text);
    llvm::legacy::PassManager manager;
    supported =
        !(*machine)->addPassesToEmitFile(manager, stream, /*DwoOut=*/nullptr,
                                         llvm::CodeGenFileType::AssemblyFile);
    if (supported)
      manager.run(*module);
  });
  context.setDiagnosticHandler(std::move(previous));
  if (error)
    errors = llvm::toString(std::move(error));
  if (!supported)
    errors = "it writes no PTX";
  if (!errors.empty())
    return llvm::createStringError("the backend of LLVM refuses '" +
                                   module->getName() + "' on " + chip + ": " +
                                   errors);
  return text.str().str();
}

llvm::Expected<std::string>
parablock::translateToPTX(mlir::gpu::GPUModuleOp op, llvm::StringRef chip,
                          const TranslateOptions &options) {
  llvm::LLVMContext context;
  llvm::Expected<std::unique_ptr<llvm::Module>> module =
      translateToLLVM(op, chip, context, options);
  if (!module)
    return module.takeError();
  return emitPTX(std::move(*module), chip);
}
