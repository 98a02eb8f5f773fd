//===- Manifest.cpp - prints manifests as JSON ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Manifest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace parablock;
using llvm::StringRef;
namespace json = llvm::json;

static json::Value toJSON(const PlanSize &size) {
  if (!size.isStep())
    return size.isNamed() ? json::Value(size.name) : json::Value(size.value);
  json::Value first = toJSON(size.operands[0]),
              second = toJSON(size.operands[1]);
  if (size.step == PlanSize::Share)
    return json::Object{{"dim", std::move(first)}, {"over", std::move(second)}};
  return json::Object{{getSizeStepName(size.step),
                       json::Array{std::move(first), std::move(second)}}};
}

static void printShape(json::OStream &out, const PlanTensor &tensor) {
  json::Array shape;
  for (const PlanSize &size : tensor.shape)
    shape.push_back(toJSON(size));
  out.attribute("name", tensor.name);
  out.attribute("dtype", tensor.type);
  out.attribute("shape", std::move(shape));
}

static void printFile(json::OStream &out, StringRef key,
                      const PackageFile &file) {
  out.attributeObject(key, [&] {
    out.attribute("file", file.name);
    out.attribute("bytes", file.bytes);
    out.attribute("sha256", file.sha256);
  });
}

static void printFile(json::OStream &out, StringRef key,
                      const std::optional<PackageFile> &file) {
  if (file)
    printFile(out, key, *file);
  else
    out.attribute(key, nullptr);
}

static void printImages(json::OStream &out, const PackageCode &code) {
  if (code.images.empty())
    return;
  out.attributeArray("images", [&] {
    for (const PackageImage &image : code.images)
      out.object([&] {
        out.attribute("bytes", image.bytes);
        out.attributeArray("functions", [&] {
          for (const std::string &function : image.functions)
            out.value(function);
        });
      });
  });
}

static void printConstants(json::OStream &out, const Package &package,
                           size_t rank) {
  if (rank < package.constants.size() && package.constants[rank])
    printFile(out, "constants", *package.constants[rank]);
}

static void printRecipes(json::OStream &out, const Package &package) {
  if (package.numRanks() == 1) {
    printFile(out, "recipe",
              package.recipes.empty() ? std::nullopt
                                      : std::optional(package.recipes.front()));
    return printConstants(out, package, 0);
  }
  out.attributeArray("recipes", [&] {
    for (auto [rank, recipe] : llvm::enumerate(package.recipes))
      out.object([&, rank = rank, &recipe = recipe] {
        printFile(out, "recipe", recipe);
        printConstants(out, package, rank);
      });
  });
}

static json::Array toArray(const std::vector<unsigned> &numbers) {
  return json::Array(numbers);
}

static json::Value toJSON(const PlanArgument &argument) {
  if (argument.kind == PlanArgument::Dim)
    return json::Object{{"dim", json::Array{argument.tensor, argument.dim}}};
  json::Object object;
  if (argument.isConstant)
    object["constant"] = true;
  if (argument.kind == PlanArgument::Pointer) {
    object["pointer"] = argument.tensor;
    return object;
  }
  object["tensor_map"] = argument.tensor;
  json::Array box{argument.boxRows, argument.boxColumns};
  if (argument.partColumns != 0)
    box.push_back(argument.partColumns);
  object["box"] = std::move(box);
  return object;
}

static void printKernel(json::OStream &out, const PlanKernel &kernel) {
  out.attribute("kernel", kernel.kernel);
  out.attribute("grid", kernel.grid);
  out.attribute("cluster", kernel.cluster);
  out.attribute("threads", kernel.threads);
  out.attribute("shared_bytes", kernel.sharedBytes);
  out.attribute("programmatic", kernel.isProgrammatic);
  out.attributeArray("arguments", [&] {
    for (const PlanArgument &argument : kernel.arguments)
      out.value(toJSON(argument));
  });
}

static void printFewKernel(json::OStream &out, const PlanFewKernel &few) {
  if (!few.isNone())
    printKernel(out, few);
  out.attributeArray("sizes", [&] {
    for (auto [tensor, dim] : few.sizes)
      out.value(json::Object{{"dim", json::Array{tensor, dim}}});
  });
  out.attribute("most", few.most);
}

