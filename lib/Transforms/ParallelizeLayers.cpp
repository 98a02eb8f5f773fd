//===- ParallelizeLayers.cpp - rewires pairs and stamps layers ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/ParallelizeLayers.h"

#include "ExpandSteps.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/PatternMatch.h"
#include "parablock/Analysis/FittedLayers.h"
#include "parablock/Analysis/SerialForm.h"
#include "parablock/Dialect/Block/EraseDead.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include "parablock/Transforms/SeparateRouters.h"
#include "parablock/Transforms/ShiftLayers.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

/// The norm that feeds the first branch, or null where it reads the stream.
static NormOp findFirstNorm(const SerialForm &form) {
  for (Operation *user : ResidualOp(form.first).getInput().getUsers())
    if (auto norm = dyn_cast<NormOp>(user);
        norm && norm->getBlock() == form.first->getBlock())
      return norm;
  return {};
}

/// Makes an op of the second branch read the layer's input.
static void redirect(OpOperand &read, Value stream, NormOp firstNorm,
                     SecondNorm mode) {
  auto secondNorm = dyn_cast<NormOp>(read.getOwner());
  if (mode == SecondNorm::Separate || !secondNorm || !firstNorm) {
    read.set(stream);
    return;
  }
  if (mode == SecondNorm::SharedLossy) {
    secondNorm.replaceAllUsesWith(firstNorm.getResult());
    secondNorm.erase();
    return;
  }
  read.set(stream);
  NormAttr first = firstNorm.getForm(), own = secondNorm.getForm();
  secondNorm.setFormAttr(NormAttr::get(secondNorm.getContext(), first.getKind(),
                                       first.getEps(), first.getEpsForm(),
                                       own.getGammaForm(), own.getRounding()));
}

/// Records why a layer stays in series; `wayOut` is the way out, if there is
/// one that the reason does not name.
static void recordStayed(LayerOp layer, Reason reason, StringRef wayOut = "") {
  // A layer that is parallel already needs nothing, and keeps no note of it.
  auto record = reason == Reason::AlreadyParallel ? remarkMissed : recordMissed;
  std::string message = getReasonMeaning(reason).str();
  if (!wayOut.empty())
    message += (": " + wayOut).str();
  else if (reason == Reason::PostLayerNorm &&
           std::holds_alternative<SerialForm>(
               matchSerialForm(layer, PostNorms::Accept)))
    message += ": pairing=block and pairing=shifted convert it, with "
               "norm=separate and router=parallel";
  record(layer, kParallelize, reason, message, {});
}

static void stamp(LayerOp layer, LayerPair pair,
                  const ParallelizeOptions &options) {
  MLIRContext *context = layer.getContext();
  std::string parameters;
  llvm::raw_string_ostream os(parameters);
  os << "norm=" << options.norm
     << llvm::format(" scale=%g attn-scale=%g mlp-scale=%g", options.scale,
                     options.attentionScale, options.mlpScale);
  if (options.router == RouterInput::Serial)
    os << " router=" << options.router;
  if (options.ladder)
    os << " pairing=ladder";
  else if (options.shortcut)
    os << " pairing=shortcut";
  else if (pair.shifted)
    os << " pairing=shifted";
  printFitted(os, pair, options.correction, options.rank, options.modelHash);
  Attribute measured = StringAttr::get(context, "unmeasured");
  if (options.measured)
    measured = getReal(context, *options.measured);
  layer.setApproxAttr(
      ApproxAttr::get(context, kParallelize, parameters, measured,
                      layer.getApprox().value_or(ApproxAttr())));
}

/// The factor that the options give a branch.
static double getFactor(Value branch, const ParallelizeOptions &options) {
  return options.scale * (getBranchKind(branch) == BranchKind::Attention
                              ? options.attentionScale
                              : options.mlpScale);
}

static SmallVector<Metric, 3> getMetrics(const ParallelizeOptions &options) {
  return {{"scale", options.scale},
          {"attn_scale", options.attentionScale},
          {"mlp_scale", options.mlpScale}};
}

static void setBranchFactor(ResidualOp residual,
                            const ParallelizeOptions &options) {
  double factor = residual.getBranchScale(0) *
                  getFactor(residual.getBranches().front(), options);
  OpBuilder builder(residual);
  residual.setBranchScalesAttr(builder.getF64ArrayAttr(
      factor == 1.0 ? ArrayRef<double>() : ArrayRef<double>(factor)));
}

