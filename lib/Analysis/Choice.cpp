//===- Choice.cpp - parses, validates and writes choice files -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/Choice.h"

#include "parablock/Support/AtomicOutput.h"
#include "parablock/Support/StrictJSON.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace parablock;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

static Error fail(const Twine &message) {
  return llvm::createStringError(message);
}

bool parablock::isPathBelow(StringRef path) {
  return !path.empty() && !llvm::sys::path::is_absolute(path) &&
         !llvm::is_contained(llvm::make_range(llvm::sys::path::begin(path),
                                              llvm::sys::path::end(path)),
                             "..");
}

/// Checks the invariants of a choice.
static Error checkChoice(const Choice &choice) {
  StringRef digits = choice.modelHash;
  if (!digits.consume_front("sha256:") || digits.size() != 64 ||
      !llvm::all_of(digits, llvm::isHexDigit))
    return fail("expected model_hash to be sha256: and 64 hex digits, got '" +
                choice.modelHash + "'");
  for (double scale : {choice.scale, choice.attentionScale, choice.mlpScale})
    if (!std::isfinite(scale))
      return fail("expected finite scales");
  if (choice.kl && !(*choice.kl >= 0 && std::isfinite(*choice.kl)))
    return fail("expected kl to be a finite number of at least 0");
  if ((choice.ladder || choice.shortcut) && choice.norm != SecondNorm::Separate)
    return fail(llvm::Twine("expected norm to be separate in ") +
                (choice.ladder ? "ladders" : "shortcuts") + ", got '" +
                getEnumName(choice.norm) + "'");
  for (LayerPair pair : choice.chosen)
    if (choice.shortcut && !pair.shifted)
      return fail("expected names such as 4+ in 'chosen' of shortcuts, got '" +
                  pair.getName() + "'");
  if (choice.router == RouterInput::Serial)
    for (LayerPair pair : choice.chosen)
      if (choice.ladder || pair.shifted)
        return fail("expected router to be parallel for " +
                    (choice.ladder ? std::string("a ladder")
                                   : "the pair " + pair.getName()) +
                    ", got 'serial'");
  if (!choice.weightsFile.empty() && !isPathBelow(choice.weightsFile))
    return fail("expected weights_file to lie in the folder of the choice, "
                "got '" +
                choice.weightsFile + "'");
  for (const AddedParameter &added : choice.addedParameters) {
    bool isFactor = llvm::is_contained({"left", "right"}, added.getKind());
    if (!llvm::is_contained({"q", "k", "v", "o", "up", "gate", "down"},
                            added.getProjection()) ||
        (!isFactor && added.getKind() != "bias"))
      return fail("added_parameters: no operand is called '" + added.operand +
                  "'");
    if (added.name.empty() || added.index < 0)
      return fail("added_parameters: expected an index of at least 0 and a "
                  "name that is not empty");
    if (isFactor ? added.rank < 1 : added.rank != 0)
      return fail("added_parameters: expected a rank of " +
                  Twine(isFactor ? "at least 1" : "0") + " for '" +
                  added.operand + "', got " + Twine(added.rank));
  }
  return checkMatching(choice.chosen);
}

namespace {
/// Reads the keys of one object; the first problem stays.
class ObjectReader {
public:
  ObjectReader(const json::Object &object, StringRef where, Error &error)
      : object(object), where(where), error(error) {}

  template <typename T> void require(StringRef key, T &to) {
    if (!object.get(key))
      return note("has no '" + key + "'");
    read(key, to);
  }

  template <typename T> void read(StringRef key, T &to) {
    const json::Value *value = object.get(key);
    if (!value)
      return;
    json::Path::Root root;
    if (!json::fromJSON(*value, to, root))
      note("has a '" + key + "' of the wrong type");
  }

  template <typename Enum> void readName(StringRef key, Enum &to) {
    std::string name = getEnumName(to).str();
    read(key, name);
    std::optional<Enum> known = parseName<Enum>(name);
    if (!known && !error)
      error = fail("expected " + key + " to be " + listNames<Enum>() +
                   ", got '" + name + "'");
    to = known.value_or(to);
  }

  void note(const Twine &problem) {
    if (!error)
      error = fail(where + " " + problem);
  }

private:
  const json::Object &object;
  StringRef where;
  Error &error;
};
} // namespace

static Error readChosen(const std::vector<std::string> &names, Choice &choice) {
  for (const std::string &name : names) {
    std::optional<LayerPair> pair = LayerPair::parse(name);
    if (!pair)
      return fail("expected names such as 3 or 4+ in 'chosen', got '" + name +
                  "'");
    choice.chosen.push_back(*pair);
  }
  llvm::sort(choice.chosen);
  return Error::success();
}

