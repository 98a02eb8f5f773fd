//===- BlockAddCaches.cpp - a whole sequence, or what comes next ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MemoryAttentions.h"
#include "RowFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "parablock/Transforms/Leftovers/Leftovers.h"
#include "parablock/Transforms/Passes.h"
#include "parablock/Transforms/RewriteHelpers.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKADDCACHES
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
constexpr StringLiteral kAddCaches = "block-add-caches";
constexpr StringLiteral kFixedRows = "expected rows of the tokens alone, got "
                                     "some that are the same in every call";

/// Inputs whose rows are the tokens of a call, in the order of the search. An
/// encoder's tokens are not among them.
constexpr StringLiteral kTokenInputs[] = {"decoder_input_ids", "input_ids",
                                          "hidden_states"};

struct BlockAddCachesPass
    : public block::impl::BlockAddCachesBase<BlockAddCachesPass> {
  using BlockAddCachesBase::BlockAddCachesBase;

  void runOnOperation() final {
    func::FuncOp main = findMainFuncOp(getOperation(), functionName);
    if (!main)
      return signalPassFailure();
    function = main;
    if (failed(checkOptions()) || failed(findTokens()) || failed(checkOps()))
      return signalPassFailure();
    expandAttentions(main,
                     [&](AttentionOp op) { return memory || !op.isCross(); });
    SmallVector<SdpaOp> attentions, overMemory;
    main.walk([&](SdpaOp op) {
      (isOverMemory(op) ? overMemory : attentions).push_back(op);
    });
    addCounts();
    setPositions();
    numCaches = 0;
    for (SdpaOp op : attentions)
      addCaches(op);
    if (memory)
      for (auto [number, op] : llvm::enumerate(overMemory))
        takeMemory(op, number);
    if (wantedRows)
      takeWantedRows();
    if (sampling)
      addSampling();
    if (memory)
      eraseUnread(main);
    auto end = cast<func::ReturnOp>(main.front().getTerminator());
    main.setFunctionType(FunctionType::get(main.getContext(),
                                           main.front().getArgumentTypes(),
                                           end.getOperandTypes()));
    recordPassed(main, kAddCaches, "became a function of new tokens and caches",
                 {{"caches", static_cast<double>(2 * numCaches)}});
  }

private:
  LogicalResult checkOptions();
  LogicalResult findTokens();
  LogicalResult checkOps();
  LogicalResult checkOp(Operation *op);
  LogicalResult checkPositions(Operation *op);
  LogicalResult checkRows(Operation *op, bool isVarying);
  bool noteVarying(Operation *op);
  bool readsFixedRows(Operation *op, int64_t leastRank) const;
  LogicalResult checkAttention(AttentionOpInterface op);
  LogicalResult refuse(Operation *op, const Twine &reason) {
    return op->emitError() << kAddCaches << ": " << reason;
  }
  /// Tells whether keys are those of other rows than the tokens.
  bool isOverMemory(SdpaOp op) { return !op.getScores().getCausal(); }

  BlockArgument addArgument(const Twine &name, RankedTensorType type,
                            ArrayRef<StringRef> dims);
  void addResult(Value value, const Twine &name);
  void addCounts();
  void setPositions();
  void addCaches(SdpaOp op);
  std::string nameCapacity(SdpaOp op);
  void takeMemory(SdpaOp op, unsigned number);
  void takeWantedRows();
  LogicalResult checkSampling();
  void addSampling();
  StringRef getBatchName();

  func::FuncOp function;
  BlockArgument tokens, pastLengths, starts, pages;
  /// Number of the result `logits`, with `sampling`.
  unsigned logitsResult = 0;
  /// Values that depend on inputs.
  DenseSet<Value> varying;
  RowFlow rows;
  unsigned numCaches = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Requirements on the function
//===----------------------------------------------------------------------===//

/// One table says where the caches of all layers are.
LogicalResult BlockAddCachesPass::checkOptions() {
  for (auto [name, isGiven] :
       {std::pair{"rings", static_cast<bool>(rings)},
        std::pair{"capacity", static_cast<uint64_t>(capacity) > 0}})
    if (pageRows > 0 && isGiven)
      return refuse(function,
                    "expected page-rows without " + Twine(name) + ", got both");
  return success();
}

LogicalResult BlockAddCachesPass::findTokens() {
  llvm::StringMap<BlockArgument> inputs;
  for (BlockArgument argument : function.getArguments())
    if (auto name = function.getArgAttrOfType<StringAttr>(
            argument.getArgNumber(), kInputAttr))
      inputs[name.getValue()] = argument;
  for (StringRef taken : {"past_lengths", "starts", "pages", "past_key.0"})
    if (inputs.contains(taken))
      return refuse(function, "expected a function without caches, got the "
                              "input '" +
                                  taken + "'");
  for (StringRef taken : {"sampling", "random", "stops", "padding", "past_seen",
                          "past_ended", "past_step"})
    if (sampling && inputs.contains(taken))
      return refuse(function, "expected a function without sampling, got the "
                              "input '" +
                                  taken + "'");
  for (StringRef name : kTokenInputs)
    if ((tokens = inputs.lookup(name)))
      break;
  auto type = tokens ? dyn_cast<RankedTensorType>(tokens.getType())
                     : RankedTensorType();
  if (!type || type.getRank() < 2)
    return refuse(function, "expected an input of tokens, input_ids, "
                            "decoder_input_ids or hidden_states, got none");
  return success();
}

/// 1. keys are the tokens' own, seen by none before them;
/// 2. which of them are there is not said in another way;
/// 3. nothing says positions of a whole sequence.
LogicalResult BlockAddCachesPass::checkAttention(AttentionOpInterface op) {
  if (!op.getScores().getCausal())
    return refuse(op, getDim(op.getKey(), 1) == 1
                          ? "expected causal attention, got one key, which has "
                            "no mask: import two tokens or more, or open sizes"
                          : "expected causal attention: what comes later would "
                            "change what is in the caches");
  for (auto [name, operand] :
       {std::pair{"lengths", Value(op.getLengths())},
        std::pair{"past_key", Value(op.getPastKey())},
        std::pair{"cu_seqlens", Value(op.getCuSeqlens())},
        std::pair{"score_bias", Value(op.getScoreBias())}})
    if (operand)
      return refuse(op, "expected attention without " + Twine(name));
  return success();
}

/// Notes what `op` makes of inputs, and tells whether it reads any: what others
/// make is the same in every call.
bool BlockAddCachesPass::noteVarying(Operation *op) {
  auto isKnown = [&](Value value) { return varying.contains(value); };
  bool isVarying = op->walk([&](Operation *inner) {
                       return llvm::any_of(inner->getOperands(), isKnown)
                                  ? WalkResult::interrupt()
                                  : WalkResult::advance();
                     }).wasInterrupted();
  if (isVarying || !isMemoryEffectFree(op))
    varying.insert(op->result_begin(), op->result_end());
  return isVarying;
}

/// Tells whether `op` reads rows that are the same in every call, such as those
/// of a table of positions. Weights of blocks are matrices, or stacks of them.
bool BlockAddCachesPass::readsFixedRows(Operation *op,
                                        int64_t leastRank) const {
  auto step = dyn_cast<StepOpInterface>(op);
  return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    if (step && step.getOperandRole(operand) == OperandRole::Weight)
      return false;
    Value value = operand.get();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || type.getRank() < leastRank || rows.isUniform(value, 2))
      return false;
    return rows.isUniform(value, 1) ||
           (type.getDimSize(1) != 1 && !varying.contains(value));
  });
}

