//===- ReadCpuProgram.cpp - a plan and its kernels for an engine ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/ElementTypes.h"
#include "parablock/Dialect/Plan/PlanOps.h"
#include "parablock/Engines/CPU/CpuProgram.h"

using namespace mlir;
using namespace parablock;

namespace {
class Reader {
public:
  explicit Reader(CpuProgram &program) : program(program) {}

  void read(plan::ProgramOp op);

private:
  /// Reads the op that an open size is made by.
  Extent readExtent(OpFoldResult size) const;
  template <typename ListT>
  void readExtents(ArrayRef<OpFoldResult> sizes, ListT &extents) const {
    for (OpFoldResult size : sizes)
      extents.push_back(readExtent(size));
  }
  void readTensor(plan::TensorOp op);
  CpuLaunch readLaunch(plan::LaunchOp op) const;
  void findLifetimes();

  CpuProgram &program;
  llvm::DenseMap<Value, unsigned> symbolOf, tensorOf;
};
} // namespace

Extent Reader::readExtent(OpFoldResult size) const {
  if (auto number = dyn_cast<Attribute>(size))
    return Extent::fixed(cast<IntegerAttr>(number).getInt());
  auto value = cast<Value>(size);
  if (auto share = value.getDefiningOp<plan::ShareOp>())
    return Extent::symbolic(symbolOf.lookup(share.getSize()), share.getParts());
  return Extent::symbolic(symbolOf.lookup(value));
}

void Reader::readTensor(plan::TensorOp op) {
  unsigned number = program.tensors.size();
  CpuTensor &tensor = program.tensors.emplace_back();
  tensor.name = op.getLabel().str();
  tensor.kind = static_cast<CpuTensor::Kind>(op.getKind());
  tensor.type = *getElementTypeOf(op.getElementType());
  tensor.position = op.getPosition().value_or(0);
  readExtents(op.getMixedSizes(), tensor.shape);
  tensorOf[op] = number;
  if (tensor.kind != CpuTensor::Parameter && tensor.kind != CpuTensor::Input)
    return;
  for (auto [dim, extent] : llvm::enumerate(tensor.shape))
    if (extent.symbol >= 0)
      program.symbols[extent.symbol].places.push_back(
          {number, static_cast<unsigned>(dim)});
}

CpuLaunch Reader::readLaunch(plan::LaunchOp op) const {
  CpuLaunch launch;
  launch.kernel = op.getKernel().getLeafReference().str();
  for (Value tensor : op.getInputs())
    launch.tensors.push_back(tensorOf.lookup(tensor));
  for (Value tensor : op.getOutputs())
    launch.tensors.push_back(tensorOf.lookup(tensor));
  launch.numResults = op.getOutputs().size();
  readExtents(op.getMixedDims(), launch.dims);
  launch.items.factor = op.getFactor().value_or(1);
  readExtents(op.getMixedOuter(), launch.items.outer);
  readExtents(op.getMixedInner(), launch.items.inner);
  launch.items.block = op.getBlock();
  launch.grain = op.getGrain();
  launch.scratchBytes = op.getScratch();
  return launch;
}

void Reader::findLifetimes() {
  llvm::SmallVector<bool> seen(program.tensors.size());
  for (auto [number, launch] : llvm::enumerate(program.launches))
    for (unsigned index : launch.tensors) {
      CpuTensor &tensor = program.tensors[index];
      if (!seen[index])
        tensor.firstUse = number;
      seen[index] = true;
      tensor.lastUse = number;
    }
}

void Reader::read(plan::ProgramOp op) {
  Block &body = op.getBody().front();
  for (auto size : body.getOps<plan::SizeOp>()) {
    symbolOf[size] = program.symbols.size();
    program.symbols.push_back({size.getLabel().str(), {}});
  }
  for (auto tensor : body.getOps<plan::TensorOp>())
    readTensor(tensor);
  for (OpOperand &result :
       op.getRun().getBody().front().getTerminator()->getOpOperands()) {
    CpuTensor &tensor = program.tensors[tensorOf.lookup(result.get())];
    tensor.kind = CpuTensor::Result;
    tensor.position = result.getOperandNumber();
  }
  if (plan::PrepackOp prepack = op.getPrepack())
    for (auto launch : prepack.getBody().getOps<plan::LaunchOp>())
      program.prepack.push_back(readLaunch(launch));
  for (auto launch : op.getRun().getBody().getOps<plan::LaunchOp>())
    program.launches.push_back(readLaunch(launch));
  findLifetimes();
}

/// The module that the launches of `program` take their kernels from, out of
/// the one around it; an empty one where there are none.
static ModuleOp takeKernels(plan::ProgramOp program) {
  ModuleOp kernels;
  program.walk([&](plan::LaunchOp launch) {
    kernels = SymbolTable::lookupNearestSymbolFrom<ModuleOp>(
        program, launch.getKernel().getRootReference());
    return WalkResult::interrupt();
  });
  if (!kernels)
    return ModuleOp::create(program.getLoc());
  kernels->remove();
  return kernels;
}

CpuProgram parablock::readCpuProgram(plan::ProgramOp op,
                                     const CpuTarget &target) {
  static_assert(
      static_cast<int>(plan::TensorKind::Parameter) == CpuTensor::Parameter &&
      static_cast<int>(plan::TensorKind::Temporary) == CpuTensor::Temporary);
  CpuProgram program;
  program.target = target;
  Reader(program).read(op);
  program.module = takeKernels(op);
  return program;
}
