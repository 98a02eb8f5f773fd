//===- ConvertBlockKernelsToTile.cpp - launches as tile programs ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AttentionKernel.h"
#include "CheckLeftovers.h"
#include "ElementSizes.h"
#include "ElementsKernel.h"
#include "GemmKernel.h"
#include "RowKernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "parablock/Analysis/KernelCache.h"
#include "parablock/Conversion/Passes.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Tile/TileOps.h"
#include "parablock/Support/Chips.h"

namespace parablock {
#define GEN_PASS_DEF_CONVERTBLOCKKERNELSTOTILE
#include "parablock/Conversion/Passes.h.inc"
} // namespace parablock

using namespace mlir;
using namespace parablock;

namespace {
constexpr llvm::StringLiteral kModuleName = "kernels";

/// The gpu.module, and the programs in it.
class TilePrograms {
public:
  TilePrograms(ModuleOp module, StringRef chip) : module(module), chip(chip) {}

  /// The program of `kernel`, made now where there is none.
  FailureOr<tile::KernelOp> lookupOrBuild(block::KernelOp kernel) {
    return programs.lookupOrBuild(
        kernel, [&](block::KernelOp unknown) { return build(unknown); });
  }

  /// Null where there was no kernel.
  gpu::GPUModuleOp getDeviceModule() { return deviceModule; }

private:
  FailureOr<tile::KernelOp> build(block::KernelOp kernel);

  ModuleOp module;
  StringRef chip;
  gpu::GPUModuleOp deviceModule;
  KernelCache<tile::KernelOp> programs;
  KernelNames names;
};
} // namespace

/// Tells whether a kernel can be given such a value.
static bool isOnDevice(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return false;
  Type element = tensor.getElementType();
  return element.isF32() || element.isBF16() || element.isF16() ||
         element.isInteger();
}

/// That of blocks; those of elements are looked at where they are built.
static LogicalResult checkTypes(block::KernelOp kernel) {
  for (Type type : kernel.getOperandTypes())
    if (!isOnDevice(type))
      return kernel.emitError()
             << "no GPU code for a kernel with an operand of type " << type
             << ": expected a tensor of f32, bf16, f16 or integers";
  for (Operation &op : kernel.getBody().front())
    for (Type type : op.getResultTypes())
      if (!type.isIndex() && !isOnDevice(type))
        return op.emitError()
               << "no GPU code for '" << op.getName() << "' with a result of "
               << "type " << type << " in a kernel: expected a tensor of f32, "
               << "bf16, f16 or integers";
  return success();
}

FailureOr<tile::KernelOp> TilePrograms::build(block::KernelOp kernel) {
  block::KernelKind kind = kernel.getKind();
  if (kind != block::KernelKind::Elements && failed(checkTypes(kernel)))
    return failure();
  OpBuilder builder(module.getContext());
  if (!deviceModule) {
    if (Operation *taken = module.lookupSymbol(kModuleName))
      return taken->emitError("expected all kernels as device code, or none: "
                              "some are still to be made");
    builder.setInsertionPointToStart(module.getBody());
    deviceModule =
        gpu::GPUModuleOp::create(builder, module.getLoc(), kModuleName);
  }
  builder.setInsertionPointToEnd(deviceModule.getBody());
  std::string name = names.make(stringifyKernelKind(kind));
  switch (kind) {
  case block::KernelKind::Rows:
    return buildRowsKernel(builder, kernel, name, chip);
  case block::KernelKind::Sdpa:
    return buildAttentionKernel(builder, kernel, name, chip);
  case block::KernelKind::Elements:
    return buildElementsKernel(builder, kernel, name, chip);
  case block::KernelKind::Linear:
  case block::KernelKind::LinearSum:
  case block::KernelKind::Head:
    return buildGemmKernel(builder, kernel, name, chip);
  }
  llvm_unreachable("unknown kind of kernel");
}

/// Which input has the batch and sequence of the kernel's result `index`: every
/// step has those of its first tensor with rows.
static int64_t findRowsOfResult(block::KernelOp kernel, unsigned index) {
  Value value = kernel.getBody().front().getTerminator()->getOperand(index);
  while (Operation *op = value.getDefiningOp()) {
    auto hasRows = [](Value operand) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      return type && type.getRank() >= 2;
    };
    auto first = llvm::find_if(op->getOperands(), hasRows);
    if (first == op->operand_end())
      return 0;
    value = *first;
  }
  return cast<BlockArgument>(value).getArgNumber();
}

