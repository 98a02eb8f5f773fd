//===- GemmKernel.cpp - main loop, epilogues and split depth --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One kernel for every product: a persistent loop over output tiles, a pipeline
// over the depth of all sources in turn, and a row program over the staged
// accumulators, one for each group of columns. CTAs that share the depth of a
// tile are a cluster, and each adds the sums of some rows in order; or they
// store their sums in memory, and the last one adds them in order. Only the row
// program depends on the ops after the product.
//
//===----------------------------------------------------------------------===//

#include "GemmKernel.h"

#include "GemmBuilder.h"
#include "GemmSplit.h"
#include "RowKernels.h"
#include "RowStatistics.h"
#include "TileCode.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "parablock/Analysis/ProductTiles.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace parablock;

Value GemmBuilder::createGroupColumn(OpBuilder &builder, unsigned group,
                                     Value tile) {
  Value local = arith::SubIOp::create(builder, loc, tile,
                                      constant(builder, groupStarts[group]));
  return arith::MulIOp::create(builder, loc, local,
                               constant(builder, choice.groupColumns[group]));
}

Value GemmBuilder::createWeightRow(OpBuilder &builder, unsigned piece,
                                   Value tile) {
  Value result;
  for (int64_t index = plan.groups.size() - 1; index >= 0; --index) {
    const GemmGroup &group = plan.groups[index];
    int64_t repeat = pieces / group.segments.size();
    int64_t offset = plan.segments[group.segments[piece / repeat]].offset +
                     piece % repeat * pieceColumns;
    Value row = arith::AddIOp::create(builder, loc,
                                      createGroupColumn(builder, index, tile),
                                      constant(builder, offset));
    if (!result) {
      result = row;
      continue;
    }
    Value inGroup =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, tile,
                              constant(builder, groupStarts[index + 1]));
    result = arith::SelectOp::create(builder, loc, inGroup, row, result);
  }
  return result;
}

Value GemmBuilder::createMeans(OpBuilder &builder, const Place &place) {
  if (!centresRows())
    return {};
  auto type = tile::RowValuesType::get(builder.getContext(), choice.shape.rows,
                                       choice.shape.columns);
  return createRowStatistic({builder, loc}, type, plan.mean, shell,
                            source.getBody().front(),
                            {place.row, rows, sequenceLength});
}

SmallVector<CodeSource> GemmBuilder::listCodeSources() {
  return llvm::map_to_vector(plan.sources, [&](const GemmSource &source) {
    block::UnpackWeightOp unpack = source.unpack;
    Value zeros = unpack.getZeros();
    return CodeSource{unpack, shell.lookupInput(unpack.getScales()),
                      zeros ? shell.lookupInput(zeros) : Value(),
                      getSteps(source)};
  });
}

/// Creates the copies for one step, from the source of that step.
void GemmBuilder::createCopies(OpBuilder &builder, const Place &place,
                               ArrayRef<Value> weightRows, Value step,
                               Value input, Value weight,
                               const CodeProduct *codes, unsigned firstSource) {
  const GemmSource &current = plan.sources[firstSource];
  auto copy = [&](OpBuilder &builder) {
    Value depth = arith::MulIOp::create(builder, loc, step,
                                        constant(builder, choice.shape.depth));
    if (!plan.computed)
      tile::CopyOp::create(builder, loc, shell.lookupInput(current.input),
                           place.row, depth, input, 0, choice.shape.rows);
    Value weights = shell.lookupInput(current.weight);
    if (codes)
      return codes->createCopies({builder, loc}, weights, step, weight);
    for (auto [piece, row] : llvm::enumerate(weightRows))
      tile::CopyOp::create(builder, loc, weights, row, depth, weight,
                           piece * pieceColumns, pieceColumns);
  };
  if (firstSource + 1 == plan.sources.size())
    return copy(builder);
  Value steps = constant(builder, getSteps(current));
  Value now = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                    step, steps);
  auto branch = scf::IfOp::create(builder, loc, now, /*withElseRegion=*/true);
  OpBuilder thenBuilder = branch.getThenBodyBuilder();
  copy(thenBuilder);
  OpBuilder elseBuilder = branch.getElseBodyBuilder();
  Value later = arith::SubIOp::create(elseBuilder, loc, step, steps);
  createCopies(elseBuilder, place, weightRows, later, input, weight, codes,
               firstSource + 1);
}

