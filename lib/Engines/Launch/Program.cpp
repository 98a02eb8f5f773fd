//===- Program.cpp - loads code and weights of a program ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "VerifyPackage.h"
#include "parablock/Engines/Launch/TensorStore.h"
#include <algorithm>
#include <cstdlib>

using namespace parablock;
using namespace parablock::launch;

uint64_t launch::hashBytes(const void *data, size_t size, uint64_t hash) {
  const auto *bytes = static_cast<const unsigned char *>(data);
  for (size_t i = 0; i < size; ++i)
    hash = (hash ^ bytes[i]) * 0x100000001b3;
  return hash;
}

static uint64_t hashText(const std::string &text) {
  return hashBytes(text.data(), text.size());
}

Status Program::create(const Package &package, const DeviceContext &device,
                       RankGroup *group, const std::string &chip,
                       std::unique_ptr<Program> &program) {
  std::unique_ptr<Program> made(new Program(package, device, group));
  CurrentContext current(device);
  Status failure = made->setUp(chip);
  if (group)
    failure = group->meet(failure,
                          {{"package", hashText(package.sha256)},
                           {"chip", failure ? 0 : hashText(made->code->chip)}});
  if (!failure)
    program = std::move(made);
  return failure;
}

Status Program::setUp(const std::string &chip) {
  if (Status failure = checkRanks())
    return failure;
  if (Status failure = chooseCode(chip))
    return failure;
  plan = &code->plans[getRank()];
  if (Status failure = loadModule())
    return failure;
  if (Status failure = findFunctions())
    return failure;
  if (Status failure = measureWeights())
    return failure;
  return loadConstants();
}

Status Program::checkRanks() const {
  unsigned wanted = package.numRanks();
  unsigned given = group ? static_cast<unsigned>(group->own.count) : 1;
  if (wanted == given)
    return {};
  return fail(package.path + ": expected " + std::to_string(wanted) +
              (wanted == 1 ? " rank" : " ranks") +
              ", for which the package was made, got " + std::to_string(given));
}

Program::~Program() {
  CurrentContext current(device);
  unloadModules();
}

void Program::unloadModules() {
  for (cuda::Module module : modules)
    device.driver.unloadModule(module);
  modules.clear();
}

/// Prefers code for exactly this architecture to forward-compatible code, and
/// then code for a similar number of multiprocessors.
bool Program::isBetter(const PackageCode &candidate) const {
  if (!code)
    return true;
  std::string own = candidate.getArchitecture(),
              other = code->getArchitecture();
  if (own != other)
    return own > other;
  return std::abs(candidate.multiprocessors - device.multiprocessors) <
         std::abs(code->multiprocessors - device.multiprocessors);
}

Status Program::chooseCode(const std::string &chip) {
  for (const PackageCode &candidate : package.chips)
    if ((chip.empty() || candidate.chip == chip) &&
        device.runs(candidate.getArchitecture()) && isBetter(candidate))
      code = &candidate;
  if (code)
    return {};
  return fail(package.path + ": expected code that '" + device.name + "' (" +
              std::to_string(device.major) + "." +
              std::to_string(device.minor) + ") runs" +
              (chip.empty() ? "" : ", for " + chip) + ", got " +
              package.listChips());
}

Status Program::loadImage(const PackageFile &file, const std::string &image) {
  std::string log(2048, '\0');
  cuda::JitOption options[] = {cuda::ErrorLogBuffer, cuda::ErrorLogBytes};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size() - 1)};
  cuda::Module module = nullptr;
  cuda::Result result =
      device.driver.loadModule(&module, image.c_str(), 2, options, values);
  Status failure = device.driver.check(result, "cuModuleLoadDataEx");
  if (!failure) {
    modules.push_back(module);
    return {};
  }
  std::string text = package.path + "/" + file.name + ": " + failure->text;
  if (log[0])
    text += ": " + std::string(log.c_str());
  if (result == cuda::UnsupportedPtxVersion)
    text += ": the driver is older than the code, and requires an update";
  return fail(std::move(text));
}

