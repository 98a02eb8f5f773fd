//===- StepCounter.cpp - adds up the work of steps ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "StepCounter.h"

#include "AllowedPairs.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "parablock/Analysis/ExpertLaunches.h"
#include "parablock/Analysis/GradientLaunches.h"
#include "parablock/Analysis/HeadNorm.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

int64_t StepCounter::resolve(int64_t size, int dim) const {
  if (!ShapedType::isDynamic(size))
    return size;
  return dim == 0 ? sizes.batch : sizes.sequence;
}

double StepCounter::countRows(Value value) const {
  return static_cast<double>(resolve(getDim(value, 0), 0)) *
         static_cast<double>(resolve(getDim(value, 1), 1));
}

double StepCounter::countBytes(Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.getElementType().isIntOrFloat())
    return 0;
  double bytes = type.getElementTypeBitWidth() / 8.0;
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    bytes *= static_cast<double>(resolve(size, dim));
  return bytes;
}

/// Widths are static, unlike batch and sequence.
static double getWidth(Value value, int dim = -1) {
  return static_cast<double>(getDim(value, dim));
}

StepCounter::Source StepCounter::getSource(Value value) const {
  return {value, countRows(value), getWidth(value)};
}

bool parablock::isActivation(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getRank() != 3)
    return false;
  OpResult definition = getDefinition(value);
  while (definition && isa<LayerOp>(definition.getOwner())) {
    auto layer = cast<LayerOp>(definition.getOwner());
    auto yield = cast<YieldOp>(layer.getBody().front().getTerminator());
    definition = getDefinition(yield.getValues()[definition.getResultNumber()]);
  }
  auto step = dyn_cast_or_null<StepOpInterface>(
      definition ? definition.getOwner() : nullptr);
  return !step || !step.makesStatistics();
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

void StepCounter::addBytes(double elements, Type element) {
  if (!hasKernels)
    counts.bytes += elements * element.getIntOrFloatBitWidth() / 8;
}

void StepCounter::addTraffic(Operation *op) {
  if (hasKernels)
    return;
  for (Value operand : op->getOperands())
    if (isActivation(operand))
      counts.bytes += countBytes(operand);
  for (Value result : op->getResults())
    if (isActivation(result))
      counts.bytes += countBytes(result);
}

/// Rotations (or norms) of the queries and keys of one attention are one
/// launch.
bool StepCounter::isFirstOf(Operation *consumer, StringRef kind) {
  return !consumer || joined.insert({consumer, kind}).second;
}

void StepCounter::addProduct(const Source &source, double columns,
                             ModelPart part) {
  double flops = 2 * source.rows * source.width * columns;
  if (part == ModelPart::Attention)
    counts.attentionFlops += flops;
  else if (part == ModelPart::Mlp)
    counts.mlpFlops += flops;
  else
    counts.otherFlops += flops;
}

void StepCounter::openProjection(const Source &source, ModelPart part) {
  if (!projected.insert({source.value, static_cast<int>(part)}).second)
    return;
  addBytes(source.rows * source.width, getElementTypeOrSelf(source.value));
  counts.launches += !hasKernels;
}

void StepCounter::addProjection(const Source &source, double columns,
                                ModelPart part, Type element) {
  addProduct(source, columns, part);
  openProjection(source, part);
  addBytes(source.rows * columns, element);
  ++counts.gemms;
}

double ScoreWork::countFlops(double batch, double queries, double keys) const {
  return 2 * batch * (queryWidth + valueWidth) *
         countAllowedPairs(scores, queries, keys);
}

void StepCounter::addScores(const ScoreWork &work, Value query, double keys) {
  double flops = work.countFlops(resolve(getDim(query, 0), 0),
                                 resolve(getDim(query, 1), 1), keys);
  counts.attentionFlops += flops;
  counts.scoreFlops += flops;
  counts.launches += !hasKernels;
  scores.push_back(work);
}

/// Keys that there are, past ones among them.
double StepCounter::countKeys(Value key, Value pastKey) const {
  double keys = resolve(getDim(key, 1), 1);
  return pastKey ? keys + resolve(getDim(pastKey, 1), 1) : keys;
}

