//===- BlockRaise.cpp - transformer blocks in TOSA and linalg -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "Group.h"
#include "HoistConstants.h"
#include "Importer.h"
#include "Layers.h"
#include "MarkArguments.h"
#include "OpenSizes.h"
#include "TokensFirst.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Analysis/ModelCounts.h"
#include "parablock/IR/BlockDialect.h"
#include "parablock/Raise/Passes.h"
#include "parablock/StableHLO/StableHLO.h"

namespace parablock::raise {
#define GEN_PASS_DEF_BLOCKRAISE
#include "parablock/Raise/Passes.h.inc"
} // namespace parablock::raise

using namespace mlir;
using namespace parablock;
using namespace parablock::raise;

namespace {
constexpr StringLiteral kPass = "block-raise";

/// True where a tensor has no elements: there is nothing to be recognised in.
/// One that nobody reads is no matter.
bool hasEmptyTensor(FunctionOpInterface function) {
  auto isEmpty = [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && !value.use_empty() && llvm::is_contained(type.getShape(), 0);
  };
  bool found = llvm::any_of(function.getArguments(), isEmpty);
  function.walk(
      [&](Operation *op) { found |= llvm::any_of(op->getResults(), isEmpty); });
  return found;
}

/// Erases ops whose results nobody reads, last ones first; of `asserting` ones
/// also what they assert.
void eraseDead(Block &body, const DenseSet<Operation *> &asserting) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op) || (asserting.contains(&op) && op.use_empty()))
      op.erase();
}

struct BlockRaisePass : public raise::impl::BlockRaiseBase<BlockRaisePass> {
  using BlockRaiseBase::BlockRaiseBase;

  void runOnOperation() final {
    if (failed(hlo::convertToUpstream(getOperation())) || failed(inlineCalls()))
      return signalPassFailure();
    FunctionOpInterface function = findMainFunction(getOperation());
    if (!function)
      return signalPassFailure();
    if (!llvm::hasSingleElement(function.getFunctionBody()))
      return recordNoMatch(function, kPass, "function of one basic block");
    if (hasEmptyTensor(function))
      return recordNoMatch(function, kPass,
                           "function of tensors with elements");
    if (!inputs.empty() && failed(nameInputs(function, inputs)))
      return signalPassFailure();
    std::vector<Missed> missed;
    if (isStatic(function)) {
      missed = raiseFunction(function);
    } else {
      StringRef why =
          raiseWithOpenSizes(function, [&](FunctionOpInterface copy) {
            missed = raiseFunction(copy);
          });
      if (!why.empty())
        remarkMissed(function, kPass, Reason::DynamicShape, why);
    }
    std::string near;
    llvm::raw_string_ostream(near) << "near-activations=" << nearActivations;
    if (failed(stampNear(function, kPass, near)))
      return signalPassFailure();
    if (report(function, missed))
      markArguments(function, kPass);
    if (weightsOut.empty())
      return;
    if (llvm::Error error = hoistConstants(function, weightsOut)) {
      getOperation()->emitError() << llvm::toString(std::move(error));
      signalPassFailure();
    }
  }

  /// Private functions are how a producer names its idioms; what they compute
  /// is matched.
  LogicalResult inlineCalls() {
    OpPassManager pipeline(ModuleOp::getOperationName());
    pipeline.addPass(createInlinerPass());
    pipeline.addPass(createSymbolDCEPass());
    return runPipeline(pipeline, getOperation());
  }

