//===- Package.h - manifests of packages ------------------------*- C++ -*-===//
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
/// The manifest's own hash, in the format of sha256sum.
inline constexpr char packageHash[] = "manifest.sha256";
/// Packed weights in the same folder, if any; they have a hash.
inline constexpr char packageWeights[] = "weights.safetensors";

/// One file of a package, with the properties that are checked on reading.
struct PackageFile {
  std::string name;
  uint64_t bytes = 0;
  std::string sha256;
};

/// The values that an integer input may hold, before sizes are known.
struct PackageLimit {
  /// But for its size.
  IndexLimit limit;
  PlanSize size;
  /// Tokens before the first; for Positions.
  PlanSize past;
};

/// Returns "rows", "tokens", ...: the spelling of manifests.
const char *getLimitName(IndexLimit::Kind kind);

/// The numbers of rows that caches may hold, before sizes are known.
struct PackageCaches {
  /// But for its sizes.
  CacheRoom room;
  PlanSize tokens;
  std::vector<PlanSize> capacities;
  /// Pages of every pool, by table.
  std::vector<std::vector<PlanSize>> pools;
  /// The input with the number of padding tokens in front, if there is one.
  std::optional<std::string> starts;
};

/// The manifest's name of that limit.
inline constexpr char pastLimitName[] = "past";

/// A function's argument or result.
struct PackagePort {
  PlanTensor tensor;
  bool isParameter = false;
  /// True for an input whose values differ between ranks.
  bool isOfRank = false;
  /// Limits of inputs that are indices.
  std::vector<PackageLimit> limits;
  /// Limits of caches, if this input is the number of rows that they hold.
  std::optional<PackageCaches> caches;
};

struct PackageLayer {
  std::string name;
  int64_t index = 0;
};

/// A part of a file of machine code that is an image of its own.
struct PackageImage {
  uint64_t bytes = 0;
  /// The functions that it has, kernels among them.
  std::vector<std::string> functions;
};

/// Code for one chip. Its plans' first tensors are the package's arguments.
struct PackageCode {
  std::string chip;
  /// Multiprocessors of the chip; 0 if an older manifest lacks the number.
  int64_t multiprocessors = 0;
  PackageFile ptx;
  std::optional<PackageFile> cubin;
  /// The images of `cubin`, one behind the other; empty if it is one.
  std::vector<PackageImage> images;
  /// The code for the emulator.
  PackageFile bitcode;
  /// Plans by rank.
  std::vector<LaunchPlan> plans;

  /// Returns the part of the chip's name before a hyphen: all devices of that
  /// architecture run the code, whatever the product.
  std::string getArchitecture() const { return chip.substr(0, chip.find('-')); }
};

struct Package {
  std::string path;
  /// The SHA-256 of the manifest, which contains the hashes of all other files.
  std::string sha256;
  std::string function;
  std::vector<std::string> dims;
  std::vector<PackagePort> arguments, results;
  std::vector<PackageLayer> layers;
  /// The form of the model that the weights must fit.
  files::WeightsForm weights;
  /// IR of the function and its @prepack.
  PackageFile model;
  /// The recipes of parameters from a checkpoint, by rank; empty if they are
  /// unchanged.
  std::vector<PackageFile> recipes;
  /// Parameters that are the same for every checkpoint, by rank, if
  /// any.
  std::vector<std::optional<PackageFile>> constants;
  std::vector<PackageCode> chips;

  /// Returns the number of devices.
  unsigned numRanks() const {
    return static_cast<unsigned>(chips.front().plans.size());
  }
  const PackageCode *findChip(const std::string &chip) const;
  /// "sm_80, sm_90a".
  std::string listChips() const;
};

namespace launch {

/// Returns whether `path` is a folder, as packages are.
bool isPackage(const std::string &path);

/// Reads and checks the manifest. Failures begin with the path.
Status readPackage(const std::string &path, Package &package);

/// Reads one of its files and compares size and hash.
Status readPackageFile(const Package &package, const PackageFile &file,
                       std::string &bytes);

/// Prints the hash of a manifest in the form of packageHash.
std::string formatManifestHash(const std::string &sha256);

} // namespace launch
} // namespace parablock

#endif // PARABLOCK_LAUNCH_PACKAGE_H
