//===- BlockRaise.cpp - transformer blocks in TOSA and linalg -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "GraphDump.h"
#include "Group.h"
#include "HoistConstants.h"
#include "Importer.h"
#include "JoinSizes.h"
#include "Layers.h"
#include "MarkArguments.h"
#include "OpenSizes.h"
#include "Padding.h"
#include "ReadRoute.h"
#include "Recognise.h"
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
#include "parablock/Analysis/HiddenSymbols.h"
#include "parablock/Analysis/KeptStamps.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Dialect/Block/GuardAngles.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Dialect/Block/UndefinedReads.h"
#include "parablock/Frontends/Raise/Passes.h"
#include "parablock/Frontends/StableHLO/StableHLO.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ManagedStatic.h"

namespace parablock::raise {
#define GEN_PASS_DEF_BLOCKRAISE
#include "parablock/Frontends/Raise/Passes.h.inc"
} // namespace parablock::raise

using namespace mlir;
using namespace parablock;
using namespace parablock::raise;

namespace {
struct MakeDumpFlag {
  static void *call() {
    return new llvm::cl::opt<bool>(
        "block-raise-dump",
        llvm::cl::desc("print what --block-raise made of the function, and "
                       "what its matchers wanted where they gave up"));
  }
};
} // namespace

/// The flag --block-raise-dump, where a tool has it.
static llvm::ManagedStatic<llvm::cl::opt<bool>, MakeDumpFlag> dumpFlag;

void parablock::raise::registerDumpFlag() { *dumpFlag; }

static bool isDumpAsked() { return dumpFlag.isConstructed() && *dumpFlag; }

namespace {
constexpr StringLiteral kPass = "block-raise";

/// Returns true if a tensor has no elements, so nothing can be recognised.
/// Unread tensors are ignored.
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

/// Erases ops whose results are unread, last ones first, and the assertions on
/// `asserting` ones.
void eraseDead(Block &body, const DenseSet<Operation *> &asserting) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op) || (asserting.contains(&op) && op.use_empty()))
      op.erase();
}

struct BlockRaisePass : public raise::impl::BlockRaiseBase<BlockRaisePass> {
  using BlockRaiseBase::BlockRaiseBase;

  void runOnOperation() final {
    llvm::StringMap<DictionaryAttr> stamped = findStamped();
    if (failed(hlo::convertToUpstream(getOperation())) ||
        failed(inlineCalls()) || failed(refuseUndefinedReads(getOperation())))
      return signalPassFailure();
    FailureOr<SmallVector<FunctionOpInterface>> models = chooseModels();
    if (failed(models))
      return signalPassFailure();
    for (FunctionOpInterface function : *models) {
      // A called function is a part of a model now; its caller is not known
      // any more.
      for (const auto &each : stamped)
        if (!getOperation().lookupSymbol(each.getKey()))
          takeStamps(function, each.getValue());
      if (failed(raiseModel(function)))
        return signalPassFailure();
    }
  }

  /// Returns all models, or the one that options for one are about.
  FailureOr<SmallVector<FunctionOpInterface>> chooseModels() {
    SmallVector<FunctionOpInterface> models =
        listModelFunctions(getOperation());
    bool isOfOne = !weightsOut.empty() || !inputs.empty() || !dims.empty();
    if (models.size() > 1 && !isOfOne)
      return models;
    llvm::Expected<FunctionOpInterface> model =
        findModelFunction(getOperation());
    if (model)
      return SmallVector<FunctionOpInterface>{*model};
    std::string fault = llvm::toString(model.takeError());
    // Of two choices of sizes the first is the one that stays.
    if (!dims.empty() && models.size() == 2)
      return SmallVector<FunctionOpInterface>{models.front()};
    return getOperation()->emitError() << fault;
  }

  LogicalResult raiseModel(FunctionOpInterface function) {
    bool isWhole = hasBlocks(function);
    if ((isWhole && failed(raise(function))) ||
        (!dims.empty() && failed(joinOther(function))))
      return failure();
    // The mark is for the matchers.
    for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
      function.removeArgAttr(i, StringAttr::get(&getContext(), kPaddingAttr));
    if (exactNumbers && failed(checkNumbers(function)))
      return failure();
    if (weightsOut.empty() || !isWhole)
      return success();
    if (llvm::Error error = hoistConstants(function, weightsOut))
      return getOperation()->emitError() << llvm::toString(std::move(error));
    return success();
  }

  /// Functions that keep stamps, by name.
  llvm::StringMap<DictionaryAttr> findStamped() {
    llvm::StringMap<DictionaryAttr> stamped;
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      if (auto kept = dyn_cast_or_null<DictionaryAttr>(
              function->getDiscardableAttr(kStampsAttr)))
        stamped[function.getName()] = kept;
    return stamped;
  }

