//===- Package.h - a compiled function as a folder --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A package is a folder with manifest.json and the files that it names;
// docs/use/Package.md describes it.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LAUNCH_PACKAGE_H
#define PARABLOCK_LAUNCH_PACKAGE_H

#include "parablock/Engines/Launch/LaunchPlan.h"
#include "parablock/Files/WeightsForm.h"
#include "parablock/Support/CacheRoom.h"
#include "parablock/Support/IndexLimits.h"

namespace parablock {

inline constexpr int64_t packageSchema = 3;
inline constexpr char packageManifest[] = "manifest.json";
/// The manifest's own hash, as sha256sum writes and checks it.
inline constexpr char packageHash[] = "manifest.sha256";
/// Packed weights in the same folder, where there are some; they have a hash.
inline constexpr char packageWeights[] = "weights.safetensors";

/// One file of a package; what it must be to be read.
struct PackageFile {
  std::string name;
  uint64_t bytes = 0;
  std::string sha256;
};

/// The numbers that an integer input may hold, before sizes are known.
struct PackageLimit {
  /// But for its size.
  IndexLimit limit;
  PlanSize size;
  /// Tokens before the first; for Positions.
  PlanSize past;
};

/// "rows", "tokens", ...: how manifests spell it.
const char *getLimitName(IndexLimit::Kind kind);

/// The numbers of rows that caches may hold, before sizes are known.
struct PackageCaches {
  /// But for its sizes.
  CacheRoom room;
  PlanSize tokens;
  std::vector<PlanSize> capacities;
  /// Pages of every pool, by table.
  std::vector<std::vector<PlanSize>> pools;
  /// The input that says how much padding is in front, where there is one.
  std::optional<std::string> starts;
};

/// How manifests spell that limit.
inline constexpr char pastLimitName[] = "past";

/// A function's argument or result.
struct PackagePort {
  PlanTensor tensor;
  bool isParameter = false;
  /// True of an input of which each rank has other values.
  bool isOfRank = false;
  /// Limits of inputs that are indices.
  std::vector<PackageLimit> limits;
  /// Limits of caches, where this input says how many rows they hold.
  std::optional<PackageCaches> caches;
};

struct PackageLayer {
  std::string name;
  int64_t index = 0;
};

/// Code for one chip. Its plans' first tensors are the package's arguments.
struct PackageCode {
  std::string chip;
  /// Those of the chip; 0 where an older manifest does not say.
  int64_t multiprocessors = 0;
  PackageFile ptx;
  std::optional<PackageFile> cubin;
  /// The code that the emulator runs.
  PackageFile bitcode;
  /// Plans by rank.
  std::vector<LaunchPlan> plans;

  /// Gives what the chip's name has before a hyphen: devices of the same
  /// architecture run the code, whatever product they are.
  std::string getArchitecture() const { return chip.substr(0, chip.find('-')); }
};

struct Package {
  std::string path;
  /// The SHA-256 of the manifest, which has those of all other files.
  std::string sha256;
  std::string function;
  std::vector<std::string> dims;
  std::vector<PackagePort> arguments, results;
  std::vector<PackageLayer> layers;
  /// The form of the model that the weights must be for.
  files::WeightsForm weights;
  /// IR of the function and its @prepack.
  PackageFile model;
  /// How parameters are made from a checkpoint's, by rank; none where they are
  /// its.
  std::vector<PackageFile> recipes;
  /// Parameters that are the same for every checkpoint, by rank, where there
  /// are some.
  std::vector<std::optional<PackageFile>> constants;
  std::vector<PackageCode> chips;

  /// How many devices it is for.
  unsigned numRanks() const {
    return static_cast<unsigned>(chips.front().plans.size());
  }
  const PackageCode *findChip(const std::string &chip) const;
  /// "sm_80, sm_90a".
  std::string listChips() const;
};

namespace launch {

/// Tells whether there is a folder with a manifest, or what would be one.
bool isPackage(const std::string &path);

/// Reads and checks the manifest. Failures begin with the path.
Status readPackage(const std::string &path, Package &package);

/// Reads one of its files and compares size and hash.
Status readPackageFile(const Package &package, const PackageFile &file,
                       std::string &bytes);

/// Prints what is in packageHash for a manifest of this hash.
std::string formatManifestHash(const std::string &sha256);

} // namespace launch
} // namespace parablock

#endif // PARABLOCK_LAUNCH_PACKAGE_H
