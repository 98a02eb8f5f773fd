//===- Packing.cpp - packs weights in memory by recipes -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock-c/Package.h"

#include "DevicePackage.h"
#include "Handles.h"
#include "mlir/Parser/Parser.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Transforms/Recipe/DeviceForm.h"
#include "parablock/Transforms/Recipe/PackTensors.h"
#include "llvm/ADT/StringMap.h"

using namespace parablock;
using llvm::Error;
using llvm::StringRef;

namespace {
/// The names of a packed weight and its originals, with zeros behind them.
struct PackedNames {
  std::string name;
  std::vector<std::string> originals;
};

/// The first weight that a program for devices packs; -1 and the reason if
/// there is none.
struct DeviceProgram {
  int64_t first;
  std::string reason;
};
} // namespace

struct ParablockPacking {
  ParablockContext &getContext() const { return *owner; }
  /// Finds the programs for devices, once.
  void findDeviceForms() const;

  llvm::IntrusiveRefCntPtr<ParablockContext> owner;
  recipe::Recipe recipe;
  std::vector<PackedNames> names;
  mutable std::vector<DeviceProgram> programs;
};

void ParablockPacking::findDeviceForms() const {
  llvm::StringMap<int64_t> first;
  for (size_t i = programs.size(); i < names.size(); ++i) {
    recipe::DeviceForm form = recipe::makeDeviceForm(recipe, i);
    int64_t number = -1;
    if (!form.module.empty())
      number = first.try_emplace(form.module, i).first->second;
    programs.push_back({number, std::move(form.reason)});
  }
}

static Error create(ParablockContext &context, StringRef path,
                    ParablockPacking *&made) {
  llvm::Expected<recipe::Recipe> recipe = recipe::readRecipe(path);
  if (!recipe)
    return recipe.takeError();
  auto packing = std::make_unique<ParablockPacking>();
  packing->owner = &context;
  packing->recipe = std::move(*recipe);
  mlir::func::FuncOp prepack = packing->recipe.prepack;
  for (unsigned i = 0; i < prepack.getNumResults(); ++i) {
    PackedNames &names = packing->names.emplace_back();
    names.name = recipe::getResultName(prepack, i).str();
    for (StringRef original : recipe::listOriginals(packing->recipe, i))
      names.originals.push_back(original.str());
  }
  made = packing.release();
  return Error::success();
}

ParablockStatus parablockPackingCreate(ParablockContext *context,
                                       const char *recipe,
                                       ParablockPacking **packing) {
  return capi::run(context, {recipe, packing},
                   [&] { return create(*context, recipe, *packing); });
}

void parablockPackingDestroy(ParablockPacking *packing) { delete packing; }

size_t parablockPackingCount(const ParablockPacking *packing) {
  return packing ? packing->names.size() : 0;
}

const char *parablockPackingGetName(const ParablockPacking *packing,
                                    size_t index) {
  return index < parablockPackingCount(packing)
             ? packing->names[index].name.c_str()
             : nullptr;
}

const char *parablockPackingGetOriginal(const ParablockPacking *packing,
                                        size_t index, size_t original) {
  if (index >= parablockPackingCount(packing) ||
      original >= packing->names[index].originals.size())
    return nullptr;
  return packing->names[index].originals[original].c_str();
}

int32_t parablockPackingIsOriginal(const ParablockPacking *packing,
                                   size_t index) {
  return index < parablockPackingCount(packing) &&
         packing->names[index].originals.size() == 1 &&
         recipe::isOriginal(packing->recipe, index);
}

//===----------------------------------------------------------------------===//
// Programs for devices
//===----------------------------------------------------------------------===//

int64_t parablockPackingGetDeviceProgram(const ParablockPacking *packing,
                                         size_t index) {
  bool isFound = index < parablockPackingCount(packing) &&
                 capi::contain([&] { packing->findDeviceForms(); });
  return isFound ? packing->programs[index].first : -1;
}

const char *parablockPackingGetDeviceReason(const ParablockPacking *packing,
                                            size_t index) {
  bool isNone = parablockPackingGetDeviceProgram(packing, index) < 0 &&
                index < parablockPackingCount(packing) &&
                index < packing->programs.size();
  return isNone ? packing->programs[index].reason.c_str() : nullptr;
}

