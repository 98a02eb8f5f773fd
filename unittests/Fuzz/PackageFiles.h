//===- PackageFiles.h - a package to damage ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_FUZZ_PACKAGEFILES_H
#define PARABLOCK_UNITTESTS_FUZZ_PACKAGEFILES_H

#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace parablock::fuzz {

/// A copy of a package and its weights in a folder, of which files become
/// others and then what they were.
class PackageFiles {
public:
  static llvm::Expected<PackageFiles> read(llvm::StringRef package,
                                           llvm::StringRef weights,
                                           llvm::StringRef scratch);

  std::string folder() const { return scratch + "/p.pbk"; }
  std::string weightsPath() const { return scratch + "/w.safetensors"; }
  /// Gives the names in the package, and "w.safetensors".
  const std::vector<std::string> &names() const { return allNames; }
  const std::string &get(const std::string &name) const {
    return current.at(name);
  }

  void write(const std::string &name, std::string bytes);
  /// Gives the manifest the file's size and hash, where it has one.
  void rehash(const std::string &name);
  /// Gives the manifest's hash to its file.
  void sign();
  static constexpr unsigned numSpecials = 8;
  /// Nothing, a folder, a pipe, a device, a link of some kind, or the same file
  /// and others beside it.
  void replaceBySpecial(const std::string &name, unsigned kind);

  /// Tells whether any file is not what it was.
  bool isChanged() const;
  /// Tells whether a file is other than the signed manifest says.
  bool isDamaged() const;
  /// The same of what loading reads.
  bool isCodeDamaged() const;

  void restore();

private:
  bool isOther(const std::string &name) const;
  void readRecords();

  std::string scratch;
  std::vector<std::string> allNames;
  /// As they were, and as they are; those that are no file now are empty.
  std::map<std::string, std::string> original, current;
  /// Hashes of files by the manifest that was signed last, and its own.
  std::multimap<std::string, std::string> recorded;
  std::vector<std::string> touched;
};

} // namespace parablock::fuzz

#endif // PARABLOCK_UNITTESTS_FUZZ_PACKAGEFILES_H
