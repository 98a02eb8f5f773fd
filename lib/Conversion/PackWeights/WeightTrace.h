//===- WeightTrace.h - tracing of weights -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A matrix that is computed from stored ones by transpositions, slices,
// concatenations, casts, and elementwise formulas with vectors, such as gains,
// consists of a few rectangles, each contained in a stored matrix. It can
// therefore be processed in vectors.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_PACKWEIGHTS_WEIGHTTRACE_H
#define PARABLOCK_LIB_CONVERSION_PACKWEIGHTS_WEIGHTTRACE_H

#include "parablock/Conversion/CPUCode/Code.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/WeightMath.h"
#include "llvm/ADT/SetVector.h"
#include <array>
#include <optional>

namespace parablock::cpugen {

/// The directions of a matrix [out, in]; none for a constant value.
enum class WeightAxis { Outs, Ins, None };

/// A rectangle of a matrix, and its start in a source matrix.
struct WeightOrigin {
  int64_t firstOut, outs, firstIn, ins;
  /// The dimension that outputs are counted along, and the first indices.
  unsigned outDim = 0;
  std::array<int64_t, 2> start = {0, 0};
};

/// Elements of a stored vector, starting at `first`, as many as along the
/// axis.
struct WeightFactor {
  int64_t leaf, first;
  WeightAxis axis;
  mlir::Type type;
};

/// A step applied to an element: the formula of `op`, if there is one, and
/// rounding to `type`.
struct WeightStep {
  block::WeightOpInterface op;
  mlir::Type type;
  /// The operand that the element is, and the others in their order.
  unsigned matrix = 0;
  llvm::SmallVector<WeightFactor> factors;

  /// Returns whether the code is equal except for the places of factors.
  bool isLike(const WeightStep &other) const;
};

/// A rectangle of a stored matrix, and the steps from there, in order.
struct WeightPiece {
  WeightOrigin origin;
  int64_t leaf, columns;
  llvm::SmallVector<WeightStep> steps;

  int64_t getFirst() const {
    return origin.start[0] * columns + origin.start[1];
  }
  int64_t getOutDistance() const { return getDistance(origin.outDim); }
  int64_t getInDistance() const { return getDistance(1 - origin.outDim); }
  /// The factors of all steps, in order.
  llvm::SmallVector<WeightFactor> getFactors() const;

private:
  int64_t getDistance(unsigned dim) const { return dim == 0 ? columns : 1; }
};

/// Pieces of one stored type, with like steps.
struct WeightTrace {
  llvm::SmallVector<WeightPiece> pieces;
  mlir::Type type;
};

/// Traces the rectangle `origin` of `value`. Returns none if an element is
/// computed in another way. Rounding to the type `stored`, unless null, is left
/// to the store of the elements.
std::optional<WeightTrace> traceWeight(Value value, const WeightOrigin &origin,
                                       const llvm::SetVector<Value> &leaves,
                                       mlir::Type stored);

/// Traces a vector, starting at `start`.
std::optional<WeightFactor> traceFactor(Value vector, WeightAxis axis,
                                        int64_t start,
                                        const llvm::SetVector<Value> &leaves);

/// The words of formulas as code.
class CodeMath : public block::WeightMath {
public:
  explicit CodeMath(Code &code) : code(code) {}

  Value number(double value) override { return code.f32(value); }
  Value add(Value a, Value b) override { return code.add(a, b); }
  Value add(Value a, double b) override { return code.add(a, code.f32(b)); }
  Value multiply(Value a, Value b) override { return code.mul(a, b); }
  Value multiply(Value a, double b) override { return code.mul(a, b); }

protected:
  Code &code;
};

/// A formula with given operands.
class OperandMath final : public CodeMath {
public:
  OperandMath(Code &code, llvm::function_ref<Value(unsigned)> find)
      : CodeMath(code), find(find) {}

  Value element(unsigned operand) override { return find(operand); }
  Value decode(unsigned, llvm::ArrayRef<double>) override {
    llvm_unreachable("codes are not traced");
  }
  Value identity() override { llvm_unreachable("positions are not traced"); }

private:
  llvm::function_ref<Value(unsigned)> find;
};

/// Elements of a piece as they are after all its steps.
class PieceReader {
public:
  PieceReader(Code &code, llvm::ArrayRef<WeightStep> steps, mlir::Type type)
      : code(code), steps(steps), type(type) {}

  /// Place of a piece: its output `out` and input `in` are at `first` + `out` *
  /// `outDistance` + `in` * `inDistance` of `base`.
  struct Place {
    Value base, first, outDistance, inDistance;
    /// Pointers of factors, and their first elements.
    llvm::SmallVector<std::pair<Value, Value>> factors;
  };

  /// Returns `lanes` neighbours along an axis, as f32.
  Value load(const Place &place, Value out, Value in, WeightAxis axis,
             int64_t lanes) const;
  Value getPosition(const Place &place, Value out, Value in) const;

private:
  Code &code;
  llvm::ArrayRef<WeightStep> steps;
  mlir::Type type;
};

/// Loads the elements of a factor for `lanes` neighbours along an axis.
Value loadFactor(Code &code, const WeightFactor &factor, Value base,
                 Value first, Value out, Value in, WeightAxis axis,
                 int64_t lanes);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_PACKWEIGHTS_WEIGHTTRACE_H
