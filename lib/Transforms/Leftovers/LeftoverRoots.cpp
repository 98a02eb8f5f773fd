//===- LeftoverRoots.cpp - chooses tensors to store -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Results of the function are stored. A reduction is stored, unless a single
// elementwise op reads it and becomes its root: no sum is computed twice. Other
// values are stored if recomputing them at their readers costs more than a
// store and loads.
//
//===----------------------------------------------------------------------===//

#include "LeftoverRoots.h"

#include "LeftoverCost.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Transforms/Leftovers/Leftovers.h"

using namespace mlir;
using namespace parablock;

/// Work that storing an element and loading it again is worth.
static constexpr double kStoreAndLoad = 16;

/// Returns whether `map` is the identity, except in dimensions of size 1 of
/// `shape`.
static bool isIdentity(AffineMap map, ArrayRef<int64_t> shape) {
  if (map.getNumResults() != map.getNumDims())
    return false;
  for (auto [position, expr] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    bool isOwn = dim && dim.getPosition() == position;
    bool isSingle = shape[position] == 1 && isa<AffineConstantExpr>(expr);
    if (!isOwn && !isSingle)
      return false;
  }
  return true;
}

bool parablock::isOwnElement(OpOperand &read) {
  auto reader = dyn_cast<linalg::GenericOp>(read.getOwner());
  if (!reader || reader.getNumReductionLoops() != 0)
    return false;
  auto isIdentityOf = [&](OpOperand &operand) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    return type &&
           isIdentity(reader.getMatchingIndexingMap(&operand), type.getShape());
  };
  // A broadcast of a single element is none.
  auto own = dyn_cast<RankedTensorType>(read.get().getType());
  auto made = cast<RankedTensorType>(reader->getResult(0).getType());
  return own && own.getShape() == made.getShape() && isIdentityOf(read) &&
         llvm::all_of(reader.getDpsInitsMutable(), isIdentityOf);
}

/// Returns whether `op` returns each element of its operand once, in another
/// place.
static bool isPlacement(Operation *op) {
  return isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
      op);
}

static bool isReduction(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && generic.getNumReductionLoops() != 0;
}

namespace {
class RootFinder {
public:
  explicit RootFinder(func::FuncOp function) : function(function) {}

  llvm::SetVector<Operation *> run();

private:
  void findReturned();
  void findReductions();
  void findRepeated();
  /// Returns whether a single op computes a result from each sum of `op`.
  static bool endsElsewhere(Operation *op);
  /// Returns the work for an element of the result of `op`, except loads.
  double countAllWork(Operation *op);

  func::FuncOp function;
  llvm::DenseSet<Operation *> roots;
  DenseMap<Operation *, double> work;
};
} // namespace

/// Returns whether the tensor that `op` returns may be stored; others are
/// always recomputed.
static bool canBeRoot(Operation *op) {
  return !isRemade(op) && !op->hasTrait<OpTrait::IsTerminator>();
}

void RootFinder::findReturned() {
  for (Value value : function.front().getTerminator()->getOperands())
    if (Operation *op = value.getDefiningOp())
      roots.insert(op);
}

bool RootFinder::endsElsewhere(Operation *op) {
  if (op->getNumResults() != 1 || !op->hasOneUse())
    return false;
  OpOperand &read = *op->use_begin();
  return isOwnElement(read) || isPlacement(read.getOwner());
}

void RootFinder::findReductions() {
  // Ops that compute sums, or continue sums of an op that is not a root.
  llvm::DenseSet<Operation *> holding;
  for (Operation &op : function.front()) {
    bool holds = isReduction(&op);
    for (Value operand : op.getOperands())
      if (Operation *maker = operand.getDefiningOp())
        holds |= holding.contains(maker) && !roots.contains(maker);
    if (!holds || !canBeRoot(&op))
      continue;
    holding.insert(&op);
    if (!endsElsewhere(&op))
      roots.insert(&op);
  }
}

double RootFinder::countAllWork(Operation *op) {
  if (auto known = work.find(op); known != work.end())
    return known->second;
  double total = countWork(op);
  for (Value read : findReads(op))
    if (Operation *maker = read.getDefiningOp();
        maker && maker->getBlock() == &function.front() &&
        !roots.contains(maker))
      total += countAllWork(maker);
  return work[op] = total;
}

/// Returns how often each element of the result of `op` is read; `evaluations`
/// is the same for its users.
static double
countEvaluations(Operation *op,
                 const DenseMap<Operation *, double> &evaluations) {
  double total = 0;
  for (OpOperand &read : op->getUses()) {
    Operation *user = op->getBlock()->findAncestorOpInBlock(*read.getOwner());
    total += evaluations.lookup_or(user, 1) * countRepeats(read);
  }
  return total;
}

void RootFinder::findRepeated() {
  DenseMap<Operation *, double> evaluations;
  for (Operation &op : llvm::reverse(function.front())) {
    double times = countEvaluations(&op, evaluations);
    if (canBeRoot(&op) && !roots.contains(&op) && times > 1) {
      double all = countAllWork(&op);
      // For an op that only moves elements, its producer is stored instead.
      if (countWork(&op) > 0 && all > kCheapWork &&
          (times - 1) * all > kStoreAndLoad)
        roots.insert(&op);
    }
    evaluations[&op] = roots.contains(&op) ? 1 : times;
  }
}

llvm::SetVector<Operation *> RootFinder::run() {
  findReturned();
  findReductions();
  findRepeated();
  llvm::SetVector<Operation *> ordered;
  for (Operation &op : function.front())
    if (roots.contains(&op))
      ordered.insert(&op);
  return ordered;
}

llvm::SetVector<Operation *> parablock::findRoots(func::FuncOp function) {
  return RootFinder(function).run();
}
