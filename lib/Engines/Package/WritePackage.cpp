//===- WritePackage.cpp - compiles code and writes all files --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Package/WritePackage.h"

#include "Manifest.h"
#include "PackageFolder.h"
#include "RankModules.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/OwningOpRef.h"
#include "parablock/Analysis/FittedLayers.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Engines/Device/ReadLaunchPlan.h"
#include "parablock/Engines/Launch/KernelSignature.h"
#include "parablock/Execution/CacheLimits.h"
#include "parablock/Execution/InputFacts.h"
#include "parablock/Support/Chips.h"
#include "parablock/Support/LineWrapper.h"
#include "parablock/Target/DeviceCode.h"
#include "parablock/Target/MachineCode/Assembler.h"
#include "parablock/Transforms/Shard/Ranks.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"

using namespace parablock;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// One for each rank, where there are several.
static std::string getRecipeName(int64_t rank, int64_t ranks) {
  return ranks == 1 ? "recipe.mlir"
                    : "recipe.rank" + std::to_string(rank) + ".mlir";
}

namespace {
class PackageWriter {
public:
  PackageWriter(mlir::ModuleOp module, const PackageOptions &options,
                const DeviceLowering &lower, llvm::raw_ostream &remarks,
                PackageFolder &folder)
      : module(module), options(options), lower(lower), remarks(remarks),
        folder(folder) {}

  Error write(const DevicePreparation &prepare);

private:
  Error writeModel();
  /// Forms kernels, and makes `device` a module with those of all ranks.
  Error prepareRanks(const DevicePreparation &prepare, StringRef chip);
  Error adoptRecipe(int64_t rank);
  Error collectLimits(mlir::func::FuncOp function);
  Error describeFunction();
  bool isNarrowed(const runner::Argument &input) const;
  Error describeResults(const LaunchPlan &plan);
  Error readPlans(mlir::ModuleOp lowered, PackageCode &code);
  Error writeCode(StringRef chip);
  Error writeAssembly(PackageCode &code, StringRef ptx);
  /// Returns how kernels are compiled one by one.
  CompileHooks makeHooks(StringRef chip) const;
  Error writeImages(PackageCode &code, const DeviceObject &object);

  mlir::ModuleOp module;
  const PackageOptions &options;
  const DeviceLowering &lower;
  llvm::raw_ostream &remarks;
  PackageFolder &folder;
  std::string functionName;
  int64_t ranks = 1;
  mlir::OwningOpRef<mlir::ModuleOp> device;
  Package package;
  std::vector<std::string> approximations;
  /// Limits of inputs, by name.
  llvm::StringMap<std::vector<PackageLimit>> limits;
  llvm::StringMap<PackageCaches> caches;
};
} // namespace

static Error store(Expected<PackageFile> file, PackageFile &target) {
  if (!file)
    return file.takeError();
  target = std::move(*file);
  return Error::success();
}

void parablock::dropFileNames(mlir::ModuleOp module) {
  mlir::AttrTypeReplacer replacer;
  replacer.addReplacement([](block::DecisionAttr decision) -> mlir::Attribute {
    mlir::StringAttr place = decision.getLocation();
    if (!place)
      return decision;
    auto [rest, column] = place.getValue().rsplit(':');
    auto [file, line] = rest.rsplit(':');
    if (line.empty())
      return decision;
    return block::DecisionAttr::get(
        decision.getContext(), decision.getPass(), decision.getOutcome(),
        decision.getReason(),
        mlir::StringAttr::get(decision.getContext(), line + ":" + column),
        decision.getMetrics());
  });
  replacer.recursivelyReplaceElementsIn(module);
}

/// Writes the function as its kernels were formed, for comparison by block-run.
Error PackageWriter::writeModel() {
  std::string text;
  mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
  dropFileNames(*copy);
  llvm::raw_string_ostream os(text);
  {
    LineWrapper lines(os);
    // Not by <<, which leaves out resources.
    copy->print(lines);
    lines << "\n";
  }
  return store(folder.write("model.mlir", text), package.model);
}

static PlanSize toPlanSize(const runner::Signature &signature,
                           const runner::InputSize &size) {
  if (!size.argument)
    return {size.value, ""};
  const runner::Argument &argument = signature.arguments[*size.argument];
  const std::string &name = argument.dims[size.dim];
  return name.empty() ? PlanSize{argument.shape[size.dim], ""}
                      : PlanSize{0, name};
}

