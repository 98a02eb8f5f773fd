//===- Number.h - numbers of flags and options ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Flags of tools and options of passes that are floating-point numbers have the
// type Number. LLVM's parser of a double accepts an empty text as 0, so
// `scale=$SCALE` of an unset variable would be another model.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_NUMBER_H
#define PARABLOCK_SUPPORT_NUMBER_H

#include "llvm/Support/CommandLine.h"

namespace parablock {

/// A double that is parsed from a whole text.
class Number {
public:
  Number(double value = 0) : value(value) {}
  operator double() const { return value; }

private:
  double value;
};

} // namespace parablock

template <>
class llvm::cl::parser<parablock::Number>
    : public llvm::cl::basic_parser<parablock::Number> {
public:
  using basic_parser::basic_parser;

  /// Returns true for a text that is not a number.
  bool parse(Option &option, StringRef name, StringRef text,
             parablock::Number &value);
  StringRef getValueName() const override { return "number"; }
  void printOptionDiff(const Option &option, parablock::Number value,
                       const OptionValue<parablock::Number> &initial,
                       size_t width) const;
  void anchor() override {}
};

#endif // PARABLOCK_SUPPORT_NUMBER_H
