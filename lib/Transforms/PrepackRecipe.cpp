//===- PrepackRecipe.cpp - writes @prepack as a recipe --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PrepackRecipe.h"

#include "ConstantWork.h"
#include "RecipeWork.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Analysis/FittedLayers.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Dialect/Block/ExpandWeightOps.h"
#include "parablock/Support/AtomicOutput.h"
#include "parablock/Support/LineWrapper.h"
#include "parablock/Transforms/Recipe/Recipe.h"
#include "parablock/Transforms/Shard/Ranks.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;
using evaluator::StoredTensor;

namespace {
class RecipeWriter {
public:
  RecipeWriter(ModuleOp module, func::FuncOp original);

  LogicalResult build();
  LogicalResult write(StringRef path);

private:
  LogicalResult nameTensors();
  LogicalResult checkOps();
  void bringConstants();
  LogicalResult computeConstants();
  void dropUnread();
  /// Adds an argument that no checkpoint has.
  Value addConstant(StringRef name, StoredTensor value, Type type);

  ModuleOp source;
  func::FuncOp original, prepack;
  OwningOpRef<ModuleOp> recipe;
  llvm::MapVector<Value, StoredTensor> constants;
};
} // namespace

RecipeWriter::RecipeWriter(ModuleOp module, func::FuncOp original)
    : source(module), original(original),
      recipe(ModuleOp::create(module.getLoc())) {
  OpBuilder builder = OpBuilder::atBlockEnd(recipe->getBody());
  if (original) {
    prepack = cast<func::FuncOp>(builder.clone(*original));
  } else {
    prepack =
        func::FuncOp::create(builder, module.getLoc(), recipe::kPrepackName,
                             builder.getFunctionType({}, {}));
    builder.setInsertionPointToStart(prepack.addEntryBlock());
    func::ReturnOp::create(builder, module.getLoc());
  }
}

/// Keeps of the attributes of @prepack nothing but names.
LogicalResult RecipeWriter::nameTensors() {
  Builder builder(prepack.getContext());
  auto makeAttrs = [&](StringAttr name) {
    return builder.getDictionaryAttr(
        builder.getNamedAttr(recipe::kTensorAttr, name));
  };
  SmallVector<DictionaryAttr> arguments, results;
  for (BlockArgument argument : prepack.getArguments()) {
    auto name = prepack.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                     kParamAttr);
    if (!name || !isStored(argument.getType()))
      return original.emitError()
             << "expected argument " << argument.getArgNumber()
             << " of @prepack to be a named parameter of static shape, got "
             << argument.getType();
    arguments.push_back(makeAttrs(name));
  }
  for (OpOperand &result : prepack.front().getTerminator()->getOpOperands()) {
    auto name = prepack.getResultAttrOfType<StringAttr>(
        result.getOperandNumber(), kOutputAttr);
    if (!name || !isStored(result.get().getType()))
      return original.emitError()
             << "expected result " << result.getOperandNumber()
             << " of @prepack to be a named value of parameters";
    results.push_back(makeAttrs(name));
  }
  prepack.setAllArgAttrs(arguments);
  prepack.setAllResultAttrs(results);
  return success();
}

LogicalResult RecipeWriter::checkOps() {
  for (Operation &op : prepack.front().without_terminator())
    if (!isRecipeWork(&op))
      return op.emitError("has no place in a recipe");
  return success();
}

Value RecipeWriter::addConstant(StringRef name, StoredTensor value, Type type) {
  Builder builder(prepack.getContext());
  unsigned number = prepack.getNumArguments();
  (void)prepack.insertArgument(
      number, type,
      builder.getDictionaryAttr(builder.getNamedAttr(
          recipe::kConstantAttr, builder.getStringAttr(name))),
      prepack.getLoc());
  Value argument = prepack.getArgument(number);
  constants[argument] = std::move(value);
  return argument;
}

/// Literals other than splats are stored in a separate file.
void RecipeWriter::bringConstants() {
  llvm::StringSet<> taken;
  for (unsigned i = 0; i < prepack.getNumArguments(); ++i)
    taken.insert(recipe::getArgName(prepack, i));
  for (unsigned i = 0; i < prepack.getNumResults(); ++i)
    taken.insert(recipe::getResultName(prepack, i));
  unsigned count = 0;
  for (Operation &op :
       llvm::make_early_inc_range(prepack.front().without_terminator())) {
    SplatElementsAttr splat;
    if (!isConstantTensor(&op) || matchPattern(&op, m_Constant(&splat)))
      continue;
    std::string name;
    do
      name = "constant." + std::to_string(count++);
    while (!taken.insert(name).second);
    Value argument =
        addConstant(name, *readConstant(&op), op.getResult(0).getType());
    op.getResult(0).replaceAllUsesWith(argument);
    op.erase();
  }
}