LogicalResult BlockAddCachesPass::checkPositions(Operation *op) {
  auto attention = dyn_cast<AttentionOp>(op);
  if (isa<RotateOp>(op) ||
      (attention && !attention.isCross() && attention.getRopeCos()))
    return refuse(op, "expected a rotation by positions, got one by tables");
  auto rope = dyn_cast<RopeOp>(op);
  auto embedding = dyn_cast<EmbeddingOp>(op);
  if ((rope && rope.getOffset()) || (embedding && embedding.getOffset()))
    return refuse(op, "expected positions that begin at 0, got an offset");
  if (embedding && embedding.getPadId())
    return refuse(op, "expected positions that count all tokens, got a pad_id");
  return success();
}

/// Checks that an op reads one row at a time.
LogicalResult BlockAddCachesPass::checkRows(Operation *op, bool isVarying) {
  bool isOurs = isa_and_nonnull<BlockDialect>(op->getDialect());
  auto step = dyn_cast<StepOpInterface>(op);
  bool isOfExperts = isa<RouteOp, ExpertsOp>(op);
  if (isa<KernelOp, PatchEmbeddingOp>(op) ||
      (step && step.getStepKind() == StepKind::Outside && !isOfExperts))
    return refuse(op,
                  "expected steps of rows before kernels are formed, got '" +
                      op->getName().getStringRef() + "'");
  bool isRowByRow = !isOurs && rows.follow(op) && isVarying;
  if ((isOurs && readsFixedRows(op, 3)) ||
      (isRowByRow && rows.isEach(op) && readsFixedRows(op, 2)))
    return refuse(op, kFixedRows);
  if (isOurs || isRowByRow || !isVarying ||
      op->hasTrait<OpTrait::ReturnLike>() || isa<tensor::DimOp>(op) ||
      llvm::all_of(op->getResultTypes(),
                   [](Type made) { return made.isIntOrIndex(); }))
    return success();
  return refuse(op, "expected blocks alone, got '" +
                        op->getName().getStringRef() +
                        "', which may look at more than a row");
}