static Error writePackage(ParablockPacking &packing, size_t index,
                          const ParablockDevicePackageOptions &options,
                          StringRef path) {
  if (index >= packing.names.size())
    return llvm::createStringError("expected a weight below " +
                                   llvm::Twine(packing.names.size()) +
                                   ", got " + llvm::Twine(index));
  recipe::DeviceForm form = recipe::makeDeviceForm(packing.recipe, index);
  if (form.module.empty())
    return llvm::createStringError("weight '" + packing.names[index].name +
                                   "': no program for devices: " + form.reason);
  mlir::MLIRContext &context = packing.getContext().context;
  auto module = mlir::parseSourceString<mlir::ModuleOp>(form.module, &context);
  if (!module)
    return llvm::createStringError("cannot read the program of weight '" +
                                   packing.names[index].name + "'");
  auto function = *module->getOps<mlir::func::FuncOp>().begin();
  mlir::Builder builder(&context);
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    function.setArgAttr(i, block::kInputAttr,
                        builder.getStringAttr(std::to_string(i)));
  function.setResultAttr(0, block::kOutputAttr,
                         builder.getStringAttr("packed"));
  return capi::writeDevicePackage(*module, capi::DeviceFunction::Packing,
                                  options, path);
}

ParablockStatus
parablockPackingWriteDevicePackage(ParablockPacking *packing, size_t index,
                                   const ParablockDevicePackageOptions *options,
                                   const char *path) {
  return capi::run(packing, {options, path}, [&] {
    return writePackage(*packing, index, *options, path);
  });
}

//===----------------------------------------------------------------------===//
// Packing in memory
//===----------------------------------------------------------------------===//

static llvm::Expected<recipe::OriginalTensor>
readOriginal(const std::string &name, const ParablockTensor &tensor) {
  std::optional<ElementType> type =
      tensor.type ? parseElementTypeKeyword(tensor.type) : std::nullopt;
  if (!type || !tensor.data || (tensor.rank && !tensor.shape))
    return llvm::createStringError(
        "weight '" + name + "': expected data, a known type and a shape");
  recipe::OriginalTensor original;
  original.type = *type;
  original.shape.assign(tensor.shape, tensor.shape + tensor.rank);
  uint64_t bytes = getElementSize(*type);
  for (int64_t size : original.shape)
    bytes *= static_cast<uint64_t>(size);
  original.bytes = {static_cast<const uint8_t *>(tensor.data), bytes};
  return original;
}

static Error pack(ParablockPacking &packing, size_t index,
                  llvm::ArrayRef<ParablockTensor> given,
                  ParablockPieceHandler handler, void *data) {
  if (index >= packing.names.size())
    return llvm::createStringError("expected a weight below " +
                                   llvm::Twine(packing.names.size()) +
                                   ", got " + llvm::Twine(index));
  const PackedNames &names = packing.names[index];
  llvm::SmallVector<recipe::OriginalTensor> originals;
  for (auto [name, tensor] : llvm::zip(names.originals, given)) {
    llvm::Expected<recipe::OriginalTensor> original =
        readOriginal(name, tensor);
    if (!original)
      return original.takeError();
    originals.push_back(std::move(*original));
  }
  // A number of others than those is refused by what packs them.
  originals.resize(given.size());
  auto receive = [&](uint64_t offset, llvm::ArrayRef<uint8_t> bytes) -> Error {
    if (handler(data, offset, bytes.data(), bytes.size()) == 0)
      return Error::success();
    return llvm::createStringError("weight '" + names.name +
                                   "': the caller stopped");
  };
  return recipe::packTensor(packing.recipe, index, originals, receive);
}

ParablockStatus parablockPackingPack(ParablockPacking *packing, size_t index,
                                     const ParablockTensor *originals,
                                     size_t count,
                                     ParablockPieceHandler handler,
                                     void *data) {
  return capi::run(
      packing, {reinterpret_cast<const void *>(handler)}, [&]() -> Error {
        if (count && !originals)
          return capi::createNullError();
        return pack(*packing, index, {originals, count}, handler, data);
      });
}