static void printRankStep(json::OStream &out, const PlanLaunch &launch) {
  const PlanRankStep &step = *launch.rankStep;
  out.attribute("step", getRankStepName(step.kind));
  out.attribute("dim", step.dim);
  if (step.isOfRows())
    out.attribute("experts", step.experts);
  if (!step.isTogether())
    out.attribute(step.isShare ? "share" : "offset", step.offset);
  if (step.starts)
    out.attribute("starts", true);
  if (step.awaits)
    out.attribute("awaits", true);
}

static void printReports(json::OStream &out, const PlanReports &reports) {
  out.attribute("word", reports.word);
  if (reports.kind == PlanReports::Logits)
    return;
  out.attribute("experts", reports.experts);
  out.attribute("slots", reports.slots);
}

static void printLaunch(json::OStream &out, const PlanLaunch &launch) {
  out.object([&] {
    if (launch.rankStep)
      printRankStep(out, launch);
    else
      printKernel(out, launch);
    if (launch.few)
      out.attributeObject("few", [&] { printFewKernel(out, *launch.few); });
    if (launch.reports)
      out.attributeObject("reports",
                          [&] { printReports(out, *launch.reports); });
    out.attribute("layer", launch.layer);
    out.attribute("inputs", toArray(launch.inputs));
    out.attribute("outputs", toArray(launch.outputs));
  });
}

/// Prints the arena of a plan whose sizes are all static.
static void printArena(json::OStream &out, const LaunchPlan &plan) {
  BoundPlan bound;
  if (bindPlan(plan, {}, bound))
    return;
  out.attributeObject("arena", [&] {
    out.attribute("peak_bytes", bound.arena.peakBytes);
    out.attribute("sum_bytes", bound.arena.sumBytes);
  });
}

static void printPlan(json::OStream &out, const LaunchPlan &plan) {
  printArena(out, plan);
  out.attributeArray("buffers", [&] {
    for (const PlanTensor &buffer :
         llvm::drop_begin(plan.tensors, plan.numArguments))
      out.object([&] {
        printShape(out, buffer);
        if (buffer.viewOf)
          out.attribute("view_of", *buffer.viewOf);
      });
  });
  out.attribute("workspaces", toArray(plan.workspaces));
  out.attributeArray("launches", [&] {
    for (const PlanLaunch &launch : plan.launches)
      printLaunch(out, launch);
  });
  out.attribute("results", toArray(plan.results));
}

/// Prints how many steps of the plan satisfy a condition, for each layer.
static void printCounts(json::OStream &out, StringRef key,
                        const Package &package, const LaunchPlan &plan,
                        llvm::function_ref<bool(const PlanLaunch &)> isSo) {
  out.attributeArray(key, [&] {
    for (const PackageLayer &layer : package.layers)
      out.value(llvm::count_if(plan.launches, [&](const PlanLaunch &launch) {
        return launch.layer == layer.index && isSo(launch);
      }));
  });
}

/// Returns whether `launch` is of a kernel, also for few rows.
static bool isKernel(const PlanLaunch &launch) {
  return !launch.rankStep && !(launch.few && launch.few->isNone());
}
static bool isTogether(const PlanLaunch &launch) {
  return launch.rankStep && launch.rankStep->isTogether() &&
         !launch.rankStep->awaits;
}

static void printCode(json::OStream &out, const Package &package,
                      const PackageCode &code) {
  out.object([&] {
    out.attribute("chip", code.chip);
    out.attribute("multiprocessors", code.multiprocessors);
    printFile(out, "ptx", code.ptx);
    printFile(out, "cubin", code.cubin);
    printImages(out, code);
    printFile(out, "bitcode", code.bitcode);
    // Uses any rank's plan: all have the same steps.
    const LaunchPlan &plan = code.plans.front();
    out.attribute("launches", llvm::count_if(plan.launches, isKernel));
    printCounts(out, "launches_per_layer", package, plan, isKernel);
    if (package.numRanks() == 1) {
      out.attributeObject("plan", [&] { printPlan(out, plan); });
      return;
    }
    printCounts(out, "collectives_per_layer", package, plan, isTogether);
    out.attributeArray("plans", [&] {
      for (const LaunchPlan &own : code.plans)
        out.object([&] { printPlan(out, own); });
    });
  });
}

