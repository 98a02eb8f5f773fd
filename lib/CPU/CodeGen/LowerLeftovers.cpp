//===- LowerLeftovers.cpp - from ops on tensors to loops ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Upstream passes, and what they lack: an end of memory's life, shapes with
// several open sizes, and floats that the processor has no arithmetic for.
//
//===----------------------------------------------------------------------===//

#include "LeftoverKernel.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToFuncs/MathToFuncs.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "parablock/Leftovers/NormaliseLeftovers.h"
#include "parablock/Leftovers/Numbers.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

void cpugen::registerLeftoverDialects(DialectRegistry &registry) {
  registerNormalDialects(registry);
  registry.insert<bufferization::BufferizationDialect, memref::MemRefDialect>();
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
}

//===----------------------------------------------------------------------===//
// On tensors
//===----------------------------------------------------------------------===//

static bool isNarrow(Type type) { return type.isBF16() || type.isF16(); }

static LogicalResult lowerToLinalg(ModuleOp module) {
  if (failed(normaliseLeftovers(module)))
    return failure();
  RewritePatternSet patterns(module.getContext());
  tensor::populateDecomposeTensorConcatPatterns(patterns);
  return applyPatternsGreedily(module, std::move(patterns));
}

//===----------------------------------------------------------------------===//
// On memory
//===----------------------------------------------------------------------===//

/// Upstream's copy of what lies apart is a call.
static void copyInLoops(memref::CopyOp op) {
  OpBuilder builder(op);
  linalg::makeMemRefCopyOp(builder, op.getLoc(), op.getSource(),
                           op.getTarget());
  op.erase();
}

/// Memory of its own lives as long as the block that it is made in.
static void freeAtEnd(memref::AllocOp op) {
  Operation *end = op->getBlock()->getTerminator();
  if (llvm::is_contained(end->getOperands(), op.getResult()))
    return;
  OpBuilder builder(end);
  memref::DeallocOp::create(builder, op.getLoc(), op);
}

/// Upstream's expansion knows one open size per group of dimensions.
static void expandShape(memref::ExpandShapeOp op) {
  if (!op.getResultType().getLayout().isIdentity())
    return;
  OpBuilder builder(op);
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  SmallVector<OpFoldResult> strides(sizes.size());
  OpFoldResult stride = builder.getIndexAttr(1);
  for (unsigned dim = sizes.size(); dim-- > 0;) {
    strides[dim] = stride;
    stride = affine::makeComposedFoldedAffineApply(
        builder, op.getLoc(),
        builder.getAffineSymbolExpr(0) * builder.getAffineSymbolExpr(1),
        {stride, sizes[dim]});
  }
  auto expanded = memref::ReinterpretCastOp::create(
      builder, op.getLoc(), op.getSrc(), builder.getIndexAttr(0), sizes,
      strides);
  Value result = expanded;
  if (result.getType() != op.getResultType())
    result = memref::CastOp::create(builder, op.getLoc(), op.getResultType(),
                                    result);
  op.replaceAllUsesWith(result);
  op.erase();
}

