//===- Check.h - What every unit test checks with ---------------*- C++ -*-===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A unit test is a program whose main calls the checks below and returns
// parablock::unittest::finish(). Every check prints `name: ok` or `name:
// FAILED` with what was seen and where; the program fails if any check did, or
// if there was none.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_CHECK_H
#define PARABLOCK_UNITTESTS_CHECK_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace parablock::unittest {

struct Counts {
  unsigned passed = 0, failed = 0;
};

inline Counts &counts() {
  static Counts theCounts;
  return theCounts;
}

/// Records one check; `seen` explains a failure.
inline bool record(bool ok, const llvm::Twine &name, const char *file, int line,
                   const llvm::Twine &seen) {
  ++(ok ? counts().passed : counts().failed);
  llvm::outs() << name << (ok ? ": ok\n" : ": FAILED\n");
  if (!ok)
    llvm::outs() << "  " << file << ":" << line << ": " << seen << "\n";
  llvm::outs().flush();
  return ok;
}

template <typename A, typename B>
bool recordEqual(const A &got, const B &want, const llvm::Twine &name,
                 const char *file, int line) {
  bool ok = got == want;
  std::string seen;
  if (!ok)
    llvm::raw_string_ostream(seen) << "expected " << want << ", got " << got;
  return record(ok, name, file, line, seen);
}

/// An error whose message holds `part`.
inline bool recordFails(llvm::Error error, llvm::StringRef part,
                        const llvm::Twine &name, const char *file, int line) {
  if (!error)
    return record(false, name, file, line,
                  "expected an error with '" + part + "', got success");
  std::string message = llvm::toString(std::move(error));
  return record(llvm::StringRef(message).contains(part), name, file, line,
                "expected an error with '" + part + "', got '" + message + "'");
}

template <typename T>
bool recordFails(llvm::Expected<T> value, llvm::StringRef part,
                 const llvm::Twine &name, const char *file, int line) {
  return recordFails(value.takeError(), part, name, file, line);
}

/// No error; the message of one is shown.
inline bool recordSucceeds(llvm::Error error, const llvm::Twine &name,
                           const char *file, int line) {
  if (!error)
    return record(true, name, file, line, "");
  return record(false, name, file, line, llvm::toString(std::move(error)));
}

/// The exit code of main.
inline int finish() {
  llvm::outs() << counts().passed << " passed, " << counts().failed
               << " failed\n";
  return counts().failed == 0 && counts().passed != 0 ? 0 : 1;
}

} // namespace parablock::unittest

/// `condition` holds. All macros evaluate to whether the check passed.
#define CHECK(name, condition)                                                 \
  ::parablock::unittest::record((condition), (name), __FILE__, __LINE__,       \
                                "expected " #condition)

/// `got == want`; both must be printable on a raw_ostream.
#define CHECK_EQUAL(name, got, want)                                           \
  ::parablock::unittest::recordEqual((got), (want), (name), __FILE__, __LINE__)

/// An llvm::Error or Expected that is an error whose message holds `part`.
#define CHECK_FAILS(name, result, part)                                        \
  ::parablock::unittest::recordFails((result), (part), (name), __FILE__,       \
                                     __LINE__)

/// An llvm::Error that is success (of an Expected, pass takeError()).
#define CHECK_SUCCEEDS(name, error)                                            \
  ::parablock::unittest::recordSucceeds((error), (name), __FILE__, __LINE__)

#endif // PARABLOCK_UNITTESTS_CHECK_H
