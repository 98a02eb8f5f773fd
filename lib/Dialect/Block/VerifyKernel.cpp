//===- VerifyKernel.cpp - parser, printer and verifier of block.kernel ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "parablock/Dialect/Block/BlockOps.h"

using namespace mlir;
using namespace parablock::block;

static ParseResult parseKind(OpAsmParser &parser, StringAttr &kind) {
  SMLoc loc = parser.getCurrentLocation();
  std::string text;
  if (parser.parseString(&text))
    return failure();
  if (!symbolizeKernelKind(text)) {
    InFlightDiagnostic error = parser.emitError(loc);
    error << "unknown kind of kernel '" << text << "': expected one of ";
    for (uint32_t kind = 0; kind <= getMaxEnumValForKernelKind(); ++kind)
      error << (kind ? ", " : "")
            << stringifyKernelKind(static_cast<KernelKind>(kind));
    return error;
  }
  kind = parser.getBuilder().getStringAttr(text);
  return success();
}

/// kernel ::= `block.kernel` string `(` [%arg `=` %operand `:` type, ...] `)`
///            [`->` types] [`attributes` dict] region
ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr kind;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  if (parseKind(parser, kind))
    return failure();
  SMLoc operandLoc = parser.getCurrentLocation();
  auto parseBinding = [&]() -> ParseResult {
    return failure(
        parser.parseArgument(arguments.emplace_back()) || parser.parseEqual() ||
        parser.parseOperand(operands.emplace_back()) || parser.parseColon() ||
        parser.parseType(arguments.back().type));
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     parseBinding) ||
      parser.parseOptionalArrowTypeList(result.types) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  result.addAttribute(getKindAttrName(result.name), kind);
  SmallVector<Type> types =
      llvm::map_to_vector(arguments, [](const OpAsmParser::Argument &argument) {
        return argument.type;
      });
  return failure(
      parser.resolveOperands(operands, types, operandLoc, result.operands) ||
      parser.parseRegion(*result.addRegion(), arguments));
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getKindAttr() << " (";
  llvm::interleaveComma(llvm::zip(getBody().getArguments(), getOperands()),
                        printer, [&](auto binding) {
                          printer << std::get<0>(binding) << " = "
                                  << std::get<1>(binding) << " : "
                                  << std::get<1>(binding).getType();
                        });
  printer << ")";
  printer.printOptionalArrowTypeList(getResultTypes());
  SmallVector<NamedAttribute> others =
      llvm::filter_to_vector((*this)->getAttrs(), [&](NamedAttribute entry) {
        return entry.getName() != getKindAttrName();
      });
  if (!others.empty()) {
    printer << " attributes ";
    printPlain(printer, others);
  }
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult KernelOp::verifyRegions() {
  // [KERNEL-1]
  if (TypeRange(getBody().getArgumentTypes()) != TypeRange(getOperandTypes()))
    return emitOpError() << "expected region arguments of types "
                         << getOperandTypes() << ", got "
                         << getBody().getArgumentTypes();
  // [KERNEL-2]
  auto yield = dyn_cast<YieldOp>(getBody().front().getTerminator());
  if (!yield)
    return emitOpError() << "expected the region to end with block.yield";
  if (TypeRange(yield.getOperandTypes()) != TypeRange(getResultTypes()))
    return emitOpError() << "expected to yield " << getResultTypes() << ", got "
                         << yield.getOperandTypes();
  return success();
}
