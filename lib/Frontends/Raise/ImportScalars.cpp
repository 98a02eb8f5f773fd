//===- ImportScalars.cpp - imports arith and math -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace parablock::raise;

static double toDouble(APFloat number) {
  bool loses;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return number.convertToDouble();
}

static double toDouble(const APInt &number) {
  return number.getBitWidth() == 1 ? number.getBoolValue()
                                   : number.getSExtValue();
}

/// All elements are one number, whether it is written once or many times.
static bool isUniform(DenseElementsAttr dense) {
  if (dense.isSplat())
    return true;
  auto areEqual = [](auto elements) {
    return llvm::all_of(elements, [&](const auto &element) {
      return element == *elements.begin();
    });
  };
  if (isa<FloatType>(dense.getElementType()))
    return areEqual(dense.getValues<APFloat>());
  return dense.getElementType().isIntOrIndex() &&
         areEqual(dense.getValues<APInt>());
}

Term parablock::raise::importConstant(Graph &graph, Operation *op) {
  Attribute value;
  if (op->getNumOperands() != 0 || !matchPattern(op, m_Constant(&value)))
    return {};
  if (auto number = dyn_cast<FloatAttr>(value))
    return graph.splat(toDouble(number.getValue()), 1);
  if (auto number = dyn_cast<IntegerAttr>(value))
    return graph.splat(toDouble(number.getValue()), 1);
  auto elements = dyn_cast<ElementsAttr>(value);
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!elements || !type)
    return {};
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense || dense.empty() || !isUniform(dense))
    return graph.dense(op->getResult(0), elements);
  double number = isa<FloatType>(type.getElementType())
                      ? toDouble(*dense.value_begin<APFloat>())
                      : toDouble(*dense.value_begin<APInt>());
  return graph.splat(number, type.getNumElements());
}

static Term compare(Graph &graph, arith::CmpIPredicate predicate, const Term &a,
                    const Term &b) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return graph.elementwise(Kind::Equal, {a, b});
  case P::ne:
    return graph.elementwise(Kind::NotEqual, {a, b});
  case P::slt:
  case P::ult:
    return graph.elementwise(Kind::Less, {a, b});
  case P::sle:
  case P::ule:
    return graph.elementwise(Kind::LessEqual, {a, b});
  case P::sgt:
  case P::ugt:
    return graph.elementwise(Kind::Less, {b, a});
  case P::sge:
  case P::uge:
    return graph.elementwise(Kind::LessEqual, {b, a});
  }
  return {};
}

static Term compare(Graph &graph, arith::CmpFPredicate predicate, const Term &a,
                    const Term &b) {
  using P = arith::CmpFPredicate;
  switch (predicate) {
  case P::OEQ:
  case P::UEQ:
    return graph.elementwise(Kind::Equal, {a, b});
  case P::ONE:
  case P::UNE:
    return graph.elementwise(Kind::NotEqual, {a, b});
  case P::OLT:
  case P::ULT:
    return graph.elementwise(Kind::Less, {a, b});
  case P::OLE:
  case P::ULE:
    return graph.elementwise(Kind::LessEqual, {a, b});
  case P::OGT:
  case P::UGT:
    return graph.elementwise(Kind::Less, {b, a});
  case P::OGE:
  case P::UGE:
    return graph.elementwise(Kind::LessEqual, {b, a});
  default:
    return {};
  }
}

static bool isBoolean(Value value) {
  return getElementTypeOrSelf(value.getType()).isInteger(1);
}

/// Returns the bits of a signed integer as unsigned. Positions, and integers
/// that are not known to be negative, are unchanged.
static Term asUnsigned(Graph &graph, Value value, const Term &x) {
  if (isBoolean(value) || x.node->source != Source::Constant ||
      x.node->op == Kind::Iota)
    return x;
  Type element = getElementTypeOrSelf(value.getType());
  unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  int64_t size = x.getSize();
  Term isNegative = graph.elementwise(Kind::Less, {x, graph.splat(0, size)});
  Term wrapped = graph.add(x, graph.splat(std::exp2(width), size));
  return graph.elementwise(Kind::Select, {isNegative, wrapped, x});
}

namespace {
/// Imports an op of arith or math on numbers.
class ScalarImporter {
public:
  ScalarImporter(Graph &graph, Operation *op, ArrayRef<Term> x)
      : graph(graph), op(op), x(x) {}

  Term importCast() const;
  Term importArithmetic() const;
  Term importChoice() const;
  Term importFunction() const;

private:
  Term unary(Kind kind) const { return graph.elementwise(kind, {x[0]}); }
  Term binary(Kind kind) const { return graph.elementwise(kind, {x[0], x[1]}); }
  Term withoutSign(unsigned k) const {
    return asUnsigned(graph, op->getOperand(k), x[k]);
  }
  Term unsignedBinary(Kind kind) const {
    return graph.elementwise(kind, {withoutSign(0), withoutSign(1)});
  }
  Term logical(Kind kind) const {
    return isBoolean(op->getResult(0)) ? binary(kind) : Term();
  }
  /// Adds 1 or -1. Evaluating constants would lose the structure that these ops
  /// express.
  Term nearOne(const Term &term, double one) const {
    return x[0].node->source == Source::Constant
               ? Term()
               : graph.add(term, graph.splat(one, x[0].getSize()));
  }
  Term log1p() const {
    Term sum = nearOne(x[0], 1);
    return sum ? graph.elementwise(Kind::Log, {sum}) : Term();
  }
  Term power() const {
    std::optional<double> exponent = getSplat(x[1]);
    return exponent ? graph.power(x[0], *exponent) : binary(Kind::PowerOf);
  }

