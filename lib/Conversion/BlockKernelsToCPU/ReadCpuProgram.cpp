//===- ReadCpuProgram.cpp - reads plan ops into a CpuProgram --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Lifetimes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "parablock/Conversion/BlockKernelsToCPU/LowerToCpu.h"
#include "parablock/Dialect/Block/ElementTypes.h"
#include "parablock/Dialect/Plan/PlanOps.h"

using namespace mlir;
using namespace parablock;

namespace {
class Reader {
public:
  explicit Reader(CpuProgram &program) : program(program) {}

  void read(plan::ProgramOp op);

private:
  /// Reads the op that computes a dynamic size.
  cpu::ExtentData readExtent(OpFoldResult size) const;
  std::vector<cpu::ExtentData> readExtents(ArrayRef<OpFoldResult> sizes) const {
    std::vector<cpu::ExtentData> extents;
    for (OpFoldResult size : sizes)
      extents.push_back(readExtent(size));
    return extents;
  }
  /// Adds a size that is computed of others.
  void readApply(affine::AffineApplyOp op);
  void addSteps(AffineExpr expression, ValueRange symbols,
                std::vector<cpu::SizeStep> &steps) const;
  void readTensor(plan::TensorOp op);
  cpu::LaunchData readLaunch(plan::LaunchOp op);

  CpuProgram &program;
  llvm::DenseMap<Value, unsigned> symbolOf, tensorOf;
  llvm::StringMap<int64_t> kernelOf;
};
} // namespace

cpu::ExtentData Reader::readExtent(OpFoldResult size) const {
  if (auto number = dyn_cast<Attribute>(size))
    return {cast<IntegerAttr>(number).getInt(), -1};
  auto value = cast<Value>(size);
  if (auto share = value.getDefiningOp<plan::ShareOp>())
    return {static_cast<int64_t>(share.getParts()),
            symbolOf.at(share.getSize())};
  return {1, symbolOf.at(value)};
}

static cpu::SizeStep::Kind getKind(AffineExprKind kind) {
  switch (kind) {
  case AffineExprKind::Add:
    return cpu::SizeStep::Add;
  case AffineExprKind::Mul:
    return cpu::SizeStep::Multiply;
  case AffineExprKind::FloorDiv:
    return cpu::SizeStep::FloorDiv;
  case AffineExprKind::CeilDiv:
    return cpu::SizeStep::CeilDiv;
  case AffineExprKind::Mod:
    return cpu::SizeStep::Mod;
  default:
    llvm_unreachable("no step on two sizes");
  }
}

void Reader::addSteps(AffineExpr expression, ValueRange symbols,
                      std::vector<cpu::SizeStep> &steps) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression)) {
    steps.push_back({cpu::SizeStep::Constant, constant.getValue()});
  } else if (auto symbol = dyn_cast<AffineSymbolExpr>(expression)) {
    steps.push_back(
        {cpu::SizeStep::Symbol, symbolOf.at(symbols[symbol.getPosition()])});
  } else {
    auto both = cast<AffineBinaryOpExpr>(expression);
    addSteps(both.getLHS(), symbols, steps);
    addSteps(both.getRHS(), symbols, steps);
    steps.push_back({getKind(both.getKind()), 0});
  }
}

void Reader::readApply(affine::AffineApplyOp op) {
  std::vector<cpu::SizeStep> steps;
  addSteps(op.getMap().getResult(0), op.getMapOperands(), steps);
  unsigned number = program.symbols.size();
  symbolOf[op.getResult()] = number;
  program.symbols.push_back(
      {{/*tensor=*/-1, 0, std::move(steps)}, "size" + std::to_string(number)});
}

void Reader::readTensor(plan::TensorOp op) {
  int64_t number = program.tensors.size();
  CpuTensor &tensor = program.tensors.emplace_back();
  tensor.name = op.getLabel().str();
  tensor.kind = static_cast<cpu::TensorKind>(op.getKind());
  tensor.type = *getElementTypeOf(op.getElementType());
  tensor.elementBytes = getElementSize(tensor.type);
  tensor.position = op.getPosition().value_or(0);
  tensor.shape = readExtents(op.getMixedSizes());
  tensorOf[op] = number;
  if (!tensor.isArgument())
    return;
  for (auto [dim, extent] : llvm::enumerate(tensor.shape))
    if (extent.symbol >= 0 && program.symbols[extent.symbol].tensor < 0)
      static_cast<cpu::SymbolData &>(program.symbols[extent.symbol]) = {
          number, static_cast<int64_t>(dim), {}};
}

cpu::LaunchData Reader::readLaunch(plan::LaunchOp op) {
  cpu::LaunchData launch;
  StringRef name = op.getKernel().getLeafReference();
  auto [kernel, isNew] = kernelOf.try_emplace(name, program.kernels.size());
  if (isNew)
    program.kernels.push_back(name.str());
  launch.kernel = kernel->second;
  for (Value tensor : op.getInputs())
    launch.tensors.push_back(tensorOf.lookup(tensor));
  for (Value tensor : op.getOutputs())
    launch.tensors.push_back(tensorOf.lookup(tensor));
  launch.numResults = op.getOutputs().size();
  launch.dims = readExtents(op.getMixedDims());
  launch.work.factor = op.getFactor().value_or(1);
  launch.work.outer = readExtents(op.getMixedOuter());
  launch.work.inner = readExtents(op.getMixedInner());
  launch.work.block = op.getBlock();
  launch.grain = op.getGrain();
  launch.scratchBytes = op.getScratch();
  launch.reports = op.getReports();
  return launch;
}

void Reader::read(plan::ProgramOp op) {
  Block &body = op.getBody().front();
  for (auto size : body.getOps<plan::SizeOp>()) {
    symbolOf[size] = program.symbols.size();
    program.symbols.push_back({{/*tensor=*/-1, 0, {}}, size.getLabel().str()});
  }
  for (auto apply : body.getOps<affine::AffineApplyOp>())
    readApply(apply);
  for (auto tensor : body.getOps<plan::TensorOp>())
    readTensor(tensor);
  for (OpOperand &result :
       op.getRun().getBody().front().getTerminator()->getOpOperands()) {
    CpuTensor &tensor = program.tensors[tensorOf.lookup(result.get())];
    tensor.kind = cpu::TensorKind::Result;
    tensor.position = result.getOperandNumber();
  }
  if (plan::PrepackOp prepack = op.getPrepack())
    for (auto launch : prepack.getBody().getOps<plan::LaunchOp>())
      program.prepack.push_back(readLaunch(launch));
  for (auto launch : op.getRun().getBody().getOps<plan::LaunchOp>()) {
    program.launches.push_back(readLaunch(launch));
    program.layers.push_back(launch.getLayer().value_or(-1));
    program.parts.push_back({launch.getRows().vec(), launch.getSequences(),
                             launch.getInPlace().vec()});
  }
  cpugen::findLifetimes(program);
  cpugen::shareInPlace(program);
}

/// Detaches the module of the kernels of `program` from the enclosing one;
/// returns an empty one if there is none.
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
  static_assert(static_cast<int>(plan::TensorKind::Parameter) ==
                    static_cast<int>(cpu::TensorKind::Parameter) &&
                static_cast<int>(plan::TensorKind::Temporary) ==
                    static_cast<int>(cpu::TensorKind::Temporary));
  CpuProgram program;
  program.target = target;
  Reader(program).read(op);
  program.module = takeKernels(op);
  return program;
}
