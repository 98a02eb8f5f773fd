//===- ImportLinalg.cpp - structured ops as expressions -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every structured op, named or generic, has indexing maps, iterator kinds and
// a body; only these are read.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "parablock/Analysis/Dataflow.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock::raise;

namespace {

/// The loops of an op, or a part of them: those of the result in its order,
/// then the reductions.
struct Loops {
  SmallVector<int64_t> ranges, starts;
  SmallVector<unsigned> order;
  int64_t results = 1, reductions = 1;

  Layout getLayout(ArrayRef<int64_t> strides, int64_t offset) const {
    SmallVector<Digit> digits;
    for (unsigned loop : order) {
      digits.push_back({ranges[loop], strides[loop]});
      offset += starts[loop] * strides[loop];
    }
    return Layout(digits, offset);
  }
  int64_t getSize() const { return results * reductions; }
  /// Returns the distance of neighbours of a loop in positions of the result.
  int64_t getStep(unsigned loop) const {
    int64_t step = 1;
    for (unsigned inner : llvm::reverse(order)) {
      if (inner == loop)
        break;
      step *= ranges[inner];
    }
    return step;
  }
  /// `size` turns of a loop of the result from `first` on.
  Loops getPart(unsigned loop, int64_t first, int64_t size) const {
    Loops part = *this;
    part.results = results / ranges[loop] * size;
    part.starts[loop] += first;
    part.ranges[loop] = size;
    return part;
  }
};

/// The iteration of a loop before which the op's computation changes.
struct Cut {
  unsigned loop;
  int64_t at;
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
  loops.starts.assign(loops.ranges.size(), 0);
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

/// Returns whether `init` is the neutral element of a
/// reduction.
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
  return parablock::walkSources(
             value,
             [&](Value source) {
               if (source == argument)
                 return WalkResult::interrupt();
               Operation *op = source.getDefiningOp();
               bool isInside =
                   op && op->getBlock() == argument.getParentBlock();
               return isInside ? WalkResult::advance() : WalkResult::skip();
             })
      .wasInterrupted();
}

} // namespace

/// Returns whether an assertion in a body is redundant: it always holds, or it
/// checks places at which a table is read.
static bool isImplied(Block *body, const Term &condition) {
  if (!condition)
    return false;
  if (condition.node->source != Source::Constant)
    return !body->getOps<tensor::ExtractOp>().empty();
  const std::vector<double> *numbers = evaluate(condition.node);
  return numbers && llvm::all_of(*numbers, [](double n) { return n != 0; });
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

namespace {

/// The effect of a body on the elements that a part of the loops passes.
class Body {
public:
  Body(Importer &importer, linalg::LinalgOp op, const Loops &loops)
      : importer(importer), graph(importer.graph), op(op), loops(loops) {}

  bool importOperands();
  bool importOps(Block &block);
  /// A result, or a null term where it is not understood.
  Term getResult(unsigned number);
  /// Set if a branch differs within the part.
  std::optional<Cut> cut;

private:
  Term getInside(Value value);
  Term broadcast(const Term &term) {
    return graph.read(term, Layout::broadcast(loops.getSize()));
  }
  Term importOp(Operation &inner);
  Term importExtract(tensor::ExtractOp extracted);
  Term reduce(unsigned number, Value yielded);
  bool importBranch(scf::IfOp branch);
  std::optional<Cut> findCut(const Term &condition);

  Importer &importer;
  Graph &graph;
  linalg::LinalgOp op;
  const Loops &loops;
  DenseMap<Value, Term> inside;
  SmallVector<Term> inits;
};

/// Reads one structured op: its body, once for each part of its loops.
class LinalgImporter {
public:
  LinalgImporter(Importer &importer, linalg::LinalgOp op)
      : importer(importer), graph(importer.graph), op(op) {}
  bool import();

private:
  std::optional<SmallVector<Term>> importPart(const Loops &loops);

  Importer &importer;
  Graph &graph;
  linalg::LinalgOp op;
  unsigned cuts = 0;
};

} // namespace

bool Body::importOperands() {
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    Term term = importer.get(value);
    std::optional<Layout> access =
        getAccess(loops, op.getMatchingIndexingMap(&operand), getShape(value));
    if (!access)
      return false;
    bool isInit = op.isDpsInit(&operand);
    if (term)
      term = graph.read(term, *access);
    else if (!isInit)
      return false;
    if (isInit)
      inits.push_back(importer.get(value));
    if (term)
      inside[op.getBlock()->getArgument(operand.getOperandNumber())] = term;
  }
  return true;
}

Term Body::getInside(Value value) {
  auto found = inside.find(value);
  if (found != inside.end())
    return found->second;
  Term outer = importer.get(value);
  return outer && outer.getSize() == 1 ? broadcast(outer) : Term();
}

