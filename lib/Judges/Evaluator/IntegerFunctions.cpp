//===- IntegerFunctions.cpp - scalar functions of integers ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ScalarTables.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace parablock;
using namespace parablock::evaluator;

static int64_t whole(double a) { return static_cast<int64_t>(a); }

double evaluator::conjunction(double a, double b) {
  return static_cast<double>(whole(a) & whole(b));
}
double evaluator::disjunction(double a, double b) {
  return static_cast<double>(whole(a) | whole(b));
}
double evaluator::exclusion(double a, double b) {
  return static_cast<double>(whole(a) ^ whole(b));
}

// Division by zero has no result; `wrap` reports NaN.
static double noNumber() { return std::numeric_limits<double>::quiet_NaN(); }
static double divideWhole(double a, double b) {
  return b == 0 ? noNumber() : std::trunc(a / b);
}
static double divideDown(double a, double b) {
  return b == 0 ? noNumber() : std::floor(a / b);
}
static double divideUp(double a, double b) {
  return b == 0 ? noNumber() : std::ceil(a / b);
}
static double leaveRest(double a, double b) {
  return b == 0 ? noNumber() : std::fmod(a, b);
}
static double shiftLeft(double a, double b) { return std::ldexp(a, int(b)); }
static double shiftRight(double a, double b) {
  return std::floor(std::ldexp(a, -int(b)));
}
static bool areUnsigned(double a, double b) { return a >= 0 && b >= 0; }

/// Applies `function` to unsigned numbers. They are stored as signed ones, so
/// results for numbers with a high bit are unknown.
template <double (*function)(double, double)>
static double ofUnsigned(double a, double b) {
  return areUnsigned(a, b) ? function(a, b) : noNumber();
}
static double larger(double a, double b) { return a > b ? a : b; }
static double smaller(double a, double b) { return a < b ? a : b; }
static double magnitude(double a) { return std::abs(a); }

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

double evaluator::isEqual(double a, double b) { return a == b; }
double evaluator::isGreater(double a, double b) { return a > b; }
double evaluator::isGreaterOrEqual(double a, double b) { return a >= b; }
static double isUnequal(double a, double b) { return a != b; }
static double isLess(double a, double b) { return a < b; }
static double isLessOrEqual(double a, double b) { return a <= b; }
static bool areOrdered(double a, double b) {
  return !std::isnan(a) && !std::isnan(b);
}
static double isOrdered(double a, double b) { return areOrdered(a, b); }
static double isUnordered(double a, double b) { return !areOrdered(a, b); }
static double isOrderedUnequal(double a, double b) {
  return areOrdered(a, b) && a != b;
}
static double isUnorderedOrEqual(double a, double b) {
  return !areOrdered(a, b) || a == b;
}
static double isNotLessOrEqual(double a, double b) { return !(a <= b); }
static double isNotLess(double a, double b) { return !(a < b); }
static double isNotGreaterOrEqual(double a, double b) { return !(a >= b); }
static double isNotGreater(double a, double b) { return !(a > b); }
static double always(double, double) { return 1; }
static double never(double, double) { return 0; }

static ScalarFunction getFloatComparison(arith::CmpFPredicate predicate) {
  using arith::CmpFPredicate;
  switch (predicate) {
  case CmpFPredicate::AlwaysFalse:
    return never;
  case CmpFPredicate::OEQ:
    return isEqual;
  case CmpFPredicate::OGT:
    return isGreater;
  case CmpFPredicate::OGE:
    return isGreaterOrEqual;
  case CmpFPredicate::OLT:
    return isLess;
  case CmpFPredicate::OLE:
    return isLessOrEqual;
  case CmpFPredicate::ONE:
    return isOrderedUnequal;
  case CmpFPredicate::ORD:
    return isOrdered;
  case CmpFPredicate::UEQ:
    return isUnorderedOrEqual;
  case CmpFPredicate::UGT:
    return isNotLessOrEqual;
  case CmpFPredicate::UGE:
    return isNotLess;
  case CmpFPredicate::ULT:
    return isNotGreaterOrEqual;
  case CmpFPredicate::ULE:
    return isNotGreater;
  case CmpFPredicate::UNE:
    return isUnequal;
  case CmpFPredicate::UNO:
    return isUnordered;
  case CmpFPredicate::AlwaysTrue:
    return always;
  }
  llvm_unreachable("every predicate has its case");
}

