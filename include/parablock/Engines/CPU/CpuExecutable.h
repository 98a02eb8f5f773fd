//===- CpuExecutable.h - CPU programs that run here -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPU_CPUEXECUTABLE_H
#define PARABLOCK_CPU_CPUEXECUTABLE_H

#include "parablock-c/Pool.h"
#include "parablock/Engines/CPU/CpuCode.h"
#include "parablock/Engines/CPU/Runtime/AlignedMemory.h"
#include <memory>

namespace parablock {

/// Sizes of the dimensions of a tensor.
using CpuShape = llvm::SmallVector<int64_t, 4>;

/// Bytes that a run allocates in addition to arguments and results.
struct CpuRunBytes {
  /// Bytes of buffers between launches, and of scratch of all workers.
  uint64_t arena = 0, scratch = 0;
  /// Largest part of the arena for weights that the run packs.
  uint64_t packed = 0;
};

/// Counts the bytes of a run of `program` with `workers` threads; its sizes
/// must be known.
CpuRunBytes countRunBytes(const CpuProgram &program, int32_t workers);

/// A program compiled in this process, with its packed weights. Calls must not
/// overlap, unless all memory is the caller's.
class CpuExecutable {
public:
  /// Returns the address of a function or variable that the program uses but
  /// does not define, or null.
  using SymbolFinder = llvm::function_ref<void *(llvm::StringRef name)>;

  /// Compiles the program and destroys its module. Fails if this machine lacks
  /// a feature of the target or a symbol is not found.
  static llvm::Expected<std::unique_ptr<CpuExecutable>>
  create(CpuProgram program, SymbolFinder findSymbol = nullptr);
  /// Creates it from existing code, for a target that matches this machine.
  static llvm::Expected<std::unique_ptr<CpuExecutable>>
  create(CpuProgram program, const CpuCode &code,
         SymbolFinder findSymbol = nullptr);
  /// Creates it from the code that packs weights only; it can run after
  /// finish().
  static llvm::Expected<std::unique_ptr<CpuExecutable>>
  createForPacking(CpuProgram program, const CpuCode &code,
                   SymbolFinder findSymbol = nullptr);
  /// Adds all other code, which follows that of packing in `code`.
  llvm::Error finish(const CpuCode &code, SymbolFinder findSymbol = nullptr);
  ~CpuExecutable();

  const CpuProgram &getProgram() const { return program; }

  /// A text that identifies everything the program depends on, if the compiling
  /// caller set one; else empty.
  const std::string &getKey() const { return key; }
  void setKey(std::string text) { key = std::move(text); }

  /// Returns the tensor at that position of the function's arguments or
  /// results; null for an argument without readers.
  const CpuTensor *findArgument(unsigned position) const;
  const CpuTensor *findResult(unsigned position) const;

  /// Returns the value of every symbol for arguments of these shapes. Fails if
  /// a shape contradicts the program or another shape.
  llvm::Expected<cpu::Symbols>
  findSymbols(llvm::ArrayRef<CpuShape> arguments) const;

  /// Computes values that depend on parameters only; call it once before the
  /// first run and whenever parameters change. `arguments` are by position;
  /// those of inputs may be null. `pool` may be null.
  llvm::Error prepack(llvm::ArrayRef<const void *> arguments,
                      ParablockPool *pool);
  /// Packs into memory of the caller.
  llvm::Error prepack(llvm::ArrayRef<const void *> arguments,
                      ParablockPool *pool, cpu::AlignedMemory &packed) const;

  /// Runs on raw row-major memory of the program's element types, by position.
  llvm::Error run(llvm::ArrayRef<const void *> arguments,
                  llvm::ArrayRef<void *> results, const cpu::Symbols &symbols,
                  ParablockPool *pool);
  /// Runs with the values that prepack() wrote to `packed` and a workspace of
  /// the caller, which grows as needed; runs only `range` if given.
  llvm::Error run(llvm::ArrayRef<const void *> arguments,
                  llvm::ArrayRef<void *> results, const cpu::Symbols &symbols,
                  ParablockPool *pool, const void *packed,
                  cpu::Workspace &workspace, cpu::LaunchRange range = {}) const;

  /// Return the bytes of packed weights and of the workspace of the largest run
  /// so far.
  uint64_t getPackedBytes() const;
  uint64_t getWorkspaceBytes() const;
  /// Returns the bytes of temporaries in the workspace of a run of these sizes.
  uint64_t getTemporaryBytes(const cpu::Symbols &symbols) const;
  /// Returns the sizes of the workspace of such a run.
  CpuRunBytes getRunBytes(const cpu::Symbols &symbols,
                          const ParablockPool *pool) const;

private:
  struct Implementation;
  explicit CpuExecutable(CpuProgram program);
  llvm::Error link(const CpuCode &code, SymbolFinder findSymbol);
  /// Returns the addresses of kernels; null for kernels that no launch of
  /// `list` calls, unless `list` is null.
  llvm::Expected<std::vector<cpu::Kernel>>
  findKernels(const std::vector<cpu::LaunchData> *list);
  static llvm::Expected<std::unique_ptr<CpuExecutable>>
  create(CpuProgram program, const CpuCode &code, SymbolFinder findSymbol,
         bool isForPacking);
  const CpuTensor *find(bool isResult, unsigned position) const;

  CpuProgram program;
  std::string key;
  std::unique_ptr<Implementation> implementation;
};

} // namespace parablock

#endif // PARABLOCK_CPU_CPUEXECUTABLE_H