/// The ops of a layer that make the second branch of `form`.
static SetVector<Operation *> sliceSecondBranch(const SerialForm &form) {
  SetVector<Operation *> slice;
  BackwardSliceOptions within;
  within.filter = [&](Operation *op) {
    return op->getBlock() == form.first->getBlock() && op != form.first;
  };
  within.inclusive = true;
  (void)getBackwardSlice(ResidualOp(form.second).getBranches().front(), &slice,
                         within);
  return slice;
}

/// Converts a pair whose router keeps reading the stream behind the first
/// branch: both residuals stay, and only what else the second branch reads
/// moves to the layer's input. Returns false where it has no such router.
static bool convertBesideRouter(LayerOp layer, SerialForm &form,
                                const ParallelizeOptions &options) {
  LayerPair pair = getLayerPair(layer);
  Value middle = form.first.getResult();
  SmallVector<Operation *> ops(sliceSecondBranch(form).getArrayRef());
  if (pair.shifted || !haveRouters(ops, middle))
    return false;
  separateRouters(ops, form.second.getBranches().front(), middle, middle);
  eraseDeadOps(layer->getRegions());
  DenseSet<Operation *> beside =
      findBesideRouters(form.second.getBranches().front(), middle);
  NormOp firstNorm = findFirstNorm(form);
  SmallVector<OpOperand *> reads;
  for (OpOperand &use : middle.getUses())
    if (beside.contains(use.getOwner()))
      reads.push_back(&use);
  for (OpOperand *read : reads)
    redirect(*read, form.first.getInput(), firstNorm, options.norm);
  setBranchFactor(form.first, options);
  setBranchFactor(form.second, options);
  stamp(layer, pair, options);
  recordPassed(layer, kParallelize,
               "experts read the layer's input, their router the stream behind "
               "the attention",
               getMetrics(options));
  return true;
}

static void convert(LayerOp layer, SerialForm &form,
                    const ParallelizeOptions &options) {
  LayerPair pair = getLayerPair(layer);
  Value stream = form.first.getInput();
  // Norms first: shared ones need to see both before anything moves.
  NormOp firstNorm = findFirstNorm(form);
  for (OpOperand *read : form.reads)
    redirect(*read, stream, firstNorm, options.norm);

  OpBuilder builder(form.second);
  double outer = form.second.getInputScale().convertToDouble();
  Value branches[] = {form.first.getBranches().front(),
                      form.second.getBranches().front()};
  double scales[] = {
      outer * form.first.getBranchScale(0) * getFactor(branches[0], options),
      form.second.getBranchScale(0) * getFactor(branches[1], options)};
  bool plain = scales[0] == 1.0 && scales[1] == 1.0;
  auto merged = ResidualOp::create(
      builder,
      FusedLoc::get(layer.getContext(),
                    {form.first.getLoc(), form.second.getLoc()}),
      form.second.getResult().getType(), stream, ValueRange(branches),
      builder.getF64FloatAttr(outer *
                              form.first.getInputScale().convertToDouble()),
      builder.getF64ArrayAttr(plain ? ArrayRef<double>()
                                    : ArrayRef<double>(scales)));
  form.second.replaceAllUsesWith(merged.getResult());
  form.second.erase();
  form.first.erase();
  stamp(layer, pair, options);
  recordPassed(layer, kParallelize, "both branches read the layer's input",
               getMetrics(options));
}

/// Converts a pair of post-norms, whose norms and sums stay where they are:
/// what the second branch reads of the stream between them moves to the layer's
/// input.
static void convertPostNorms(LayerOp layer, SerialForm &form,
                             const ParallelizeOptions &options) {
  LayerPair pair = getLayerPair(layer);
  for (OpOperand *read : form.reads)
    read->set(form.first.getInput());
  setBranchFactor(form.first, options);
  setBranchFactor(form.second, options);
  stamp(layer, pair, options);
  recordPassed(layer, kParallelize,
               "both branches read the layer's input, and a norm stays between "
               "their sums",
               getMetrics(options));
}

