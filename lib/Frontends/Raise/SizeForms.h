//===- SizeForms.h - functions of sizes -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An element that does not depend on data is a function of its indices and of
// the dynamic sizes. Two sizes determine it if it is piecewise affine and both
// sizes are above each kink. This file defines the forms of such functions and
// the rules by which ops combine them; SizeProof walks functions.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_SIZEFORMS_H
#define PARABLOCK_LIB_RAISE_SIZEFORMS_H

#include "Polynomial.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>
#include <vector>

namespace parablock::raise {

/// The behaviour of a function beyond an end of its table.
enum class End { Whole, Flat, Affine, Rising, Falling, Unknown };

/// The value of a function at each number from `low` on.
struct Table {
  int64_t low = 0;
  std::vector<double> numbers;
  End below = End::Unknown, beyond = End::Unknown;

  int64_t getHigh() const {
    return low + static_cast<int64_t>(numbers.size()) - 1;
  }
};

/// Tables reach so far to both sides of 0.
inline constexpr int64_t kReach = 1 << 15;

/// The numbers at which a table is not affine.
llvm::SmallVector<int64_t> findBends(const Table &table);
/// True where all that is beyond the end of a table is known.
bool continues(End end);

/// A constant table, the first rows of which are read.
struct RowsRead {
  /// Number of rows read, and number of rows.
  Polynomial read;
  int64_t rows;
};

/// The nature of a function beyond its kinks, from the least general: one
/// number, affine, the same with a factor for each element, sines of that, rows
/// of a table, another function.
enum class Nature { Flat, Affine, Scaled, Waves, Rows, Other };

/// Properties of a function as a whole.
struct Summary {
  Nature nature = Nature::Flat;
  /// It does not bend where indices, and their differences, are larger.
  double bound = 0;
  /// A size is part of it.
  bool shifts = false;
  llvm::SmallVector<RowsRead, 1> rows;
  /// The op from which on it bends.
  mlir::Operation *origin = nullptr;
  /// The least number at which a function without a rule changes, or 0.
  double change = 0;
};

/// The form of a value's elements. Indices along its dimensions are the
/// variables starting at kFirstIndex.
struct Form {
  enum class Kind { Data, Number, Tensor, Line, Table, Mixed };
  Kind kind = Kind::Data;
  /// Number: all elements.
  double number = 0;
  /// Line: the elements. Table: the number that `table` is a function of.
  Polynomial line;
  std::shared_ptr<const Table> table;
  /// Mixed: functions of several numbers.
  Summary summary;
  /// Table: the op from which on the function bends.
  mlir::Operation *origin = nullptr;

  bool isData() const { return kind == Kind::Data; }
  static Form ofNumber(double number);
  static Form ofLine(const Polynomial &line);
  /// Returns the form of a constant with different elements, of static sizes.
  static Form ofTensor();
  static Form ofSummary(Summary summary);
  /// A function without a rule.
  static Form ofOther(mlir::Operation *origin);
};

Summary settle(const Form &form);

/// The exact polynomial that all elements are, if they are whole numbers.
std::optional<Polynomial> getExact(const Form &form);

/// The rules of elementwise ops. Tables are cached, so that equal functions are
/// computed once.
class FormRules {
public:
  /// Returns the number of indices along a dimension, if known.
  using Extents =
      llvm::function_ref<std::optional<Polynomial>(unsigned variable)>;

  /// Returns the result of `op` on forms that do not depend on data.
  Form apply(mlir::Operation *op, llvm::ArrayRef<Form> given, Extents extents);
  /// One of two forms by a third, as arith.select has it.
  Form select(mlir::Operation *op, const Form &condition, const Form &yes,
              const Form &no);
  /// Returns the form with other numbers substituted for indices; a variable
  /// without one makes it a function of several numbers.
  Form substitute(
      const Form &form,
      llvm::function_ref<std::optional<Polynomial>(unsigned)> replacement);

private:
  using Function = std::function<double(llvm::ArrayRef<double>)>;
  /// The op and the tables that a result follows from.
  using Key = std::vector<uint64_t>;

  Form applyOnce(mlir::Operation *op, llvm::ArrayRef<Form> given,
                 Extents extents);
  std::optional<Form> applyExactly(mlir::Operation *op,
                                   llvm::ArrayRef<Form> given, Extents extents);
  std::optional<Form> applyToTables(mlir::Operation *op,
                                    llvm::ArrayRef<Form> given);
  std::optional<Form> applyToDifference(mlir::Operation *op,
                                        llvm::ArrayRef<Form> given);
  Form toTable(const Form &form);
  std::shared_ptr<const Table> makeAffine(int64_t low, int64_t factor,
                                          int64_t offset);

  std::map<Key, std::shared_ptr<const Table>> tables;
};

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_SIZEFORMS_H
