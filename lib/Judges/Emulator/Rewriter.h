//===- Rewriter.h - Rewriting for the host ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_REWRITER_H
#define PARABLOCK_EMULATOR_REWRITER_H

#include "Site.h"
#include "parablock/Judges/Emulator/Report.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace parablock::emulator {

struct AsmBinding;
struct BoundCall;

/// Properties of a kernel for launches.
struct KernelInfo {
  std::string name, entryName;
  /// Bytes of each parameter, and its alignment where it is by value.
  std::vector<uint64_t> parameterBytes;
  std::vector<uint64_t> parameterAligns;
  std::vector<bool> isByValue;
  /// nvvm.reqntid and nvvm.cluster_dim.
  std::optional<Dim3> block, cluster;
};

/// A variable of the module outside shared memory.
struct VariableInfo {
  std::string name;
  uint64_t bytes = 0;
  bool isConstant = false;
};

/// Turns a device module into one for the host: operations become calls of the
/// table's functions, accesses are checked before they happen, shared variables
/// are in the CTA's window, and every kernel gets an entry `void (void **)`.
class Rewriter {
public:
  Rewriter(llvm::Module &module, bool checks);
  llvm::Error run();

  /// Never moves; has no more than it may where the module has too many.
  SiteList sites;
  /// The names that Site::counter counts.
  std::vector<std::string> counterNames;
  std::vector<KernelInfo> kernels;
  std::vector<VariableInfo> variables;
  /// End of shared variables; dynamic shared memory follows.
  uint32_t staticSharedBytes = 0;
  /// True where CTAs may communicate through memory.
  bool usesAtomics = false;

private:
  llvm::Error collectKernels();
  llvm::Error checkFunctions();
  void placeSharedVariables();
  void replaceSharedVariable(llvm::GlobalVariable &variable, uint64_t offset);
  void collectVariables();
  void makeEntry(KernelInfo &kernel);

  /// Rewrites one function.
  llvm::Error rewriteFunction(llvm::Function &function);
  void numberInstructions(llvm::Function &function);
  llvm::Error rewriteCalls(llvm::Function &function);
  const Site &makeCallSite(llvm::CallInst &call, AsmBinding &binding);
  /// Adds checks that accumulators of wgmma are not accessed before its end.
  void checkWgmmas(llvm::Function &function,
                   llvm::ArrayRef<llvm::CallInst *> wgmmas);
  /// Replaces calls by calls of the table's functions.
  void callTable(llvm::Function &function, llvm::ArrayRef<BoundCall> bound);
  llvm::Error rewriteAccesses(llvm::Function &function);
  void rewriteAccess(llvm::Instruction &instruction, unsigned pointerOperand,
                     llvm::Type *type, llvm::Align align);
  void rewriteMemoryIntrinsic(llvm::CallInst &call);
  void rewriteFence(llvm::Instruction &fence);

  Site &makeSite(llvm::Instruction &instruction, llvm::StringRef op);
  std::string describe(const llvm::Instruction &instruction) const;
  uint32_t getCounter(llvm::StringRef name);
  llvm::Constant *getPointer(const Site &site) const;
  llvm::FunctionCallee getHook(const char *name, llvm::Type *result,
                               llvm::ArrayRef<llvm::Type *> operands);

  llvm::Module &module;
  bool checks;
  llvm::DenseMap<const llvm::Instruction *, uint32_t> numbers;
  llvm::StringMap<uint32_t> counters;
  size_t numSites = 1;
};

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_REWRITER_H
