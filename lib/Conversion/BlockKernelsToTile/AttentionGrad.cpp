//===- AttentionGrad.cpp - launches of gradients of attention -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A launch has tiles of queries: keys pass twice, once for the softmax and for
// the mean of what pulls at weights, once for gradients by scores and queries.
// The next one has tiles of keys: queries of all heads that share them pass,
// whose facts the first launch left in memory. So a gradient has one CTA that
// sums it, in a fixed order, without atomics. Tables and gains are sums over
// what the first launch stored. Past keys have tiles, and a launch, of their
// own.
//
//===----------------------------------------------------------------------===//

#include "AttentionGrad.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Analysis/GradientLaunches.h"
#include "parablock/Analysis/SdpaLimits.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "parablock/Support/Chips.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;
using block::getDim;
using tile::CopyUnit;
using tile::MultiplyUnit;

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

/// Rows of a tile that two warpgroups share.
static constexpr int64_t wideRows = 128;

/// Tells whether tensor maps reach everything, and each query sees keys in
/// consecutive rows: of a tile at least, or of an open number.
/// Scores of other forms have no registers beside the sums of 64 rows.
static bool canUseWgmma(const AttentionPlan &plan, StringRef chip) {
  block::AttentionOpInterface op = plan.op;
  auto isWide = [](Value tensor) {
    int64_t rows = getDim(tensor, 1);
    return ShapedType::isDynamic(rows) || rows >= wideRows;
  };
  bool isPlain = plan.scaleIsInExponent() && !op.getGamma() && !op.getAlpha() &&
                 !op.getBeta() && !op.getSinks() && !op.getPastKey() &&
                 !op.getShawKey() && !op.getShawValue() &&
                 !(op.getLengths() && op.getCuSeqlens());
  // Rows of facts are whole units of 16 bytes.
  bool isAligned = plan.heads % 2 == 0 || op.getSeed();
  return getDeviceChip(chip).isHopper && !plan.elementType.isF32() &&
         (plan.headSize == 64 || plan.headSize == 128) &&
         plan.valueSize == plan.headSize && isAligned &&
         isWide(op.getQuery()) && isWide(op.getKey()) && isPlain;
}

/// Rows of tiles with `all` rows, and what passes at a time: as many as the
/// registers of a thread hold beside the sums, and shared memory beside what is
/// copied ahead. Returns whether that has room.
static bool cut(AttentionPlan &plan, int64_t all, StringRef chip) {
  if (canUseWgmma(plan, chip)) {
    plan.rows = wideRows;
    plan.keys = 64;
    plan.schedule = tile::ScheduleAttr::get(
        plan.op->getContext(), MultiplyUnit::Wgmma, CopyUnit::Tma,
        /*warps=*/wideRows / 16, /*producers=*/4, /*stages=*/2,
        getDeviceChip(chip).multiprocessors, /*cluster=*/1,
        /*whole_rows=*/true);
    return true;
  }
  bool isFma = plan.elementType.isF32();
  int64_t widest = std::max(plan.headSize, plan.valueSize);
  int64_t warps = 4, stages = 2;
  if (isFma) {
    plan.rows = !ShapedType::isDynamic(all) && all <= 16 ? 16 : 32;
    plan.keys = widest <= 128 ? 32 : 16;
  } else {
    bool isFew = !ShapedType::isDynamic(all) && all <= 32;
    warps = isFew ? llvm::divideCeil(std::max<int64_t>(all, 1), 16) : 4;
    plan.rows = 16 * warps;
    // Tables of distances take registers for what is looked up.
    bool isRelated = plan.op.getShawKey() || plan.op.getShawValue();
    plan.keys = widest <= 64 && !isRelated ? 64 : widest <= 128 ? 32 : 16;
  }
  // Two tensors of both, each row with room for the padding of a buffer.
  auto fits = [&] {
    int64_t bytes = widest * plan.elementType.getIntOrFloatBitWidth() / 8 + 16;
    return 2 * (plan.rows + stages * plan.keys) * bytes <=
           getDeviceChip(chip).sharedBytes;
  };
  while (!fits() && plan.rows > 16) {
    plan.rows = llvm::alignTo(plan.rows / 2, 16);
    if (!isFma)
      warps = plan.rows / 16;
  }
  if (!fits())
    stages = 1;
  plan.schedule = tile::ScheduleAttr::get(
      plan.op->getContext(), isFma ? MultiplyUnit::Fma : MultiplyUnit::Mma,
      CopyUnit::Async, warps, /*producers=*/0, stages,
      2 * getDeviceChip(chip).multiprocessors, /*cluster=*/1,
      /*whole_rows=*/true);
  return fits();
}

