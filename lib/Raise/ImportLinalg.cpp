//===- ImportLinalg.cpp - structured ops as expressions -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Named or generic, every structured op has indexing maps, iterator kinds and a
// body, and nothing else is looked at.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock::raise;

namespace {

/// The loops of an op: those of the result in its order, then the reductions.
struct Loops {
  SmallVector<int64_t> ranges;
  SmallVector<unsigned> order;
  int64_t results = 1, reductions = 1;

  Layout getLayout(ArrayRef<int64_t> strides, int64_t offset) const {
    SmallVector<Digit> digits;
    for (unsigned loop : order)
      digits.push_back({ranges[loop], strides[loop]});
    return Layout(digits, offset);
  }
  int64_t getSize() const { return results * reductions; }
};

/// Adds `factor` times an affine expression to strides and offset.
bool addExpression(AffineExpr expression, int64_t factor,
                   MutableArrayRef<int64_t> strides, int64_t &offset) {
  if (auto dim = dyn_cast<AffineDimExpr>(expression)) {
    strides[dim.getPosition()] += factor;
    return true;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expression)) {
    offset += factor * constant.getValue();
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!binary)
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return addExpression(binary.getLHS(), factor, strides, offset) &&
           addExpression(binary.getRHS(), factor, strides, offset);
  auto by = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return binary.getKind() == AffineExprKind::Mul && by &&
         addExpression(binary.getLHS(), factor * by.getValue(), strides,
                       offset);
}

std::optional<Layout> getAccess(const Loops &loops, AffineMap map,
                                ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(loops.ranges.size(), 0);
  int64_t offset = 0;
  for (auto [expression, place] : llvm::zip(map.getResults(), getPlaces(shape)))
    if (!addExpression(expression, place, strides, offset))
      return std::nullopt;
  return loops.getLayout(strides, offset);
}

std::optional<Loops> getLoops(linalg::LinalgOp op) {
  Loops loops;
  loops.ranges = op.getStaticLoopRanges();
  if (llvm::any_of(loops.ranges, ShapedType::isDynamic) ||
      op.getNumDpsInits() == 0)
    return std::nullopt;
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (AffineExpr expression : out.getResults()) {
    if (isa<AffineConstantExpr>(expression))
      continue;
    auto dim = dyn_cast<AffineDimExpr>(expression);
    if (!dim || llvm::is_contained(loops.order, dim.getPosition()))
      return std::nullopt;
    loops.order.push_back(dim.getPosition());
    loops.results *= loops.ranges[dim.getPosition()];
  }
  for (auto [loop, kind] : llvm::enumerate(kinds)) {
    if (llvm::is_contained(loops.order, loop))
      continue;
    if (kind == utils::IteratorType::parallel && loops.ranges[loop] != 1)
      return std::nullopt;
    loops.order.push_back(loop);
    loops.reductions *= loops.ranges[loop];
  }
  return loops;
}

std::optional<Kind> getReduction(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Kind>>(op)
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return Kind::ReduceSum; })
      .Case<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp>(
          [](auto) { return Kind::ReduceMax; })
      .Case([](arith::AndIOp) { return Kind::ReduceAnd; })
      .Case([](arith::OrIOp) { return Kind::ReduceOr; })
      .Default(std::nullopt);
}

/// True where a reduction that starts from `init` is one that starts from
/// nothing.
bool isNeutral(Kind op, const Term &init) {
  std::optional<double> number = init ? getSplat(init) : std::nullopt;
  if (!number)
    return false;
  switch (op) {
  case Kind::ReduceSum:
  case Kind::ReduceOr:
    return *number == 0;
  case Kind::ReduceMax:
    return *number <= -3.4e38;
  default:
    return *number != 0;
  }
}

/// True where `value` is computed from `argument` in the same body.
bool dependsOn(Value value, Value argument) {
  if (value == argument)
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == argument.getParentBlock() &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return dependsOn(operand, argument);
         });
}

} // namespace