/// Uses the function before its kernels were formed: a rank has a part of a
/// table, but ids of all of it.
Error PackageWriter::collectLimits(mlir::func::FuncOp function) {
  Expected<runner::Signature> signature = runner::readSignature(function);
  if (!signature)
    return signature.takeError();
  for (auto [index, argument] : llvm::enumerate(signature->arguments))
    for (const runner::InputLimit &known :
         runner::collectInputLimits(*signature, index))
      if (!known.isOfPart || known.isWholeKnown)
        limits[argument.name].push_back({known.limit,
                                         toPlanSize(*signature, known.size),
                                         toPlanSize(*signature, known.past)});
  if (auto known = runner::collectCacheLimits(*signature)) {
    PackageCaches &own = caches[signature->arguments[known->pastLengths].name];
    own.tokens = toPlanSize(*signature, known->tokens);
    for (const runner::CacheLimit &cache : known->caches) {
      own.capacities.push_back(toPlanSize(*signature, cache.capacity));
      own.room.caches.push_back({/*capacity=*/0, cache.window});
    }
    for (const runner::TableLimit &table : known->tables) {
      own.room.tables.push_back({table.name, table.pageRows, table.window});
      std::vector<PlanSize> &pools = own.pools.emplace_back();
      for (const runner::InputSize &pages : table.pages)
        if (PlanSize size = toPlanSize(*signature, pages);
            !llvm::is_contained(pools, size))
          pools.push_back(std::move(size));
    }
    own.room.positions = known->positions;
    own.room.countsPadding = known->countsPadding;
    if (known->starts)
      own.starts = signature->arguments[*known->starts].name;
  }
  return Error::success();
}

/// Returns whether an input of all ranks also has columns of other ranks.
bool PackageWriter::isNarrowed(const runner::Argument &input) const {
  mlir::ModuleOp ofAll = module;
  auto whole = ofAll.lookupSymbol<mlir::func::FuncOp>(functionName);
  for (mlir::BlockArgument argument : whole.getArguments())
    if (auto name = whole.getArgAttrOfType<mlir::StringAttr>(
            argument.getArgNumber(), block::kInputAttr);
        name && name.getValue() == input.name)
      return llvm::ArrayRef(input.shape) !=
             mlir::cast<mlir::RankedTensorType>(argument.getType()).getShape();
  return false;
}

Error PackageWriter::describeFunction() {
  auto function = device->lookupSymbol<mlir::func::FuncOp>(functionName);
  package.function = functionName;
  Expected<runner::Signature> signature = runner::readSignature(function);
  if (!signature)
    return signature.takeError();
  for (const runner::Argument &argument : signature->arguments) {
    PlanTensor tensor;
    tensor.name = argument.name;
    tensor.type = getElementTypeKeyword(argument.type).str();
    for (auto [size, name] : llvm::zip_equal(argument.shape, argument.dims)) {
      tensor.shape.push_back(name.empty() ? PlanSize{size, ""}
                                          : PlanSize{0, name});
      if (!name.empty() && !llvm::is_contained(package.dims, name))
        package.dims.push_back(name);
    }
    PackagePort &port = package.arguments.emplace_back();
    port.tensor = std::move(tensor);
    port.isParameter = argument.isParameter;
    port.isOfRank = isNarrowed(argument);
    port.limits = limits.lookup(argument.name);
    if (auto own = caches.find(argument.name); own != caches.end())
      port.caches = own->second;
  }
  for (const runner::Port &result : signature->results)
    package.results.emplace_back().tensor.name = result.name;
  function.walk([&](block::LayerOp layer) {
    package.layers.push_back(
        {layer.getLabel().str(), static_cast<int64_t>(layer.getIndex())});
    std::string approx;
    if (auto stamp = layer.getApproxAttr())
      llvm::raw_string_ostream(approx) << stamp;
    approximations.push_back(std::move(approx));
  });
  package.weights = findWeightsForm(function);
  return Error::success();
}

/// All ranks take the same arguments, each its own values.
static Error checkArguments(mlir::func::FuncOp own, mlir::func::FuncOp first) {
  bool same = own.getArgumentTypes() == first.getArgumentTypes();
  for (unsigned i = 0; same && i < own.getNumArguments(); ++i)
    same = own.getArgAttr(i, block::kParamAttr) ==
           first.getArgAttr(i, block::kParamAttr);
  if (same)
    return Error::success();
  return llvm::createStringError("expected all ranks to take the same "
                                 "arguments, but those of '" +
                                 own.getSymName() + "' are others");
}