Value GemmBuilder::createProduct(OpBuilder &builder, const Place &place) {
  const GemmShape &shape = choice.shape;
  MLIRContext *context = builder.getContext();
  int64_t leftRows = shape.rows, rightRows = shape.columns;
  if (choice.weightIsLeft)
    std::swap(leftRows, rightRows);
  auto accumulatorType =
      tile::AccumulatorType::get(context, leftRows, rightRows);
  Type elementType = plan.isEncoded() ? builder.getI8Type() : plan.elementType;
  auto getBufferType = [&](int64_t rows) {
    return tile::BufferType::get(context, rows, shape.depth, elementType,
                                 tile::BufferLayout::Swizzled);
  };
  SmallVector<Value> weightRows;
  for (int64_t piece = 0; piece < pieces; ++piece)
    weightRows.push_back(createWeightRow(builder, piece, place.column));
  int64_t steps = 0;
  for (const GemmSource &source : plan.sources)
    steps += getSteps(source);
  // Splits have equally many steps, so that their number is known; steps past
  // the end multiply zeros outside the tensors.
  int64_t ownSteps = llvm::divideCeil(steps, choice.splits);
  Value numSteps = constant(builder, ownSteps), firstStep;
  if (choice.splits > 1)
    firstStep = arith::MulIOp::create(builder, loc, place.split, numSteps);
  if (plan.computed)
    fillStatistics(builder, place, firstStep);
  Type leftType = getBufferType(leftRows);
  std::optional<CodeProduct> codes;
  if (plan.hasCodes()) {
    leftType = getCodeBuffer(context, leftRows);
    codes.emplace(listCodeSources(), accumulatorType, weightRows, pieceColumns,
                  shape.depth);
  }
  Type buffers[] = {leftType, getBufferType(rightRows)};
  auto produce = [&](const TileCode &code, Value step, ValueRange given) {
    if (firstStep)
      step = code.addIndex(step, firstStep);
    Value input = given[0], weight = given[1];
    if (choice.weightIsLeft)
      std::swap(input, weight);
    createCopies(code.builder, place, weightRows, step, input, weight,
                 codes ? &*codes : nullptr, /*firstSource=*/0);
  };
  auto fill = [&](const TileCode &code, Value step, ValueRange given) {
    if (!plan.computed)
      return;
    Value number = firstStep ? code.addIndex(step, firstStep) : step;
    fillRows(code.builder, place, number, given[choice.weightIsLeft ? 1 : 0]);
  };
  if (plan.isEncoded())
    return createEncodedProduct(builder, place, weightRows, accumulatorType,
                                numSteps, firstStep, buffers, produce);
  TileCode code(builder, loc);
  if (codes)
    return codes->create(code, numSteps, firstStep, buffers, produce, fill);
  Value means = createMeans(builder, place);
  auto consume = [&](const TileCode &inner, Value step, ValueRange given,
                     ValueRange carried) -> SmallVector<Value> {
    fill(inner, step, given);
    return {tile::MmaOp::create(inner.builder, loc, given[0], given[1],
                                carried[0], means, /*leftDepthFirst=*/false,
                                /*rightDepthFirst=*/false,
                                /*depth=*/IntegerAttr(), /*deferred=*/false)};
  };
  return code.pipeline(numSteps, buffers, code.zero(accumulatorType),
                       /*stages=*/0, produce, consume)[0];
}

Value GemmBuilder::finishElement(const RowCode &code,
                                 const GemmSegment &segment, Value element,
                                 const Column &column) {
  Value global = column.index;
  if (segment.offset)
    global = code.addIndex(global, code.index(segment.offset));
  element = scaleColumn(code, element, global);
  if (plan.bias)
    element = code.add(
        element,
        tile::LoadOp::create(code.builder, code.loc, code.builder.getF32Type(),
                             shell.lookupInput(plan.bias), global));
  auto head = dyn_cast<block::HeadOp>(plan.root);
  return head ? emitLogit(code, head.getScale(), head.getSoftcap(), element)
              : element;
}

/// Elements of the segment in `position` of `group`, bias included.
ElementLoader GemmBuilder::createLoader(Value staged, Value localRow,
                                        Value firstColumn, unsigned group,
                                        unsigned position) {
  const GemmSegment &segment =
      plan.segments[plan.groups[group].segments[position]];
  int64_t repeat = pieces / plan.groups[group].segments.size();
  int64_t stagedOffset = position * repeat * pieceColumns;
  return [=](const RowCode &code, Value, const Column &column) -> Value {
    OpBuilder &builder = code.builder;
    Value local = createDistance(code, column.index, firstColumn);
    if (stagedOffset)
      local = code.addIndex(local, code.index(stagedOffset));
    Value element =
        tile::LoadOp::create(builder, code.loc, builder.getF32Type(), staged,
                             ValueRange{localRow, local});
    return finishElement(code, segment, element, column);
  };
}

