//===- ImportTosa.cpp - imports TOSA ops ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace parablock::raise;

/// Returns how a result of `shape` reads an operand of rank-equal broadcasting.
static Layout getBroadcast(ArrayRef<int64_t> operand, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> places = getPlaces(operand);
  SmallVector<Digit> digits;
  for (auto [own, extent, place] : llvm::zip(operand, shape, places))
    digits.push_back({extent, own == 1 ? 0 : place});
  return Layout(digits);
}

static double getNumber(Attribute attribute) {
  if (auto number = dyn_cast<FloatAttr>(attribute)) {
    APFloat value = number.getValue();
    bool loses;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
    return value.convertToDouble();
  }
  return cast<IntegerAttr>(attribute).getValue().getSExtValue();
}

namespace {

/// Imports TOSA, whose ops broadcast implicitly.
class TosaImporter {
public:
  TosaImporter(Importer &importer)
      : importer(importer), graph(importer.graph) {}
  Term import(Operation *op);

private:
  Term get(Value value) const { return importer.get(value); }
  SmallVector<Term, 3> readElements(Operation *op);
  Term importClamp(tosa::ClampOp clamp, Term bounded);
  Term importElementwise(Operation *op);
  Term importReduction(Operation *op);
  Term importMatmul(tosa::MatMulOp matmul);
  Term importConvolution(tosa::Conv2DOp conv);
  Term importGather(tosa::GatherOp gather);
  Term importTile(Operation *op);

  Importer &importer;
  Graph &graph;
};

} // namespace

/// Returns the function of an op's only operand, or of both; none for others.
static std::optional<Kind> getKind(Operation *op) {
  using Found = std::optional<Kind>;
  return TypeSwitch<Operation *, Found>(op)
      .Case([](tosa::AddOp) { return Kind::Add; })
      .Case([](tosa::MulOp) { return Kind::Mul; })
      .Case([](tosa::IntDivOp) { return Kind::DivInt; })
      .Case([](tosa::MaximumOp) { return Kind::Max; })
      .Case([](tosa::MinimumOp) { return Kind::Min; })
      .Case([](tosa::ExpOp) { return Kind::Exp; })
      .Case([](tosa::LogOp) { return Kind::Log; })
      .Case([](tosa::TanhOp) { return Kind::Tanh; })
      .Case([](tosa::SigmoidOp) { return Kind::Sigmoid; })
      .Case([](tosa::ErfOp) { return Kind::Erf; })
      .Case([](tosa::SinOp) { return Kind::Sin; })
      .Case([](tosa::CosOp) { return Kind::Cos; })
      .Case([](tosa::AbsOp) { return Kind::Abs; })
      .Case([](tosa::FloorOp) { return Kind::Floor; })
      .Case([](tosa::EqualOp) { return Kind::Equal; })
      .Case([](tosa::LogicalAndOp) { return Kind::And; })
      .Case([](tosa::LogicalOrOp) { return Kind::Or; })
      .Case([](tosa::LogicalXorOp) { return Kind::Xor; })
      .Case([](tosa::SelectOp) { return Kind::Select; })
      .Default([](Operation *) { return Found(); });
}

/// Reads the operands of an elementwise op at the elements of its result; empty
/// if one of them cannot be read.
SmallVector<Term, 3> TosaImporter::readElements(Operation *op) {
  ArrayRef<int64_t> shape = getShape(op->getResult(0));
  OperandRange operands = op->getOperands();
  // Zero points and shifts do nothing to floating-point numbers.
  if (isa<tosa::MulOp>(op))
    operands = operands.take_front(2);
  else if (isa<tosa::NegateOp>(op))
    operands = operands.take_front(1);
  SmallVector<Term, 3> x;
  for (Value operand : operands) {
    Term term = get(operand);
    if (!term || getShape(operand).size() != shape.size())
      return {};
    x.push_back(graph.read(term, getBroadcast(getShape(operand), shape)));
    if (!x.back())
      return {};
  }
  return x;
}

Term TosaImporter::importClamp(tosa::ClampOp clamp, Term bounded) {
  int64_t size = bounded.getSize();
  double low = getNumber(clamp.getMinValAttr());
  double high = getNumber(clamp.getMaxValAttr());
  if (low > -3.4e38)
    bounded = graph.elementwise(Kind::Max, {bounded, graph.splat(low, size)});
  if (high < 3.4e38)
    bounded = graph.elementwise(Kind::Min, {bounded, graph.splat(high, size)});
  return bounded;
}