Error PackageWriter::adoptRecipe(int64_t rank) {
  std::string name = getRecipeName(rank, ranks);
  std::optional<PackageFile> &constants = package.constants.emplace_back();
  // The file in which block-prepack writes tensors that no checkpoint has.
  std::string beside =
      StringRef(name).drop_back(strlen("mlir")).str() + "safetensors";
  if (llvm::sys::fs::exists(folder.getPath(beside)))
    if (Error error = store(folder.adopt(beside), constants.emplace()))
      return error;
  return store(folder.adopt(name), package.recipes.emplace_back());
}

Error PackageWriter::prepareRanks(const DevicePreparation &prepare,
                                  StringRef chip) {
  Expected<mlir::FunctionOpInterface> model = findModelFunction(module);
  if (!model)
    return model.takeError();
  auto function = llvm::dyn_cast<mlir::func::FuncOp>(model->getOperation());
  if (!function)
    return llvm::createStringError("expected a 'func.func' to package, got '" +
                                   (*model)->getName().getStringRef() + "'");
  functionName = function.getSymName().str();
  ranks = countRanks(module).value_or(1);
  if (Error error = collectLimits(function))
    return error;
  auto form = [&](mlir::ModuleOp target, StringRef recipe) -> Error {
    if (failed(prepare(target, chip, recipe)))
      return llvm::createStringError("cannot form kernels");
    return Error::success();
  };
  if (ranks == 1) {
    if (Error error = form(module, folder.getPath(getRecipeName(0, 1))))
      return error;
    device = module.clone();
    return adoptRecipe(0);
  }
  // The offsets of a rank's parts of weights are known only with the rank.
  if (Error error = form(module, ""))
    return error;
  for (int64_t rank = 0; rank < ranks; ++rank) {
    mlir::OwningOpRef<mlir::ModuleOp> own =
        makeRankModule(module, functionName, rank);
    if (Error error = form(*own, folder.getPath(getRecipeName(rank, ranks))))
      return error;
    if (Error error = adoptRecipe(rank))
      return error;
    if (rank == 0) {
      device = std::move(own);
      continue;
    }
    auto main = own->lookupSymbol<mlir::func::FuncOp>(functionName);
    main->remove();
    device->push_back(main);
    if (Error error = checkArguments(
            main, device->lookupSymbol<mlir::func::FuncOp>(functionName)))
      return error;
    main.setSymName(getRankFunctionName(functionName, rank));
    // The model is that of the first rank.
    main.setPrivate();
  }
  return Error::success();
}

/// Types and sizes of the results, which in the first plan are named
/// dimensions.
Error PackageWriter::describeResults(const LaunchPlan &plan) {
  for (auto [result, index] : llvm::zip_equal(package.results, plan.results)) {
    const PlanTensor &made = plan.tensors[index];
    if (!result.tensor.type.empty() && (result.tensor.type != made.type ||
                                        !(result.tensor.shape == made.shape)))
      return llvm::createStringError("result '" + result.tensor.name +
                                     "' differs between chips or ranks");
    result.tensor.type = made.type;
    result.tensor.shape = made.shape;
  }
  return Error::success();
}

CompileHooks PackageWriter::makeHooks(StringRef chip) const {
  CompileHooks hooks;
  hooks.find = options.findKernel;
  hooks.keep = options.keepKernel;
  if (!options.splitsKernels || options.assembly == PackageOptions::Never)
    return hooks;
  Expected<std::string> assembler = findAssembler(options.cudaPath);
  if (!assembler) {
    // The driver compiles PTX.
    llvm::consumeError(assembler.takeError());
    return hooks;
  }
  hooks.assemble = [this, chip](StringRef ptx) -> Expected<AssembledKernels> {
    Expected<AssembledModule> assembled =
        assemblePTX(ptx, chip, options.cudaPath);
    if (!assembled)
      return assembled.takeError();
    return AssembledKernels{std::move(assembled->cubin),
                            std::move(assembled->report.warnings)};
  };
  return hooks;
}

/// Writes machine code of kernels that were assembled one by one.
Error PackageWriter::writeImages(PackageCode &code,
                                 const DeviceObject &object) {
  std::string cubin;
  for (const DevicePart &part : object.parts) {
    cubin += part.code.cubin;
    code.images.push_back({part.code.cubin.size(), part.functions});
    for (const std::string &warning : part.code.warnings)
      remarks << "warning: " << warning << "\n";
  }
  return store(folder.write(code.chip + ".cubin", cubin), code.cubin.emplace());
}

