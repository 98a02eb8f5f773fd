//===- Launch.h - runs packages on a GPU --------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loads packages that block-translate wrote and runs them with the CUDA driver,
// which is looked up at run time: nothing of CUDA or LLVM is linked.
//
// Threads. A session and a group are for one thread at a time, since what is
// set, launched and fetched belongs together: a call that another one meets in
// the same session is an error. Sessions of one program may run in several
// threads at once; weights are set before. Packages and devices are for any
// thread at any time, and so is what makes and gives back objects.
//
// Handles. An object keeps what it was made of, so that they may be given back
// in any order. A handle that is null, or was given back, is an error;
// functions that have none to tell return null, zero or a tensor without a
// name.
//
// A function that can fail takes a pbl_error, which may be null, and returns
// null or a code other than PBL_OK then. docs/use/Package.md has an example.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LAUNCH_LAUNCH_H
#define PARABLOCK_LAUNCH_LAUNCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define PBL_EXPORT __attribute__((visibility("default")))
#else
#define PBL_EXPORT
#endif

typedef enum pbl_code {
  PBL_OK = 0,
  // Bad files or arguments, or the device refused.
  PBL_BAD = 1,
  // A fault of the library, which the message names.
  PBL_INTERNAL = 2,
  // There is no CUDA driver, no device or no NCCL.
  PBL_MISSING = 4
} pbl_code;

typedef struct pbl_error {
  pbl_code code;
  // Ends with a zero byte; longer messages are cut.
  char message[1016];
} pbl_error;

typedef struct pbl_package pbl_package;
typedef struct pbl_device pbl_device;
typedef struct pbl_group pbl_group;
typedef struct pbl_program pbl_program;
typedef struct pbl_session pbl_session;

//===----------------------------------------------------------------------===//
// Packages
//===----------------------------------------------------------------------===//

typedef enum pbl_role {
  PBL_INPUT = 0,
  PBL_PARAMETER = 1,
  PBL_RESULT = 2
} pbl_role;

// An argument or result of the function, or in a session a tensor.
typedef struct pbl_tensor {
  const char *name;
  // "f64", "f32", "bf16", "f16", "i64", "i32", "i16", "i8", "ui8" or "i1",
  // which has a byte of 0 or 1.
  const char *dtype;
  pbl_role role;
  uint32_t rank;
  // Sizes; of a package, -1 where dim_names has a name instead or, of results,
  // what the size follows from: "n", "n ceildiv 2".
  const int64_t *shape;
  const char *const *dim_names;
  // 0 where sizes are not known yet.
  uint64_t bytes;
} pbl_tensor;

// Reads the manifest and checks its hash. Other files are read when needed, and
// nothing is used whose hash is another, or that the code is not made for.
PBL_EXPORT pbl_package *pbl_package_open(const char *path, pbl_error *error);
PBL_EXPORT void pbl_package_close(pbl_package *package);

// Checks all that can be checked without a device: every file, and every plan
// against the code.
PBL_EXPORT pbl_code pbl_package_verify(const pbl_package *package,
                                       pbl_error *error);
// The SHA-256 of the manifest, which has those of all other files: who knows it
// knows the package.
PBL_EXPORT const char *pbl_package_hash(const pbl_package *package);

// How many devices it was made for; more than one need a group.
PBL_EXPORT uint32_t pbl_package_num_ranks(const pbl_package *package);

// Arguments in the function's order, then results.
PBL_EXPORT uint32_t pbl_package_num_tensors(const pbl_package *package);
PBL_EXPORT pbl_tensor pbl_package_tensor(const pbl_package *package,
                                         uint32_t index);

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

// A device of the driver, by its number, and its primary context, so that
// it shares memory with others who use that (PyTorch does).
PBL_EXPORT pbl_device *pbl_device_open(int ordinal, pbl_error *error);
PBL_EXPORT void pbl_device_close(pbl_device *device);
PBL_EXPORT const char *pbl_device_name(const pbl_device *device);

//===----------------------------------------------------------------------===//
// Groups: the devices that run a package of several ranks
//===----------------------------------------------------------------------===//

// A rank is a process or a thread with a device of its own. They meet by NCCL
// (libnccl.so.2 of version 2.14 or later, looked up at run time). All of them
// make the same calls in the same order: those that say so below wait for each
// other, at most for as many seconds as the group was made with. A fault at one
// rank is an error at all.

#define PBL_GROUP_ID_BYTES 128

// What the first rank makes and hands to the others, by whatever way they have.
PBL_EXPORT pbl_code pbl_group_make_id(unsigned char *id, pbl_error *error);
PBL_EXPORT pbl_group *pbl_group_join(pbl_device *device, uint32_t rank,
                                     uint32_t ranks, uint32_t seconds,
                                     const unsigned char *id, pbl_error *error);
// The same by files in a folder that all ranks see and no other run uses at the
// time.
PBL_EXPORT pbl_group *pbl_group_meet_in(pbl_device *device, uint32_t rank,
                                        uint32_t ranks, uint32_t seconds,
                                        const char *folder, pbl_error *error);
PBL_EXPORT void pbl_group_leave(pbl_group *group);

