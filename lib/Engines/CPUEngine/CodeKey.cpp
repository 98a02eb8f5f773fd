//===- CodeKey.cpp - hashes kernels, target and build ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Target/LLVMIR/Export.h"
#include "parablock/Engines/CPU/CpuCode.h"
#include "parablock/Engines/CPUEngine/CodeCache.h"
#include "parablock/Support/BuildId.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/TargetParser/Host.h"
#include <limits>

using namespace parablock;

/// All three may be one file.
static std::optional<std::string> describeBuild() {
  const void *places[] = {
      reinterpret_cast<const void *>(&makeCodeKey),
      reinterpret_cast<const void *>(&mlir::translateModuleToLLVMIR),
      reinterpret_cast<const void *>(&llvm::sys::getProcessTriple)};
  std::string text =
      "parablock " PARABLOCK_VERSION " llvm " LLVM_VERSION_STRING;
  for (const void *place : places) {
    std::string id = findBuildId(place);
    if (id.empty())
      return std::nullopt;
    text += " " + id;
  }
  return text;
}

const std::optional<std::string> &parablock::describeCompiler() {
  static const std::optional<std::string> build = describeBuild();
  return build;
}

void parablock::printForKey(mlir::ModuleOp module, llvm::raw_ostream &os) {
  mlir::OpPrintingFlags flags;
  flags.printGenericOpForm();
  flags.elideLargeElementsAttrs(std::numeric_limits<int64_t>::max());
  flags.elideLargeResourceString(std::numeric_limits<int64_t>::max());
  flags.enableDebugInfo(false);
  module->print(os, flags);
}

std::optional<std::string> parablock::makeCodeKey(mlir::func::FuncOp function,
                                                  const CpuTarget &target,
                                                  const CpuRank &rank) {
  const std::optional<std::string> &build = describeCompiler();
  if (!build)
    return std::nullopt;
  std::string key;
  llvm::raw_string_ostream os(key);
  os << *build << "\n"
     << describeTarget(target) << rank.rank << " of " << rank.count << " by "
     << int(rank.library) << "\n"
     << function.getSymName() << "\n";
  printForKey(function->getParentOfType<mlir::ModuleOp>(), os);
  return key;
}
