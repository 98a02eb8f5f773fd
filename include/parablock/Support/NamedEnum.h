//===- NamedEnum.h - enums whose values have names --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PARABLOCK_NAMED_ENUM lists the names of an enum's values once. Options of
// passes and flags of tools that have such a type take and print these names,
// and refuse others with the list.
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

/// The names in words: `a, b or c`.
std::string listNames(llvm::ArrayRef<llvm::StringRef> names);
template <typename Enum> std::string listNames() {
  return listNames(EnumNames<Enum>::get());
}

/// Gives what was wrong with the last value in this thread, or nothing, and
/// forgets it: the parser of pipelines says it on standard error alone.
std::string takeWrongValue();

/// Says that `option` was given `text`, which is none of `names`.
bool refuseValue(llvm::cl::Option &option,
                 llvm::ArrayRef<llvm::StringRef> names, llvm::StringRef text);

/// Reads values on the command line.
template <typename Enum>
class NamedEnumParser : public llvm::cl::basic_parser<Enum> {
public:
  using Base = NamedEnumParser;
  using llvm::cl::basic_parser<Enum>::basic_parser;

  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef text,
             Enum &value) {
    std::optional<Enum> known = parseName<Enum>(text);
    if (!known)
      return refuseValue(option, EnumNames<Enum>::get(), text);
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

/// In the global namespace, behind the enum.
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