LogicalResult BlockAddCachesPass::checkOp(Operation *op) {
  bool isVarying = noteVarying(op);
  // An element is dropped by the number of its row.
  if (dropsElements(op))
    return refuse(op, "expected a function that drops nothing, as "
                      "block-remove-dropout makes it, got '" +
                          op->getName().getStringRef() + "' with a seed");
  bool isOurs = isa_and_nonnull<BlockDialect>(op->getDialect());
  if (isOurs && !rows.followOurs(op))
    return refuse(op, "expected rows of sequences, got those of all of them, "
                      "one behind the other, in '" +
                          op->getName().getStringRef() + "'");
  // Numbers of rows in a call are no positions.
  if ((isOurs || op->hasTrait<OpTrait::ReturnLike>()) &&
      llvm::any_of(op->getOperands(),
                   [&](Value value) { return rows.isNumbered(value); }))
    return refuse(op, kFixedRows);
  if (failed(checkPositions(op)))
    return failure();
  if (auto attention = dyn_cast<AttentionOp>(op))
    return attention.isCross() ? success() : checkAttention(attention);
  if (auto sdpa = dyn_cast<SdpaOp>(op))
    return checkAttention(sdpa);
  return isa<EmbeddingOp>(op) ? success() : checkRows(op, isVarying);
}

LogicalResult BlockAddCachesPass::checkOps() {
  varying.clear();
  rows.start(tokens, varying);
  for (BlockArgument argument : function.getArguments())
    if (!function.getArgAttr(argument.getArgNumber(), kParamAttr))
      varying.insert(argument);
  unsigned attentions = 0;
  WalkResult walk = function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function)
      return WalkResult::advance();
    auto attention = dyn_cast<AttentionOp>(op);
    attentions += isa<SdpaOp>(op) || (attention && !attention.isCross());
    // Ops inside of an op of another dialect are a part of it.
    return failed(checkOp(op)) ? WalkResult::interrupt()
           : isa_and_nonnull<BlockDialect>(op->getDialect())
               ? WalkResult::advance()
               : WalkResult::skip();
  });
  if (walk.wasInterrupted())
    return failure();
  if (attentions == 0)
    return refuse(function, "expected attention, got a function without any");
  return sampling ? checkSampling() : success();
}

/// Tokens are chosen by one result and read by their ids.
LogicalResult BlockAddCachesPass::checkSampling() {
  if (!getElementTypeOrSelf(tokens.getType()).isInteger(64) ||
      cast<RankedTensorType>(tokens.getType()).getRank() != 2)
    return refuse(function,
                  "expected an input of token ids for sampling, got " +
                      Twine(function
                                .getArgAttrOfType<StringAttr>(
                                    tokens.getArgNumber(), kInputAttr)
                                .getValue()));
  for (unsigned result = 0; result < function.getNumResults(); ++result) {
    auto name = function.getResultAttrOfType<StringAttr>(result, kOutputAttr);
    if (!name || name.getValue() != "logits")
      continue;
    logitsResult = result;
    Value logits = function.front().getTerminator()->getOperand(logitsResult);
    if (!isHiddenTensor(logits.getType()))
      break;
    return success();
  }
  return refuse(function, "expected a result 'logits' of rows over a "
                          "vocabulary for sampling, got none");
}

//===----------------------------------------------------------------------===//
// The function of new tokens
//===----------------------------------------------------------------------===//

