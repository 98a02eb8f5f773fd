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
#include "parablock/Support/FloatFormats.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace parablock {

namespace plan {
class ProgramOp;
} // namespace plan

/// A size: a number, or the value of one of the program's symbols, or an equal
/// part of that.
struct Extent {
  /// The number; for a symbol, what its value is divided by.
  int64_t value = 0;
  /// Index into CpuProgram::symbols; negative for a plain number.
  int symbol = -1;

  static Extent fixed(int64_t value) { return {value, -1}; }
  static Extent symbolic(int symbol, int64_t divisor = 1) {
    return {divisor, symbol};
  }
  int64_t evaluate(llvm::ArrayRef<int64_t> symbols) const {
    return symbol < 0 ? value : symbols[symbol] / value;
  }
  bool operator==(const Extent &other) const {
    return value == other.value && symbol == other.symbol;
  }
};

/// A size that callers choose: that of a dimension of a tensor they pass. Every
/// further place must have the same size.
struct SizeSymbol {
  /// From `block.dims`, such as "batch"; else made up.
  std::string name;
  struct Place {
    /// Index into CpuProgram::tensors.
    unsigned tensor;
    unsigned dim;
  };
  llvm::SmallVector<Place, 2> places;
};

struct CpuTensor {
  enum Kind {
    /// An argument of the function with a `block.param` name.
    Parameter,
    /// Written by the prepack launches, read by the others; depends on
    /// parameters alone.
    Packed,
    /// Any other argument of the function.
    Input,
    /// Lives from the launch that writes it to the last one that reads it.
    Temporary,
    /// A result of the function.
    Result,
  };
  std::string name;
  Kind kind = Temporary;
  ElementType type = ElementType::F32;
  /// Row-major, without gaps.
  llvm::SmallVector<Extent, 4> shape;
  /// The place among the function's arguments or results; 0 for others.
  unsigned position = 0;
  /// Indices of the first and last launch that touch a Temporary; launches
  /// count from 0. What writes it never reads it.
  unsigned firstUse = 0, lastUse = 0;

  int64_t getNumElements(llvm::ArrayRef<int64_t> symbols) const {
    int64_t count = 1;
    for (const Extent &extent : shape)
      count *= extent.evaluate(symbols);
    return count;
  }
  int64_t getNumBytes(llvm::ArrayRef<int64_t> symbols) const {
    return getNumElements(symbols) * getElementSize(type);
  }
};

/// How many independent items a launch consists of:
/// `factor * product(outer) * ceil(product(inner) / block)`.
struct WorkItems {
  int64_t factor = 1;
  llvm::SmallVector<Extent, 2> outer;
  llvm::SmallVector<Extent, 2> inner;
  int64_t block = 1;

  int64_t evaluate(llvm::ArrayRef<int64_t> symbols) const {
    int64_t count = factor, blocked = 1;
    for (const Extent &extent : outer)
      count *= extent.evaluate(symbols);
    for (const Extent &extent : inner)
      blocked *= extent.evaluate(symbols);
    return count * ((blocked + block - 1) / block);
  }
};

/// One call of
///   void kernel(void *const *tensors, const int64_t *dims, char *scratch,
///               int64_t begin, int64_t end);
/// for each part [begin, end) of its items, in any order and on any threads.
/// `scratch` is the caller's thread's own, of at least `scratchBytes`, aligned
/// to `alignment`, and needs no initial value. Tensors are at least aligned to
/// their element; Packed tensors to `alignment`.
struct CpuLaunch {
  static constexpr int64_t alignment = 64;

  std::string kernel;
  /// Indices into CpuProgram::tensors: operands, then results.
  llvm::SmallVector<unsigned> tensors;
  /// Values of `dims`.
  llvm::SmallVector<Extent> dims;
  WorkItems items;
  /// The fewest items worth a call of their own.
  int64_t grain = 1;
  int64_t scratchBytes = 0;
  /// How many of the last `tensors` it writes.
  unsigned numResults = 1;
};

struct CpuProgram {
  CpuTarget target;
  /// In the LLVM dialect, ready to be translated; public functions are kernels.
  /// Nothing outside is called, but for MPI where several ranks run it.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<SizeSymbol> symbols;
  std::vector<CpuTensor> tensors;
  /// Once per set of parameters; they depend on no symbol.
  std::vector<CpuLaunch> prepack;
  /// Once per run, one after the other.
  std::vector<CpuLaunch> launches;
};

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
