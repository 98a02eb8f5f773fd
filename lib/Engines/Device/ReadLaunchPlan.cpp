//===- ReadLaunchPlan.cpp - translates plan ops to launch plans -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Device/ReadLaunchPlan.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "parablock/Dialect/Block/ElementTypes.h"
#include "parablock/Dialect/Tile/TileOps.h"
#include "parablock/Execution/Engine.h"

using namespace mlir;
using namespace parablock;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

namespace {
/// Prints an affine expression in the syntax of plans, which subtract where it
/// adds a negative term.
class SizeWriter {
public:
  explicit SizeWriter(ArrayRef<PlanSize> symbols) : symbols(symbols) {}

  PlanSize write(AffineExpr expression) const;

private:
  PlanSize writeSum(AffineExpr first, AffineExpr second) const;

  ArrayRef<PlanSize> symbols;
};
} // namespace

/// Returns the subtrahend, if an expression is a negative number or a multiple
/// by one.
static AffineExpr findNegated(AffineExpr expression) {
  auto isNegative = [](AffineExpr part) {
    auto constant = dyn_cast<AffineConstantExpr>(part);
    // The least number has no opposite.
    return constant && constant.getValue() < 0 &&
           constant.getValue() > std::numeric_limits<int64_t>::min();
  };
  auto product = dyn_cast<AffineBinaryOpExpr>(expression);
  bool isProduct = product && product.getKind() == AffineExprKind::Mul;
  if (isNegative(isProduct ? product.getRHS() : expression))
    return -expression;
  return {};
}

PlanSize SizeWriter::writeSum(AffineExpr first, AffineExpr second) const {
  if (AffineExpr taken = findNegated(second))
    return makeSize(PlanSize::Subtract, write(first), write(taken));
  if (AffineExpr taken = findNegated(first))
    return makeSize(PlanSize::Subtract, write(second), write(taken));
  return makeSize(PlanSize::Add, write(first), write(second));
}

PlanSize SizeWriter::write(AffineExpr expression) const {
  if (AffineExpr taken = findNegated(expression))
    return makeSize(PlanSize::Subtract, PlanSize(), write(taken));
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return {constant.getValue(), ""};
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return symbols[symbol.getPosition()];
  auto step = cast<AffineBinaryOpExpr>(expression);
  if (step.getKind() == AffineExprKind::Add)
    return writeSum(step.getLHS(), step.getRHS());
  PlanSize::Step kind =
      step.getKind() == AffineExprKind::Mul        ? PlanSize::Multiply
      : step.getKind() == AffineExprKind::FloorDiv ? PlanSize::FloorDiv
      : step.getKind() == AffineExprKind::CeilDiv  ? PlanSize::CeilDiv
                                                   : PlanSize::Mod;
  return makeSize(kind, write(step.getLHS()), write(step.getRHS()));
}

static PlanSize readSize(OpFoldResult size) {
  if (auto number = dyn_cast<Attribute>(size))
    return {cast<IntegerAttr>(number).getInt(), ""};
  Operation *op = cast<Value>(size).getDefiningOp();
  if (auto chosen = dyn_cast<plan::SizeOp>(op))
    return {0, chosen.getLabel().str()};
  if (auto share = dyn_cast<plan::ShareOp>(op))
    return makeShare(readSize(share.getSize()), share.getParts());
  auto apply = cast<affine::AffineApplyOp>(op);
  SmallVector<PlanSize> symbols;
  for (Value operand : apply.getMapOperands())
    symbols.push_back(readSize(operand));
  // Values are symbols here, also where the map calls them dimensions.
  AffineMap map = apply.getAffineMap();
  unsigned numDims = map.getNumDims(), count = symbols.size();
  SmallVector<AffineExpr> dims;
  for (unsigned dim = 0; dim < numDims; ++dim)
    dims.push_back(getAffineSymbolExpr(dim, op->getContext()));
  AffineExpr expression = map.getResult(0)
                              .shiftSymbols(map.getNumSymbols(), numDims)
                              .replaceDims(dims);
  return SizeWriter(symbols).write(
      simplifyAffineExpr(expression, /*numDims=*/0, count));
}

//===----------------------------------------------------------------------===//
// Tensors and steps
//===----------------------------------------------------------------------===//

PlanTensor parablock::describeTensor(Value tensor) {
  plan::TensorOp owner = plan::getOwner(tensor);
  auto view = tensor.getDefiningOp<plan::ViewOp>();
  PlanTensor described;
  described.name = (view ? view.getLabel() : owner.getLabel()).str();
  described.type =
      getElementTypeKeyword(*getElementTypeOf(owner.getElementType())).str();
  for (OpFoldResult size : plan::getMixedSizes(tensor))
    described.shape.push_back(readSize(size));
  return described;
}

