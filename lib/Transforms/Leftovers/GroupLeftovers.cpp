//===- GroupLeftovers.cpp - builds cones and merges groups ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each root opens a kernel, or joins one with a root of the same indices
// that it reads element for element, or that shares an input. Kernels must
// remain in an order in which each can be launched, between the ops outside
// kernels.
//
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/Leftovers/GroupLeftovers.h"
#include "parablock/Analysis/Dataflow.h"

#include "LeftoverRoots.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Transforms/Leftovers/Leftovers.h"
#include "llvm/ADT/MapVector.h"
#include <limits>

using namespace mlir;
using namespace parablock;

/// Results of one kernel, and how many kernels back one is looked for.
static constexpr unsigned kMostRoots = 8, kMostCandidates = 16;

namespace {
/// The ops that a root takes.
struct Cone {
  llvm::DenseSet<Operation *> ops;
  /// True for an op that is read at the place that is computed alone.
  DenseMap<Operation *, bool> isOwnOp;
  llvm::SetVector<Value> inputs;
  /// Inputs whose elements are read, and whether only at the computed
  /// place.
  llvm::MapVector<Value, bool> isOwn;
};

class Grouper {
public:
  Grouper(func::FuncOp function, const LeftoverPlaces &places)
      : function(function), places(places), roots(findRoots(function)) {}

  FailureOr<std::vector<LeftoverGroup>> run();

private:
  Cone &makeCone(Operation *root);
  void addReads(Cone &cone, Operation *op, bool isOwn);
  bool canShare(Operation *root, unsigned group);
  /// Moves the root of kernel `own` to `group` where they can be one.
  bool join(unsigned own, unsigned group);
  static bool haveSameLoops(Operation *first, Operation *second);
  /// Orders kernels and finds their places; fails if there is no order.
  bool schedule();
  llvm::SetVector<unsigned> findReadGroups(unsigned group);
  LeftoverGroup describe(unsigned group);

  func::FuncOp function;
  const LeftoverPlaces &places;
  llvm::SetVector<Operation *> roots;
  DenseMap<Operation *, Cone> cones;
  std::vector<SmallVector<Operation *>> groups;
  DenseMap<Operation *, unsigned> groupOf;
  /// The last schedule that there was.
  SmallVector<unsigned> order, before;
};
} // namespace

//===----------------------------------------------------------------------===//
// Ops below a root
//===----------------------------------------------------------------------===//

/// Returns whether `read` requires elements, not just the shape.
static bool asksForElements(OpOperand &read) {
  if (isa<tensor::DimOp>(read.getOwner()))
    return false;
  auto generic = dyn_cast<linalg::GenericOp>(read.getOwner());
  return !generic || generic.payloadUsesValueFromOperand(&read);
}

void Grouper::addReads(Cone &cone, Operation *op, bool isOwn) {
  // An op that is also read at other elements is visited again.
  auto [known, isNew] = cone.isOwnOp.try_emplace(op, isOwn);
  if (!isNew && known->second <= isOwn)
    return;
  known->second = isOwn;
  cone.ops.insert(op);
  auto add = [&](Value value, bool isOwnRead, bool hasElements) {
    Operation *maker = value.getDefiningOp();
    if (maker && !roots.contains(maker)) {
      addReads(cone, maker, isOwnRead);
      return;
    }
    cone.inputs.insert(value);
    if (hasElements)
      cone.isOwn.try_emplace(value, true).first->second &= isOwnRead;
  };
  for (OpOperand &read : op->getOpOperands())
    add(read.get(), isOwn && isOwnElement(read), asksForElements(read));
  for (Value value : findReads(op))
    if (!llvm::is_contained(op->getOperands(), value))
      add(value, /*isOwnRead=*/false, /*hasElements=*/true);
}