AttentionGradPlan::AttentionGradPlan(block::SdpaGradOp op, StringRef chip)
    : op(op) {
  if (op.getScoreBias() || getElementTypeOrSelf(op.getQuery()).isF32())
    facts = {QueryFact::Largest, QueryFact::Factor};
  else
    facts = {QueryFact::LogSum};
  facts.push_back(QueryFact::Mean);
  for (StringRef operand : {"relative_table", "score_bias"})
    if (wants(operand))
      stored.push_back(operand);
  if (op.getShawKey())
    factors.push_back("shaw_key");
  if (wants("shaw_value"))
    factors.push_back("shaw_value");
  if (op.getGamma())
    facts.push_back(QueryFact::PullMean);
  if (op.getSinks())
    facts.push_back(QueryFact::SinkPull);
  if (op.getSeed())
    facts.append({QueryFact::DropLow, QueryFact::DropHigh});
  AttentionPlan both;
  both.op = op;
  both.elementType = getElementTypeOrSelf(op.getQuery());
  both.heads = op.getHeads();
  both.keyHeads = op.getKvHeads();
  both.headSize = getDim(op.getQuery(), -1) / both.heads;
  both.valueSize = getDim(op.getValue(), -1) / both.keyHeads;
  both.valueColumns = both.valueSize;
  ofQueries = ofKeys = ofPast = both;
  fits = cut(ofQueries, getDim(op.getQuery(), 1), chip);
  fits &= cut(ofKeys, getDim(op.getKey(), 1), chip);
  if (op.getPastKey())
    fits &= cut(ofPast, getDim(op.getPastKey(), 1), chip);
  isApart = hasKeysApart(op);
}

bool AttentionGradPlan::wants(StringRef operand) const {
  return llvm::is_contained(
      block::SdpaGradOp(op).getWrt().getAsValueRange<StringAttr>(), operand);
}

bool AttentionGradPlan::endsInside(int64_t rows) const {
  return isWhole() && (ShapedType::isDynamic(rows) || rows % wideRows != 0);
}

RankedTensorType AttentionGradPlan::getFactsType() const {
  auto query =
      cast<RankedTensorType>(block::SdpaGradOp(op).getQuery().getType());
  int64_t columns = static_cast<int64_t>(facts.size()) * ofQueries.heads;
  return RankedTensorType::get(
      {query.getDimSize(0), query.getDimSize(1), columns},
      Float32Type::get(query.getContext()));
}

RankedTensorType AttentionGradPlan::getScoresType() const {
  block::SdpaGradOp grad = op;
  return RankedTensorType::get(
      {getDim(grad.getQuery(), 0), ofQueries.heads, getDim(grad.getQuery(), 1),
       ofQueries.getNumKeys().value_or(ShapedType::kDynamic)},
      Float32Type::get(grad.getContext()));
}

int64_t AttentionGradPlan::countRows(Value table) { return getDim(table, 0); }

RankedTensorType AttentionGradPlan::getRelationsType(Value table) const {
  auto query =
      cast<RankedTensorType>(block::SdpaGradOp(op).getQuery().getType());
  return RankedTensorType::get({query.getDimSize(0), query.getDimSize(1),
                                ofQueries.heads * countRows(table)},
                               Float32Type::get(query.getContext()));
}

tile::BufferType AttentionGradPlan::getFactsBuffer() const {
  constexpr int64_t columns = 32; // of a panel
  MLIRContext *context = ofKeys.elementType.getContext();
  return tile::BufferType::get(context, ofKeys.keys, columns,
                               Float32Type::get(context),
                               tile::BufferLayout::Swizzled);
}

