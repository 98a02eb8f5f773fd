//===- Evaluate.cpp - the numbers of constant expressions -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lib/Judges/Evaluator runs ops of a function, with their roundings. This file
// evaluates nodes: most were created by matchers, from several ops or parts of
// one, and do not exist in any function. They are real numbers, so tables that
// two tools round differently are equal. Converting nodes back to ops would
// need more code than the switch below.
//

#include "Graph.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "parablock/Dialect/Block/ElementTypes.h"
#include "parablock/Support/FloatFormats.h"
#include <cmath>

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

/// Larger tables are not evaluated.
static constexpr int64_t kMaxElements = int64_t(1) << 26;

double parablock::raise::apply(Kind op, ArrayRef<double> x, double value) {
  switch (op) {
  case Kind::Add:
    return x[0] + x[1];
  case Kind::Mul:
    return x[0] * x[1];
  case Kind::Power:
    return value == -1    ? 1 / x[0]
           : value == 0.5 ? std::sqrt(x[0])
                          : std::pow(x[0], value);
  case Kind::PowerOf:
    return std::pow(x[0], x[1]);
  case Kind::DivInt:
    return std::trunc(x[0] / x[1]);
  case Kind::Rem:
    return std::fmod(x[0], x[1]);
  case Kind::Exp:
    return std::exp(x[0]);
  case Kind::Log:
    return std::log(x[0]);
  case Kind::Tanh:
    return std::tanh(x[0]);
  case Kind::Sigmoid:
    return 1 / (1 + std::exp(-x[0]));
  case Kind::Erf:
    return std::erf(x[0]);
  case Kind::Sin:
    return std::sin(x[0]);
  case Kind::Cos:
    return std::cos(x[0]);
  case Kind::Abs:
    return std::fabs(x[0]);
  case Kind::Floor:
    return std::floor(x[0]);
  case Kind::ToInt:
    return std::trunc(x[0]);
  case Kind::Nearest:
    return std::nearbyint(x[0]);
  case Kind::Max:
    return std::fmax(x[0], x[1]);
  case Kind::Min:
    return std::fmin(x[0], x[1]);
  case Kind::Equal:
    return x[0] == x[1];
  case Kind::NotEqual:
    return x[0] != x[1];
  case Kind::Less:
    return x[0] < x[1];
  case Kind::LessEqual:
    return x[0] <= x[1];
  case Kind::And:
    return x[0] != 0 && x[1] != 0;
  case Kind::Or:
    return x[0] != 0 || x[1] != 0;
  case Kind::Xor:
    return (x[0] != 0) != (x[1] != 0);
  case Kind::Select:
    return x[0] != 0 ? x[1] : x[2];
  default:
    return x[0];
  }
}

double parablock::raise::roundNumber(double value, mlir::Type type) {
  APFloat number(value);
  bool loses;
  number.convert(cast<mlir::FloatType>(type).getFloatSemantics(),
                 APFloat::rmNearestTiesToEven, &loses);
  return number.convertToDouble();
}

bool parablock::raise::hasType(const Node *node, mlir::Type type,
                               unsigned depth) {
  constexpr unsigned kMostSteps = 8;
  if (node->type == type)
    return true;
  if (node->op == Kind::Splat)
    return roundNumber(node->value, type) == node->value;
  unsigned first = node->op == Kind::Select;
  bool isChosen = first || node->op == Kind::Max || node->op == Kind::Min ||
                  node->op == Kind::ReduceMax;
  ArrayRef<Term> operands = ArrayRef(node->operands).drop_front(first);
  if (node->op == Kind::Gather)
    operands = operands.take_front();
  else if (!isChosen)
    return false;
  return depth < kMostSteps &&
         llvm::all_of(
             operands,
             [&](const Term &operand) {
               return hasType(operand.node, type, depth + 1);
             });
}

/// Reads elements that are stored as bytes after the file's text.
static bool readResource(mlir::DenseResourceElementsAttr elements,
                         std::vector<double> &out) {
  mlir::AsmResourceBlob *blob = elements.getRawHandle().getBlob();
  std::optional<ElementType> type = getElementTypeOf(elements.getElementType());
  if (!blob || !type)
    return false;
  ArrayRef<char> data = blob->getData();
  out.resize(elements.getNumElements());
  if (data.size() != out.size() * getElementSize(*type))
    return false;
  decodeElements(*type,
                 {reinterpret_cast<const uint8_t *>(data.data()), data.size()},
                 out);
  return true;
}

static bool readDense(mlir::ElementsAttr attribute, std::vector<double> &out) {
  if (auto resource = dyn_cast<mlir::DenseResourceElementsAttr>(attribute))
    return readResource(resource, out);
  auto elements = dyn_cast<mlir::DenseElementsAttr>(attribute);
  if (!elements)
    return false;
  mlir::Type type = elements.getElementType();
  if (isa<mlir::FloatType>(type)) {
    for (APFloat number : elements.getValues<APFloat>()) {
      bool loses;
      number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                     &loses);
      out.push_back(number.convertToDouble());
    }
    return true;
  }
  if (!type.isIntOrIndex())
    return false;
  for (const APInt &number : elements.getValues<APInt>())
    out.push_back(type.isInteger(1) ? number.getBoolValue()
                                    : number.getSExtValue());
  return true;
}

