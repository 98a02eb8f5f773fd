//===- ParallelizeLayers.cpp - rewires pairs and stamps layers ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/ParallelizeLayers.h"

#include "parablock/Analysis/FittedLayers.h"
#include "parablock/Analysis/SerialForm.h"
#include "parablock/Transforms/RewriteHelpers.h"
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
  if (pair.shifted)
    os << " pairing=shifted";
  printFitted(os, pair, options.correction, options.modelHash);
  Attribute measured = StringAttr::get(context, "unmeasured");
  if (options.measured)
    measured = getReal(context, *options.measured);
  layer.setApproxAttr(
      ApproxAttr::get(context, kPass, parameters, measured,
                      layer.getApprox().value_or(ApproxAttr())));
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
  double factors[2];
  for (auto [branch, factor] : llvm::zip_equal(branches, factors))
    factor = options.scale * (getBranchKind(branch) == BranchKind::Attention
                                  ? options.attentionScale
                                  : options.mlpScale);
  double scales[] = {outer * form.first.getBranchScale(0) * factors[0],
                     form.second.getBranchScale(0) * factors[1]};
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
               {{"scale", options.scale},
                {"attn_scale", options.attentionScale},
                {"mlp_scale", options.mlpScale}});
}

SmallVector<LayerPair>
block::parallelizeLayers(Operation *root, ArrayRef<LayerPair> pairs,
                         const ParallelizeOptions &options) {
  shiftLayers(root, pairs, kPass);
  SmallVector<LayerPair> converted;
  walkOutsideKernels<LayerOp>(root, [&](LayerOp layer) {
    LayerPair pair = getLayerPair(layer);
    if (!llvm::is_contained(pairs, pair))
      return;
    std::variant<SerialForm, Reason> form = matchSerialForm(layer);
    if (auto *serial = std::get_if<SerialForm>(&form)) {
      convert(layer, *serial, options);
      converted.push_back(pair);
      return;
    }
    // A layer that is parallel already needs nothing, and keeps no note of it.
    Reason reason = std::get<Reason>(form);
    auto record =
        reason == Reason::AlreadyParallel ? remarkMissed : recordMissed;
    record(layer, kPass, reason, getReasonMeaning(reason), {});
  });
  return converted;
}
