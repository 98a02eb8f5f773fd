//===- PackageFolder.h - folders written atomically -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_PACKAGE_PACKAGEFOLDER_H
#define PARABLOCK_LIB_PACKAGE_PACKAGEFOLDER_H

#include "parablock/Engines/Launch/Package.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace parablock {

/// A folder under construction next to its destination. If destroyed before
/// keep(), it leaves nothing.
class PackageFolder {
public:
  static llvm::Expected<PackageFolder> create(llvm::StringRef path);
  ~PackageFolder();
  PackageFolder(PackageFolder &&other);
  PackageFolder &operator=(PackageFolder &&) = delete;

  std::string getPath(llvm::StringRef name) const;

  /// Writes a file and returns its size and hash for readers.
  llvm::Expected<PackageFile> write(llvm::StringRef name,
                                    llvm::StringRef contents);

  /// Describes a file that exists already.
  llvm::Expected<PackageFile> adopt(llvm::StringRef name);

  /// Gives the folder its name, replacing an older package.
  llvm::Error keep();

private:
  PackageFolder() = default;

  std::string destination, temporary;
};

} // namespace parablock

#endif // PARABLOCK_LIB_PACKAGE_PACKAGEFOLDER_H