static bool compute(const Node *node, std::vector<double> &out);

/// Nodes live as long as one run of the pass, and so do their numbers.
const std::vector<double> *parablock::raise::evaluate(const Node *node) {
  if (node->source != Source::Constant || node->size > kMaxElements)
    return nullptr;
  if (!node->numbers) {
    auto numbers = std::make_shared<std::vector<double>>();
    numbers->reserve(node->size);
    if (!compute(node, *numbers))
      numbers->clear();
    node->numbers = numbers;
  }
  return node->numbers->empty() ? nullptr : node->numbers.get();
}

std::optional<double> parablock::raise::evaluateAt(const Term &term,
                                                   int64_t position) {
  int64_t element = term.layout.at(position);
  if (term.node->op == Kind::Iota)
    return element;
  const std::vector<double> *numbers = evaluate(term.node);
  if (!numbers)
    return std::nullopt;
  return (*numbers)[element];
}

/// Calls `see` with the numbers that `layout` reads of a constant, in order.
template <typename SeeT>
static bool visitNumbers(const Node *node, const Layout &layout, SeeT see) {
  if (node->op == Kind::Iota)
    return layout.forEach(
        [&](int64_t element) { return see(static_cast<double>(element)); });
  const std::vector<double> *numbers = evaluate(node);
  return numbers && layout.forEach([&](int64_t element) {
    return see((*numbers)[element]);
  });
}

bool parablock::raise::forEachNumber(const Term &term,
                                     function_ref<bool(double)> see) {
  SmallVector<Digit> moving;
  copy_if(term.layout.getDigits(), std::back_inserter(moving),
          [](Digit digit) { return digit.stride != 0 || digit.extent == 0; });
  return visitNumbers(term.node, Layout(moving, term.layout.getOffset()), see);
}

bool parablock::raise::readNumbers(const Term &term, std::vector<double> &out) {
  out.reserve(out.size() + term.getSize());
  return visitNumbers(term.node, term.layout, [&](double number) {
    out.push_back(number);
    return true;
  });
}

static double reduceAll(Kind op, ArrayRef<double> numbers) {
  double result = numbers.front();
  for (double number : numbers.drop_front())
    switch (op) {
    case Kind::ReduceSum:
      result += number;
      break;
    case Kind::ReduceMax:
      result = std::fmax(result, number);
      break;
    case Kind::ReduceAnd:
      result = result != 0 && number != 0;
      break;
    default:
      result = result != 0 || number != 0;
    }
  return result;
}

static bool compute(const Node *node, std::vector<double> &out) {
  if (node->op == Kind::Splat) {
    out.push_back(node->value);
    return true;
  }
  if (node->op == Kind::Dense)
    return readDense(cast<mlir::ElementsAttr>(node->form), out);
  std::vector<std::vector<double>> operands(node->operands.size());
  for (auto [term, numbers] : llvm::zip(node->operands, operands))
    if (term.getSize() > kMaxElements || !readNumbers(term, numbers))
      return false;
  if (node->isElementwise()) {
    SmallVector<double> x(operands.size());
    for (int64_t i = 0; i < node->size; ++i) {
      for (auto [number, numbers] : llvm::zip(x, operands))
        number = numbers[i];
      double y = apply(node->op, x, node->value);
      out.push_back(node->type ? roundNumber(y, node->type) : y);
    }
    return true;
  }
  switch (node->op) {
  case Kind::ReduceSum:
  case Kind::ReduceMax:
  case Kind::ReduceAnd:
  case Kind::ReduceOr:
    for (int64_t i = 0; i < node->size; ++i)
      out.push_back(reduceAll(
          node->op, ArrayRef(operands[0]).slice(i * node->width, node->width)));
    return true;
  case Kind::Concat: {
    int64_t total = 0;
    for (int64_t extent : node->extents)
      total += extent;
    for (int64_t row = 0, rows = node->size / (total * node->width); row < rows;
         ++row)
      for (auto [numbers, extent] : llvm::zip(operands, node->extents)) {
        int64_t length = extent * node->width;
        out.insert(out.end(), numbers.begin() + row * length,
                   numbers.begin() + (row + 1) * length);
      }
    return true;
  }
  case Kind::Gather: {
    int64_t rows = operands[0].size() / node->width;
    for (double row : operands[1]) {
      if (row < 0 || row >= rows)
        return false;
      auto begin =
          operands[0].begin() + static_cast<int64_t>(row) * node->width;
      out.insert(out.end(), begin, begin + node->width);
    }
    return true;
  }
  default:
    return false;
  }
}
