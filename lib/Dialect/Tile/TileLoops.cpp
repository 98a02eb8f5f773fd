//===- TileLoops.cpp - parsers and verifiers of loop ops ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "parablock/Dialect/Tile/TileOps.h"

using namespace mlir;
using namespace parablock::tile;

/// An index operand.
static ParseResult parseIndex(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand operand;
  return failure(parser.parseOperand(operand) ||
                 parser.resolveOperand(operand,
                                       parser.getBuilder().getIndexType(),
                                       result.operands));
}

/// The body, with index arguments of the names already read.
template <typename OpT>
static ParseResult parseBody(OpAsmParser &parser, OperationState &result,
                             MutableArrayRef<OpAsmParser::Argument> arguments) {
  for (OpAsmParser::Argument &argument : arguments)
    argument.type = parser.getBuilder().getIndexType();
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments) ||
      parser.parseOptionalAttrDict(result.attributes))
    return failure();
  if constexpr (OpT::template hasTrait<
                    OpTrait::SingleBlockImplicitTerminator<YieldOp>::Impl>())
    OpT::ensureTerminator(*body, parser.getBuilder(), result.location);
  return success();
}

static void printBody(OpAsmPrinter &printer, Region &body,
                      bool printTerminator = false) {
  printer << ' ';
  printer.printRegion(body, /*printEntryBlockArgs=*/false, printTerminator);
}

static LogicalResult verifyIndexArguments(Operation *op, unsigned count) {
  Block &body = op->getRegion(0).front();
  if (body.getNumArguments() == count &&
      llvm::all_of(body.getArgumentTypes(),
                   [](Type type) { return type.isIndex(); }))
    return success();
  return op->emitOpError() << "expected a body with " << count
                           << " arguments of type index, got "
                           << body.getNumArguments() << " arguments";
}

static LogicalResult verifyOneYielded(Operation *op) {
  Operation *end = op->getRegion(0).front().getTerminator();
  if (isa<YieldOp>(end) && end->getNumOperands() == 1 &&
      end->getOperand(0).getType().isF32())
    return success();
  return op->emitOpError() << "expected the body to yield one f32, got '"
                           << end->getName() << "' of ("
                           << end->getOperandTypes() << ")";
}

//===----------------------------------------------------------------------===//
// tile.tiles
//===----------------------------------------------------------------------===//

// tile.tiles (%row, %column) below (%rows, %columns) band 8 { ... }
ParseResult TilesOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::Argument arguments[2];
  int64_t band;
  if (parser.parseLParen() || parser.parseArgument(arguments[0]) ||
      parser.parseComma() || parser.parseArgument(arguments[1]) ||
      parser.parseRParen() || parser.parseKeyword("below") ||
      parser.parseLParen() || parseIndex(parser, result) ||
      parser.parseComma() || parseIndex(parser, result) ||
      parser.parseRParen() || parser.parseKeyword("band") ||
      parser.parseInteger(band))
    return failure();
  result.addAttribute("band", parser.getBuilder().getI64IntegerAttr(band));
  return parseBody<TilesOp>(parser, result, arguments);
}

void TilesOp::print(OpAsmPrinter &printer) {
  Block &body = getBody().front();
  printer << " (" << body.getArgument(0) << ", " << body.getArgument(1)
          << ") below (" << getRows() << ", " << getColumns() << ") band "
          << getBand();
  printBody(printer, getBody());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"band"});
}

LogicalResult TilesOp::verifyRegions() {
  if (getBand() < 1) // [TILES-1]
    return emitOpError() << "expected a band of at least 1, got " << getBand();
  return verifyIndexArguments(*this, 2);
}

LogicalResult JoinOp::verifyRegions() { // [JOIN-1]
  std::optional<int64_t> count = getConstantIntValue(getCount());
  if (count && *count < 1)
    return emitOpError() << "expected a count of at least 1, got " << *count;
  return verifyIndexArguments(*this, 0);
}

