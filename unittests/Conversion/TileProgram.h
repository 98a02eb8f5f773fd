//===- TileProgram.h - Tile kernels on the emulator -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_CONVERSION_TILEPROGRAM_H
#define PARABLOCK_UNITTESTS_CONVERSION_TILEPROGRAM_H

#include "Emulator/TestDevice.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "parablock/Conversion/Passes.h"
#include "parablock/Target/DeviceCode.h"
#include "parablock/Target/Passes.h"
#include "parablock/Tile/TileOps.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace parablock::unittest {

/// A tensor on the device, as rows of its last dimension.
struct DeviceTensor {
  void *address;
  uint64_t rows, columns;
  TensorMapType type;
  /// In the order of its dimensions, for those that a kernel asks for.
  std::vector<int32_t> dims;
};

/// The only kernel of a module of tile ops, made into device code for a chip.
class TileProgram {
public:
  TileProgram(const std::string &text, llvm::StringRef chip) : chip(chip) {
    mlir::DialectRegistry registry;
    registerDeviceDialects(registry);
    registry.insert<tile::TileDialect, mlir::arith::ArithDialect,
                    mlir::math::MathDialect, mlir::scf::SCFDialect>();
    context.appendDialectRegistry(registry);
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!CHECK("parses", bool(module)))
      return;
    mlir::PassManager manager(&context);
    manager.addPass(createConvertTileToNVVM({chip.str()}));
    buildDeviceLowering(manager);
    if (!CHECK("lowers", mlir::succeeded(manager.run(*module))))
      return;
    module->walk([&](mlir::LLVM::LLVMFuncOp op) {
      if (op->hasAttr("tile.arguments"))
        function = op;
    });
  }

  /// Runs the kernel on tensors in the order of its arguments.
  LaunchResult launch(TestDevice &device,
                      llvm::ArrayRef<DeviceTensor> tensors) {
    if (!function)
      return {};
    auto llvmContext = std::make_unique<llvm::LLVMContext>();
    auto device_ = findDeviceModule(*module);
    if (!CHECK_SUCCEEDS("finds device code", device_.takeError()))
      return {};
    auto code = translateToLLVM(*device_, chip, *llvmContext);
    if (!CHECK_SUCCEEDS("translates", code.takeError()))
      return {};
    auto emulator = Emulator::create(std::move(*code), std::move(llvmContext),
                                     *device.memory);
    if (!CHECK_SUCCEEDS("compiles", emulator.takeError()))
      return {};
    auto getNumber = [&](llvm::StringRef name) {
      return function->getAttrOfType<mlir::IntegerAttr>(name).getInt();
    };
    LaunchConfig config;
    config.grid.x = getNumber("tile.grid");
    config.block.x =
        function->getAttrOfType<tile::ScheduleAttr>("tile.schedule")
            .getThreads();
    config.dynamicSharedBytes = getNumber("tile.shared_bytes");
    std::vector<KernelArgument> arguments;
    for (mlir::Attribute argument :
         function->getAttrOfType<mlir::ArrayAttr>("tile.arguments"))
      arguments.push_back(
          bind(llvm::cast<tile::ArgumentAttr>(argument), tensors));
    auto result = (*emulator)->launch(function.getSymName(), config, arguments);
    if (!CHECK_SUCCEEDS("launches", result.takeError()))
      return {};
    return std::move(*result);
  }

private:
  static KernelArgument bind(tile::ArgumentAttr argument,
                             llvm::ArrayRef<DeviceTensor> tensors) {
    const DeviceTensor &tensor = tensors[argument.getOperand()];
    switch (argument.getKind()) {
    case tile::ArgumentKind::Pointer:
      return KernelArgument::of(tensor.address);
    case tile::ArgumentKind::Dim:
      return KernelArgument::of(tensor.dims[argument.getDim()]);
    case tile::ArgumentKind::TensorMap:
      break;
    }
    auto box = argument.getBox().asArrayRef();
    uint64_t dims[] = {tensor.columns, tensor.rows};
    uint64_t strides[] = {tensor.columns *
                          getTensorMapElementSize(tensor.type)};
    uint32_t sizes[] = {uint32_t(box[1]), uint32_t(box[0])}, ones[] = {1, 1};
    EmulatedTensorMap map;
    const char *refusal =
        encodeTensorMap(map, tensor.type, 2, tensor.address, dims, strides,
                        sizes, ones, TensorMapSwizzle::Bytes128);
    record(!refusal, "tensor map", __FILE__, __LINE__, refusal ? refusal : "");
    return KernelArgument::of(map);
  }

  mlir::MLIRContext context;
  std::string chip;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::LLVM::LLVMFuncOp function;
};

} // namespace parablock::unittest

#endif // PARABLOCK_UNITTESTS_CONVERSION_TILEPROGRAM_H
