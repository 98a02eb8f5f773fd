# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The token loops of libparablock-c and of libparablock-launch, by ctypes."""

import contextlib
import ctypes
from ctypes import POINTER, Structure, byref, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint64, c_void_p

import numpy as np

SAMPLING = {"repetition_penalty": 1.0, "temperature": 0.0, "top_k": 0, "top_p": 1.0, "min_p": 0.0}


class Sampling(Structure):
    """pbl_sampling, and ParablockSampling."""

    _fields_ = [("repetition_penalty", c_double), ("temperature", c_double), ("top_k", c_int64), ("top_p", c_double),
                ("min_p", c_double)]


class Request(Structure):
    """pbl_request, and ParablockGenerationOptions."""

    _fields_ = [("ids", c_void_p), ("rows", c_size_t), ("width", c_size_t), ("starts", c_void_p),
                ("max_new_tokens", c_int64), ("sampling", Sampling), ("seed", c_uint64), ("stops", c_void_p),
                ("num_stops", c_size_t), ("padding", c_int64), ("pool_pages", c_int64),
                # Of pbl_request alone.
                ("reserved_tokens", c_int64)]


def make_request(prompts, count, stops=(), seed=0, padding=0, pool_pages=0, reserved=0, **sampling):
    """A request, of prompts of any lengths, that keeps its arrays alive."""
    width = max(len(prompt) for prompt in prompts)
    ids, starts = np.full((len(prompts), width), padding, np.int64), np.zeros(len(prompts), np.int64)
    for row, prompt in enumerate(prompts):
        starts[row] = width - len(prompt)
        ids[row, starts[row]:] = prompt
    ends = np.array(stops, np.int64)
    request = Request(ids.ctypes.data, len(prompts), width, starts.ctypes.data, count, Sampling(**{**SAMPLING, **sampling}),
                      seed, ends.ctypes.data, len(ends), padding, pool_pages, reserved)
    request.arrays = ids, starts, ends
    return request


class Tensor(Structure):
    _fields_ = [("data", c_void_p), ("type", c_char_p), ("rank", c_size_t), ("shape", POINTER(c_int64))]


class TensorInfo(Structure):
    _fields_ = [("name", c_char_p), ("type", c_char_p), ("element_size", c_size_t), ("rank", c_size_t),
                ("shape", POINTER(c_int64)), ("dims", POINTER(c_char_p))]


class Options(Structure):
    """ParablockProgramOptions; the rest of it is zero."""

    _fields_ = [("engine", c_char_p), ("cpu", c_char_p), ("chip", c_char_p), ("threads", c_size_t), ("rest", c_void_p * 8)]


class HostLoop:
    """A model of IR and weights, by name, on the CPU engine."""

    def __init__(self, library, path, weights):
        self.library = ctypes.CDLL(str(library))
        self.library.parablockContextCreate.restype = c_void_p
        self.library.parablockContextGetError.restype = c_char_p
        self.library.parablockSignatureGetNumParameters.restype = c_size_t
        self.library.parablockSignatureGetParameter.restype = POINTER(TensorInfo)
        self.context = c_void_p(self.library.parablockContextCreate())
        module, signature, self.program = c_void_p(), c_void_p(), c_void_p()
        self.call("parablockModuleLoad", self.context, str(path).encode(), byref(module))
        self.call("parablockModuleGetSignature", module, b"", byref(signature))
        options = Options(b"cpu", None, None, 1)
        self.call("parablockProgramCreate", module, b"main", byref(options), byref(self.program))
        tensors = []
        for index in range(self.library.parablockSignatureGetNumParameters(signature)):
            info = self.library.parablockSignatureGetParameter(signature, c_size_t(index)).contents
            data = weights[info.name.decode()][2]
            tensors.append(Tensor(ctypes.cast(c_char_p(data), c_void_p), info.type, info.rank, info.shape))
        self.kept = weights, signature
        self.call("parablockProgramSetParameters", self.program, (Tensor * len(tensors))(*tensors), c_size_t(len(tensors)))

    def call(self, name, *arguments):
        if getattr(self.library, name)(*arguments):
            raise RuntimeError(self.library.parablockContextGetError(self.context).decode())

    def generate(self, request):
        """Tokens [steps, rows]."""
        generation, steps = c_void_p(), c_size_t()
        tokens = np.zeros((request.max_new_tokens, request.rows), np.int64)
        self.call("parablockGenerationCreate", self.program, byref(request), byref(generation))
        try:
            self.call("parablockGenerationRun", generation, None, None, tokens.ctypes.data_as(c_void_p), byref(steps))
        finally:
            self.library.parablockGenerationDestroy(generation)
        return tokens[: steps.value].copy()


HANDLER = ctypes.CFUNCTYPE(c_int, POINTER(c_int64), c_uint64, c_void_p)


class DeviceLoop:
    """A program of bench/launcher.py on its device."""

    def __init__(self, program):
        self.launcher, self.handle = program.launcher, program.program
        library = self.launcher.library
        library.pbl_generation_begin.restype = c_void_p
        library.pbl_generation_begin.argtypes = [c_void_p, c_void_p, c_void_p]
        library.pbl_generation_next.argtypes = [c_void_p, c_void_p, c_void_p, c_void_p]
        library.pbl_generation_free.argtypes = [c_void_p]
        library.pbl_generation_free.restype = None
        library.pbl_generate.argtypes = [c_void_p, c_void_p, HANDLER, c_void_p, c_void_p, c_void_p, c_void_p]

    def generate(self, request, handler=None):
        """Tokens [steps, rows], by one call."""
        steps = c_uint64()
        tokens = np.zeros((max(request.max_new_tokens, 1), request.rows), np.int64)
        self.launcher.call("pbl_generate", self.handle, byref(request), HANDLER(handler or 0), None, tokens.ctypes.data,
                           byref(steps))
        return tokens[: steps.value].copy()

    @contextlib.contextmanager
    def begin(self, request):
        """A generation, whose steps the caller asks for."""
        handle = self.launcher.call("pbl_generation_begin", self.handle, byref(request))
        try:
            yield handle
        finally:
            self.launcher.library.pbl_generation_free(handle)

    def next(self, handle, rows):
        """Tokens of one step, and whether it was the last."""
        tokens, ended = np.zeros(rows, np.int64), c_int32()
        self.launcher.call("pbl_generation_next", handle, tokens.ctypes.data, byref(ended))
        return tokens, bool(ended.value)

    def bind_next(self, handle, rows):
        """A function that makes one step, with little of Python around it."""
        tokens, ended, error = np.zeros(rows, np.int64), c_int32(), ctypes.create_string_buffer(1024)
        function = self.launcher.library.pbl_generation_next
        arguments = c_void_p(handle), c_void_p(tokens.ctypes.data), byref(ended), error
        step = lambda: function(*arguments)  # noqa: E731
        step.kept = tokens
        return step
