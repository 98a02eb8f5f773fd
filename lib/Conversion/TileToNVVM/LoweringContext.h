//===- LoweringContext.h - state of the lowering ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_TILETONVVM_LOWERINGCONTEXT_H
#define PARABLOCK_CONVERSION_TILETONVVM_LOWERINGCONTEXT_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/Transforms/DialectConversion.h"
#include "parablock/Dialect/Tile/TileOps.h"
#include "parablock/Support/Chips.h"
#include "llvm/ADT/DenseMap.h"

namespace parablock::tile {

/// The symbol of dynamic shared memory in a gpu.module.
constexpr llvm::StringLiteral kSharedSymbol = "tile_shared";

/// A tensor map, as a parameter of the device function.
struct TensorMapParameter {
  int64_t rows, columns;
  /// The columns of a part of a row, which boxes do not cross; 0 for the whole
  /// row.
  int64_t width = 0;
  mlir::Value pointer = {};

  /// Returns the numbers of `tile.argument`.
  llvm::SmallVector<int64_t, 3> getBox() const {
    llvm::SmallVector<int64_t, 3> box = {rows, columns};
    if (width != 0)
      box.push_back(width);
    return box;
  }
};

/// One tensor of the kernel, as parameters of its device function.
struct TensorParameters {
  /// The address, in global memory.
  mlir::Value pointer;
  /// The i32 of each dynamic dimension; null for static ones.
  llvm::SmallVector<mlir::Value> dims;
  llvm::SmallVector<TensorMapParameter, 1> maps;
  /// True where no launch of the program writes it.
  bool isConstant = false;

  /// The tensor map with that box.
  mlir::Value getMap(const TensorMapParameter &box) const {
    return llvm::find_if(maps,
                         [&](const TensorMapParameter &map) {
                           return map.getBox() == box.getBox();
                         })
        ->pointer;
  }
};

/// Properties of the kernel that every pattern can access.
struct LoweringContext {
  ScheduleAttr schedule;
  /// The parameters of each argument of the kernel, by its value in the device
  /// function.
  llvm::DenseMap<mlir::Value, TensorParameters> tensors;
  /// The variables of each ring, by its offset.
  llvm::DenseMap<int64_t, mlir::Value> rings;

  /// Warps that compute: 0 to `getWarps() - 1`; warps that copy follow.
  int64_t getWarps() const { return schedule.getWarps(); }

  /// Returns the parameters of a tensor, which is an argument of the kernel:
  /// the operand before its conversion.
  const TensorParameters &getTensor(mlir::Value tensor) const {
    return tensors.find(tensor)->second;
  }

  /// The size of a dimension as i32.
  mlir::Value getDim(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value tensor, int64_t dim) const;

  /// The number of rows as i32: the product of all dimensions but the last.
  mlir::Value getNumRows(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value tensor) const;
};

/// Converts index to i32, memref to llvm.ptr<1>, buffer to llvm.ptr<3> (the
/// address of its first byte), accumulator and row values to the struct of f32
/// held by a thread.
class TileTypeConverter : public mlir::TypeConverter {
public:
  explicit TileTypeConverter(const LoweringContext &context);
};

/// Rows that one computing thread holds a part of.
int64_t getRowsPerThread(RowValuesType type, ScheduleAttr schedule);

/// Elements of an accumulator that one computing thread holds.
int64_t getElementsPerThread(AccumulatorType type, ScheduleAttr schedule);

// Small pieces of code.

mlir::Value createI32(mlir::OpBuilder &builder, mlir::Location loc,
                      int64_t value);
mlir::Value createF32(mlir::OpBuilder &builder, mlir::Location loc,
                      float value);
/// The thread's index in its CTA, its lane in the warp, its warp in the CTA.
mlir::Value createThreadId(mlir::OpBuilder &builder, mlir::Location loc);
mlir::Value createLaneId(mlir::OpBuilder &builder, mlir::Location loc);
mlir::Value createWarpId(mlir::OpBuilder &builder, mlir::Location loc);
/// The rank of the CTA in its cluster of `size`.
mlir::Value createClusterRank(mlir::OpBuilder &builder, mlir::Location loc,
                              int64_t size);
/// The index of the CTA in the grid, and their number.
mlir::Value createCTAId(mlir::OpBuilder &builder, mlir::Location loc);
mlir::Value createNumCTAs(mlir::OpBuilder &builder, mlir::Location loc);
/// Synchronizes the lanes of a warp, with visibility of their writes.
void createWarpBarrier(mlir::OpBuilder &builder, mlir::Location loc);
/// Synchronizes all computing warps; producers do not take part.
void createComputeBarrier(mlir::OpBuilder &builder, mlir::Location loc,
                          const LoweringContext &context);
/// Makes what threads wrote to shared memory visible to TMA and wgmma, which
/// read it by another way.
void createAsyncProxyFence(mlir::OpBuilder &builder, mlir::Location loc);
/// Keeps the backend from unrolling a loop.
void keepRolled(mlir::scf::ForOp loop);
/// The address of a byte of dynamic shared memory, an llvm.ptr<3>.
/// The kernel must have shared bytes.
mlir::Value createSharedAddress(mlir::OpBuilder &builder, mlir::Location loc,
                                int64_t offset);
/// `pointer` (any address space) moved by `bytes`, an i32 or i64.
mlir::Value createByteOffset(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value pointer, mlir::Value bytes);
/// The address of an element of a buffer at `base`, with its layout; row and
/// column are i32.
mlir::Value createBufferAddress(mlir::OpBuilder &builder, mlir::Location loc,
                                BufferType type, mlir::Value base,
                                mlir::Value row, mlir::Value column);
/// The address of an element of a global tensor, in 64 bits. `row` may be null
/// for a vector; row and column are i32.
mlir::Value createTensorAddress(mlir::OpBuilder &builder, mlir::Location loc,
                                const LoweringContext &context,
                                mlir::Value tensor, mlir::Value row,
                                mlir::Value column);

} // namespace parablock::tile

#endif // PARABLOCK_CONVERSION_TILETONVVM_LOWERINGCONTEXT_H