Value AttentionGradPlan::createColumn(TileCode code, QueryFact fact,
                                      Value head) const {
  int64_t count = facts.size();
  return code.addIndex(code.mulIndex(head, code.index(count)),
                       code.index(getPlace(fact)));
}

//===----------------------------------------------------------------------===//
// Parts of both passes
//===----------------------------------------------------------------------===//

int64_t AttentionGradTile::getDepth(int64_t columns) const {
  return llvm::alignTo(columns, plan.ofQueries.elementType.isF32() ? 4 : 16);
}

tile::BufferType AttentionGradTile::getRows(const AttentionPlan &plan,
                                            int64_t columns) {
  AttentionPlan own = plan;
  own.headSize = columns;
  return own.getQueryBuffer();
}

tile::AccumulatorType AttentionGradTile::getSums(const AttentionPlan &plan,
                                                 int64_t columns) {
  AttentionPlan own = plan;
  own.valueColumns = columns;
  return own.getSums();
}

Value AttentionGradTile::limitKeys(TileCode code, Value rows,
                                   Value queryRows) const {
  block::SdpaGradOp op = plan.op;
  int64_t queries = getDim(op.getQuery(), 1);
  if (!ShapedType::isDynamic(queries) && queries == getDim(op.getKey(), 1))
    return rows;
  if (op.getScores().getCausal())
    return code.minIndex(rows, queryRows);
  std::optional<int64_t> window = op.getScores().getWindow();
  if (!window)
    return rows;
  Value reach = code.index(std::min<int64_t>(*window, 1 << 30) - 1);
  return code.minIndex(rows, code.addIndex(queryRows, reach));
}

Value AttentionGradTile::isBefore(TileCode code, Value column, Value end) {
  constexpr int64_t laneBits = 6; // pairs of columns in four lanes
  Value ofLane = arith::AndIOp::create(code.builder, code.loc, column,
                                       code.index(laneBits));
  Value rest = arith::AndIOp::create(code.builder, code.loc, column,
                                     code.index(~laneBits));
  return code.lessIndex(rest, code.subIndex(end, ofLane));
}

Value AttentionGradTile::selectWithin(TileCode code, Value column,
                                      const KeyRange &range, Value element,
                                      Value hidden) {
  element = code.select(isBefore(code, column, range.end), element, hidden);
  return range.begin
             ? code.select(isBefore(code, column, range.begin), hidden, element)
             : element;
}

Value AttentionGradTile::multiply(TileCode code, Value left, Value right,
                                  tile::AccumulatorType type, int64_t depth) {
  return tile::MmaOp::create(
      code.builder, code.loc, left, right, code.zero(type), /*less=*/Value(),
      /*leftDepthFirst=*/false, /*rightDepthFirst=*/false,
      code.builder.getI64IntegerAttr(depth), /*deferred=*/false);
}

Value AttentionGradTile::addProduct(TileCode code, Value left, Value right,
                                    Value sums) {
  return tile::MmaOp::create(code.builder, code.loc, left, right, sums,
                             /*less=*/Value(), /*leftDepthFirst=*/false,
                             /*rightDepthFirst=*/true, /*depth=*/IntegerAttr(),
                             /*deferred=*/false);
}

Value AttentionGradTile::addShawPull(TileCode code, const AttentionTile &tile,
                                     Value relations, Value row, Value key,
                                     Value pull) const {
  if (!relations)
    return pull;
  block::SdpaGradOp op = plan.op;
  int64_t rows = AttentionGradPlan::countRows(op.getShawValue());
  return code.add(pull, loadRelation(code, tile, relations, rows, row, key));
}

void AttentionGradTile::copyRows(TileCode code, const AttentionPlan &plan,
                                 Value tensor, Value row, Value end, Value head,
                                 int64_t width, Value buffer, int64_t rows,
                                 bool hasEnd) {
  Value column = code.mulIndex(head, code.index(width));
  if (plan.usesTensorMaps() && !hasEnd)
    end = {};
  auto copy = tile::CopyOp::create(code.builder, code.loc, tensor, row, column,
                                   buffer, 0, rows, end);
  plan.limitColumns(copy, width);
}