//===----------------------------------------------------------------------===//
// Level 1
//===----------------------------------------------------------------------===//

void StepCounter::visitAttention(AttentionOp op) {
  Type element = getElementTypeOrSelf(op.getInput());
  Source queries = getSource(op.getInput()), keys = getSource(op.getSource());
  double q = getWidth(op.getQWeight(), 0), k = getWidth(op.getKWeight(), 0);
  double v = op.getVWeight() ? getWidth(op.getVWeight(), 0) : keys.width;
  double attended = v / op.getKvHeads() * op.getHeads();
  addProjection(queries, q, ModelPart::Attention, element);
  addProjection(keys, k, ModelPart::Attention, element);
  if (op.getVWeight())
    addProjection(keys, v, ModelPart::Attention, element);

  double queriesAndKeys = queries.rows * q + keys.rows * k;
  if (op.getClip())
    addBytes(2 * (queriesAndKeys + keys.rows * v), element);
  if (op.getQkNorm()) {
    addBytes(2 * queriesAndKeys, element);
    counts.norms += 2;
    counts.launches += !hasKernels;
  }
  if (op.getRope()) {
    addBytes(2 * queriesAndKeys, element);
    counts.launches += !hasKernels;
  }

  addScores({op.getScores(), q, attended}, op.getInput(),
            countKeys(op.getSource(), op.getPastKey()));
  addBytes(queriesAndKeys + keys.rows * v + queries.rows * attended, element);
  for (Value past : {op.getPastKey(), op.getPastValue()})
    if (past && !hasKernels)
      counts.bytes += countBytes(past);
  if (op.getOWeight())
    addProjection({op.getResult(), queries.rows, attended},
                  getWidth(op.getResult()), ModelPart::Attention,
                  getElementTypeOrSelf(op.getResult()));
}

void StepCounter::visitMlp(MlpOp op) {
  Type element = getElementTypeOrSelf(op.getInput());
  Source input = getSource(op.getInput());
  double hidden = getWidth(op.getUpWeight(), 0);
  addProjection(input, hidden, ModelPart::Mlp, element);
  if (op.getGateWeight())
    addProjection(input, hidden, ModelPart::Mlp, element);
  // The activation reads one or two values of this width and writes one.
  addBytes(input.rows * hidden * (op.getGateWeight() ? 3 : 2), element);
  addProjection({op.getResult(), input.rows, hidden}, getWidth(op.getResult()),
                ModelPart::Mlp, getElementTypeOrSelf(op.getResult()));
}

void StepCounter::visitMoe(MoeOp op) {
  Type element = getElementTypeOrSelf(op.getInput());
  Source input = getSource(op.getInput());
  double experts = getWidth(op.getUpWeight(), 0);
  auto chosen = static_cast<double>(op.getRouting().getChosen());
  Type router = getElementTypeOrSelf(op.getRouterWeight());
  Type scores = router.isF32() ? router : element;
  addProjection(input, experts, ModelPart::Mlp, scores);
  // The choice reads logits; experts read what it writes.
  addBytes(input.rows * experts, scores);
  addBytes(2 * input.rows * chosen, IntegerType::get(op.getContext(), 64));
  addBytes(2 * input.rows * chosen,
           op.getRoundWeights() ? element : Float32Type::get(op.getContext()));
  addExperts(input, chosen, op.getUpWeight(), op.getDownWeight(), op.getForm());
  addBytes(2 * input.rows * input.width, element);
  // The router's choice has a launch of its own.
  ++counts.launches;
  if (!op.getSharedUp()) {
    if (!op.getScale().isExactlyValue(1))
      addBytes(2 * input.rows * input.width, element);
    return;
  }
  // The sum of both.
  addBytes(3 * input.rows * input.width, element);
  double hidden = getWidth(op.getSharedUp(), 0);
  for (Value weight : {op.getSharedUp(), op.getSharedGate()})
    if (weight)
      addProjection(input, hidden, ModelPart::Mlp, element);
  addBytes(input.rows * hidden * (op.getSharedGate() ? 3 : 2), element);
  addProjection({op.getResult(), input.rows, hidden}, getWidth(op.getResult()),
                ModelPart::Mlp, element);
  if (op.getSharedRouter())
    addProjection(input, 1, ModelPart::Mlp, element);
}

