//===- ParseClauses.h - lists, clauses and attributes -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_STABLEHLO_PARSECLAUSES_H
#define PARABLOCK_LIB_STABLEHLO_PARSECLAUSES_H

#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OperationSupport.h"

namespace parablock::hlo {

/// `[1, 2]`, or `[DEFAULT, DEFAULT]`, as an array of numbers.
mlir::ParseResult parseList(mlir::AsmParser &parser, mlir::Attribute &list);

/// Parses the text after the equals sign of a clause.
mlir::ParseResult parseClauseValue(mlir::AsmParser &parser,
                                   mlir::Attribute &value);

/// `key = value, ..` in brackets.
mlir::ParseResult parseClauses(mlir::AsmParser &parser,
                               mlir::AsmParser::Delimiter delimiter,
                               mlir::NamedAttrList &clauses);

/// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`, as three lists of words.
mlir::ParseResult parsePlaces(mlir::AsmParser &parser, mlir::Attribute &places);

/// `<key = [1, 2], other = 3>` behind a mnemonic, as a dictionary.
mlir::Attribute parseNumbers(mlir::DialectAsmParser &parser);

} // namespace parablock::hlo

#endif // PARABLOCK_LIB_STABLEHLO_PARSECLAUSES_H
