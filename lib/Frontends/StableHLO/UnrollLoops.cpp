//===- UnrollLoops.cpp - loops with a known number of turns ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A scan over layers is a loop whose counter selects the layer's weights. It is
// unrolled, so that each layer reads its own.
//
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "Rewrites.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/IRMapping.h"
#include "parablock/Frontends/StableHLO/StableHLO.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::hlo;

static std::optional<int64_t> getNumber(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getName().getStringRef() != "stablehlo.constant")
    return std::nullopt;
  auto dense =
      dyn_cast_or_null<DenseIntElementsAttr>(Conversion(op).get("value"));
  if (!dense || !dense.isSplat())
    return std::nullopt;
  return dense.getSplatValue<APInt>().getSExtValue();
}

namespace {
/// `while (counter < limit) { ..; counter += step; }`
class Loop {
public:
  explicit Loop(Operation *op) : op(op) {}

  bool isWellFormed() {
    return op->getNumRegions() == 2 &&
           llvm::all_of(op->getRegions(),
                        [&](Region &region) {
                          return region.hasOneBlock() &&
                                 !region.front().empty() &&
                                 region.front().getArgumentTypes() ==
                                     op->getOperandTypes();
                        }) &&
           getYielded(1).size() == op->getNumOperands() &&
           op->getResultTypes() == op->getOperandTypes();
  }
  std::optional<int64_t> countTurns();
  void writeOut(int64_t turns);
  int64_t countOps() {
    int64_t ops = 0;
    op->getRegion(1).walk([&](Operation *) { ++ops; });
    return ops;
  }

private:
  OperandRange getYielded(unsigned region) {
    return op->getRegion(region).front().back().getOperands();
  }
  /// Returns the index of the loop-carried value that equals a value of a
  /// region.
  std::optional<unsigned> getCarried(Value value, unsigned region) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != &op->getRegion(region).front())
      return std::nullopt;
    return argument.getArgNumber();
  }
  /// Returns a number, including one that the loop passes on unchanged.
  std::optional<int64_t> getFixed(Value value, unsigned region) {
    std::optional<unsigned> carried = getCarried(value, region);
    if (carried && getCarried(getYielded(1)[*carried], 1) == carried)
      value = op->getOperand(*carried);
    return getNumber(value);
  }

  Operation *op;
};
} // namespace

std::optional<int64_t> Loop::countTurns() {
  if (!isWellFormed() || getYielded(0).size() != 1)
    return std::nullopt;
  Operation *test = getYielded(0).front().getDefiningOp();
  if (!test || test->getName().getStringRef() != "stablehlo.compare" ||
      test->getNumOperands() != 2)
    return std::nullopt;
  std::optional<unsigned> counter = getCarried(test->getOperand(0), 0);
  std::optional<int64_t> limit = getFixed(test->getOperand(1), 0);
  StringRef direction = Conversion(test).getDirection();
  if (!counter || !limit || (direction != "LT" && direction != "LE"))
    return std::nullopt;
  std::optional<int64_t> first = getNumber(op->getOperand(*counter));
  Operation *next = getYielded(1)[*counter].getDefiningOp();
  if (!first || !next || next->getName().getStringRef() != "stablehlo.add" ||
      next->getNumOperands() != 2)
    return std::nullopt;
  bool isFirst = getCarried(next->getOperand(0), 1) == counter;
  if (!isFirst && getCarried(next->getOperand(1), 1) != counter)
    return std::nullopt;
  std::optional<int64_t> step = getFixed(next->getOperand(isFirst), 1);
  if (!step || *step <= 0)
    return std::nullopt;
  int64_t distance = *limit - *first + (direction == "LE");
  return distance <= 0 ? 0 : (distance + *step - 1) / *step;
}

void Loop::writeOut(int64_t turns) {
  OpBuilder builder(op);
  SmallVector<Value> values(op->getOperands());
  Block &body = op->getRegion(1).front();
  for (int64_t turn = 0; turn < turns; ++turn) {
    IRMapping mapping;
    mapping.map(body.getArguments(), values);
    for (Operation &inner : llvm::drop_end(body))
      builder.clone(inner, mapping);
    values = llvm::map_to_vector(getYielded(1), [&](Value value) {
      return mapping.lookupOrDefault(value);
    });
  }
  op->replaceAllUsesWith(values);
  op->erase();
}

static Operation *findLoop(ModuleOp module) {
  Operation *found = nullptr;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getName().getStringRef() != "stablehlo.while")
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

LogicalResult hlo::unrollLoops(ModuleOp module) {
  Operation *op = findLoop(module);
  if (!op)
    return success();
  // Counters reach their uses through calls.
  inlineCalls(module);
  int64_t ops = 0;
  while ((op = findLoop(module))) {
    Loop loop(op);
    std::optional<int64_t> turns = loop.countTurns();
    if (!turns)
      return op->emitError("'stablehlo.while' has no counterpart that is read "
                           "here: its turns are not counted by constants");
    int64_t each = loop.countOps();
    if (*turns > kMostOps || (ops += *turns * each) > kMostOps)
      return op->emitError("'stablehlo.while' has no counterpart that is read "
                           "here: expected at most ")
             << kMostOps << " ops in all of its turns, got " << *turns
             << " turns of " << each;
    loop.writeOut(*turns);
  }
  return success();
}
