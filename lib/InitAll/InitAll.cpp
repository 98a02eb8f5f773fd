//===- InitAll.cpp - registers all dialects and passes --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/InitAll.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MPI/IR/MPI.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "parablock/Conversion/BlockKernelsToCPU/Passes.h"
#include "parablock/Conversion/Passes.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Dialect/Plan/PlanOps.h"
#include "parablock/Dialect/Tile/TileOps.h"
#include "parablock/Engines/Device/Passes.h"
#include "parablock/Frontends/Raise/Passes.h"
#include "parablock/Frontends/StableHLO/Passes.h"
#include "parablock/Frontends/StableHLO/StableHLO.h"
#include "parablock/Pipelines/BlockToCPU.h"
#include "parablock/Pipelines/BlockToGPU.h"
#include "parablock/Pipelines/Optimize.h"
#include "parablock/Target/DeviceCode.h"
#include "parablock/Target/Passes.h"
#include "parablock/Transforms/Differentiate/Passes.h"
#include "parablock/Transforms/Differentiate/VjpInterface.h"
#include "parablock/Transforms/Leftovers/Passes.h"
#include "parablock/Transforms/Passes.h"

void parablock::registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<
      block::BlockDialect, plan::PlanDialect, tile::TileDialect,
      mlir::affine::AffineDialect, mlir::bufferization::BufferizationDialect,
      mlir::memref::MemRefDialect, mlir::mpi::MPIDialect,
      mlir::vector::VectorDialect, mlir::arith::ArithDialect,
      mlir::cf::ControlFlowDialect, mlir::func::FuncDialect,
      mlir::index::IndexDialect, mlir::linalg::LinalgDialect,
      mlir::math::MathDialect, mlir::scf::SCFDialect, mlir::shard::ShardDialect,
      mlir::tensor::TensorDialect, mlir::tosa::TosaDialect>();
  mlir::func::registerInlinerExtension(registry);
  registerDeviceDialects(registry);
  hlo::registerForeignDialects(registry);
  block::registerVjpModels(registry);
}

void parablock::registerAllPasses() {
  block::registerTransformsPasses();
  block::registerDifferentiatePasses();
  registerConversionPasses();
  hlo::registerStableHLOPasses();
  registerCPUPasses();
  registerDevicePasses();
  registerLeftoversPasses();
  raise::registerRaisePasses();
  registerTargetPasses();
  registerPipelines();
  registerTileToNVVMPipeline();
  registerBlockToCPUPipeline();
  registerBlockToGPUPipeline();
}
