//===- Signature.cpp - parser and printer of operand types ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Signature.h"

#include "parablock/Dialect/Block/BlockAttrs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace parablock::block;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

// A key that a dictionary may omit, and the key whose value is its default.
static constexpr StringLiteral keyHeads = "kv_heads", heads = "heads";
// How many there are of each operand.
static constexpr StringLiteral sizes = "operandSegmentSizes";
// As many results as a text may name where their types are not written.
static constexpr size_t mostResults = 1 << 16;

ParseResult parablock::block::parseAttributes(OpAsmParser &parser,
                                              StringRef opName,
                                              NamedAttrList &attributes) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(attributes))
    return failure();
  std::optional<RegisteredOperationName> name =
      RegisteredOperationName::lookup(opName, parser.getContext());
  Attribute count = attributes.get(heads);
  if (count && !attributes.get(keyHeads) &&
      llvm::is_contained(name->getAttributeNames(), keyHeads))
    attributes.set(keyHeads, count);
  return failure(failed(name->verifyInherentAttrs(attributes, [&] {
    return parser.emitError(loc) << "'" << opName << "' op ";
  })));
}

/// Returns whether the keywords of the format express `attribute`, or it is
/// implied.
static bool isSaidElsewhere(Operation *op, NamedAttribute attribute,
                            DictionaryAttr attributes,
                            DictionaryAttr defaults) {
  StringRef name = attribute.getName();
  if (defaults && defaults.get(name) == attribute.getValue())
    return true;
  std::optional<RegisteredOperationName> info = op->getRegisteredInfo();
  if (!info || !llvm::is_contained(info->getAttributeNames(), name))
    return false;
  return name == sizes || isa<UnitAttr>(attribute.getValue()) ||
         (name == keyHeads && attributes.get(heads) == attribute.getValue());
}

void parablock::block::printAttributes(OpAsmPrinter &printer, Operation *op,
                                       DictionaryAttr attributes,
                                       DictionaryAttr defaults) {
  SmallVector<NamedAttribute> printed =
      llvm::filter_to_vector(attributes, [&](NamedAttribute attribute) {
        return !isSaidElsewhere(op, attribute, attributes, defaults);
      });
  if (printed.empty())
    return;
  printPlain(printer, printed);
  printer << ' ';
}

//===----------------------------------------------------------------------===//
// Interface of rules
//===----------------------------------------------------------------------===//

Signature::Group &Signature::add(size_t count) {
  auto [name, others] = rest.split(' ');
  rest = others;
  return groups.emplace_back(Group{name, count, {}, nullptr, nullptr});
}

Signature::Group &Signature::next() {
  if (groups.empty() || groups.back().one || groups.back().many)
    return results;
  return groups.back();
}

Signature::Group &Signature::find(StringRef name) {
  auto *group = llvm::find_if(
      groups, [&](const Group &group) { return group.name == name; });
  assert(group != groups.end() && "a rule names an operand that is not there");
  return *group;
}

int64_t Signature::integer(StringRef name, int64_t otherwise) const {
  auto value = dyn_cast_if_present<IntegerAttr>(attributes.get(name));
  return value && value.getValue().getSignificantBits() <= 64
             ? value.getValue().getSExtValue()
             : otherwise;
}

Type Signature::take() {
  size_t place = taken++;
  return place < written.size() ? written[place] : Type();
}

Type Signature::give(StringRef name) {
  Group &group = find(name);
  if (group.count)
    givenNames.push_back(name);
  if (!isReading)
    llvm::append_range(written, group.types);
  for (size_t i = 0; isReading && i < group.count; ++i)
    group.types.push_back(take());
  return group.count ? group.types.front() : Type();
}

Type Signature::giveOne(StringRef name) {
  Group &group = find(name);
  if (!group.count)
    return {};
  givenNames.push_back(name);
  if (!isReading)
    return follow(name, written.emplace_back(group.types.front()));
  return follow(name, take());
}

Type Signature::follow(StringRef name, Type type) {
  Group &group = find(name);
  if (isReading)
    group.types.assign(group.count, type);
  follows &= group.count == 0 || (type && llvm::all_equal(group.types) &&
                                  group.types.front() == type);
  return group.count ? group.types.front() : Type();
}

void Signature::follow(StringRef name, ArrayRef<Type> types) {
  Group &group = find(name);
  if (isReading && group.count == types.size())
    group.types.assign(types.begin(), types.end());
  follows &= llvm::equal(group.types, types) &&
             llvm::all_of(types, [](Type t) { return static_cast<bool>(t); });
}

