//===- KernelSignature.cpp - prints signatures and parses PTX -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Launch/KernelSignature.h"

#include <algorithm>
#include <map>
#include <set>

using namespace parablock;
using namespace parablock::launch;

static constexpr std::string_view recordPrefix = "// parablock: ";

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

namespace {
/// Prints a launch as one line: its tensors by role, type and sizes, and its
/// parameters by tensor. An input that a kernel may read early is a "constant"
/// instead of an "in". Names and numbers of the plan are left out, but equal
/// dynamic sizes are marked.
class SignaturePrinter {
public:
  SignaturePrinter(const LaunchPlan &plan, const PlanLaunch &launch,
                   const PlanKernel &kernel)
      : plan(plan), launch(launch), kernel(kernel) {}

  std::string print();

private:
  void add(const char *role, const std::vector<unsigned> &added);
  void addRest();
  std::string print(const PlanSize &size);
  /// The size with names of dimensions that are numbers of the record.
  PlanSize number(const PlanSize &size);
  std::string print(const PlanArgument &argument) const;
  bool isConstant(unsigned tensor) const {
    return std::any_of(kernel.arguments.begin(), kernel.arguments.end(),
                       [&](const PlanArgument &argument) {
                         return argument.tensor == tensor &&
                                argument.isConstant;
                       });
  }
  std::string getNumber(unsigned tensor) const {
    auto found = std::find(tensors.begin(), tensors.end(), tensor);
    return std::to_string(found - tensors.begin());
  }

  const LaunchPlan &plan;
  const PlanLaunch &launch;
  const PlanKernel &kernel;
  std::string text;
  std::vector<unsigned> tensors;
  std::vector<std::string> dims;
};
} // namespace

std::string SignaturePrinter::print(const PlanSize &size) {
  return formatSize(number(size));
}

PlanSize SignaturePrinter::number(const PlanSize &size) {
  PlanSize result = size;
  for (PlanSize &operand : result.operands)
    operand = number(operand);
  if (!size.isNamed())
    return result;
  size_t index = std::find(dims.begin(), dims.end(), size.name) - dims.begin();
  if (index == dims.size())
    dims.push_back(size.name);
  result.name = "?" + std::to_string(index);
  return result;
}

void SignaturePrinter::add(const char *role,
                           const std::vector<unsigned> &added) {
  for (unsigned index : added) {
    const PlanTensor &tensor = plan.tensors[index];
    tensors.push_back(index);
    text += std::string(" ") + (isConstant(index) ? "constant" : role) + " " +
            tensor.type + "[";
    for (const PlanSize &size : tensor.shape)
      text += (&size == &tensor.shape.front() ? "" : ",") + print(size);
    text += "]";
  }
}

/// Adds tensors that are neither read nor written by name: workspaces, or none
/// that a plan may pass.
void SignaturePrinter::addRest() {
  for (const PlanArgument &argument : kernel.arguments) {
    if (std::count(tensors.begin(), tensors.end(), argument.tensor))
      continue;
    bool isWorkspace = std::count(plan.workspaces.begin(),
                                  plan.workspaces.end(), argument.tensor);
    add(isWorkspace ? "workspace" : "other", {argument.tensor});
  }
}

std::string SignaturePrinter::print(const PlanArgument &argument) const {
  std::string number = getNumber(argument.tensor);
  switch (argument.kind) {
  case PlanArgument::Pointer:
    return number;
  case PlanArgument::Dim:
    return number + "." + std::to_string(argument.dim);
  case PlanArgument::TensorMap:
    break;
  }
  return number + ":" + std::to_string(argument.boxRows) + "x" +
         std::to_string(argument.boxColumns) +
         (argument.partColumns ? "of" + std::to_string(argument.partColumns)
                               : "");
}

std::string SignaturePrinter::print() {
  text = kernel.kernel + " grid " + std::to_string(kernel.grid) + " cluster " +
         std::to_string(kernel.cluster) + " threads " +
         std::to_string(kernel.threads) + " shared " +
         std::to_string(kernel.sharedBytes) +
         (kernel.isProgrammatic ? " programmatic" : "") + " tensors";
  add("in", launch.inputs);
  add("out", launch.outputs);
  addRest();
  text += " arguments";
  for (const PlanArgument &argument : kernel.arguments)
    text += " " + print(argument);
  if (const std::optional<PlanReports> &reports = launch.reports)
    text += " reports " + getNumber(reports->word) +
            (reports->kind == PlanReports::Logits
                 ? " of logits"
                 : " of " + std::to_string(reports->slots) + " indices of " +
                       std::to_string(reports->experts));
  // The maximum for which the kernel has room, or is not launched.
  bool isNone = launch.few && launch.few->isNone();
  if (isNone || (launch.few && &kernel == &*launch.few)) {
    text += (isNone ? " none at most " : " at most ") +
            std::to_string(launch.few->most);
    for (auto [tensor, dim] : launch.few->sizes)
      text += " " + getNumber(tensor) + "." + std::to_string(dim);
  }
  return text;
}

