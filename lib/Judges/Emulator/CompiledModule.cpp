//===- CompiledModule.cpp - compiles rewritten modules by ORC -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CompiledModule.h"
#include "Hooks.h"
#include "QuickAccess.h"

#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include <mutex>

using namespace llvm::orc;
using namespace parablock::emulator;

/// Chooses the processor to compile for: the same on every host that supports
/// it, so that results do not depend on the machine.
static llvm::Error choosePlatform(JITTargetMachineBuilder &builder) {
#if defined(__x86_64__)
  const llvm::SubtargetFeatures &features = builder.getFeatures();
  for (const char *needed : {"+avx2", "+fma", "+f16c"})
    if (!llvm::is_contained(features.getFeatures(), needed))
      return llvm::createStringError(
          "the emulator needs a processor with AVX2, FMA and F16C");
  builder.setCPU("x86-64-v3");
  builder.getFeatures() = llvm::SubtargetFeatures();
#endif
  return llvm::Error::success();
}

llvm::Expected<CompiledModule> CompiledModule::create() {
  static std::once_flag initialized;
  std::call_once(initialized, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  auto builder = JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  if (llvm::Error error = choosePlatform(*builder))
    return error;
  // Most time is spent in hooks, and most kernels run for less time than they
  // compile.
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
  auto kept = KeptObjects::open(builder->getTargetTriple().str() + " " +
                                builder->getCPU() + " O0");
  if (!kept)
    return kept.takeError();
  auto makeCompiler = [cache = kept->get()](JITTargetMachineBuilder builder)
      -> llvm::Expected<std::unique_ptr<IRCompileLayer::IRCompiler>> {
    auto machine = builder.createTargetMachine();
    if (!machine)
      return machine.takeError();
    return std::make_unique<TMOwningSimpleCompiler>(std::move(*machine), cache);
  };
  auto jit = LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(*builder))
                 .setCompileFunctionCreator(makeCompiler)
                 .create();
  if (!jit)
    return jit.takeError();
  CompiledModule compiled(std::move(*kept), std::move(*jit));
  for (llvm::ArrayRef<Hook> hooks : {getBasicHooks(), getQuickHooks()})
    for (const Hook &hook : hooks)
      if (llvm::Error error = compiled.define(
              hook.name, hook.address,
              llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable))
        return error;
  return compiled;
}

llvm::Error CompiledModule::define(llvm::StringRef name, const void *address,
                                   llvm::JITSymbolFlags flags) {
  return jit->getMainJITDylib().define(absoluteSymbols(
      {{jit->mangleAndIntern(name), {ExecutorAddr::fromPtr(address), flags}}}));
}

void CompiledModule::retarget(llvm::Module &module) const {
  module.setTargetTriple(jit->getTargetTriple());
  module.setDataLayout(jit->getDataLayout());
}

llvm::Error CompiledModule::add(ThreadSafeModule module,
                                const SiteList &sites) {
  if (llvm::Error error =
          define(hooks::sites, sites.data(), llvm::JITSymbolFlags::Exported))
    return error;
  return jit->addIRModule(std::move(module));
}

llvm::Expected<void *> CompiledModule::find(llvm::StringRef name) {
  auto address = jit->lookup(name);
  if (!address)
    return address.takeError();
  return address->toPtr<void *>();
}
