//===- Importer.cpp - imports values, arguments and leaves ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::raise;

SmallVector<int64_t> parablock::raise::getPlaces(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> places(shape.size(), 1);
  for (int64_t d = static_cast<int64_t>(shape.size()) - 2; d >= 0; --d)
    places[d] = places[d + 1] * shape[d + 1];
  return places;
}

Layout parablock::raise::getTransposition(ArrayRef<int64_t> shape,
                                          ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> places = getPlaces(shape);
  SmallVector<Digit> digits;
  for (int64_t d : permutation)
    digits.push_back({shape[d], places[d]});
  return Layout(digits);
}

std::optional<Layout> parablock::raise::fitLayout(ArrayRef<double> numbers,
                                                  ArrayRef<int64_t> shape) {
  SmallVector<int64_t> places = getPlaces(shape);
  SmallVector<Digit> digits;
  for (auto [extent, place] : llvm::zip(shape, places)) {
    int64_t stride =
        extent > 1 ? static_cast<int64_t>(numbers[place] - numbers[0]) : 0;
    if (stride < 0)
      return std::nullopt;
    digits.push_back({extent, stride});
  }
  Layout layout(digits, static_cast<int64_t>(numbers[0]));
  for (auto [position, number] : llvm::enumerate(numbers))
    if (static_cast<double>(layout.at(position)) != number)
      return std::nullopt;
  return layout;
}

/// Positions plus a number.
static std::optional<Layout> getShifted(const Term &index) {
  for (unsigned k : {0, 1}) {
    const Term &positions = index.node->operands[k];
    std::optional<double> number = getSplat(index.node->operands[1 - k]);
    if (positions.node->op != Kind::Iota || !number)
      continue;
    std::optional<Layout> layout = compose(index.layout, positions.layout);
    int64_t offset = layout ? layout->getOffset() + int64_t(*number) : -1;
    if (offset >= 0)
      return Layout(layout->getDigits(), offset);
  }
  return std::nullopt;
}

std::optional<Layout> parablock::raise::getIndexLayout(const Term &index) {
  if (index.node->op == Kind::Iota)
    return index.layout;
  if (index.node->op == Kind::Add)
    if (std::optional<Layout> layout = getShifted(index))
      return layout;
  int64_t size = index.getSize();
  if (std::optional<double> number = getSplat(index))
    return Layout::broadcast(size, static_cast<int64_t>(*number));
  std::vector<double> numbers;
  for (int64_t i = 0; i < size; ++i) {
    std::optional<double> number = evaluateAt(index, i);
    if (!number)
      return std::nullopt;
    numbers.push_back(*number);
  }
  // Groups runs of equal steps, the shortest first; other orders are irregular.
  SmallVector<int64_t> shape;
  int64_t below = 1;
  while (below < size) {
    double step = numbers[below] - numbers[0];
    int64_t extent = 2;
    while (extent * below < size &&
           numbers[extent * below] == numbers[0] + extent * step)
      ++extent;
    while (size % (extent * below) != 0)
      --extent;
    if (extent == 1)
      return std::nullopt;
    shape.insert(shape.begin(), extent);
    below *= extent;
  }
  return fitLayout(numbers, shape);
}

Term parablock::raise::roundToType(Graph &graph, Term term, Type type) {
  Type element = getElementTypeOrSelf(type);
  if (term && isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 16)
    return graph.round(term, element);
  return term;
}

void Importer::set(Value value, Term term) {
  if (!term)
    return;
  if (!graph.getHome(term.node) && isa<RankedTensorType>(value.getType()) &&
      getSection(term.layout, term.node->size))
    graph.setHome(term.node, value, term.layout);
  terms[value] = std::move(term);
}