namespace {
class PlanReader {
public:
  explicit PlanReader(int64_t rank) : rank(rank) {}

  FailureOr<LaunchPlan> read(plan::ProgramOp program);

private:
  LogicalResult readTensor(Operation *op);
  LogicalResult readLaunch(plan::LaunchOp op);
  LogicalResult readKernel(plan::LaunchOp op, SymbolRefAttr name,
                           ArrayRef<unsigned> operands, PlanKernel &kernel);
  void readExchange(plan::ExchangeOp op);
  std::vector<unsigned> getTensors(ValueRange values) const {
    auto tensors = llvm::map_range(
        values, [&](Value value) { return tensorOf.lookup(value); });
    return {tensors.begin(), tensors.end()};
  }

  int64_t rank;
  LaunchPlan plan;
  llvm::DenseMap<Value, unsigned> tensorOf;
};
} // namespace

/// Reads a tensor or a view.
LogicalResult PlanReader::readTensor(Operation *op) {
  Value value = op->getResult(0);
  plan::TensorOp owner = plan::getOwner(value);
  PlanTensor tensor = describeTensor(value);
  if (owner.getKind() == plan::TensorKind::Packed)
    return emitError(op->getLoc())
           << "no launch plan for what packs '" << tensor.name
           << "': launchers are given packed tensors";
  for (auto [dim, size] : llvm::enumerate(tensor.shape))
    if (launch::Status fault = checkSize(size))
      return emitError(op->getLoc()) << "dimension " << dim << " of '"
                                     << tensor.name << "': " << fault->text;
  if (op != owner)
    tensor.viewOf = tensorOf.lookup(owner);
  unsigned number = plan.tensors.size();
  tensorOf[value] = number;
  plan.tensors.push_back(std::move(tensor));
  if (op != owner)
    return success();
  if (owner.getKind() == plan::TensorKind::Workspace)
    plan.workspaces.push_back(number);
  if (!owner.getPosition())
    return success();
  if (number != plan.numArguments || number != *owner.getPosition())
    return emitError(op->getLoc())
           << "no launch plan for arguments that do not come first, in order";
  ++plan.numArguments;
  return success();
}

/// Returns the launch attribute of a kernel; null if it is not a kernel.
static tile::LaunchAttr findFacts(plan::LaunchOp op, SymbolRefAttr name) {
  auto device =
      SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(op, name);
  return device ? tile::LaunchAttr::of(device) : tile::LaunchAttr();
}

/// Reads the launch of a kernel, whose arguments are in `operands`: inputs and
/// outputs of the launch, and then the kernel's workspaces.
LogicalResult PlanReader::readKernel(plan::LaunchOp op, SymbolRefAttr name,
                                     ArrayRef<unsigned> operands,
                                     PlanKernel &kernel) {
  tile::LaunchAttr facts = findFacts(op, name);
  if (op.getFactor() || !facts)
    return emitError(op.getLoc())
           << "no launch plan for " << name
           << ": expected a device function with '"
           << tile::LaunchAttr::getAttrName() << "', launched without items";
  kernel.kernel = name.getLeafReference().str();
  kernel.grid = facts.getSchedule().getGrid();
  kernel.cluster = facts.getSchedule().getCluster();
  kernel.threads = facts.getSchedule().getThreads();
  kernel.sharedBytes = facts.getSharedBytes();
  kernel.isProgrammatic = facts.getProgrammatic();
  for (tile::ArgumentAttr argument : facts.getArguments()) {
    if (argument.getOperand() >= static_cast<int64_t>(operands.size()))
      return emitError(op.getLoc())
             << "expected an operand " << argument.getOperand()
             << " for the device function '" << kernel.kernel << "'";
    PlanArgument &added = kernel.arguments.emplace_back();
    added.tensor = operands[argument.getOperand()];
    added.dim = argument.getDim();
    added.isConstant = argument.getConstant();
    switch (argument.getKind()) {
    case tile::ArgumentKind::Pointer:
      added.kind = PlanArgument::Pointer;
      break;
    case tile::ArgumentKind::TensorMap:
      added.kind = PlanArgument::TensorMap;
      added.boxRows = argument.getBox()[0];
      added.boxColumns = argument.getBox()[1];
      if (argument.getBox().size() > 2)
        added.partColumns = argument.getBox()[2];
      break;
    case tile::ArgumentKind::Dim:
      added.kind = PlanArgument::Dim;
      break;
    }
  }
  return success();
}