static ScalarFunction getWholeComparison(arith::CmpIPredicate predicate) {
  using arith::CmpIPredicate;
  switch (predicate) {
  case CmpIPredicate::eq:
    return isEqual;
  case CmpIPredicate::ne:
    return isUnequal;
  case CmpIPredicate::slt:
    return isLess;
  case CmpIPredicate::ult:
    return ofUnsigned<isLess>;
  case CmpIPredicate::sle:
    return isLessOrEqual;
  case CmpIPredicate::ule:
    return ofUnsigned<isLessOrEqual>;
  case CmpIPredicate::sgt:
    return isGreater;
  case CmpIPredicate::ugt:
    return ofUnsigned<isGreater>;
  case CmpIPredicate::sge:
    return isGreaterOrEqual;
  case CmpIPredicate::uge:
    return ofUnsigned<isGreaterOrEqual>;
  }
  llvm_unreachable("every predicate has its case");
}

ScalarFunction evaluator::getComparison(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return getFloatComparison(compare.getPredicate());
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare)
    return {};
  // As a signed number the truth is -1; here it is 1.
  bool isTruth = getElementTypeOrSelf(compare.getLhs()).isInteger(1);
  arith::CmpIPredicate predicate = compare.getPredicate();
  if (isTruth && predicate >= arith::CmpIPredicate::slt &&
      predicate <= arith::CmpIPredicate::sge)
    return {};
  return getWholeComparison(predicate);
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

void evaluator::addIntegerFunctions(ScalarTable &table) {
  for (llvm::StringRef dialect : {"arith.", "index."}) {
    bool isIndex = dialect == "index.";
    auto add = [&](llvm::StringRef name, llvm::StringRef ofIndex,
                   ScalarFunction function) {
      table[(dialect + (isIndex ? ofIndex : name)).str()] = function;
    };
    add("addi", "add", addNumbers);
    add("subi", "sub", subtractNumbers);
    add("muli", "mul", multiplyNumbers);
    add("divsi", "divs", divideWhole);
    add("divui", "divu", ofUnsigned<divideWhole>);
    add("floordivsi", "floordivs", divideDown);
    add("ceildivsi", "ceildivs", divideUp);
    add("ceildivui", "ceildivu", ofUnsigned<divideUp>);
    add("remsi", "rems", leaveRest);
    add("remui", "remu", ofUnsigned<leaveRest>);
    add("maxsi", "maxs", larger);
    add("maxui", "maxu", ofUnsigned<larger>);
    add("minsi", "mins", smaller);
    add("minui", "minu", ofUnsigned<smaller>);
    add("andi", "and", conjunction);
    add("ori", "or", disjunction);
    add("xori", "xor", exclusion);
    add("shli", "shl", shiftLeft);
    add("shrsi", "shrs", shiftRight);
  }
  table["math.absi"] = magnitude;
  table["math.ipowi"] = ScalarFunction::Binary(std::pow);
}

/// Infinity has no integer; if it is unread, as after the logarithm of a
/// distance of 0, the last exact integer replaces it.
static double cutWhole(double a) {
  return std::isinf(a) ? std::copysign(0x1p53, a) : std::trunc(a);
}

static double same(double a) { return a; }
static double sameUnsigned(double a) { return a >= 0 ? a : noNumber(); }

void evaluator::addCastFunctions(ScalarTable &table) {
  for (llvm::StringRef name :
       {"arith.extf", "arith.truncf", "arith.extsi", "arith.trunci",
        "arith.sitofp", "arith.index_cast", "index.casts"})
    table[name] = same;
  for (llvm::StringRef name :
       {"arith.extui", "arith.uitofp", "arith.index_castui", "index.castu"})
    table[name] = sameUnsigned;
  for (llvm::StringRef name : {"arith.fptosi", "arith.fptoui"})
    table[name] = cutWhole;
}

ScalarFunction evaluator::getTruthCast(Operation *op) {
  // As a signed number the truth is -1; here it is 1.
  if (isa<arith::MaxSIOp, arith::MinSIOp>(op) &&
      getElementTypeOrSelf(op->getOperand(0)).isInteger(1))
    return isa<arith::MaxSIOp>(op) ? smaller : larger;
  if (isa<arith::ExtSIOp, arith::SIToFPOp, arith::IndexCastOp>(op) &&
      getElementTypeOrSelf(op->getOperand(0)).isInteger(1))
    return negate;
  return {};
}