/// Counts both products of `chosen` experts of each row, with the launches
/// around them: rows are gathered by experts, and products are f32 until they
/// are summed.
void StepCounter::addExperts(const Source &source, double chosen, Value up,
                             Value down, ExpertsAttr form) {
  double slots = source.rows * chosen;
  for (Value stack : {up, down}) {
    double matrix = getWidth(stack, 1) * getWidth(stack, 2);
    counts.mlpFlops += 2 * slots * matrix;
    ++counts.gemms;
  }
  int in = form.getTransposed() ? 1 : 2, out = form.getTransposed() ? 2 : 1;
  addBytes(2 * slots * (source.width + getWidth(down, in)),
           getElementTypeOrSelf(up));
  addBytes(2 * slots * getWidth(down, out), Float32Type::get(up.getContext()));
  counts.launches += countExpertLaunches(static_cast<int64_t>(slots));
}

//===----------------------------------------------------------------------===//
// Level 2
//===----------------------------------------------------------------------===//

void StepCounter::visitSdpa(AttentionOpInterface op) {
  Source query = getSource(op.getQuery());
  double attended = getWidth(op->getResult(0));
  ScoreWork work = {op.getScores(), query.width, attended};
  if (!op.getPages()) {
    addScores(work, op.getQuery(), countKeys(op.getKey(), op.getPastKey()));
    return addTraffic(op);
  }
  // A pool has pages of others, too.
  int64_t entries = getDim(op.getPages(), 1);
  double keys = ShapedType::isDynamic(entries)
                    ? sizes.sequence
                    : entries * getDim(op.getKey(), 1);
  double batch = resolve(getDim(op.getQuery(), 0), 0);
  addScores(work, op.getQuery(), keys);
  addBytes(query.rows * (query.width + attended) +
               batch * keys * (getWidth(op.getKey()) + getWidth(op.getValue())),
           getElementTypeOrSelf(op.getQuery()));
}

/// Gives what the columns of the product of `input` are for.
static SmallVector<Segment, 2> findSegments(StepOpInterface op, Value input) {
  Value result = op->getResult(0);
  if (op.getPart() == ModelPart::Other)
    return getSegments(result, input);
  return {{getDim(result, -1), op.getPart()}};
}

/// Returns the type in which a launch writes the product `result`: deferred
/// norms ride on it, and take sums of f32 to the type of the model.
static Type getWrittenType(Value result) {
  Type own = getElementTypeOrSelf(result), written = own;
  SmallVector<Value> waiting{result};
  while (!waiting.empty()) {
    Value value = waiting.pop_back_val();
    for (Operation *user : value.getUsers()) {
      if (isa<SplitOp>(user)) {
        llvm::append_range(waiting, user->getResults());
        continue;
      }
      auto norm = dyn_cast<DeferredNormOp>(user);
      if (!norm || norm.getInput() != value)
        return own;
      written = getElementTypeOrSelf(norm.getResult());
    }
  }
  return written;
}

/// One source may be read by several products in one launch; one launch of
/// several sources reads them all.
void StepCounter::visitProduct(StepOpInterface op) {
  ++counts.gemms;
  Value result = op->getResult(0);
  SmallVector<Value, 2> inputs = op.getOperandsOf(OperandRole::Rows);
  for (Value input : inputs)
    for (const Segment &segment : findSegments(op, input))
      addProduct(getSource(input), segment.width, segment.part);
  if (inputs.size() > 1) {
    addTraffic(op);
    counts.launches += !hasKernels;
    return;
  }
  Source source = getSource(inputs.front());
  openProjection(source, findSegments(op, source.value).front().part);
  addBytes(source.rows * getWidth(result), getWrittenType(result));
}

