//===- NamedOperands.cpp - operands that an op may have -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/NamedOperands.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/FindOperand.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace parablock::block;

namespace parablock::block {
#include "parablock/Dialect/Block/BlockOpBase.cpp.inc"
} // namespace parablock::block

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

NamedOperands NamedOperands::select(Table table) const {
  NamedOperands selected;
  for (const NamedOperandInfo &info : table)
    selected[info.which] = (*this)[info.which];
  return selected;
}

Value parablock::block::findOperand(Operation *op, AttentionOperand which) {
  auto attention = dyn_cast<AttentionOpInterface>(op);
  return attention ? attention.getNamedOperands()[which] : Value();
}

DenseI32ArrayAttr parablock::block::addOperands(OperationState &state,
                                                ValueRange positional,
                                                const NamedOperands &named,
                                                NamedOperands::Table table) {
  NamedOperands rest = named;
  SmallVector<int32_t> counts(positional.size(), 1);
  state.addOperands(positional);
  for (const NamedOperandInfo &info : table) {
    Value value = std::exchange(rest[info.which], Value());
    counts.push_back(value ? 1 : 0);
    if (value)
      state.addOperands(value);
  }
  for (unsigned i = 0; i <= getMaxEnumValForAttentionOperand(); ++i)
    if (rest[static_cast<AttentionOperand>(i)])
      llvm::report_fatal_error(
          Twine(state.name.getStringRef()) + " has no operand '" +
          stringifyAttentionOperand(static_cast<AttentionOperand>(i)) + "'");
  return DenseI32ArrayAttr::get(state.getContext(), counts);
}

//===----------------------------------------------------------------------===//
// Builders
//===----------------------------------------------------------------------===//

void AttentionOp::build(OpBuilder &builder, OperationState &state, Type result,
                        Value input, const NamedOperands &named,
                        const AttentionForms &forms) {
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.operandSegmentSizes =
      addOperands(state, input, named, getNamedOperandTable());
  properties.heads = builder.getI64IntegerAttr(forms.heads);
  properties.kv_heads = builder.getI64IntegerAttr(forms.kvHeads);
  properties.scores = forms.scores;
  properties.rope = forms.rope;
  properties.qk_norm = forms.qkNorm;
  properties.buckets = forms.buckets;
  properties.clip = forms.clip;
  properties.dropout = forms.dropout;
  state.addTypes(result);
}

void SdpaOp::build(OpBuilder &builder, OperationState &state, Type result,
                   Value query, Value key, Value value,
                   const NamedOperands &named, int64_t heads, int64_t kvHeads,
                   ScoresAttr scores, BucketsAttr buckets,
                   DropoutAttr dropout) {
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.operandSegmentSizes =
      addOperands(state, {query, key, value}, named, getNamedOperandTable());
  properties.heads = builder.getI64IntegerAttr(heads);
  properties.kv_heads = builder.getI64IntegerAttr(kvHeads);
  properties.scores = scores;
  properties.buckets = buckets;
  properties.dropout = dropout;
  state.addTypes(result);
}