// Waits for all ranks. `failure` tells them of a fault here and comes back as
// this rank's error; null if all is well.
PBL_EXPORT pbl_code pbl_group_meet(pbl_group *group, const char *failure,
                                   pbl_error *error);
// Waits for a stream of the caller's (a CUstream) that a session was launched
// on: the driver itself would wait for a rank that died without end.
PBL_EXPORT pbl_code pbl_group_wait(pbl_group *group, void *stream,
                                   pbl_error *error);

//===----------------------------------------------------------------------===//
// Programs: code and weights on a device
//===----------------------------------------------------------------------===//

// `chip` chooses among the package's; null takes the best that the device
// runs.
PBL_EXPORT pbl_program *pbl_program_create(pbl_package *package,
                                           pbl_device *device, const char *chip,
                                           pbl_error *error);
// One rank's, on the device that it joined the group with. From here on,
// loading weights from a file, creating a session and its first launch wait for
// the other ranks and compare: package, chip, weights that block-weights
// packed, sizes, and inputs that were copied.
PBL_EXPORT pbl_program *
pbl_program_create_rank(pbl_package *package, pbl_device *device,
                        pbl_group *group, const char *chip, pbl_error *error);
PBL_EXPORT void pbl_program_destroy(pbl_program *program);
PBL_EXPORT const char *pbl_program_chip(const pbl_program *program);

// Copies a parameter, packed as the package wants it, from host memory.
PBL_EXPORT pbl_code pbl_program_set_weight(pbl_program *program,
                                           const char *name, const void *data,
                                           uint64_t bytes, pbl_error *error);
// All parameters, from a safetensors file.
PBL_EXPORT pbl_code pbl_program_load_weights(pbl_program *program,
                                             const char *path,
                                             pbl_error *error);

//===----------------------------------------------------------------------===//
// Sessions: one shape, its memory and its launches
//===----------------------------------------------------------------------===//

typedef struct pbl_dim {
  const char *name;
  int64_t size;
} pbl_dim;

PBL_EXPORT pbl_session *pbl_session_create(pbl_program *program,
                                           const pbl_dim *dims,
                                           uint32_t num_dims, pbl_error *error);
PBL_EXPORT void pbl_session_destroy(pbl_session *session);

// The package's tensors, with sizes.
PBL_EXPORT pbl_tensor pbl_session_tensor(const pbl_session *session,
                                         uint32_t index);

// The caller's own device memory for an input, or for a result, aligned to 16
// bytes; it is read or written in place. Without it the session has memory of
// its own. An input and a result may have the same name. Indices are read back
// and looked at before each launch, which waits for them then
// (pbl_session_set_checked).
PBL_EXPORT pbl_code pbl_session_bind_input(pbl_session *session,
                                           const char *name,
                                           uint64_t device_pointer,
                                           pbl_error *error);
PBL_EXPORT pbl_code pbl_session_bind_result(pbl_session *session,
                                            const char *name,
                                            uint64_t device_pointer,
                                            pbl_error *error);

// Copies host memory to an input, and a result to host memory. Both wait. Ids,
// lengths and what else kernels use as indices are looked at: one that is out
// of range is an error, and the input stays what it was.
PBL_EXPORT pbl_code pbl_session_set_input(pbl_session *session,
                                          const char *name, const void *data,
                                          uint64_t bytes, pbl_error *error);
PBL_EXPORT pbl_code pbl_session_get_result(pbl_session *session,
                                           const char *name, void *data,
                                           uint64_t bytes, pbl_error *error);

// Enqueues all launches on a stream of the driver (a CUstream; null is the
// session's own) and does not wait.
PBL_EXPORT pbl_code pbl_session_launch(pbl_session *session, void *stream,
                                       pbl_error *error);
// The same by one CUDA graph, which is captured at the first call and again
// after pbl_session_bind_input or _result has bound other memory. On a stream
// that the caller captures, the launches become a part of that graph.
PBL_EXPORT pbl_code pbl_session_replay(pbl_session *session, void *stream,
                                       pbl_error *error);
// Whether launches may begin before the one before has ended, where their code
// waits for it (sm_90a). They may at first; 0 is for comparison.
PBL_EXPORT void pbl_session_set_programmatic(pbl_session *session, int value);
// Whether indices in the caller's own memory are looked at before each launch.
// They are at first. With 0 launches do not wait, and may be captured by the
// caller; then an index out of range reads whatever lies there.
PBL_EXPORT void pbl_session_set_checked(pbl_session *session, int value);
// Waits for the session's own stream.
PBL_EXPORT pbl_code pbl_session_wait(pbl_session *session, pbl_error *error);

typedef struct pbl_facts {
  // Launches of one run, and what ranks do between them.
  uint32_t num_launches;
  // Device memory: buffers between launches with and without sharing, what
  // the session allocated, and what the program did.
  uint64_t arena_bytes, arena_sum_bytes, session_bytes, program_bytes;
} pbl_facts;

PBL_EXPORT pbl_facts pbl_session_facts(const pbl_session *session);
// The kernel of a launch, or what ranks do in its place ("all_reduce", ...).
PBL_EXPORT const char *pbl_session_kernel(const pbl_session *session,
                                          uint32_t launch);

#ifdef __cplusplus
}
#endif

#endif // PARABLOCK_LAUNCH_LAUNCH_H