std::optional<CacheAppend> GemmBuilder::findAppend(unsigned number) {
  Operation *yield = source.getBody().front().getTerminator();
  auto op = yield->getOperand(number).getDefiningOp<block::CacheAppendOp>();
  if (!op)
    return std::nullopt;
  Value pages = op.getPages();
  return CacheAppend{
      shell.lookupInput(op.getCache()), shell.lookupInput(op.getLengths()),
      pages ? shell.lookupInput(pages) : Value(), shell.getOutput(number)};
}

void GemmBuilder::createRowEpilogue(OpBuilder &builder, const Place &place,
                                    Value staged, Value part, unsigned index) {
  const GemmGroup &group = plan.groups[index];
  Value from = createGroupColumn(builder, index, place.column);
  Value to = arith::AddIOp::create(
      builder, loc, from, constant(builder, choice.groupColumns[index]));
  // If every tile is whole, its number of columns is a constant.
  if (group.width % choice.groupColumns[index])
    to = arith::MinSIOp::create(builder, loc, to,
                                constant(builder, group.width));
  auto loop = tile::RowsOp::create(builder, loc, createNumRows(builder, place),
                                   getNumRows(), part, choice.parts);
  loop.setCluster(choice.schedule.getJoins());
  OpBuilder::InsertionGuard guard(builder);
  Block *body =
      builder.createBlock(&loop.getBody(), {}, builder.getIndexType(), loc);
  auto yieldOp = tile::YieldOp::create(builder, loc);
  builder.setInsertionPoint(yieldOp);
  Value localRow = body->getArgument(0);
  Value row = arith::AddIOp::create(builder, loc, place.row, localRow);

  TileCode code(builder, loc);
  Block &steps = source.getBody().front();
  RowProgram program(code, kTileRows, row, sequenceLength);
  giveArguments(program, steps, shell);
  for (auto [position, segment] : llvm::enumerate(group.segments)) {
    giveCentring(program, plan.segments[segment]);
    program.give(plan.segments[segment].value,
                 createLoader(staged, localRow, from, index, position));
  }
  Operation *yield = steps.getTerminator();
  SmallVector<RowOutput> outputs;
  for (unsigned output : group.outputs) {
    Value computed = getComputed(yield->getOperand(output));
    std::optional<CacheAppend> append = findAppend(output);
    outputs.push_back(
        {computed, shell.getOutput(output),
         append ? append->createRow(code, row, sequenceLength) : Value()});
  }
  program.emit(
      outputs,
      {from, to, std::gcd(choice.groupColumns[index], group.width), false});
}

void GemmBuilder::forGroup(
    OpBuilder &builder, const Place &place, unsigned firstGroup,
    llvm::function_ref<void(OpBuilder &, unsigned)> body) {
  if (firstGroup + 1 == plan.groups.size())
    return body(builder, firstGroup);
  Value inGroup = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, place.column,
      constant(builder, groupStarts[firstGroup + 1]));
  auto branch =
      scf::IfOp::create(builder, loc, inGroup, /*withElseRegion=*/true);
  OpBuilder thenBuilder = branch.getThenBodyBuilder();
  body(thenBuilder, firstGroup);
  OpBuilder elseBuilder = branch.getElseBodyBuilder();
  forGroup(elseBuilder, place, firstGroup + 1, body);
}

void GemmBuilder::createRowEpilogues(OpBuilder &builder, const Place &place,
                                     Value staged, Value part) {
  forGroup(builder, place, 0, [&](OpBuilder &inner, unsigned group) {
    createRowEpilogue(inner, place, staged, part, group);
  });
}

void GemmBuilder::createRegisterEpilogue(OpBuilder &builder, const Place &place,
                                         Value product, unsigned index) {
  const GemmGroup &group = plan.groups[index];
  const GemmSegment &segment = plan.segments[group.segments.front()];
  unsigned number = group.outputs.front();
  Block &steps = source.getBody().front();
  Value output = steps.getTerminator()->getOperand(number);
  Value tensor = shell.getOutput(number);
  Type stored = cast<MemRefType>(tensor.getType()).getElementType();
  Value from = createGroupColumn(builder, index, place.column);
  TileCode code(builder, loc);
  // Rows past the end are computed, too, from values of the last row.
  Value last = code.subIndex(rows, code.index(1));
  Value result = code.map(
      product.getType(), product,
      [&](TileCode inner, ValueRange indices, ValueRange elements) {
        Value row = inner.minIndex(inner.addIndex(place.row, indices[0]), last);
        RowProgram program(inner, kTileRows, row, sequenceLength);
        giveArguments(program, steps, shell);
        giveCentring(program, segment);
        program.give(
            segment.value, [&](const RowCode &at, Value, const Column &column) {
              return finishElement(at, segment, elements.front(), column);
            });
        Value element = program.emitElement(
            output, {inner.addIndex(from, indices[1]), std::nullopt, 1});
        // A store rounds.
        auto rounded = element.getDefiningOp<tile::RoundOp>();
        return rounded && rounded.getType() == stored ? rounded.getValue()
                                                      : element;
      });
  tile::CopyOutOp::create(builder, loc, result, tensor, place.row, from);
}