Term Body::importExtract(tensor::ExtractOp extracted) {
  ArrayRef<int64_t> shape = getShape(extracted.getTensor());
  // A number that was made a tensor.
  Term table = getInside(extracted.getTensor());
  if (table && shape.empty())
    return table;
  table = importer.get(extracted.getTensor());
  SmallVector<Term> indices;
  for (auto [value, size] : llvm::zip_equal(extracted.getIndices(), shape)) {
    Term index = getInside(stripBounds(value, size - 1));
    if (!index)
      return {};
    indices.push_back(index);
  }
  if (!table)
    return {};
  return readElements(graph, table, shape, indices);
}

Term Body::importOp(Operation &inner) {
  if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
    SmallVector<int64_t> strides(loops.ranges.size(), 0);
    strides[index.getDim()] = 1;
    return graph.iota(loops.getLayout(strides, 0));
  }
  if (auto extracted = dyn_cast<tensor::ExtractOp>(inner))
    return importExtract(extracted);
  if (auto made = dyn_cast<tensor::FromElementsOp>(inner))
    return made.getType().getNumElements() == 1
               ? getInside(made.getElements().front())
               : Term();
  if (auto dim = dyn_cast<tensor::DimOp>(inner)) {
    std::optional<int64_t> number = dim.getConstantIndex();
    ArrayRef<int64_t> shape = getShape(dim.getSource());
    return number && *number < static_cast<int64_t>(shape.size())
               ? graph.splat(shape[*number], loops.getSize())
               : Term();
  }
  if (Term constant = importConstant(graph, &inner))
    return broadcast(constant);
  SmallVector<Term> operands;
  for (Value value : inner.getOperands())
    operands.push_back(getInside(value));
  return llvm::all_of(operands, [](const Term &t) { return bool(t); })
             ? importScalar(graph, &inner, operands)
             : Term();
}

/// Returns where a constant condition first differs from its initial value
/// along a loop of the result.
std::optional<Cut> Body::findCut(const Term &condition) {
  std::optional<double> first = evaluateAt(condition, 0);
  for (unsigned loop : loops.order) {
    int64_t step = loops.getStep(loop);
    for (int64_t turn = 1; first && turn < loops.ranges[loop]; ++turn)
      if (evaluateAt(condition, turn * step) != first)
        return Cut{loop, turn};
  }
  return std::nullopt;
}

/// Returns the number that all elements of a constant equal, including unread
/// ones.
static std::optional<double> getUniform(const Term &term) {
  const std::vector<double> *numbers = evaluate(term.node);
  if (!numbers || !llvm::all_equal(*numbers))
    return std::nullopt;
  return numbers->front();
}

/// Imports only the selected branch: the other one may read outside a table.
bool Body::importBranch(scf::IfOp branch) {
  Term condition = getInside(branch.getCondition());
  if (!condition || condition.node->source != Source::Constant)
    return true;
  std::optional<double> truth = getUniform(condition);
  if (!truth) {
    cut = findCut(condition);
    return cut.has_value();
  }
  Region &taken = *truth != 0 ? branch.getThenRegion() : branch.getElseRegion();
  if (taken.empty())
    return true;
  if (!importOps(taken.front()))
    return false;
  for (auto [result, value] : llvm::zip_equal(
           branch.getResults(), taken.front().getTerminator()->getOperands()))
    if (Term term = getInside(value))
      inside[result] = term;
  return true;
}

bool Body::importOps(Block &block) {
  for (Operation &inner : block.without_terminator()) {
    if (cut)
      return true;
    if (auto assertion = dyn_cast<cf::AssertOp>(inner);
        assertion && isImplied(&block, getInside(assertion.getArg()))) {
      importer.addAsserting(op);
      continue;
    }
    if (auto branch = dyn_cast<scf::IfOp>(inner)) {
      if (!importBranch(branch))
        return false;
      continue;
    }
    if (inner.getNumResults() != 1)
      return false;
    if (!hasKnownElements(&inner))
      continue;
    if (Term term = importOp(inner))
      inside[inner.getResult(0)] = term;
  }
  return true;
}

/// One operand of the last operation is the previous partial result.
Term Body::reduce(unsigned number, Value yielded) {
  Block *body = op.getBlock();
  Value sofar = body->getArgument(op.getNumDpsInputs() + number);
  Operation *last = yielded.getDefiningOp();
  std::optional<Kind> kind =
      last && last->getBlock() == body ? getReduction(last) : std::nullopt;
  if (!kind || !llvm::is_contained(last->getOperands(), sofar))
    return {};
  Value other = last->getOperand(last->getOperand(0) == sofar);
  Term reduced = dependsOn(other, sofar) ? Term() : getInside(other);
  if (!reduced)
    return {};
  Term term = graph.reduce(*kind, reduced, loops.reductions);
  if (isNeutral(*kind, inits[number]))
    return term;
  if (!inits[number])
    return {};
  return *kind == Kind::ReduceSum ? graph.add(term, inits[number])
         : *kind == Kind::ReduceMax
             ? graph.elementwise(Kind::Max, {term, inits[number]})
             : Term();
}

