# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""libparablock-launch by ctypes: the header's functions, with errors as exceptions."""

import ctypes
from ctypes import POINTER, c_char_p, c_int, c_int64, c_uint32, c_uint64, c_void_p

INPUT, PARAMETER, RESULT = 0, 1, 2


class Error(ctypes.Structure):
    _fields_ = [("code", c_int), ("message", ctypes.c_char * 1016)]


class Tensor(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("dtype", c_char_p), ("role", c_int), ("rank", c_uint32),
                ("shape", POINTER(c_int64)), ("dim_names", POINTER(c_char_p)), ("bytes", c_uint64)]


class Dim(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("size", c_int64)]


class Facts(ctypes.Structure):
    _fields_ = [("num_launches", c_uint32), ("arena_bytes", c_uint64), ("arena_sum_bytes", c_uint64),
                ("session_bytes", c_uint64), ("program_bytes", c_uint64)]


class LaunchError(Exception):
    pass


class Launcher:
    """A device."""

    SIGNATURES = {
        "pbl_package_open": (c_void_p, [c_char_p]), "pbl_device_open": (c_void_p, [c_int]),
        "pbl_program_create": (c_void_p, [c_void_p, c_void_p, c_char_p]),
        "pbl_program_set_weight": (c_int, [c_void_p, c_char_p, c_void_p, c_uint64]),
        "pbl_program_load_weights": (c_int, [c_void_p, c_char_p]),
        "pbl_session_create": (c_void_p, [c_void_p, POINTER(Dim), c_uint32]),
        "pbl_session_bind_input": (c_int, [c_void_p, c_char_p, c_uint64]),
        "pbl_session_bind_result": (c_int, [c_void_p, c_char_p, c_uint64]),
        "pbl_session_set_input": (c_int, [c_void_p, c_char_p, c_void_p, c_uint64]),
        "pbl_session_get_result": (c_int, [c_void_p, c_char_p, c_void_p, c_uint64]),
        "pbl_session_launch": (c_int, [c_void_p, c_void_p]), "pbl_session_replay": (c_int, [c_void_p, c_void_p]),
        "pbl_session_wait": (c_int, [c_void_p]),
    }

    def __init__(self, path):
        self.library = ctypes.CDLL(str(path))
        for name, (result, arguments) in self.SIGNATURES.items():
            function = getattr(self.library, name)
            function.restype, function.argtypes = result, [*arguments, POINTER(Error)]
        plain = {"pbl_package_num_tensors": (c_uint32, [c_void_p]), "pbl_session_tensor": (Tensor, [c_void_p, c_uint32]),
                 "pbl_session_facts": (Facts, [c_void_p]), "pbl_device_name": (c_char_p, [c_void_p]),
                 "pbl_program_chip": (c_char_p, [c_void_p])}
        plain.update({name: (None, [c_void_p]) for name in
                      ["pbl_package_close", "pbl_program_destroy", "pbl_session_destroy"]})
        plain["pbl_session_set_checked"] = plain["pbl_session_set_programmatic"] = (None, [c_void_p, c_int])
        for name, (result, arguments) in plain.items():
            function = getattr(self.library, name)
            function.restype, function.argtypes = result, arguments
        self.device = self.call("pbl_device_open", 0)
        self.name = self.library.pbl_device_name(self.device).decode()

    def call(self, name, *arguments):
        error = Error()
        result = getattr(self.library, name)(*arguments, ctypes.byref(error))
        if error.code:
            raise LaunchError(error.message.decode())
        return result

    def load(self, path, chip=None):
        return Program(self, path, chip)


class Program:
    """A package on the device, with one session of fixed sizes."""

    def __init__(self, launcher, path, chip):
        self.launcher, self.call = launcher, launcher.call
        self.package = self.call("pbl_package_open", str(path).encode())
        self.program = self.call("pbl_program_create", self.package, launcher.device, chip and chip.encode())
        self.chip = launcher.library.pbl_program_chip(self.program).decode()
        self.session = None

    def load_weights(self, path):
        self.call("pbl_program_load_weights", self.program, str(path).encode())

    def set_weight(self, name, raw):
        self.call("pbl_program_set_weight", self.program, name.encode(), raw, len(raw))

    def start(self, **dims):
        array = (Dim * len(dims))(*[(name.encode(), size) for name, size in dims.items()])
        self.session = self.call("pbl_session_create", self.program, array, len(dims))
        return self

    def tensors(self, role):
        """(name, dtype, shape, bytes) of each."""
        library = self.launcher.library
        for index in range(library.pbl_package_num_tensors(self.package)):
            tensor = library.pbl_session_tensor(self.session, index)
            if tensor.role == role:
                yield tensor.name.decode(), tensor.dtype.decode(), tensor.shape[:tensor.rank], tensor.bytes

    def set_input(self, name, raw):
        self.call("pbl_session_set_input", self.session, name.encode(), raw, len(raw))

    def get_result(self, name, size):
        raw = ctypes.create_string_buffer(size)
        self.call("pbl_session_get_result", self.session, name.encode(), raw, size)
        return raw.raw

    def bind(self, role, name, address):
        """Memory whose ids were drawn in range: launches are captured, and timed without a look at them."""
        kind = {INPUT: "input", RESULT: "result"}[role]
        self.call(f"pbl_session_bind_{kind}", self.session, name.encode(), address)
        self.launcher.library.pbl_session_set_checked(self.session, 0)

    def forbid_overlap(self):
        self.launcher.library.pbl_session_set_programmatic(self.session, 0)

    def launch(self, stream=None):
        self.call("pbl_session_launch", self.session, stream)

    def replay(self, stream=None):
        self.call("pbl_session_replay", self.session, stream)

    def wait(self):
        self.call("pbl_session_wait", self.session)

    def facts(self):
        facts = self.launcher.library.pbl_session_facts(self.session)
        return {name: getattr(facts, name) for name, _ in Facts._fields_}

    def close(self):
        library = self.launcher.library
        if self.session:
            library.pbl_session_destroy(self.session)
        library.pbl_program_destroy(self.program)
        library.pbl_package_close(self.package)