Value AttentionGradTile::createShare(TileCode code, const AttentionPlan &plan,
                                     Value score, Value largest) {
  Value below = code.sub(score, largest);
  return code.fastExp2(code.mul(below, code.f32(plan.getExponentFactor())));
}

Value AttentionGradTile::createWeight(
    TileCode code, Value score,
    llvm::function_ref<Value(QueryFact)> getFact) const {
  const AttentionPlan &cut = plan.ofQueries;
  if (!plan.has(QueryFact::LogSum))
    return code.mul(createShare(code, cut, score, getFact(QueryFact::Largest)),
                    getFact(QueryFact::Factor));
  return code.fastExp2(code.fma(score, code.f32(cut.getExponentFactor()),
                                code.neg(getFact(QueryFact::LogSum))));
}

AttentionGradTile::ScoreGradient
AttentionGradTile::createGradient(TileCode code, Value weight, Value pull,
                                  Value mean, Value beta, Value capSlope,
                                  bool mayHide) const {
  block::SdpaGradOp op = plan.op;
  auto ifThere = [&](Value value) {
    if (!mayHide)
      return value;
    return code.select(isZero(code, weight), code.f32(0), value);
  };
  ScoreGradient gradient;
  Value share = beta ? code.mul(weight, beta) : weight;
  gradient.byScore = ifThere(code.mul(share, code.sub(pull, mean)));
  gradient.byCap = capSlope ? ifThere(code.mul(gradient.byScore, capSlope))
                            : gradient.byScore;
  gradient.byProduct =
      code.scale(gradient.byCap, op.getScores().getScaleValue());
  return gradient;
}

Value AttentionGradTile::joinFacts(TileCode code, int64_t rows,
                                   ValueRange facts) {
  auto type = tile::AccumulatorType::get(code.builder.getContext(), rows,
                                         /*columns=*/16);
  return code.map(
      type, facts, [](TileCode inner, ValueRange indices, ValueRange elements) {
        Value chosen = elements.back();
        for (size_t fact = elements.size() - 1; fact-- > 0;)
          chosen = inner.select(inner.equalIndex(indices[1], inner.index(fact)),
                                elements[fact], chosen);
        return chosen;
      });
}

void AttentionGradTile::storeSums(TileCode code, const AttentionPlan &plan,
                                  Value sums, Value count, int64_t width,
                                  Value tensor, Value row, Value head,
                                  FinishElement finish) {
  constexpr int64_t most = 64;
  for (int64_t first = 0; first < width; first += most) {
    int64_t columns = std::min(most, width - first);
    Value staged = code.stage(sums, first, columns);
    code.tileRows(count, plan.rows, [&](TileCode inner, Value local) {
      Value to = inner.addIndex(row, local);
      inner.columns(
          inner.index(0), inner.index(columns),
          [&](TileCode each, Value offset) {
            Value column = each.addIndex(each.mulIndex(head, each.index(width)),
                                         each.index(first));
            Value element = each.load(staged, local, offset);
            Value inHead = each.addIndex(offset, each.index(first));
            if (finish)
              element = finish(each, element, to, inHead);
            each.store(element, tensor, to, each.addIndex(column, offset));
          });
    });
  }
}

//===----------------------------------------------------------------------===//
// The launches
//===----------------------------------------------------------------------===//

namespace {
/// An op within a kernel, whose arguments stand for operands.
class Wrapped {
public:
  explicit Wrapped(block::SdpaGradOp op) {
    OpBuilder builder(op);
    kernel =
        block::KernelOp::create(builder, op.getLoc(), op->getResultTypes(),
                                op->getOperands(), block::KernelKind::Sdpa);
    Block &body = kernel.getBody().emplaceBlock();
    IRMapping mapping;
    Operation *copy =
        OpBuilder::atBlockEnd(&body).clone(*op.getOperation(), mapping);
    for (OpOperand &operand : copy->getOpOperands())
      operand.set(body.addArgument(operand.get().getType(), op.getLoc()));
    grad = cast<block::SdpaGradOp>(copy);
  }
  ~Wrapped() { kernel.erase(); }
  Wrapped(const Wrapped &) = delete;
  Wrapped &operator=(const Wrapped &) = delete;

