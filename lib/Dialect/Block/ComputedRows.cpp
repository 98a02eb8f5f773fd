//===- ComputedRows.cpp - rows that a product's kernel computes -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A kernel for few rows computes them in every CTA, in place of a launch before
// it. A backend without such kernels, or with many rows, has that launch.
//
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/ComputedRows.h"

#include "mlir/IR/IRMapping.h"
#include "parablock/Dialect/Block/EraseDead.h"
#include "parablock/Dialect/Block/StatisticsRow.h"

using namespace mlir;
using namespace parablock::block;

int64_t parablock::block::countLeastRows(Type tensorType) {
  int64_t least = 1;
  for (int64_t size : cast<RankedTensorType>(tensorType).getShape().drop_back())
    least *= ShapedType::isDynamic(size) ? 1 : size;
  return least;
}

Value ComputedRows::getSource() const {
  return take ? TakeRowsOp(take).getInput() : NormalizeOp(norm).getInput();
}

bool ComputedRows::mayExceed(int64_t most) const {
  auto type = cast<RankedTensorType>(NormalizeOp(norm).getType());
  ArrayRef<int64_t> sizes = type.getShape().drop_back();
  return llvm::any_of(sizes, ShapedType::isDynamic) ||
         ShapedType::getNumElements(sizes) > most;
}

SmallVector<Operation *> ComputedRows::getOps() const {
  SmallVector<Operation *> ops;
  if (take)
    ops.push_back(take);
  for (Value operand : merge->getOperands())
    if (auto taken = operand.getDefiningOp<TakeRowsOp>())
      ops.push_back(taken);
  ops.push_back(merge);
  ops.push_back(norm);
  return ops;
}

std::optional<ComputedRows> parablock::block::findComputedRows(Value rows) {
  ComputedRows found;
  found.norm = rows.getDefiningOp<NormalizeOp>();
  if (!found.norm || found.norm.getGroups() != 1)
    return std::nullopt;
  found.merge = found.norm.getMoment().getDefiningOp<MergeStatsOp>();
  if (!found.merge || (found.norm.getMean() &&
                       found.norm.getMean().getDefiningOp() != found.merge))
    return std::nullopt;
  found.take = found.norm.getInput().getDefiningOp<TakeRowsOp>();
  // Statistics are those of the same rows.
  for (Value partial : found.merge->getOperands()) {
    auto taken = partial.getDefiningOp<TakeRowsOp>();
    if (!taken != !found.take ||
        (taken && taken.getRows() != found.take.getRows()))
      return std::nullopt;
  }
  return found;
}

bool parablock::block::canComputeRows(Operation *op) {
  return isa<HeadOp, LinearOp>(op);
}

/// Returns the product of `kernel`; null if it cannot compute rows.
static Operation *findProduct(KernelOp kernel) {
  Block &body = kernel.getBody().front();
  auto found =
      llvm::find_if(body, [](Operation &op) { return canComputeRows(&op); });
  return found == body.end() ? nullptr : &*found;
}

/// Returns whether the partial statistics are known to be those of the rows.
static bool areOfRows(KernelOp kernel, const ComputedRows &rows) {
  Block *body = &kernel.getBody().front();
  auto findOutside = [&](Value value) {
    if (auto take = value.getDefiningOp<TakeRowsOp>();
        take && take->getBlock() == body)
      value = take.getInput();
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == body
               ? kernel.getInputs()[argument.getArgNumber()]
               : value;
  };
  Value source = findOutside(rows.getSource());
  return llvm::all_of(rows.merge->getOperands(), [&](Value partial) {
    Value row = findStatisticsRow(findOutside(partial));
    return row && findOutside(row) == source;
  });
}

/// Returns whether a launch in front of a kernel can read `value`, too.
static bool isGiven(Value value) {
  if (auto take = value.getDefiningOp<TakeRowsOp>())
    return llvm::all_of(take->getOperands(), llvm::IsaPred<BlockArgument>);
  return isa<BlockArgument>(value);
}