  /// Refuses numbers that are in no attribute of a block: the next fold of a
  /// cast would round them.
  LogicalResult checkNumbers(FunctionOpInterface function) {
    WalkResult found = function.walk([](Operation *op) {
      bool isWide = llvm::any_of(op->getResultTypes(), [](Type type) {
        return getElementTypeOrSelf(type).isF64();
      });
      if (!isWide)
        return WalkResult::advance();
      op->emitOpError("has numbers of more digits than f32, and is no part of "
                      "a block that could keep them");
      return WalkResult::interrupt();
    });
    return failure(found.wasInterrupted());
  }

  /// True of functions that blocks may be in.
  bool hasBlocks(FunctionOpInterface function) {
    StringRef wanted = !llvm::hasSingleElement(function.getFunctionBody())
                           ? "function of one basic block"
                       : hasEmptyTensor(function)
                           ? "function of tensors with elements"
                           : "";
    if (!wanted.empty())
      recordNoMatch(function, kPass, wanted);
    return wanted.empty();
  }

  /// Makes one function of any size of this one and the other of the module.
  LogicalResult joinOther(FunctionOpInterface function) {
    auto functions =
        llvm::to_vector(getOperation().getOps<FunctionOpInterface>());
    if (functions.size() != 2)
      return getOperation()->emitError()
             << "dims: expected two functions, one model of two choices of "
                "sizes, got "
             << functions.size();
    FunctionOpInterface other = functions[functions[0] == function ? 1 : 0];
    if (hasBlocks(other) && failed(raise(other)))
      return failure();
    if (std::optional<Difference> found = joinSizes(function, other, dims))
      return emitError(found->location) << found->what;
    other.erase();
    return success();
  }

  LogicalResult raise(FunctionOpInterface function) {
    if (!inputs.empty() && failed(nameInputs(function, inputs)))
      return failure();
    std::vector<Missed> missed;
    if (isStatic(function)) {
      missed = raiseFunction(function, !dims.empty());
    } else {
      std::optional<SizeRefusal> why =
          raiseWithOpenSizes(function, [&](FunctionOpInterface copy) {
            missed = raiseFunction(copy, /*isOpen=*/true);
          });
      if (why)
        missed = {{"function", Reason::DynamicShape, why->what, why->location}};
    }
    if (failed(restoreStamps(function, kPass)))
      return failure();
    std::string near;
    llvm::raw_string_ostream(near) << "near-activations=" << nearActivations;
    if (failed(stampNear(function, kPass, near)))
      return failure();
    if (report(function, missed))
      markArguments(function, kPass);
    return success();
  }

  /// Private functions are how a producer names its idioms; what they compute
  /// is matched.
  LogicalResult inlineCalls() {
    OpPassManager pipeline(ModuleOp::getOperationName());
    // Folding casts of constants would round these.
    if (hidesSymbols(getOperation())) {
      hlo::inlineCalls(getOperation());
      if (!exactNumbers) {
        guardAngles(getOperation(), /*ofConstants=*/true);
        pipeline.addNestedPass<func::FuncOp>(createCanonicalizerPass());
      }
      return runPipeline(pipeline, getOperation());
    }
    if (exactNumbers) {
      pipeline.addPass(createInlinerPass({}, [](OpPassManager &) {}));
    } else {
      guardAngles(getOperation(), /*ofConstants=*/true);
      pipeline.addPass(createInlinerPass());
    }
    pipeline.addPass(createSymbolDCEPass());
    return runPipeline(pipeline, getOperation());
  }

  /// Gives the candidates that failed.
  std::vector<Missed> raiseFunction(FunctionOpInterface function, bool isOpen) {
    Turned turned = turnTokensFirst(function);
    std::vector<Missed> missed;
    // Rows of padding may differ, unless results have something of them.
    if (!raiseRows(function, turned, isOpen, /*changesPadding=*/true, missed))
      raiseRows(function, turned, isOpen, /*changesPadding=*/false, missed);
    formLayers(function);
    return missed;
  }