Term TosaImporter::importElementwise(Operation *op) {
  SmallVector<Term, 3> x = readElements(op);
  if (x.empty())
    return {};
  // Whole numbers may be shifted behind the product.
  if (auto mul = dyn_cast<tosa::MulOp>(op)) {
    Term shift = get(mul.getShift());
    if (!shift || getSplat(shift) != 0.0)
      return {};
  }
  if (std::optional<Kind> kind = getKind(op))
    return graph.elementwise(*kind, x);
  auto of = [&](double number) { return graph.splat(number, x[0].getSize()); };
  return TypeSwitch<Operation *, Term>(op)
      .Case([&](tosa::SubOp) { return graph.add(x[0], graph.scale(x[1], -1)); })
      .Case([&](tosa::PowOp) -> Term {
        std::optional<double> exponent = getSplat(x[1]);
        return exponent ? graph.power(x[0], *exponent)
                        : graph.elementwise(Kind::PowerOf, x);
      })
      .Case([&](tosa::NegateOp) { return graph.scale(x[0], -1); })
      .Case([&](tosa::ReciprocalOp) { return graph.power(x[0], -1); })
      .Case([&](tosa::RsqrtOp) { return graph.power(x[0], -0.5); })
      .Case([&](tosa::CeilOp) { return graph.ceil(x[0]); })
      .Case([&](tosa::IdentityOp) { return x[0]; })
      .Case([&](tosa::GreaterOp) {
        return graph.elementwise(Kind::Less, {x[1], x[0]});
      })
      .Case([&](tosa::GreaterEqualOp) {
        return graph.elementwise(Kind::LessEqual, {x[1], x[0]});
      })
      .Case([&](tosa::LogicalNotOp) {
        return graph.elementwise(Kind::Xor, {x[0], of(1)});
      })
      .Case([&](tosa::ClampOp clamp) { return importClamp(clamp, x[0]); })
      .Case([&](tosa::CastOp cast) -> Term {
        Type to = getElementTypeOrSelf(cast.getType());
        // A truth value is a comparison with 0, for any source type.
        if (to.isInteger(1))
          return graph.elementwise(Kind::NotEqual, {x[0], of(0)});
        bool isInteger =
            getElementTypeOrSelf(cast.getInput().getType()).isIntOrIndex();
        return !isInteger && to.isIntOrIndex()
                   ? graph.elementwise(Kind::Nearest, x)
                   : x[0];
      })
      .Default([](Operation *) { return Term(); });
}

Term TosaImporter::importReduction(Operation *op) {
  Term x = get(op->getOperand(0));
  if (!x)
    return {};
  auto reduce = [&](Kind kind, int64_t axis) -> Term {
    ArrayRef<int64_t> shape = getShape(op->getOperand(0));
    SmallVector<int64_t> order;
    for (int64_t d = 0, rank = shape.size(); d < rank; ++d)
      if (d != axis)
        order.push_back(d);
    order.push_back(axis);
    Term turned = graph.read(x, getTransposition(shape, order));
    return turned ? graph.reduce(kind, turned, shape[axis]) : Term();
  };
  return TypeSwitch<Operation *, Term>(op)
      .Case([&](tosa::ReduceSumOp sum) {
        return reduce(Kind::ReduceSum, sum.getAxis());
      })
      .Case([&](tosa::ReduceMaxOp max) {
        return reduce(Kind::ReduceMax, max.getAxis());
      })
      .Case([&](tosa::ReduceAllOp all) {
        return reduce(Kind::ReduceAnd, all.getAxis());
      })
      .Case([&](tosa::ReduceAnyOp any) {
        return reduce(Kind::ReduceOr, any.getAxis());
      })
      .Default([](Operation *) { return Term(); });
}

Term TosaImporter::importMatmul(tosa::MatMulOp matmul) {
  Term a = get(matmul.getA()), b = get(matmul.getB());
  ArrayRef<int64_t> shape = getShape(matmul.getA());
  int64_t n = shape[0], h = shape[1], c = shape[2];
  int64_t w = getShape(matmul.getB())[2];
  if (!a || !b)
    return {};
  Term left = graph.read(a, Layout({{n, h * c}, {h, c}, {w, 0}, {c, 1}}));
  Term right = graph.read(b, Layout({{n, c * w}, {h, 0}, {w, 1}, {c, w}}));
  if (!left || !right)
    return {};
  return graph.reduce(Kind::ReduceSum, graph.multiply(left, right), c);
}