void StepCounter::visitNormalize(NormalizeOp op) {
  addTraffic(op);
  ++counts.norms;
  // A norm of projected queries or keys, not of the stream.
  Operation *consumer = nullptr;
  if (isProjected(op.getInput()))
    consumer = findConsumer(op.getResult());
  if (!isAttentionCore(consumer))
    consumer = nullptr;
  counts.launches += !hasKernels && isFirstOf(consumer, "norm");
}

/// True where a norm that `stats` are made for applies them in the same launch.
static bool isPartOfNormalize(NormStatsOp stats) {
  return llvm::any_of(stats->getUsers(), [&](Operation *user) {
    auto normalize = dyn_cast<NormalizeOp>(user);
    return normalize && normalize.getInput() == stats.getInput();
  });
}

/// Steps on single elements ride on the launch before them, and so do steps
/// that move no rows; those on pairs share one launch per attention.
void StepCounter::visitStep(StepOpInterface op) {
  if (op.getStepKind() == StepKind::Weights || !op.movesRows())
    return;
  addTraffic(op);
  Value result = op->getResult(0);
  if (double flops = op.getFlopsPerRow())
    counts.otherFlops += flops * countRows(result);
  counts.norms += op.getPart() == ModelPart::Norm;
  if (op.getReach() <= StepReach::Tile || hasKernels)
    return;
  bool isShared = op.getReach() == StepReach::Pair;
  counts.launches += !isShared || isFirstOf(findConsumer(result), "rope");
}

//===----------------------------------------------------------------------===//
// Level 3
//===----------------------------------------------------------------------===//

/// Returns whether `value` depends on data of a run, whatever its own type.
static bool isData(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto function =
      argument
          ? dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp())
          : FunctionOpInterface();
  return !function || !function.getArgAttr(argument.getArgNumber(), kParamAttr);
}

void StepCounter::visitKernel(KernelOp op) {
  bool isGathered = static_cast<bool>(findGatheringExperts(op));
  counts.launches += !isGathered;
  bool isLeftover = op.getKind() == KernelKind::Elements;
  // Caches are written where they lie, and of the rest the rows that a step
  // takes are read.
  DenseSet<Value> caches, kept;
  for (auto take : op.getBody().front().getOps<TakeRowsOp>())
    caches.insert(take.getInput());
  for (auto [yielded, result] :
       llvm::zip_equal(op.getBody().front().getTerminator()->getOperands(),
                       op->getResults()))
    if (auto append = yielded.getDefiningOp<CacheAppendOp>()) {
      caches.insert(append.getCache());
      kept.insert(result);
    }
  for (auto [operand, argument] :
       llvm::zip_equal(op->getOperands(), op.getBody().getArguments()))
    if ((isLeftover ? isData(operand) : isActivation(operand)) &&
        !caches.contains(argument))
      counts.bytes += countBytes(operand);
  for (Value result : op->getResults())
    if (!isGathered && (isLeftover || isActivation(result)) &&
        !kept.contains(result))
      counts.bytes += countBytes(result);
}

/// Counts rows that a launch of their own moves, whatever kernels there are: a
/// cache is written where it lies.
void StepCounter::visitMove(Value rows) {
  ++counts.launches;
  counts.bytes += 2 * countBytes(rows);
}

void StepCounter::visitTake(TakeRowsOp op) {
  if (op->getParentOfType<KernelOp>())
    counts.bytes += countBytes(op.getResult());
  else
    visitMove(op.getResult());
}

void StepCounter::visitAppend(CacheAppendOp op) {
  if (op->getParentOfType<KernelOp>())
    counts.bytes += countBytes(op.getAdded());
  else
    visitMove(op.getAdded());
}

/// Counts the arithmetic of floats: of ops that are no blocks, in kernels.
void StepCounter::visitGeneric(linalg::GenericOp op) {
  auto kernel = dyn_cast<KernelOp>(op->getParentOp());
  if (!kernel || kernel.getKind() != KernelKind::Elements)
    return;
  auto isWork = [](Operation &inner) {
    return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp>(
               inner) ||
           isa_and_nonnull<math::MathDialect>(inner.getDialect());
  };
  auto flops = static_cast<double>(
      llvm::count_if(op.getBody()->without_terminator(), isWork));
  for (auto [dim, size] : llvm::enumerate(op.getStaticLoopRanges()))
    flops *= static_cast<double>(resolve(size, dim));
  counts.otherFlops += flops;
}

