//===- BlockSimplify.cpp - blocks without skips, values or norms ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SimplifiedParameters.h"
#include "parablock/Analysis/ModelCounts.h"
#include "parablock/Analysis/SerialForm.h"
#include "parablock/Dialect/Block/EraseDead.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Transforms/Passes.h"
#include "parablock/Transforms/RewriteHelpers.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKSIMPLIFY
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
constexpr StringLiteral kSimplify = "block-simplify";

using Form = SimplifiedForm;

/// How a form's attention makes values and its output.
bool hasIdentityValues(Form form) {
  return form == Form::Sas || form == Form::SasP || form == Form::NoNorm;
}

/// A layer `h = x + A(N1 x); y = h + F(N2 h)` without factors.
struct PreNormLayer {
  LayerOp layer;
  SerialForm form;
  NormOp firstNorm, secondNorm;
  AttentionOp attention;
  MlpOp mlp;

  Value getStream() { return form.first.getInput(); }
  bool isFirst() { return !getStream().getDefiningOp<LayerOp>(); }
  RankedTensorType getStreamType() {
    return cast<RankedTensorType>(getStream().getType());
  }
};

bool isPlain(ResidualOp residual) {
  return residual.getInputScale().convertToDouble() == 1.0 &&
         residual.getBranchScale(0) == 1.0;
}

/// Tells whether a parameter gives `weight` its elements.
bool hasParameter(Value weight) {
  while (Operation *op = weight.getDefiningOp()) {
    if (op->getNumOperands() == 0)
      return false;
    weight = op->getOperand(0);
  }
  return true;
}

std::variant<PreNormLayer, Reason> matchPreNorm(LayerOp layer, Form target) {
  std::variant<SerialForm, Reason> serial = matchSerialForm(layer);
  if (auto *reason = std::get_if<Reason>(&serial))
    return *reason;
  PreNormLayer match;
  match.layer = layer;
  match.form = std::get<SerialForm>(serial);
  SerialForm &form = match.form;
  match.attention =
      form.first.getBranches().front().getDefiningOp<AttentionOp>();
  match.mlp = form.second.getBranches().front().getDefiningOp<MlpOp>();
  if (!match.attention || !match.mlp || !isPlain(form.first) ||
      !isPlain(form.second))
    return Reason::NotPreLayerNorm;
  match.firstNorm = match.attention.getInput().getDefiningOp<NormOp>();
  match.secondNorm = match.mlp.getInput().getDefiningOp<NormOp>();
  if (!match.firstNorm || !match.secondNorm || match.attention.isCross() ||
      match.attention.getPastKey() ||
      match.firstNorm.getInput() != match.getStream() ||
      match.secondNorm.getInput() != form.first.getResult() ||
      !match.attention.getVWeight() || !match.attention.getOWeight())
    return Reason::NotPreLayerNorm;
  for (Operation *op :
       {match.firstNorm.getOperation(), match.attention.getOperation(),
        match.secondNorm.getOperation(), match.mlp.getOperation()})
    if (!llvm::all_of(llvm::drop_begin(op->getOperands()), hasParameter))
      return Reason::ConstantWeight;
  // Values that are the stream itself, or start as it, are cut into its heads.
  int64_t width = match.getStreamType().getShape().back();
  int64_t values = match.attention.getVWeight().getType().getDimSize(0);
  int64_t heads = match.attention.getHeads();
  if (target != Form::Shaped &&
      (values != width || heads != int64_t(match.attention.getKvHeads())))
    return Reason::HeadsDoNotCoverWidth;
  return match;
}

/// Rewrites one layer.
class LayerSimplifier {
public:
  LayerSimplifier(PreNormLayer &match, Form form,
                  SimplifiedParameters &parameters)
      : match(match), form(form), parameters(parameters),
        label(match.layer.getLabel().str()), builder(match.attention),
        element(match.getStreamType().getElementType()) {}

  void run() {
    startNorm(match.firstNorm);
    simplifyAttention();
    if (form == Form::SasP || form == Form::NoNorm)
      makeParallel();
    else
      makeSerial();
  }

private:
  /// Norms of a model that is to be trained start without a gain.
  void startNorm(NormOp norm) {
    if (Value gain = norm.getGamma())
      parameters.setStart(
          gain,
          norm.getForm().getGammaForm() == GammaForm::OnePlus ? 0.0 : 1.0);
    if (Value bias = norm.getBeta())
      parameters.setStart(bias, 0.0);
  }

  void simplifyAttention() {
    AttentionOp op = match.attention;
    // Queries start as nothing, so that attention starts uniform.
    setWeight(op.getQWeightMutable(), ".attn.q.weight");
    parameters.setStart(op.getQWeight(), 0.0);
    setWeight(op.getKWeightMutable(), ".attn.k.weight");
    if (op.getQBias()) {
      setWeight(op.getQBiasMutable()[0], ".attn.q.bias");
      parameters.setStart(op.getQBias(), 0.0);
    }
    if (op.getKBias())
      setWeight(op.getKBiasMutable()[0], ".attn.k.bias");
    op.getVBiasMutable().clear();
    op.getOBiasMutable().clear();
    simplifyValues();

    auto perHead = RankedTensorType::get({int64_t(op.getHeads())}, element);
    auto addGain = [&](const char *name, double start) {
      return parameters.add(label + ".attn." + name, perHead, start);
    };
    op.getAlphaMutable().assign(addGain("attn_mat_skip_gain", 1.0));
    op.getBetaMutable().assign(
        addGain("attn_mat_resid_gain", form == Form::VSkipInit ? 0.0 : 1.0));
    if (form != Form::VSkipInit)
      op.getGammaMutable().assign(addGain("centre_attn_gain", 1.0));
  }

