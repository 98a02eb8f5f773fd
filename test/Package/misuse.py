#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""misuse.py LIBRARY PACKAGE WEIGHTS: whatever an application does wrong with the launcher's C API is an error it is
told of.

Each case runs in a process of its own: none may end by a signal.
"""

import ctypes
import functools
import os
import struct
import sys
import threading
import traceback

LIBRARY = ctypes.CDLL(sys.argv[1])
PACKAGE, WEIGHTS = (word.encode() for word in sys.argv[2:4])
IDS = struct.pack("<6q", 3, 5, 7, 11, 13, 17)


class Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), ("message", ctypes.c_char * 1016)]


class Tensor(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("dtype", ctypes.c_char_p), ("role", ctypes.c_int), ("rank", ctypes.c_uint32),
                ("shape", ctypes.c_void_p), ("dim_names", ctypes.c_void_p), ("bytes", ctypes.c_uint64)]


class Dim(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("size", ctypes.c_int64)]


class Facts(ctypes.Structure):
    _fields_ = [("num_launches", ctypes.c_uint32)] + [(name, ctypes.c_uint64) for name in "abcd"]


for name in ["package_open", "device_open", "group_join", "group_meet_in", "program_create", "program_create_rank",
             "session_create", "memory_allocate", "generation_begin"]:
    getattr(LIBRARY, f"pbl_{name}").restype = ctypes.c_void_p
for name in ["package_hash", "device_name", "program_chip", "session_kernel"]:
    getattr(LIBRARY, f"pbl_{name}").restype = ctypes.c_char_p
for name in ["package_tensor", "session_tensor"]:
    getattr(LIBRARY, f"pbl_{name}").restype = Tensor
LIBRARY.pbl_session_facts.restype = LIBRARY.pbl_generation_facts.restype = Facts
LIBRARY.pbl_memory_pointer.restype = ctypes.c_uint64


def plain(name, *arguments):
    """A function that takes no error."""
    words = [ctypes.c_void_p(word) if isinstance(word, int) and word > 1 << 31 else word for word in arguments]
    return getattr(LIBRARY, f"pbl_{name}")(*words)


def call(name, *arguments):
    """(what it returns, the message)."""
    error = Error()
    result = plain(name, *arguments, ctypes.byref(error))
    assert error.code in (0, 1, 4) and (error.code == 0) == (error.message == b""), (error.code, error.message)
    return result, error.message.decode()


def must(name, *arguments):
    result, message = call(name, *arguments)
    assert not message, message
    return result


def refused(part, name, *arguments):
    result, message = call(name, *arguments)
    assert part in message, f"{name}: expected '{part}', got '{message}'"
    # A null error is no error of its own.
    plain(name, *arguments, None)
    return result


def make_program(weights=True):
    package, device = must("package_open", PACKAGE), must("device_open", 0)
    program = must("program_create", package, device, None)
    if weights:
        must("program_load_weights", program, WEIGHTS)
    return package, device, program


def make_session(program, seq=3):
    return must("session_create", program, (Dim * 2)(Dim(b"batch", 2), Dim(b"seq", seq)), 2)


def compute(session, ids=IDS):
    must("session_set_input", session, b"input_ids", ids, ctypes.c_uint64(len(ids)))
    must("session_replay", session, None)
    result = ctypes.create_string_buffer(plain("session_tensor", session, 8).bytes)
    must("session_get_result", session, b"logits", result, ctypes.c_uint64(len(result)))
    return result.raw


def run_in_threads(functions):
    faults = []

    def guard(function):
        try:
            function()
        except BaseException:
            faults.append(traceback.format_exc())

    workers = [threading.Thread(target=guard, args=[function]) for function in functions]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not faults, "\n".join(faults)


GONE = "one that was given back, or none"


def null_handles():
    for kind in ["package_close", "device_close", "group_leave", "program_destroy", "session_destroy", "memory_release",
                 "generation_free"]:
        plain(kind, None)
    for name in ["package_hash", "device_name", "program_chip"]:
        assert plain(name, None) is None, name
    assert plain("package_num_ranks", None) == plain("package_num_tensors", None) == 0
    assert plain("package_tensor", None, 0).name is None and plain("session_tensor", None, 0).name is None
    assert plain("session_kernel", None, 0) is None and plain("session_facts", None).num_launches == 0
    assert plain("generation_facts", None).num_launches == 0 and plain("memory_pointer", None) == 0
    plain("session_set_programmatic", None, 1)
    plain("session_set_checked", None, 1)
    refused("expected a package, got null", "package_verify", None)
    refused("expected a package, got null", "program_create", None, None, None)
    refused("expected a group, got null", "program_create_rank", None, None, None, None)
    refused("expected a group, got null", "group_meet", None, None)
    refused("expected a group, got null", "group_wait", None, None)
    refused("expected a device, got null", "group_join", None, 0, 2, 1, bytes(128))
    refused("expected a device, got null", "group_meet_in", None, 0, 2, 1, b".")
    refused("expected a program, got null", "program_set_weight", None, b"x", b"", ctypes.c_uint64(0))
    refused("expected a program, got null", "program_bind_weight", None, b"x", ctypes.c_uint64(0), ctypes.c_uint64(0))
    refused("expected a program, got null", "program_load_weights", None, WEIGHTS)
    refused("expected a session, got null", "program_compute_weight", None, b"x", None, b"x", None)
    refused("expected a program, got null", "session_create", None, None, 0)
    for name in ["launch", "replay"]:
        refused("expected a session, got null", f"session_{name}", None, None)
    refused("expected a session, got null", "session_wait", None)
    room, number = bytes(64), ctypes.c_uint64
    refused("expected a device, got null", "device_get_facts", None, room)
    refused("expected a device, got null", "memory_allocate", None, number(8), b"a test")
    refused("expected memory, got null", "memory_upload", None, number(0), room, number(8))
    refused("expected memory, got null", "memory_download", None, number(0), room, number(8))
    refused("expected memory, got null", "memory_copy", None, None, None, 0)
    refused("expected a program, got null", "generation_begin", None, None)
    refused("expected a generation, got null", "generation_next", None, room, room)
    refused("expected a program, got null", "generate", None, None, None, None, room, room)
    for role in ["input", "result"]:
        refused("expected a session, got null", f"session_bind_{role}", None, b"x", ctypes.c_uint64(16))
    for name in ["set_input", "get_result"]:
        refused("expected a session, got null", f"session_{name}", None, b"x", b"", ctypes.c_uint64(0))


def null_arguments():
    package, device, program = make_program(weights=False)
    refused("expected a path, got null", "package_open", None)
    refused("expected a path, got null", "program_load_weights", program, None)
    refused("expected a name, got null", "program_set_weight", program, None, b"", ctypes.c_uint64(0))
    refused("expected a name, got null", "program_bind_weight", program, None, ctypes.c_uint64(0), ctypes.c_uint64(0))
    name = plain("package_tensor", package, 1).name
    refused("expected data, got null", "program_set_weight", program, name, None, ctypes.c_uint64(61 * 128))
    refused("expected sizes, got null", "session_create", program, None, 2)
    refused("expected the name of a dimension, got null", "session_create", program, (Dim * 1)(Dim(None, 2)), 1)
    refused("expected memory for an id, got null", "group_make_id", None)
    refused("expected an id, got null", "group_join", device, 0, 2, 1, None)
    refused("expected a folder, got null", "group_meet_in", device, 0, 2, 1, None)
    session = make_session(program)
    refused("expected a program, got null", "program_compute_weight", None, b"x", session, b"logits", None)
    refused("expected a name, got null", "program_compute_weight", program, None, session, b"logits", None)
    refused("expected the name of a result, got null", "program_compute_weight", program, b"x", session, None, None)
    for role in ["input", "result"]:
        refused("expected a name, got null", f"session_bind_{role}", session, None, ctypes.c_uint64(16))
    refused("expected a name, got null", "session_set_input", session, None, IDS, ctypes.c_uint64(48))
    refused("expected data, got null", "session_set_input", session, b"input_ids", None, ctypes.c_uint64(48))
    refused("expected a name, got null", "session_get_result", session, None, bytes(8), ctypes.c_uint64(8))
    refused("expected memory, got null", "session_get_result", session, b"logits", None, ctypes.c_uint64(732))
    number = ctypes.c_uint64
    refused("expected facts to fill in, got null", "device_get_facts", device, None)
    refused("expected what the memory is for, got null", "memory_allocate", device, number(8), None)
    memory = must("memory_allocate", device, number(8), b"a test")
    for name in ["upload", "download"]:
        refused("expected data, got null", f"memory_{name}", memory, number(0), None, number(8))
        refused("expected a part of 8 bytes, got 8 at 1", f"memory_{name}", memory, number(1), bytes(8), number(8))
        refused(f"got {(1 << 64) - 1} at 8", f"memory_{name}", memory, number(8), bytes(8), number((1 << 64) - 1))
    refused("expected memory, got null", "memory_copy", memory, None, None, 0)
    refused("expected copies, got null", "memory_copy", memory, memory, None, 1)
    refused("expected a request, got null", "generation_begin", program, None)
    refused("expected room for tokens, got null", "generate", program, None, None, None, None, bytes(8))
    refused("expected room for the number of steps, got null", "generate", program, None, None, None, bytes(8), None)


def wrong_indices():
    package, device, program = make_program()
    session = make_session(program)
    count = plain("package_num_tensors", package)
    for index in [count, 1 << 31, (1 << 32) - 1]:
        index = ctypes.c_uint32(index)
        assert plain("package_tensor", package, index).name is None
        assert plain("session_tensor", session, index).name is None
        assert plain("session_kernel", session, index) is None
    assert plain("session_tensor", session, count - 1).name == b"logits"
    assert plain("session_kernel", session, plain("session_facts", session).num_launches - 1)
    refused("no CUDA device -1", "device_open", -1)
    refused("no CUDA device 1024", "device_open", 1024)
    for rank, ranks in [(2, 2), (0, 0), ((1 << 32) - 1, 2), (0, (1 << 32) - 1)]:
        refused("expected a rank below the number of ranks", "group_join", device, ctypes.c_uint32(rank),
                ctypes.c_uint32(ranks), 1, bytes(128))


def wrong_values():
    package, device, program = make_program(weights=False)
    refused("for sm_70", "program_create", package, device, b"sm_70")
    refused("no parameter 'x'", "program_set_weight", program, b"x", b"", ctypes.c_uint64(0))
    name = plain("package_tensor", package, 1).name
    refused("expected 7808 bytes, got 7", "program_set_weight", program, name, bytes(7), ctypes.c_uint64(7))
    place, size = ctypes.c_uint64(256), ctypes.c_uint64(7)
    refused("no parameter 'x'", "program_bind_weight", program, b"x", place, size)
    refused("expected 7808 bytes, got 7", "program_bind_weight", program, name, place, size)
    refused("that is a multiple of 16", "program_bind_weight", program, name, ctypes.c_uint64(8), size)
    session = make_session(make_program()[2])
    refused("no result 'x'", "program_compute_weight", program, name, session, b"x", None)
    refused("no parameter 'x'", "program_compute_weight", program, b"x", session, b"logits", None)
    refused("expected 7808 bytes, got 732", "program_compute_weight", program, name, session, b"logits", None)
    refused("no dimension 'x'", "session_create", program, (Dim * 1)(Dim(b"x", 2)), 1)
    refused("'seq' of 'input_ids' has no size", "session_create", program, (Dim * 1)(Dim(b"batch", 2)), 1)
    for size, part in [(0, "at least 1"), (-1, "at least 1"), (1 << 31, "too large"), ((1 << 63) - 1, "too large")]:
        refused(part, "session_create", program, (Dim * 2)(Dim(b"batch", size), Dim(b"seq", 3)), 2)
    session = make_session(program)
    for name, role, other in [(b"input_ids", "input", b"logits"), (b"logits", "result", b"input_ids")]:
        refused("multiple of 16", f"session_bind_{role}", session, name, ctypes.c_uint64(0))
        refused("multiple of 16", f"session_bind_{role}", session, name, ctypes.c_uint64(8))
        refused(f"no {role} '{other.decode()}'", f"session_bind_{role}", session, other, ctypes.c_uint64(16))
    refused("no input 'logits'", "session_set_input", session, b"logits", IDS, ctypes.c_uint64(48))
    refused("expected 48 bytes, got 47", "session_set_input", session, b"input_ids", IDS, ctypes.c_uint64(47))
    refused("no result 'input_ids'", "session_get_result", session, b"input_ids", IDS, ctypes.c_uint64(48))
    refused("expected 732 bytes, got 48", "session_get_result", session, b"logits", IDS, ctypes.c_uint64(48))


def launch_before_all_is_set():
    _, _, program = make_program(weights=False)
    session = make_session(program)
    for name in ["launch", "replay"]:
        refused("has no value", f"session_{name}", session, None)
    must("program_load_weights", program, WEIGHTS)
    refused("input 'input_ids' has no value", "session_replay", session, None)
    must("session_wait", session)
    compute(session)


def refused_inputs_change_nothing():
    session = make_session(make_program()[2])
    before = compute(session)
    refused("expected 0 to 60, got 61 at [0, 0]", "session_set_input", session, b"input_ids", struct.pack("<6q", *[61] * 6),
            ctypes.c_uint64(48))
    must("session_replay", session, None)
    result = ctypes.create_string_buffer(len(before))
    must("session_get_result", session, b"logits", result, ctypes.c_uint64(len(result)))
    assert result.raw == before


def memory_of_the_callers():
    """Ids in the device's memory are looked at before each launch, unless the caller vouches for them."""
    driver = ctypes.CDLL(os.environ["PARABLOCK_CUDA_DRIVER"])
    assert driver.cuCtxPushCurrent_v2(None) == 0
    session = make_session(make_program()[2])
    pointer = ctypes.c_uint64()
    assert driver.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(48)) == 0

    def write(ids):
        assert driver.cuMemcpyHtoDAsync_v2(pointer, struct.pack("<6q", *ids), ctypes.c_size_t(48), None) == 0

    must("session_bind_input", session, b"input_ids", pointer)
    write([3, 5, 7, 11, 13, 17])
    must("session_replay", session, None)
    result = ctypes.create_string_buffer(732)
    must("session_get_result", session, b"logits", result, ctypes.c_uint64(732))
    assert result.raw == compute(make_session(make_program()[2]))
    write([3, 5, 7, 11, 13, 1 << 40])
    for name in ["launch", "replay"]:
        refused("input 'input_ids': expected 0 to 60, got 1099511627776 at [1, 2]", f"session_{name}", session, None)
    stream = ctypes.c_void_p()
    assert driver.cuStreamCreate(ctypes.byref(stream), 0) == 0
    assert driver.cuStreamBeginCapture_v2(stream, 2) == 0
    refused("input 'input_ids': cannot look at its values: cuStreamSynchronize", "session_launch", session, stream.value)
    plain("session_set_checked", session, 0)
    must("session_launch", session, stream.value)


