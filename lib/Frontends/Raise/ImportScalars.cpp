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

Term parablock::raise::importScalar(Graph &graph, Operation *op,
                                    ArrayRef<Term> x) {
  auto unary = [&](Kind kind) { return graph.elementwise(kind, {x[0]}); };
  auto binary = [&](Kind kind) {
    return graph.elementwise(kind, {x[0], x[1]});
  };
  auto power = [&](double exponent) { return graph.power(x[0], exponent); };
  auto powerOf = [&]() -> Term {
    std::optional<double> exponent = getSplat(x[1]);
    return exponent ? power(*exponent) : binary(Kind::PowerOf);
  };
  auto withoutSign = [&](unsigned k) {
    return asUnsigned(graph, op->getOperand(k), x[k]);
  };
  auto unsignedBinary = [&](Kind kind) {
    return graph.elementwise(kind, {withoutSign(0), withoutSign(1)});
  };
  // Evaluating constants would lose the structure that these ops express.
  bool isConstant = x[0].node->source == Source::Constant;
  int64_t size = x[0].getSize();
  auto nearOne = [&](const Term &term, double one) {
    return isConstant ? Term() : graph.add(term, graph.splat(one, size));
  };
  auto logical = [&](Kind kind) {
    return isBoolean(op->getResult(0)) ? binary(kind) : Term();
  };
  Term result =
      TypeSwitch<Operation *, Term>(op)
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
          .Case<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp>(
              [&](auto) { return binary(Kind::Max); })
          .Case([&](arith::MaxUIOp) { return unsignedBinary(Kind::Max); })
          .Case<arith::MinimumFOp, arith::MinNumFOp, arith::MinSIOp>(
              [&](auto) { return binary(Kind::Min); })
          .Case([&](arith::MinUIOp) { return unsignedBinary(Kind::Min); })
          .Case([&](arith::ExtSIOp extend) {
            return isBoolean(extend.getIn()) ? graph.scale(x[0], -1) : x[0];
          })
          .Case<arith::SIToFPOp, arith::IndexCastOp>([&](auto convert) {
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
          .Case([&](arith::CmpIOp cmp) {
            bool isUnsigned = cmp.getPredicate() >= arith::CmpIPredicate::ult;
            return isUnsigned ? compare(graph, cmp.getPredicate(),
                                        withoutSign(0), withoutSign(1))
                              : compare(graph, cmp.getPredicate(), x[0], x[1]);
          })
          .Case([&](arith::CmpFOp cmp) {
            return compare(graph, cmp.getPredicate(), x[0], x[1]);
          })
          .Case([&](arith::SelectOp) {
            return graph.elementwise(Kind::Select, {x[0], x[1], x[2]});
          })
          .Case([&](arith::AndIOp) { return logical(Kind::And); })
          .Case([&](arith::OrIOp) { return logical(Kind::Or); })
          .Case([&](arith::XOrIOp) { return logical(Kind::Xor); })
          .Case([&](math::ExpOp) { return unary(Kind::Exp); })
          .Case([&](math::LogOp) { return unary(Kind::Log); })
          .Case([&](math::TanhOp) { return unary(Kind::Tanh); })
          .Case([&](math::ErfOp) { return unary(Kind::Erf); })
          .Case([&](math::ErfcOp) {
            return nearOne(graph.scale(unary(Kind::Erf), -1), 1);
          })
          .Case([&](math::ExpM1Op) { return nearOne(unary(Kind::Exp), -1); })
          .Case([&](math::Log1pOp) {
            return isConstant ? Term()
                              : graph.elementwise(
                                    Kind::Log,
                                    {graph.add(x[0], graph.splat(1, size))});
          })
          .Case([&](math::SinOp) { return unary(Kind::Sin); })
          .Case([&](math::CosOp) { return unary(Kind::Cos); })
          .Case<math::AbsFOp, math::AbsIOp>(
              [&](auto) { return unary(Kind::Abs); })
          .Case([&](math::FloorOp) { return unary(Kind::Floor); })
          .Case([&](math::CeilOp) { return graph.ceil(x[0]); })
          .Case([&](math::SqrtOp) { return power(0.5); })
          .Case([&](math::RsqrtOp) { return power(-0.5); })
          .Case<math::PowFOp, math::FPowIOp, math::IPowIOp>(
              [&](auto) { return powerOf(); })
          .Default([](Operation *) { return Term(); });
  return roundToType(graph, result, op->getResult(0).getType());
}
