//===- CompileFunction.cpp - lowers, compiles and caches functions --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPUEngine/CompileFunction.h"

#include "mlir/IR/Diagnostics.h"
#include "parablock/Conversion/BlockKernelsToCPU/LowerToCpu.h"
#include "parablock/Engines/CPUEngine/CodeCache.h"

using namespace parablock;
using llvm::Expected;

using Executable = std::unique_ptr<CpuExecutable>;

namespace {
/// The compilation of one function.
class Compilation {
public:
  Compilation(mlir::func::FuncOp function, const CpuTarget &target,
              const CompileOptions &options)
      : function(function), target(target), options(options) {
    if (const mpi::World *world = options.world)
      rank = {world->rank(), world->size(),
              world->isMpich() ? CpuRank::MPICH : CpuRank::OpenMPI};
  }

  Expected<Executable> run();

private:
  std::optional<std::string> findKey();
  Executable findKept(llvm::StringRef key) const;
  Expected<CpuProgram> lower();
  /// Calls `body` with a finder of external functions, or null.
  template <typename Body> auto withSymbols(Body body) const;
  Expected<Executable> link(CpuProgram program, const CpuCode &code) const;
  Expected<Executable> compile(CpuProgram program, llvm::StringRef key) const;
  void keep(llvm::StringRef key, const CpuProgram &program,
            const CpuCode &code) const;

  mlir::func::FuncOp function;
  const CpuTarget &target;
  const CompileOptions &options;
  CpuRank rank;
  /// True if lowering emitted diagnostics, which must be repeated each time.
  bool hasSpoken = false;
};
} // namespace

std::optional<std::string> Compilation::findKey() {
  if (!options.cache)
    return std::nullopt;
  if (!options.cache->getFault().empty()) {
    warnUncached(function.getLoc(), options.cache->getFault());
    return std::nullopt;
  }
  std::optional<std::string> key = makeCodeKey(function, target, rank);
  if (!key)
    warnUncached(function.getLoc(),
                 "the compiler was linked without a build id");
  return key;
}

template <typename Body> auto Compilation::withSymbols(Body body) const {
  auto find = [&](llvm::StringRef name) {
    return options.world->findSymbol(name);
  };
  return body(options.world ? CpuExecutable::SymbolFinder(find) : nullptr);
}

Expected<Executable> Compilation::link(CpuProgram program,
                                       const CpuCode &code) const {
  if (options.packingWorkers != 0)
    packInRuns(program, options.packingWorkers);
  return withSymbols([&](CpuExecutable::SymbolFinder find) {
    return CpuExecutable::create(std::move(program), code, find);
  });
}

/// Returns a cached executable that still links, or null.
Executable Compilation::findKept(llvm::StringRef key) const {
  std::optional<std::string> kept = options.cache->find(key);
  CpuCode code;
  std::optional<CpuProgram> program;
  if (kept)
    program = loadProgram(*kept, target, code);
  if (!program)
    return nullptr;
  Expected<Executable> executable = link(std::move(*program), code);
  if (executable)
    return std::move(*executable);
  llvm::consumeError(executable.takeError());
  return nullptr;
}

Expected<CpuProgram> Compilation::lower() {
  mlir::ScopedDiagnosticHandler listener(
      function.getContext(), [&](mlir::Diagnostic &) {
        hasSpoken = true;
        return mlir::failure(); // it is for others
      });
  return lowerToCpu(function, target, rank);
}

void Compilation::keep(llvm::StringRef key, const CpuProgram &program,
                       const CpuCode &code) const {
  if (!key.empty() && !hasSpoken)
    options.cache->keep(key, storeProgram(program, code));
}

/// Compiles, and has weights packed by the first code that there is.
Expected<Executable> Compilation::compile(CpuProgram program,
                                          llvm::StringRef key) const {
  Expected<CpuCompilation> compilation = CpuCompilation::create(program);
  if (!compilation)
    return compilation.takeError();
  program.module = nullptr;
  Executable executable;
  auto pack = [&](const CpuCode &first, unsigned threads) -> llvm::Error {
    Expected<Executable> made =
        withSymbols([&](CpuExecutable::SymbolFinder find) {
          return CpuExecutable::createForPacking(std::move(program), first,
                                                 find);
        });
    if (!made)
      return made.takeError();
    executable = std::move(*made);
    executable->setKey(key.str());
    return options.pack(*executable, threads);
  };
  bool packsNow = options.pack && options.packingWorkers == 0;
  Expected<CpuCode> code = compilation->run(
      options.threads, packsNow ? CpuCompilation::Packing(pack) : nullptr);
  if (!code)
    return code.takeError();
  if (!executable) {
    keep(key, program, *code);
    return link(std::move(program), *code);
  }
  keep(key, executable->getProgram(), *code);
  llvm::Error error = withSymbols([&](CpuExecutable::SymbolFinder find) {
    return executable->finish(*code, find);
  });
  if (error)
    return error;
  return executable;
}

Expected<Executable> Compilation::run() {
  if (llvm::Error error = checkRunsHere(target))
    return error;
  std::optional<std::string> key = findKey();
  if (key) {
    Executable kept = findKept(*key);
    countCodeCacheUse(kept != nullptr);
    if (kept) {
      kept->setKey(*key);
      if (options.pack)
        if (llvm::Error error = options.pack(*kept, options.threads))
          return error;
      return kept;
    }
  }
  Expected<CpuProgram> program = lower();
  if (!program)
    return program.takeError();
  Expected<Executable> executable =
      compile(std::move(*program), key.value_or(""));
  if (executable && key)
    (*executable)->setKey(*key);
  return executable;
}

Expected<LoweredFunction> parablock::lowerCopy(mlir::func::FuncOp function,
                                               const KernelLowering &lowering) {
  mlir::OwningOpRef<mlir::ModuleOp> module =
      function->getParentOfType<mlir::ModuleOp>().clone();
  if (failed(lowering(*module)))
    return llvm::make_error<runner::DiagnosedError>();
  auto lowered =
      module->lookupSymbol<mlir::func::FuncOp>(function.getSymName());
  if (!lowered)
    return llvm::createStringError("lowering lost the function '" +
                                   function.getSymName() + "'");
  return LoweredFunction{std::move(module), lowered};
}

Expected<Executable> parablock::compileFunction(mlir::func::FuncOp function,
                                                const CpuTarget &target,
                                                const KernelLowering &lowering,
                                                const CompileOptions &options) {
  Expected<LoweredFunction> lowered = lowerCopy(function, lowering);
  if (!lowered)
    return lowered.takeError();
  return Compilation(lowered->function, target, options).run();
}