/// Without padding a convolution is a sum of products.
Term TosaImporter::importConvolution(tosa::Conv2DOp conv) {
  Term x = get(conv.getInput()), w = get(conv.getWeight());
  Term bias = get(conv.getBias());
  ArrayRef<int64_t> in = getShape(conv.getInput());
  ArrayRef<int64_t> kernel = getShape(conv.getWeight());
  ArrayRef<int64_t> out = getShape(conv.getOutput());
  bool isPadded =
      llvm::any_of(conv.getPad(), [](int64_t pad) { return pad != 0; });
  if (!x || !w || !bias || isPadded)
    return {};
  SmallVector<int64_t> p = getPlaces(in);
  ArrayRef<int64_t> stride = conv.getStride(), step = conv.getDilation();
  int64_t taps = kernel[1] * kernel[2] * kernel[3];
  Term left = graph.read(x, Layout({{out[0], p[0]},
                                    {out[1], p[1] * stride[0]},
                                    {out[2], p[2] * stride[1]},
                                    {out[3], 0},
                                    {kernel[1], p[1] * step[0]},
                                    {kernel[2], p[2] * step[1]},
                                    {kernel[3], 1}}));
  int64_t rows = out[0] * out[1] * out[2];
  Term right = graph.read(w, Layout({{rows, 0}, {out[3], taps}, {taps, 1}}));
  Term added = graph.read(
      bias, Layout({{rows, 0}, {out[3], bias.getSize() == 1 ? 0 : 1}}));
  if (!left || !right || !added)
    return {};
  return graph.add(
      graph.reduce(Kind::ReduceSum, graph.multiply(left, right), taps), added);
}

Term TosaImporter::importGather(tosa::GatherOp gather) {
  Term table = get(gather.getValues()), rows = get(gather.getIndices());
  ArrayRef<int64_t> shape = getShape(gather.getValues());
  if (!table || !rows)
    return {};
  int64_t n = shape[0], k = shape[1], c = shape[2];
  int64_t w = getShape(gather.getIndices())[1];
  Term single = graph.read(table, Layout::identity(k * c));
  bool isShared =
      single && graph.read(single, Layout({{n, 0}, {k * c, 1}})) == table;
  if (isShared)
    table = single;
  else
    rows = graph.add(rows, graph.iota(Layout({{n, k}, {w, 0}})));
  // Rows chosen by a regular list of constants are a layout.
  if (rows.node->source == Source::Constant) {
    std::vector<double> numbers;
    if (readNumbers(rows, numbers))
      if (std::optional<Layout> fitted = fitLayout(numbers, {n, w})) {
        SmallVector<Digit> digits;
        for (Digit digit : fitted->getDigits())
          digits.push_back({digit.extent, digit.stride * c});
        digits.push_back({c, 1});
        return graph.read(table, Layout(digits, fitted->getOffset() * c));
      }
  }
  return graph.gather(table, rows, c);
}

Term TosaImporter::importTile(Operation *op) {
  Term x = get(op->getOperand(0));
  ArrayRef<int64_t> from = getShape(op->getOperand(0));
  ArrayRef<int64_t> to = getShape(op->getResult(0));
  SmallVector<Digit> digits;
  for (auto [own, extent, place] : llvm::zip(from, to, getPlaces(from))) {
    digits.push_back({extent / own, 0});
    digits.push_back({own, place});
  }
  return x ? graph.read(x, Layout(digits)) : Term();
}

Term TosaImporter::import(Operation *op) {
  Value result = op->getResult(0);
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (!type || !type.hasStaticShape())
    return {};
  Term term =
      TypeSwitch<Operation *, Term>(op)
          .Case([&](tosa::ReshapeOp) { return get(op->getOperand(0)); })
          .Case([&](tosa::TransposeOp transpose) -> Term {
            Term x = get(op->getOperand(0));
            SmallVector<int64_t> order(transpose.getPerms());
            if (!x)
              return {};
            return graph.read(
                x, getTransposition(getShape(op->getOperand(0)), order));
          })
          .Case([&](tosa::SliceOp slice) -> Term {
            Term x = get(slice.getInput1());
            DenseIntElementsAttr start;
            if (!x || !matchPattern(slice.getStart(), m_Constant(&start)))
              return {};
            SmallVector<int64_t> offsets;
            for (const APInt &number : start.getValues<APInt>())
              offsets.push_back(number.getSExtValue());
            return readSlice(graph, x, getShape(slice.getInput1()), offsets,
                             type.getShape(),
                             SmallVector<int64_t>(type.getRank(), 1));
          })
          .Case([&](tosa::ConcatOp concat) {
            return concatenate(importer, concat.getInput1(), concat.getAxis());
          })
          .Case([&](tosa::TileOp) { return importTile(op); })
          .Case([&](tosa::MatMulOp matmul) { return importMatmul(matmul); })
          .Case([&](tosa::Conv2DOp conv) { return importConvolution(conv); })
          .Case([&](tosa::GatherOp gather) { return importGather(gather); })
          .Case<tosa::ReduceSumOp, tosa::ReduceMaxOp, tosa::ReduceAllOp,
                tosa::ReduceAnyOp>([&](auto) { return importReduction(op); })
          .Default([&](Operation *) { return importElementwise(op); });
  return roundToType(graph, term, type);
}

Term parablock::raise::importTosa(Importer &importer, Operation *op) {
  return TosaImporter(importer).import(op);
}