  block::SdpaGradOp grad;

private:
  block::KernelOp kernel;
};

/// Puts the launches of one op together.
class AttentionGrad {
public:
  AttentionGrad(const GradientSite &site, block::SdpaGradOp op)
      : site(site), op(op), plan(op, site.chip) {
    for (unsigned number = 0; number < op->getNumOperands(); ++number)
      operands.push_back({number});
  }

  LaunchSequence build();

private:
  void appendRelations();
  void appendKeys();
  LaunchSequence::Source appendShaw(StringRef name);
  LaunchSequence::Source getStored(StringRef operand) {
    return {2 + static_cast<unsigned>(llvm::find(plan.stored, operand) -
                                      plan.stored.begin()),
            queries};
  }
  LaunchSequence::Source appendTable(Type type);
  LaunchSequence::Source appendBias(Type type);
  LaunchSequence::Source appendGain(StringRef operand, Type type);
  unsigned findOperand(Value value) {
    return cast<BlockArgument>(value).getArgNumber();
  }

  const GradientSite &site;
  block::SdpaGradOp op;
  AttentionGradPlan plan;
  LaunchSequence sequence;
  SmallVector<LaunchSequence::Source> operands;
  /// Products of Shaw's tables.
  SmallVector<LaunchSequence::Source, 2> relations;
  unsigned queries = 0;
  std::optional<unsigned> own;
  /// Those by new and by past keys and values.
  LaunchSequence::Source keyGradients[2] = {{0}, {0}},
                         valueGradients[2] = {{0}, {0}};
};
} // namespace

/// The form has a kernel, or an error says what to do.
static LogicalResult check(block::SdpaGradOp op, StringRef chip) {
  if (failed(checkSdpaLimits(op, "GPU")))
    return failure();
  Type type = getElementTypeOrSelf(op.getQuery());
  if (getElementTypeOrSelf(op.getGradient()) != type)
    return op.emitError() << "no GPU code for a gradient of type "
                          << getElementTypeOrSelf(op.getGradient())
                          << " of attention in " << type
                          << ": expected one type";
  auto refuse = [&](const Twine &what) {
    return op.emitError() << "no GPU code for the gradient of attention with "
                          << what << ": run the step on the CPU";
  };
  if (!AttentionGradPlan(op, chip).fits)
    return refuse("heads of " +
                  Twine(getDim(op.getQuery(), -1) / op.getHeads()) +
                  " columns, whose tiles exceed shared memory");
  return success();
}

void AttentionGrad::appendRelations() {
  for (Value table : listShawTables(plan)) {
    Value of = table == op.getShawKey() ? op.getQuery() : op.getGradient();
    relations.push_back(
        {0, sequence.append(buildRelations(site, plan, table),
                            {{findOperand(of)}, {findOperand(table)}})});
  }
}

void AttentionGrad::appendKeys() {
  auto append = [&](bool isPast, bool ofKeys, bool ofValues, StringRef suffix) {
    SmallVector<LaunchSequence::Source> inputs = operands;
    inputs.push_back({0, queries});
    llvm::append_range(inputs, relations);
    unsigned launch = sequence.append(
        KeyGradient(plan, isPast, ofKeys, ofValues).build(site, suffix),
        inputs);
    sequence.launches.back().sizesOf.assign(
        static_cast<size_t>(ofKeys) + static_cast<size_t>(ofValues),
        findOperand(isPast ? op.getPastKey() : op.getKey()));
    if (ofKeys)
      keyGradients[isPast] = {0, launch};
    if (ofValues)
      valueGradients[isPast] = {ofKeys ? 1U : 0U, launch};
  };
  for (bool isPast : {false, true}) {
    if (isPast && !plan.wantsPast())
      return;
    std::string prefix = isPast ? "_past" : "";
    append(isPast, true, !plan.isApart, prefix + "_keys");
    if (plan.isApart)
      append(isPast, false, true, prefix + "_values");
  }
}

