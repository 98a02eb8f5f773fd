//===- Launch.h - runs packages on a GPU --------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loads packages that block-translate wrote and runs them with the CUDA driver,
// which is looked up at run time: this library links neither CUDA nor LLVM.
//
// Threads. A session, group or generation must be used by one thread at a time;
// a concurrent call in the same session or generation is an error. Sessions and
// generations of one program may run in several threads at once, after the
// weights are set. Packages and
// devices may be used by any thread at any time, and so may the functions that
// create and free objects.
//
// Handles. An object keeps the objects it was created from alive, so they may
// be freed in any order. A null or freed handle is an error; functions without
// an error argument then return null, zero or a tensor without a name.
//
// A function that can fail has a pbl_error argument, which may be null, and on
// failure returns null or a code other than PBL_OK. docs/use/Package.md has an
// example.
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
  // Bad files or arguments, or an error of the device.
  PBL_BAD = 1,
  // A fault of the library, which the message names.
  PBL_INTERNAL = 2,
  // No CUDA driver, device or NCCL was found.
  PBL_MISSING = 4
} pbl_code;

typedef struct pbl_error {
  pbl_code code;
  // Zero-terminated; longer messages are truncated.
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
  // "f64", "f32", "bf16", "f16", "i64", "i32", "i16", "i8", "ui8" or "i1" (one
  // byte, 0 or 1).
  const char *dtype;
  pbl_role role;
  uint32_t rank;
  // Sizes. In a package, -1 where dim_names has a name or, for results, an
  // expression: "n", "n ceildiv 2".
  const int64_t *shape;
  const char *const *dim_names;
  // 0 where sizes are not known yet.
  uint64_t bytes;
} pbl_tensor;

// Reads the manifest and checks its hash. Other files are read when needed;
// each must match its hash and the device.
PBL_EXPORT pbl_package *pbl_package_open(const char *path, pbl_error *error);
PBL_EXPORT void pbl_package_close(pbl_package *package);

// Performs all checks that need no device: of every file, and of every plan
// against the code.
PBL_EXPORT pbl_code pbl_package_verify(const pbl_package *package,
                                       pbl_error *error);
// Returns the SHA-256 of the manifest, which contains the hashes of all other
// files and so identifies the package.
PBL_EXPORT const char *pbl_package_hash(const pbl_package *package);

// Returns how many devices the package was made for; more than one require a
// group.
PBL_EXPORT uint32_t pbl_package_num_ranks(const pbl_package *package);

// Arguments in the function's order, then results.
PBL_EXPORT uint32_t pbl_package_num_tensors(const pbl_package *package);
PBL_EXPORT pbl_tensor pbl_package_tensor(const pbl_package *package,
                                         uint32_t index);

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

// Opens a device by the driver's number, with its primary context, so that it
// shares memory with other users of that context (such as PyTorch).
PBL_EXPORT pbl_device *pbl_device_open(int ordinal, pbl_error *error);
PBL_EXPORT void pbl_device_close(pbl_device *device);
PBL_EXPORT const char *pbl_device_name(const pbl_device *device);

typedef struct pbl_device_facts {
  // Chip of the best code for the device: "sm_90a" or "sm_80", which every
  // later device runs, too. Null for a device older than that.
  const char *chip;
  // Compute capability.
  uint32_t major, minor;
  uint32_t multiprocessors;
  uint64_t total_bytes, free_bytes;
} pbl_device_facts;

PBL_EXPORT pbl_code pbl_device_get_facts(const pbl_device *device,
                                         pbl_device_facts *facts,
                                         pbl_error *error);

//===----------------------------------------------------------------------===//
// Memory of a device, which sessions can be bound to
//===----------------------------------------------------------------------===//

typedef struct pbl_memory pbl_memory;

// Offsets and a length in bytes.
typedef struct pbl_copy {
  uint64_t target, source, bytes;
} pbl_copy;

// Allocates zeros. `what` is a part of the message where there is too little
// memory ("the caches").
PBL_EXPORT pbl_memory *pbl_memory_allocate(pbl_device *device, uint64_t bytes,
                                           const char *what, pbl_error *error);
// Memory that a session is bound to must not be released before the session
// has run.
PBL_EXPORT void pbl_memory_release(pbl_memory *memory);
// Returns the address for pbl_session_bind_input and _result.
PBL_EXPORT uint64_t pbl_memory_pointer(const pbl_memory *memory);

// Copies from and to host memory, and within the device, in the order of
// `copies`, whose source and target must not overlap. All three wait until the
// copy is done; wait for a session before its results are copied.
PBL_EXPORT pbl_code pbl_memory_upload(pbl_memory *memory, uint64_t offset,
                                      const void *data, uint64_t bytes,
                                      pbl_error *error);
PBL_EXPORT pbl_code pbl_memory_download(const pbl_memory *memory,
                                        uint64_t offset, void *data,
                                        uint64_t bytes, pbl_error *error);
