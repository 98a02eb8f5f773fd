//===- ParallelizeLayers.cpp - rewires pairs and stamps layers ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/ParallelizeLayers.h"

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

static constexpr StringLiteral kPass = "block-parallelize";

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
  else if (pair.shifted)
    os << " pairing=shifted";
  printFitted(os, pair, options.correction, options.modelHash);
  Attribute measured = StringAttr::get(context, "unmeasured");
  if (options.measured)
    measured = getReal(context, *options.measured);
  layer.setApproxAttr(
      ApproxAttr::get(context, kPass, parameters, measured,
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
  recordPassed(layer, kPass,
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
  recordPassed(layer, kPass, "both branches read the layer's input",
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

static void recordStayed(LayerOp layer, Reason reason) {
  // A layer that is parallel already needs nothing, and keeps no note of it.
  auto record = reason == Reason::AlreadyParallel ? remarkMissed : recordMissed;
  record(layer, kPass, reason, getReasonMeaning(reason), {});
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
      return recordStayed(layer, *reason);
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
    recordPassed(layer, kPass, "each branch reads the stream one sum older",
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
  shiftLayers(root, pairs, kPass);
  SmallVector<LayerPair> converted;
  walkOutsideKernels<LayerOp>(root, [&](LayerOp layer) {
    LayerPair pair = getLayerPair(layer);
    if (!llvm::is_contained(pairs, pair))
      return;
    std::variant<SerialForm, Reason> form = matchSerialForm(layer);
    auto *serial = std::get_if<SerialForm>(&form);
    if (!serial)
      return recordStayed(layer, std::get<Reason>(form));
    if (options.router == RouterInput::Parallel)
      convert(layer, *serial, options);
    else if (!convertBesideRouter(layer, *serial, options))
      return recordStayed(layer, Reason::NoRouter);
    converted.push_back(pair);
  });
  return converted;
}