Term Body::getResult(unsigned number) {
  Value yielded = op.getBlock()->getTerminator()->getOperand(number);
  Term term;
  if (op.getNumReductionLoops() > 0)
    term = roundToType(graph, reduce(number, yielded),
                       op->getResult(number).getType());
  // Over one position, any body is one of elements.
  if (!term && loops.reductions == 1)
    term = getInside(yielded);
  return term && term.getSize() == loops.results ? term : Term();
}

/// Largest number of parts of a concatenation.
static constexpr unsigned kMostCuts = 64;

/// Returns the results for a part of the loops; if branches divide them, the
/// concatenation over all parts. None if the body is not understood.
std::optional<SmallVector<Term>>
LinalgImporter::importPart(const Loops &loops) {
  SmallVector<SmallVector<Term>> parts(op->getNumResults());
  SmallVector<int64_t> sizes;
  std::optional<unsigned> loop;
  Loops rest = loops;
  for (bool isLast = false; !isLast;) {
    Body body(importer, op, rest);
    if (!body.importOperands() || !body.importOps(*op.getBlock()) ||
        (body.cut && (loops.reductions > 1 || ++cuts > kMostCuts)))
      return std::nullopt;
    SmallVector<Term> results;
    if (!body.cut) {
      for (unsigned number = 0; number < parts.size(); ++number)
        results.push_back(body.getResult(number));
      if (!loop)
        return results;
    }
    loop = loop ? loop : body.cut->loop;
    isLast = !body.cut || body.cut->loop != *loop;
    sizes.push_back(isLast ? rest.ranges[*loop] : body.cut->at);
    if (body.cut) {
      Loops part = rest.getPart(*loop, 0, sizes.back());
      std::optional<SmallVector<Term>> inner = importPart(part);
      if (!inner)
        return std::nullopt;
      results = *inner;
    }
    for (auto [all, result] : llvm::zip_equal(parts, results))
      all.push_back(result);
    rest = rest.getPart(*loop, sizes.back(), rest.ranges[*loop] - sizes.back());
  }
  int64_t inner = loops.getStep(*loop);
  int64_t outer = loops.results / (loops.ranges[*loop] * inner);
  return llvm::map_to_vector(parts, [&](ArrayRef<Term> all) {
    bool isKnown =
        llvm::all_of(all, [](const Term &term) { return bool(term); });
    return isKnown ? graph.concat(all, outer, sizes, inner) : Term();
  });
}

bool LinalgImporter::import() {
  std::optional<Loops> loops = getLoops(op);
  std::optional<SmallVector<Term>> results;
  if (!loops || !(results = importPart(*loops)))
    return false;
  for (auto [result, term] : llvm::zip_equal(op->getResults(), *results))
    importer.set(result, term);
  return llvm::all_of(*results, [](const Term &term) { return bool(term); });
}

/// Exponentials divided by their sum, which the op is without a body.
Term parablock::raise::importSoftmax(Importer &importer,
                                     linalg::SoftmaxOp softmax) {
  Graph &graph = importer.graph;
  Term x = importer.get(softmax.getInput());
  auto type = dyn_cast<RankedTensorType>(softmax->getResult(0).getType());
  if (!x || !type || !type.hasStaticShape())
    return {};
  // The dimension that is summed over comes last.
  int64_t axis = softmax.getDimension(), width = type.getDimSize(axis);
  SmallVector<int64_t> order;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (d != axis)
      order.push_back(d);
  order.push_back(axis);
  Layout turned = getTransposition(type.getShape(), order);
  std::optional<Layout> back = invert(turned);
  Term rows = graph.read(x, turned);
  if (!back || !rows)
    return {};
  auto spread = [&](const Term &ofRow) {
    return graph.read(ofRow, Layout({{ofRow.getSize(), 1}, {width, 0}}));
  };
  Term largest = spread(graph.reduce(Kind::ReduceMax, rows, width));
  Term exponents = graph.add(rows, graph.scale(largest, -1));
  Term powers = graph.elementwise(Kind::Exp, {exponents});
  Term sums = spread(graph.reduce(Kind::ReduceSum, powers, width));
  Term quotients = graph.multiply(powers, graph.power(sums, -1));
  return roundToType(graph, graph.read(quotients, *back), type);
}

bool parablock::raise::importLinalg(Importer &importer, linalg::LinalgOp op) {
  return LinalgImporter(importer, op).import();
}
