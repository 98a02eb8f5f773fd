//===- Polynomial.h - polynomials of indices and sizes ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_POLYNOMIAL_H
#define PARABLOCK_LIB_RAISE_POLYNOMIAL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <map>
#include <optional>

namespace parablock::raise {

/// Variables below are sizes, those from here on indices along dimensions.
inline constexpr unsigned kFirstIndex = 1 << 16;

/// A polynomial with integer factors. None on overflow.
class Polynomial {
public:
  /// Its variables in their order, one as often as its power.
  using Monomial = llvm::SmallVector<unsigned, 2>;

  Polynomial(int64_t constant = 0);
  static Polynomial variable(unsigned variable);

  bool isConstant() const;
  /// Returns true where it is a sum of variables times numbers, and a number.
  bool isLinear() const;
  bool hasIndices() const;
  bool hasSizes() const;
  int64_t getConstant() const { return getFactor({}); }
  int64_t getFactor(const Monomial &monomial) const;
  const std::map<Monomial, int64_t> &getTerms() const { return terms; }
  bool operator==(const Polynomial &other) const {
    return terms == other.terms;
  }

  std::optional<Polynomial> plus(const Polynomial &other) const;
  std::optional<Polynomial> minus(const Polynomial &other) const;
  std::optional<Polynomial> times(const Polynomial &other) const;
  /// Returns the quotient, if the remainder is 0 for all variables.
  std::optional<Polynomial> dividedBy(const Polynomial &other) const;
  /// Substitutes polynomials for variables; none if one has none.
  std::optional<Polynomial>
  replace(llvm::function_ref<std::optional<Polynomial>(unsigned)> by) const;
  /// Its value at sizes alone.
  std::optional<int64_t>
  evaluate(llvm::function_ref<std::optional<int64_t>(unsigned)> at) const;

  /// Returns a lower bound, for sizes of at least 1 and indices from 0 to
  /// `extents`; none if it does not follow.
  std::optional<int64_t> getLeast(
      llvm::function_ref<std::optional<Polynomial>(unsigned)> extents) const;

private:
  bool add(const Monomial &monomial, int64_t factor);
  std::map<Monomial, int64_t> terms;
};

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_POLYNOMIAL_H
