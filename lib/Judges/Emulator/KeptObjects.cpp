//===- KeptObjects.cpp - loads and stores object files --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KeptObjects.h"

#include "parablock/Support/BuildId.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include <cstdlib>

using namespace parablock;
using namespace parablock::emulator;

static constexpr const char *variable = "PARABLOCK_EMULATOR_CACHE";
static constexpr uint64_t mostBytes = uint64_t(512) << 20;

KeptObjects::KeptObjects(const std::string &folder, std::string compiler)
    : cache(folder, mostBytes), compiler(std::move(compiler)) {}

llvm::Expected<std::unique_ptr<KeptObjects>>
KeptObjects::open(llvm::StringRef settings) {
  const char *folder = secure_getenv(variable);
  if (!folder || !*folder)
    return nullptr;
  std::string build =
      findBuildId(reinterpret_cast<const void *>(&llvm::sys::getProcessTriple));
  if (build.empty())
    return nullptr;
  std::unique_ptr<KeptObjects> objects(new KeptObjects(
      folder, "llvm " LLVM_VERSION_STRING " " + build + " " + settings.str()));
  if (!objects->cache.getFault().empty())
    return llvm::createStringError(llvm::Twine(variable) + ": " +
                                   objects->cache.getFault());
  return objects;
}

std::unique_ptr<llvm::MemoryBuffer>
KeptObjects::getObject(const llvm::Module *module) {
  key = compiler + "\n";
  llvm::raw_string_ostream os(key);
  llvm::WriteBitcodeToFile(*module, os);
  std::optional<std::string> kept = cache.find(key);
  if (!kept)
    return nullptr;
  return llvm::MemoryBuffer::getMemBufferCopy(*kept, "kernels");
}

void KeptObjects::notifyObjectCompiled(const llvm::Module *,
                                       llvm::MemoryBufferRef object) {
  cache.keep(key, object.getBuffer());
}
