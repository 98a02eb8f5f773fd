//===- Context.h - contexts, errors, diagnostics, remarks ---------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The C API. Objects of a context must be used by one thread at a time;
// different contexts share nothing. Bad input returns a status and a message,
// and so does an internal fault (an exception or a fatal error of LLVM). Before
// MLIR's parser and verifiers run, only the nesting depth is checked; the
// process may end if the host runs out of memory (SECURITY.md). Objects that a
// create function returns are freed by the destroy function of the same name,
// strings returned as `char **` by parablockFree.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_C_CONTEXT_H
#define PARABLOCK_C_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PARABLOCK_API __attribute__((visibility("default")))

/* The exit codes of the tools. */
typedef int32_t ParablockStatus;
enum {
  ParablockSuccess = 0,
  /* Wrong usage or input, or a pass that failed. */
  ParablockBadInput = 1,
  /* An internal fault of the library, named in the message: the context is then
     in an undefined state, and every later call with it returns this status. */
  ParablockInternalError = 2,
  /* An optional component is not available. */
  ParablockMissing = 4
};

/* "0.1.0". */
PARABLOCK_API const char *parablockVersion(void);

PARABLOCK_API void parablockFree(char *string);

typedef struct ParablockContext ParablockContext;

/* Returns null on failure. */
PARABLOCK_API ParablockContext *parablockContextCreate(void);
/* Objects created with it live until they are destroyed, but its handlers are
   not called any more. */
PARABLOCK_API void parablockContextDestroy(ParablockContext *context);

/* Also reads modules from bytecode from now on. MLIR's reader of bytecode
   trusts its input: a malicious file can overwrite memory. */
PARABLOCK_API void parablockContextTrustBytecode(ParablockContext *context);

/* Returns the message of the latest failed call; empty if none failed. Valid
   until the next call. */
PARABLOCK_API const char *
parablockContextGetError(const ParablockContext *context);

/* A place in IR. If it is unknown, `file` is empty and the numbers are 0. */
typedef struct ParablockLocation {
  const char *file;
  uint32_t line, column;
} ParablockLocation;

enum { ParablockNote, ParablockWarning, ParablockError, ParablockInformation };

typedef struct ParablockDiagnostic {
  int32_t severity;
  ParablockLocation location;
  const char *message;
} ParablockDiagnostic;

/* `diagnostic` is valid only until the handler returns. */
typedef void (*ParablockDiagnosticHandler)(
    const ParablockDiagnostic *diagnostic, void *userData);

/* Null, the default, disables diagnostics: nothing is printed. In either case
   errors become the message of the failed call. */
PARABLOCK_API void
parablockContextSetDiagnosticHandler(ParablockContext *context,
                                     ParablockDiagnosticHandler handler,
                                     void *userData);

typedef struct ParablockRemark {
  /* "passed", "missed", "failure" or "analysis". */
  const char *kind;
  /* The pass's flag, the name of the decision, and the function. */
  const char *pass, *name, *function;
  ParablockLocation location;
  const char *message;
  /* The parts of the message: names ("Reason", a metric) with values. */
  size_t numArguments;
  const char *const *argumentNames;
  const char *const *argumentValues;
} ParablockRemark;

typedef void (*ParablockRemarkHandler)(const ParablockRemark *remark,
                                       void *userData);

/* Sets the handler for remarks on what passes did and did not do, and why. */
PARABLOCK_API void parablockContextSetRemarkHandler(
    ParablockContext *context, ParablockRemarkHandler handler, void *userData);

#ifdef __cplusplus
}
#endif

#endif /* PARABLOCK_C_CONTEXT_H */
