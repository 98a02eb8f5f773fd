//===- ExpertGradProducts.h - products of gradients of experts --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_EXPERTGRADPRODUCTS_H
#define PARABLOCK_LIB_CONVERSION_EXPERTGRADPRODUCTS_H

#include "ExpertPlaces.h"

namespace parablock {

/// Gate and up by places. Inputs: rows, tiles, total, up, its bias if any.
tile::KernelOp buildProjectedAgain(const ExpertSite &site,
                                   const ExpertGradPlan &plan);

/// Gradients by gate and up, and hidden values times what weighs the output, by
/// places, and if the output is weighed, each tile's part of the gradient by
/// weights, by slots. Inputs: gradients of rows, tiles, total, down, gate and
/// up, slots of places, weights.
tile::KernelOp buildByHidden(const ExpertSite &site,
                             const ExpertGradPlan &plan);

/// Gradients by what up reads, by slots, in f32. Inputs: gradients by gate and
/// up, tiles, total, up, slots of places.
tile::KernelOp buildByRead(const ExpertSite &site, const ExpertGradPlan &plan);

/// A matrix of each expert: the products of `left` and `right` columns of two
/// tensors over the expert's places. Inputs: both, and ranges of places.
tile::KernelOp buildStackGrad(const ExpertSite &site, llvm::StringRef suffix,
                              int64_t left, int64_t right, mlir::Type result);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_EXPERTGRADPRODUCTS_H