/// True where an assertion in a body says nothing more than what is computed:
/// it holds anyway, or it is about places that a table is read at.
static bool isImplied(Block *body, const Term &condition) {
  if (!condition)
    return false;
  if (condition.node->source != Source::Constant)
    return !body->getOps<tensor::ExtractOp>().empty();
  const std::vector<double> *numbers = evaluate(condition.node);
  return numbers && llvm::all_of(*numbers, [](double n) { return n != 0; });
}

bool Importer::importLinalg(linalg::LinalgOp op) {
  std::optional<Loops> loops = getLoops(op);
  if (!loops)
    return false;
  Block *body = op.getBlock();
  DenseMap<Value, Term> inside;
  SmallVector<Term> inits;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    Term term = get(value);
    std::optional<Layout> access =
        getAccess(*loops, op.getMatchingIndexingMap(&operand), getShape(value));
    if (!access)
      return false;
    bool isInit = op.isDpsInit(&operand);
    if (term)
      term = graph.read(term, *access);
    else if (!isInit)
      return false;
    if (isInit)
      inits.push_back(get(value));
    if (term)
      inside[body->getArgument(operand.getOperandNumber())] = term;
  }
  auto getInside = [&](Value value) -> Term {
    auto found = inside.find(value);
    if (found != inside.end())
      return found->second;
    Term outer = value.getParentBlock() == body ? Term() : get(value);
    if (!outer || outer.getSize() != 1)
      return {};
    return graph.read(outer, Layout::broadcast(loops->getSize()));
  };
  for (Operation &inner : body->without_terminator()) {
    if (auto assertion = dyn_cast<cf::AssertOp>(inner);
        assertion && isImplied(body, getInside(assertion.getArg()))) {
      asserting.insert(op);
      continue;
    }
    if (inner.getNumResults() != 1)
      return false;
    Term term;
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      SmallVector<int64_t> strides(loops->ranges.size(), 0);
      strides[index.getDim()] = 1;
      term = graph.iota(loops->getLayout(strides, 0));
    } else if (auto extracted = dyn_cast<tensor::ExtractOp>(inner)) {
      SmallVector<Term> indices;
      for (Value value : extracted.getIndices())
        indices.push_back(getInside(value));
      Term table = get(extracted.getTensor());
      if (table && llvm::all_of(indices, [](const Term &t) { return bool(t); }))
        term = indices.empty()
                   ? graph.read(table, Layout::broadcast(loops->getSize()))
                   : extract(table, getShape(extracted.getTensor()), indices);
    } else if (Term constant = importConstant(&inner)) {
      term = graph.read(constant, Layout::broadcast(loops->getSize()));
    } else {
      SmallVector<Term> operands;
      for (Value value : inner.getOperands())
        operands.push_back(getInside(value));
      if (llvm::all_of(operands, [](const Term &t) { return bool(t); }))
        term = importScalar(&inner, operands);
    }
    if (term)
      inside[inner.getResult(0)] = term;
  }
  bool complete = true;
  for (auto [number, yielded] :
       llvm::enumerate(body->getTerminator()->getOperands())) {
    if (op->getNumResults() <= number)
      return false;
    Value result = op->getResult(number);
    Term term = getInside(yielded);
    if (loops->reductions > 1) {
      // One operand of the last operation is what was reduced so far.
      Value sofar = body->getArgument(op.getNumDpsInputs() + number);
      Operation *last = yielded.getDefiningOp();
      std::optional<Kind> kind =
          last && last->getBlock() == body ? getReduction(last) : std::nullopt;
      term = {};
      if (kind && llvm::is_contained(last->getOperands(), sofar)) {
        Value other = last->getOperand(last->getOperand(0) == sofar);
        Term reduced = dependsOn(other, sofar) ? Term() : getInside(other);
        if (reduced) {
          term = graph.reduce(*kind, reduced, loops->reductions);
          if (!isNeutral(*kind, inits[number]))
            term = *kind == Kind::ReduceSum && inits[number]
                       ? graph.add(term, inits[number])
                       : Term();
        }
      }
      term = roundToType(graph, term, result.getType());
    }
    if (term && term.getSize() == loops->results)
      set(result, term);
    else
      complete = false;
  }
  return complete;
}