Cone &Grouper::makeCone(Operation *root) {
  Cone &cone = cones[root];
  addReads(cone, root, /*isOwn=*/true);
  return cone;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

llvm::SetVector<unsigned> Grouper::findReadGroups(unsigned group) {
  llvm::SetVector<unsigned> read;
  for (Operation *root : groups[group])
    for (Value input : cones[root].inputs)
      if (Operation *maker = input.getDefiningOp())
        if (unsigned other = groupOf.lookup(maker); other != group)
          read.insert(other);
  return read;
}

bool Grouper::schedule() {
  SmallVector<unsigned> sequence, waiting(groups.size(), 0);
  std::vector<SmallVector<unsigned>> readers(groups.size());
  for (unsigned group = 0; group < groups.size(); ++group)
    for (unsigned other : findReadGroups(group)) {
      readers[other].push_back(group);
      ++waiting[group];
    }
  for (unsigned group = 0; group < groups.size(); ++group)
    if (waiting[group] == 0)
      sequence.push_back(group);
  for (unsigned next = 0; next < sequence.size(); ++next)
    for (unsigned reader : readers[sequence[next]])
      if (--waiting[reader] == 0)
        sequence.push_back(reader);
  if (sequence.size() != groups.size())
    return false;

  SmallVector<unsigned> after(groups.size(), 0);
  SmallVector<unsigned> until(groups.size(),
                              std::numeric_limits<unsigned>::max());
  for (unsigned group : sequence) {
    for (Operation *root : groups[group])
      for (Value input : cones[root].inputs)
        if (auto argument = dyn_cast<BlockArgument>(input))
          after[group] =
              std::max(after[group], places.arguments[argument.getArgNumber()]);
    for (unsigned reader : readers[group])
      after[reader] = std::max(after[reader], after[group]);
  }
  for (OpOperand &result : function.front().getTerminator()->getOpOperands())
    if (Operation *root = result.get().getDefiningOp()) {
      unsigned &place = until[groupOf.lookup(root)];
      place = std::min(place, places.results[result.getOperandNumber()]);
    }
  for (unsigned group : llvm::reverse(sequence)) {
    for (unsigned reader : readers[group])
      until[group] = std::min(until[group], until[reader]);
    if (after[group] > until[group])
      return false;
  }
  order = std::move(sequence);
  before = std::move(until);
  return true;
}

//===----------------------------------------------------------------------===//
// Sharing
//===----------------------------------------------------------------------===//

/// Returns the sizes of the loops whose indices are places of results, or none
/// if results are placed differently.
static std::optional<SmallVector<int64_t>> findDomain(Operation *root) {
  auto generic = dyn_cast<linalg::GenericOp>(root);
  if (!generic)
    return std::nullopt;
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(root->getResult(0).getType()).getShape();
  for (OpOperand &init : generic.getDpsInitsMutable()) {
    AffineMap map = generic.getMatchingIndexingMap(&init);
    if (!map.isProjectedPermutation() ||
        cast<RankedTensorType>(init.get().getType()).getShape() != shape)
      return std::nullopt;
  }
  return llvm::to_vector(shape);
}

bool Grouper::haveSameLoops(Operation *first, Operation *second) {
  auto domain = findDomain(first);
  if (!domain || domain != findDomain(second))
    return false;
  auto one = cast<linalg::GenericOp>(first);
  auto other = cast<linalg::GenericOp>(second);
  // Reductions share a loop over their summands, elementwise ops have none.
  return one.getNumReductionLoops() == 0 || other.getNumReductionLoops() == 0 ||
         one.getStaticLoopRanges() == other.getStaticLoopRanges();
}

bool Grouper::canShare(Operation *root, unsigned group) {
  ArrayRef<Operation *> members = groups[group];
  if (members.size() >= kMostRoots)
    return false;
  Cone &own = cones[root];
  bool isRelated = false;
  bool isStatic = llvm::all_of(root->getResultTypes(), [](Type type) {
    return cast<ShapedType>(type).hasStaticShape();
  });
  for (Operation *member : members) {
    if (!haveSameLoops(member, root))
      return false;
    for (Value result : member->getResults())
      if (auto read = own.isOwn.find(result); read != own.isOwn.end()) {
        if (!read->second)
          return false;
        isRelated = true;
      }
    for (auto [input, isOwnRead] : own.isOwn)
      if (auto read = cones[member].isOwn.find(input);
          read != cones[member].isOwn.end())
        // An operand that both read at the result's place has their shape.
        isRelated |= isStatic || (isOwnRead && read->second);
  }
  return isRelated;
}

bool Grouper::join(unsigned own, unsigned group) {
  Operation *root = groups[own].front();
  if (groups[group].empty() || !canShare(root, group))
    return false;
  groups[own].clear();
  groups[group].push_back(root);
  groupOf[root] = group;
  if (schedule())
    return true;
  groups[group].pop_back();
  groups[own].push_back(root);
  groupOf[root] = own;
  return false;
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

LeftoverGroup Grouper::describe(unsigned group) {
  LeftoverGroup made;
  made.before = before[group];
  made.roots.insert_range(groups[group]);
  for (Operation *root : groups[group]) {
    const Cone &cone = cones[root];
    made.ops.insert(cone.ops.begin(), cone.ops.end());
    for (Value input : cone.inputs)
      if (!input.getDefiningOp() || !made.roots.contains(input.getDefiningOp()))
        made.inputs.insert(input);
  }
  for (Operation *root : groups[group])
    for (Value result : root->getResults()) {
      bool isRead = llvm::any_of(result.getUsers(), [&](Operation *user) {
        user = function.front().findAncestorOpInBlock(*user);
        if (user == function.front().getTerminator())
          return true;
        return llvm::any_of(roots, [&](Operation *reader) {
          return !made.roots.contains(reader) &&
                 cones[reader].inputs.contains(result);
        });
      });
      if (isRead)
        made.results.push_back(result);
    }
  return made;
}

FailureOr<std::vector<LeftoverGroup>> Grouper::run() {
  for (Operation *root : roots) {
    makeCone(root);
    groupOf[root] = groups.size();
    groups.push_back({root});
  }
  if (!schedule()) {
    function.emitError("expected an order of the kernels of ops that are no "
                       "blocks, found none");
    return failure();
  }
  // In order, so that a kernel that a root joins is as large as it gets.
  for (unsigned own = 0; own < groups.size(); ++own) {
    unsigned first = own > kMostCandidates ? own - kMostCandidates : 0;
    for (unsigned group = own; group-- > first;)
      if (join(own, group))
        break;
  }
  std::vector<LeftoverGroup> made;
  for (unsigned group : order)
    if (!groups[group].empty())
      made.push_back(describe(group));
  return made;
}

FailureOr<std::vector<LeftoverGroup>>
parablock::groupLeftovers(func::FuncOp function, const LeftoverPlaces &places) {
  return Grouper(function, places).run();
}
