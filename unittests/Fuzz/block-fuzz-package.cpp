//===- block-fuzz-package.cpp - damaged packages, thousands of them -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Damages files of a package and its weights, and lets the launcher open,
// verify, load and sometimes run them on the driver that PARABLOCK_CUDA_DRIVER
// names. Nothing may crash, hang, or be taken for what was written although its
// bytes are others. A part of the cases gets new hashes: these have to be found
// by what is in the files, or be run without harm. Every case is a function of
// --seed and its number. Exit codes are those of block-fuzz.
//
//===----------------------------------------------------------------------===//

#include "Containment.h"
#include "MutateJSON.h"
#include "MutateText.h"
#include "PackageFiles.h"
#include "parablock-launch/Launch.h"
#include "llvm/Support/CommandLine.h"
#include <optional>

using namespace parablock;
using namespace parablock::fuzz;
using llvm::StringRef;
namespace cl = llvm::cl;
namespace json = llvm::json;

namespace {
struct Flags {
  cl::opt<uint64_t> seed{"seed", cl::desc("of all choices"), cl::init(1)};
  cl::opt<uint64_t> first{"first", cl::desc("number of the first case"),
                          cl::init(0)};
  cl::opt<uint64_t> count{"count", cl::desc("number of cases"), cl::init(1000)};
  cl::opt<std::string> package{"package", cl::desc("a valid package"),
                               cl::Required};
  cl::opt<std::string> weights{"weights", cl::desc("its packed weights"),
                               cl::Required};
  cl::opt<std::string> scratch{
      "scratch", cl::desc("where damaged packages are written"), cl::Required};
  cl::opt<bool> verbose{"verbose", cl::desc("says what each case came to")};
};

/// The outcome of one case.
struct Outcome {
  bool isVerified = false, isLoaded = false, hasRun = false;
  std::string message;
};

class PackageFuzzer {
public:
  PackageFuzzer(const Flags &flags, PackageFiles files)
      : flags(flags), files(std::move(files)) {}

  /// False where the package is refused as it was given.
  bool isWhole();
  void runCase(uint64_t number);
  int report() const;

private:
  Outcome run(bool launches);
  void damage(Random &random);
  std::string damageManifest(const std::string &text, Random &random);
  void fail(uint64_t number, const std::string &text);

  const Flags &flags;
  PackageFiles files;
  uint64_t cases = 0, verified = 0, loaded = 0, ran = 0, failures = 0;
};
} // namespace

/// Words of manifests, some of them wrong in their place.
static constexpr StringRef words[] = {
    "batch", "seq",     "f32",        "bf16",   "i64",       "input",
    "dim",   "over",    "parameter",  "rows",   "positions", "tokens",
    "box",   "pointer", "tensor_map", "sm_80",  "linear_0",  "rows_0",
    "ranks", "step",    "all_reduce", "offset", "",          "model.mlir",
    "add",   "ceildiv", "min",        "i1",     "view_of",   "subtract"};

/// The plan of one of the chips, where there still is one.
static json::Object *findPlan(json::Value &manifest, Random &random) {
  json::Object *top = manifest.getAsObject();
  json::Array *chips = top ? top->getArray("chips") : nullptr;
  json::Object *chip =
      chips && !chips->empty() ? random.among(*chips).getAsObject() : nullptr;
  return chip ? chip->getObject("plan") : nullptr;
}

std::string PackageFuzzer::damageManifest(const std::string &text,
                                          Random &random) {
  llvm::Expected<json::Value> manifest = json::parse(text);
  if (!manifest || random.chance(25)) {
    llvm::consumeError(manifest.takeError());
    return random.chance(50) ? mutateBytes(text, random)
                             : mutateText(text, random);
  }
  // Plans lie deep, and most of what matters is in them.
  json::Object *plan = findPlan(*manifest, random);
  if (plan && random.chance(60)) {
    json::Value inner(std::move(*plan));
    mutateJSON(inner, words, random);
    *plan = std::move(*inner.getAsObject());
  } else {
    mutateJSON(*manifest, words, random);
  }
  std::string result;
  llvm::raw_string_ostream(result) << *manifest;
  return result;
}

void PackageFuzzer::damage(Random &random) {
  for (uint64_t count = 1 + random.below(2); count > 0; --count) {
    if (random.chance(50)) {
      files.write("manifest.json",
                  damageManifest(files.get("manifest.json"), random));
      if (random.chance(70))
        files.sign();
      continue;
    }
    std::string name = random.among(files.names());
    if (random.chance(15)) {
      files.replaceBySpecial(name, random.below(PackageFiles::numSpecials));
      continue;
    }
    files.write(name, mutateBytes(files.get(name), random));
    // LLVM's reader of bitcode is the stand-in's alone, and trusts what it
    // reads.
    if (random.chance(40) && !StringRef(name).ends_with(".bc")) {
      files.rehash(name);
      files.sign();
    }
  }
}
/// Small ones, others than each other, for the names in the shapes of inputs.
static std::vector<pbl_dim> chooseSizes(const pbl_package *package) {
  std::vector<pbl_dim> dims;
  for (uint32_t i = 0; i < pbl_package_num_tensors(package); ++i) {
    pbl_tensor tensor = pbl_package_tensor(package, i);
    for (uint32_t dim = 0; tensor.role == PBL_INPUT && dim < tensor.rank;
         ++dim) {
      const char *name = tensor.dim_names[dim];
      bool isNew = name && llvm::none_of(dims, [&](const pbl_dim &known) {
                     return StringRef(known.name) == name;
                   });
      if (isNew)
        dims.push_back({name, static_cast<int64_t>(1 + 2 * dims.size())});
    }
  }
  return dims;
}