static LogicalResult lowerToMemory(ModuleOp module) {
  PassManager manager(module.getContext());
  manager.addPass(bufferization::createOneShotBufferizePass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  if (failed(manager.run(module)))
    return failure();
  module.walk(freeAtEnd);
  module.walk(expandShape);
  module.walk(copyInLoops);
  PassManager loops(module.getContext());
  loops.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  return loops.run(module);
}

//===----------------------------------------------------------------------===//
// On numbers
//===----------------------------------------------------------------------===//

/// Integers become floats of 16 bits by way of f64, which holds most of them.
template <typename OpT> static void convertInteger(OpT op) {
  if (!isNarrow(op.getType()))
    return;
  OpBuilder builder(op);
  Value wide =
      OpT::create(builder, op.getLoc(), builder.getF64Type(), op.getIn());
  Value narrow =
      arith::TruncFOp::create(builder, op.getLoc(), op.getType(), wide);
  op.replaceAllUsesWith(narrow);
  op.erase();
}

/// Between floats of 16 bits and others by way of f32, in integers.
static void convertFloat(Operation *op, const CpuTarget &target) {
  if (!isa<arith::ExtFOp, arith::TruncFOp>(op))
    return;
  OpBuilder builder(op);
  Code code(builder, op->getLoc(), target);
  Value value = op->getOperand(0);
  Type from = value.getType(), to = op->getResult(0).getType();
  if (!isNarrow(from) && !isNarrow(to))
    return;
  Type bits = builder.getI16Type(), f32 = builder.getF32Type();
  if (isNarrow(from))
    value = fromBits(
        code, arith::BitcastOp::create(builder, code.loc, bits, value), from);
  else if (from != f32)
    value = roundToOdd(builder, code.loc, value);
  if (isNarrow(to))
    value = arith::BitcastOp::create(builder, code.loc, to,
                                     toBits(code, value, to));
  else if (to != f32)
    value = arith::ExtFOp::create(builder, code.loc, to, value);
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
}

/// Upstream writes both as a difference from 1, without digits near 0.
static void callLibrary(Operation *op) {
  StringRef name = isa<math::ExpM1Op>(op)   ? "expm1"
                   : isa<math::Log1pOp>(op) ? "log1p"
                                            : "";
  Type type = name.empty() ? Type() : op->getResult(0).getType();
  if (!type || !(type.isF32() || type.isF64()))
    return;
  auto module = op->getParentOfType<ModuleOp>();
  std::string symbol = (name + (type.isF32() ? "f" : "")).str();
  auto function = module.lookupSymbol<func::FuncOp>(symbol);
  if (!function) {
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    function = func::FuncOp::create(builder, op->getLoc(), symbol,
                                    builder.getFunctionType(type, type));
    function.setPrivate();
  }
  OpBuilder builder(op);
  auto call =
      func::CallOp::create(builder, op->getLoc(), function, op->getOperands());
  op->replaceAllUsesWith(call);
  op->erase();
}

/// What has no quotient must not end the process, whatever it is.
static void boundDivisorOf(Operation *op) {
  if (!isa<arith::DivSIOp, arith::RemSIOp, arith::FloorDivSIOp,
           arith::CeilDivSIOp, arith::DivUIOp, arith::RemUIOp,
           arith::CeilDivUIOp>(op))
    return;
  OpBuilder builder(op);
  op->setOperand(1, boundDivisor(builder, op, op->getOperand(0),
                                 op->getOperand(1), /*indexBits=*/64));
}

static LogicalResult lowerNumbers(ModuleOp module, const CpuTarget &target) {
  module.walk(boundDivisorOf);
  module.walk(convertInteger<arith::SIToFPOp>);
  module.walk(convertInteger<arith::UIToFPOp>);
  PassManager wide(module.getContext());
  wide.addNestedPass<func::FuncOp>(math::createMathExtendToSupportedTypes());
  if (failed(wide.run(module)))
    return failure();
  module.walk(callLibrary);
  PassManager manager(module.getContext());
  arith::ArithEmulateUnsupportedFloatsOptions narrow;
  narrow.sourceTypeStrs = {"bf16", "f16"};
  manager.addPass(arith::createArithEmulateUnsupportedFloats(narrow));
  // LLVM has powers of 32 bits alone.
  manager.addPass(createConvertMathToFuncs({/*minWidthOfFPowIExponent=*/1,
                                            /*convertCtlz=*/false}));
  manager.addPass(createConvertMathToLLVMPass());
  manager.addPass(createConvertMathToLibmPass());
  if (failed(manager.run(module)))
    return failure();
  module.walk([&](Operation *op) { convertFloat(op, target); });
  PassManager memory(module.getContext());
  memory.addPass(memref::createExpandStridedMetadataPass());
  memory.addPass(createLowerAffinePass());
  memory.addPass(createFinalizeMemRefToLLVMConversionPass());
  memory.addPass(createConvertIndexToLLVMPass());
  return memory.run(module);
}

LogicalResult cpugen::lowerLeftovers(ModuleOp module, const CpuTarget &target) {
  if (module.getBody()->empty())
    return success();
  if (failed(lowerToLinalg(module)) || failed(lowerToMemory(module)))
    return failure();
  return lowerNumbers(module, target);
}