static Error readAdded(const json::Array &list, Choice &choice) {
  for (const json::Value &entry : list) {
    const json::Object *object = entry.getAsObject();
    if (!object)
      return fail("expected objects in 'added_parameters'");
    Error error = Error::success();
    AddedParameter added;
    ObjectReader reader(*object, "an entry of 'added_parameters'", error);
    reader.require("index", added.index);
    reader.require("operand", added.operand);
    reader.require("name", added.name);
    reader.read("rank", added.rank);
    if (error)
      return error;
    choice.addedParameters.push_back(std::move(added));
  }
  return Error::success();
}

static Error readFields(const json::Object &object, Choice &choice) {
  Error error = Error::success();
  ObjectReader reader(object, "the file", error);
  int64_t schema = 0;
  std::vector<std::string> chosen;
  reader.require("schema", schema);
  if (!error && schema != 1)
    reader.note("has schema " + Twine(schema) + ", expected 1");
  reader.require("model_hash", choice.modelHash);
  reader.require("chosen", chosen);
  Pairing pairing = Pairing::Block;
  reader.readName("pairing", pairing);
  choice.ladder = pairing == Pairing::Ladder;
  choice.shortcut = pairing == Pairing::Shortcut;
  if (pairing != Pairing::Block && !choice.ladder && !choice.shortcut)
    reader.note("has the pairing '" + getEnumName(pairing) +
                "', expected ladder, shortcut or none");
  reader.readName("norm", choice.norm);
  reader.readName("router", choice.router);
  reader.readName("correction", choice.correction);
  reader.read("weights_hash", choice.weightsHash);
  reader.read("weights_file", choice.weightsFile);
  reader.read("data_hash", choice.dataHash);
  reader.read("kl", choice.kl);
  if (const json::Value *scales = object.get("scales")) {
    const json::Object *factors = scales->getAsObject();
    if (!factors) {
      reader.note("has 'scales' that are not an object");
    } else {
      ObjectReader inner(*factors, "'scales'", error);
      inner.read("scale", choice.scale);
      inner.read("attn_scale", choice.attentionScale);
      inner.read("mlp_scale", choice.mlpScale);
    }
  }
  const json::Value *added = object.get("added_parameters");
  if (added && !added->getAsArray())
    reader.note("has 'added_parameters' that are not a list");
  if (error)
    return error;
  if (Error wrong = readChosen(chosen, choice))
    return wrong;
  return added ? readAdded(*added->getAsArray(), choice) : Error::success();
}

int64_t Choice::getRank() const {
  int64_t rank = 0;
  for (const AddedParameter &added : addedParameters)
    rank = std::max(rank, added.rank);
  return rank;
}

Error parablock::checkRank(const AddedParameter &added, int64_t outputs,
                           int64_t inputs) {
  int64_t most = std::min(outputs, inputs);
  if (added.rank <= most)
    return Error::success();
  return fail("expected a rank of at most " + Twine(most) + " for '" +
              added.operand + "' of layer " + Twine(added.index) + ", got " +
              Twine(added.rank));
}

json::Object parablock::describe(const AddedParameter &added) {
  json::Object object{
      {"index", added.index}, {"operand", added.operand}, {"name", added.name}};
  if (added.rank != 0)
    object["rank"] = added.rank;
  return object;
}

llvm::Expected<Choice> parablock::readChoice(StringRef path) {
  llvm::Expected<json::Object> object = readJSONObject(path);
  if (!object)
    return object.takeError();
  Choice choice;
  Error error = readFields(*object, choice);
  if (!error)
    error = checkChoice(choice);
  if (error)
    return fail(path + ": " + llvm::toString(std::move(error)));
  return choice;
}

Error parablock::writeChoice(StringRef path, const Choice &choice) {
  Choice sorted = choice;
  llvm::sort(sorted.chosen);
  if (Error error = checkChoice(sorted))
    return fail(path + ": " + llvm::toString(std::move(error)));
  json::Array chosen, added;
  for (LayerPair pair : sorted.chosen)
    chosen.push_back(pair.getName());
  for (const AddedParameter &parameter : sorted.addedParameters)
    added.push_back(describe(parameter));
  json::Object object{
      {"schema", 1},
      {"model_hash", sorted.modelHash},
      {"chosen", std::move(chosen)},
      {"norm", getEnumName(sorted.norm)},
      {"scales", json::Object{{"scale", sorted.scale},
                              {"attn_scale", sorted.attentionScale},
                              {"mlp_scale", sorted.mlpScale}}},
      {"correction", getEnumName(sorted.correction)},
      {"added_parameters", std::move(added)},
      {"weights_hash", sorted.weightsHash},
      {"weights_file", sorted.weightsFile},
      {"data_hash", sorted.dataHash},
      {"kl", sorted.kl ? json::Value(*sorted.kl) : json::Value(nullptr)}};
  if (sorted.router == RouterInput::Serial)
    object["router"] = getEnumName(sorted.router);
  if (sorted.ladder)
    object["pairing"] = getEnumName(Pairing::Ladder);
  if (sorted.shortcut)
    object["pairing"] = getEnumName(Pairing::Shortcut);
  return writeFile(
      path, llvm::formatv("{0:2}\n", json::Value(std::move(object))).str());
}
