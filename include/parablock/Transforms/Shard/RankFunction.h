//===- RankFunction.h - a split function as one rank's own ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A module that was split over ranks is the same for all of them, and takes
// whole parameters. If the rank is known, offsets that depend on it become
// constants, and parameters can be narrowed to the parts that it reads.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_SHARD_RANKFUNCTION_H
#define PARABLOCK_TRANSFORMS_SHARD_RANKFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <vector>

namespace parablock {

/// Specialises `module` for `rank`: offsets of slices become constants.
void fixRank(mlir::ModuleOp module, int64_t rank);

/// The part of a parameter that a rank reads. The argument for it has the sizes
/// of the part.
struct ParameterPart {
  /// Name of the argument: that of the parameter with the part's range, as in
  /// "w[4:8, 0:16]".
  std::string name;
  /// Name of the whole parameter.
  std::string parameter;
  llvm::SmallVector<int64_t, 4> shape;
  llvm::SmallVector<int64_t, 4> offsets;
};

/// Replaces parameters of `function` by arguments for the slices that it reads.
/// This requires that all readers are slices at constant offsets, that these
/// are smaller than the parameter together, and that `hasParts` returns true
/// for its name. Returns the new arguments.
std::vector<ParameterPart>
narrowParameters(mlir::func::FuncOp function,
                 llvm::function_ref<bool(llvm::StringRef)> hasParts);

/// The same for parameters of `function` that `prepack` computes. It computes
/// the parts instead, from parts of its own parameters wherever possible.
void narrowPacked(mlir::func::FuncOp function, mlir::func::FuncOp prepack,
                  llvm::function_ref<bool(llvm::StringRef)> hasParts);

/// Narrows the caches of `function`, which is specialised for one rank, to the
/// columns of the rank's heads, as inputs and as results. The function no
/// longer gathers the columns of other ranks.
void narrowCaches(mlir::func::FuncOp function);

} // namespace parablock

#endif // PARABLOCK_TRANSFORMS_SHARD_RANKFUNCTION_H
