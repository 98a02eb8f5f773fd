//===- LineWrapper.h - line breaks in printed IR ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_LINEWRAPPER_H
#define PARABLOCK_SUPPORT_LINEWRAPPER_H

#include "llvm/Support/raw_ostream.h"
#include <string>

namespace parablock {

/// A stream for MLIR's text, in which line breaks are blanks: a line that is
/// too long continues, indented, in the next one. Strings, comments, resources
/// and the bodies of foreign attributes and types, which readers may keep as
/// text, are not broken, and bytecode is passed on unchanged.
class LineWrapper : public llvm::raw_ostream {
public:
  static constexpr size_t longest = 160;

  /// With `unbroken` all text is passed on unchanged.
  explicit LineWrapper(llvm::raw_ostream &os, bool unbroken = false)
      : os(os), part(unbroken ? Part::Whole : Part::Start) {}
  /// Writes the remaining text; `os` must still exist.
  ~LineWrapper() override;

private:
  void write_impl(const char *bytes, size_t size) override;
  uint64_t current_pos() const override { return position; }
  void writeLine(llvm::StringRef line);

  llvm::raw_ostream &os;
  /// The current, unfinished line.
  std::string begun;
  uint64_t position = 0;
  enum class Part { Start, Text, Resources, Whole } part;
};

} // namespace parablock

#endif // PARABLOCK_SUPPORT_LINEWRAPPER_H
