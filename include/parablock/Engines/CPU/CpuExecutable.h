//===- CpuExecutable.h - a CPU program as machine code ----------*- C++ -*-===//
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

/// Bytes that a run takes beside arguments and results.
struct CpuRunBytes {
  /// Those between launches, and those of all workers.
  uint64_t arena = 0, scratch = 0;
  /// The most of the arena that weights take which the run packs.
  uint64_t packed = 0;
};

/// Counts what a run of `program` takes on so many threads, where its sizes are
/// known.
CpuRunBytes countRunBytes(const CpuProgram &program, int32_t workers);

/// A program that was compiled in this process, with its packed weights. Calls
/// must not overlap, unless all memory is the caller's.
class CpuExecutable {
public:
  /// The address of a function or variable that the program uses but does not
  /// define, or null.
  using SymbolFinder = llvm::function_ref<void *(llvm::StringRef name)>;

  /// Compiles; the program's module is gone afterwards. An error where this
  /// machine lacks what the target has, or something is not found.
  static llvm::Expected<std::unique_ptr<CpuExecutable>>
  create(CpuProgram program, SymbolFinder findSymbol = nullptr);
  /// The same of code that is there already, for a target that this machine is.
  static llvm::Expected<std::unique_ptr<CpuExecutable>>
  create(CpuProgram program, const CpuCode &code,
         SymbolFinder findSymbol = nullptr);
  /// The same of the code that packs weights, which is all that it can do
  /// before finish().
  static llvm::Expected<std::unique_ptr<CpuExecutable>>
  createForPacking(CpuProgram program, const CpuCode &code,
                   SymbolFinder findSymbol = nullptr);
  /// Adds all the other code, behind that of packing in `code`.
  llvm::Error finish(const CpuCode &code, SymbolFinder findSymbol = nullptr);
  ~CpuExecutable();

  const CpuProgram &getProgram() const { return program; }

  /// A text that changes with all that the program depends on, where whoever
  /// compiled it knows one; else empty.
  const std::string &getKey() const { return key; }
  void setKey(std::string text) { key = std::move(text); }

  /// The tensor at that position of the function's arguments or results; null
  /// for an argument that nothing reads.
  const CpuTensor *findArgument(unsigned position) const;
  const CpuTensor *findResult(unsigned position) const;

  /// The value of every symbol, where the arguments have these shapes. An error
  /// where one shape contradicts the program or another shape.
  llvm::Expected<cpu::Symbols>
  findSymbols(llvm::ArrayRef<CpuShape> arguments) const;

  /// Computes what depends on parameters alone; once, before the first run and
  /// where parameters changed. `arguments` are by position; those of inputs may
  /// be null. `pool` may be null.
  llvm::Error prepack(llvm::ArrayRef<const void *> arguments,
                      ParablockPool *pool);
  /// The same into memory of the caller's.
  llvm::Error prepack(llvm::ArrayRef<const void *> arguments,
                      ParablockPool *pool, cpu::AlignedMemory &packed) const;

  /// Runs on raw row-major memory of the program's element types, by position.
  llvm::Error run(llvm::ArrayRef<const void *> arguments,
                  llvm::ArrayRef<void *> results, const cpu::Symbols &symbols,
                  ParablockPool *pool);
  /// The same with what prepack() wrote to `packed`, and in a workspace of the
  /// caller's, which grows as needed; a part of a run where `range` is given.
  llvm::Error run(llvm::ArrayRef<const void *> arguments,
                  llvm::ArrayRef<void *> results, const cpu::Symbols &symbols,
                  ParablockPool *pool, const void *packed,
                  cpu::Workspace &workspace, cpu::LaunchRange range = {}) const;

  /// Gives the bytes of packed weights and of the workspace of the largest run
  /// so far.
  uint64_t getPackedBytes() const;
  uint64_t getWorkspaceBytes() const;
  /// The share of the workspace that temporaries take in a run of these sizes.
  uint64_t getTemporaryBytes(const cpu::Symbols &symbols) const;
  /// Gives the parts of the workspace of such a run.
  CpuRunBytes getRunBytes(const cpu::Symbols &symbols,
                          const ParablockPool *pool) const;

private:
  struct Implementation;
  explicit CpuExecutable(CpuProgram program);
  llvm::Error link(const CpuCode &code, SymbolFinder findSymbol);
  /// Gives the addresses of kernels; null for those that no launch of `list`
  /// calls, unless `list` is null.
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