/// Says of the sizes of a launch's results, where some are open, which ones of
/// its operands they are.
static void setSizes(tile::LaunchOp launch, block::KernelOp kernel) {
  auto isStatic = [](Type type) {
    return cast<RankedTensorType>(type).hasStaticShape();
  };
  if (llvm::all_of(kernel.getResultTypes(), isStatic))
    return;
  MLIRContext *context = launch.getContext();
  SmallVector<std::pair<int64_t, int64_t>> symbols;
  SmallVector<SmallVector<AffineExpr>> sizes;
  for (auto [index, type] : llvm::enumerate(kernel.getResultTypes())) {
    int64_t operand = findRowsOfResult(kernel, index);
    SmallVector<AffineExpr> &own = sizes.emplace_back();
    for (auto [dim, size] :
         llvm::enumerate(cast<RankedTensorType>(type).getShape())) {
      if (ShapedType::isStatic(size)) {
        own.push_back(getAffineConstantExpr(size, context));
        continue;
      }
      std::pair<int64_t, int64_t> symbol(operand, dim);
      size_t number = llvm::find(symbols, symbol) - symbols.begin();
      if (number == symbols.size())
        symbols.push_back(symbol);
      own.push_back(getAffineSymbolExpr(number, context));
    }
  }
  Builder builder(context);
  SmallVector<int64_t> pairs;
  for (auto [operand, dim] : symbols)
    llvm::append_values(pairs, operand, dim);
  SmallVector<Attribute> maps;
  for (ArrayRef<AffineExpr> own : sizes)
    maps.push_back(builder.getArrayAttr(
        llvm::map_to_vector(own, [&](AffineExpr size) -> Attribute {
          return AffineMapAttr::get(
              AffineMap::get(/*dimCount=*/0, symbols.size(), size));
        })));
  launch.setSizeSymbols(pairs);
  launch.setSizesAttr(builder.getArrayAttr(maps));
}

/// Says at the launch what open sizes of its results are.
static LogicalResult describeSizes(tile::LaunchOp launch,
                                   block::KernelOp kernel) {
  if (kernel.getKind() == block::KernelKind::Elements)
    return ElementSizes(kernel).describeResults(launch);
  setSizes(launch, kernel);
  return success();
}

namespace {
struct ConvertBlockKernelsToTilePass
    : public parablock::impl::ConvertBlockKernelsToTileBase<
          ConvertBlockKernelsToTilePass> {
  using ConvertBlockKernelsToTileBase::ConvertBlockKernelsToTileBase;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    if (auto known = findDeviceChip(chip); !known) {
      // Not at the op: that would print the whole module.
      emitError(module.getLoc()) << llvm::toString(known.takeError());
      return signalPassFailure();
    }
    TilePrograms library(module, chip);
    SmallVector<block::KernelOp> kernels;
    module.walk([&](block::KernelOp kernel) {
      // One without results is nothing that anybody would see.
      if (kernel.getNumResults() == 0)
        kernel.erase();
      else
        kernels.push_back(kernel);
    });
    SmallVector<tile::KernelOp> programs;
    for (block::KernelOp kernel : kernels) {
      FailureOr<tile::KernelOp> program = library.lookupOrBuild(kernel);
      if (failed(program))
        return signalPassFailure();
      programs.push_back(*program);
    }
    for (auto [kernel, program] : llvm::zip_equal(kernels, programs)) {
      OpBuilder builder(kernel);
      auto callee =
          SymbolRefAttr::get(library.getDeviceModule().getSymNameAttr(),
                             FlatSymbolRefAttr::get(program.getSymNameAttr()));
      auto launch = tile::LaunchOp::create(builder, kernel.getLoc(),
                                           kernel.getResultTypes(), callee,
                                           kernel.getInputs());
      if (failed(describeSizes(launch, kernel)))
        return signalPassFailure();
      kernel.replaceAllUsesWith(launch.getResults());
      kernel.erase();
    }
    if (failed(checkLeftovers(module)))
      signalPassFailure();
  }
};
} // namespace
