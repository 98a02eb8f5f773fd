//===- block-launch.cpp - runs a package on a GPU -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Links only the launcher of the project, like an application: no LLVM.
// Exit codes: 0 done, 1 bad usage or input, 4 no driver, device or
// NCCL.
//
//===----------------------------------------------------------------------===//

#include "LaunchFlags.h"
#include "parablock-launch/Launch.h"
#include "parablock/Engines/Launch/TensorStore.h"
#include "parablock/Files/Json.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>

using namespace parablock;
using namespace parablock::launch;
using files::quoteJson;

namespace {
/// The function that gives the library's objects back.
struct Closer {
  void operator()(pbl_package *p) const { pbl_package_close(p); }
  void operator()(pbl_device *p) const { pbl_device_close(p); }
  void operator()(pbl_group *p) const { pbl_group_leave(p); }
  void operator()(pbl_program *p) const { pbl_program_destroy(p); }
  void operator()(pbl_session *p) const { pbl_session_destroy(p); }
};
template <typename T> using Owned = std::unique_ptr<T, Closer>;

class Run {
public:
  explicit Run(const LaunchFlags &flags) : flags(flags) {}
  Status run();
  /// Checks the package and prints its identity.
  Status verify();

private:
  Status openDevice();
  Status join();
  Status runRank();
  Status meet(const Status &failure);
  Status openPackage();
  Status open();
  Status createProgram();
  Status collectDims(std::vector<pbl_dim> &dims);
  Status setInputs();
  Status launchAll();
  Status writeResults();
  Status writeOutputs();
  std::string describe() const;

  /// Calls `visit` with every tensor of that role, with its sizes.
  template <typename Visit> Status forEach(pbl_role role, Visit visit) {
    for (uint32_t i = 0; i < pbl_package_num_tensors(package.get()); ++i) {
      pbl_tensor tensor = session ? pbl_session_tensor(session.get(), i)
                                  : pbl_package_tensor(package.get(), i);
      if (tensor.role == role)
        if (Status failure = visit(tensor))
          return failure;
    }
    return {};
  }
  Status check(pbl_code code) const {
    if (code == PBL_OK)
      return {};
    return fail(error.message, static_cast<Fault>(code));
  }

  const LaunchFlags &flags;
  pbl_error error = {};
  Owned<pbl_package> package;
  Owned<pbl_device> device;
  Owned<pbl_group> group;
  Owned<pbl_program> program;
  Owned<pbl_session> session;
  TensorStore inputs;
  PlanDims sizes;
  std::vector<double> milliseconds;
};
} // namespace

static PlanTensor toPlanTensor(const pbl_tensor &tensor) {
  PlanTensor result{tensor.name, tensor.dtype, {}};
  for (uint32_t i = 0; i < tensor.rank; ++i)
    result.shape.push_back(tensor.dim_names[i]
                               ? PlanSize{0, tensor.dim_names[i]}
                               : PlanSize{tensor.shape[i], ""});
  return result;
}

Status Run::openDevice() {
  if (!device)
    device.reset(pbl_device_open(flags.device, &error));
  return device ? Status() : check(error.code);
}

/// Before anything of this rank's own can fail, so that others hear of it.
Status Run::join() {
  if (flags.ranks == 1)
    return {};
  if (Status failure = openDevice())
    return failure;
  group.reset(pbl_group_meet_in(device.get(), flags.rank, flags.ranks,
                                flags.rankTimeout, flags.meet.c_str(), &error));
  return group ? Status() : check(error.code);
}

Status Run::openPackage() {
  package.reset(pbl_package_open(flags.package.c_str(), &error));
  if (!package)
    return check(error.code);
  std::string hash = pbl_package_hash(package.get());
  if (flags.sha256.empty() || flags.sha256 == hash)
    return {};
  return fail(flags.package + ": expected the package with the hash " +
              flags.sha256 + ", got " + hash);
}

Status Run::verify() {
  if (Status failure = openPackage())
    return failure;
  if (Status failure = check(pbl_package_verify(package.get(), &error)))
    return failure;
  std::printf("%s  %s\n", pbl_package_hash(package.get()),
              flags.package.c_str());
  return {};
}

/// Rejects invalid input before the device is used.
Status Run::open() {
  if (Status failure = openPackage())
    return failure;
  if (!flags.inputs.empty())
    if (Status failure = inputs.open(flags.inputs))
      return failure;
  return openDevice();
}

Status Run::createProgram() {
  const char *chip = flags.chip.empty() ? nullptr : flags.chip.c_str();
  program.reset(
      group ? pbl_program_create_rank(package.get(), device.get(), group.get(),
                                      chip, &error)
            : pbl_program_create(package.get(), device.get(), chip, &error));
  if (!program)
    return check(error.code);
  if (flags.weights.empty())
    return {};
  return check(
      pbl_program_load_weights(program.get(), flags.weights.c_str(), &error));
}

/// From --dims and the shapes of the inputs.
Status Run::collectDims(std::vector<pbl_dim> &dims) {
  sizes = flags.dims;
  Status failure = forEach(PBL_INPUT, [&](const pbl_tensor &input) -> Status {
    const StoredTensor *stored = inputs.find(input.name);
    if (!stored)
      return fail((flags.inputs.empty() ? "--inputs" : flags.inputs) +
                  ": expected tensor '" + input.name + "', got none");
    return inputs.check(toPlanTensor(input), *stored, sizes);
  });
  for (const auto &[name, size] : sizes)
    dims.push_back({name.c_str(), size});
  return failure;
}