  void simplifyValues() {
    AttentionOp op = match.attention;
    if (!hasIdentityValues(form)) {
      reparametrise(op.getVWeightMutable(), "v");
      reparametrise(op.getOWeightMutable(), "o");
      return;
    }
    if (match.isFirst())
      reparametrise(op.getVWeightMutable(), "v");
    else
      op.getVWeightMutable().clear();
    op.getOWeightMutable().clear();
  }

  /// A matrix becomes its start, the identity or what it was, plus a change
  /// that starts as nothing.
  void reparametrise(MutableOperandRange weight, const char *name) {
    Value old = weight[0].get();
    Value initial;
    if (form == Form::Shaped)
      initial = parameters.separate(old, label + ".attn." + name + ".weight");
    auto type = cast<RankedTensorType>(old.getType());
    Value change =
        parameters.add(label + ".attn." + name + ".delta", type, 0.0);
    weight.assign(ReparamOp::create(
        builder, match.attention.getLoc(), type, change, initial,
        builder.getF64FloatAttr(1.0), builder.getF64FloatAttr(1.0)));
  }

  void setWeight(OpOperand &weight, const char *name) {
    weight.set(parameters.separate(weight.get(), label + name));
  }

  /// The MLP's update times a trained gain.
  Value scaleMlp() {
    builder.setInsertionPointAfter(match.mlp);
    Value gain = parameters.add(label + ".mlp_block_resid_gain",
                                RankedTensorType::get({1}, element), 0.1);
    return ScaleOp::create(
        builder, match.mlp.getLoc(), match.mlp.getResult().getType(),
        match.mlp.getResult(), gain, builder.getF64FloatAttr(1.0));
  }

  /// h = A(N1 x); y = h + g F(N2 h).
  void makeSerial() {
    startNorm(match.secondNorm);
    Value scaled = scaleMlp();
    match.form.first.setInputScale(APFloat(0.0));
    match.form.second.getBranchesMutable()[0].set(scaled);
  }

  /// y = A(N x) + g F(N x), where no-norm has N in the first layer only.
  void makeParallel() {
    Value source = match.firstNorm.getResult();
    if (form == Form::NoNorm && !match.isFirst())
      source = match.getStream();
    match.attention.getInputMutable().set(source);
    match.mlp.getInputMutable().set(source);
    Value branches[] = {match.attention.getResult(), scaleMlp()};
    ResidualOp first = match.form.first, second = match.form.second;
    builder.setInsertionPoint(second);
    Value merged = ResidualOp::create(
        builder, second.getLoc(), second.getType(), match.getStream(),
        ValueRange(branches), builder.getF64FloatAttr(0.0),
        builder.getF64ArrayAttr({}));
    second.replaceAllUsesWith(merged);
    second.erase();
    match.secondNorm.erase();
    first.erase();
    if (match.firstNorm->use_empty())
      match.firstNorm.erase();
  }

  PreNormLayer &match;
  Form form;
  SimplifiedParameters &parameters;
  std::string label;
  OpBuilder builder;
  Type element;
};

struct BlockSimplifyPass
    : public block::impl::BlockSimplifyBase<BlockSimplifyPass> {
  using BlockSimplifyBase::BlockSimplifyBase;

  void runOnOperation() final {
    FunctionOpInterface function =
        findMainFunction(getOperation(), functionName);
    if (!function)
      return signalPassFailure();
    simplify(function, form);
  }

private:
  void simplify(FunctionOpInterface function, Form target) {
    SmallVector<PreNormLayer> matches;
    bool found = false;
    walkOutsideKernels<LayerOp>(function, [&](LayerOp layer) {
      found = true;
      std::variant<PreNormLayer, Reason> match = matchPreNorm(layer, target);
      if (auto *preNorm = std::get_if<PreNormLayer>(&match)) {
        matches.push_back(*preNorm);
        return;
      }
      Reason reason = std::get<Reason>(match);
      recordMissed(layer, kSimplify, reason, getReasonMeaning(reason), {});
    });
    if (!found)
      recordNoMatch(function, kSimplify, "layer to simplify");
    SimplifiedParameters parameters(function);
    for (PreNormLayer &match : matches) {
      LayerSimplifier(match, target, parameters).run();
      // Ops that read the weights which the layer no longer has.
      eraseDeadOps(match.layer->getRegions());
      stamp(match.layer);
    }
    if (!matches.empty())
      parameters.eraseUnread();
  }

  void stamp(LayerOp layer) {
    MLIRContext *context = &getContext();
    layer.setApproxAttr(ApproxAttr::get(
        context, kSimplify, ("form=" + getEnumName(form.getValue())).str(),
        StringAttr::get(context, "unmeasured"),
        layer.getApprox().value_or(ApproxAttr())));
    recordPassed(layer, kSimplify,
                 "the layer has form " + getEnumName(form.getValue()));
  }
};
} // namespace