  /// Gives the candidates that failed.
  std::vector<Missed> raiseFunction(FunctionOpInterface function) {
    Block &body = function.getFunctionBody().front();
    Location location = function.getLoc();
    Graph graph;
    graph.context = &getContext();
    graph.nearActivations = nearActivations;
    graph.location = &location;
    Turned turned = turnTokensFirst(function);
    Importer importer(graph);
    importer.import(function, turned);

    SmallVector<Term> results, others;
    for (Operation &op : body)
      for (Value operand : findReads(&op))
        if (Term term = importer.get(operand)) {
          bool isReturn = op.hasTrait<OpTrait::IsTerminator>();
          bool isOpaque =
              !isReturn && llvm::any_of(op.getResults(), [&](Value v) {
                Term own = importer.get(v);
                return own && own.node->op == Kind::Leaf &&
                       own.node->home == v && own.node->source == Source::Data;
              });
          if (isReturn)
            results.push_back(term);
          else if (isOpaque)
            others.push_back(term);
          if (isOpaque && term.node->op == Kind::Softmax &&
              !term.node->isAttended)
            graph.missed.push_back({"attention", Reason::UnknownScores,
                                    ("'" + op.getName().getStringRef() +
                                     "' behind the softmax is not understood")
                                        .str(),
                                    op.getLoc()});
        }
    groupAll(graph, results, others);
    emitPieces(importer, graph, location, body);
    sortTopologically(&body);
    eraseDead(body, importer.getAsserting());
    formLayers(function);
    return std::move(graph.missed);
  }

  /// Every value that is a piece is replaced by the piece.
  void emitPieces(Importer &importer, Graph &graph, Location &location,
                  Block &body) {
    OpBuilder builder(body.getTerminator());
    Emitter emitter(graph, builder);
    for (Operation &op : llvm::make_early_inc_range(body)) {
      // What was emitted for earlier values stands before the terminator.
      if (isa<block::BlockDialect>(op.getDialect()) || op.getNumRegions() > 1)
        continue;
      for (Value result : op.getResults()) {
        Term term = importer.get(result);
        auto type = dyn_cast<RankedTensorType>(result.getType());
        if (!term || !type || !term.node->home ||
            !(term.node->isRecognised() || isRoundedPiece(term.node)))
          continue;
        location = op.getLoc();
        Value piece = emitter.emit(term, type);
        if (!piece || piece.getType() != type || !emitter.isBuilt(term.node))
          continue;
        result.replaceAllUsesWith(piece);
      }
    }
  }

  /// Gives how many pieces there are.
  unsigned report(FunctionOpInterface function, ArrayRef<Missed> candidates) {
    unsigned pieces = 0;
    function.walk([&](Operation *op) {
      if (!isa<block::AttentionOp, block::MlpOp, block::NormOp, block::SdpaOp,
               block::LinearOp, block::HeadOp, block::EmbeddingOp>(op))
        return;
      ++pieces;
      remarkPassed(op, kPass,
                   (op->getName().stripDialect() + " recognised").str());
    });
    Builder builder(&getContext());
    SmallVector<Attribute> missed;
    Operation *at = function;
    Location own = at->getLoc();
    for (const Missed &miss : candidates) {
      at->setLoc(miss.location);
      remarkMissed(at, kPass, miss.reason, miss.detail);
      std::string location;
      if (auto file = dyn_cast<FileLineColLoc>(miss.location))
        location = (file.getFilename().getValue() + ":" +
                    Twine(file.getLine()) + ":" + Twine(file.getColumn()))
                       .str();
      missed.push_back(builder.getDictionaryAttr(
          {builder.getNamedAttr("kind", builder.getStringAttr(miss.kind)),
           builder.getNamedAttr(
               "reason", builder.getStringAttr(getReasonName(miss.reason))),
           builder.getNamedAttr("detail", builder.getStringAttr(miss.detail)),
           builder.getNamedAttr("location", builder.getStringAttr(location))}));
    }
    at->setLoc(own);
    // For reports in other processes; block-explain reads it.
    if (!missed.empty())
      function->setAttr("raise_missed", builder.getArrayAttr(missed));
    if (pieces == 0)
      recordNoMatch(function, kPass,
                    "projection, norm or attention in upstream ops");
    return pieces;
  }
};
} // namespace