Status Run::setInputs() {
  return forEach(PBL_INPUT, [&](const pbl_tensor &input) {
    const StoredTensor *stored = inputs.find(input.name);
    return check(pbl_session_set_input(session.get(), input.name, stored->data,
                                       stored->bytes, &error));
  });
}

Status Run::launchAll() {
  pbl_session_set_programmatic(session.get(), flags.programmatic);
  for (unsigned i = 0; i < flags.repeat; ++i) {
    auto start = std::chrono::steady_clock::now();
    pbl_code code = flags.graph
                        ? pbl_session_replay(session.get(), nullptr, &error)
                        : pbl_session_launch(session.get(), nullptr, &error);
    if (code == PBL_OK)
      code = pbl_session_wait(session.get(), &error);
    if (code != PBL_OK)
      return check(code);
    std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - start;
    milliseconds.push_back(elapsed.count());
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  return {};
}

Status Run::writeOutputs() {
  std::vector<TensorToStore> outputs;
  Status failure = forEach(PBL_RESULT, [&](const pbl_tensor &result) {
    TensorToStore output{result.name,
                         result.dtype,
                         {result.shape, result.shape + result.rank},
                         std::vector<unsigned char>(result.bytes)};
    pbl_code code = pbl_session_get_result(
        session.get(), result.name, output.bytes.data(), result.bytes, &error);
    outputs.push_back(std::move(output));
    return check(code);
  });
  if (failure)
    return failure;
  return writeTensors(flags.outputs, std::move(outputs));
}

/// Returns the fields of a run report that a launcher has, and additional ones.
std::string Run::describe() const {
  pbl_facts facts = pbl_session_facts(session.get());
  std::map<std::string, unsigned> counts;
  for (uint32_t i = 0; i < facts.num_launches; ++i)
    ++counts[pbl_session_kernel(session.get(), i)];
  std::string kernels;
  for (const auto &[name, count] : counts)
    kernels += (kernels.empty() ? "" : ", ") +
               ("{\"name\": " + quoteJson(name)) +
               ", \"count\": " + std::to_string(count) + "}";
  return "{\n  \"schema\": 1,\n  \"engine\": \"cuda\",\n  \"device\": " +
         quoteJson(pbl_device_name(device.get())) +
         ",\n  \"chip\": " + quoteJson(pbl_program_chip(program.get())) +
         ",\n  \"kernels\": [" + kernels + "],\n  \"time_ms\": {\"min\": " +
         std::to_string(milliseconds.front()) + ", \"median\": " +
         std::to_string(milliseconds[milliseconds.size() / 2]) +
         "},\n  \"peak_bytes\": " +
         std::to_string(facts.session_bytes + facts.program_bytes) +
         ",\n  \"arena\": {\"peak_bytes\": " +
         std::to_string(facts.arena_bytes) +
         ", \"sum_bytes\": " + std::to_string(facts.arena_sum_bytes) + "}\n}\n";
}

Status Run::writeResults() {
  if (!flags.outputs.empty())
    if (Status failure = writeOutputs())
      return failure;
  std::string report = describe();
  if (!flags.json.empty())
    return writeText(flags.json, report);
  std::fputs(report.c_str(), stdout);
  return {};
}

/// Does each rank's part, after all of them have come this far.
Status Run::runRank() {
  if (Status failure = createProgram())
    return failure;
  std::vector<pbl_dim> dims;
  if (Status failure = meet(collectDims(dims)))
    return failure;
  session.reset(pbl_session_create(program.get(), dims.data(),
                                   static_cast<uint32_t>(dims.size()), &error));
  if (!session)
    return check(error.code);
  if (Status failure = meet(setInputs()))
    return failure;
  return launchAll();
}

/// Sends a failure to other ranks, and receives theirs.
Status Run::meet(const Status &failure) {
  if (!group)
    return failure;
  pbl_code code = pbl_group_meet(
      group.get(), failure ? failure->text.c_str() : nullptr, &error);
  return failure ? failure : check(code);
}

Status Run::run() {
  if (Status failure = join())
    return failure;
  if (Status failure = meet(open()))
    return failure;
  if (Status failure = runRank())
    return failure;
  // Results are not written if the run failed on any rank.
  if (Status failure = meet({}))
    return failure;
  return flags.rank == 0 ? writeResults() : Status();
}

int main(int argc, char **argv) {
  LaunchFlags flags;
  Status failure = parseLaunchFlags(argc, argv, flags);
  if (!failure && flags.help) {
    std::fputs(launchUsage, stdout);
    return 0;
  }
  if (!failure && flags.version) {
    std::fputs(launchVersion, stdout);
    return 0;
  }
  if (!failure && !flags.verify)
    failure = completeRanks(flags);
  if (!failure)
    failure = flags.verify ? Run(flags).verify() : Run(flags).run();
  if (!failure)
    return 0;
  std::fprintf(stderr, "error: %s\n", failure->text.c_str());
  return static_cast<int>(failure->fault);
}