  /// Returns false, and changes nothing, if pieces changed rows of padding and
  /// real rows of results have something of these.
  bool raiseRows(FunctionOpInterface function, const Turned &turned,
                 bool isOpen, bool changesPadding,
                 std::vector<Missed> &missed) {
    Block &body = function.getFunctionBody().front();
    Graph graph(&getContext(), getRules(), function.getLoc());
    graph.nearActivations = nearActivations;
    graph.exactNumbers = exactNumbers;
    graph.hasOpenSizes = isOpen;
    graph.changesPadding = changesPadding;
    graph.explanations.keepsRefusals = dump || isDumpAsked();
    Importer importer(graph);
    importer.import(function, turned);

    Roots roots = findRoots(graph, importer, body);
    missExperts(graph, roots.results, roots.others);
    groupAll(graph, roots.results, roots.others);
    if (!graph.paddedBy.empty() &&
        !keepsPaddingApart(graph, roots.results, roots.others))
      return false;
    if (graph.explanations.keepsRefusals)
      dumpGraph(llvm::errs(), graph, function.getName(), roots.results,
                roots.others);
    emitPieces(importer, graph, body);
    sortTopologically(&body);
    eraseDead(body, importer.getAsserting());
    missed = std::move(graph.explanations.missed);
    return true;
  }

  /// The terms that the function returns, and those that operations read which
  /// are not understood.
  struct Roots {
    SmallVector<Term> results, others;
  };
  Roots findRoots(Graph &graph, Importer &importer, Block &body) {
    Roots roots;
    for (Operation &op : body) {
      bool isReturn = op.hasTrait<OpTrait::IsTerminator>();
      bool isOpaque = !isReturn && llvm::any_of(op.getResults(), [&](Value v) {
        Term own = importer.get(v);
        return own && own.node->op == Kind::Leaf && own.node->given == v &&
               own.node->source == Source::Data;
      });
      for (Value operand : findReads(&op)) {
        Term term = importer.get(operand);
        if (!term)
          continue;
        if (isReturn)
          roots.results.push_back(term);
        if (!isOpaque)
          continue;
        roots.others.push_back(term);
        if (term.node->op == Kind::Softmax && !graph.isAttended(term.node))
          graph.explanations.missed.push_back(
              {"attention", Reason::UnknownScores,
               ("'" + op.getName().getStringRef() +
                "' behind the softmax is not understood")
                   .str(),
               op.getLoc()});
      }
    }
    return roots;
  }

  /// Every value that is a piece is replaced by the piece.
  void emitPieces(Importer &importer, Graph &graph, Block &body) {
    Emitter emitter(graph, OpBuilder(body.getTerminator()));
    for (Operation &op : llvm::make_early_inc_range(body)) {
      // Ops that were emitted for earlier values are before the terminator.
      if (isa_and_nonnull<block::BlockDialect>(op.getDialect()) ||
          op.getNumRegions() > 1)
        continue;
      for (Value result : op.getResults()) {
        Term given = importer.get(result);
        auto type = dyn_cast<RankedTensorType>(result.getType());
        if (!given || !type || !graph.getHome(given.node))
          continue;
        Term term = graph.getCurrent(given);
        if (graph.isLeftAsIs(term.node))
          continue;
        if (!term.node->isRecognised() && !isRoundedPiece(term.node))
          continue;
        Value piece = emitter.emit(term, type, op.getLoc());
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
      if (!isa<block::AttentionOpInterface, block::MlpOp, block::MoeOp,
               block::ExpertsOp, block::NormOp, block::LinearOp, block::HeadOp,
               block::CrossEntropyOp, block::EmbeddingOp>(op))
        return;
      ++pieces;
      remarkPassed(op, kPass,
                   (op->getName().stripDialect() + " recognised").str());
    });
    for (const Missed &miss : candidates)
      remarkMissedAt(miss.location, function, kPass, miss.reason, miss.detail);
    keepMissed(function, candidates);
    if (pieces == 0)
      recordNoMatch(function, kPass,
                    "projection, norm or attention in upstream ops");
    return pieces;
  }

  /// For reports in other processes; block-explain reads it.
  void keepMissed(FunctionOpInterface function, ArrayRef<Missed> candidates) {
    if (candidates.empty())
      return;
    Builder builder(&getContext());
    SmallVector<Attribute> missed;
    for (const Missed &miss : candidates) {
      std::string location;
      if (auto file = dyn_cast<FileLineColLoc>(miss.location))
        location = (file.getFilename().getValue() + ":" +
                    Twine(file.getLine()) + ":" + Twine(file.getColumn()))
                       .str();
      missed.push_back(block::DecisionAttr::get(
          &getContext(), kPass, block::Outcome::Missed,
          builder.getStringAttr(getReasonName(miss.reason)),
          builder.getStringAttr(location),
          builder.getDictionaryAttr(
              {builder.getNamedAttr("detail",
                                    builder.getStringAttr(miss.detail)),
               builder.getNamedAttr("kind",
                                    builder.getStringAttr(miss.kind))})));
    }
    function->setAttr("raise_missed", builder.getArrayAttr(missed));
  }
};
} // namespace
