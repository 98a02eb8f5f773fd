//===- NamedEnum.h - enums with named values --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PARABLOCK_NAMED_ENUM lists the names of an enum's values once. Options of
// passes and flags of tools of such a type parse and print these names; an
// error for another value lists them.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_NAMEDENUM_H
#define PARABLOCK_SUPPORT_NAMEDENUM_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

namespace parablock {

/// The names of the values 0, 1, ..., as `get()`.
template <typename Enum> struct EnumNames;

template <typename Enum>
auto getEnumName(Enum value) -> decltype(EnumNames<Enum>::get().front()) {
  return EnumNames<Enum>::get()[static_cast<size_t>(value)];
}

template <typename Enum>
auto operator<<(llvm::raw_ostream &os, Enum value)
    -> decltype(EnumNames<Enum>::get(), os) {
  return os << getEnumName(value);
}

template <typename Enum> std::optional<Enum> parseName(llvm::StringRef name) {
  llvm::ArrayRef<llvm::StringRef> names = EnumNames<Enum>::get();
  const llvm::StringRef *found = llvm::find(names, name);
  if (found == names.end())
    return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

/// Returns the names as prose: `a, b or c`.
std::string listNames(llvm::ArrayRef<llvm::StringRef> names);
template <typename Enum> std::string listNames() {
  return listNames(EnumNames<Enum>::get());
}

/// Returns and clears the error of the last wrong value in this thread, if any:
/// MLIR's parser of pipelines only prints it to standard error.
std::string takeWrongValue();

/// Reports that `option` has the value `text` instead of what is expected, such
/// as `a number`. Returns true, as parsers of values do.
bool refuseValue(llvm::cl::Option &option, const llvm::Twine &expected,
                 llvm::StringRef text);

/// Parses values on the command line.
template <typename Enum>
class NamedEnumParser : public llvm::cl::basic_parser<Enum> {
public:
  using Base = NamedEnumParser;
  using llvm::cl::basic_parser<Enum>::basic_parser;

  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef text,
             Enum &value) {
    std::optional<Enum> known = parseName<Enum>(text);
    if (!known)
      return refuseValue(option, listNames<Enum>(), text);
    value = *known;
    return false;
  }
  llvm::StringRef getValueName() const override { return "name"; }
  void printOptionDiff(const llvm::cl::Option &option, Enum value,
                       const llvm::cl::OptionValue<Enum> &,
                       size_t width) const {
    this->printOptionName(option, width);
    llvm::outs() << "= " << value << "\n";
  }
  void anchor() override {}
};

} // namespace parablock

/// Must be in the global namespace, after the enum.
#define PARABLOCK_NAMED_ENUM(ENUM, ...)                                        \
  template <> struct parablock::EnumNames<ENUM> {                              \
    static llvm::ArrayRef<llvm::StringRef> get() {                             \
      static const llvm::StringRef names[] = {__VA_ARGS__};                    \
      return names;                                                            \
    }                                                                          \
  };                                                                           \
  template <>                                                                  \
  class llvm::cl::parser<ENUM> : public parablock::NamedEnumParser<ENUM> {     \
    using Base::Base;                                                          \
  };

#endif // PARABLOCK_SUPPORT_NAMEDENUM_H
