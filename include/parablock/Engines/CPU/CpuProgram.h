//===- CpuProgram.h - a function lowered to CPU kernels ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What whatever runs a plan.program on a CPU reads from it: LLVM functions, and
// which of them to call, in which order, on which tensors. Sizes that the model
// leaves open are symbols, so one program serves every batch and sequence.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPU_CPUPROGRAM_H
#define PARABLOCK_CPU_CPUPROGRAM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "parablock/Engines/CPU/CpuTarget.h"
#include "parablock/Engines/CPU/Runtime/Program.h"
#include "parablock/Support/FloatFormats.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace parablock {

namespace plan {
class ProgramOp;
} // namespace plan

/// A size that callers choose, and where the runtime finds it first, or one
/// that is computed of those before it.
struct CpuSize : cpu::SymbolData {
  /// From `block.dims`, such as "batch"; else made up.
  std::string name;
};

/// A tensor, with what the runtime need not know of it.
struct CpuTensor : cpu::TensorData {
  std::string name;
  ElementType type = ElementType::F32;
  /// Made of parameters and constants alone, by each run for itself.
  bool isPackedInRuns = false;

  bool isArgument() const {
    return kind == cpu::TensorKind::Parameter || kind == cpu::TensorKind::Input;
  }
  llvm::SmallVector<int64_t, 4> getShape(const cpu::Symbols &symbols) const;
};

/// How a launch goes through rows that need not be there all at once; see
/// plan.launch. Its sequences and their rows are its first two sizes.
struct CpuParts {
  /// Places, among its tensors, of those with a part for each row; none where
  /// all rows have to be there.
  std::vector<int64_t> rows;
  bool bySequence = false;
  /// Pairs of the places of a result and of what it may be written over.
  std::vector<int64_t> inPlace;
};

/// A program as the runtime has it. A launch is a call of
///   void kernel(void *const *tensors, const int64_t *dims, char *scratch,
///               int64_t begin, int64_t end);
/// for each part [begin, end) of its items, in any order and on any threads.
/// `scratch` is the caller's thread's own, of at least that many bytes, aligned
/// to `cpu::alignment`, and needs no initial value. Tensors are at least
/// aligned to their element; packed ones to `cpu::alignment`.
struct CpuProgram {
  CpuTarget target;
  /// In the LLVM dialect, ready to be translated; public functions are kernels.
  /// Nothing outside is called, but for MPI where several ranks run it.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<CpuSize> symbols;
  std::vector<CpuTensor> tensors;
  /// The names of the kernels that launches count by.
  std::vector<std::string> kernels;
  /// Once per set of parameters; they depend on no symbol.
  std::vector<cpu::LaunchData> prepack;
  /// Once per run, one after the other.
  std::vector<cpu::LaunchData> launches;
  /// The indices of the layers that these belong to; -1 outside of layers.
  std::vector<int64_t> layers;
  /// How these go through their rows.
  std::vector<CpuParts> parts;

  /// The part that the runtime wants.
  cpu::ProgramData getData() const {
    return {target.needs,
            {symbols.begin(), symbols.end()},
            {tensors.begin(), tensors.end()},
            prepack,
            launches};
  }
};

/// Has each run pack its weights, one by one before they are first read, as
/// temporaries: for functions whose parameters change from run to run. Where
/// sizes are known, launches go through rows some at a time, and stand in
/// another order, so that less lies between them; no number depends on that.
/// Attention has work for `workers` threads then.
void packInRuns(CpuProgram &program, int32_t workers = 1);

/// Which of several ranks a program is for, and whose MPI they meet by.
struct CpuRank {
  enum Library { OpenMPI, MPICH };

  int64_t rank = 0, count = 1;
  Library library = OpenMPI;
};

/// Reads a program whose kernels are in the LLVM dialect, and takes their
/// module out of the one around it.
CpuProgram readCpuProgram(plan::ProgramOp op, const CpuTarget &target);

/// Generates code for `function`, whose module has to be at level 3 (run
/// lowerToKernels of Pipelines/BlockToCPU.h on a copy first) and is changed:
/// its program takes the function's place. Faults are diagnostics at the op as
/// well as the error returned. A function of several ranks has to be fixed to
/// `rank` (IR/RankFunction.h).
llvm::Expected<CpuProgram> lowerToCpu(mlir::func::FuncOp function,
                                      const CpuTarget &target,
                                      const CpuRank &rank = {});

} // namespace parablock

#endif // PARABLOCK_CPU_CPUPROGRAM_H
