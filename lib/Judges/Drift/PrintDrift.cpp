//===- PrintDrift.cpp - prints the report as tables -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Judges/Drift/Drift.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace parablock;
namespace json = llvm::json;

/// The number at a path of keys, or a dash.
static std::string getNumber(const json::Object &object,
                             std::initializer_list<llvm::StringRef> path) {
  const json::Object *at = &object;
  const json::Value *value = nullptr;
  for (llvm::StringRef key : path) {
    value = at ? at->get(key) : nullptr;
    at = value ? value->getAsObject() : nullptr;
  }
  std::optional<double> number = value ? value->getAsNumber() : std::nullopt;
  if (!number)
    return "-";
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.4g", *number);
  return text;
}

static void printCell(llvm::raw_ostream &os, const std::string &text) {
  os << "  " << llvm::right_justify(text, 11);
}

/// The corrections that were fitted to single pairs.
static llvm::SmallVector<llvm::StringRef>
findCorrections(const json::Object &report) {
  llvm::SmallVector<llvm::StringRef> found;
  const json::Array &layers = *report.getArray("layers");
  if (layers.empty())
    return found;
  const json::Object &first = *layers.front().getAsObject();
  for (llvm::StringRef name : {"mean-jacobian", "output-refit", "refit"})
    if (first.getObject("recovered")->get(name))
      found.push_back(name);
  return found;
}

/// Returns whether the model has logits, in which KL is measured.
static bool hasLogits(const json::Object &report) {
  return !report.get("measured_kl")->getAsNull();
}

/// Prints each pair; corrections have their KL alone, or the error of the
/// update where the model has no logits.
static void printLayers(llvm::raw_ostream &os, const json::Object &report) {
  llvm::SmallVector<llvm::StringRef> corrections = findCorrections(report);
  os << llvm::left_justify("pair", 5);
  for (const char *title :
       {"error mean", "error p99", "|d|/|x|", "interaction", "nonlinear"})
    printCell(os, title);
  bool hasKl = hasLogits(report);
  if (hasKl)
    for (const char *title : {"KL alone", "perplexity", "same"})
      printCell(os, title);
  for (llvm::StringRef correction : corrections)
    os << "  " << llvm::right_justify(correction, 13);
  os << "\n";
  for (const json::Value &value : *report.getArray("layers")) {
    const json::Object &layer = *value.getAsObject();
    os << llvm::left_justify(*layer.getString("pair"), 5);
    printCell(os, getNumber(layer, {"update_rel_l2", "mean"}));
    printCell(os, getNumber(layer, {"update_rel_l2", "p99"}));
    for (const char *key : {"delta_over_x", "interaction", "nonlinearity"})
      printCell(os, getNumber(layer, {key}));
    if (hasKl)
      for (const char *key :
           {"kl_alone", "perplexity_alone", "generation_alone"})
        printCell(os, getNumber(layer, {key}));
    for (llvm::StringRef correction : corrections) {
      std::string number =
          hasKl ? getNumber(layer, {"recovered", correction, "kl_alone"})
                : getNumber(layer,
                            {"recovered", correction, "update_rel_l2", "mean"});
      os << "  " << llvm::right_justify(number, 13);
    }
    os << "\n";
  }
}

static std::string joinChosen(const json::Object &report) {
  std::string text;
  for (const json::Value &name : *report.getArray("chosen")) {
    if (!text.empty())
      text += ",";
    text += name.getAsString()->str();
  }
  return text.empty() ? "none" : text;
}

/// Prints the cost of rounding weights to codes.
static void printRounding(llvm::raw_ostream &os, const json::Object &report) {
  os << llvm::left_justify("projection", 12);
  printCell(os, "nearest");
  printCell(os, "compensated");
  os << "\n";
  for (const json::Value &value : *report.getArray("projections")) {
    const json::Object &projection = *value.getAsObject();
    std::string name = std::to_string(*projection.getInteger("index")) + "." +
                       projection.getString("projection")->str();
    os << llvm::left_justify(name, 12);
    printCell(os, getNumber(projection, {"error", "nearest"}));
    printCell(os, getNumber(projection, {"error", "compensated"}));
    if (int64_t lost = *projection.getInteger("lost_codes"))
      os << "  " << lost << " codes lost to the type of the file";
    os << "\n";
  }
  for (llvm::StringRef name : {"kl", "top1"})
    if (report.get(name)) {
      os << llvm::left_justify(name, 12);
      printCell(os, getNumber(report, {name, "nearest"}));
      printCell(os, getNumber(report, {name, "compensated"}));
      os << "\n";
    }
  if (!report.get("activations"))
    return;
  os << llvm::left_justify("rows in fp8", 12);
  printCell(os, "with nearest");
  printCell(os, "alone");
  os << "\n";
  for (llvm::StringRef name : {"kl", "top1"}) {
    os << llvm::left_justify(name, 12);
    printCell(os, getNumber(report, {"activations", name, "all"}));
    printCell(os, getNumber(report, {"activations", name, "alone"}));
    os << "\n";
  }
}