void SdpaGradOp::build(OpBuilder &builder, OperationState &state,
                       TypeRange gradients, Value gradient,
                       AttentionOpInterface of, ArrayAttr wrt) {
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.operandSegmentSizes =
      addOperands(state, {gradient, of.getQuery(), of.getKey(), of.getValue()},
                  of.getNamedOperands(), getNamedOperandTable());
  properties.wrt = wrt;
  properties.heads = builder.getI64IntegerAttr(of.getHeads());
  properties.kv_heads = builder.getI64IntegerAttr(of.getKvHeads());
  properties.scores = of.getScores();
  properties.buckets = of.getBuckets().value_or(BucketsAttr());
  properties.dropout = of.getDropoutAttr();
  state.addTypes(gradients);
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

LogicalResult
parablock::block::verifyNamedOperands(Operation *op, ArrayRef<int32_t> counts,
                                      unsigned positional,
                                      NamedOperands::Table table) {
  // [NAMED-1]
  if (counts.size() < positional || counts.size() > positional + table.size())
    return op->emitOpError()
           << "expected operandSegmentSizes to have " << positional << " to "
           << positional + table.size() << " counts, got " << counts.size();
  for (int32_t count : counts.take_front(positional))
    if (count != 1)
      return op->emitOpError() << "expected operandSegmentSizes to begin with "
                               << positional << " times 1, got " << count;
  unsigned number = positional;
  for (auto [place, info] : llvm::enumerate(table)) {
    int32_t count =
        positional + place < counts.size() ? counts[positional + place] : 0;
    if (count < 0 || count > 1 || (info.isRequired && count == 0))
      return op->emitOpError()
             << "expected " << (info.isRequired ? "one" : "at most one")
             << " operand '" << info.name << "', got " << count;
    if (count == 0)
      continue;
    if (number >= op->getNumOperands())
      return op->emitOpError()
             << "expected an operand '" << info.name
             << "', which operandSegmentSizes counts, got none";
    Type type = op->getOperand(number).getType();
    if (!info.isType(type))
      return op->emitOpError() << "operand '" << info.name << "' must be "
                               << info.expectedType << ", but got " << type;
    ++number;
  }
  if (number != op->getNumOperands())
    return op->emitOpError()
           << "expected operandSegmentSizes to count " << op->getNumOperands()
           << " operands, got " << number;
  return success();
}

//===----------------------------------------------------------------------===//
// Bytecode
//===----------------------------------------------------------------------===//
//
// Attributes in the order of their names, then the counts as a sparse array:
// one that has more counts than a file is read from that file, with 0 for the
// rest. Before version 6 of the format the counts were an attribute among the
// others.

namespace {
class PropertyReader {
public:
  PropertyReader(DialectBytecodeReader &reader, unsigned most)
      : reader(reader), most(most) {}

  template <typename AttrT> void required(AttrT &attribute) {
    if (succeeded(result))
      result = reader.readAttribute(attribute);
  }
  template <typename AttrT> void optional(AttrT &attribute) {
    if (succeeded(result))
      result = reader.readOptionalAttribute(attribute);
  }
  void countsAsAttribute(DenseI32ArrayAttr &counts) {
    if (isOld())
      required(counts);
  }
  void counts(DenseI32ArrayAttr &counts) {
    if (isOld() || failed(result))
      return;
    SmallVector<int32_t> read(most);
    result = reader.readSparseArray(MutableArrayRef<int32_t>(read));
    counts = DenseI32ArrayAttr::get(reader.getContext(), read);
  }

  LogicalResult result = success();

private:
  bool isOld() const { return reader.getBytecodeVersion() < 6; }

  DialectBytecodeReader &reader;
  /// Number of counts of an op.
  unsigned most;
};

class PropertyWriter {
public:
  explicit PropertyWriter(DialectBytecodeWriter &writer) : writer(writer) {}

  void required(Attribute attribute) { writer.writeAttribute(attribute); }
  void optional(Attribute attribute) {
    writer.writeOptionalAttribute(attribute);
  }
  void countsAsAttribute(DenseI32ArrayAttr counts) {
    if (isOld())
      required(counts);
  }
  void counts(DenseI32ArrayAttr counts) {
    if (!isOld())
      writer.writeSparseArray(counts.asArrayRef());
  }

private:
  bool isOld() const { return writer.getBytecodeVersion() < 6; }

  DialectBytecodeWriter &writer;
};
} // namespace

template <typename VisitorT>
static void visit(SdpaOp::Properties &properties, VisitorT &visitor) {
  visitor.optional(properties.buckets);
  visitor.optional(properties.dropout);
  visitor.required(properties.heads);
  visitor.required(properties.kv_heads);
  visitor.countsAsAttribute(properties.operandSegmentSizes);
  visitor.required(properties.scores);
  visitor.counts(properties.operandSegmentSizes);
}

template <typename VisitorT>
static void visit(SdpaGradOp::Properties &properties, VisitorT &visitor) {
  visitor.optional(properties.buckets);
  visitor.optional(properties.dropout);
  visitor.required(properties.heads);
  visitor.required(properties.kv_heads);
  visitor.countsAsAttribute(properties.operandSegmentSizes);
  visitor.required(properties.scores);
  visitor.required(properties.wrt);
  visitor.counts(properties.operandSegmentSizes);
}

template <typename VisitorT>
static void visit(AttentionOp::Properties &properties, VisitorT &visitor) {
  visitor.optional(properties.buckets);
  visitor.optional(properties.clip);
  visitor.optional(properties.dropout);
  visitor.required(properties.heads);
  visitor.required(properties.kv_heads);
  visitor.countsAsAttribute(properties.operandSegmentSizes);
  visitor.optional(properties.qk_norm);
  visitor.optional(properties.rope);
  visitor.required(properties.scores);
  visitor.counts(properties.operandSegmentSizes);
}

#define PROPERTIES_WITH_COUNTS(OP)                                             \
  LogicalResult OP::readProperties(DialectBytecodeReader &reader,              \
                                   OperationState &state) {                    \
    PropertyReader visitor(reader, getNumPositionalOperands() +                \
                                       getNamedOperandTable().size());         \
    visit(state.getOrAddProperties<Properties>(), visitor);                    \
    return visitor.result;                                                     \
  }                                                                            \
  void OP::writeProperties(DialectBytecodeWriter &writer) {                    \
    PropertyWriter visitor(writer);                                            \
    visit(getProperties(), visitor);                                           \
  }

PROPERTIES_WITH_COUNTS(SdpaOp)
PROPERTIES_WITH_COUNTS(SdpaGradOp)
PROPERTIES_WITH_COUNTS(AttentionOp)

#undef PROPERTIES_WITH_COUNTS
