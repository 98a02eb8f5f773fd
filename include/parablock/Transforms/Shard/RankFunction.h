//===- RankFunction.h - a split function as one rank's own ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A module that was split over ranks is the same for all of them, and takes
// whole parameters. For one rank, known beforehand, all that it asks of the
// rank are numbers, and so are the parts of parameters that it reads.
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

/// Makes `module` that of `rank`: places of slices become numbers.
void fixRank(mlir::ModuleOp module, int64_t rank);

/// A parameter of which a rank reads a part; the part's sizes are those of the
/// argument.
struct ParameterPart {
  /// The name of the argument: the parameter's with the part's place, "w[4:8,
  /// 0:16]".
  std::string name;
  /// The name of the whole.
  std::string parameter;
  llvm::SmallVector<int64_t, 4> shape;
  llvm::SmallVector<int64_t, 4> offsets;
};

/// Replaces each parameter of `function` that it reads by slices at constant
/// places alone by arguments for these slices, where those are less than the
/// whole together and `hasParts` says so of its name. The list is of these
/// arguments.
std::vector<ParameterPart>
narrowParameters(mlir::func::FuncOp function,
                 llvm::function_ref<bool(llvm::StringRef)> hasParts);

/// The same for parameters of `function` that `prepack` makes: it makes these
/// parts instead, each from parts of its own parameters wherever that can be.
void narrowPacked(mlir::func::FuncOp function, mlir::func::FuncOp prepack,
                  llvm::function_ref<bool(llvm::StringRef)> hasParts);

/// Gives `function`, of one rank, the columns of caches that are its heads' in
/// place of the whole: as inputs, and as results. Columns that are others' are
/// neither there nor gathered.
void narrowCaches(mlir::func::FuncOp function);

} // namespace parablock

#endif // PARABLOCK_TRANSFORMS_SHARD_RANKFUNCTION_H