PBL_EXPORT pbl_code pbl_memory_copy(pbl_memory *target,
                                    const pbl_memory *source,
                                    const pbl_copy *copies, uint32_t num_copies,
                                    pbl_error *error);

//===----------------------------------------------------------------------===//
// Groups: the devices that run a package of several ranks
//===----------------------------------------------------------------------===//

// A rank is a process or thread with its own device. Ranks communicate by NCCL
// (libnccl.so.2, version 2.14 or later, looked up at run time). All ranks make
// the same calls in the same order. Collective calls, marked below, wait for
// each other up to the timeout in seconds that the group was created with. A
// fault at one rank is an error at all ranks.

#define PBL_GROUP_ID_BYTES 128

// Creates the id that the first rank must send to the other ranks.
PBL_EXPORT pbl_code pbl_group_make_id(unsigned char *id, pbl_error *error);
PBL_EXPORT pbl_group *pbl_group_join(pbl_device *device, uint32_t rank,
                                     uint32_t ranks, uint32_t seconds,
                                     const unsigned char *id, pbl_error *error);
// Like pbl_group_join, by files in a folder that all ranks share and that no
// concurrent run uses.
PBL_EXPORT pbl_group *pbl_group_meet_in(pbl_device *device, uint32_t rank,
                                        uint32_t ranks, uint32_t seconds,
                                        const char *folder, pbl_error *error);
PBL_EXPORT void pbl_group_leave(pbl_group *group);

// Waits for all ranks. A non-null `failure` reports a fault of this rank to the
// others and is returned as this rank's error.
PBL_EXPORT pbl_code pbl_group_meet(pbl_group *group, const char *failure,
                                   pbl_error *error);
// Waits for a stream of the caller (a CUstream) that a session was launched on;
// the driver's own wait never returns if another rank died.
PBL_EXPORT pbl_code pbl_group_wait(pbl_group *group, void *stream,
                                   pbl_error *error);

//===----------------------------------------------------------------------===//
// Programs: code and weights on a device
//===----------------------------------------------------------------------===//

// `chip` selects one of the package's; null selects the best one for the
// device.
PBL_EXPORT pbl_program *pbl_program_create(pbl_package *package,
                                           pbl_device *device, const char *chip,
                                           pbl_error *error);
// Creates the program of one rank, on the device that it joined the group with.
// From here on, loading weights from a file, creating a session and its first
// launch are collective and compare: package, chip, weights that block-weights
// packed, sizes, and inputs that were copied.
PBL_EXPORT pbl_program *
pbl_program_create_rank(pbl_package *package, pbl_device *device,
                        pbl_group *group, const char *chip, pbl_error *error);
PBL_EXPORT void pbl_program_destroy(pbl_program *program);
PBL_EXPORT const char *pbl_program_chip(const pbl_program *program);

// Copies a parameter from host memory, packed as the package requires.
PBL_EXPORT pbl_code pbl_program_set_weight(pbl_program *program,
                                           const char *name, const void *data,
                                           uint64_t bytes, pbl_error *error);
// Copies a part of a parameter; parts come in order, from offset 0 on, and the
// last one completes it.
PBL_EXPORT pbl_code pbl_program_set_weight_part(
    pbl_program *program, const char *name, uint64_t offset, const void *data,
    uint64_t bytes, pbl_error *error);
// Reads a parameter from the caller's device memory, packed as the package
// requires, which must stay until the parameter is set or bound again or the
// program is destroyed. The address must be a multiple of 16. A program
// allocates memory for parameters when the first one is set: those that are
// bound by then have none. No session may launch meanwhile.
PBL_EXPORT pbl_code pbl_program_bind_weight(pbl_program *program,
                                            const char *name,
                                            uint64_t device_pointer,
                                            uint64_t bytes, pbl_error *error);
// Computes a parameter by a session of another program on the same device: the
// memory of the session's result becomes the parameter's, and its launches are
// enqueued on `stream` as by pbl_session_launch. No session of `program` may
// launch meanwhile.
PBL_EXPORT pbl_code pbl_program_compute_weight(pbl_program *program,
                                               const char *name,
                                               pbl_session *session,
                                               const char *result, void *stream,
                                               pbl_error *error);
// Loads all parameters from a safetensors file.
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

// Binds the caller's device memory, aligned to 16 bytes, to an input or
// result, which is then read or written in place. An input and a result may
// share a name. Inputs and results that are not bound are in memory of the
// session, which it allocates when the first of them is set, or at the first
// launch: bind before that. Indices are copied back and checked before each
// launch, which therefore waits (pbl_session_set_checked).
PBL_EXPORT pbl_code pbl_session_bind_input(pbl_session *session,
                                           const char *name,
                                           uint64_t device_pointer,
                                           pbl_error *error);
PBL_EXPORT pbl_code pbl_session_bind_result(pbl_session *session,
                                            const char *name,
                                            uint64_t device_pointer,
                                            pbl_error *error);