static json::Value toJSON(const PackageLimit &each) {
  const IndexLimit &limit = each.limit;
  json::Object object{{"kind", getLimitName(limit.kind)},
                      {"size", toJSON(each.size)}};
  if (limit.countsFromEnd)
    object["from_end"] = true;
  if (limit.kind != IndexLimit::Positions)
    return object;
  object["first"] = limit.firstPosition;
  if (!each.past.isNumber() || each.past.value)
    object["past"] = toJSON(each.past);
  if (limit.padId)
    object["pad"] = *limit.padId;
  return object;
}

static json::Value toJSON(const PackageCaches &each) {
  json::Array caches;
  for (auto [cache, capacity] :
       llvm::zip_equal(each.room.caches, each.capacities)) {
    json::Object own{{"size", toJSON(capacity)}};
    if (cache.window)
      own["window"] = *cache.window;
    caches.push_back(std::move(own));
  }
  json::Object object{{"kind", pastLimitName},
                      {"size", toJSON(each.tokens)},
                      {"caches", std::move(caches)}};
  json::Array tables;
  for (auto [table, pools] : llvm::zip_equal(each.room.tables, each.pools)) {
    json::Array sizes;
    for (const PlanSize &pages : pools)
      sizes.push_back(toJSON(pages));
    json::Object own{{"input", table.name},
                     {"rows", table.pageRows},
                     {"pages", std::move(sizes)}};
    if (table.window)
      own["window"] = *table.window;
    tables.push_back(std::move(own));
  }
  if (!tables.empty())
    object["tables"] = std::move(tables);
  if (each.starts)
    object["starts"] = *each.starts;
  if (each.room.positions)
    object["positions"] = *each.room.positions;
  if (each.room.countsPadding)
    object["counts_padding"] = true;
  return object;
}

static void printPorts(json::OStream &out, StringRef key,
                       const std::vector<PackagePort> &ports, bool hasRoles) {
  out.attributeArray(key, [&] {
    for (const PackagePort &port : ports)
      out.object([&] {
        printShape(out, port.tensor);
        if (hasRoles)
          out.attribute("role", port.isParameter ? "parameter" : "input");
        if (port.isOfRank)
          out.attribute("of_rank", true);
        if (hasRoles && !port.isParameter)
          out.attributeArray("limits", [&] {
            for (const PackageLimit &limit : port.limits)
              out.value(toJSON(limit));
            if (port.caches)
              out.value(toJSON(*port.caches));
          });
      });
  });
}

std::string
parablock::printManifest(const Package &package,
                         const std::vector<std::string> &approximations) {
  std::string text;
  llvm::raw_string_ostream os(text);
  json::OStream out(os, /*IndentSize=*/1);
  out.object([&] {
    bool hasRanks = package.numRanks() > 1;
    out.attribute("schema", packageSchema);
    if (hasRanks)
      out.attribute("ranks", package.numRanks());
    out.attribute("function", package.function);
    out.attribute("dims", json::Array(package.dims));
    printPorts(out, "arguments", package.arguments, /*hasRoles=*/true);
    printPorts(out, "results", package.results, /*hasRoles=*/false);
    out.attributeArray("layers", [&] {
      for (auto [layer, approx] :
           llvm::zip_equal(package.layers, approximations))
        out.object([&, &layer = layer, &approx = approx] {
          out.attribute("name", layer.name);
          out.attribute("index", layer.index);
          if (approx.empty())
            out.attribute("approx", nullptr);
          else
            out.attribute("approx", approx);
        });
    });
    if (package.weights.isFitted())
      out.attributeObject("weights", [&] {
        out.attribute("pairs", package.weights.pairs);
        out.attribute("correction", package.weights.correction);
        out.attribute("model_hash", package.weights.model);
      });
    printFile(out, "model", package.model);
    printRecipes(out, package);
    out.attributeArray("chips", [&] {
      for (const PackageCode &code : package.chips)
        printCode(out, package, code);
    });
  });
  os << "\n";
  return text;
}