//===----------------------------------------------------------------------===//
// Shortcuts
//===----------------------------------------------------------------------===//

/// Returns the mixture that is the whole branch, or null: an op of level 1, the
/// experts of its steps, or their sum with the shared ones.
static Operation *findMixture(Value branch) {
  Operation *op = branch.getDefiningOp();
  if (auto sum = dyn_cast_or_null<ResidualOp>(op);
      sum && sum.getBranches().size() == 1 &&
      sum.getInput().getDefiningOp<ExpertsOp>())
    return op;
  return isa_and_nonnull<MoeOp, ExpertsOp>(op) ? op : nullptr;
}

/// Returns the pairs whose first branch is a mixture, by the layers before any
/// shift, and adds the others to `stayed`. The last mixture has no pair.
static SmallVector<LayerPair>
keepMixtures(Operation *root, ArrayRef<LayerPair> pairs,
             SmallVectorImpl<std::pair<LayerPair, Reason>> &stayed) {
  SmallVector<LayerPair> names, kept;
  walkOutsideKernels<LayerOp>(
      root, [&](LayerOp layer) { names.push_back(getLayerPair(layer)); });
  walkOutsideKernels<LayerOp>(root, [&](LayerOp layer) {
    LayerPair name = getLayerPair(layer), pair{name.index, /*shifted=*/true};
    // The MLP may have moved to another layer.
    if (!llvm::is_contained(pairs, pair) ||
        (!name.shifted && llvm::is_contained(names, pair)))
      return;
    bool hasNext = name.shifted ||
                   llvm::is_contained(names, LayerPair{name.index + 1, false});
    std::variant<SerialForm, Reason> form = matchSerialForm(layer);
    auto *reason = std::get_if<Reason>(&form);
    if (reason && (hasNext || *reason == Reason::AlreadyParallel))
      return stayed.emplace_back(name, *reason), void();
    auto *serial = std::get_if<SerialForm>(&form);
    if (hasNext && findMixture((name.shifted ? serial->first : serial->second)
                                   .getBranches()
                                   .front()))
      kept.push_back(pair);
    else
      stayed.emplace_back(name, Reason::NoExperts);
  });
  return kept;
}

namespace {
/// The addends of a mixture, and the factors by which it adds them.
struct MixtureParts {
  Value routed, shared;
  double routedScale = 1, sharedScale = 1;
};
} // namespace

/// Returns the parts of a mixture, whose op becomes its steps if it has shared
/// experts; null `shared` if it has none.
static MixtureParts divideMixture(Operation *mixture) {
  if (auto moe = dyn_cast<MoeOp>(mixture); moe && moe.getSharedUp()) {
    OpBuilder builder(moe);
    mixture = expandMoe(builder, moe);
    moe.replaceAllUsesWith(mixture->getResult(0));
    moe.erase();
  }
  auto sum = dyn_cast<ResidualOp>(mixture);
  if (!sum)
    return {mixture->getResult(0), {}};
  return {sum.getInput(), sum.getBranches().front(),
          sum.getInputScale().convertToDouble(), sum.getBranchScale(0)};
}

/// Converts a shifted pair: the attention reads the stream with the update of
/// shared experts, that of routed ones is added behind it.
static void convertShortcut(LayerOp layer, SerialForm &form,
                            const ParallelizeOptions &options) {
  LayerPair pair = getLayerPair(layer);
  double ofMixture = form.first.getBranchScale(0) *
                     getFactor(form.first.getBranches().front(), options);
  MixtureParts parts =
      divideMixture(findMixture(form.first.getBranches().front()));
  Location loc = FusedLoc::get(layer.getContext(),
                               {form.first.getLoc(), form.second.getLoc()});
  OpBuilder builder(form.first);
  auto add = [&](Value stream, double factor, ValueRange branches,
                 ArrayRef<double> scales) -> Value {
    bool plain = llvm::all_of(scales, [](double each) { return each == 1.0; });
    return ResidualOp::create(
        builder, loc, stream.getType(), stream, branches,
        builder.getF64FloatAttr(factor),
        builder.getF64ArrayAttr(plain ? ArrayRef<double>() : scales));
  };
  double outer = form.second.getInputScale().convertToDouble(),
         inner = form.first.getInputScale().convertToDouble();
  Value between = form.first.getInput();
  if (parts.shared) {
    between = add(between, inner, parts.shared, ofMixture * parts.sharedScale);
    inner = 1;
  }
  form.first.getResult().replaceAllUsesExcept(between, form.second);
  builder.setInsertionPoint(form.second);
  Value attention = form.second.getBranches().front();
  Value result =
      add(between, outer * inner, {parts.routed, attention},
          {outer * ofMixture * parts.routedScale,
           form.second.getBranchScale(0) * getFactor(attention, options)});
  form.second.replaceAllUsesWith(result);
  form.second.erase();
  form.first.erase();
  eraseDeadOps(layer->getRegions());
  stamp(layer, pair, options);
  recordPassed(layer, kParallelize,
               "routed experts run beside the attention of the next layer",
               getMetrics(options));
}

