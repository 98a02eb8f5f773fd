//===- TensorStore.h - safetensors files without LLVM -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LAUNCH_TENSORSTORE_H
#define PARABLOCK_LAUNCH_TENSORSTORE_H

#include "parablock/Engines/Launch/LaunchPlan.h"
#include <map>
#include <string_view>

namespace parablock::launch {

/// A tensor of an open file.
struct StoredTensor {
  std::string name;
  /// In IR spelling, or the file's own word if IR has none.
  std::string type;
  std::vector<int64_t> shape;
  const unsigned char *data = nullptr;
  uint64_t bytes = 0;
};

/// An open file, mapped. Failures begin with its path.
class TensorStore {
public:
  TensorStore() = default;
  ~TensorStore();
  TensorStore(const TensorStore &) = delete;
  TensorStore &operator=(const TensorStore &) = delete;

  Status open(const std::string &path);
  const StoredTensor *find(const std::string &name) const;
  /// Returns a metadata value of the file, or null.
  const std::string *findMetadata(const std::string &key) const;

  /// Returns all metadata of the file.
  const std::map<std::string, std::string> &getMetadata() const {
    return metadata;
  }

  /// The whole file.
  std::string_view bytes() const {
    return {reinterpret_cast<const char *>(mapped), mappedBytes};
  }

  /// Checks that a tensor fits the plan, and records the dimensions that
  /// follow.
  Status check(const PlanTensor &wanted, const StoredTensor &stored,
               PlanDims &dims) const;

private:
  Status readHeader();

  std::string path;
  const unsigned char *mapped = nullptr;
  size_t mappedBytes = 0;
  std::vector<StoredTensor> tensors;
  std::map<std::string, std::string> metadata;
};

/// A tensor to write.
struct TensorToStore {
  std::string name, type;
  std::vector<int64_t> shape;
  std::vector<unsigned char> bytes;
};

/// Writes all tensors under a temporary name first; the file's order is by
/// element size, then by name.
Status writeTensors(const std::string &path,
                    std::vector<TensorToStore> tensors);

/// Writes `text` as writeTensors does; "-" is standard output.
Status writeText(const std::string &path, const std::string &text);

} // namespace parablock::launch

#endif // PARABLOCK_LAUNCH_TENSORSTORE_H