def results_in_memory_of_the_callers():
    """A result is in the memory that was bound last, and no other memory changes, whatever launches were recorded
    before."""
    driver = ctypes.CDLL(os.environ["PARABLOCK_CUDA_DRIVER"])
    assert driver.cuCtxPushCurrent_v2(None) == 0
    session = make_session(make_program()[2])
    expected = compute(session)
    size, unwritten = len(expected), b"\xff" * len(expected)
    places = [ctypes.c_uint64(), ctypes.c_uint64()]

    def read(place):
        raw = ctypes.create_string_buffer(size)
        assert driver.cuMemcpyDtoHAsync_v2(raw, place, ctypes.c_size_t(size), None) == 0
        return raw.raw

    for place in places:
        assert driver.cuMemAlloc_v2(ctypes.byref(place), ctypes.c_size_t(size)) == 0
    for bound, other in (places, places[::-1]):
        for place in places:
            assert driver.cuMemcpyHtoDAsync_v2(place, unwritten, ctypes.c_size_t(size), None) == 0
        must("session_bind_result", session, b"logits", bound)
        must("session_replay", session, None)
        must("session_wait", session)
        assert (read(bound), read(other)) == (expected, unwritten)
        assert compute(session) == expected


def after_it_is_gone():
    package, device, program = make_program()
    session = make_session(program)
    for _ in range(2):
        plain("session_destroy", session)
    refused(GONE, "session_replay", session, None)
    refused(GONE, "session_set_input", session, b"input_ids", IDS, ctypes.c_uint64(48))
    assert plain("session_tensor", session, 0).name is None and plain("session_kernel", session, 0) is None
    for _ in range(2):
        plain("program_destroy", program)
    refused(f"expected a program, got {GONE}", "session_create", program, None, 0)
    refused(GONE, "program_load_weights", program, WEIGHTS)
    assert plain("program_chip", program) is None
    memory = must("memory_allocate", device, ctypes.c_uint64(8), b"a test")
    for _ in range(2):
        plain("memory_release", memory)
    assert plain("memory_pointer", memory) == 0
    refused(f"expected memory, got {GONE}", "memory_upload", memory, ctypes.c_uint64(0), bytes(8), ctypes.c_uint64(8))
    refused(f"expected a generation, got {GONE}", "generation_next", memory, bytes(8), bytes(8))
    for _ in range(2):
        plain("device_close", device)
    refused(f"expected a device, got {GONE}", "memory_allocate", device, ctypes.c_uint64(8), b"a test")
    refused(f"expected a device, got {GONE}", "program_create", package, device, None)
    for _ in range(2):
        plain("package_close", package)
    assert plain("package_num_tensors", package) == 0 and plain("package_tensor", package, 0).name is None
    # One kind for another, and what never was.
    package = must("package_open", PACKAGE)
    refused(f"expected a session, got {GONE}", "session_wait", package)
    refused(f"expected a session, got {GONE}", "session_wait", 1 << 40)


