//===- CompiledModule.cpp - Rewritten modules as machine code -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CompiledModule.h"
#include "Hooks.h"
#include "QuickAccess.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include <mutex>

using namespace parablock::emulator;

/// The processor to compile for: the same on every host that has it, so that
/// results do not depend on the machine.
static llvm::Error choosePlatform(llvm::orc::JITTargetMachineBuilder &builder) {
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
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  if (llvm::Error error = choosePlatform(*builder))
    return error;
  // Most time goes into hooks, and most kernels run for less than they compile.
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(*builder))
                 .create();
  if (!jit)
    return jit.takeError();
  llvm::orc::SymbolMap symbols;
  for (llvm::ArrayRef<Hook> hooks : {getBasicHooks(), getQuickHooks()})
    for (const Hook &hook : hooks)
      symbols[(*jit)->mangleAndIntern(hook.name)] = {
          llvm::orc::ExecutorAddr::fromPtr(hook.address),
          llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  if (llvm::Error error = (*jit)->getMainJITDylib().define(
          llvm::orc::absoluteSymbols(std::move(symbols))))
    return error;
  return CompiledModule(std::move(*jit));
}

void CompiledModule::retarget(llvm::Module &module) const {
  module.setTargetTriple(jit->getTargetTriple());
  module.setDataLayout(jit->getDataLayout());
}

llvm::Error CompiledModule::add(llvm::orc::ThreadSafeModule module) {
  return jit->addIRModule(std::move(module));
}

llvm::Expected<void *> CompiledModule::find(llvm::StringRef name) {
  auto address = jit->lookup(name);
  if (!address)
    return address.takeError();
  return address->toPtr<void *>();
}
