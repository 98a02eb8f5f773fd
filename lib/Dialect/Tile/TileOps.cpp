//===- TileOps.cpp - parsers and verifiers of kernels and accesses --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Tile/TileOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/APFloat.h"
#include <utility>

using namespace mlir;
using namespace parablock::tile;

#define GET_OP_CLASSES
#include "parablock/Dialect/Tile/TileOps.cpp.inc"

unsigned parablock::tile::getNumIndices(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && memref.getRank() <= 1 ? 1 : 2;
}

//===----------------------------------------------------------------------===//
// Kernels and launches
//===----------------------------------------------------------------------===//

void KernelOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                     FunctionType type, int64_t outputs, ScheduleAttr schedule,
                     int64_t workspaces) {
  state.addAttribute(SymbolTable::getSymbolAttrName(),
                     builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  state.addAttribute(getOutputsAttrName(state.name),
                     builder.getI64IntegerAttr(outputs));
  if (workspaces)
    state.addAttribute(getWorkspacesAttrName(state.name),
                       builder.getI64IntegerAttr(workspaces));
  state.addAttribute(getScheduleAttrName(state.name), schedule);
  state.addRegion();
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      getFunctionTypeAttrName(result.name),
      [](Builder &builder, ArrayRef<Type> inputs, ArrayRef<Type> results,
         function_interface_impl::VariadicFlag,
         std::string &) { return builder.getFunctionType(inputs, results); },
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void KernelOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

LogicalResult KernelOp::verify() {
  for (auto [index, type] : llvm::enumerate(getArgumentTypes())) { // [KERNEL-3]
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref || !memref.getLayout().isIdentity())
      return emitOpError() << "expected argument " << index
                           << " to be a memref without layout, got " << type;
  }
  if (!getResultTypes().empty())
    return emitOpError() << "expected no results, got "
                         << getResultTypes().size();
  auto outputs = static_cast<int64_t>(getOutputs());
  auto workspaces = static_cast<int64_t>(getWorkspaces());
  if (getNumInputs() < 0 || outputs < 0 || workspaces < 0) // [KERNEL-4]
    return emitOpError()
           << "expected at most as many outputs and workspaces as "
              "arguments, got "
           << outputs << " and " << workspaces << " of "
           << getArgumentTypes().size();
  for (size_t i = getNumInputs(); i < getArgumentTypes().size(); ++i)
    if (isConstant(i)) // [KERNEL-5]
      return emitOpError() << "expected inputs alone to be constant, got "
                           << "argument " << i << " of " << getNumInputs()
                           << " inputs";
  if (!getReports())
    return success();
  auto word = workspaces > 0 ? cast<MemRefType>(getArgumentTypes().back())
                             : MemRefType();
  if (!word || word.getShape() != ArrayRef<int64_t>(1) ||
      !word.getElementType().isInteger(64)) // [KERNEL-6]
    return emitOpError("expected the last workspace of a kernel that reports "
                       "to be a memref of one i64, got ")
           << (word ? Type(word) : Type(NoneType::get(getContext())));
  return success();
}

/// Fails if operands and results of a launch do not match the arguments of
/// `name`.
static LogicalResult verifyKernel(LaunchOp launch, SymbolRefAttr name,
                                  SymbolTableCollection &symbols) {
  Operation *callee =
      symbols.lookupNearestSymbolFrom(launch, name); // [LAUNCH-1]
  if (!callee)
    return launch.emitOpError()
           << "expected " << name << " to be a kernel, found nothing";
  auto kernel = dyn_cast<KernelOp>(callee);
  if (!kernel) // its device function has other parameters
    return success();
  SmallVector<Type> types(launch.getOperandTypes());
  llvm::append_range(types, launch.getResultTypes());
  ArrayRef<Type> expected =
      kernel.getArgumentTypes().drop_back(kernel.getWorkspaces());
  if (types.size() != expected.size() ||
      launch.getNumResults() != kernel.getOutputs())
    return launch.emitOpError()
           << "expected " << kernel.getNumInputs() << " operands and "
           << kernel.getOutputs() << " results, got " << launch.getNumOperands()
           << " and " << launch.getNumResults();
  for (auto [index, type, wanted] : llvm::enumerate(types, expected)) {
    auto tensor = cast<RankedTensorType>(type);
    auto memref = cast<MemRefType>(wanted);
    if (tensor.getShape() != memref.getShape() ||
        tensor.getElementType() != memref.getElementType())
      return launch.emitOpError()
             << "expected tensor " << index << " to be like " << wanted
             << ", got " << type;
  }
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (failed(verifyKernel(*this, getKernelAttr(), symbols)))
    return failure();
  return getFew() ? verifyKernel(*this, getFewAttr(), symbols) : success();
}

/// Fails unless every pair is an operand and one of its dimensions.
static LogicalResult verifyPairs(LaunchOp launch, StringRef name,
                                 std::optional<ArrayRef<int64_t>> given) {
  ArrayRef<int64_t> pairs = given.value_or(ArrayRef<int64_t>());
  bool arePairs = pairs.size() % 2 == 0;
  for (size_t i = 0; arePairs && i < pairs.size(); i += 2) {
    int64_t operand = pairs[i], dim = pairs[i + 1];
    arePairs =
        operand >= 0 && dim >= 0 &&
        operand < static_cast<int64_t>(launch.getNumOperands()) &&
        dim < cast<RankedTensorType>(launch.getOperand(operand).getType())
                  .getRank();
  }
  if (arePairs)
    return success();
  return launch.emitOpError()
         << "expected '" << name << "' to be pairs of an operand and one of "
         << "its dimensions, got " << pairs;
}

/// Fails unless every pair is a result and an operand of its type, each of
/// which no other pair has.
static LogicalResult verifyInPlace(LaunchOp launch) {
  ArrayRef<int64_t> pairs = launch.getInPlace().value_or(ArrayRef<int64_t>());
  bool arePairs = pairs.size() % 2 == 0;
  llvm::SmallDenseSet<int64_t> results, operands;
  for (size_t i = 0; arePairs && i < pairs.size(); i += 2) {
    int64_t result = pairs[i], operand = pairs[i + 1];
    arePairs = result >= 0 && operand >= 0 &&
               result < static_cast<int64_t>(launch.getNumResults()) &&
               operand < static_cast<int64_t>(launch.getNumOperands()) &&
               launch.getResult(result).getType() ==
                   launch.getOperand(operand).getType() &&
               results.insert(result).second && operands.insert(operand).second;
  }
  if (arePairs)
    return success();
  return launch.emitOpError()
         << "expected 'in_place' to be pairs of a result "
            "and an operand of its type, each in one pair, "
            "got "
         << pairs;
}

LogicalResult LaunchOp::verify() {
  if (failed(
          verifyPairs(*this, "size_symbols", getSizeSymbols())) || // [LAUNCH-2]
      failed(verifyPairs(*this, "few_sizes", getFewSizes())) ||
      failed(verifyInPlace(*this))) // [LAUNCH-5]
    return failure();
  bool hasSizes = getFewSizes() && !getFewSizes()->empty();
  if ((getFew() && !hasSizes) || hasSizes != getMost().has_value() ||
      static_cast<int64_t>(getMost().value_or(1)) < 1) // [LAUNCH-4]
    return emitOpError()
           << "expected 'few_sizes' and a positive 'most' together, and both "
              "with 'few', got ["
           << getFewSizes().value_or(ArrayRef<int64_t>()) << "] and "
           << (getMost()
                   ? "'most' of " + Twine(static_cast<int64_t>(*getMost()))
                   : Twine("no 'most'"));
  if (!getSizes())
    return success();
  size_t numSymbols = getSizeSymbols().value_or(ArrayRef<int64_t>()).size() / 2;
  if (getSizes()->size() != getNumResults()) // [LAUNCH-3]
    return emitOpError() << "expected 'sizes' to have a list for each of "
                         << getNumResults() << " results, got "
                         << getSizes()->size();
  for (OpResult result : getResults()) {
    unsigned index = result.getResultNumber();
    auto maps = cast<ArrayAttr>((*getSizes())[index]);
    int64_t rank = cast<RankedTensorType>(result.getType()).getRank();
    for (int64_t dim = 0; dim < rank; ++dim) {
      AffineMap map = dim < static_cast<int64_t>(maps.size())
                          ? getSizeMap(index, dim)
                          : AffineMap();
      if (!map || map.getNumDims() != 0 || map.getNumSymbols() != numSymbols ||
          map.getNumResults() != 1)
        return emitOpError() << "expected 'sizes' to have a map of "
                             << numSymbols << " symbols to one size for "
                             << "dimension " << dim << " of result " << index;
    }
  }
  return success();
}

LogicalResult DimOp::verify() { // [DIM-1]
  int64_t rank = cast<MemRefType>(getTensor().getType()).getRank();
  if (static_cast<int64_t>(getDim()) < 0 ||
      static_cast<int64_t>(getDim()) >= rank)
    return emitOpError() << "expected a dimension below " << rank << ", got "
                         << static_cast<int64_t>(getDim());
  return success();
}

OpFoldResult DimOp::fold(FoldAdaptor) {
  auto type = cast<MemRefType>(getTensor().getType());
  if (type.isDynamicDim(getDim()))
    return {};
  return IntegerAttr::get(IndexType::get(getContext()),
                          type.getDimSize(getDim()));
}

LogicalResult TableOp::verify() { // [TABLE-1]
  ShapedType values = getValues().getShapedType();
  auto type = cast<MemRefType>(getResult().getType());
  if (values.getShape() != type.getShape() ||
      values.getElementType() != type.getElementType())
    return emitOpError() << "expected values of the shape and type of " << type
                         << ", got " << values;
  return success();
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

void CopyOp::build(OpBuilder &builder, OperationState &state, Value source,
                   Value row, Value column, Value buffer, int64_t first,
                   int64_t count, Value end) {
  build(builder, state, source, row, column, buffer, end, /*pages=*/Value(),
        /*line=*/Value(), first, count, /*width=*/IntegerAttr(),
        /*parts=*/uint64_t(1));
}

LogicalResult CopyOp::verify() {
  auto source = cast<MemRefType>(getSource().getType());
  BufferType buffer = getBuffer().getType();
  if (source.getElementType() != buffer.getElementType() ||
      source.getRank() < 1) // [COPY-1]
    return emitOpError() << "expected a tensor of " << buffer.getElementType()
                         << ", got " << source;
  int64_t first = getFirst(), count = getCount();
  if (first < 0 || count < 1 || first + count > buffer.getRows() || // [COPY-2]
      first % 8 != 0 || count % 8 != 0)
    return emitOpError() << "expected groups of 8 rows within " << buffer
                         << ", got " << count << " rows from " << first;
  int64_t width = getWidth().value_or(buffer.getColumns()); // [COPY-3]
  if (width < 1 || width > buffer.getColumns())
    return emitOpError() << "expected a width from 1 to " << buffer.getColumns()
                         << ", got " << width;
  int64_t parts = getParts(); // [COPY-4]
  if (parts < 1 || (parts > 1 && !getWidth()))
    return emitOpError() << "expected one part, or several of a width, got "
                         << parts;
  if (!getPages()) // [COPY-5]
    return success();
  auto pages = cast<MemRefType>(getPages().getType());
  if (pages.getRank() != 2 || !pages.getElementType().isInteger(64) ||
      !getLine() || source.getRank() != 3 || source.isDynamicDim(1))
    return emitOpError() << "expected lines of i64 for pages of known rows, "
                            "got "
                         << pages << " for " << source;
  return success();
}

LogicalResult StageOp::verify() { // [STAGE-1]
  AccumulatorType accumulator = getAccumulator().getType();
  BufferType buffer = getBuffer().getType();
  int64_t first = getFirst();
  if (getTransposed()) { // [STAGE-3]
    if (buffer.getElementType().isF32() &&
        buffer.getRows() == accumulator.getColumns() &&
        buffer.getColumns() == accumulator.getRows() && first == 0 &&
        getParts() == 1 && !getPart())
      return success();
    return emitOpError() << "expected an f32 buffer with the columns of "
                         << accumulator
                         << " as rows, from 0 on and in one part, got "
                         << buffer << " from " << first << " on, in "
                         << getParts() << " parts";
  }
  if (!buffer.getElementType().isF32() ||
      buffer.getRows() != accumulator.getRows() || first < 0 ||
      first + buffer.getColumns() > accumulator.getColumns())
    return emitOpError() << "expected an f32 buffer with rows of "
                         << accumulator << " and columns from " << first
                         << " on, got " << buffer;
  return verifyParts(*this, getPart(), getParts(), // [STAGE-2]
                     buffer.getRows());
}

//===----------------------------------------------------------------------===//
// tile.copy_out
//===----------------------------------------------------------------------===//

LogicalResult CopyOutOp::verify() { // [COPYOUT-1]
  if (getDestination().getType().getRank() == 0)
    return emitOpError() << "expected a tensor with a dimension, got "
                         << getDestination().getType();
  return success();
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static LogicalResult verifyAccess(Operation *op, Type place, Type scalar,
                                  size_t numIndices) {
  bool isFlat = isa<MemRefType>(place) && numIndices == 1;
  if (!isFlat && numIndices != getNumIndices(place)) // [LOAD-1] [STORE-1]
    return op->emitOpError()
           << "expected " << getNumIndices(place) << " indices into " << place
           << ", got " << numIndices;
  auto buffer = dyn_cast<BufferType>(place);
  Type element = buffer ? buffer.getElementType()
                        : cast<MemRefType>(place).getElementType();
  bool isWidened = isa<FloatType>(element) && !element.isF64();
  Type expected = isWidened ? Float32Type::get(op->getContext()) : element;
  if (scalar != expected && (buffer || scalar != element))
    return op->emitOpError() << "expected a scalar of type " << expected
                             << " for " << place << ", got " << scalar;
  return success();
}

LogicalResult LoadOp::verify() {
  return verifyAccess(*this, getSource().getType(), getResult().getType(),
                      getIndices().size());
}

LogicalResult StoreOp::verify() {
  return verifyAccess(*this, getDestination().getType(), getValue().getType(),
                      getIndices().size());
}

LogicalResult ReportOp::verify() { // [REPORT-1]
  Operation *around = getOperation()->getParentOp();
  while (around && !isa<ColumnsOp, KernelOp, ReduceOp, RowsOp>(around))
    around = around->getParentOp();
  // Lowering takes the rows away first.
  if (!isa_and_nonnull<ColumnsOp, KernelOp, ReduceOp>(around))
    return success();
  return emitOpError("expected tile.rows around it, got ") << around->getName();
}

LogicalResult RoundOp::verify() { // [ROUND-1]
  Type type = getType();
  if (!type.isF32() && !type.isBF16() && !type.isF16())
    return emitOpError() << "expected f32, bf16 or f16, got " << type;
  return success();
}

OpFoldResult RoundOp::fold(FoldAdaptor adaptor) {
  if (getType().isF32())
    return getValue();
  auto constant = dyn_cast_if_present<FloatAttr>(adaptor.getValue());
  if (!constant)
    return {};
  APFloat value = constant.getValue();
  bool losesInfo;
  value.convert(cast<FloatType>(getType()).getFloatSemantics(),
                APFloat::rmNearestTiesToEven, &losesInfo);
  value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return FloatAttr::get(Float32Type::get(getContext()), value);
}

LogicalResult ScratchOp::verify() { // [SCRATCH-1]
  BufferType buffer = getBuffer().getType();
  if (!buffer.getElementType().isF32() || buffer.getRows() != 1 ||
      buffer.getLayout() != BufferLayout::Rows)
    return emitOpError() << "expected one row of f32, got " << buffer;
  return success();
}

void YieldOp::build(OpBuilder &, OperationState &) {}
