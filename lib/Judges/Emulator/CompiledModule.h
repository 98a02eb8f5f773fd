//===- CompiledModule.h - Rewritten modules as machine code -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_COMPILEDMODULE_H
#define PARABLOCK_EMULATOR_COMPILEDMODULE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace parablock::emulator {

/// The compiler for the host, and what it has compiled.
class CompiledModule {
public:
  static llvm::Expected<CompiledModule> create();
  /// Gives a module the host's triple and data layout.
  void retarget(llvm::Module &module) const;
  llvm::Error add(llvm::orc::ThreadSafeModule module);
  /// The address of a symbol of the module; compiles it where needed.
  llvm::Expected<void *> find(llvm::StringRef name);

private:
  explicit CompiledModule(std::unique_ptr<llvm::orc::LLJIT> jit)
      : jit(std::move(jit)) {}
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_COMPILEDMODULE_H
