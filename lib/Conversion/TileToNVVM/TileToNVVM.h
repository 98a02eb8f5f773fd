//===- TileToNVVM.h - the steps of convert-tile-to-nvvm ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For every tile.kernel, in this order: tiles are checked, clusters share
// copies, warps get roles, buffers get places, the kernel becomes an llvm.func
// with the same body, and one dialect conversion replaces that body.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_TILETONVVM_TILETONVVM_H
#define PARABLOCK_CONVERSION_TILETONVVM_TILETONVVM_H

#include "LoweringContext.h"

namespace parablock::tile {

/// Where products by wgmma may be deferred: marks the buffers that only such
/// products read.
void markDeferredBuffers(KernelOp kernel);

/// Fails for tiles, schedules and layouts that there is no code for.
mlir::LogicalResult checkTiles(KernelOp kernel, const ChipFacts &chip);

/// Where the schedule has clusters: marks the copies that their CTAs share, and
/// leaves the tile past the end of an odd number without rows. Fails for what
/// CTAs could not do in step.
mlir::LogicalResult shareCopies(KernelOp kernel);

/// Where the schedule has producers: splits the body between warps that copy
/// and warps that compute, and gives each pipeline its role.
mlir::LogicalResult specializeWarps(KernelOp kernel);

/// Gives pipelines, staged tiles and scratch rows their offset in dynamic
/// shared memory, and the kernel its total. Fails where the chip has less.
mlir::LogicalResult allocateShared(KernelOp kernel, const ChipFacts &chip);

/// Gives the lanes several neighbouring columns at a time where their number is
/// a multiple.
void widenColumns(KernelOp kernel);

/// Marks stores and columns with what is known only before the conversion: who
/// stores, and where lanes must meet. Fails for accesses outside tile.rows.
mlir::LogicalResult markAccesses(KernelOp kernel);

/// Moves the kernel's tables into its gpu.module, where equal ones are one
/// constant; a table becomes an unrealized_conversion_cast of its address.
void placeTables(KernelOp kernel);

/// Makes the device function with the kernel's body in place of the kernel,
/// and fills `context.tensors`. In the body, each tensor is an
/// unrealized_conversion_cast of its pointer.
mlir::FailureOr<mlir::LLVM::LLVMFuncOp>
createDeviceFunction(KernelOp kernel, LoweringContext &context);

/// tile.pipeline, tile.copy, tile.zero, tile.mma, tile.stage, and what is done
/// to tiles in registers.
void populatePipelinePatterns(mlir::TypeConverter &converter,
                              mlir::RewritePatternSet &patterns,
                              const LoweringContext &context);

/// tile.tiles, tile.return.
void populateTilePatterns(mlir::TypeConverter &converter,
                          mlir::RewritePatternSet &patterns,
                          const LoweringContext &context);

/// tile.join.
void populateJoinPatterns(mlir::TypeConverter &converter,
                          mlir::RewritePatternSet &patterns,
                          const LoweringContext &context);

/// tile.rows, tile.columns, tile.reduce.
void populateRowPatterns(mlir::TypeConverter &converter,
                         mlir::RewritePatternSet &patterns,
                         const LoweringContext &context);

/// tile.load, tile.store, tile.round, tile.scratch, tile.dim.
void populateAccessPatterns(mlir::TypeConverter &converter,
                            mlir::RewritePatternSet &patterns,
                            const LoweringContext &context);

/// Ops of arith, math and scf with operands, results or regions of converted
/// types: the same ops on what those become.
void populateStructuralPatterns(mlir::TypeConverter &converter,
                                mlir::RewritePatternSet &patterns,
                                mlir::ConversionTarget &target);

/// Fails for an op that would be assembly, but is in no row of Assembly.def.
mlir::LogicalResult checkAssembly(mlir::LLVM::LLVMFuncOp function);

/// Whether populateMathPatterns replaces an op on f32.
bool isExpandedMath(mlir::Operation *op);

/// Functions of f32 that no instruction computes, or none well enough.
void populateMathPatterns(mlir::RewritePatternSet &patterns);

} // namespace parablock::tile

#endif // PARABLOCK_CONVERSION_TILETONVVM_TILETONVVM_H
