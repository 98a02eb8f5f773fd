//===- TileToNVVM.h - the parts of convert-tile-to-nvvm ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// After passes have assigned places, roles and marks, a tile.kernel
// becomes an llvm.func with the same body, which one dialect conversion
// replaces.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_TILETONVVM_TILETONVVM_H
#define PARABLOCK_CONVERSION_TILETONVVM_TILETONVVM_H

#include "LoweringContext.h"

namespace parablock::tile {

/// Fails for a kernel on which a required pass has not run, naming the
/// pass.
mlir::LogicalResult checkSteps(KernelOp kernel);

/// Creates barriers that the warps of CTAs, and CTAs that join, wait at; and,
/// if the schedule has producers, the variables of every ring of `kernel`,
/// before all other ops, and fills `context.rings`.
void createRings(KernelOp kernel, LoweringContext &context);

/// Replaces the kernel by a device function with its body, and fills
/// `context.tensors`. In the body, each tensor is an unrealized_conversion_cast
/// of its pointer.
mlir::LLVM::LLVMFuncOp createDeviceFunction(KernelOp kernel,
                                            LoweringContext &context);

/// Patterns for ops of arith, math and scf with operands, results or regions of
/// converted types: recreate them with the converted types.
void populateStructuralPatterns(mlir::TypeConverter &converter,
                                mlir::RewritePatternSet &patterns,
                                mlir::ConversionTarget &target);

/// Fails for an op that would be assembly, but is in no row of Assembly.def.
mlir::LogicalResult checkAssembly(mlir::LLVM::LLVMFuncOp function);

/// Returns whether populateMathPatterns replaces an op on f32.
bool isExpandedMath(mlir::Operation *op);

/// Functions of f32 that no instruction computes, or none well enough.
void populateMathPatterns(mlir::RewritePatternSet &patterns);

} // namespace parablock::tile

#endif // PARABLOCK_CONVERSION_TILETONVVM_TILETONVVM_H