/// The name of the size that callers choose for the batch.
StringRef BlockAddCachesPass::getBatchName() {
  auto dims =
      function.getArgAttrOfType<ArrayAttr>(tokens.getArgNumber(), kDimsAttr);
  auto name =
      dims && !dims.empty() ? dyn_cast<StringAttr>(dims[0]) : StringAttr();
  return name ? name.getValue() : "batch";
}

/// `dims` names the sizes that are open.
BlockArgument BlockAddCachesPass::addArgument(const Twine &name,
                                              RankedTensorType type,
                                              ArrayRef<StringRef> dims) {
  Builder builder(function.getContext());
  NamedAttrList attributes;
  attributes.set(kInputAttr, builder.getStringAttr(name));
  SmallVector<StringRef> open;
  for (auto [dim, size] : llvm::zip(dims, type.getShape()))
    if (ShapedType::isDynamic(size))
      open.push_back(dim);
  if (!open.empty())
    attributes.set(kDimsAttr, builder.getStrArrayAttr(open));
  unsigned position = function.getNumArguments();
  (void)function.insertArgument(position, type,
                                attributes.getDictionary(builder.getContext()),
                                function.getLoc());
  return function.getArgument(position);
}

void BlockAddCachesPass::addResult(Value value, const Twine &name) {
  auto end = cast<func::ReturnOp>(function.front().getTerminator());
  Builder builder(function.getContext());
  unsigned position = end.getNumOperands();
  (void)function.insertResult(position, value.getType(),
                              builder.getDictionaryAttr(builder.getNamedAttr(
                                  kOutputAttr, builder.getStringAttr(name))));
  end.getOperandsMutable().append(value);
}

void BlockAddCachesPass::addCounts() {
  int64_t batch = cast<RankedTensorType>(tokens.getType()).getDimSize(0);
  auto type =
      RankedTensorType::get(batch, IntegerType::get(function.getContext(), 64));
  // The name is gone when arguments are added.
  std::string name = getBatchName().str();
  pastLengths = addArgument("past_lengths", type, StringRef(name));
  starts = addArgument("starts", type, StringRef(name));
  if (pageRows > 0)
    pages = addArgument("pages",
                        RankedTensorType::get({batch, ShapedType::kDynamic},
                                              type.getElementType()),
                        {name, "row_pages"});
}

/// Token `t` of batch row `b` is at `past_lengths[b] + t - starts[b]`, or where
/// padding counts, in a table, at `past_lengths[b] + t`.
void BlockAddCachesPass::setPositions() {
  auto builder = OpBuilder::atBlockBegin(&function.front());
  Value positions =
      arith::SubIOp::create(builder, function.getLoc(), pastLengths, starts);
  Value inTables = countPadding ? pastLengths : positions;
  function.walk([&](Operation *op) {
    if (auto rope = dyn_cast<RopeOp>(op))
      rope.getOffsetMutable().assign(positions);
    auto embedding = dyn_cast<EmbeddingOp>(op);
    if (embedding && (embedding.getPositionTable() || embedding.getSinusoid()))
      embedding.getOffsetMutable().assign(inTables);
  });
  if (positions.use_empty())
    positions.getDefiningOp()->erase();
}

