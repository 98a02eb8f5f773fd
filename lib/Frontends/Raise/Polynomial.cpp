//===- Polynomial.cpp - arithmetic on polynomials -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Polynomial.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace parablock::raise;

Polynomial::Polynomial(int64_t constant) {
  if (constant != 0)
    terms[{}] = constant;
}

Polynomial Polynomial::variable(unsigned variable) {
  Polynomial made;
  made.terms[{variable}] = 1;
  return made;
}

bool Polynomial::isConstant() const {
  return terms.empty() || (terms.size() == 1 && terms.begin()->first.empty());
}

bool Polynomial::isLinear() const {
  return llvm::all_of(terms,
                      [](const auto &term) { return term.first.size() <= 1; });
}

static bool hasVariable(const std::map<Polynomial::Monomial, int64_t> &terms,
                        function_ref<bool(unsigned)> isOne) {
  return llvm::any_of(
      terms, [&](const auto &term) { return llvm::any_of(term.first, isOne); });
}

bool Polynomial::hasIndices() const {
  return hasVariable(terms, [](unsigned v) { return v >= kFirstIndex; });
}

bool Polynomial::hasSizes() const {
  return hasVariable(terms, [](unsigned v) { return v < kFirstIndex; });
}

int64_t Polynomial::getFactor(const Monomial &monomial) const {
  auto found = terms.find(monomial);
  return found == terms.end() ? 0 : found->second;
}

bool Polynomial::add(const Monomial &monomial, int64_t factor) {
  int64_t &own = terms[monomial];
  if (AddOverflow(own, factor, own))
    return false;
  if (own == 0)
    terms.erase(monomial);
  return true;
}

std::optional<Polynomial> Polynomial::plus(const Polynomial &other) const {
  Polynomial sum = *this;
  for (const auto &[monomial, factor] : other.terms)
    if (!sum.add(monomial, factor))
      return std::nullopt;
  return sum;
}

std::optional<Polynomial> Polynomial::minus(const Polynomial &other) const {
  std::optional<Polynomial> negative = other.times(-1);
  return negative ? plus(*negative) : std::nullopt;
}

std::optional<Polynomial> Polynomial::times(const Polynomial &other) const {
  Polynomial product;
  for (const auto &[one, factor] : terms)
    for (const auto &[two, by] : other.terms) {
      Monomial both = one;
      both.append(two);
      llvm::sort(both);
      int64_t number;
      if (MulOverflow(factor, by, number) || !product.add(both, number))
        return std::nullopt;
    }
  return product;
}

std::optional<Polynomial> Polynomial::dividedBy(const Polynomial &other) const {
  if (other.terms.size() != 1)
    return std::nullopt;
  const auto &[divisor, by] = *other.terms.begin();
  Polynomial quotient;
  for (const auto &[monomial, factor] : terms) {
    Monomial left = monomial;
    for (unsigned variable : divisor) {
      auto *found = llvm::find(left, variable);
      if (found == left.end())
        return std::nullopt;
      left.erase(found);
    }
    if (by == -1 || factor % by != 0 || !quotient.add(left, factor / by))
      return std::nullopt;
  }
  return quotient;
}

std::optional<Polynomial> Polynomial::replace(
    function_ref<std::optional<Polynomial>(unsigned)> by) const {
  Polynomial replaced;
  for (const auto &[monomial, factor] : terms) {
    std::optional<Polynomial> product = Polynomial(factor);
    for (unsigned variable : monomial) {
      std::optional<Polynomial> other = by(variable);
      product = other ? product->times(*other) : std::nullopt;
      if (!product)
        return std::nullopt;
    }
    std::optional<Polynomial> sum = replaced.plus(*product);
    if (!sum)
      return std::nullopt;
    replaced = *sum;
  }
  return replaced;
}

std::optional<int64_t>
Polynomial::evaluate(function_ref<std::optional<int64_t>(unsigned)> at) const {
  std::optional<Polynomial> number =
      replace([&](unsigned variable) -> std::optional<Polynomial> {
        std::optional<int64_t> size = at(variable);
        return size ? std::optional(Polynomial(*size)) : std::nullopt;
      });
  return number ? std::optional(number->getConstant()) : std::nullopt;
}

std::optional<int64_t> Polynomial::getLeast(
    function_ref<std::optional<Polynomial>(unsigned)> extents) const {
  // An index is least at an end of its range.
  Polynomial ofSizes;
  for (const auto &[monomial, factor] : terms) {
    Polynomial part;
    part.terms[monomial] = factor;
    if (part.hasIndices()) {
      if (factor > 0)
        continue;
      std::optional<Polynomial> last =
          part.replace([&](unsigned variable) -> std::optional<Polynomial> {
            if (variable < kFirstIndex)
              return Polynomial::variable(variable);
            std::optional<Polynomial> extent = extents(variable);
            return extent ? extent->minus(1) : std::nullopt;
          });
      if (!last)
        return std::nullopt;
      part = *last;
    }
    std::optional<Polynomial> sum = ofSizes.plus(part);
    if (!sum)
      return std::nullopt;
    ofSizes = *sum;
  }
  // Sizes are at least 1; the polynomial is in the excess.
  std::optional<Polynomial> above = ofSizes.replace(
      [](unsigned variable) { return Polynomial::variable(variable).plus(1); });
  if (!above)
    return std::nullopt;
  for (const auto &[monomial, factor] : above->terms)
    if (!monomial.empty() && factor < 0)
      return std::nullopt;
  return above->getConstant();
}
