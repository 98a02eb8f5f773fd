//===- CommandLoading.cpp - loads modules and arguments -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Command.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "parablock/Analysis/FittedLayers.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Execution/ModuleLoading.h"
#include "parablock/Judges/Compare/Prepack.h"
#include "parablock/Judges/Compare/RankFacts.h"
#include "parablock/Judges/Compare/ReferenceEngine.h"
#include "parablock/Transforms/Shard/Ranks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace parablock;
using namespace parablock::runner;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

template <typename Target, typename T>
static Error store(Target &target, Expected<T> value) {
  if (!value)
    return value.takeError();
  target = std::move(*value);
  return Error::success();
}

/// Everything that can be refused before any work is done.
Error Command::openFiles() {
  if (Error error = store(engine, engines.create(request.engine)))
    return error;
  if (request.group && !engine->canBeRank())
    return llvm::createStringError("expected --engine=cpu for a run of " +
                                   llvm::Twine(request.group->size()) +
                                   " ranks, one process each, got engine '" +
                                   engine->name() + "'");
  if (!request.checkAgainst.empty())
    if (Error error = store(otherEngine, engines.create(request.checkAgainst)))
      return error;
  if (!request.inputsPath.empty())
    if (Error error = store(inputs, TensorFile::open(request.inputsPath)))
      return error;
  if (!request.weightsPath.empty())
    if (Error error = store(weights, TensorFile::open(request.weightsPath)))
      return error;
  if (!request.expectPath.empty())
    if (Error error =
            store(expected, SafeTensorsFile::open(request.expectPath)))
      return error;
  supply.emplace(inputs ? &*inputs : nullptr, weights ? &*weights : nullptr,
                 request.dims, request.seed);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Error Command::loadSubject(Subject &which, StringRef path) {
  if (Error error = store(which.module, loadModule(path, context)))
    return error;
  return store(which.function.signature.function,
               findFunction(*which.module, request.functionName, path));
}

Error Command::bind(Subject &which, StringRef path, bool isHeld) {
  Expected<BoundFunction> bound =
      supply->bind(which.function.signature.function, isHeld);
  if (!bound)
    return llvm::createStringError(path + ": " +
                                   llvm::toString(bound.takeError()));
  which.function = std::move(*bound);
  return checkForm(which, path);
}

/// Weights that were fitted to layers side by side are for these alone.
Error Command::checkForm(const Subject &which, StringRef path) {
  mlir::func::FuncOp function = which.function.signature.function;
  if (weights) {
    Error error =
        checkWeightsForm(function, weights->metadata(), weights->path());
    if (!error)
      return Error::success();
    return llvm::createStringError(path + ": " +
                                   llvm::toString(std::move(error)));
  }
  files::WeightsForm form = findWeightsForm(function);
  if (form.isFitted())
    needsFitted = (path + " needs " + files::describeWeights(form)).str();
  return Error::success();
}

/// Sets the sizes of one call for all tokens.
Error Command::chooseSteps() {
  Signature &signature = subject->function.signature;
  if (Error error = store(signature, readSignature(signature.function)))
    return error;
  if (Error error =
          store(tokenSteps, TokenSteps::create(signature, request.steps)))
    return llvm::createStringError(request.irPath + ": " +
                                   llvm::toString(std::move(error)));
  supply.emplace(inputs ? &*inputs : nullptr, weights ? &*weights : nullptr,
                 tokenSteps->makeDims(request.dims), request.seed);
  return Error::success();
}

/// Makes `which` the function that this process runs, with only its parts of
/// parameters.
void Command::makeOneRank(Subject &which) {
  which.isOneRank = true;
  fixRank(*which.module, request.group->rank());
  auto isInFile = [&](StringRef name) {
    return weights && weights->lookup(name);
  };
  mlir::func::FuncOp function = which.function.signature.function;
  mlir::func::FuncOp prepack = findPackingFunction(function);
  if (prepack && prepack != function)
    narrowPacked(function, prepack,
                 [&](StringRef name) { return !isInFile(name); });
  // Values packed in this process are read as a whole.
  auto hasParts = [&](StringRef name) {
    return !name.starts_with("packed.") || isInFile(name);
  };
  for (auto function : which.module->getOps<mlir::func::FuncOp>())
    for (const ParameterPart &part : narrowParameters(function, hasParts))
      supply->addPart(part);
}

/// A function that was split runs on as many ranks as it was split for.
Error Command::checkRanks() const {
  std::optional<int64_t> ranks = countRanks(*subject->module);
  int64_t given = request.group ? request.group->size() : request.ranks;
  if (!ranks && given > 1)
    return llvm::createStringError(
        request.irPath + ": expected a module of " + llvm::Twine(given) +
        " ranks, got one that block-shard has not split");
  if (!ranks)
    return Error::success();
  for (const Engine *each : {engine.get(), otherEngine.get()}) {
    if (!each || each->canSimulateRanks() ||
        (request.group && each == engine.get()))
      continue;
    return llvm::createStringError(
        request.irPath + ": expected " + llvm::Twine(*ranks) +
        " ranks, got one: engine '" + each->name() + "' runs a single rank" +
        (each->canBeRank() ? " per process, to be started with mpirun -n " +
                                 llvm::Twine(*ranks)
                           : llvm::Twine()));
  }
  if (given == *ranks)
    return Error::success();
  return llvm::createStringError(
      request.irPath + ": expected " +
      (request.group ? "mpirun -n " : "--ranks=") + llvm::Twine(*ranks) +
      ", for which the module was split, got " + llvm::Twine(given));
}

/// Refuses parameters that each rank packs for itself: no shared file contains
/// them.
Error Command::checkPackedByRank() const {
  mlir::ModuleOp module = *subject->module;
  auto prepack = module.lookupSymbol<mlir::func::FuncOp>(kPrepack);
  bool isByRank =
      prepack && !prepack.getOps<mlir::shard::ProcessLinearIndexOp>().empty();
  if (!weights || !isByRank)
    return Error::success();
  for (unsigned i = 0; i < prepack.getNumResults(); ++i) {
    auto name =
        prepack.getResultAttrOfType<mlir::StringAttr>(i, block::kOutputAttr);
    if (name && name.getValue().starts_with("packed.") && weights->lookup(name))
      return llvm::createStringError(
          request.weightsPath +
          ": expected the weights of a checkpoint, of "
          "which each rank packs its own, got '" +
          name.getValue() + "'");
  }
  return Error::success();
}

/// The parameters that `which` is computed from, packed or not.
static llvm::SetVector<StringRef> findParameters(const Subject &which) {
  llvm::SetVector<StringRef> names;
  for (auto function : which.module.get().getOps<mlir::func::FuncOp>())
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (auto name =
              function.getArgAttrOfType<mlir::StringAttr>(i, block::kParamAttr);
          name && !name.getValue().starts_with("packed."))
        names.insert(name.getValue());
  return names;
}

/// Without a file, weights of other names are other numbers.
Error Command::checkSharedParameters() const {
  if (!baseline || weights)
    return Error::success();
  llvm::SetVector<StringRef> own = findParameters(*subject);
  llvm::SetVector<StringRef> others = findParameters(*baseline);
  bool isShared =
      own.empty() || others.empty() ||
      llvm::any_of(own, [&](StringRef name) { return others.contains(name); });
  if (isShared)
    return Error::success();
  return llvm::createStringError(
      request.baselinePath + ": expected parameters of " + request.irPath +
      ", such as '" + own.front() + "', got others, such as '" +
      others.front() + "'");
}

/// Both functions are bound before either gets values: facts about an input
/// (the size of a vocabulary) from one apply to the other.
Error Command::loadSubjects() {
  if (Error error = loadSubject(subject.emplace(), request.irPath))
    return error;
  if (request.steps)
    if (Error error = chooseSteps())
      return error;
  if (Error error = checkRanks())
    return error;
  if (Error error = checkPackedByRank())
    return error;
  if (request.group) {
    moduleHash = hashModule(*subject->module);
    // The whole function has facts about inputs that its parts lack.
    if (Error error = bind(*subject, request.irPath, /*isHeld=*/false))
      return error;
    makeOneRank(*subject);
  }
  if (Error error = bind(*subject, request.irPath))
    return error;
  // Parts of parameters are separate arguments.
  if (tokenSteps && subject->isOneRank)
    if (Error error = tokenSteps->findPorts())
      return error;
  if (!request.baselinePath.empty()) {
    if (Error error = loadSubject(baseline.emplace(), request.baselinePath))
      return error;
    if (Error error = bind(*baseline, request.baselinePath, isFirst()))
      return error;
  }
  if (Error error = checkSharedParameters())
    return error;
  return supply->checkDimsUsed();
}

/// Ranks that do not run the same would wait for each other, or worse, not.
Error Command::meetRanks() {
  if (!request.group)
    return Error::success();
  std::string settings;
  llvm::raw_string_ostream os(settings);
  os << request.functionName << " " << request.seed << " " << request.repeat;
  for (const auto &[name, size] : request.dims)
    os << " " << name << "=" << size;
  RankFact facts[] = {{"module", moduleHash},
                      {"weights", hashTensors(weights ? &*weights : nullptr)},
                      {"flags", llvm::xxh3_64bits(os.str())}};
  return request.group->meet(Error::success(), facts);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Weights are packed by the engine that runs with them, where it can.
Error Command::provideFor(Subject &which, int64_t rank) {
  std::unique_ptr<Engine> reference;
  Engine *packer = engine.get();
  // One of several ranks packs for itself alone.
  bool isForOthers = request.group && !which.isOneRank;
  if (isForOthers || !packer->canPrepack()) {
    reference = createReferenceEngine();
    packer = reference.get();
  }
  if (Error error = providePackedParameters(
          which.function, weights ? &*weights : nullptr,
          request.exactArithmetic, *packer, rank, *supply))
    return error;
  return store(which.arguments, supply->provide(which.function));
}

Error Command::provideValues(Subject &which) {
  if (which.isOneRank)
    return provideFor(which, request.group->rank());
  std::optional<int64_t> ranks = countRanks(*which.module);
  if (!ranks)
    return provideFor(which, /*rank=*/0);
  // Rank 0's arguments are the ones that are kept.
  which.rankArguments.resize(*ranks);
  for (int64_t rank = *ranks; rank-- > 0;) {
    if (Error error = provideFor(which, rank))
      return error;
    which.rankArguments[rank] = which.arguments;
  }
  return Error::success();
}

/// A file of which nothing is taken would leave all numbers to the seed.
Error Command::checkFilesUsed() const {
  // The original of ranks is provided later.
  if (request.group && baseline)
    return Error::success();
  llvm::SmallVector<StringRef> parameters, others;
  for (const Argument &argument : subject->function.signature.arguments)
    (argument.isParameter ? parameters : others).push_back(argument.name);
  if (weights)
    if (Error error = weights->checkUsed(
            "--weights", parameters.empty() ? others : parameters)) {
      if (!parameters.empty())
        return error;
      return llvm::createStringError(
          llvm::toString(std::move(error)) +
          ", no parameters: block-raise marks them, and --inputs gives any "
          "argument by its name");
    }
  if (inputs)
    return inputs->checkUsed("--inputs", others);
  return Error::success();
}

/// Reports a tensor with an unused name, if an input is missing, as that input
/// under a wrong name.
Error Command::checkInputNames() const {
  const llvm::StringSet<> &drawn = supply->getDrawn(/*isParameter=*/false);
  if (!inputs || drawn.empty())
    return Error::success();
  llvm::SmallVector<StringRef> missing = llvm::to_vector(drawn.keys());
  llvm::sort(missing);
  std::vector<StringRef> unknown = inputs->findUnused();
  for (const Subject *which : {&*subject, baseline ? &*baseline : nullptr}) {
    if (!which)
      continue;
    llvm::SetVector<StringRef> parameters = findParameters(*which);
    llvm::erase_if(unknown, [&](StringRef name) {
      return parameters.contains(name) ||
             llvm::any_of(which->function.signature.results,
                          [&](const Port &port) { return port.name == name; });
    });
  }
  if (unknown.empty() && !inputs->entries().empty())
    return Error::success();
  auto quote = [](llvm::ArrayRef<StringRef> names) {
    return names.empty() ? "no tensor" : "'" + llvm::join(names, "', '") + "'";
  };
  return llvm::createStringError(inputs->path() + ": expected input " +
                                 quote(missing) + ", got " + quote(unknown));
}

/// Emits a remark if numbers were drawn from a seed.
void Command::remarkDrawn() const {
  std::string what;
  for (bool isParameter : {true, false}) {
    unsigned count = supply->getDrawn(isParameter).size();
    if (!count)
      continue;
    what += (what.empty() ? "" : " and ") + llvm::utostr(count) +
            (isParameter ? " parameter" : " input") + (count == 1 ? "" : "s");
  }
  if (!what.empty() && !request.isSeedGiven)
    remarks << "remark: drew " << what << " from seed " << request.seed
            << "; --weights, --inputs and --seed give others\n";
  if (!supply->getDrawn(/*isParameter=*/true).empty() && !needsFitted.empty())
    remarks << "remark: " << needsFitted
            << ": what was measured of it does not hold for drawn weights\n";
}

Error Command::provideAll() {
  if (tokenSteps)
    tokenSteps->startEmpty(subject->function.shapes, *supply);
  if (Error error = provideValues(*subject))
    return error;
  if (request.group) {
    RankFact fact{"inputs", hashInputs(subject->function, subject->arguments)};
    if (Error error = request.group->meet(Error::success(), fact))
      return error;
  }
  if (baseline && !request.group)
    if (Error error = provideValues(*baseline))
      return error;
  if (Error error = checkInputNames())
    return error;
  if (Error error = checkFilesUsed())
    return error;
  if (!isFirst())
    return Error::success();
  for (const std::optional<TensorFile> *file : {&inputs, &weights})
    if (*file)
      (*file)->printRemarks(remarks);
  remarkDrawn();
  return Error::success();
}

/// Provides values that only the first rank needs, after the others have
/// finished with theirs.
Error Command::provideForComparison() {
  if (baseline)
    if (Error error = provideValues(*baseline))
      return error;
  if (baseline && !otherEngine)
    return Error::success();
  if (Error error = loadSubject(whole.emplace(), request.irPath))
    return error;
  if (Error error = bind(*whole, request.irPath))
    return error;
  return provideValues(*whole);
}
