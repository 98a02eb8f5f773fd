//===- Tables.cpp - constants in device memory ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TileToNVVM.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace parablock::tile;

/// Array types from the last dimension to the first.
static Type getArrayType(ShapedType type) {
  Type result = type.getElementType();
  for (int64_t size : llvm::reverse(type.getShape()))
    result = LLVM::LLVMArrayType::get(result, size);
  return result;
}

/// The constant with these values. Lanes read different elements at a time,
/// which global memory serves better than constant memory.
static LLVM::GlobalOp getOrCreateTable(gpu::GPUModuleOp module, Location loc,
                                       ElementsAttr values) {
  constexpr unsigned addressSpace = 1;
  int64_t number = 0;
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    if (global.getAddrSpace() != addressSpace)
      continue;
    if (global.getValueAttr() == values)
      return global;
    ++number;
  }
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  return LLVM::GlobalOp::create(
      builder, loc, getArrayType(values.getShapedType()), /*isConstant=*/true,
      LLVM::Linkage::Internal, ("tile_table_" + Twine(number)).str(), values,
      /*alignment=*/16, addressSpace);
}

void parablock::tile::placeTables(KernelOp kernel) {
  auto module = kernel->getParentOfType<gpu::GPUModuleOp>();
  kernel.walk([&](TableOp table) {
    OpBuilder builder(table);
    LLVM::GlobalOp global =
        getOrCreateTable(module, table.getLoc(), table.getValues());
    Value address = LLVM::AddressOfOp::create(builder, table.getLoc(), global);
    auto cast = UnrealizedConversionCastOp::create(builder, table.getLoc(),
                                                   table.getType(), address);
    table.replaceAllUsesWith(cast.getResult(0));
    table.erase();
  });
}