  Graph &graph;
  Operation *op;
  ArrayRef<Term> x;
};
} // namespace

Term ScalarImporter::importCast() const {
  return TypeSwitch<Operation *, Term>(op)
      .Case<arith::ExtSIOp, arith::SIToFPOp, arith::IndexCastOp>(
          [&](auto convert) {
            return isBoolean(convert.getIn()) ? graph.scale(x[0], -1) : x[0];
          })
      .Case<arith::ExtFOp, arith::TruncFOp>([&](auto) { return x[0]; })
      .Case<arith::UIToFPOp, arith::IndexCastUIOp, arith::ExtUIOp>(
          [&](auto) { return withoutSign(0); })
      .Case([&](arith::TruncIOp truncate) {
        return isBoolean(truncate) ? Term() : x[0];
      })
      .Case([&](arith::FPToSIOp cut) {
        // A bit represents only the integers 0 and -1.
        return isBoolean(cut) ? Term() : unary(Kind::ToInt);
      })
      .Default([](Operation *) { return Term(); });
}

Term ScalarImporter::importArithmetic() const {
  return TypeSwitch<Operation *, Term>(op)
      .Case<arith::AddFOp, arith::AddIOp>([&](auto) {
        return binary(isBoolean(op->getResult(0)) ? Kind::Xor : Kind::Add);
      })
      .Case<arith::SubFOp, arith::SubIOp>(
          [&](auto) { return graph.add(x[0], graph.scale(x[1], -1)); })
      .Case<arith::MulFOp, arith::MulIOp>(
          [&](auto) { return binary(Kind::Mul); })
      .Case([&](arith::DivFOp) {
        return graph.multiply(x[0], graph.power(x[1], -1));
      })
      .Case([&](arith::DivSIOp) { return binary(Kind::DivInt); })
      .Case([&](arith::DivUIOp) { return unsignedBinary(Kind::DivInt); })
      .Case<arith::RemSIOp, arith::RemFOp>(
          [&](auto) { return binary(Kind::Rem); })
      .Case([&](arith::RemUIOp) { return unsignedBinary(Kind::Rem); })
      .Case([&](arith::NegFOp) { return graph.scale(x[0], -1); })
      .Case([&](arith::AndIOp) { return logical(Kind::And); })
      .Case([&](arith::OrIOp) { return logical(Kind::Or); })
      .Case([&](arith::XOrIOp) { return logical(Kind::Xor); })
      .Default([](Operation *) { return Term(); });
}

Term ScalarImporter::importChoice() const {
  return TypeSwitch<Operation *, Term>(op)
      .Case<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp>(
          [&](auto) { return binary(Kind::Max); })
      .Case([&](arith::MaxUIOp) { return unsignedBinary(Kind::Max); })
      .Case<arith::MinimumFOp, arith::MinNumFOp, arith::MinSIOp>(
          [&](auto) { return binary(Kind::Min); })
      .Case([&](arith::MinUIOp) { return unsignedBinary(Kind::Min); })
      .Case([&](arith::CmpIOp cmp) {
        bool isUnsigned = cmp.getPredicate() >= arith::CmpIPredicate::ult;
        return isUnsigned ? compare(graph, cmp.getPredicate(), withoutSign(0),
                                    withoutSign(1))
                          : compare(graph, cmp.getPredicate(), x[0], x[1]);
      })
      .Case([&](arith::CmpFOp cmp) {
        return compare(graph, cmp.getPredicate(), x[0], x[1]);
      })
      .Case([&](arith::SelectOp) {
        return graph.elementwise(Kind::Select, {x[0], x[1], x[2]});
      })
      .Default([](Operation *) { return Term(); });
}

Term ScalarImporter::importFunction() const {
  return TypeSwitch<Operation *, Term>(op)
      .Case([&](math::ExpOp) { return unary(Kind::Exp); })
      .Case([&](math::LogOp) { return unary(Kind::Log); })
      .Case([&](math::TanhOp) { return unary(Kind::Tanh); })
      .Case([&](math::ErfOp) { return unary(Kind::Erf); })
      .Case([&](math::ErfcOp) {
        return nearOne(graph.scale(unary(Kind::Erf), -1), 1);
      })
      .Case([&](math::ExpM1Op) { return nearOne(unary(Kind::Exp), -1); })
      .Case([&](math::Log1pOp) { return log1p(); })
      .Case([&](math::SinOp) { return unary(Kind::Sin); })
      .Case([&](math::CosOp) { return unary(Kind::Cos); })
      .Case<math::AbsFOp, math::AbsIOp>([&](auto) { return unary(Kind::Abs); })
      .Case([&](math::FloorOp) { return unary(Kind::Floor); })
      .Case([&](math::CeilOp) { return graph.ceil(x[0]); })
      .Case([&](math::SqrtOp) { return graph.power(x[0], 0.5); })
      .Case([&](math::RsqrtOp) { return graph.power(x[0], -0.5); })
      .Case<math::PowFOp, math::FPowIOp, math::IPowIOp>(
          [&](auto) { return power(); })
      .Default([](Operation *) { return Term(); });
}

Term parablock::raise::importScalar(Graph &graph, Operation *op,
                                    ArrayRef<Term> x) {
  ScalarImporter importer(graph, op, x);
  Term result;
  for (auto read :
       {&ScalarImporter::importCast, &ScalarImporter::importArithmetic,
        &ScalarImporter::importChoice, &ScalarImporter::importFunction})
    if ((result = (importer.*read)()))
      break;
  return roundToType(graph, result, op->getResult(0).getType());
}