std::optional<ComputedRows>
parablock::block::findComputedRows(KernelOp kernel) {
  Operation *product = findProduct(kernel);
  std::optional<ComputedRows> found =
      product ? findComputedRows(product->getOperand(0)) : std::nullopt;
  if (!found)
    return std::nullopt;
  auto isOwnOrGiven = [&](Value operand) {
    return operand.getDefiningOp() == found->merge || isGiven(operand);
  };
  if (!llvm::all_of(found->norm->getOperands(), isOwnOrGiven) ||
      !llvm::all_of(found->merge->getOperands(), isGiven))
    return std::nullopt;
  return found;
}

SeparateRows parablock::block::computeRowsBefore(KernelOp kernel,
                                                 const ComputedRows &rows) {
  Block &body = kernel.getBody().front();
  IRMapping outside;
  outside.map(body.getArguments(), kernel.getInputs());
  OpBuilder builder(kernel);
  SeparateRows made;
  NormalizeOp norm = rows.norm;
  MergeStatsOp merge = rows.merge;
  Location loc = norm.getLoc();
  SmallVector<Value> read = {norm.getInput()};
  for (Value operand : norm->getOperands())
    if (operand != norm.getInput() && operand.getDefiningOp() != merge)
      read.push_back(operand);
  // Given statistics of anything else remain what they are.
  bool computesOwn = areOfRows(kernel, rows);
  if (!computesOwn)
    llvm::append_range(read, merge->getOperands());
  SmallVector<Value> inputs = llvm::map_to_vector(read, [&](Value value) {
    auto take = value.getDefiningOp<TakeRowsOp>();
    if (!take)
      return outside.lookup(value);
    return Value(TakeRowsOp::create(builder, take.getLoc(), take.getType(),
                                    outside.lookup(take.getInput()),
                                    outside.lookup(take.getRows())));
  });
  if (rows.take)
    made.take = inputs.front().getDefiningOp<TakeRowsOp>();
  made.norm =
      KernelOp::create(builder, loc, norm.getType(), inputs, KernelKind::Rows);
  Block &own = made.norm.getBody().emplaceBlock();
  IRMapping mapping;
  for (Value value : read)
    mapping.map(value, own.addArgument(value.getType(), loc));
  OpBuilder inner = OpBuilder::atBlockEnd(&own);
  if (computesOwn) {
    auto stats = NormStatsOp::create(inner, loc, merge.getResultTypes(),
                                     own.getArgument(0),
                                     static_cast<bool>(norm.getMean()));
    mapping.map(ValueRange(merge.getResults()),
                ValueRange(stats.getStatistics()));
  } else {
    inner.clone(*merge, mapping);
  }
  Operation *copy = inner.clone(*norm, mapping);
  YieldOp::create(inner, loc, copy->getResults());
  kernel.getInputsMutable().append(made.norm.getResult(0));
  body.addArgument(norm.getType(), loc);
  return made;
}

void parablock::block::readLastOperand(KernelOp kernel) {
  Block &body = kernel.getBody().front();
  Operation *product = findProduct(kernel);
  std::optional<ComputedRows> rows = findComputedRows(product->getOperand(0));
  SmallVector<Operation *> ops = rows->getOps();
  product->setOperand(0, body.getArguments().back());
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty())
      op->erase();
}

void parablock::block::separateRows(Operation *root, int64_t most) {
  SmallVector<KernelOp> kernels;
  root->walk([&](KernelOp kernel) { kernels.push_back(kernel); });
  for (KernelOp kernel : kernels) {
    std::optional<ComputedRows> rows = findComputedRows(kernel);
    if (!rows || !rows->mayExceed(most))
      continue;
    computeRowsBefore(kernel, *rows);
    readLastOperand(kernel);
    Block &body = kernel.getBody().front();
    for (int64_t i = body.getNumArguments() - 1; i >= 0; --i)
      if (body.getArgument(i).use_empty()) {
        body.eraseArgument(i);
        kernel->eraseOperand(i);
      }
  }
}
