//===- LaunchFlags.cpp - parses flags and ranks' environment --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LaunchFlags.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <sys/stat.h>

using namespace parablock;
using launch::fail;
using launch::Status;

const char launchUsage[] =
    "block-launch: runs a package on a GPU\n"
    "usage: block-launch PACKAGE [flags]\n"
    "  --verify          only check the package: all of its files by their\n"
    "                    hashes, and that its plans fit its code; needs no "
    "device\n"
    "  --sha256=HASH     refuse any package but that with this hash\n"
    "  --inputs=FILE     inputs, as safetensors\n"
    "  --weights=FILE    packed parameters, as safetensors\n"
    "  --outputs=FILE    where to write the results\n"
    "  --dims=NAME=N,... sizes of dimensions, beside those that inputs give\n"
    "  --chip=NAME       which of the package's codes; the best by default\n"
    "  --device=N        which device of the driver, from 0; of ranks, by\n"
    "                    default the number of the rank on its machine\n"
    "  --rank=R --ranks=N\n"
    "                    which of the ranks of a package this is; by default\n"
    "                    what mpirun, srun or torchrun say\n"
    "  --meet=FOLDER     where ranks find each other: a folder that all of\n"
    "                    them see, and no other user (mode 700); runs that\n"
    "                    mpirun, srun or torchrun name share it\n"
    "  --rank-timeout=N  seconds that ranks wait for each other (120)\n"
    "  --repeat=N        how often to run, for times (1)\n"
    "  --graph=on|off    by one CUDA graph (the default), or kernel by kernel\n"
    "  --programmatic-launch=on|off\n"
    "                    whether kernels that can may begin before the one "
    "before\n"
    "                    has ended (the default)\n"
    "  --json=FILE       where to write the report instead of standard "
    "output\n"
    "  --version         the version of this program\n"
    "\n"
    "example: block-translate --block-to-package --chip=sm_90a kernels.mlir "
    "-o model.pbk\n"
    "         block-launch model.pbk --inputs=inputs.safetensors "
    "--weights=packed.safetensors\n"
    "\n"
    "exit codes: 0 fine, 1 bad usage or input, 4 no driver, device or NCCL\n";

const char launchVersion[] = "Parablock " PARABLOCK_VERSION ", without LLVM\n";

static constexpr int64_t maxRanks = 4096;

static Status parseNumber(const std::string &flag, const std::string &text,
                          int64_t least, int64_t most, int64_t &value) {
  char *end = nullptr;
  errno = 0;
  value = std::strtoll(text.c_str(), &end, 10);
  if (!text.empty() && !*end && !errno && value >= least && value <= most)
    return {};
  return fail(flag + ": expected a whole number from " + std::to_string(least) +
              " to " + std::to_string(most) + ", got '" + text + "'");
}

static Status parseDims(const std::string &text, PlanDims &dims) {
  dims.clear();
  for (size_t begin = 0; begin <= text.size() && !text.empty();) {
    size_t comma = std::min(text.find(',', begin), text.size());
    std::string part = text.substr(begin, comma - begin);
    size_t equals = part.find('=');
    if (equals == 0 || equals == std::string::npos)
      return fail("--dims: expected NAME=N, got '" + part + "'");
    int64_t size = 0;
    std::string name = part.substr(0, equals);
    if (Status failure =
            parseNumber("--dims", part.substr(equals + 1), 1, INT32_MAX, size))
      return failure;
    if (!dims.emplace(name, size).second)
      return fail("--dims: '" + name + "' is given twice");
    begin = comma + 1;
  }
  return {};
}

