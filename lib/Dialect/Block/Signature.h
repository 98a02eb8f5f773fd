//===- Signature.h - types in the text of ops -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An op is written `operands {attributes} : types`. One rule per op
// (TypeRules.cpp) defines which operands' types are given and how the others
// follow. If they do not follow, all are written as a function type; the reader
// accepts both forms.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_IR_SIGNATURE_H
#define PARABLOCK_LIB_IR_SIGNATURE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpImplementation.h"
#include "parablock/Dialect/Block/NamedOperands.h"

namespace parablock::block {

/// The types of an op while its text is read or printed.
class Signature {
public:
  using Rule = void (*)(Signature &);
  using Operand = mlir::OpAsmParser::UnresolvedOperand;

  /// The operands of one name, and where their types go when they are read.
  struct Group {
    llvm::StringRef name;
    size_t count = 0;
    llvm::SmallVector<mlir::Type, 1> types;
    mlir::Type *one = nullptr;
    llvm::SmallVectorImpl<mlir::Type> *many = nullptr;
  };

  //===--------------------------------------------------------------------===//
  // Interface of rules
  //===--------------------------------------------------------------------===//

  /// Parses the types of the operands `name`; returns the first.
  mlir::Type give(llvm::StringRef name);
  /// Parses one type, which all operands `name` have.
  mlir::Type giveOne(llvm::StringRef name);
  /// Gives the operands `name` the type `type`; returns their actual type. A
  /// null type does not follow.
  mlir::Type follow(llvm::StringRef name, mlir::Type type);
  void follow(llvm::StringRef name, llvm::ArrayRef<mlir::Type> types);
  /// Gives all results the type `type`, unless the text has others after an
  /// arrow; returns the type of the first.
  mlir::Type result(mlir::Type type);

  bool has(llvm::StringRef name) { return count(name) != 0; }
  size_t count(llvm::StringRef name) { return find(name).count; }
  llvm::ArrayRef<mlir::Type> types(llvm::StringRef name) {
    return find(name).types;
  }
  mlir::Attribute attribute(llvm::StringRef name) const {
    return attributes.get(name);
  }
  /// Reads an integer attribute; `otherwise` where there is none.
  int64_t integer(llvm::StringRef name, int64_t otherwise = -1) const;

private:
  template <typename... Args>
  friend mlir::ParseResult parseSignature(mlir::OpAsmParser &, llvm::StringRef,
                                          llvm::StringRef, Rule,
                                          mlir::NamedAttrList &, Args &...);
  template <typename Op, typename... Args>
  friend void printSignature(mlir::OpAsmPrinter &, Op, llvm::StringRef,
                             llvm::StringRef, Rule, mlir::DictionaryAttr,
                             const Args &...);
  template <typename... Args>
  friend mlir::ParseResult parseNamedSignature(
      mlir::OpAsmParser &, llvm::StringRef, NamedOperands::Table,
      llvm::StringRef, Rule, llvm::SmallVectorImpl<Operand> &,
      llvm::SmallVectorImpl<mlir::Type> &, mlir::NamedAttrList &, Args &...);
  template <typename Op, typename... Args>
  friend void printNamedSignature(mlir::OpAsmPrinter &, Op, llvm::StringRef,
                                  NamedOperands::Table, llvm::StringRef, Rule,
                                  mlir::OperandRange, mlir::TypeRange,
                                  mlir::DictionaryAttr, const Args &...);

  Signature(llvm::StringRef names, Rule rule) : rest(names), rule(rule) {}

  Group &find(llvm::StringRef name);
  Group &add(size_t count);
  /// Returns the next type of the text; null after the last.
  mlir::Type take();

  // The arguments of the generated parser: operands and types by turns.
  void read(Operand &) { add(1); }
  void read(std::optional<Operand> &operand) { add(operand.has_value()); }
  void read(llvm::SmallVectorImpl<Operand> &operands) { add(operands.size()); }
  void read(mlir::Type &type) { next().one = &type; }
  void read(llvm::SmallVectorImpl<mlir::Type> &types) { next().many = &types; }
  /// Returns the group of the next types: the last operands, or else the
  /// results.
  Group &next();

  // Interface for the generated printer.
  void write(mlir::Value operand) { add(static_cast<bool>(operand)); }
  void write(mlir::OperandRange operands) { add(operands.size()); }
  void write(mlir::Type) {}
  void write(mlir::TypeRange) {}

  /// Reads named operands, each behind its keyword, in any order.
  mlir::ParseResult readNamed(mlir::OpAsmParser &parser,
                              NamedOperands::Table table,
                              llvm::SmallVectorImpl<Operand> &operands);
  /// Hands on the types of named operands, and sets how many there are of each
  /// operand.
  mlir::ParseResult storeNamed(mlir::OpAsmParser &parser,
                               llvm::SmallVectorImpl<mlir::Type> &types,
                               mlir::NamedAttrList &read);
  /// Prints named operands, those that `counts` has.
  void writeNamed(mlir::OpAsmPrinter &printer, NamedOperands::Table table,
                  llvm::ArrayRef<int32_t> counts, mlir::OperandRange operands);

