//===- CommandLoading.cpp - what block-run runs, and on what --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Command.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "parablock/IR/BlockDialect.h"
#include "parablock/IR/Ranks.h"
#include "parablock/Runner/ModuleLoading.h"
#include "parablock/Runner/Prepack.h"
#include "parablock/Runner/RankFacts.h"
#include "parablock/Runner/ReferenceEngine.h"
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
  return Error::success();
}

/// From here on, `which` is what this process runs, and reads no more of
/// parameters than that.
void Command::makeOneRank(Subject &which) {
  which.isOneRank = true;
  fixRank(*which.module, request.group->rank());
  auto isInFile = [&](StringRef name) {
    return weights && weights->lookup(name);
  };
  auto prepack = which.module->lookupSymbol<mlir::func::FuncOp>("prepack");
  mlir::func::FuncOp function = which.function.signature.function;
  if (prepack && prepack != function)
    narrowPacked(function, prepack,
                 [&](StringRef name) { return !isInFile(name); });
  // What is packed here now is read as a whole.
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

/// What each rank packs for itself is in no file that all of them read.
Error Command::checkPackedByRank() const {
  mlir::ModuleOp module = *subject->module;
  auto prepack = module.lookupSymbol<mlir::func::FuncOp>("prepack");
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

/// Both functions are bound before either gets values: what one of them says of
/// an input (the size of a vocabulary) holds for the other.
Error Command::loadSubjects() {
  if (Error error = loadSubject(subject.emplace(), request.irPath))
    return error;
  if (Error error = checkRanks())
    return error;
  if (Error error = checkPackedByRank())
    return error;
  if (request.group) {
    moduleHash = hashModule(*subject->module);
    // The whole says of inputs what parts do not.
    if (Error error = bind(*subject, request.irPath, /*isHeld=*/false))
      return error;
    makeOneRank(*subject);
  }
  if (Error error = bind(*subject, request.irPath))
    return error;
  if (!request.baselinePath.empty()) {
    if (Error error = loadSubject(baseline.emplace(), request.baselinePath))
      return error;
    if (Error error = bind(*baseline, request.baselinePath, isFirst()))
      return error;
  }
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
          *which.module, which.function, weights ? &*weights : nullptr,
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
  // Rank 0's are those that stay.
  which.rankArguments.resize(*ranks);
  for (int64_t rank = *ranks; rank-- > 0;) {
    if (Error error = provideFor(which, rank))
      return error;
    which.rankArguments[rank] = which.arguments;
  }
  return Error::success();
}

Error Command::provideAll() {
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
  if (isFirst())
    for (const std::optional<TensorFile> *file : {&inputs, &weights})
      if (*file)
        (*file)->printRemarks(remarks);
  return Error::success();
}

/// What only the first rank needs, and only when the others have no use for it
/// any more.
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