/// Describes the pair with the lowest cost alone, and its cost.
static std::string describeCheapest(const json::Object &report) {
  const json::Object *cheapest = nullptr;
  double least = 0;
  for (const json::Value &value : *report.getArray("layers")) {
    const json::Object &layer = *value.getAsObject();
    std::optional<double> cost = layer.getNumber("kl_alone_corrected");
    if (!cost || (cheapest && *cost >= least))
      continue;
    cheapest = &layer;
    least = *cost;
  }
  if (!cheapest)
    return "";
  return "; the cheapest, " + cheapest->getString("pair")->str() + ", costs " +
         getNumber(*cheapest, {"kl_alone_corrected"}) + " alone";
}

bool drift::keepsBudget(const json::Object &report) {
  return report.getBoolean("within_budget").value_or(true) &&
         (!report.get("within_budget") || !report.getArray("chosen")->empty());
}

/// Describes a budget of numbers at `keys` of the report: its own, that of the
/// select split, and that of the report split.
static std::string describeLimit(const json::Object &report,
                                 llvm::StringRef name, const char *budget,
                                 const char *select,
                                 std::initializer_list<llvm::StringRef> kept,
                                 bool isMost) {
  auto read = [&](std::initializer_list<llvm::StringRef> path) {
    const json::Object *at = &report;
    const json::Value *value = nullptr;
    for (llvm::StringRef key : path) {
      value = at ? at->get(key) : nullptr;
      at = value ? value->getAsObject() : nullptr;
    }
    return value ? value->getAsNumber().value_or(NAN) : NAN;
  };
  double limit = read({budget}), found = read(kept);
  bool isKept = isMost ? found <= limit : found >= limit;
  return (name + " " + getNumber(report, {budget}) + ": select " +
          getNumber(report, {select}) + ", report " + getNumber(report, kept) +
          (isKept   ? ": within the budget"
           : isMost ? ": above the budget"
                    : ": below the budget"))
      .str();
}

std::string drift::describeBudget(const json::Object &report) {
  llvm::SmallVector<std::string> parts;
  bool fitsNothing = report.getArray("chosen")->empty();
  auto add = [&](const char *name, const char *budget, const char *select,
                 std::initializer_list<llvm::StringRef> kept, bool isMost) {
    if (!report.get(budget))
      return;
    parts.push_back(fitsNothing ? name + (" " + getNumber(report, {budget}))
                                : describeLimit(report, name, budget, select,
                                                kept, isMost));
  };
  add("budget", "budget_kl", "selected_kl", {"measured_kl"}, /*isMost=*/true);
  add("budget of generation", "budget_generation", "selected_generation",
      {"generation", "share"}, /*isMost=*/false);
  add("budget of perplexity", "budget_perplexity", "selected_perplexity_ratio",
      {"perplexity_ratio"}, /*isMost=*/true);
  add("budget of tasks", "budget_tasks", "selected_tasks", {"tasks", "share"},
      /*isMost=*/false);
  if (parts.empty())
    return "";
  std::string text = llvm::join(parts, fitsNothing ? ", " : "; ");
  if (fitsNothing)
    text += ": no pair fits" + describeCheapest(report);
  return text;
}

/// Warns that numbers of drawn weights are not those of a trained model.
static void printDrawn(llvm::raw_ostream &os, const json::Object &report) {
  const json::Array &drawn = *report.getArray("drawn");
  if (drawn.empty())
    return;
  std::string what;
  for (const json::Value &each : drawn)
    what += (what.empty() ? "" : " and ") + each.getAsString()->str();
  os << "drawn: " << what
     << "; a trained model on text of its own has other numbers\n";
}

static void printGeneration(llvm::raw_ostream &os, const json::Object &report) {
  const json::Object *generation = report.getObject("generation");
  if (!generation)
    return;
  os << "greedy continuations of " << getNumber(*generation, {"sequences"})
     << " prompts, the same over " << getNumber(*generation, {"tokens"})
     << " tokens: " << getNumber(*generation, {"share"});
  if (generation->get("first_difference")->getAsNumber())
    os << "; the others differ after "
       << getNumber(*generation, {"first_difference"})
       << " tokens on average, the first after "
       << getNumber(*generation, {"earliest_difference"});
  os << "\n";
}

static void printTasks(llvm::raw_ostream &os, const json::Object &report) {
  const json::Object *tasks = report.getObject("tasks");
  if (!tasks)
    return;
  os << "tasks solved, serial and parallel: ";
  llvm::interleaveComma(
      *tasks->getArray("kinds"), os, [&](const json::Value &value) {
        const json::Object &kind = *value.getAsObject();
        os << *kind.getString("kind") << " " << *kind.getInteger("serial")
           << " and " << *kind.getInteger("parallel") << " of "
           << *kind.getInteger("tasks");
      });
  os << "\n";
}