/// Counts the launches of a gradient that no kernel of level 3 computes.
void StepCounter::visitGradient(Operation *op) {
  if (!hasKernels || op->getParentOfType<KernelOp>())
    return;
  counts.launches += countGradientLaunches(op);
  for (ValueRange values :
       {ValueRange(op->getOperands()), ValueRange(op->getResults())})
    for (Value value : values)
      if (isActivation(value))
        counts.bytes += countBytes(value);
}

/// Returns the share of slots that belong to the experts of a rank, if rows
/// choose all alike: block-shard marks the slots of others as empty. Steps of
/// training have none; block-checkpoint counts copies of them without a module.
static double getOwnShare(ExpertsOp op) {
  auto module = op->getParentOfType<ModuleOp>();
  if (!module)
    return 1;
  auto grids = module.getOps<shard::GridOp>();
  if (grids.empty() ||
      !isa_and_nonnull<linalg::GenericOp>(getProducer(op.getIndices())))
    return 1;
  return 1 / static_cast<double>((*grids.begin()).getShape().front());
}

//===----------------------------------------------------------------------===//
// Every op
//===----------------------------------------------------------------------===//

void StepCounter::visit(Operation *op) {
  if (isGradientLaunch(op))
    visitGradient(op);
  TypeSwitch<Operation *>(op)
      .Case([&](AttentionOp op) { visitAttention(op); })
      .Case([&](MlpOp op) { visitMlp(op); })
      .Case([&](MoeOp op) { visitMoe(op); })
      .Case([&](RouteOp op) {
        // A launch of its own, whatever kernels there are.
        for (Value value : {op.getLogits(), op.getIndices(), op.getWeights()})
          counts.bytes += countBytes(value);
        ++counts.launches;
      })
      .Case([&](ExpertsOp op) {
        addExperts(getSource(op.getInput()),
                   getWidth(op.getIndices()) * getOwnShare(op),
                   op.getUpWeight(), op.getDownWeight(), op.getForm());
        auto norm = op.getInput().getDefiningOp<KernelOp>();
        if (!norm || !findGatheringExperts(norm))
          counts.bytes += countBytes(op.getInput());
        for (Value value : {op.getIndices(), op.getWeights(), op.getResult()})
          counts.bytes += countBytes(value);
      })
      .Case([&](SdpaOp op) { visitSdpa(op); })
      .Case([&](NormalizeOp op) { visitNormalize(op); })
      .Case([&](CrossEntropyOp op) {
        // A head whose logits stay where they are made.
        ++counts.gemms;
        addProduct(getSource(op.getInput()), getWidth(op.getWeight(), 0),
                   ModelPart::Head);
        visitStep(op);
      })
      .Case([&](KernelOp op) { visitKernel(op); })
      .Case([&](CacheAppendOp op) { visitAppend(op); })
      .Case([&](TakeRowsOp op) { visitTake(op); })
      .Case([&](SampleOp op) { visitMove(op.getLogits()); })
      .Case([&](linalg::GenericOp op) { visitGeneric(op); })
      .Case([&](NormStatsOp op) {
        if (isPartOfNormalize(op))
          return;
        addTraffic(op);
        counts.launches += !hasKernels;
      })
      .Case([&](DeferredNormOp op) {
        // The same norm may stand behind several projections.
        Operation *statistics = getProducer(op.getMoment());
        if (auto merge = dyn_cast_or_null<MergeStatsOp>(statistics))
          statistics = getProducer(merge.getMoment());
        counts.norms += isFirstOf(statistics, "deferred");
      })
      .Case([&](StepOpInterface op) {
        if (isProduct(op))
          visitProduct(op);
        else
          visitStep(op);
      });
}