LogicalResult PlanReader::readLaunch(plan::LaunchOp op) {
  PlanLaunch step;
  step.layer = op.getLayer().value_or(-1);
  step.inputs = getTensors(op.getInputs());
  step.outputs = getTensors(op.getOutputs());
  std::vector<unsigned> operands = step.inputs;
  llvm::append_range(operands, step.outputs);
  llvm::erase_if(step.outputs, [&](unsigned tensor) {
    return llvm::is_contained(plan.workspaces, tensor);
  });
  if (failed(readKernel(op, op.getKernelAttr(), operands, step)))
    return failure();
  tile::LaunchAttr facts = findFacts(op, op.getKernelAttr());
  size_t first = step.inputs.size() + step.outputs.size();
  size_t others = facts.getWorkspaces().size();
  tile::ReportsAttr reports = facts.getReports();
  if (first + others > operands.size() || (reports && others == 0))
    return emitError(op.getLoc())
           << "expected the workspaces of " << op.getKernelAttr()
           << " behind what it writes";
  if (reports)
    step.reports = {
        reports.getChecked() == tile::Checked::Logits ? PlanReports::Logits
                                                      : PlanReports::Indices,
        operands[first + others - 1], reports.getExperts(), reports.getSlots()};
  if (op.getMost()) {
    if (op.getFew() && findFacts(op, op.getFewAttr()).getReports())
      return emitError(op.getLoc())
             << "expected a kernel for few rows without reports, got "
             << op.getFewAttr();
    PlanFewKernel &few = step.few.emplace();
    operands.erase(operands.begin() + first, operands.begin() + first + others);
    ArrayRef<int64_t> pairs = op.getFewSizes();
    for (; !pairs.empty(); pairs = pairs.drop_front(2))
      few.sizes.emplace_back(step.inputs[pairs[0]], pairs[1]);
    few.most = static_cast<int64_t>(*op.getMost());
    if (op.getFew() && failed(readKernel(op, op.getFewAttr(), operands, few)))
      return failure();
  }
  plan.launches.push_back(std::move(step));
  return success();
}

void PlanReader::readExchange(plan::ExchangeOp op) {
  static_assert(static_cast<int>(plan::ExchangeStep::AllReduce) ==
                    PlanRankStep::AllReduce &&
                static_cast<int>(plan::ExchangeStep::Put) == PlanRankStep::Put);
  PlanRankStep step{static_cast<PlanRankStep::Kind>(op.getStep()),
                    static_cast<unsigned>(op.getDim())};
  step.experts = static_cast<int64_t>(op.getExperts().value_or(0));
  if (!step.isTogether()) {
    step.isShare = !op.getOffset();
    step.offset = step.isShare ? rank : *op.getOffset();
  }
  step.starts = op.getStarts();
  step.awaits = op.getAwaits();
  PlanLaunch &launch = plan.launches.emplace_back();
  launch.kernel = getRankStepName(step.kind);
  launch.rankStep = step;
  launch.layer = op.getLayer().value_or(-1);
  launch.inputs = getTensors(op.getInputs());
  launch.outputs = getTensors(op.getOutputs());
}

/// Launchers run each kernel to its end.
static LogicalResult refuseStarted(plan::LaunchOp op) {
  if (!op.getStarts() && !op.getAwaits())
    return success();
  return emitError(op.getLoc())
         << "no launch plan for '" << op->getName() << "' that '"
         << (op.getStarts() ? "starts" : "awaits")
         << "': expected one step in place of the two";
}

FailureOr<LaunchPlan> PlanReader::read(plan::ProgramOp program) {
  for (Operation &op : program.getBody().front())
    if (isa<plan::TensorOp, plan::ViewOp>(op) && failed(readTensor(&op)))
      return failure();
  for (Operation &op : program.getRun().getBody().front()) {
    if (auto launch = dyn_cast<plan::LaunchOp>(op)) {
      if (failed(refuseStarted(launch)) || failed(readLaunch(launch)))
        return failure();
    } else if (auto exchange = dyn_cast<plan::ExchangeOp>(op)) {
      readExchange(exchange);
    } else {
      plan.results = getTensors(cast<plan::ReturnOp>(op).getResults());
    }
  }
  std::vector<bool> parameters;
  for (auto tensor : program.getBody().front().getOps<plan::TensorOp>())
    if (tensor.getPosition())
      parameters.push_back(tensor.getKind() == plan::TensorKind::Parameter);
  for (const launch::Status &fault :
       {checkConstants(plan, parameters), checkStarts(plan)})
    if (fault)
      return emitError(program.getLoc()) << "no launch plan: " << fault->text;
  return std::move(plan);
}

FailureOr<LaunchPlan> parablock::readLaunchPlan(plan::ProgramOp program,
                                                int64_t rank) {
  return PlanReader(rank).read(program);
}

llvm::Error parablock::toError(const launch::Status &status) {
  if (!status)
    return llvm::Error::success();
  if (status->fault == launch::Fault::Missing)
    return llvm::make_error<runner::MissingError>(status->text);
  return llvm::createStringError(status->text);
}