std::string launch::recordSignatures(const std::vector<LaunchPlan> &plans) {
  std::set<std::string> lines;
  for (const LaunchPlan &plan : plans)
    for (const PlanLaunch &launch : plan.launches)
      for (const PlanKernel *kernel : launch.getKernels())
        lines.insert(SignaturePrinter(plan, launch, *kernel).print());
  std::string text;
  for (const std::string &line : lines)
    text += std::string(recordPrefix) + line + "\n";
  return text;
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

namespace {
/// The declaration of a kernel in PTX itself.
struct Declaration {
  /// A letter for each parameter: a pointer, a size, a tensor map, or '?'.
  std::string parameters;
  uint32_t threads = 0, cluster = 1;
};

struct DeclaredCode {
  std::map<std::string, Declaration> kernels;
  std::multimap<std::string, std::string> records;
};
} // namespace

static bool takePrefix(std::string_view &line, std::string_view prefix) {
  if (line.substr(0, prefix.size()) != prefix)
    return false;
  line.remove_prefix(prefix.size());
  return true;
}

static bool contains(std::string_view line, std::string_view part) {
  return line.find(part) != std::string_view::npos;
}

static char getParameter(std::string_view line) {
  if (contains(line, " .b8 "))
    return contains(line, "[128]") ? 'm' : '?';
  if (contains(line, " .u64 "))
    return 'p';
  return contains(line, " .u32 ") ? 'd' : '?';
}

/// The number that a directive begins with.
static uint32_t getNumber(std::string_view line) {
  uint32_t value = 0;
  for (char c : line.substr(0, 9)) {
    if (c < '0' || c > '9')
      break;
    value = value * 10 + static_cast<uint32_t>(c - '0');
  }
  return value;
}

/// Parses PTX as printed by LLVM: every parameter and directive has a separate
/// line.
static DeclaredCode readDeclarations(std::string_view ptx) {
  DeclaredCode code;
  Declaration *open = nullptr;
  for (size_t at = 0; at < ptx.size();) {
    size_t end = std::min(ptx.find('\n', at), ptx.size());
    std::string_view line = ptx.substr(at, end - at);
    at = end + 1;
    if (takePrefix(line, recordPrefix))
      code.records.emplace(line.substr(0, line.find(' ')), line);
    else if (takePrefix(line, ".visible .entry "))
      open = &code.kernels[std::string(line.substr(0, line.find('(')))];
    else if (!open)
      continue;
    else if (takePrefix(line, "\t.param "))
      open->parameters += getParameter(" " + std::string(line));
    else if (takePrefix(line, ".reqntid "))
      open->threads = getNumber(line);
    else if (takePrefix(line, ".reqnctapercluster "))
      open->cluster = getNumber(line);
    else if (line == "{")
      open = nullptr;
  }
  return code;
}

static Declaration getDeclaration(const PlanKernel &kernel) {
  Declaration wanted;
  wanted.threads = kernel.threads;
  wanted.cluster = kernel.cluster;
  for (const PlanArgument &argument : kernel.arguments)
    wanted.parameters += argument.kind == PlanArgument::Pointer ? 'p'
                         : argument.kind == PlanArgument::Dim   ? 'd'
                                                                : 'm';
  return wanted;
}

static std::string formatDeclaration(const Declaration &declaration) {
  return "parameters " + declaration.parameters + ", " +
         std::to_string(declaration.threads) + " threads and clusters of " +
         std::to_string(declaration.cluster);
}

static Status checkKernel(const LaunchPlan &plan, const PlanLaunch &launch,
                          const PlanKernel &kernel, const DeclaredCode &code) {
  auto refuse = [&](const std::string &wanted, const std::string &got) {
    return fail("kernel '" + kernel.kernel + "': expected " + wanted +
                ", got " + got);
  };
  auto declared = code.kernels.find(kernel.kernel);
  if (declared == code.kernels.end())
    return refuse("it in the code", "none");
  std::string own = formatDeclaration(getDeclaration(kernel));
  if (std::string text = formatDeclaration(declared->second); text != own)
    return refuse(text + " as the code declares", own);
  auto [record, end] = code.records.equal_range(kernel.kernel);
  if (record == end)
    return refuse("a record of its launches behind the code", "none");
  std::string line = SignaturePrinter(plan, launch, kernel).print();
  for (auto each = record; each != end; ++each)
    if (each->second == line)
      return {};
  return refuse("'" + record->second + "' as the code records",
                "'" + line + "'");
}

Status launch::checkSignatures(const LaunchPlan &plan, std::string_view ptx) {
  DeclaredCode code = readDeclarations(ptx);
  for (const PlanLaunch &launch : plan.launches)
    for (const PlanKernel *kernel : launch.getKernels())
      if (Status failure = checkKernel(plan, launch, *kernel, code))
        return failure;
  return {};
}
