//===- ParseClauses.cpp - parses lists, clauses and attributes ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ParseClauses.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace parablock;

/// Parses numbers and truth values in brackets, including nested brackets;
/// other words are ignored.
static ParseResult parseNested(AsmParser &parser,
                               SmallVector<int64_t> &numbers) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        StringRef word;
        if (succeeded(parser.parseOptionalKeyword(&word))) {
          if (word == "true" || word == "false")
            numbers.push_back(word == "true");
          return success();
        }
        int64_t number;
        OptionalParseResult isNumber = parser.parseOptionalInteger(number);
        if (!isNumber.has_value())
          return parseNested(parser, numbers);
        numbers.push_back(number);
        return *isNumber;
      });
}

/// `[1, 2]`, or `[DEFAULT, DEFAULT]`.
ParseResult hlo::parseList(AsmParser &parser, Attribute &list) {
  SmallVector<int64_t> numbers;
  if (parseNested(parser, numbers))
    return failure();
  list = parser.getBuilder().getDenseI64ArrayAttr(numbers);
  return success();
}

/// `key = value, ..` in brackets, as a dictionary.
ParseResult hlo::parseClauses(AsmParser &parser, AsmParser::Delimiter delimiter,
                              NamedAttrList &clauses) {
  return parser.parseCommaSeparatedList(delimiter, [&]() -> ParseResult {
    StringRef key;
    Attribute value;
    if (parser.parseKeyword(&key) || parser.parseEqual() ||
        parseClauseValue(parser, value))
      return failure();
    clauses.set(key, value);
    return success();
  });
}

/// Parses the text after the equals sign.
ParseResult hlo::parseClauseValue(AsmParser &parser, Attribute &value) {
  int64_t number;
  StringRef word;
  if (succeeded(parser.parseOptionalKeyword(&word))) {
    value = parser.getBuilder().getStringAttr(word);
    return success();
  }
  // The algorithm of a product.
  if (succeeded(parser.parseOptionalLess())) {
    NamedAttrList clauses;
    if (parseClauses(parser, AsmParser::Delimiter::None, clauses) ||
        parser.parseGreater())
      return failure();
    value = clauses.getDictionary(parser.getContext());
    return success();
  }
  OptionalParseResult isNumber = parser.parseOptionalInteger(number);
  if (isNumber.has_value()) {
    value = parser.getBuilder().getI64IntegerAttr(number);
    return *isNumber;
  }
  Attribute second;
  if (parseList(parser, value))
    return failure();
  if (failed(parser.parseOptionalKeyword("x")))
    return success();
  if (parseList(parser, second))
    return failure();
  value = parser.getBuilder().getArrayAttr({value, second});
  return success();
}

/// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`, as three lists of words.
ParseResult hlo::parsePlaces(AsmParser &parser, Attribute &places) {
  SmallVector<Attribute> lists;
  auto parseWords = [&]() -> ParseResult {
    SmallVector<Attribute> words;
    auto parseWord = [&]() -> ParseResult {
      StringRef word;
      int64_t number;
      if (succeeded(parser.parseOptionalKeyword(&word))) {
        words.push_back(parser.getBuilder().getStringAttr(word));
        return success();
      }
      if (parser.parseInteger(number))
        return failure();
      words.push_back(parser.getBuilder().getStringAttr(Twine(number)));
      return success();
    };
    ParseResult parsed =
        parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseWord);
    lists.push_back(parser.getBuilder().getArrayAttr(words));
    return parsed;
  };
  if (parseWords() || parser.parseKeyword("x") || parseWords() ||
      parser.parseArrow() || parseWords())
    return failure();
  places = parser.getBuilder().getArrayAttr(lists);
  return success();
}

Attribute hlo::parseNumbers(DialectAsmParser &parser) {
  StringRef mnemonic;
  if (parser.parseKeyword(&mnemonic))
    return {};
  NamedAttrList numbers;
  StringRef key;
  // An enum is a word alone: `#stablehlo<comparison_direction GE>`.
  if (succeeded(parser.parseOptionalKeyword(&key))) {
    numbers.set(mnemonic, parser.getBuilder().getStringAttr(key));
    return numbers.getDictionary(parser.getContext());
  }
  if (parser.parseLess())
    return {};
  if (mnemonic == "conv") {
    Attribute places;
    bool isRead = !parsePlaces(parser, places) && !parser.parseGreater();
    return isRead ? places : Attribute();
  }
  do {
    // Words without a value, too: `<comparison_direction GE>`.
    if (failed(parser.parseOptionalKeyword(&key)))
      break;
    Attribute value;
    StringRef word;
    if (succeeded(parser.parseOptionalKeyword(&word)))
      value = parser.getBuilder().getStringAttr(word);
    else if (succeeded(parser.parseOptionalEqual())) {
      if (parseClauseValue(parser, value))
        return {};
    } else {
      value = parser.getBuilder().getUnitAttr();
    }
    numbers.set(key, value);
  } while (succeeded(parser.parseOptionalComma()));
  if (parser.parseGreater())
    return {};
  return numbers.getDictionary(parser.getContext());
}
