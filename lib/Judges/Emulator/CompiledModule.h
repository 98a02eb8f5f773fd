//===- CompiledModule.h - Rewritten modules as machine code -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_COMPILEDMODULE_H
#define PARABLOCK_EMULATOR_COMPILEDMODULE_H

#include "KeptObjects.h"
#include "Site.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace parablock::emulator {

/// The compiler for the host, and compiled code.
class CompiledModule {
public:
  static llvm::Expected<CompiledModule> create();
  /// Sets the host's triple and data layout of a module.
  void retarget(llvm::Module &module) const;
  /// `sites` are where the module's code has them.
  llvm::Error add(llvm::orc::ThreadSafeModule module, const SiteList &sites);
  /// The address of a symbol of the module; compiles it where needed.
  llvm::Expected<void *> find(llvm::StringRef name);

private:
  CompiledModule(std::unique_ptr<KeptObjects> kept,
                 std::unique_ptr<llvm::orc::LLJIT> jit)
      : kept(std::move(kept)), jit(std::move(jit)) {}
  llvm::Error define(llvm::StringRef name, const void *address,
                     llvm::JITSymbolFlags flags);

  /// Null if nothing is cached; used by the compiler.
  std::unique_ptr<KeptObjects> kept;
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_COMPILEDMODULE_H