//===----------------------------------------------------------------------===//
// Ladders
//===----------------------------------------------------------------------===//

namespace {
/// A layer that becomes a rung, and the operands of its first branch that read
/// the stream.
struct Rung {
  SerialForm form;
  SmallVector<OpOperand *> firstReads;
  /// The sum that makes the layer's input; null in the first layer.
  ResidualOp before;
};
} // namespace

/// Matches a layer as a rung, or returns the reason why it is none.
///
/// - The layer is serial.
/// - Its input is the result of another layer, the sum of a residual, or no
///   layer's: then there is no older stream.
/// - Beside the residual, only the first branch reads the input.
static std::variant<Rung, Reason> matchRung(LayerOp layer) {
  std::variant<SerialForm, Reason> form = matchSerialForm(layer);
  if (auto *reason = std::get_if<Reason>(&form))
    return *reason;
  Rung rung{std::get<SerialForm>(form), {}, {}};
  Value stream = rung.form.first.getInput();
  if (auto before = stream.getDefiningOp<LayerOp>()) {
    unsigned number = cast<OpResult>(stream).getResultNumber();
    Value sum = before.getBody().front().getTerminator()->getOperand(number);
    rung.before = sum.getDefiningOp<ResidualOp>();
    if (!rung.before)
      return sum.getDefiningOp<NormOp>() ? Reason::PostLayerNorm
                                         : Reason::UnknownForm;
  }
  SetVector<Operation *> second = sliceSecondBranch(rung.form);
  for (OpOperand &use : stream.getUses()) {
    Operation *owner = use.getOwner();
    if (!layer->isProperAncestor(owner) || owner == rung.form.first)
      continue;
    if (second.contains(owner) || owner->getParentOp() != layer)
      return Reason::SecondUser;
    rung.firstReads.push_back(&use);
  }
  return rung;
}

/// Returns the way out where the norms of `reason` are those of the layer below
/// a rung, or an empty text.
static StringRef describeWayOut(LayerOp layer, Reason reason) {
  if (reason == Reason::PostLayerNorm &&
      std::holds_alternative<SerialForm>(matchSerialForm(layer)))
    return "the layer below yields a norm, so there is no older sum to read; "
           "pairing=block converts this one";
  return "";
}

/// Returns the stream before `sum`, outside its layer: an added result of it,
/// where the layer does not yield the stream yet.
static Value exportOlder(IRRewriter &rewriter, ResidualOp sum) {
  Value older = sum.getInput();
  auto layer = cast<LayerOp>(sum->getParentOp());
  if (!layer.getBody().isAncestor(older.getParentRegion()))
    return older;
  Operation *yield = layer.getBody().front().getTerminator();
  for (auto [value, result] :
       llvm::zip_equal(yield->getOperands(), layer.getResults()))
    if (value == older)
      return result;
  rewriter.setInsertionPoint(layer);
  return growLayer(rewriter, layer, older).getResults().back();
}

/// Lets both branches of a rung read the stream one sum older.
static void climb(Rung &rung, Value older, const ParallelizeOptions &options) {
  Value stream = rung.form.first.getInput();
  for (OpOperand *read : rung.form.reads)
    read->set(stream);
  for (OpOperand *read : rung.firstReads)
    read->set(older);
  setBranchFactor(rung.form.first, options);
  setBranchFactor(rung.form.second, options);
}