def any_order():
    package, device, program = make_program()
    session = make_session(program)
    before = compute(session)
    plain("package_close", package)
    plain("device_close", device)
    plain("program_destroy", program)
    assert compute(session) == before
    assert plain("session_tensor", session, 0).name == b"input_ids"
    plain("session_destroy", session)


def threads_in_one_session():
    """They are told; and what comes out of the calls that went well is right."""
    session = make_session(make_program()[2], seq=40)
    ids = struct.pack("<80q", *range(40), *range(40))
    must("session_set_input", session, b"input_ids", ids, ctypes.c_uint64(len(ids)))
    seen = set()

    def work():
        for _ in range(30):
            seen.add(call("session_replay", session, None)[1])

    run_in_threads([work] * 4)
    assert seen == {"", "expected a session that no other thread is using: each thread needs one of its own"}, seen


def threads_with_sessions():
    """Sessions of one program do not know of each other."""
    program = make_program()[2]
    ids = [struct.pack("<6q", *range(first, first + 6)) for first in range(0, 40, 10)]
    wanted = [compute(make_session(program), own) for own in ids]
    assert len(set(wanted)) == len(wanted)

    def work(number):
        for _ in range(5):
            session = make_session(program)
            for _ in range(5):
                assert compute(session, ids[number]) == wanted[number], f"wrong numbers of thread {number}"
            plain("session_destroy", session)

    run_in_threads([functools.partial(work, number) for number in range(len(ids))])