/// Returns whether `value` depends on a parameter, including outer values that
/// a body reads.
static bool readsParameters(Value value, const llvm::DenseSet<Value> &constants,
                            DenseMap<Value, bool> &known) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  bool reads = op ? false : !constants.contains(value);
  if (op)
    for (Value read : findReads(op))
      reads |= readsParameters(read, constants, known);
  return known[value] = reads;
}

/// Creates a named constant for each result that is packed from constants
/// alone.
LogicalResult RecipeWriter::computeConstants() {
  llvm::DenseSet<Value> literals;
  for (const auto &entry : constants)
    literals.insert(entry.first);
  DenseMap<Value, bool> known;
  for (OpOperand &result : prepack.front().getTerminator()->getOpOperands()) {
    if (readsParameters(result.get(), literals, known))
      continue;
    FailureOr<StoredTensor> made = evaluator::evaluateStored(
        result.get(), [&](BlockArgument argument) -> FailureOr<StoredTensor> {
          return constants.find(argument)->second;
        });
    if (failed(made))
      return failure();
    result.set(
        addConstant(recipe::getResultName(prepack, result.getOperandNumber()),
                    std::move(*made), result.get().getType()));
  }
  return success();
}

void RecipeWriter::dropUnread() {
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(prepack.front())))
    if (isOpTriviallyDead(&op))
      op.erase();
  for (unsigned i = prepack.getNumArguments(); i-- > 0;) {
    Value argument = prepack.getArgument(i);
    if (!argument.use_empty() || !constants.contains(argument))
      continue;
    constants.erase(argument);
    (void)prepack.eraseArgument(i);
  }
}

LogicalResult RecipeWriter::build() {
  if (failed(nameTensors()) || failed(checkOps()))
    return failure();
  addRestore(prepack);
  bringConstants();
  RewritePatternSet patterns(prepack.getContext());
  populateExpandWeightOpsPatterns(patterns);
  walkAndApplyPatterns(prepack, std::move(patterns));
  if (failed(computeConstants()))
    return failure();
  dropUnread();
  return success();
}

LogicalResult RecipeWriter::write(StringRef path) {
  auto fail = [&](const Twine &message) {
    return source.emitError() << message.str();
  };
  Builder builder(source.getContext());
  ModuleOp module = *recipe;
  module->setAttr(recipe::kSchemaAttr,
                  builder.getI64IntegerAttr(recipe::schema));
  if (int64_t ranks = countRanks(source).value_or(1); ranks != 1)
    module->setAttr(recipe::kRanksAttr, builder.getI64IntegerAttr(ranks));
  if (files::WeightsForm form = findWeightsForm(source); form.isFitted()) {
    auto name = [&](StringRef key, StringRef value) {
      return builder.getNamedAttr(key, builder.getStringAttr(value));
    };
    module->setAttr(recipe::kWeightsAttr,
                    builder.getDictionaryAttr(
                        {name(recipe::kPairsKey, form.pairs),
                         name(recipe::kCorrectionKey, form.correction),
                         name(recipe::kModelHashKey, form.model)}));
  }
  if (!constants.empty()) {
    std::string beside = recipe::getConstantsPath(path);
    if (path == "-" || beside == path)
      return fail("expected a file NAME.mlir for a recipe with constants, "
                  "which lie beside it in NAME.safetensors, got '" +
                  path + "'");
    std::vector<TensorToWrite> tensors;
    for (auto &[argument, value] : constants) {
      TensorToWrite &tensor = tensors.emplace_back();
      static_cast<TensorDeclaration &>(tensor) = *recipe::declare(
          recipe::getArgName(prepack,
                             cast<BlockArgument>(argument).getArgNumber(),
                             recipe::kConstantAttr),
          argument.getType());
      tensor.bytes = value.bytes;
    }
    if (llvm::Error error = writeSafeTensors(beside, tensors))
      return fail(llvm::toString(std::move(error)));
    llvm::Expected<std::string> hash = recipe::hashFile(beside);
    if (!hash)
      return fail(llvm::toString(hash.takeError()));
    module->setAttr(recipe::kConstantsAttr,
                    builder.getStringAttr(llvm::sys::path::filename(beside)));
    module->setAttr(recipe::kSha256Attr, builder.getStringAttr(*hash));
  }
  auto print = [&](llvm::raw_ostream &os) {
    LineWrapper lines(os);
    module.print(lines);
    lines << "\n";
    return llvm::Error::success();
  };
  if (llvm::Error error = writeFile(path, print))
    return fail(llvm::toString(std::move(error)));
  return success();
}

LogicalResult block::writeRecipe(ModuleOp module, func::FuncOp prepack,
                                 StringRef path) {
  RecipeWriter writer(module, prepack);
  return success(succeeded(writer.build()) && succeeded(writer.write(path)));
}