// Copies host memory to an input, and a result to host memory. Both wait, but
// are no meeting of ranks: where these exchange rows of experts, call
// pbl_session_wait before a result is read. Ids, lengths and other inputs that
// kernels use as indices are checked: an index out of range is an error, and
// the input keeps its old value.
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
// Like pbl_session_launch, by one CUDA graph, captured at the first call and
// again after pbl_session_bind_input or _result has bound other memory. On a
// stream that the caller captures, the launches become a part of that graph.
// Without a graph where ranks exchange rows of experts, which the host counts.
PBL_EXPORT pbl_code pbl_session_replay(pbl_session *session, void *stream,
                                       pbl_error *error);
// Sets whether a launch may begin before the previous one has ended, if its
// code waits for it (sm_90a). Default: 1; 0 is for comparison.
PBL_EXPORT void pbl_session_set_programmatic(pbl_session *session, int value);
// Sets whether indices in the caller's memory are checked before each launch
// (default: 1). With 0, launches do not wait and may be captured by the caller;
// an index out of range then reads undefined memory.
PBL_EXPORT void pbl_session_set_checked(pbl_session *session, int value);
// Waits for the session's own stream. Where ranks exchange rows of experts, all
// of them call it behind each run, and a NaN in the rows of one, or another
// error there, is an error on all. Other calls that wait tell one rank alone.
PBL_EXPORT pbl_code pbl_session_wait(pbl_session *session, pbl_error *error);

typedef struct pbl_facts {
  // Launches of one run, and collectives between them.
  uint32_t num_launches;
  // Device memory: buffers between launches with and without sharing, memory
  // that the session allocated, and memory that the program allocated.
  uint64_t arena_bytes, arena_sum_bytes, session_bytes, program_bytes;
} pbl_facts;

PBL_EXPORT pbl_facts pbl_session_facts(const pbl_session *session);
// Returns the kernel of a launch, or the name of a collective ("all_reduce").
PBL_EXPORT const char *pbl_session_kernel(const pbl_session *session,
                                          uint32_t launch);

//===----------------------------------------------------------------------===//
// Generation: tokens of a function with caches
//===----------------------------------------------------------------------===//

// The choice of a token, by the filters of transformers, in this order
// (docs/use/Generation.md). A zeroed struct is not valid: repetition_penalty
// and top_p are 1 for none.
typedef struct pbl_sampling {
  // 1 for none.
  double repetition_penalty;
  // 0 for the most likely token; later fields are then ignored.
  double temperature;
  // 0 for all tokens.
  int64_t top_k;
  // 1 for all tokens.
  double top_p;
  // 0 for all tokens.
  double min_p;
} pbl_sampling;

typedef struct pbl_request {
  // The prompt: tokens [rows, width], with `starts` tokens of padding in front
  // of each row; null if there is none.
  const int64_t *ids;
  uint64_t rows, width;
  const int64_t *starts;
  // Largest number of new tokens of each row.
  int64_t max_new_tokens;
  pbl_sampling sampling;
  uint64_t seed;
  // Tokens that end a row.
  const int64_t *stops;
  uint64_t num_stops;
  // The padding token, also used after the end of a row.
  int64_t padding;
  // Largest number of pages of paged caches, in total; 0 for as many as rows
  // need.
  int64_t pool_pages;
  // Tokens of a row that memory is reserved for at once; caches double when
  // they are full. 0 for all tokens, up to 1024 of a row or 256 MB together.
  int64_t reserved_tokens;
} pbl_request;

typedef struct pbl_generation pbl_generation;

// Checks a request, allocates caches, and runs the prompt, for a package of a
// function that block-add-caches made with open sizes. The request is copied. A
// program may have several generations at a time; weights must not be set while
// one of them runs.
PBL_EXPORT pbl_generation *pbl_generation_begin(pbl_program *program,
                                                const pbl_request *request,
                                                pbl_error *error);
PBL_EXPORT void pbl_generation_free(pbl_generation *generation);

// Those of the latest call of the function; `session_bytes` without caches.
PBL_EXPORT pbl_facts pbl_generation_facts(const pbl_generation *generation);

// Stores the next token of every row in `tokens`, and in `has_ended` whether it
// was the last. After a failure a generation has ended.
PBL_EXPORT pbl_code pbl_generation_next(pbl_generation *generation,
                                        int64_t *tokens, int *has_ended,
                                        pbl_error *error);

// Called with the tokens of a step, one of each row; a result other than 0 ends
// generation.
typedef int (*pbl_token_handler)(const int64_t *tokens, uint64_t rows,
                                 void *user_data);

// Generates to the end, and stores the number of steps. `tokens` has room for
// [max_new_tokens, rows]; `handler` may be null. After a failure, `steps`
// counts the steps before it.
PBL_EXPORT pbl_code pbl_generate(pbl_program *program,
                                 const pbl_request *request,
                                 pbl_token_handler handler, void *user_data,
                                 int64_t *tokens, uint64_t *steps,
                                 pbl_error *error);

#ifdef __cplusplus
}
#endif

#endif // PARABLOCK_LAUNCH_LAUNCH_H