Outcome PackageFuzzer::run(bool launches) {
  Outcome outcome;
  pbl_error error = {};
  pbl_package *package = pbl_package_open(files.folder().c_str(), &error);
  if (package) {
    enterStage("verifying a package");
    outcome.isVerified = pbl_package_verify(package, &error) == PBL_OK;
  }
  outcome.message = error.message;
  enterStage("loading a package");
  pbl_device *device = pbl_device_open(0, nullptr);
  pbl_program *program = pbl_program_create(package, device, nullptr, &error);
  if (program && pbl_program_load_weights(program, files.weightsPath().c_str(),
                                          &error) == PBL_OK)
    outcome.isLoaded = true;
  if (package && error.code != PBL_OK)
    outcome.message = error.message;
  enterStage("running a package");
  std::vector<pbl_dim> dims;
  if (outcome.isLoaded)
    dims = chooseSizes(package);
  pbl_session *session =
      outcome.isLoaded
          ? pbl_session_create(program, dims.data(), dims.size(), &error)
          : nullptr;
  for (uint32_t i = 0; session && i < pbl_package_num_tensors(package); ++i) {
    pbl_tensor tensor = pbl_session_tensor(session, i);
    // A case that asks for more is not worth its time.
    launches &= tensor.bytes < 1 << 20;
    std::string zeros(launches ? tensor.bytes : 0, '\0');
    if (launches && tensor.role == PBL_INPUT)
      pbl_session_set_input(session, tensor.name, zeros.data(), zeros.size(),
                            &error);
  }
  if (session && launches)
    outcome.hasRun = pbl_session_launch(session, nullptr, &error) == PBL_OK &&
                     pbl_session_wait(session, &error) == PBL_OK;
  pbl_session_destroy(session);
  pbl_program_destroy(program);
  pbl_device_close(device);
  pbl_package_close(package);
  return outcome;
}

bool PackageFuzzer::isWhole() {
  enterStage("running the package as it is");
  Outcome outcome = run(/*launches=*/true);
  if (!outcome.hasRun)
    llvm::errs() << "error: " << outcome.message << "\n";
  return outcome.isVerified && outcome.hasRun;
}

void PackageFuzzer::fail(uint64_t number, const std::string &text) {
  ++failures;
  llvm::errs() << "block-fuzz-package: --seed=" << flags.seed
               << " --first=" << number << " --count=1: " << text << "\n";
}

void PackageFuzzer::runCase(uint64_t number) {
  enterCase(flags.seed, number);
  Random random(splitmix64(flags.seed) ^ splitmix64(~number));
  damage(random);
  Outcome outcome = run(/*launches=*/random.chance(2));
  ++cases;
  verified += outcome.isVerified;
  loaded += outcome.isLoaded;
  ran += outcome.hasRun;
  if (flags.verbose)
    llvm::outs() << number << ": " << outcome.message << "\n";
  // What nobody signed is found out, wherever it is.
  if (files.isDamaged() && outcome.isVerified)
    fail(number, "a damaged package is verified");
  if (files.isCodeDamaged() && outcome.isLoaded)
    fail(number, "damaged code is loaded");
  if (!files.isChanged() && !outcome.isVerified)
    fail(number, "a package that is whole is refused: " + outcome.message);
  if (!outcome.isVerified && outcome.message.empty())
    fail(number, "a package is refused without a word");
  if (StringRef(outcome.message).contains('\n'))
    fail(number, "an error of several lines: " + outcome.message);
  files.restore();
}

int PackageFuzzer::report() const {
  llvm::outs() << "package: " << cases << " cases, " << verified
               << " verified, " << loaded << " loaded, " << ran << " ran\n"
               << failures << " failures\n";
  return failures ? 1 : 0;
}

int main(int argc, char **argv) {
  cl::ResetCommandLineParser();
  Flags flags;
  cl::ParseCommandLineOptions(argc, argv, "Parablock: damaged packages\n");
  llvm::Expected<PackageFiles> files =
      PackageFiles::read(flags.package, flags.weights, flags.scratch);
  if (!files) {
    llvm::errs() << "error: " << llvm::toString(files.takeError()) << "\n";
    return 1;
  }
  // The stand-in for a device has addresses of its own.
  containProcess(uint64_t(80) << 30, /*secondsPerCase=*/20);
  enterCase(flags.seed, flags.first);
  PackageFuzzer fuzzer(flags, std::move(*files));
  if (!fuzzer.isWhole())
    return 1;
  for (uint64_t i = 0; i < flags.count; ++i)
    fuzzer.runCase(flags.first + i);
  return fuzzer.report();
}