Value GemmBuilder::createStage(OpBuilder &builder, Value product, Value part) {
  auto type = tile::BufferType::get(builder.getContext(), choice.shape.rows,
                                    choice.shape.columns, builder.getF32Type(),
                                    tile::BufferLayout::Padded);
  return tile::StageOp::create(builder, loc, type, product, /*first=*/0, part,
                               choice.parts, choice.weightIsLeft);
}

void GemmBuilder::createEpilogues(OpBuilder &builder, const Place &place,
                                  Value product) {
  if (choice.schedule.getJoins()) {
    Value staged = createStage(builder, product);
    auto join = tile::JoinClusterOp::create(
        builder, loc, staged, createNumRows(builder, place), getNumRows());
    OpBuilder inner = OpBuilder::atBlockEnd(&join.getBody().emplaceBlock());
    createRowEpilogues(inner, place, staged, /*part=*/{});
    tile::YieldOp::create(inner, loc);
    return;
  }
  if (choice.splits > 1) {
    SplitSums sums = {shell.getWorkspace(0), shell.getWorkspace(1),
                      choice.splits, choice.shape.rows, choice.shape.columns};
    Value staged = createStage(builder, product);
    return sums.join({builder, loc}, place.column, place.split,
                     createNumRows(builder, place), getNumRows(), staged,
                     [&](TileCode last) {
                       createRowEpilogues(last.builder, place, staged,
                                          /*part=*/{});
                     });
  }
  if (choice.staysInRegisters)
    return forGroup(builder, place, 0, [&](OpBuilder &inner, unsigned group) {
      createRegisterEpilogue(inner, place, product, group);
    });
  if (choice.parts == 1)
    return createRowEpilogues(builder, place, createStage(builder, product),
                              /*part=*/{});
  auto parts =
      scf::ForOp::create(builder, loc, constant(builder, 0),
                         constant(builder, choice.parts), constant(builder, 1));
  OpBuilder inner = OpBuilder::atBlockTerminator(parts.getBody());
  Value part = parts.getInductionVar();
  createRowEpilogues(inner, place, createStage(inner, product, part), part);
}

/// Returns the number of rows that warps divide: if a tile is known to have
/// fewer than its capacity, only those, or one warp would process them all.
int64_t GemmBuilder::getNumRows() const {
  std::optional<int64_t> all = getStaticRows(plan.getRows().getType());
  return choice.parts == 1
             ? std::min(all.value_or(INT64_MAX), choice.shape.rows)
             : choice.shape.rows;
}

Value GemmBuilder::createNumRows(OpBuilder &builder, const Place &place) {
  // A cluster may have a tile past the end.
  int64_t atATime = choice.shape.rows * choice.schedule.getSharing();
  std::optional<int64_t> all = getStaticRows(plan.getRows().getType());
  if (all && *all == getNumRows())
    return constant(builder, *all);
  if (all && *all % atATime == 0)
    return constant(builder, choice.shape.rows);
  Value left = arith::SubIOp::create(builder, loc, rows, place.row);
  return arith::MinSIOp::create(builder, loc, left,
                                constant(builder, choice.shape.rows));
}

void GemmBuilder::build() {
  OpBuilder &builder = shell.builder;
  countRows();
  for (unsigned number = 0; number < source.getNumResults(); ++number)
    if (std::optional<CacheAppend> append = findAppend(number))
      append->copyOthers({builder, loc}, sequenceLength);
  const GemmShape &shape = choice.shape;
  Value rounded = arith::AddIOp::create(builder, loc, rows,
                                        constant(builder, shape.rows - 1));
  Value rowTiles = arith::DivUIOp::create(builder, loc, rounded,
                                          constant(builder, shape.rows));
  auto tiles = tile::TilesOp::create(
      builder, loc, rowTiles,
      constant(builder, choice.columnTiles * choice.splits));
  Type index = builder.getIndexType();
  Block *body =
      builder.createBlock(&tiles.getBody(), {}, {index, index}, {loc, loc});
  auto end = tile::YieldOp::create(builder, loc);
  builder.setInsertionPoint(end);
  Place place;
  place.row = arith::MulIOp::create(builder, loc, body->getArgument(0),
                                    constant(builder, shape.rows));
  place.column = body->getArgument(1);
  if (choice.splits > 1) {
    Value splits = constant(builder, choice.splits);
    place.split = arith::RemUIOp::create(builder, loc, place.column, splits);
    place.column = arith::DivUIOp::create(builder, loc, place.column, splits);
  }
  createEpilogues(builder, place, createProduct(builder, place));
}

