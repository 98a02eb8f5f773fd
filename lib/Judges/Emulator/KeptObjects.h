//===- KeptObjects.h - cache of host code -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_KEPTOBJECTS_H
#define PARABLOCK_EMULATOR_KEPTOBJECTS_H

#include "parablock/Support/CodeCache.h"
#include "llvm/ExecutionEngine/ObjectCache.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace parablock::emulator {

/// Object files, keyed by everything that they are compiled from: a rewritten
/// module, whose sites are a symbol, and the compiler with its settings.
class KeptObjects final : public llvm::ObjectCache {
public:
  /// Returns null without $PARABLOCK_EMULATOR_CACHE; an error if that is not a
  /// folder owned by the user. `settings` are those of the compiler.
  static llvm::Expected<std::unique_ptr<KeptObjects>>
  open(llvm::StringRef settings);

  std::unique_ptr<llvm::MemoryBuffer>
  getObject(const llvm::Module *module) final;
  void notifyObjectCompiled(const llvm::Module *module,
                            llvm::MemoryBufferRef object) final;

private:
  KeptObjects(const std::string &folder, std::string compiler);

  CodeCache cache;
  std::string compiler;
  /// The key of the module that is compiled next: compiling changes modules.
  std::string key;
};

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_KEPTOBJECTS_H
