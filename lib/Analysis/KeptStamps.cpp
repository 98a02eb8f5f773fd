//===- KeptStamps.cpp - parses and prints stamps as attributes ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/KeptStamps.h"

#include "mlir/IR/Builders.h"
#include "parablock/Analysis/Decisions.h"

using namespace mlir;
using namespace parablock;
using block::ApproxAttr;
using block::LayerOp;

/// Number of layers if the function's layers are not those of the stamps.
static constexpr int64_t kUncounted = -1;

ApproxAttr parablock::joinStamps(ApproxAttr older, ApproxAttr newer) {
  if (!older || older == newer)
    return newer;
  if (!newer)
    return older;
  return ApproxAttr::get(newer.getContext(), newer.getPass(),
                         newer.getParameters(), newer.getMeasured(),
                         joinStamps(older, newer.getPrevious()));
}

//===----------------------------------------------------------------------===//
// The attribute
//===----------------------------------------------------------------------===//

/// Returns the stamp in a list of dictionaries, starting at `first`; null for
/// anything else.
static ApproxAttr readStamp(ArrayRef<Attribute> list) {
  ApproxAttr stamp;
  for (Attribute each : llvm::reverse(list)) {
    auto entry = dyn_cast<DictionaryAttr>(each);
    auto pass = entry ? entry.getAs<StringAttr>("pass") : StringAttr();
    auto text = entry ? entry.getAs<StringAttr>("parameters") : StringAttr();
    Attribute measured = entry ? entry.get("measured") : Attribute();
    if (!pass || !text || !measured)
      return {};
    auto refuse = [&] { return emitError(UnknownLoc::get(each.getContext())); };
    ScopedDiagnosticHandler silence(each.getContext(),
                                    [](Diagnostic &) { return success(); });
    stamp = ApproxAttr::getChecked(refuse, each.getContext(), pass.getValue(),
                                   text.getValue(), measured, stamp);
    if (!stamp)
      return {};
  }
  return stamp;
}

static std::optional<KeptStamps> parse(Attribute attribute) {
  auto whole = dyn_cast<DictionaryAttr>(attribute);
  auto layers = whole ? whole.getAs<IntegerAttr>("layers") : IntegerAttr();
  auto list = whole ? whole.getAs<ArrayAttr>("stamps") : ArrayAttr();
  if (!layers || !list)
    return std::nullopt;
  KeptStamps kept;
  kept.layers = layers.getValue().getSExtValue();
  for (Attribute each : list) {
    auto entry = dyn_cast<DictionaryAttr>(each);
    auto layer = entry ? entry.getAs<IntegerAttr>("layer") : IntegerAttr();
    auto name = entry ? entry.getAs<StringAttr>("name") : StringAttr();
    auto by = entry ? entry.getAs<ArrayAttr>("by") : ArrayAttr();
    ApproxAttr stamp = by ? readStamp(by.getValue()) : ApproxAttr();
    if (!layer || !name || !stamp)
      return std::nullopt;
    kept.stamps.push_back(
        {layer.getValue().getSExtValue(), name.getValue(), stamp});
  }
  return kept;
}

static DictionaryAttr print(MLIRContext *context, const KeptStamps &kept) {
  Builder builder(context);
  auto makeDictionary = [&](ArrayRef<std::pair<StringRef, Attribute>> named) {
    return builder.getDictionaryAttr(
        llvm::map_to_vector(named, [&](const auto &each) {
          return builder.getNamedAttr(each.first, each.second);
        }));
  };
  SmallVector<Attribute> list;
  for (const KeptStamp &each : kept.stamps) {
    SmallVector<Attribute> by;
    for (ApproxAttr stamp = each.stamp; stamp; stamp = stamp.getPrevious())
      by.push_back(makeDictionary(
          {{"pass", builder.getStringAttr(stamp.getPass())},
           {"parameters", builder.getStringAttr(stamp.getParameters())},
           {"measured", stamp.getMeasured()}}));
    list.push_back(
        makeDictionary({{"layer", builder.getI64IntegerAttr(each.layer)},
                        {"name", builder.getStringAttr(each.name)},
                        {"by", builder.getArrayAttr(by)}}));
  }
  return makeDictionary({{"layers", builder.getI64IntegerAttr(kept.layers)},
                         {"stamps", builder.getArrayAttr(list)}});
}

