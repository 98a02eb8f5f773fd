//===- ExpertPlaces.h - slots in the order of experts -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_EXPERTPLACES_H
#define PARABLOCK_LIB_CONVERSION_EXPERTPLACES_H

#include "ExpertPlan.h"
#include "KernelShell.h"
#include "TileCode.h"

namespace parablock {

/// Where the kernels of one op with experts come from.
struct ExpertSite {
  mlir::OpBuilder &atModule;
  const ExpertPlan &plan;
  llvm::StringRef name, chip;

  /// Creates a kernel with a warp for each of `rows` rows.
  KernelShell createShell(llvm::StringRef suffix, std::optional<int64_t> rows,
                          mlir::TypeRange inputs, mlir::TypeRange outputs,
                          llvm::ArrayRef<mlir::Type> workspaces = {}) const;
  mlir::Type getNumbers(llvm::ArrayRef<int64_t> shape) const {
    return mlir::RankedTensorType::get(shape, atModule.getI64Type());
  }
  /// Returns the expert of a slot; the number of experts where there is none.
  mlir::Value loadExpert(TileCode code, mlir::Value indices,
                         mlir::Value slot) const;
};

/// Element `at` of a tensor, counted through all its dimensions.
mlir::Value loadFlat(TileCode code, mlir::Value tensor, mlir::Value at);

/// Numbers of slots of each expert in each chunk of slots, and of experts
/// before it; null for one chunk. Input: indices.
tile::KernelOp buildSlotCount(const ExpertSite &site);

/// Slots in the order of experts, the tiles of products and how many, and with
/// `hasRanges` the first place and the end of each expert. Inputs: indices, and
/// the numbers of several chunks.
tile::KernelOp buildSlotPlaces(const ExpertSite &site, bool hasRanges);

/// The rows of a tensor by places, times the slots' weights if `weighs`.
/// Inputs: the tensor, the slots of places, weights if they are read.
tile::KernelOp buildSlotGather(const ExpertSite &site, llvm::StringRef suffix,
                               mlir::Type rows, bool weighs);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_EXPERTPLACES_H