LogicalResult JoinClusterOp::verifyRegions() { // [JOINCLUSTER-1]
  BufferType type = getStaged().getType();
  constexpr int64_t unit = 4;
  auto extent = static_cast<int64_t>(getExtent());
  if (!type.getElementType().isF32() ||
      type.getLayout() == BufferLayout::Swizzled ||
      type.getColumns() % unit != 0 || extent < 1 || extent > type.getRows())
    return emitOpError() << "expected a buffer of f32 that is not swizzled, "
                            "with columns in fours, and 1 to "
                         << type.getRows() << " rows of it, got " << extent
                         << " of " << type;
  return verifyIndexArguments(*this, 0);
}

//===----------------------------------------------------------------------===//
// tile.rows
//===----------------------------------------------------------------------===//

// tile.rows %row below %count (grid | extent 128 (part %part of 4)?) { ... }
ParseResult RowsOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::Argument row;
  if (parser.parseArgument(row) || parser.parseKeyword("below") ||
      parseIndex(parser, result))
    return failure();
  Builder &builder = parser.getBuilder();
  if (succeeded(parser.parseOptionalKeyword("grid"))) {
    result.addAttribute("grid", builder.getUnitAttr());
  } else {
    int64_t extent;
    if (parser.parseKeyword("extent") || parser.parseInteger(extent))
      return failure();
    result.addAttribute("extent", builder.getI64IntegerAttr(extent));
    int64_t parts;
    if (succeeded(parser.parseOptionalKeyword("part"))) {
      if (parseIndex(parser, result) || parser.parseKeyword("of") ||
          parser.parseInteger(parts))
        return failure();
      result.addAttribute("parts", builder.getI64IntegerAttr(parts));
    }
  }
  return parseBody<RowsOp>(parser, result, row);
}

void RowsOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getBody().front().getArgument(0) << " below " << getCount();
  if (getGrid())
    printer << " grid";
  if (getExtent())
    printer << " extent " << *getExtent();
  if (getPart())
    printer << " part " << getPart() << " of " << getParts();
  printBody(printer, getBody());
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {"grid", "extent", "parts"});
}

LogicalResult parablock::tile::verifyParts(Operation *op, Value part,
                                           int64_t parts, int64_t rows) {
  if ((parts > 1) == static_cast<bool>(part) && parts > 0 && rows % parts == 0)
    return success();
  return op->emitOpError() << "expected a part of several that divide " << rows
                           << " rows, or none of 1, got "
                           << (part ? "one" : "none") << " of " << parts;
}

LogicalResult RowsOp::verifyRegions() {
  if (getGrid() == getExtent().has_value()) // [ROWS-1]
    return emitOpError() << "expected either a grid or an extent";
  if (failed(verifyParts(*this, getPart(), getParts(), // [ROWS-2]
                         getExtent().value_or(1))))
    return failure();
  if (getCluster() && (getGrid() || getParts() != 1)) // [ROWS-3]
    return emitOpError("expected rows of a cluster to be all of a tile");
  return verifyIndexArguments(*this, 1);
}

//===----------------------------------------------------------------------===//
// tile.columns and tile.reduce
//===----------------------------------------------------------------------===//

/// %column = %from to %to
static ParseResult parseColumns(OpAsmParser &parser, OperationState &result,
                                OpAsmParser::Argument &column) {
  return failure(parser.parseArgument(column) || parser.parseEqual() ||
                 parseIndex(parser, result) || parser.parseKeyword("to") ||
                 parseIndex(parser, result));
}

ParseResult ColumnsOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::Argument column;
  if (parseColumns(parser, result, column))
    return failure();
  return parseBody<ColumnsOp>(parser, result, column);
}

void ColumnsOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getBody().front().getArgument(0) << " = " << getFrom()
          << " to " << getTo();
  printBody(printer, getBody());
  printer.printOptionalAttrDict((*this)->getAttrs());
}

