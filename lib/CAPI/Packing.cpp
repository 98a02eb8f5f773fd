//===- Packing.cpp - packs weights in memory by recipes -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock-c/Package.h"

#include "Handles.h"
#include "parablock/Transforms/Recipe/PackTensors.h"

using namespace parablock;
using llvm::Error;
using llvm::StringRef;

namespace {
/// The names of a packed weight and its originals, with zeros behind them.
struct PackedNames {
  std::string name;
  std::vector<std::string> originals;
};
} // namespace

struct ParablockPacking {
  ParablockContext &getContext() const { return *owner; }

  llvm::IntrusiveRefCntPtr<ParablockContext> owner;
  recipe::Recipe recipe;
  std::vector<PackedNames> names;
};

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
