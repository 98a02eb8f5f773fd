//===- ScalarTables.h - functions of numbers by op name ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_EVALUATOR_SCALARTABLES_H
#define PARABLOCK_LIB_EVALUATOR_SCALARTABLES_H

#include "Scalars.h"
#include "llvm/ADT/StringMap.h"

namespace parablock::evaluator {

using ScalarTable = llvm::StringMap<ScalarFunction>;

void addFloatFunctions(ScalarTable &table);
void addIntegerFunctions(ScalarTable &table);
void addCastFunctions(ScalarTable &table);

/// `arith.cmpf`, `arith.cmpi`: the function is in an attribute.
ScalarFunction getComparison(mlir::Operation *op);
/// A cast, maximum or minimum of truth values as signed numbers, 0 and -1.
ScalarFunction getTruthCast(mlir::Operation *op);

// Those that TOSA has too.
double addNumbers(double a, double b);
double subtractNumbers(double a, double b);
double multiplyNumbers(double a, double b);
double maximum(double a, double b);
double minimum(double a, double b);
double isEqual(double a, double b);
double isGreater(double a, double b);
double isGreaterOrEqual(double a, double b);
double conjunction(double a, double b);
double disjunction(double a, double b);
double exclusion(double a, double b);
double choose(double condition, double a, double b);
double negate(double a);
double reciprocalRoot(double a);
double sigmoid(double a);

} // namespace parablock::evaluator

#endif // PARABLOCK_LIB_EVALUATOR_SCALARTABLES_H