def destroyed_while_it_runs():
    program = make_program()[2]
    for _ in range(10):
        session = make_session(program, seq=20)
        ids = struct.pack("<40q", *range(40))
        must("session_set_input", session, b"input_ids", ids, ctypes.c_uint64(len(ids)))
        worker = threading.Thread(target=lambda session=session: call("session_replay", session, None))
        worker.start()
        plain("session_destroy", session)
        worker.join()


CASES = [null_handles, null_arguments, wrong_indices, wrong_values, launch_before_all_is_set, refused_inputs_change_nothing,
         memory_of_the_callers, results_in_memory_of_the_callers, after_it_is_gone, any_order, threads_in_one_session,
         threads_with_sessions, destroyed_while_it_runs]


def main():
    failed = 0
    chosen = sys.argv[4:]
    for case in CASES:
        if chosen and case.__name__ not in chosen:
            continue
        child = os.fork()
        if child == 0:
            try:
                case()
                sys.stdout.flush()
                os._exit(0)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
        status = os.waitpid(child, 0)[1]
        if status:
            failed += 1
            print(f"{case.__name__}: {'signal ' + str(os.WTERMSIG(status)) if os.WIFSIGNALED(status) else 'failed'}")
    print(f"{len(CASES)} cases, {failed} failures")
    return 1 if failed else 0


sys.exit(main())