void Importer::importArguments(FunctionOpInterface function) {
  unsigned stream = findStream(function).value_or(0);
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || !type.hasStaticShape())
      continue;
    unsigned index = argument.getArgNumber();
    Source source = guessSource(function, index, stream);
    bool isGuessed = source == Source::Data && index != stream &&
                     !function.getArgAttr(index, block::kInputAttr);
    terms[argument] = graph.leaf(argument, source, isGuessed);
    bool isRow = type.getRank() == 2 && isa<FloatType>(type.getElementType());
    if (index == stream && type.getRank() >= 2) {
      graph.batch = isRow ? 1 : type.getDimSize(0);
      graph.tokens = type.getDimSize(isRow ? 0 : 1);
      graph.isOfImages = type.getRank() > 3;
    }
  }
}

void Importer::importLeaves(Operation *op) {
  Source source = Source::Constant;
  llvm::SetVector<Value> read = findReads(op);
  for (Value operand : read) {
    Term term = get(operand);
    source = std::max(source, term ? term.node->source : Source::Data);
  }
  for (Value result : op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (terms.contains(result) || !type || !type.hasStaticShape())
      continue;
    terms[result] = graph.leaf(result, source);
  }
}

Term Importer::importElementwise(Operation *op) {
  SmallVector<Term> operands;
  int64_t size = 0;
  for (Value operand : op->getOperands()) {
    operands.push_back(get(operand));
    if (!operands.back())
      return {};
    size = std::max(size, operands.back().getSize());
  }
  // A scalar condition of a tensor's select is read everywhere.
  for (Term &operand : operands)
    if (operand.getSize() != size &&
        !(operand = graph.read(operand, Layout::broadcast(size))))
      return {};
  return importScalar(graph, op, operands);
}

/// Other dialects have no op for dropout by a seed.
Term Importer::importDropout(block::DropoutOp op) {
  Term input = get(op.getInput()), seed = get(op.getSeed());
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!input || !seed || !type || !type.hasStaticShape())
    return {};
  Node node;
  node.op = Kind::Dropout;
  node.size = input.getSize();
  node.width = type.getShape().back();
  node.operands = {input};
  node.dropout = op.getForm();
  node.addRole("seed", seed);
  return roundToType(graph, graph.make(node), type);
}

bool parablock::raise::hasKnownElements(Operation *op) {
  auto isKnown = [](Type type) {
    Type element = getElementTypeOrSelf(type);
    if (auto number = dyn_cast<FloatType>(element))
      return number.isF16() || number.isBF16() || number.isF32() ||
             number.isF64();
    return !isa<ComplexType>(element);
  };
  return llvm::all_of(op->getOperandTypes(), isKnown) &&
         llvm::all_of(op->getResultTypes(), isKnown);
}

void Importer::importOperation(Operation *op) {
  if (!hasKnownElements(op))
    return importLeaves(op);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    if (!importLinalg(*this, linalgOp))
      importLeaves(op);
    return;
  }
  if (auto route = dyn_cast<block::RouteOp>(op); route && importRoute(route))
    return;
  if (op->getNumResults() != 1)
    return importLeaves(op);
  StringRef dialect = op->getName().getDialectNamespace();
  Term term = importConstant(graph, op);
  if (auto dropout = dyn_cast<block::DropoutOp>(op))
    term = importDropout(dropout);
  else if (auto experts = dyn_cast<block::ExpertsOp>(op))
    term = importExperts(experts);
  else if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op))
    term = importSoftmax(*this, softmax);
  if (!term && dialect == "tosa")
    term = importTosa(*this, op);
  else if (!term && dialect == "tensor")
    term = importTensor(*this, op);
  else if (!term && (dialect == "arith" || dialect == "math"))
    term = importElementwise(op);
  if (!term)
    return importLeaves(op);
  set(op->getResult(0), term);
}

void Importer::import(FunctionOpInterface function, ArrayRef<Value> turned) {
  importArguments(function);
  for (Value copy : turned) {
    terms[copy] = graph.leaf(copy, Source::Data);
    graph.batch = getShape(copy)[0];
    graph.tokens = getShape(turned.front())[1];
  }
  for (Operation &op : function.getFunctionBody().front()) {
    if (op.getNumResults() == 1 && llvm::is_contained(turned, op.getResult(0)))
      continue;
    graph.location = op.getLoc();
    importOperation(&op);
  }
}