static Status parseFlag(const std::string &flag, const std::string &value,
                        LaunchFlags &flags) {
  struct {
    const char *name;
    std::string LaunchFlags::*target;
  } static const texts[] = {{"--inputs", &LaunchFlags::inputs},
                            {"--weights", &LaunchFlags::weights},
                            {"--outputs", &LaunchFlags::outputs},
                            {"--json", &LaunchFlags::json},
                            {"--meet", &LaunchFlags::meet},
                            {"--chip", &LaunchFlags::chip},
                            {"--sha256", &LaunchFlags::sha256}};
  for (const auto &text : texts)
    if (flag == text.name) {
      flags.*text.target = value;
      return {};
    }
  int64_t number = 0;
  if (flag == "--dims")
    return parseDims(value, flags.dims);
  struct {
    const char *name;
    int64_t least, most;
    unsigned LaunchFlags::*target;
  } static const numbers[] = {
      {"--repeat", 1, 1000000, &LaunchFlags::repeat},
      {"--rank", 0, maxRanks - 1, &LaunchFlags::rank},
      {"--ranks", 1, maxRanks, &LaunchFlags::ranks},
      {"--rank-timeout", 1, 86400, &LaunchFlags::rankTimeout}};
  for (const auto &each : numbers)
    if (flag == each.name) {
      Status failure = parseNumber(flag, value, each.least, each.most, number);
      flags.*each.target = static_cast<unsigned>(number);
      return failure;
    }
  if (flag == "--device") {
    Status failure = parseNumber(flag, value, 0, 1023, number);
    flags.device = static_cast<int>(number);
    return failure;
  }
  struct {
    const char *name;
    bool LaunchFlags::*target;
  } static const switches[] = {
      {"--graph", &LaunchFlags::graph},
      {"--programmatic-launch", &LaunchFlags::programmatic}};
  for (const auto &each : switches)
    if (flag == each.name && (value == "on" || value == "off")) {
      flags.*each.target = value == "on";
      return {};
    }
  return fail("unknown flag '" + flag +
              (value.empty() ? "'" : "=" + value + "'") + "; see --help");
}

Status parseLaunchFlags(int argc, char **argv, LaunchFlags &flags) {
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word == "--help" || word == "-h") {
      flags.help = true;
      return {};
    }
    if (word == "--version") {
      flags.version = true;
      return {};
    }
    if (word == "--verify") {
      flags.verify = true;
      continue;
    }
    if (word.compare(0, 2, "--") == 0) {
      size_t equals = std::min(word.find('='), word.size());
      std::string value =
          equals < word.size() ? word.substr(equals + 1) : std::string();
      if (Status failure = parseFlag(word.substr(0, equals), value, flags))
        return failure;
    } else if (flags.package.empty()) {
      flags.package = word;
    } else {
      return fail("expected one package, got '" + flags.package + "' and '" +
                  word + "'");
    }
  }
  if (flags.package.empty())
    return fail("expected a package; see --help");
  return {};
}

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

/// The first of the variables that is a number, or nothing.
static std::optional<unsigned>
readVariable(std::initializer_list<const char *> names) {
  for (const char *name : names) {
    const char *text = std::getenv(name);
    int64_t value = 0;
    if (text && !parseNumber(name, text, 0, maxRanks, value))
      return static_cast<unsigned>(value);
  }
  return std::nullopt;
}

/// Returns the launcher's name for this run, as the name of a folder: equal for
/// all its ranks, and unique to this run.
static std::string findRunName() {
  std::string name;
  for (const char *variable : {"PMIX_NAMESPACE", "SLURM_JOB_ID",
                               "SLURM_STEP_ID", "TORCHELASTIC_RUN_ID"})
    if (const char *value = std::getenv(variable))
      name += (name.empty() ? "run." : ".") + std::string(value);
  for (char &c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.')
      c = '_';
  return name;
}

Status completeRanks(LaunchFlags &flags) {
  bool isGiven = flags.ranks != 0;
  if (!isGiven) {
    flags.ranks = readVariable({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                "SLURM_STEP_NUM_TASKS", "WORLD_SIZE"})
                      .value_or(1);
    flags.rank = readVariable({"OMPI_COMM_WORLD_RANK", "PMI_RANK",
                               "SLURM_PROCID", "RANK"})
                     .value_or(0);
  }
  if (flags.rank >= flags.ranks)
    return fail("--rank: expected less than the " +
                std::to_string(flags.ranks) + " ranks of --ranks, got " +
                std::to_string(flags.rank));
  if (flags.ranks > 1 && flags.meet.empty())
    return fail("expected --meet, a folder in which the " +
                std::to_string(flags.ranks) + " ranks find each other");
  // Ranks of other runs are never met in it.
  if (std::string run = findRunName(); flags.ranks > 1 && !run.empty()) {
    flags.meet += "/" + run;
    (void)mkdir(flags.meet.c_str(), 0700);
  }
  if (flags.device < 0 && flags.ranks > 1)
    flags.device = static_cast<int>(
        readVariable({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                      "SLURM_LOCALID", "LOCAL_RANK"})
            .value_or(flags.rank));
  flags.device = std::max(flags.device, 0);
  return {};
}