Status Program::loadMachineCode(const std::string &cubin) {
  if (code->images.empty())
    return loadImage(*code->cubin, cubin);
  size_t offset = 0;
  for (const PackageImage &image : code->images) {
    // The driver requires images that are aligned.
    if (Status failure =
            loadImage(*code->cubin,
                      cubin.substr(offset, static_cast<size_t>(image.bytes))))
      return failure;
    offset += static_cast<size_t>(image.bytes);
  }
  return {};
}

std::optional<cuda::Module> Program::findModule(const std::string &name) const {
  if (modules.size() == 1)
    return modules.front();
  for (size_t i = 0; i < modules.size(); ++i) {
    const std::vector<std::string> &own = code->images[i].functions;
    if (std::find(own.begin(), own.end(), name) != own.end())
      return modules[i];
  }
  return std::nullopt;
}

/// Loads machine code if the package has it. An older driver rejects it,
/// and compiles the PTX; but a file that differs from its hash is an
/// error.
Status Program::loadModule() {
  std::string ptx, cubin;
  if (Status failure = readCode(package, *code, *plan, ptx, cubin))
    return failure;
  if (device.driver.notePackage)
    device.driver.notePackage(package.path.c_str());
  if (!code->cubin)
    return loadImage(code->ptx, ptx);
  Status first = loadMachineCode(cubin);
  if (!first)
    return {};
  unloadModules();
  Status second = loadImage(code->ptx, ptx);
  if (!second)
    return {};
  return fail(first->text + "; " + second->text);
}

unsigned Program::getGrid(const PlanKernel &kernel) const {
  auto made = static_cast<unsigned>(code->multiprocessors);
  auto own = static_cast<unsigned>(device.multiprocessors);
  if (made == 0 || own == 0 || kernel.grid % made != 0)
    return kernel.grid;
  unsigned clusters = kernel.grid / made * own / kernel.cluster;
  return std::max(clusters, 1u) * kernel.cluster;
}

/// Returns how much of a multiprocessor's shared memory the concurrent CTAs
/// use, in percent; 0 for fewer than two.
static int getCarveout(const PlanKernel &kernel, int mostPerCTA) {
  constexpr int64_t reserved = 1024, mostThreads = 2048;
  int64_t total = mostPerCTA + reserved, bytes = kernel.sharedBytes + reserved;
  int64_t count = std::min(total / bytes, mostThreads / kernel.threads);
  if (kernel.sharedBytes == 0 || count < 2)
    return 0;
  return static_cast<int>((100 * count * bytes + total - 1) / total);
}

Status Program::findFunction(const PlanKernel &kernel,
                             cuda::Function &function) {
  const Driver &driver = device.driver;
  auto refuse = [&](const std::string &text) {
    return fail("kernel '" + kernel.kernel + "': " + text);
  };
  std::optional<cuda::Module> module = findModule(kernel.kernel);
  if (!module)
    return refuse("expected an image of " + code->cubin->name +
                  " with it, got none");
  if (Status failure = driver.check(
          driver.getFunction(&function, *module, kernel.kernel.c_str()),
          "cuModuleGetFunction"))
    return refuse(failure->text);
  if (kernel.sharedBytes > static_cast<uint32_t>(device.maxSharedBytes))
    return refuse("expected a device with " +
                  std::to_string(kernel.sharedBytes) +
                  " bytes of shared memory per CTA, got " +
                  std::to_string(device.maxSharedBytes));
  if (Status failure = driver.check(
          driver.setFunctionAttribute(function, cuda::MaxDynamicSharedBytes,
                                      kernel.sharedBytes),
          "cuFuncSetAttribute"))
    return refuse(failure->text);
  // Without, the driver may leave room for one CTA alone.
  int carveout = getCarveout(kernel, device.maxSharedBytes);
  if (carveout == 0)
    return {};
  if (Status failure =
          driver.check(driver.setFunctionAttribute(
                           function, cuda::PreferredSharedCarveout, carveout),
                       "cuFuncSetAttribute"))
    return refuse(failure->text);
  return {};
}

Status Program::findFunctions() {
  for (const PlanLaunch &launch : plan->launches)
    for (const PlanKernel *kernel : launch.getKernels()) {
      auto [function, isNew] = functions.try_emplace(kernel->kernel, nullptr);
      if (!isNew)
        continue;
      if (Status failure = findFunction(*kernel, function->second))
        return failure;
    }
  return {};
}

