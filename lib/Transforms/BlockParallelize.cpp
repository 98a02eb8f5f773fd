//===- BlockParallelize.cpp - pass block-parallelize ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Analysis/ModelHash.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Transforms/PairSelection.h"
#include "parablock/Transforms/ParallelizeLayers.h"
#include "parablock/Transforms/Passes.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include <cmath>

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKPARALLELIZE
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {

struct BlockParallelizePass
    : public block::impl::BlockParallelizeBase<BlockParallelizePass> {
  using BlockParallelizeBase::BlockParallelizeBase;

  // Factors of low rank are read by rows.
  void getDependentDialects(DialectRegistry &registry) const final {
    registry.insert<tensor::TensorDialect>();
  }

  void runOnOperation() final {
    // A choice is of one model; else layers of all functions are meant.
    root = getOperation();
    if (!functionName.empty() || StringRef(blocks).starts_with("@"))
      root = findMainFunction(getOperation(), functionName);
    if (!root)
      return signalPassFailure();
    bool ladder = pairing == Pairing::Ladder,
         shortcut = pairing == Pairing::Shortcut;
    ParallelizeOptions options{norm,     router,           scale, attnScale,
                               mlpScale, Correction::None, {},    "",
                               ladder,   shortcut};
    if (failed(checkOptions()))
      return signalPassFailure();
    StringRef text = blocks;
    FailureOr<SmallVector<LayerPair>> pairs =
        text.consume_front("@") ? applyChoice(text, options)
                                : selectPairs(root, text, pairing);
    if (failed(pairs) || failed(leaveLower(*pairs)))
      return signalPassFailure();
    if (pairs->empty())
      return recordNoMatch(root, kParallelize, "layer to convert");
    if (pairing == Pairing::Best && blocks == "all")
      noteBestRule(*pairs);
    SmallVector<LayerPair> converted = parallelizeLayers(root, *pairs, options);
    std::string fault = describeUnconverted(root, *pairs, converted);
    if (text != blocks && !fault.empty()) {
      getOperation()->emitError() << text << ": " << fault;
      signalPassFailure();
    }
  }

private:
  LogicalResult checkOptions() {
    for (auto [name, value] : {std::pair("scale", double(scale)),
                               std::pair("attn-scale", double(attnScale)),
                               std::pair("mlp-scale", double(mlpScale))})
      if (!std::isfinite(value))
        return getOperation()->emitError()
               << "expected " << name << " to be finite, got " << value;
    bool readsTwoStreams =
        pairing == Pairing::Ladder || pairing == Pairing::Shortcut;
    if (readsTwoStreams && norm != SecondNorm::Separate)
      return getOperation()->emitError()
             << "option 'norm' requires separate under pairing="
             << getEnumName(pairing.getValue())
             << ", whose branches read two streams, got '"
             << getEnumName(norm.getValue()) << "'";
    if (router == RouterInput::Serial && pairing != Pairing::Block)
      return getOperation()->emitError()
             << "option 'router' requires parallel under pairing="
             << getEnumName(pairing.getValue())
             << ", whose second branch has no router behind an attention, got "
                "'serial': use pairing=block";
    if (!from.empty() && StringRef(blocks).starts_with("@"))
      return getOperation()->emitError()
             << "option 'from' requires blocks to be all or a list, got '"
             << blocks << "', which names its pairs";
    return success();
  }

  /// Drops the pairs below the layer that `from` names, and records it there.
  LogicalResult leaveLower(SmallVectorImpl<LayerPair> &pairs) {
    FailureOr<int64_t> first = findFirstLayer(root, from);
    if (failed(first))
      return failure();
    walkOutsideKernels<LayerOp>(root, [&](LayerOp layer) {
      auto index = static_cast<int64_t>(layer.getIndex());
      if (index < *first &&
          llvm::any_of(
              pairs, [&](LayerPair pair) { return pair.index == index; }))
        recordMissed(layer, kParallelize, Reason::BelowFrom,
                     "layers from " + Twine(*first) + " on are converted", {});
    });
    llvm::erase_if(pairs, [&](LayerPair pair) { return pair.index < *first; });
    return success();
  }

  /// Reads the choice file, takes its options and adds its parameters.
  FailureOr<SmallVector<LayerPair>> applyChoice(StringRef path,
                                                ParallelizeOptions &options) {
    llvm::Expected<Choice> choice = readChoice(path);
    if (!choice)
      return getOperation()->emitError() << llvm::toString(choice.takeError());
    auto function = cast<FunctionOpInterface>(root);
    std::string found = computeModelHash(function);
    if (found != choice->modelHash)
      return getOperation()->emitError()
             << path
             << ": the choice is for another model: expected model hash "
             << choice->modelHash << ", got " << found;
    if (failed(checkAgreement(path, *choice)) ||
        failed(checkPairsExist(function, choice->chosen, path)) ||
        failed(addParameters(function, choice->addedParameters)))
      return failure();
    options = ParallelizeOptions::of(*choice);
    return llvm::to_vector(choice->chosen);
  }

  /// An option given together with the file must repeat it or have its default.
  LogicalResult checkAgreement(StringRef path, const Choice &choice) {
    auto differs = [&](StringRef name, const auto &file, const auto &option) {
      return getOperation()->emitError()
             << path << ": the choice has " << name << "=" << file
             << ", the option says " << option;
    };
    if ((pairing == Pairing::Ladder && !choice.ladder) ||
        (pairing == Pairing::Shortcut && !choice.shortcut))
      return differs("pairing",
                     choice.ladder     ? "ladder"
                     : choice.shortcut ? "shortcut"
                                       : "pairs",
                     getEnumName(pairing.getValue()));
    if (norm != SecondNorm::Separate && norm != choice.norm)
      return differs("norm", getEnumName(choice.norm),
                     getEnumName(norm.getValue()));
    if (router != RouterInput::Parallel && router != choice.router)
      return differs("router", getEnumName(choice.router),
                     getEnumName(router.getValue()));
    for (auto [name, file, option] :
         {std::tuple("scale", choice.scale, double(scale)),
          std::tuple("attn-scale", choice.attentionScale, double(attnScale)),
          std::tuple("mlp-scale", choice.mlpScale, double(mlpScale))})
      if (option != 1.0 && option != file)
        return differs(name, file, option);
    return success();
  }

  void noteBestRule(ArrayRef<LayerPair> pairs) {
    size_t shifted =
        llvm::count_if(pairs, [](LayerPair pair) { return pair.shifted; });
    remarkAnalysis(getOperation(), kParallelize, "best-without-a-choice",
                   "nothing was measured: shifted pairs wherever two layers "
                   "allow it, block pairs elsewhere",
                   {{"shifted", double(shifted)},
                    {"block", double(pairs.size() - shifted)}});
  }

  /// The op whose layers may be converted.
  Operation *root = nullptr;
};
} // namespace
