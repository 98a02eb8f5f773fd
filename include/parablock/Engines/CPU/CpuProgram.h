//===- CpuProgram.h - functions lowered to CPU kernels ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The parts of a plan.program that run time needs: LLVM functions, and the list
// of calls with their order and tensors. Dynamic sizes of the model are
// symbols, so one program serves every batch and sequence.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPU_CPUPROGRAM_H
#define PARABLOCK_CPU_CPUPROGRAM_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "parablock/Engines/CPU/CpuTarget.h"
#include "parablock/Engines/CPU/Runtime/Program.h"
#include "parablock/Support/FloatFormats.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <string>
#include <vector>

namespace parablock {

/// A size that callers choose, with the place where the runtime reads it, or
/// one that is computed from earlier ones.
struct CpuSize : cpu::SymbolData {
  /// From `block.dims`, such as "batch"; else generated.
  std::string name;
};

/// A tensor with fields that the runtime does not need.
struct CpuTensor : cpu::TensorData {
  std::string name;
  ElementType type = ElementType::F32;
  /// True if it depends on parameters and constants alone, and each run
  /// computes it.
  bool isPackedInRuns = false;

  bool isArgument() const {
    return kind == cpu::TensorKind::Parameter || kind == cpu::TensorKind::Input;
  }
  llvm::SmallVector<int64_t, 4> getShape(const cpu::Symbols &symbols) const;
};

/// How a launch processes rows that need not all exist at once; see
/// plan.launch. The sequences and their rows are its first two sizes.
struct CpuParts {
  /// Places, among its tensors, of tensors with a part for each row; empty if
  /// all rows must exist.
  std::vector<int64_t> rows;
  bool bySequence = false;
  /// Pairs of a result's place and the place of an input that it may overwrite.
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
  /// In the LLVM dialect, ready for translation; public functions are kernels.
  /// It calls no external functions except MPI, for programs of several ranks.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<CpuSize> symbols;
  std::vector<CpuTensor> tensors;
  /// The names of the kernels; launches refer to them by index.
  std::vector<std::string> kernels;
  /// Launches once per set of parameters; they depend on no symbol.
  std::vector<cpu::LaunchData> prepack;
  /// Launches once per run, in sequence.
  std::vector<cpu::LaunchData> launches;
  /// The layer index of each of these launches; -1 outside layers.
  std::vector<int64_t> layers;
  /// How each of these launches processes its rows.
  std::vector<CpuParts> parts;

  /// Returns the part that the runtime needs.
  cpu::ProgramData getData() const {
    return {target.needs,
            {symbols.begin(), symbols.end()},
            {tensors.begin(), tensors.end()},
            prepack,
            launches};
  }
};

/// The rank that a program is compiled for, and its MPI library.
struct CpuRank {
  enum Library { OpenMPI, MPICH };

  int64_t rank = 0, count = 1;
  Library library = OpenMPI;
};

} // namespace parablock

#endif // PARABLOCK_CPU_CPUPROGRAM_H