void BlockAddCachesPass::addCaches(SdpaOp op) {
  OpBuilder builder(op);
  std::string batchName = getBatchName().str();
  std::string capacityName = nameCapacity(op);
  SmallVector<Value> grown;
  for (auto [name, operand] : {std::pair{"key", &op.getKeyMutable()},
                               std::pair{"value", &op.getValueMutable()}}) {
    Value added = operand->get();
    auto type = cast<RankedTensorType>(added.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[0] = cast<RankedTensorType>(tokens.getType()).getDimSize(0);
    shape[1] =
        capacity > 0 ? static_cast<int64_t>(capacity) : ShapedType::kDynamic;
    SmallVector<StringRef> dims = {batchName, capacityName};
    if (pageRows > 0) {
      shape[0] = ShapedType::kDynamic;
      shape[1] = static_cast<int64_t>(pageRows);
      dims = {"pool", ""};
    }
    BlockArgument cache =
        addArgument("past_" + Twine(name) + "." + Twine(numCaches),
                    type.clone(shape), dims);
    Value filled = CacheAppendOp::create(builder, op.getLoc(), cache.getType(),
                                         cache, added, pastLengths, pages);
    operand->assign(filled);
    grown.push_back(filled);
  }
  op.getPastLengthsMutable().assign(pastLengths);
  op.getStartsMutable().assign(starts);
  if (pages)
    op.getPagesMutable().assign(pages);
  addResult(takeOutOfLayers(grown[0]), "key." + Twine(numCaches));
  addResult(takeOutOfLayers(grown[1]), "value." + Twine(numCaches));
  ++numCaches;
}

/// The name of the size that callers choose for a cache: of rings one for each
/// window.
std::string BlockAddCachesPass::nameCapacity(SdpaOp op) {
  std::optional<int64_t> window = op.getScores().getWindow();
  return rings && window ? "past_" + std::to_string(*window) : "past";
}

/// Keys and values are inputs that block-compute-memory gives.
void BlockAddCachesPass::takeMemory(SdpaOp op, unsigned number) {
  std::string batchName = getBatchName().str();
  for (auto [name, operand] :
       {std::pair{kMemoryKey, &op.getKeyMutable()},
        std::pair{kMemoryValue, &op.getValueMutable()}}) {
    auto type = cast<RankedTensorType>(operand->get().getType());
    operand->assign(
        addArgument(name + Twine(number), type, {batchName, kMemorySize}));
  }
}

/// The results are the state of the next call.
void BlockAddCachesPass::addSampling() {
  auto end = cast<func::ReturnOp>(function.front().getTerminator());
  Value logits = end.getOperand(logitsResult);
  int64_t batch = cast<RankedTensorType>(tokens.getType()).getDimSize(0);
  int64_t vocabulary = getDim(logits, 2);
  Builder types(function.getContext());
  Type i64 = types.getI64Type();
  // The name is gone when arguments are added.
  std::string rows = getBatchName().str();
  auto add = [&](StringRef name, ArrayRef<int64_t> shape, Type type) {
    SmallVector<StringRef> dims(shape.size());
    dims[0] = rows;
    return addArgument(name, RankedTensorType::get(shape, type), dims);
  };
  Value options = add("sampling", {batch, 5}, types.getF64Type());
  Value random = add("random", {batch, 2}, i64);
  Value stops = addArgument(
      "stops", RankedTensorType::get(ShapedType::kDynamic, i64), {"stops"});
  Value padding = addArgument("padding", RankedTensorType::get(1, i64), {""});
  Value seen = add("past_seen", {batch, vocabulary}, types.getI8Type());
  Value ended = add("past_ended", batch, i64);
  Value step = add("past_step", batch, i64);
  OpBuilder builder(end);
  auto sample = SampleOp::create(
      builder, logits.getLoc(), RankedTensorType::get({batch, 1}, i64),
      seen.getType(), ended.getType(), pastLengths.getType(), step.getType(),
      logits, tokens, options, random, stops, padding, seen, ended, pastLengths,
      step);
  StringRef names[] = {"tokens", "seen", "ended", "lengths", "step"};
  for (auto [value, name] : llvm::zip_equal(sample.getResults(), names))
    addResult(value, name);
}

/// Logits are of the rows that are asked for: those of a whole prompt would be
/// a third of its products.
void BlockAddCachesPass::takeWantedRows() {
  SmallVector<HeadOp> heads;
  function.walk([&](HeadOp head) { heads.push_back(head); });
  BlockArgument wanted;
  for (HeadOp head : heads) {
    if (!wanted)
      wanted = addArgument(
          "logits_to_keep",
          RankedTensorType::get(ShapedType::kDynamic,
                                IntegerType::get(function.getContext(), 64)),
          StringRef("kept"));
    // A norm is of each row, too.
    OpOperand *reader = &head.getInputMutable();
    while (auto norm = reader->get().getDefiningOp<NormOp>()) {
      if (!norm->hasOneUse())
        break;
      reader = &norm.getInputMutable();
    }
    OpBuilder builder(reader->getOwner());
    auto open = [](Value value) {
      auto type = cast<RankedTensorType>(value.getType());
      SmallVector<int64_t> shape(type.getShape());
      shape[1] = ShapedType::kDynamic;
      return type.clone(shape);
    };
    reader->set(TakeRowsOp::create(builder, head.getLoc(), open(reader->get()),
                                   reader->get(), wanted));
    for (Operation *op = reader->getOwner(); op != head;
         op = *op->getUsers().begin())
      op->getResult(0).setType(open(op->getResult(0)));
    head.getResult().setType(open(head.getResult()));
  }
}