Status Program::measureWeights() {
  // Parameters have fixed sizes; inputs need not be bound for that.
  for (const PackagePort &argument : package.arguments) {
    Parameter &parameter = parameters.emplace_back();
    if (!argument.isParameter)
      continue;
    LaunchPlan alone;
    alone.tensors.push_back(argument.tensor);
    BoundPlan bound;
    if (Status failure = bindPlan(alone, {}, bound))
      return failure;
    parameter.bytes = bound.tensors.front().bytes;
  }
  return {};
}

uint64_t Program::getBytes() const {
  uint64_t bytes = weights.size();
  for (const Parameter &parameter : parameters)
    if (parameter.own)
      bytes += parameter.own->size();
  return bytes;
}

Status Program::reserveAlone(size_t index) {
  Parameter &parameter = parameters[index];
  auto made = std::make_unique<DeviceBuffer>();
  if (Status failure = made->allocate(device, parameter.bytes, "the weights"))
    return failure;
  parameter.own = std::move(made);
  parameter.address = parameter.own->pointer();
  parameter.isBound = false;
  ++version;
  return {};
}

/// Allocates a parameter, and with the first one all others without memory.
Status Program::reserve(size_t index) {
  CurrentContext current(device);
  if (parameters[index].address && !parameters[index].isBound)
    return {};
  if (weights.size() || parameters[index].isBound)
    return reserveAlone(index);
  uint64_t end = 0;
  for (const Parameter &parameter : parameters)
    if (!parameter.address)
      end += alignForDevice(parameter.bytes);
  if (Status failure = weights.allocate(device, end, "the weights"))
    return failure;
  cuda::Pointer next = weights.pointer();
  for (Parameter &parameter : parameters) {
    if (parameter.address || !parameter.bytes)
      continue;
    parameter.address = next;
    next += alignForDevice(parameter.bytes);
  }
  ++version;
  return {};
}

Status Program::findParameter(const std::string &name, size_t &index) const {
  for (index = 0; index < parameters.size(); ++index) {
    const PackagePort &argument = package.arguments[index];
    if (argument.isParameter && argument.tensor.name == name)
      return {};
  }
  return fail("no parameter '" + name + "' in " + package.path);
}

Status Program::findWhole(const std::string &name, uint64_t bytes,
                          size_t &index) const {
  if (Status failure = findParameter(name, index))
    return failure;
  if (bytes != parameters[index].bytes)
    return fail("parameter '" + name + "': expected " +
                std::to_string(parameters[index].bytes) + " bytes, got " +
                std::to_string(bytes));
  return {};
}

Status Program::upload(size_t index, uint64_t offset, const void *data,
                       uint64_t bytes) {
  CurrentContext current(device);
  return device.stages.upload(getWeight(index) + offset, data, bytes);
}

Status Program::setWeight(const std::string &name, const void *data,
                          uint64_t bytes) {
  size_t index = 0;
  if (Status failure = findWhole(name, bytes, index))
    return failure;
  if (Status failure = reserve(index))
    return failure;
  if (Status failure = upload(index, 0, data, bytes))
    return failure;
  parameters[index].isSet = true;
  return {};
}

Status Program::bindWeight(const std::string &name, cuda::Pointer pointer,
                           uint64_t bytes) {
  size_t index = 0;
  if (Status failure = findWhole(name, bytes, index))
    return failure;
  Parameter &parameter = parameters[index];
  parameter.own = nullptr;
  parameter.address = pointer;
  parameter.isBound = parameter.isSet = true;
  ++version;
  return {};
}

Status Program::reserveWeight(const std::string &name, uint64_t bytes,
                              cuda::Pointer &pointer) {
  size_t index = 0;
  if (Status failure = findWhole(name, bytes, index))
    return failure;
  if (Status failure = reserve(index))
    return failure;
  parameters[index].isSet = false;
  pointer = parameters[index].address;
  return {};
}

void Program::noteWeight(const std::string &name) {
  size_t index = 0;
  if (!findParameter(name, index))
    parameters[index].isSet = true;
}