FailureOr<KeptStamps> parablock::readKeptStamps(Operation *function) {
  Attribute attribute = function->getDiscardableAttr(kStampsAttr);
  if (!attribute)
    return KeptStamps();
  if (std::optional<KeptStamps> kept = parse(attribute))
    return *kept;
  return function->emitOpError()
         << "expected '" << kStampsAttr
         << "' to be stamps of layers, as convert-block-to-linalg leaves them, "
            "got "
         << attribute;
}

//===----------------------------------------------------------------------===//
// Between layers and function
//===----------------------------------------------------------------------===//

static SmallVector<LayerOp> findLayers(FunctionOpInterface function) {
  SmallVector<LayerOp> layers;
  function.walk([&](LayerOp layer) {
    if (!layer.getBackward())
      layers.push_back(layer);
  });
  return layers;
}

LogicalResult parablock::keepStamps(FunctionOpInterface function,
                                    StringRef pass) {
  FailureOr<KeptStamps> kept = readKeptStamps(function);
  if (failed(kept))
    return failure();
  SmallVector<LayerOp> layers = findLayers(function);
  size_t before = kept->stamps.size();
  for (auto [number, layer] : llvm::enumerate(layers))
    if (ApproxAttr stamp = layer.getApproxAttr())
      kept->stamps.push_back(
          {static_cast<int64_t>(number), layer.getLabel(), stamp});
  size_t added = kept->stamps.size() - before;
  if (added == 0)
    return success();
  kept->layers = before == 0 ? static_cast<int64_t>(layers.size()) : kUncounted;
  function->setDiscardableAttr(kStampsAttr,
                               print(function.getContext(), *kept));
  remarkAnalysis(function, pass, "stamps",
                 "the function keeps the stamps of " + Twine(added) +
                     " approximate layers in '" + kStampsAttr + "'",
                 {{"layers", static_cast<double>(added)}});
  return success();
}

LogicalResult parablock::restoreStamps(FunctionOpInterface function,
                                       StringRef pass) {
  FailureOr<KeptStamps> kept = readKeptStamps(function);
  if (failed(kept))
    return failure();
  if (kept->stamps.empty())
    return success();
  SmallVector<LayerOp> layers = findLayers(function);
  double count = static_cast<double>(kept->stamps.size());
  int64_t found = static_cast<int64_t>(layers.size());
  bool isSame = kept->layers == found &&
                llvm::all_of(kept->stamps, [&](const KeptStamp &each) {
                  return each.layer >= 0 && each.layer < found;
                });
  if (!isSame) {
    remarkAnalysis(function, pass, "stamps",
                   "the function keeps the stamps of " +
                       Twine(kept->stamps.size()) +
                       " approximate layers: it has " + Twine(found) +
                       " layers, not those that it had",
                   {{"layers", count}});
    return success();
  }
  for (const KeptStamp &each : kept->stamps) {
    LayerOp layer = layers[each.layer];
    layer.setApproxAttr(joinStamps(each.stamp, layer.getApproxAttr()));
  }
  function->removeDiscardableAttr(kStampsAttr);
  remarkAnalysis(function, pass, "stamps",
                 Twine(kept->stamps.size()) +
                     " approximate layers have their stamps again",
                 {{"layers", count}});
  return success();
}

void parablock::takeStamps(Operation *to, DictionaryAttr from) {
  std::optional<KeptStamps> more = parse(from), all;
  if (!more)
    return;
  if (Attribute own = to->getDiscardableAttr(kStampsAttr))
    all = parse(own);
  if (!all)
    all = KeptStamps();
  all->layers = kUncounted;
  all->stamps.append(more->stamps);
  to->setDiscardableAttr(kStampsAttr, print(to->getContext(), *all));
}
