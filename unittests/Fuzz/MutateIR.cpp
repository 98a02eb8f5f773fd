//===- MutateIR.cpp - IR made wrong ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MutateIR.h"

#include "MutateText.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::fuzz;

template <typename T> static std::string print(T value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

/// An attribute of the same kind with another number or word; `old` where that
/// text is no attribute.
static Attribute mutateAttribute(Attribute old, Random &random) {
  std::string text = mutateWord(print(old), random);
  Attribute changed = parseAttribute(text, old.getContext());
  return changed && changed.getTypeID() == old.getTypeID() ? changed : old;
}

static Type mutateType(Type old, Random &random) {
  std::string text = mutateWord(print(old), random);
  Type changed = parseType(text, old.getContext());
  return changed ? changed : old;
}

static void changeAttribute(Operation *op, Random &random) {
  ArrayRef<NamedAttribute> attributes = op->getAttrs();
  if (attributes.empty())
    return;
  NamedAttribute attribute = random.among(attributes);
  if (random.chance(15))
    op->removeAttr(attribute.getName());
  else
    op->setAttr(attribute.getName(),
                mutateAttribute(attribute.getValue(), random));
}

/// Values that are there before `op`, of the type of `like` where it is given.
static SmallVector<Value> collectValuesBefore(Operation *op, Value like) {
  SmallVector<Value> values;
  auto add = [&](Value value) {
    if (!like || value.getType() == like.getType())
      values.push_back(value);
  };
  for (; op && !isa<ModuleOp>(op); op = op->getParentOp()) {
    llvm::for_each(op->getBlock()->getArguments(), add);
    for (Operation *before = op->getPrevNode(); before;
         before = before->getPrevNode())
      llvm::for_each(before->getResults(), add);
  }
  return values;
}

static void changeOperand(Operation *op, Random &random) {
  if (op->getNumOperands() == 0)
    return;
  OpOperand &operand = op->getOpOperand(random.below(op->getNumOperands()));
  bool sameType = random.chance(80);
  SmallVector<Value> values =
      collectValuesBefore(op, sameType ? operand.get() : Value());
  if (!values.empty())
    operand.set(random.among(values));
}

static void swapOperands(Operation *op, Random &random) {
  if (op->getNumOperands() < 2)
    return;
  unsigned a = random.below(op->getNumOperands());
  unsigned b = random.below(op->getNumOperands());
  Value value = op->getOperand(a);
  op->setOperand(a, op->getOperand(b));
  op->setOperand(b, value);
}

static void changeType(Operation *op, Random &random) {
  if (auto function = dyn_cast<func::FuncOp>(op)) {
    if (function.getNumArguments() == 0 || function.isExternal())
      return;
    BlockArgument argument =
        function.getArgument(random.below(function.getNumArguments()));
    argument.setType(mutateType(argument.getType(), random));
    function.setFunctionType(FunctionType::get(
        op->getContext(), function.getBody().front().getArgumentTypes(),
        function.getResultTypes()));
  } else if (op->getNumResults()) {
    Value result = op->getResult(random.below(op->getNumResults()));
    result.setType(mutateType(result.getType(), random));
  }
}

/// Uses of the results read earlier values of the same types instead.
static void bypass(Operation *op, Random &random) {
  for (Value result : op->getResults()) {
    SmallVector<Value> values = collectValuesBefore(op, result);
    if (values.empty())
      return;
    result.replaceAllUsesWith(random.among(values));
  }
  if (op->getNumResults())
    op->erase();
}

static void repeat(Operation *op, Random &random) {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return;
  Operation *copy = op->clone();
  op->getBlock()->getOperations().insertAfter(op->getIterator(), copy);
  for (auto [before, after] : llvm::zip(op->getResults(), copy->getResults()))
    before.replaceUsesWithIf(after, [&](OpOperand &use) {
      return use.getOwner() != copy && random.chance(50);
    });
}

static void move(Operation *op, Random &random) {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return;
  Block *block = op->getBlock();
  op->moveBefore(block, std::next(block->begin(),
                                  random.below(block->getOperations().size())));
}

static void change(Operation *op, Random &random) {
  switch (random.below(12)) {
  case 0:
  case 1:
    return changeOperand(op, random);
  case 2:
    return swapOperands(op, random);
  case 3:
    return changeType(op, random);
  case 4:
    return bypass(op, random);
  case 5:
    return repeat(op, random);
  case 6:
    return random.chance(30) ? move(op, random) : changeOperand(op, random);
  case 7:
    if (random.chance(20) && op->getNumOperands())
      op->eraseOperand(random.below(op->getNumOperands()));
    return;
  default:
    return changeAttribute(op, random);
  }
}

void fuzz::mutateIR(ModuleOp module, Random &random) {
  for (uint64_t count = 1 + random.below(3); count > 0; --count) {
    SmallVector<Operation *> ops;
    module.walk([&](Operation *op) {
      if (op != module)
        ops.push_back(op);
    });
    if (!ops.empty())
      change(random.among(ops), random);
  }
}
