//===- DeviceBuilder.h - integer and address arithmetic ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_TILETONVVM_DEVICEBUILDER_H
#define PARABLOCK_CONVERSION_TILETONVVM_DEVICEBUILDER_H

#include "LoweringContext.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace parablock::tile {

/// Integer arithmetic on i32, addresses and thread numbers. Constants are
/// folded.
class DeviceBuilder : public mlir::ImplicitLocOpBuilder {
public:
  DeviceBuilder(mlir::Location loc, mlir::OpBuilder &builder)
      : ImplicitLocOpBuilder(loc, builder) {}

  mlir::Value constant(int64_t value);
  mlir::Value constant64(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value add(mlir::Value a, int64_t b);
  mlir::Value subtract(mlir::Value a, mlir::Value b);
  mlir::Value multiply(mlir::Value a, mlir::Value b);
  mlir::Value multiply(mlir::Value a, int64_t b);
  /// Unsigned, by a power of two or not.
  mlir::Value divide(mlir::Value a, int64_t b);
  mlir::Value remainder(mlir::Value a, int64_t b);
  mlir::Value exclusiveOr(mlir::Value a, mlir::Value b);
  mlir::Value conjunction(mlir::Value a, mlir::Value b);
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a,
                      mlir::Value b);
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);
  /// Extends a value that is not negative.
  mlir::Value extend64(mlir::Value a);

  /// Convert a value between the types index and i32.
  mlir::Value toI32(mlir::Value index);
  mlir::Value toIndex(mlir::Value i32);

  /// `bytes` after `pointer`; i32 or i64.
  mlir::Value offset(mlir::Value pointer, mlir::Value bytes);
  mlir::Value offset(mlir::Value pointer, int64_t bytes);

  mlir::Value load(mlir::Type type, mlir::Value pointer);
  void store(mlir::Value value, mlir::Value pointer);

  mlir::Value threadIndex() { return createThreadId(*this, getLoc()); }
  mlir::Value laneIndex() { return createLaneId(*this, getLoc()); }
  mlir::Value warpIndex() { return createWarpId(*this, getLoc()); }

  /// The members of a struct, and a struct of them.
  llvm::SmallVector<mlir::Value> unpack(mlir::Value structure);
  mlir::Value pack(mlir::Type type, llvm::ArrayRef<mlir::Value> members);

  /// Returns the address of a buffer in a cloned region.
  static mlir::Value getAddress(mlir::Value buffer);
  /// `value` as the type that ops see before their conversion, or after it.
  mlir::Value cast(mlir::Type type, mlir::Value value);

  /// Creates an `scf.if` without results; the builder continues inside `body`.
  void when(mlir::Value condition, llvm::function_ref<void()> body);
};

} // namespace parablock::tile

#endif // PARABLOCK_CONVERSION_TILETONVVM_DEVICEBUILDER_H