Type Signature::result(Type type) {
  if (isReading && writtenResults.empty()) {
    results.types.assign(results.count, type);
    follows &= static_cast<bool>(type);
  }
  if (!isReading &&
      !llvm::all_of(results.types, [&](Type actual) { return actual == type; }))
    writtenResults = results.types;
  return results.types.empty() ? Type() : results.types.front();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

ParseResult Signature::parse(OpAsmParser &parser, StringRef opName,
                             NamedAttrList &read) {
  if (parseAttributes(parser, opName, read) || parser.parseColon())
    return failure();
  attributes = read;
  isReading = true;
  // As many as are named; further ones of a list only appear in the types.
  if (results.many)
    results.count = std::max<size_t>(1, parser.getNumResults());
  if (results.count > mostResults)
    return parser.emitError(parser.getNameLoc())
           << "expected at most " << mostResults << " results, got "
           << results.count;
  if (parseTypes(parser))
    return failure();
  store();
  return success();
}

ParseResult Signature::parseTypes(OpAsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  do {
    if (parser.parseType(written.emplace_back()))
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  if (auto function = dyn_cast<FunctionType>(written.front());
      function && written.size() == 1)
    return spread(parser, loc, function);
  if (parser.parseOptionalArrowTypeList(writtenResults))
    return failure();
  results.types = writtenResults;
  rule(*this);
  if (taken != written.size())
    return parser.emitError(loc)
           << (givenNames.size() == 1 ? "expected the type of "
                                      : "expected the types of ")
           << llvm::join(givenNames, ", ")
           << " or a function type of all operands, got " << written.size()
           << (written.size() == 1 ? " type" : " types");
  if (!follows)
    return parser.emitError(loc) << "expected a function type: not all types "
                                    "follow from "
                                 << llvm::join(givenNames, ", ");
  if (results.one && results.types.size() != 1)
    return parser.emitError(loc)
           << "expected 1 result type, got " << results.types.size();
  return success();
}

/// Sets the type of each operand and result from a function type.
ParseResult Signature::spread(OpAsmParser &parser, SMLoc loc,
                              FunctionType type) {
  size_t count = 0;
  for (const Group &group : groups)
    count += group.count;
  if (count != type.getNumInputs())
    return parser.emitError(loc)
           << "expected " << count << " operand types, got "
           << type.getNumInputs();
  if (results.one && type.getNumResults() != 1)
    return parser.emitError(loc)
           << "expected 1 result type, got " << type.getNumResults();
  ArrayRef<Type> inputs = type.getInputs();
  for (Group &group : groups) {
    group.types.assign(inputs.begin(), inputs.begin() + group.count);
    inputs = inputs.drop_front(group.count);
  }
  llvm::append_range(results.types, type.getResults());
  return success();
}

void Signature::store() {
  auto storeGroup = [](Group &group) {
    if (group.many)
      group.many->assign(group.types.begin(), group.types.end());
    else if (group.count && group.one)
      *group.one = group.types.front();
  };
  llvm::for_each(groups, storeGroup);
  storeGroup(results);
}

//===----------------------------------------------------------------------===//
// Named operands
//===----------------------------------------------------------------------===//

ParseResult Signature::readNamed(OpAsmParser &parser,
                                 NamedOperands::Table table,
                                 SmallVectorImpl<Operand> &operands) {
  SmallVector<std::optional<Operand>> found(table.size());
  auto keywords = llvm::map_to_vector(table, [](const NamedOperandInfo &info) {
    return StringRef(info.keyword);
  });
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  while (succeeded(parser.parseOptionalKeyword(&keyword, keywords))) {
    auto &operand = found[llvm::find(keywords, keyword) - keywords.begin()];
    if (operand)
      return parser.emitError(loc)
             << "expected one operand '" << keyword << "', got two";
    if (parser.parseOperand(operand.emplace()))
      return failure();
    loc = parser.getCurrentLocation();
  }
  for (auto [info, operand] : llvm::zip_equal(table, found)) {
    if (info.isRequired && !operand)
      return parser.emitError(loc)
             << "expected an operand '" << info.keyword << "', got none";
    groups.push_back(Group{info.name, operand ? 1u : 0u, {}, nullptr, nullptr});
    if (operand)
      operands.push_back(*operand);
  }
  return success();
}

ParseResult Signature::storeNamed(OpAsmParser &parser,
                                  SmallVectorImpl<Type> &types,
                                  NamedAttrList &read) {
  if (read.get(sizes))
    return parser.emitError(parser.getNameLoc())
           << "expected no attribute " << sizes
           << ": keywords give the operands";
  SmallVector<int32_t> counts;
  for (const Group &group : groups) {
    counts.push_back(static_cast<int32_t>(group.count));
    if (!group.one)
      llvm::append_range(types, group.types);
  }
  read.set(sizes, parser.getBuilder().getDenseI32ArrayAttr(counts));
  return success();
}

void Signature::writeNamed(OpAsmPrinter &printer, NamedOperands::Table table,
                           ArrayRef<int32_t> counts, OperandRange operands) {
  for (auto [place, info] : llvm::enumerate(table)) {
    size_t count = place < counts.size() ? counts[place] : 0;
    groups.push_back(Group{info.name, count, {}, nullptr, nullptr});
    for (Value operand : operands.take_front(count))
      printer << info.keyword << ' ' << operand << ' ';
    operands = operands.drop_front(count);
  }
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

void Signature::print(OpAsmPrinter &printer, Operation *op) {
  attributes = op->getAttrs();
  size_t first = 0;
  for (Group &group : groups) {
    llvm::append_range(group.types,
                       op->getOperands().slice(first, group.count).getTypes());
    first += group.count;
  }
  llvm::append_range(results.types, op->getResultTypes());
  rule(*this);
  printer << ": ";
  if (!follows || written.empty()) {
    printer.printFunctionalType(op->getOperandTypes(), op->getResultTypes());
    return;
  }
  llvm::interleaveComma(written, printer);
  printer.printOptionalArrowTypeList(writtenResults);
}