/// PTX always, machine code where ptxas is.
Error PackageWriter::writeAssembly(PackageCode &code, StringRef ptx) {
  if (Error error = store(folder.write(code.chip + ".ptx", ptx), code.ptx))
    return error;
  if (options.assembly == PackageOptions::Never || options.splitsKernels)
    return Error::success();
  Expected<AssembledModule> assembled =
      assemblePTX(ptx, code.chip, options.cudaPath);
  if (!assembled) {
    if (!assembled.errorIsA<MissingToolError>())
      return assembled.takeError();
    std::string reason = llvm::toString(assembled.takeError());
    if (options.assembly == PackageOptions::IfFoundOrRemark)
      remarks << "remark: no machine code for " << code.chip << ": " << reason
              << "\n";
    return Error::success();
  }
  for (const std::string &warning : assembled->report.warnings)
    remarks << "warning: " << warning << "\n";
  return store(folder.write(code.chip + ".cubin", assembled->cubin),
               code.cubin.emplace());
}

/// Kernels that ranks share exist once, since they were lowered together.
Error PackageWriter::readPlans(mlir::ModuleOp lowered, PackageCode &code) {
  for (int64_t rank = 0; rank < ranks; ++rank) {
    auto program = lowered.lookupSymbol<plan::ProgramOp>(
        getRankFunctionName(functionName, rank));
    if (!program)
      return llvm::createStringError("expected a function that launches "
                                     "kernels, got '" +
                                     functionName + "'");
    mlir::FailureOr<LaunchPlan> plan = readLaunchPlan(program, rank);
    if (failed(plan))
      return llvm::createStringError("cannot make a launch plan for " +
                                     code.chip);
    if (Error error = describeResults(*plan))
      return error;
    code.plans.push_back(std::move(*plan));
  }
  return Error::success();
}

Error PackageWriter::writeCode(StringRef chip) {
  mlir::OwningOpRef<mlir::ModuleOp> lowered = device->clone();
  if (failed(lower(*lowered, chip)))
    return llvm::createStringError("cannot make device code for " + chip);
  PackageCode code;
  code.chip = chip.str();
  code.multiprocessors = getDeviceChip(chip).multiprocessors;
  if (Error error = readPlans(*lowered, code))
    return error;

  Expected<mlir::gpu::GPUModuleOp> kernels = findDeviceModule(*lowered);
  if (!kernels)
    return kernels.takeError();
  Expected<DeviceObject> object =
      compileKernels(*kernels, chip, makeHooks(chip));
  if (!object)
    return object.takeError();
  if (Error error = store(folder.write((chip + ".bc").str(), object->bitcode),
                          code.bitcode))
    return error;
  object->ptx += launch::recordSignatures(code.plans);
  if (Error error = writeAssembly(code, object->ptx))
    return error;
  if (!object->parts.empty())
    if (Error error = writeImages(code, *object))
      return error;
  package.chips.push_back(std::move(code));
  return Error::success();
}

Error PackageWriter::write(const DevicePreparation &prepare) {
  std::vector<std::string> chips = options.chips;
  if (options.addForwardChip && !llvm::is_contained(chips, getForwardChip()))
    chips.push_back(getForwardChip().str());
  if (Error error = prepareRanks(prepare, chips.front()))
    return error;
  if (Error error = writeModel())
    return error;
  if (Error error = describeFunction())
    return error;
  for (const std::string &chip : chips)
    if (Error error = writeCode(chip))
      return error;
  Expected<PackageFile> manifest =
      folder.write(packageManifest, printManifest(package, approximations));
  if (!manifest)
    return manifest.takeError();
  return folder.write(packageHash, launch::formatManifestHash(manifest->sha256))
      .takeError();
}

Error parablock::writePackage(mlir::ModuleOp module, StringRef path,
                              const PackageOptions &options,
                              const DevicePreparation &prepare,
                              const DeviceLowering &lower,
                              llvm::raw_ostream &remarks) {
  Expected<PackageFolder> folder = PackageFolder::create(path);
  if (!folder)
    return folder.takeError();
  if (Error error = PackageWriter(module, options, lower, remarks, *folder)
                        .write(prepare))
    return error;
  return folder->keep();
}