LaunchSequence::Source AttentionGrad::appendShaw(StringRef name) {
  bool isOfKeys = name == "shaw_key";
  Value table = isOfKeys ? op.getShawKey() : op.getShawValue();
  size_t place = llvm::find(plan.factors, name) - plan.factors.begin();
  LaunchSequence::Source factors = {
      static_cast<unsigned>(2 + plan.stored.size() + place), queries};
  Value of = isOfKeys ? op.getQuery() : op.getGradient();
  unsigned parts = sequence.append(buildShawParts(site, plan, table),
                                   {factors, {findOperand(of)}});
  return {0, sequence.append(buildShawTotal(site, plan, table), {{0, parts}})};
}

LaunchSequence::Source AttentionGrad::appendTable(Type type) {
  LaunchSequence::Source keys = {findOperand(op.getKey())};
  unsigned diagonals = sequence.append(buildScoreDiagonals(site, plan),
                                       {getStored("relative_table"), keys});
  // One distance less than there are queries and keys.
  sequence.launches.back().sizes = {{0, 1, {{0, 2}, {0, 3}}, -1}};
  return {0, sequence.append(buildTableGradient(site, plan, type),
                             {{0, diagonals}, keys})};
}

LaunchSequence::Source AttentionGrad::appendBias(Type type) {
  unsigned launch = sequence.append(
      buildBiasGradient(site, plan, type),
      {getStored("score_bias"), {findOperand(op.getScoreBias())}});
  sequence.launches.back().sizesOf = {1};
  return {0, launch};
}

LaunchSequence::Source AttentionGrad::appendGain(StringRef operand, Type type) {
  if (operand == "alpha" && !own)
    own = sequence.append(
        buildOwnPulls(site, plan),
        {{findOperand(op.getGradient())}, {findOperand(op.getValue())}});
  SmallVector<LaunchSequence::Source> inputs = {
      {0, operand == "alpha" ? *own : queries}};
  if (operand == "sinks" && op.getBeta())
    inputs.push_back({findOperand(op.getBeta())});
  return {
      0, sequence.append(buildGainGradient(site, plan, operand, type), inputs)};
}

LaunchSequence AttentionGrad::build() {
  appendRelations();
  SmallVector<LaunchSequence::Source> inputs = operands;
  llvm::append_range(inputs, relations);
  queries = sequence.append(QueryGradient(plan).build(site), inputs);
  // Gradients by scores have the rows of the first operand, a gradient, too.
  SmallVector<std::pair<unsigned, unsigned>, 2> keys = {
      {findOperand(op.getKey()), 1}};
  if (op.getPastKey())
    keys.emplace_back(findOperand(op.getPastKey()), 1);
  for (unsigned number = 0; number < plan.stored.size(); ++number)
    llvm::append_values(sequence.launches.back().sizes,
                        LaunchSequence::Launch::Size{2 + number, 2, {{0, 1}}},
                        LaunchSequence::Launch::Size{2 + number, 3, keys});
  appendKeys();
  for (auto [name, result] : llvm::zip_equal(
           op.getWrt().getAsValueRange<StringAttr>(), op->getResults())) {
    LaunchSequence::Source source = {1, queries};
    bool isPast = name.starts_with("past_");
    if (name == "key" || name == "past_key")
      source = keyGradients[isPast];
    else if (name == "value" || name == "past_value")
      source = valueGradients[isPast];
    else if (name.starts_with("shaw_"))
      source = appendShaw(name);
    else if (name == "relative_table")
      source = appendTable(result.getType());
    else if (name == "score_bias")
      source = appendBias(result.getType());
    else if (name != "query")
      source = appendGain(name, result.getType());
    sequence.results.push_back(source);
  }
  return std::move(sequence);
}

FailureOr<LaunchSequence>
parablock::buildAttentionGrad(const GradientSite &site) {
  auto op = cast<block::SdpaGradOp>(site.op);
  if (failed(check(op, site.chip)))
    return failure();
  Wrapped wrapped(op);
  return AttentionGrad(site, wrapped.grad).build();
}
