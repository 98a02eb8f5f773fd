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

/* As the exit codes of the tools. */
typedef int32_t ParablockStatus;
enum {
  ParablockSuccess = 0,
  /* Wrong usage or input, or a pass that failed. */
  ParablockBadInput = 1,
  /* A fault of the library, which its message names: what the context holds is
     in no known state, and each further call with it ends like this. */
  ParablockInternalError = 2,
  /* Something optional that is not here. */
  ParablockMissing = 4
};

/* "0.1.0". */
PARABLOCK_API const char *parablockVersion(void);

PARABLOCK_API void parablockFree(char *string);

typedef struct ParablockContext ParablockContext;

/* Null where none can be made. */
PARABLOCK_API ParablockContext *parablockContextCreate(void);
/* What was made with it lives on until it is destroyed itself, but its handlers
   are called no more. */
PARABLOCK_API void parablockContextDestroy(ParablockContext *context);

/* From here on, modules are also read from bytecode. MLIR's reader of it trusts
   what it reads: a file that was made to can overwrite memory. */
PARABLOCK_API void parablockContextTrustBytecode(ParablockContext *context);

/* What the latest call that failed had to say; empty if none did. Valid until
   the next call. */
PARABLOCK_API const char *
parablockContextGetError(const ParablockContext *context);

/* A place in IR. `file` is empty and the numbers are 0 where it is unknown. */
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

/* What handlers are shown is gone when they return. */
typedef void (*ParablockDiagnosticHandler)(
    const ParablockDiagnostic *diagnostic, void *userData);

/* Null for none, as at first: then nothing is printed. Errors become the
   message of the call that failed in either case. */
PARABLOCK_API void
parablockContextSetDiagnosticHandler(ParablockContext *context,
                                     ParablockDiagnosticHandler handler,
                                     void *userData);

typedef struct ParablockRemark {
  /* "passed", "missed", "failure" or "analysis". */
  const char *kind;
  /* The pass's flag, what it decided on, and the function. */
  const char *pass, *name, *function;
  ParablockLocation location;
  const char *message;
  /* What the message is made of: names ("Reason", a metric) with values. */
  size_t numArguments;
  const char *const *argumentNames;
  const char *const *argumentValues;
} ParablockRemark;

typedef void (*ParablockRemarkHandler)(const ParablockRemark *remark,
                                       void *userData);

/* Shows the handler what passes did and did not do, and why. */
PARABLOCK_API void parablockContextSetRemarkHandler(
    ParablockContext *context, ParablockRemarkHandler handler, void *userData);

#ifdef __cplusplus
}
#endif

#endif /* PARABLOCK_C_CONTEXT_H */