static SmallVector<LayerPair> makeLadder(Operation *root,
                                         ArrayRef<LayerPair> pairs,
                                         const ParallelizeOptions &options) {
  SmallVector<LayerPair> converted;
  // All are matched before any changes; sums stay where they are, but a layer
  // that yields one more value is another op.
  SmallVector<Rung> rungs;
  walkOutsideKernels<LayerOp>(root, [&](LayerOp layer) {
    if (!llvm::is_contained(pairs, getLayerPair(layer)))
      return;
    std::variant<Rung, Reason> rung = matchRung(layer);
    if (auto *reason = std::get_if<Reason>(&rung))
      return recordStayed(layer, *reason, describeWayOut(layer, *reason));
    rungs.push_back(std::get<Rung>(std::move(rung)));
  });
  IRRewriter rewriter(root->getContext());
  for (Rung &rung : rungs) {
    Value older = rung.before ? exportOlder(rewriter, rung.before)
                              : rung.form.first.getInput();
    climb(rung, older, options);
  }
  for (Rung &rung : rungs) {
    auto layer = cast<LayerOp>(rung.form.second->getParentOp());
    LayerPair pair = getLayerPair(layer);
    stamp(layer, pair, options);
    recordPassed(layer, kParallelize,
                 "each branch reads the stream one sum older",
                 getMetrics(options));
    converted.push_back(pair);
  }
  return converted;
}

SmallVector<LayerPair>
block::parallelizeLayers(Operation *root, ArrayRef<LayerPair> pairs,
                         const ParallelizeOptions &options) {
  if (options.ladder)
    return makeLadder(root, pairs, options);
  SmallVector<LayerPair> mixtures;
  SmallVector<std::pair<LayerPair, Reason>> stayed;
  if (options.shortcut) {
    mixtures = keepMixtures(root, pairs, stayed);
    pairs = mixtures;
  }
  shiftLayers(root, pairs, kParallelize);
  SmallVector<LayerPair> converted;
  walkOutsideKernels<LayerOp>(root, [&](LayerOp layer) {
    LayerPair pair = getLayerPair(layer);
    // Notes of layers that are cut would be lost before.
    for (auto [name, reason] : stayed)
      if (name == pair)
        recordStayed(layer, reason);
    if (!llvm::is_contained(pairs, pair))
      return;
    // The other forms move sums, or norms.
    bool takesPostNorms = !options.shortcut &&
                          options.router == RouterInput::Parallel &&
                          options.norm == SecondNorm::Separate;
    std::variant<SerialForm, Reason> form = matchSerialForm(
        layer, takesPostNorms ? PostNorms::Accept : PostNorms::Reject);
    auto *serial = std::get_if<SerialForm>(&form);
    if (!serial)
      return recordStayed(layer, std::get<Reason>(form));
    if (serial->hasPostNorms())
      convertPostNorms(layer, *serial, options);
    else if (options.shortcut)
      convertShortcut(layer, *serial, options);
    else if (options.router == RouterInput::Parallel)
      convert(layer, *serial, options);
    else if (!convertBesideRouter(layer, *serial, options))
      return recordStayed(layer, Reason::NoRouter);
    converted.push_back(pair);
  });
  return converted;
}

/// Returns the reason that the conversion recorded for `pair`.
static StringRef describeObstacle(Operation *root, LayerPair pair) {
  StringRef name = getReasonName(Reason::AlreadyParallel);
  walkOutsideKernels<LayerOp>(root, [&](LayerOp layer) {
    if (static_cast<int64_t>(layer.getIndex()) != pair.index || !layer.getLog())
      return;
    for (auto decision : layer.getLog()->getAsRange<DecisionAttr>())
      if (decision.getPass() == kParallelize && decision.getReason())
        name = decision.getReason().getValue();
  });
  const Reason *reason = llvm::find_if(getAllReasons(), [&](Reason each) {
    return getReasonName(each) == name;
  });
  return getReasonMeaning(*reason);
}

std::string block::describeUnconverted(Operation *root,
                                       ArrayRef<LayerPair> chosen,
                                       ArrayRef<LayerPair> converted) {
  for (LayerPair pair : chosen)
    if (!llvm::is_contained(converted, pair))
      return "pair " + pair.getName() +
             " cannot be converted: " + describeObstacle(root, pair).str();
  return "";
}