LogicalResult ColumnsOp::verifyRegions() { // [COLUMNS-1]
  return verifyIndexArguments(*this, 1);
}

// tile.reduce add %column = %from to %to { ... }
ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  OpAsmParser::Argument column;
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<Reduction> kind = symbolizeReduction(keyword);
  if (!kind)
    return parser.emitError(loc, "expected add or max, got ") << keyword;
  if (parseColumns(parser, result, column))
    return failure();
  result.addAttribute("kind", ReductionAttr::get(parser.getContext(), *kind));
  result.addTypes(parser.getBuilder().getF32Type());
  return parseBody<ReduceOp>(parser, result, column);
}

void ReduceOp::print(OpAsmPrinter &printer) {
  printer << ' ' << stringifyReduction(getKind()) << ' '
          << getBody().front().getArgument(0) << " = " << getFrom() << " to "
          << getTo();
  printBody(printer, getBody(), /*printTerminator=*/true);
  printer.printOptionalAttrDict((*this)->getAttrs(), {"kind"});
}

LogicalResult ReduceOp::verifyRegions() { // [REDUCE-1]
  if (failed(verifyIndexArguments(*this, 1)))
    return failure();
  return verifyOneYielded(*this);
}

//===----------------------------------------------------------------------===//
// tile.fold
//===----------------------------------------------------------------------===//

void FoldOp::build(OpBuilder &builder, OperationState &state, TypeRange types,
                   Value from, Value to, Reduction kind) {
  state.addOperands({from, to});
  state.addAttribute(getKindAttrName(state.name),
                     ReductionAttr::get(builder.getContext(), kind));
  state.addTypes(types);
  state.addRegion();
}

LogicalResult FoldOp::verifyRegions() {
  // [FOLD-2]
  if (!(*this)->getParentOfType<TilesOp>() ||
      (*this)->getParentOfType<RowsOp>())
    return emitOpError() << "expected tile.tiles around it, and no tile.rows";
  if (failed(verifyIndexArguments(*this, 1))) // [FOLD-1]
    return failure();
  auto yield = dyn_cast<YieldOp>(getBody().front().getTerminator());
  if (getNumResults() == 0 || !yield ||
      yield.getValues().getTypes() != getResultTypes())
    return emitOpError() << "expected the body to yield an i64 for each of at "
                            "least one result";
  return success();
}

//===----------------------------------------------------------------------===//
// tile.fill
//===----------------------------------------------------------------------===//

/// Returns whether `buffer` belongs to a step of the pipeline around `op`.
static bool isOfStep(Value buffer, Operation *op) {
  auto argument = dyn_cast<BlockArgument>(buffer);
  auto pipeline = op->getParentOfType<PipelineOp>();
  return argument && pipeline &&
         argument.getOwner() == &pipeline.getConsume().front();
}

static std::string describeSource(Value value) {
  Operation *op = value.getDefiningOp();
  StringRef name = (op ? op : value.getParentBlock()->getParentOp())
                       ->getName()
                       .getStringRef();
  return ((op ? "a result of " : "an argument of ") + name).str();
}

LogicalResult FillOp::verify() {
  if (!getBuffer().getDefiningOp<SharedOp>() && // [FILL-2]
      !getBuffer().getDefiningOp<UnrealizedConversionCastOp>() &&
      !isOfStep(getBuffer(), *this))
    return emitOpError() << "expected a tile.shared, or a buffer that consume "
                            "of its pipeline gets, got "
                         << describeSource(getBuffer());
  BufferType type = getBuffer().getType(); // [FILL-3]
  if (!isa<FloatType>(type.getElementType()) ||
      type.getColumns() * type.getElementBytes() % 4 != 0)
    return emitOpError() << "expected floats in rows of a multiple of 4 bytes, "
                            "got "
                         << type;
  return success();
}

LogicalResult FillOp::verifyRegions() { // [FILL-1]
  if (failed(verifyIndexArguments(*this, 2)))
    return failure();
  return verifyOneYielded(*this);
}