Status Program::setWeightPart(const std::string &name, uint64_t offset,
                              const void *data, uint64_t bytes) {
  size_t index = 0;
  if (Status failure = findParameter(name, index))
    return failure;
  Parameter &parameter = parameters[index];
  if (offset == 0) {
    parameter.received = 0;
    parameter.isSet = false;
  }
  if (offset != parameter.received || bytes > parameter.bytes - offset)
    return fail("parameter '" + name + "': expected at most " +
                std::to_string(parameter.bytes - parameter.received) +
                " bytes from " + std::to_string(parameter.received) +
                " on, got " + std::to_string(bytes) + " from " +
                std::to_string(offset) + " on");
  if (Status failure = reserve(index))
    return failure;
  if (Status failure = upload(index, offset, data, bytes))
    return failure;
  parameter.received += bytes;
  parameter.isSet = parameter.received == parameter.bytes;
  return {};
}

/// This rank's.
const PackageFile *Program::findRecipe() const {
  size_t rank = getRank();
  return rank < package.recipes.size() ? &package.recipes[rank] : nullptr;
}

Status Program::loadConstants() {
  size_t rank = getRank();
  if (rank >= package.constants.size() || !package.constants[rank])
    return {};
  TensorStore store;
  if (Status failure = openConstants(package, *package.constants[rank], store))
    return failure;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const PackagePort &argument = package.arguments[i];
    const StoredTensor *stored = store.find(argument.tensor.name);
    if (!stored || !argument.isParameter)
      continue;
    // The others are allocated once those of the caller's memory are known.
    if (Status failure = reserveAlone(i))
      return failure;
    if (Status failure =
            setWeight(argument.tensor.name, stored->data, stored->bytes))
      return failure;
    parameters[i].isConstant = true;
  }
  return {};
}

/// Checks a file that block-weights wrote by the recipe and source in its
/// metadata.
static Status checkRecipe(const TensorStore &store, const std::string &path,
                          const PackageFile *recipe) {
  const std::string *used = store.findMetadata("parablock.recipe");
  if (!used || !recipe || *used == recipe->sha256)
    return {};
  return fail(path + ": expected weights packed by " + recipe->name + " (" +
              recipe->sha256.substr(0, 12) + "), got others (" +
              used->substr(0, 12) + ")");
}

Status Program::readWeights(const std::string &path, uint64_t &source) {
  TensorStore store;
  if (Status failure = openWeights(package, path, store))
    return failure;
  const PackageFile *recipe = findRecipe();
  for (size_t i = 0; i < parameters.size(); ++i) {
    const PackagePort &argument = package.arguments[i];
    if (!argument.isParameter)
      continue;
    const StoredTensor *stored = store.find(argument.tensor.name);
    if (!stored && parameters[i].isConstant)
      continue;
    if (!stored) {
      std::string text =
          path + ": expected tensor '" + argument.tensor.name + "', got none";
      if (recipe)
        text += "; weights of a checkpoint are packed by block-weights "
                "--recipe=" +
                package.path + "/" + recipe->name;
      return fail(std::move(text));
    }
    PlanDims none;
    if (Status failure = store.check(argument.tensor, *stored, none))
      return failure;
  }
  if (Status failure = checkRecipe(store, path, recipe))
    return failure;
  if (const std::string *hash = store.findMetadata("parablock.source"))
    source = hashText(*hash);
  for (const PackagePort &argument : package.arguments) {
    if (!argument.isParameter)
      continue;
    const StoredTensor *stored = store.find(argument.tensor.name);
    if (!stored)
      continue;
    if (Status failure =
            setWeight(argument.tensor.name, stored->data, stored->bytes))
      return failure;
  }
  return {};
}

Status Program::loadWeights(const std::string &path) {
  uint64_t source = 0;
  Status failure = readWeights(path, source);
  return group ? group->meet(failure, {{"weights", source}}) : failure;
}

Status Program::checkWeights() const {
  for (size_t i = 0; i < parameters.size(); ++i)
    if (package.arguments[i].isParameter && !parameters[i].isSet)
      return fail("parameter '" + package.arguments[i].tensor.name +
                  "' has no value");
  return {};
}

Status Program::findInput(const std::string &name, unsigned &tensor) const {
  const std::vector<PackagePort> &arguments = package.arguments;
  for (tensor = 0; tensor < arguments.size(); ++tensor)
    if (!arguments[tensor].isParameter && arguments[tensor].tensor.name == name)
      return {};
  return fail("no input '" + name + "' in " + package.path);
}