static void printExperts(llvm::raw_ostream &os, const json::Object &report) {
  const json::Array &layers = *report.getArray("experts");
  if (layers.empty())
    return;
  os << "tokens whose experts change: ";
  llvm::interleaveComma(layers, os, [&](const json::Value &value) {
    const json::Object &layer = *value.getAsObject();
    os << "layer " << *layer.getInteger("index") << " "
       << getNumber(layer, {"changed"});
  });
  os << "\n";
}

static void printHealing(llvm::raw_ostream &os, const json::Object &report) {
  const json::Object *healing = report.getObject("healing");
  if (!healing)
    return;
  os << "healed: " << *healing->getInteger("tokens") << " tokens in "
     << *healing->getInteger("steps") << " of "
     << *healing->getInteger("planned_steps")
     << " steps, end: " << *healing->getString("end") << "; best at step "
     << *healing->getInteger("best_step") << "\n";
  bool hasKl =
      healing->getObject("kl")->get("healed")->getAsNumber().has_value();
  llvm::StringRef key = hasKl ? "kl" : "stream_rel_l2";
  os << (hasKl ? "KL a token" : "error of the last stream, relative")
     << ": plain " << getNumber(*healing, {key, "plain"}) << ", "
     << *healing->getString("start") << " "
     << getNumber(*healing, {key, "start"}) << ", healed "
     << getNumber(*healing, {key, "healed"}) << "\n";
}

/// Prints what the chosen pairs change in the end: logits, or the last stream
/// of a model without any.
static void printChange(llvm::raw_ostream &os, const json::Object &report) {
  if (!hasLogits(report)) {
    os << "error of the last stream, relative: mean "
       << getNumber(report, {"stream_rel_l2", "mean"}) << ", 99th percentile "
       << getNumber(report, {"stream_rel_l2", "p99"}) << "\n";
    return;
  }
  os << "KL a token: predicted " << getNumber(report, {"predicted_kl"})
     << " (sum of pairs alone "
     << getNumber(report, {"predicted_kl_independent"}) << ", if errors align "
     << getNumber(report, {"predicted_kl_aligned"}) << "), measured "
     << getNumber(report, {"measured_kl"}) << "\n";
}

static void printFloors(llvm::raw_ostream &os, const json::Object &report) {
  for (const auto &entry : *report.getObject("floor")) {
    const json::Object &floor = *entry.second.getAsObject();
    os << "floor of " << entry.first.str() << ": ";
    if (hasLogits(report))
      os << "KL " << getNumber(floor, {"kl"}) << ", ";
    os << "update error " << getNumber(floor, {"update_rel_l2", "mean"})
       << "\n";
  }
}

void drift::printDrift(llvm::raw_ostream &os, const json::Object &report) {
  if (report.get("projections"))
    return printRounding(os, report);
  os << "tokens: " << getNumber(report, {"split", "fit", "tokens"})
     << " to fit, " << getNumber(report, {"split", "select", "tokens"})
     << " to choose, " << getNumber(report, {"split", "report", "tokens"})
     << " to report; nothing is known of other data\n"
     << "engine: " << *report.getString("engine")
     << "; interaction, nonlinearity and floor: reference\n";
  printDrawn(os, report);
  printLayers(os, report);
  for (const json::Value &value : *report.getArray("converted")) {
    const json::Object &pair = *value.getAsObject();
    for (const json::Value &entry : *pair.getArray("fits")) {
      const json::Object &fit = *entry.getAsObject();
      os << "pair " << *pair.getString("pair") << ", " << *fit.getString("what")
         << ": " << getNumber(fit, {"tokens"}) << " tokens, "
         << getNumber(fit, {"unknowns"}) << " unknowns, condition "
         << getNumber(fit, {"condition"}) << ", residual "
         << getNumber(fit, {"residual"}) << "\n";
    }
    if (std::optional<llvm::StringRef> reason = pair.getString("reason"))
      os << "pair " << *pair.getString("pair")
         << " is not corrected: " << *reason << "\n";
  }
  os << "chosen: " << joinChosen(report) << "\n";
  printChange(os, report);
  printHealing(os, report);
  if (std::string budget = describeBudget(report); !budget.empty())
    os << budget << "\n";
  if (hasLogits(report))
    os << "same most likely token: " << getNumber(report, {"top1"})
       << "; perplexity: serial " << getNumber(report, {"perplexity", "serial"})
       << ", parallel " << getNumber(report, {"perplexity", "parallel"})
       << "\n";
  printExperts(os, report);
  printGeneration(os, report);
  printTasks(os, report);
  printFloors(os, report);
}
