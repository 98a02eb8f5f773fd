//===- ParseOperations.cpp - parsers of ops by syntax ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Nearly all ops have the same syntax: operands, then clauses `key = value`,
// then types. Clauses become attributes under their keys, lists of numbers
// `array<i64>` and two lists `[..] x [..]` an array of both.
//
//===----------------------------------------------------------------------===//

#include "ParseOperations.h"
#include "ParseClauses.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::hlo;

using Operands = SmallVector<OpAsmParser::UnresolvedOperand, 4>;

/// `key = value`, or a word alone.
static ParseResult parseClause(OpAsmParser &parser, OperationState &state) {
  std::string key;
  if (parser.parseKeywordOrString(&key))
    return failure();
  Attribute value = parser.getBuilder().getUnitAttr();
  if (succeeded(parser.parseOptionalEqual()) && parseClauseValue(parser, value))
    return failure();
  state.addAttribute(key, value);
  return success();
}

/// Parses types of operands and results: `: T` of all, `: (A, B) -> C`, `: A ->
/// B`, or `: P, T` of a condition and everything else.
static ParseResult parseTypes(OpAsmParser &parser, const Operands &operands,
                              OperationState &state) {
  SmallVector<Type> types;
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonTypeList(types))
    return failure();
  if (auto function = dyn_cast<FunctionType>(types.front());
      function && types.size() == 1) {
    state.addTypes(function.getResults());
    return parser.resolveOperands(operands, function.getInputs(), where,
                                  state.operands);
  }
  Type result = types.back();
  if (succeeded(parser.parseOptionalArrow()) && parser.parseType(result))
    return failure();
  state.addTypes(result);
  for (auto [k, operand] : llvm::enumerate(operands))
    if (parser.resolveOperand(operand,
                              types[std::min<size_t>(k, types.size() - 1)],
                              state.operands))
      return failure();
  return success();
}

static ParseResult parseOrdinary(OpAsmParser &parser, OperationState &state) {
  Operands operands;
  OpAsmParser::UnresolvedOperand operand;
  bool goesOn = true;
  while (goesOn) {
    OptionalParseResult isOperand = parser.parseOptionalOperand(operand);
    if (isOperand.has_value()) {
      if (failed(*isOperand))
        return failure();
      operands.push_back(operand);
    } else if (parseClause(parser, state)) {
      return failure();
    }
    goesOn = succeeded(parser.parseOptionalComma());
  }
  return parseTypes(parser, operands, state);
}

static ParseResult parseConstant(OpAsmParser &parser, OperationState &state) {
  Attribute value;
  if (parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseAttribute(value, "value", state.attributes))
    return failure();
  auto typed = dyn_cast<TypedAttr>(value);
  if (!typed)
    return parser.emitError(parser.getCurrentLocation(),
                            "expected a constant with a type");
  state.addTypes(typed.getType());
  return success();
}

/// `%a, %b : tensor<2xcomplex<f32>>`, of which both are parts.
static ParseResult parseComplex(OpAsmParser &parser, OperationState &state) {
  Operands operands;
  RankedTensorType type;
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseOperandList(operands, 2) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type))
    return failure();
  auto number = dyn_cast<ComplexType>(type.getElementType());
  if (!number)
    return parser.emitError(where, "expected a tensor of complex numbers");
  state.addTypes(type);
  return parser.resolveOperands(operands, type.clone(number.getElementType()),
                                state.operands);
}

/// `%x [0:2, 4:8:2] : (A) -> B`
static ParseResult parseSlice(OpAsmParser &parser, OperationState &state) {
  Operands operands(1);
  SmallVector<int64_t> starts, limits, strides;
  auto parseRange = [&]() -> ParseResult {
    if (parser.parseInteger(starts.emplace_back()) || parser.parseColon() ||
        parser.parseInteger(limits.emplace_back()))
      return failure();
    strides.push_back(1);
    return failed(parser.parseOptionalColon())
               ? ParseResult(success())
               : parser.parseInteger(strides.back());
  };
  if (parser.parseOperand(operands[0]) ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRange))
    return failure();
  Builder &builder = parser.getBuilder();
  state.addAttribute("start_indices", builder.getDenseI64ArrayAttr(starts));
  state.addAttribute("limit_indices", builder.getDenseI64ArrayAttr(limits));
  state.addAttribute("strides", builder.getDenseI64ArrayAttr(strides));
  return parseTypes(parser, operands, state);
}

/// `reducer(%a: T, %b: T) { .. }`
static ParseResult parseReducer(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::Argument> arguments;
  return failure(parser.parseArgumentList(arguments,
                                          OpAsmParser::Delimiter::Paren,
                                          /*allowType=*/true) ||
                 parser.parseRegion(*state.addRegion(), arguments));
}

