//===- StoredPackage.cpp - joins and separates files of packages ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A stored package is a sequence of files: the size of a name and the size of
// the contents as decimal digits in a line of their own, the name, the
// contents.
//
//===----------------------------------------------------------------------===//

#include "parablock/Engines/Package/StoredPackage.h"

#include "PackageFolder.h"
#include "parablock/Files/AtomicFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <vector>

using namespace parablock;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

static Error fail(StringRef path, std::error_code code) {
  return llvm::createStringError(code, path + ": " + code.message());
}

Expected<std::string> parablock::storePackage(StringRef path) {
  std::vector<std::string> names;
  std::error_code code;
  for (fs::directory_iterator at(path, code), end; at != end && !code;
       at.increment(code))
    names.push_back(at->path());
  if (code)
    return fail(path, code);
  // Equal packages are equal texts.
  llvm::sort(names);
  std::string stored;
  for (StringRef name : names) {
    llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
        llvm::MemoryBuffer::getFile(name, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
    if (!file)
      return fail(name, file.getError());
    StringRef contents = (*file)->getBuffer(),
              plain = llvm::sys::path::filename(name);
    stored += std::to_string(plain.size()) + " " +
              std::to_string(contents.size()) + "\n" + plain.str();
    stored += contents;
  }
  return stored;
}

Error parablock::restorePackage(StringRef stored, StringRef path) {
  Expected<PackageFolder> folder = PackageFolder::create(path);
  if (!folder)
    return folder.takeError();
  while (!stored.empty()) {
    auto [sizes, rest] = stored.split('\n');
    auto [ofName, ofContents] = sizes.split(' ');
    size_t nameSize = 0, size = 0;
    if (!llvm::to_integer(ofName, nameSize, 10) ||
        !llvm::to_integer(ofContents, size, 10) || nameSize > rest.size() ||
        size > rest.size() - nameSize)
      return llvm::createStringError(path + ": the stored package is damaged");
    StringRef name = rest.take_front(nameSize);
    if (Error error =
            folder->write(name, rest.substr(nameSize, size)).takeError())
      return error;
    stored = rest.drop_front(nameSize + size);
  }
  return folder->keep();
}