  mlir::ParseResult parse(mlir::OpAsmParser &parser, llvm::StringRef opName,
                          mlir::NamedAttrList &read);
  mlir::ParseResult parseTypes(mlir::OpAsmParser &parser);
  mlir::ParseResult spread(mlir::OpAsmParser &parser, llvm::SMLoc loc,
                           mlir::FunctionType type);
  void store();
  void print(mlir::OpAsmPrinter &printer, mlir::Operation *op);

  /// The names of the operands that are not in `groups` yet.
  llvm::StringRef rest;
  Rule rule;
  llvm::SmallVector<Group, 8> groups;
  Group results{"result", 1, {}, nullptr, nullptr};
  mlir::NamedAttrList attributes;
  bool isReading = false;
  /// Types that the text gives when read, or that are to be printed.
  llvm::SmallVector<mlir::Type> written;
  llvm::SmallVector<mlir::Type, 1> writtenResults;
  /// The operands whose types the text must contain, for errors.
  llvm::SmallVector<llvm::StringRef> givenNames;
  size_t taken = 0;
  bool follows = true;
};

/// Reads an attribute dictionary. Of heads alone, key heads are as many.
mlir::ParseResult parseAttributes(mlir::OpAsmParser &parser,
                                  llvm::StringRef opName,
                                  mlir::NamedAttrList &attributes);
/// Prints a dictionary without entries that equal `defaults`, and numbers
/// without types.
void printAttributes(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                     mlir::DictionaryAttr attributes,
                     mlir::DictionaryAttr defaults);

template <typename Op>
using HasDefaults = decltype(Op::populateDefaultProperties(
    std::declval<mlir::OperationName>(),
    std::declval<typename Op::Properties &>()));

/// Returns the values of attributes that `op` need not have.
template <typename Op> mlir::DictionaryAttr getDefaults(Op op) {
  if constexpr (llvm::is_detected<HasDefaults, Op>::value) {
    typename Op::Properties properties{};
    Op::populateDefaultProperties(op->getName(), properties);
    return llvm::cast_if_present<mlir::DictionaryAttr>(
        Op::getPropertiesAsAttr(op->getContext(), properties));
  }
  return {};
}

/// The custom directive of the assembly formats.
template <typename... Args>
mlir::ParseResult
parseSignature(mlir::OpAsmParser &parser, llvm::StringRef opName,
               llvm::StringRef names, Signature::Rule rule,
               mlir::NamedAttrList &attributes, Args &...args) {
  Signature signature(names, rule);
  (signature.read(args), ...);
  return signature.parse(parser, opName, attributes);
}

template <typename Op, typename... Args>
void printSignature(mlir::OpAsmPrinter &printer, Op op, llvm::StringRef,
                    llvm::StringRef names, Signature::Rule rule,
                    mlir::DictionaryAttr attributes, const Args &...args) {
  Signature signature(names, rule);
  (signature.write(args), ...);
  printAttributes(printer, op, attributes, getDefaults(op));
  signature.print(printer, op);
}

/// The same of an op with named operands: `positional` are the others.
template <typename... Args>
mlir::ParseResult
parseNamedSignature(mlir::OpAsmParser &parser, llvm::StringRef opName,
                    NamedOperands::Table table, llvm::StringRef positional,
                    Signature::Rule rule,
                    llvm::SmallVectorImpl<Signature::Operand> &named,
                    llvm::SmallVectorImpl<mlir::Type> &types,
                    mlir::NamedAttrList &attributes, Args &...args) {
  Signature signature(positional, rule);
  (signature.read(args), ...);
  return mlir::failure(signature.readNamed(parser, table, named) ||
                       signature.parse(parser, opName, attributes) ||
                       signature.storeNamed(parser, types, attributes));
}

template <typename Op, typename... Args>
void printNamedSignature(mlir::OpAsmPrinter &printer, Op op, llvm::StringRef,
                         NamedOperands::Table table, llvm::StringRef positional,
                         Signature::Rule rule, mlir::OperandRange named,
                         mlir::TypeRange, mlir::DictionaryAttr attributes,
                         const Args &...args) {
  Signature signature(positional, rule);
  (signature.write(args), ...);
  signature.writeNamed(
      printer, table,
      op.getOperandSegmentSizes().drop_front(op.getNumPositionalOperands()),
      named);
  printAttributes(printer, op, attributes, getDefaults(op));
  signature.print(printer, op);
}

} // namespace parablock::block

#endif // PARABLOCK_LIB_IR_SIGNATURE_H