/// Parses `(%x init: %c) applies stablehlo.add across dimensions = [2] : ..`,
/// or with a reducer after the types.
static ParseResult parseReduce(OpAsmParser &parser, OperationState &state) {
  Operands operands(2);
  std::string applied;
  Attribute dimensions;
  if (parser.parseLParen() || parser.parseOperand(operands[0]) ||
      parser.parseKeyword("init") || parser.parseColon() ||
      parser.parseOperand(operands[1]) || parser.parseRParen())
    return failure();
  if (succeeded(parser.parseOptionalKeyword("applies"))) {
    if (parser.parseKeywordOrString(&applied))
      return failure();
    state.addAttribute("applies", parser.getBuilder().getStringAttr(applied));
  }
  if (parser.parseKeyword("across") || parser.parseKeyword("dimensions") ||
      parser.parseEqual() || parseList(parser, dimensions))
    return failure();
  state.addAttribute("dimensions", dimensions);
  if (parseTypes(parser, operands, state))
    return failure();
  if (!applied.empty())
    return success();
  return failure(parser.parseKeyword("reducer") || parseReducer(parser, state));
}

static ParseResult parseReturn(OpAsmParser &parser, OperationState &state) {
  Operands operands;
  SmallVector<Type> types;
  SMLoc where = parser.getCurrentLocation();
  return failure(
      parser.parseOperandList(operands) ||
      parser.parseOptionalColonTypeList(types) ||
      parser.resolveOperands(operands, types, where, state.operands));
}

/// `(%a = %x, %b = %y) : types cond { .. } do { .. }`
static ParseResult parseWhile(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::Argument> arguments;
  Operands operands;
  SmallVector<Type> types;
  SMLoc where = parser.getCurrentLocation();
  auto parseCarried = [&]() {
    return failure(parser.parseArgument(arguments.emplace_back()) ||
                   parser.parseEqual() ||
                   parser.parseOperand(operands.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                     parseCarried) ||
      parser.parseOptionalColonTypeList(types) ||
      parser.resolveOperands(operands, types, where, state.operands) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes))
    return failure();
  state.addTypes(types);
  for (auto [argument, type] : llvm::zip(arguments, types))
    argument.type = type;
  return failure(parser.parseKeyword("cond") ||
                 parser.parseRegion(*state.addRegion(), arguments) ||
                 parser.parseKeyword("do") ||
                 parser.parseRegion(*state.addRegion(), arguments));
}

/// `@target(%x) {..} : (A) -> B`
static ParseResult parseCustomCall(OpAsmParser &parser, OperationState &state) {
  Operands operands;
  StringAttr target;
  if (parser.parseSymbolName(target) ||
      parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren))
    return failure();
  state.addAttribute("call_target_name", target);
  return parseTypes(parser, operands, state);
}

/// `"name" %x {decomposition = @f} : (A) -> B`
static ParseResult parseComposite(OpAsmParser &parser, OperationState &state) {
  Operands operands;
  std::string name;
  if (parser.parseString(&name) || parser.parseOperandList(operands))
    return failure();
  return parseTypes(parser, operands, state);
}

/// `(%x, %k) dim_numbers = .., window = {stride = [2, 2], ..} {..} : ..`
static ParseResult parseConvolution(OpAsmParser &parser,
                                    OperationState &state) {
  Operands operands;
  Attribute places;
  if (parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren) ||
      parser.parseKeyword("dim_numbers") || parser.parseEqual() ||
      parsePlaces(parser, places) || parser.parseComma() ||
      parser.parseKeyword("window") || parser.parseEqual() ||
      parseClauses(parser, AsmParser::Delimiter::Braces, state.attributes))
    return failure();
  state.addAttribute("dim_numbers", places);
  return parseTypes(parser, operands, state);
}

/// `(%x, k = 2) : A -> (B, C)`
static ParseResult parseTopK(OpAsmParser &parser, OperationState &state) {
  Operands operands(1);
  RankedTensorType type;
  SmallVector<Type> results;
  if (parser.parseLParen() || parser.parseOperand(operands[0]) ||
      parser.parseComma() || parseClause(parser, state) ||
      parser.parseRParen() || parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type) || parser.parseArrow() ||
      parser.parseLParen() || parser.parseTypeList(results) ||
      parser.parseRParen())
    return failure();
  state.addTypes(results);
  return parser.resolveOperands(operands, type, state.operands);
}

Dialect::ParseOpHook hlo::getSyntax(StringRef name) {
  if (name == "constant")
    return parseConstant;
  if (name == "complex")
    return parseComplex;
  if (name == "top_k")
    return parseTopK;
  if (name == "slice")
    return parseSlice;
  if (name == "reduce")
    return parseReduce;
  if (name == "return")
    return parseReturn;
  if (name == "while")
    return parseWhile;
  if (name == "custom_call")
    return parseCustomCall;
  if (name == "composite")
    return parseComposite;
  if (name == "convolution")
    return parseConvolution;
  return parseOrdinary;
}