LogicalResult SharedOp::verify() { // [SHARED-1]
  BufferType type = getBuffer().getType();
  if (!type.getElementType().isF32() || type.getLayout() != BufferLayout::Rows)
    return emitOpError() << "expected rows of f32, got " << type;
  return success();
}

//===----------------------------------------------------------------------===//
// tile.pipeline
//===----------------------------------------------------------------------===//

void PipelineOp::build(OpBuilder &builder, OperationState &state, Value steps,
                       ValueRange inits, int64_t stages) {
  state.addOperands(steps);
  state.addOperands(inits);
  if (stages > 0)
    state.addAttribute(getStagesAttrName(state.name),
                       builder.getI64IntegerAttr(stages));
  state.addTypes(inits.getTypes());
  state.addRegion();
  state.addRegion();
}

LogicalResult PipelineOp::inferReturnTypes(MLIRContext *,
                                           std::optional<Location>,
                                           ValueRange operands, DictionaryAttr,
                                           OpaqueProperties, RegionRange,
                                           SmallVectorImpl<Type> &types) {
  llvm::append_range(types, operands.drop_front().getTypes());
  return success();
}

bool PipelineOp::isNest() {
  return getConsume()
      .walk([](PipelineOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

LogicalResult PipelineOp::verify() { // [PIPELINE-3]
  if (getInits().empty() || (getStages() && getStages().value() < 1))
    return emitOpError() << "expected at least one carried value and one stage";
  return success();
}

LogicalResult PipelineOp::verifyRegions() {
  Block &produce = getProduce().front(), &consume = getConsume().front();
  TypeRange produced = produce.getArgumentTypes();
  TypeRange consumed = consume.getArgumentTypes();
  TypeRange carried = getInits().getTypes();
  if (produced.empty() || !produced[0].isIndex() || // [PIPELINE-1]
      !llvm::all_of(produced.drop_front(), llvm::IsaPred<BufferType>))
    return emitOpError() << "expected produce to have an index and buffers as "
                            "arguments";
  if (consumed.size() != produced.size() + carried.size() ||
      consumed.take_front(produced.size()) != produced ||
      consumed.drop_front(produced.size()) != carried)
    return emitOpError() << "expected consume to have the arguments of "
                            "produce, then "
                         << carried;
  if (std::optional<ArrayRef<int64_t>> deferred = getDeferred()) // [PIPELINE-4]
    for (auto [index, buffer] : llvm::enumerate(*deferred))
      if (buffer < 0 || buffer >= static_cast<int64_t>(getBuffers().size()) ||
          (index > 0 && buffer <= (*deferred)[index - 1]))
        return emitOpError() << "expected deferred buffers to be numbers below "
                             << getBuffers().size()
                             << " in ascending order, got " << *deferred;
  if (getWaits() && (getRole() != Role::Producer || getDeferred() ||
                     isNest())) // [PIPELINE-5]
    return emitOpError()
           << "expected a pipeline that waits to be of producers, "
              "without deferred buffers or pipelines inside";
  auto yielded = dyn_cast<YieldOp>(consume.getTerminator());
  if (!yielded || yielded.getValues().getTypes() != carried) // [PIPELINE-2]
    return emitOpError() << "expected consume to yield " << carried;
  auto nothing = dyn_cast<YieldOp>(produce.getTerminator());
  if (!nothing || !nothing.getValues().empty())
    return emitOpError() << "expected produce to yield nothing";
  return success();
}

LogicalResult BetweenOp::verify() { // [BETWEEN-1]
  auto pipeline = (*this)->getParentOfType<PipelineOp>();
  if (!pipeline || getStep() != pipeline.getConsume().getArgument(0))
    return emitOpError() << "expected the step of the pipeline around, in "
                            "consume";
  for (Value bound : {getFrom(), getTo()})
    if (pipeline.getConsume().isAncestor(bound.getParentRegion()))
      return emitOpError() << "expected bounds from outside of the pipeline";
  return success();
}
