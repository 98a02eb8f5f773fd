//===- CheckpointOptions.cpp - parses budgets and choices -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CheckpointOptions.h"

#include "parablock/Support/StrictJSON.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

//===----------------------------------------------------------------------===//
// The budget
//===----------------------------------------------------------------------===//

std::optional<MemoryBudget> MemoryBudget::parse(StringRef text) {
  if (text == "min")
    return MemoryBudget{0, true};
  MemoryBudget budget;
  double unit = 1;
  if (text.consume_back("%"))
    budget.isShare = true;
  else if (text.consume_back("KiB"))
    unit = 1024;
  else if (text.consume_back("MiB"))
    unit = 1048576;
  else if (text.consume_back("GiB"))
    unit = 1073741824;
  // No sign, exponent or name of a number.
  if (text.empty() ||
      text.find_first_not_of("0123456789.") != StringRef::npos ||
      text.getAsDouble(budget.number))
    return std::nullopt;
  budget.number *= unit;
  if (budget.number > (budget.isShare ? 100.0 : 9.2e18))
    return std::nullopt;
  return budget;
}

uint64_t MemoryBudget::resolve(uint64_t least, uint64_t most) const {
  double spread = static_cast<double>(most - least) * number / 100;
  return isShare ? least + static_cast<uint64_t>(spread)
                 : static_cast<uint64_t>(number);
}

//===----------------------------------------------------------------------===//
// Values that layers keep
//===----------------------------------------------------------------------===//

llvm::Error LayerChoices::add(StringRef label, StringRef kept) {
  if (label.empty() || kept.empty())
    return llvm::createStringError(
        "expected layers to be LABEL:all, LABEL:products, LABEL:nothing or "
        "LABEL:name+name, LABEL#INDEX where one label is of several, separated "
        "by commas, or @FILE, got '" +
        label + ":" + kept + "'");
  if (!keptBy.try_emplace(label, kept.str()).second)
    return llvm::createStringError("expected layer '" + label +
                                   "' once in layers, got it twice");
  return llvm::Error::success();
}

llvm::Expected<LayerChoices> LayerChoices::parse(StringRef text) {
  LayerChoices choices;
  if (text.consume_front("@")) {
    llvm::Expected<llvm::json::Object> object = readJSONObject(text);
    if (!object)
      return object.takeError();
    for (auto &[label, value] : *object) {
      std::optional<llvm::StringRef> kept = value.getAsString();
      if (!kept)
        return llvm::createStringError(text + ": expected \"" +
                                       llvm::StringRef(label) +
                                       "\" to be a string");
      if (llvm::Error error = choices.add(llvm::StringRef(label), *kept))
        return llvm::createStringError(text + ": " +
                                       llvm::toString(std::move(error)));
    }
    return choices;
  }
  SmallVector<StringRef> entries;
  text.split(entries, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef entry : entries) {
    auto [label, kept] = entry.rsplit(':');
    if (llvm::Error error = choices.add(label, kept))
      return error;
  }
  return choices;
}

std::optional<StringRef> LayerChoices::find(const LayerRecompute &layer) const {
  auto found = keptBy.find(layer.getUniqueLabel());
  for (StringRef label : {layer.getLabel(), StringRef("*")})
    if (found == keptBy.end())
      found = keptBy.find(label);
  if (found == keptBy.end())
    return std::nullopt;
  return StringRef(found->second);
}

llvm::Expected<LayerRecompute::Choice>
LayerChoices::resolve(StringRef kept, const LayerRecompute &layer) {
  LayerRecompute::Choice choice(layer.getNumCandidates(), kept != "all");
  if (kept == "all" || kept == "nothing")
    return choice;
  if (kept == "products") {
    choice.assign(choice.size(), false);
    // Values may be free separately but require a product together.
    for (bool &again : choice) {
      again = true;
      again = layer.estimate(choice).flops == 0;
    }
    return choice;
  }
  ArrayRef<std::string> names = layer.getNames();
  SmallVector<StringRef> words;
  kept.split(words, '+');
  for (StringRef word : words) {
    const std::string *name = llvm::find(names, word);
    if (name == names.end())
      return llvm::createStringError("expected layer '" + layer.getLabel() +
                                     "' to keep all, products, nothing or " +
                                     llvm::join(names, "+") + ", got '" + word +
                                     "'");
    choice[name - names.begin()] = false;
  }
  return choice;
}

llvm::Error LayerChoices::check(ArrayRef<LayerRecompute> layers) const {
  for (const auto &entry : keptBy) {
    StringRef label = entry.getKey();
    if (label != "*" && llvm::none_of(layers, [&](const LayerRecompute &layer) {
          return layer.getLabel() == label || layer.getUniqueLabel() == label;
        }))
      return llvm::createStringError("no layer with a gradient has label '" +
                                     label + "' (layers)");
  }
  return llvm::Error::success();
}
