//===- DeclareGlobals.cpp - memory that kernels refer to ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LoweringContext.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "parablock/Conversion/Passes.h"

namespace parablock {
#define GEN_PASS_DEF_TILEDECLAREGLOBALS
#include "parablock/Conversion/Passes.h.inc"
} // namespace parablock

using namespace mlir;
using namespace parablock::tile;

/// The symbol that createSharedAddress refers to.
static void declareSharedMemory(gpu::GPUModuleOp module) {
  if (module.lookupSymbol(kSharedSymbol))
    return;
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  LLVM::GlobalOp::create(builder, module.getLoc(),
                         LLVM::LLVMArrayType::get(builder.getI8Type(), 0),
                         /*isConstant=*/false, LLVM::Linkage::External,
                         kSharedSymbol, Attribute(),
                         /*alignment=*/1024, /*addrSpace=*/3);
}

/// Array types from the last dimension to the first.
static Type getArrayType(ShapedType type) {
  Type result = type.getElementType();
  for (int64_t size : llvm::reverse(type.getShape()))
    result = LLVM::LLVMArrayType::get(result, size);
  return result;
}

/// Returns the constant with these values. Lanes read different elements at a
/// time, for which global memory is faster than constant memory.
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

static void placeTable(TableOp table, gpu::GPUModuleOp module) {
  OpBuilder builder(table);
  LLVM::GlobalOp global =
      getOrCreateTable(module, table.getLoc(), table.getValues());
  Value address = LLVM::AddressOfOp::create(builder, table.getLoc(), global);
  auto cast = UnrealizedConversionCastOp::create(builder, table.getLoc(),
                                                 table.getType(), address);
  table.replaceAllUsesWith(cast.getResult(0));
  table.erase();
}

namespace {
struct TileDeclareGlobals
    : public parablock::impl::TileDeclareGlobalsBase<TileDeclareGlobals> {
  void runOnOperation() final {
    gpu::GPUModuleOp module = getOperation();
    for (auto kernel : module.getOps<KernelOp>()) {
      if (kernel.getSharedBytes().value_or(0) > 0)
        declareSharedMemory(module);
      kernel.walk([&](TableOp table) { placeTable(table, module); });
    }
  }
};
} // namespace