/// Returns workspaces for the sums of splits and the counters of finished
/// splits.
static SmallVector<Type> getWorkspaces(const GemmChoice &choice,
                                       MLIRContext *context) {
  if (choice.splits == 1 || choice.schedule.getJoins())
    return {};
  int64_t slots = choice.columnTiles * choice.splits;
  return {MemRefType::get({slots * choice.shape.rows, choice.shape.columns},
                          Float32Type::get(context)),
          MemRefType::get({choice.columnTiles}, IntegerType::get(context, 32))};
}

static FailureOr<GemmPlan> planProduct(block::KernelOp source) {
  FailureOr<GemmPlan> plan = planGemm(source, CodeOrder::Lanes);
  if (failed(plan))
    return failure();
  auto isProduct = [&](Value value) {
    return llvm::any_of(plan->segments, [&](const GemmSegment &segment) {
      return segment.value == value;
    });
  };
  if (failed(checkRows(source.getBody().front(), kTileRows, isProduct)))
    return failure();
  auto isTaken = [](Value value) {
    return value.getDefiningOp<block::TakeRowsOp>() != nullptr;
  };
  if (plan->computed &&
      failed(checkRow(plan->computed->norm.getResult(), kTileRows, isTaken)))
    return failure();
  return plan;
}

static tile::KernelOp buildKernel(OpBuilder &moduleBuilder,
                                  block::KernelOp source, StringRef name,
                                  const GemmPlan &plan,
                                  const GemmChoice &choice) {
  KernelShell shell =
      createKernelShell(moduleBuilder, source, name, choice.schedule,
                        getWorkspaces(choice, moduleBuilder.getContext()));
  GemmBuilder(source, plan, choice, shell).build();
  return shell.kernel;
}

FailureOr<tile::KernelOp> parablock::buildGemmKernel(OpBuilder &moduleBuilder,
                                                     block::KernelOp source,
                                                     StringRef name,
                                                     const GemmTarget &target) {
  FailureOr<GemmPlan> plan = planProduct(source);
  if (failed(plan))
    return failure();
  Type rowsType = plan->getRows().getType();
  FailureOr<GemmChoice> choice =
      chooseGemmSchedule(*plan, getStaticRows(rowsType), target);
  if (failed(choice))
    return failure();
  return buildKernel(moduleBuilder, source, name, *plan, *choice);
}

FailureOr<FewRowsKernel>
parablock::buildFewRowsGemmKernel(OpBuilder &moduleBuilder,
                                  block::KernelOp source, StringRef name,
                                  const GemmTarget &target) {
  // The rows of one tile. Schedules that share its depth are chosen for single
  // tokens of some sequences.
  constexpr int64_t usualRows = 16;
  FailureOr<GemmPlan> plan = planProduct(source);
  if (failed(plan))
    return failure();
  int64_t most = plan->computed && plan->hasGroups() ? mostComputedBesideGroups
                                                     : mostFewRows;
  Type rowsType = plan->getRows().getType();
  if (!mayHaveFewRows(rowsType, most))
    return FewRowsKernel();
  FailureOr<GemmChoice> many =
      chooseGemmSchedule(*plan, /*rows=*/std::nullopt, target);
  FailureOr<GemmChoice> few =
      chooseGemmSchedule(*plan, usualRows, target, /*room=*/most);
  if (failed(many) || failed(few))
    return failure();
  // The kernel of any number of rows reads those that another one computes.
  if (few->isLike(*many) && !plan->computed)
    return FewRowsKernel();
  assert(few->shape.rows >= most && "all rows are in one tile");
  FewRowsKernel made;
  made.kernel = buildKernel(moduleBuilder, source, name, *plan, *few);
  made.most = most;
  BlockArgument input = plan->sources.front().input;
  int64_t rank = cast<RankedTensorType>(input.getType()).getRank();
  for (int64_t dim = 0; dim < rank - 1; ++dim)
    made.sizes.emplace_back(input.getArgNumber(), dim);
  if (auto taken = plan->computed ? plan->computed->take : nullptr)
    made.sizes.back() = {cast<BlockArgument>(taken.getRows()).getArgNumber(),
                         0};
  return made;
}
