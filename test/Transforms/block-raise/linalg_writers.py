# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""linalg on tensors, in three ways."""

import math

from writers import COMPARISONS, Value, Writer, broadcast_shape, is_float, number

IDENTITY = "({0}) -> ({0})"


def dims(rank):
    return ", ".join(f"d{d}" for d in range(rank))


class Linalg(Writer):
    """linalg on tensors, as torch-mlir prints it: named products, broadcasts as maps, numbers inside of bodies."""

    BODIES = {
        "neg": "arith.negf {0}", "exp": "math.exp {0}", "log": "math.log {0}", "tanh": "math.tanh {0}",
        "erf": "math.erf {0}", "sqrt": "math.sqrt {0}", "rsqrt": "math.rsqrt {0}", "sin": "math.sin {0}",
        "cos": "math.cos {0}", "abs": "math.absf {0}", "floor": "math.floor {0}",
        "add": "arith.add{k} {0}, {1}", "sub": "arith.sub{k} {0}, {1}", "mul": "arith.mul{k} {0}, {1}",
        "div": "arith.div{ks} {0}, {1}", "max": "arith.max{kn} {0}, {1}", "min": "arith.min{kn} {0}, {1}",
        "pow": "math.powf {0}, {1}", "and": "arith.andi {0}, {1}", "or": "arith.ori {0}, {1}",
    }

    def scalar(self, value, element):
        name = self.fresh()
        text = number(value, element)
        self.lines.append(f"{name} = arith.constant {text}" + ("" if element == "i1" else f" : {element}"))
        return Value(name, (), element)

    def constant(self, values, shape, element="f32"):
        return self.emit(f"arith.constant dense<{self.dense(values, element)}> : RESULT", shape, element)

    def empty(self, shape, element):
        return self.emit("tensor.empty() : RESULT", shape, element)

    def reads(self, x, shape):
        """The map by which `x` is broadcast to `shape`."""
        first = len(shape) - len(x.shape)
        places = [f"d{first + d}" if size == shape[first + d] and size > 1 or shape[first + d] == 1 else "0" for d, size in enumerate(x.shape)]
        return f"affine_map<({dims(len(shape))}) -> ({', '.join(places)})>"

    def generic(self, operands, maps, init, kinds, body, shape, element):
        """`body` has %a0, %a1, .. and %o in it, and yields %y."""
        out = self.reads(init, shape) if maps is None else maps[-1]
        maps = [self.reads(x, shape) for x in operands] + [out] if maps is None else maps
        names, types = ", ".join(x.name for x in operands), ", ".join(x.type for x in operands)
        ins = f" ins({names} : {types})" if operands else ""
        arguments = ", ".join([f"%a{k}: {x.element}" for k, x in enumerate(operands)] + [f"%o: {element}"])
        quoted = ", ".join(f'"{kind}"' for kind in kinds)
        text = (
            f"linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = [{quoted}]}}{ins} "
            f"outs({init.name} : {init.type}) {{\n^bb0({arguments}):\n"
            + "".join(f"  {line}\n" for line in body) + f"  linalg.yield %y : {element}\n}} -> RESULT")
        return self.emit(text, init.shape, element)

    def elementwise(self, operands, body, shape, element):
        init = self.empty(shape, element)
        return self.generic(operands, None, init, ["parallel"] * len(shape), body, shape, element)

    def body_of(self, name, operands, element):
        kind = "f" if is_float(element) else "i"
        words = {"k": kind, "ks": "f" if kind == "f" else "si", "kn": "imumf" if kind == "f" else "si"}
        if name == "not":
            true = self.scalar(1, "i1")
            return f"arith.xori {operands[0]}, {true.name} : i1"
        if name in COMPARISONS:
            word = f"cmpf o{name}" if kind == "f" and name != "ne" else "cmpf une" if kind == "f" else "cmpi " + (name if name in ("eq", "ne") else "s" + name)
            return f"arith.{word}, {operands[0]}, {operands[1]} : {element}"
        return self.BODIES[name].format(*operands, **words) + f" : {element}"

    def unary(self, name, x):
        if name == "reciprocal":
            return self.binary("div", 1.0, x)
        return self.elementwise([x], [f"%y = {self.body_of(name, ['%a0'], x.element)}"], x.shape, x.element)

    def binary(self, name, a, b):
        tensors = [x for x in (a, b) if isinstance(x, Value)]
        element = tensors[0].element
        names = []
        for x in (a, b):
            names.append(f"%a{tensors.index(x)}" if isinstance(x, Value) else self.scalar(x, element).name)
        if a is b:
            tensors = tensors[:1]
        shape = broadcast_shape(*(x.shape for x in tensors))
        result = "i1" if name in COMPARISONS else element
        return self.elementwise(tensors, [f"%y = {self.body_of(name, names, element)}"], shape, result)

    def select(self, condition, a, b):
        tensors = [condition] + [x for x in (a, b) if isinstance(x, Value)]
        element = tensors[1].element
        names = [f"%a{tensors.index(x)}" if isinstance(x, Value) else self.scalar(x, element).name for x in (a, b)]
        shape = broadcast_shape(*(x.shape for x in tensors))
        return self.elementwise(tensors, [f"%y = arith.select %a0, {names[0]}, {names[1]} : {element}"], shape, element)

    def cast(self, x, element):
        if x.element == element:
            return x
        return self.elementwise([x], [f"%y = {self.conversion(x.element, element)}"], x.shape, element)

    def conversion(self, source, element, name="%a0"):
        width = lambda kind: int(kind.strip("bfi"))
        if is_float(source) and is_float(element):
            word = "extf" if width(source) < width(element) else "truncf"
        elif is_float(element):
            word = "uitofp" if source == "i1" else "sitofp"
        elif element == "i1":
            zero = self.scalar(0, source)
            return f"arith.cmp{'f une' if is_float(source) else 'i ne'}, {name}, {zero.name} : {source}"
        elif is_float(source):
            word = "fptosi"
        else:
            word = "extui" if source == "i1" else "extsi" if width(source) < width(element) else "trunci"
        return f"arith.{word} {name} : {source} to {element}"

    REDUCTIONS = {"sum": ("add", 0.0), "max": ("max", -math.inf), "and": ("and", 1), "or": ("or", 0)}

    def reduce(self, name, x, axis, keep=False):
        word, start = self.REDUCTIONS[name]
        shape = [1 if d == axis else size for d, size in enumerate(x.shape) if keep or d != axis]
        init = self.filled(start, shape, x.element)
        places = ["0" if d == axis else f"d{d}" for d in range(len(x.shape)) if keep or d != axis]
        maps = [f"affine_map<{IDENTITY.format(dims(len(x.shape)))}>", f"affine_map<({dims(len(x.shape))}) -> ({', '.join(places)})>"]
        kinds = ["reduction" if d == axis else "parallel" for d in range(len(x.shape))]
        if name == "max":
            return self.maximum(x, axis, maps, kinds, init)
        return self.generic([x], maps, init, kinds, [f"%y = {self.body_of(word, ['%a0', '%o'], x.element)}"], x.shape, x.element)

    def maximum(self, x, axis, maps, kinds, init):
        """With the place of the maximum beside it, which nobody reads."""
        places, name = self.filled(0, init.shape, "i64"), self.fresh()
        quoted = ", ".join(f'"{kind}"' for kind in kinds)
        self.lines += f"""{name}:2 = linalg.generic {{indexing_maps = [{maps[0]}, {maps[1]}, {maps[1]}], iterator_types = [{quoted}]}} ins({x.name} : {x.type}) outs({init.name}, {places.name} : {init.type}, {places.type}) {{
^bb0(%a0: {x.element}, %o: {x.element}, %p: i64):
  %i = linalg.index {axis} : index
  %n = arith.index_cast %i : index to i64
  %y = arith.maximumf %a0, %o : {x.element}
  %c = arith.cmpf ogt, %a0, %o : {x.element}
  %s = arith.select %c, %n, %p : i64
  linalg.yield %y, %s : {x.element}, i64
}} -> ({init.type}, {places.type})""".splitlines()
        return Value(f"{name}#0", init.shape, x.element)

    def filled(self, value, shape, element):
        start, empty = self.scalar(value, element), self.empty(shape, element)
        return self.emit(f"linalg.fill ins({start.name} : {element}) outs({empty.name} : {empty.type}) -> RESULT", shape, element)

    def matmul(self, a, b):
        shape = (*a.shape[:2], b.shape[2])
        wide = "f32" if a.element in ("bf16", "f16") else a.element
        if a.shape[0] == 1:
            flat = [self.reshape(x, x.shape[1:]) for x in (a, b)]
            return self.reshape(self.contract("matmul", *flat, shape[1:], wide), shape)
        return self.contract("batch_matmul", a, b, shape, wide)

    def contract(self, name, a, b, shape, element):
        init = self.filled(0.0, shape, element)
        return self.emit(f"linalg.{name} ins({a.name}, {b.name} : {a.type}, {b.type}) outs({init.name} : {init.type}) -> RESULT", shape, element)

    def transpose(self, x, order):
        if list(order) == sorted(order):
            return x
        init = self.empty([x.shape[d] for d in order], x.element)
        self.lines.append(f"{(name := self.fresh())} = linalg.transpose ins({x.name} : {x.type}) outs({init.name} : {init.type}) permutation = {list(order)}")
        return Value(name, init.shape, x.element)

    def reshape(self, x, shape):
        """In one dimension on the way, as groups need not be aligned."""
        shape = tuple(shape)
        if shape == x.shape:
            return x
        size = math.prod(shape)
        if len(x.shape) != 1:
            groups = [list(range(len(x.shape)))] if x.shape else []
            verb = "collapse_shape" if x.shape else "expand_shape"
            suffix = "" if x.shape else " output_shape [1]"
            x = self.emit(f"tensor.{verb} {x.name} {groups}{suffix} : {x.type} into RESULT", (size,), x.element)
        if shape == (size,):
            return x
        if not shape:
            return self.emit(f"tensor.collapse_shape {x.name} [] : {x.type} into RESULT", (), x.element)
        return self.emit(f"tensor.expand_shape {x.name} {[list(range(len(shape)))]} output_shape {list(shape)} : {x.type} into RESULT", shape, x.element)

    def slice(self, x, starts, sizes, strides):
        return self.emit(f"tensor.extract_slice {x.name}{list(starts)} {list(sizes)} {list(strides)} : {x.type} to RESULT", sizes, x.element)

    def concat(self, parts, axis):
        shape = list(parts[0].shape)
        shape[axis] = sum(part.shape[axis] for part in parts)
        names, types = ", ".join(part.name for part in parts), ", ".join(part.type for part in parts)
        return self.emit(f"tensor.concat dim({axis}) {names} : ({types}) -> RESULT", shape, parts[0].element)

    def broadcast(self, x, shape):
        return self.elementwise([x], ["%y = arith.addf %a0, %a0 : f32"][:0] + [f"%y = arith.select %t, %a0, %a0 : {x.element}".replace("%t", self.scalar(1, "i1").name)], shape, x.element)

    def iota(self, size, element="i64"):
        body = ["%i = linalg.index 0 : index", "%y = arith.index_cast %i : index to i64"]
        return self.cast(self.elementwise([], body, (size,), "i64"), element)

    def rows(self, table, ids):
        """Rows of a table, element by element."""
        shape = (*ids.shape, table.shape[1])
        rank = len(shape)
        maps = [f"affine_map<({dims(rank)}) -> ({dims(rank - 1)})>", f"affine_map<{IDENTITY.format(dims(rank))}>"]
        body = [f"%r = arith.index_cast %a0 : {ids.element} to index", f"%c = linalg.index {rank - 1} : index",
                f"%y = tensor.extract {table.name}[%r, %c] : {table.type}"]
        return self.generic([ids], maps, self.empty(shape, table.element), ["parallel"] * rank, body, shape, table.element)


class Primitive(Linalg):
    """linalg with one op for each step on whole tensors, as JAX's StableHLO becomes in linalg: contractions are
    generics with the dimensions where they happen to be, everything else is of one shape after explicit broadcasts."""

    def einsum(self, spec, a, b):
        inputs, out = spec.split("->")
        left, right = inputs.split(",")
        sizes = dict(zip(left, a.shape)) | dict(zip(right, b.shape))
        loops = out + "".join(d for d in left if d not in out)
        place = {d: f"d{k}" for k, d in enumerate(loops)}
        maps = [f"affine_map<({dims(len(loops))}) -> ({', '.join(place[d] for d in word)})>" for word in (left, right, out)]
        kinds = ["parallel" if d in out else "reduction" for d in loops]
        wide = "f32" if a.element in ("bf16", "f16") else a.element
        body, names = [], ["%a0", "%a1"]
        if wide != a.element:
            body = [f"%w{k} = arith.extf %a{k} : {a.element} to {wide}" for k in range(2)]
            names = ["%w0", "%w1"]
        body += [f"%m = arith.mulf {names[0]}, {names[1]} : {wide}", f"%y = arith.addf %o, %m : {wide}"]
        shape = [sizes[d] for d in out]
        return self.generic([a, b], maps, self.filled(0.0, shape, wide), kinds, body, shape, wide)

    def spread(self, x, shape, element):
        """`x` over `shape`: sizes of 1 go, and then dimensions are added."""
        if not isinstance(x, Value):
            return self.constant(x, shape, element)
        if x.shape == tuple(shape):
            return x
        first = len(shape) - len(x.shape)
        kept = [first + d for d, size in enumerate(x.shape) if size > 1 or shape[first + d] == 1]
        x = self.reshape(x, [shape[d] for d in kept])
        if len(kept) == len(shape):
            return x
        added = [d for d in range(len(shape)) if d not in kept]
        init = self.empty(shape, x.element)
        name = self.fresh()
        self.lines.append(f"{name} = linalg.broadcast ins({x.name} : {x.type}) outs({init.name} : {init.type}) dimensions = {added}")
        return Value(name, shape, x.element)

    def unary(self, name, x):
        if name in ("reciprocal", "not"):
            return super().unary(name, x)
        return self.emit(self.body_of(name, [x.name], x.type), x.shape, x.element)

    def body_of(self, name, operands, element):
        # Of a whole tensor, or inside of a generic.
        if not element.startswith("tensor"):
            return super().body_of(name, operands, element)
        inner = element.rstrip(">").split("x")[-1].split("<")[-1]
        return super().body_of(name, operands, inner).rsplit(" : ", 1)[0] + f" : {element}"

    def binary(self, name, a, b):
        a, b, shape, element = self.spread_alike(a, b)
        result = "i1" if name in COMPARISONS else element
        return self.emit(self.body_of(name, [a.name, b.name], a.type), shape, result)

    def select(self, condition, a, b):
        a, b, shape, element = self.spread_alike(a, b, condition.shape)
        condition = self.spread(condition, shape, "i1")
        return self.emit(f"arith.select {condition.name}, {a.name}, {b.name} : {condition.type}, {a.type}", shape, element)

    def reduce(self, name, x, axis, keep=False):
        word, start = self.REDUCTIONS[name]
        shape = [size for d, size in enumerate(x.shape) if d != axis]
        init = self.filled(start, shape, x.element)
        op = {"add": "arith.addf", "max": "arith.maximumf", "and": "arith.andi", "or": "arith.ori"}[word]
        name = self.fresh()
        self.lines.append(f"{name} = linalg.reduce {{ {op} }} ins({x.name} : {x.type}) outs({init.name} : {init.type}) dimensions = [{axis}]")
        reduced = Value(name, shape, x.element)
        return self.reshape(reduced, [1 if d == axis else size for d, size in enumerate(x.shape)]) if keep else reduced

    def broadcast(self, x, shape):
        return self.spread(x, shape, x.element)


class Mapped(Primitive):
    """As IREE prints it after StableHLO: `linalg.map` for each step, and parts that are inserted into an empty
    tensor."""

    def map(self, text, operands, shape, element):
        """`text` is an op on scalars, %a0 and so on."""
        init = self.empty(shape, element)
        names, types = ", ".join(x.name for x in operands), ", ".join(x.type for x in operands)
        arguments = ", ".join([f"%a{k}: {x.element}" for k, x in enumerate(operands)] + [f"%o: {element}"])
        name = self.fresh()
        self.lines += f"""{name} = linalg.map ins({names} : {types}) outs({init.name} : {init.type})
  ({arguments}) {{
  %y = {text}
  linalg.yield %y : {element}
}}""".splitlines()
        return Value(name, shape, element)

    def unary(self, name, x):
        if name in ("reciprocal", "not"):
            return super().unary(name, x)
        return self.map(Linalg.body_of(self, name, ["%a0"], x.element), [x], x.shape, x.element)

    def binary(self, name, a, b):
        tensors = [x for x in (a, b) if isinstance(x, Value)]
        element, shape = tensors[0].element, broadcast_shape(*(x.shape for x in tensors))
        operands = [self.spread(x, shape, element) for x in (a, b)]
        return self.map(Linalg.body_of(self, name, ["%a0", "%a1"], element), operands, shape, "i1" if name in COMPARISONS else element)

    def choose_part(self, parts, axis, first=0, depth=0):
        """Lines that read the part that an index lies in: a branch for each part but the last."""
        part, element = parts[0], parts[0].element
        places = ", ".join(f"%p{depth}" if d == axis else f"%i{d}" for d in range(len(part.shape)))
        read = [f"%b{depth} = arith.constant {first} : index", f"%p{depth} = arith.subi %i{axis}, %b{depth} : index",
                f"%r{depth} = tensor.extract {part.name}[{places}] : {part.type}", f"scf.yield %r{depth} : {element}"]
        if len(parts) == 1:
            return read
        end = first + part.shape[axis]
        return [f"%e{depth} = arith.constant {end} : index", f"%t{depth} = arith.cmpi ult, %i{axis}, %e{depth} : index",
                f"%y{depth or ''} = scf.if %t{depth} -> ({element}) {{", *read, "} else {",
                *self.choose_part(parts[1:], axis, end, depth + 1),
                *([f"scf.yield %y{depth + 1} : {element}"] if len(parts) > 2 else []), "}"]

    def concat(self, parts, axis):
        """In turns as stablehlo-legalize-to-linalg and as IREE write it: element by element, and part by part."""
        shape = list(parts[0].shape)
        shape[axis] = sum(part.shape[axis] for part in parts)
        whole, start = self.empty(shape, parts[0].element), 0
        self.joined = not getattr(self, "joined", False)
        if self.joined:
            body = [f"%i{d} = linalg.index {d} : index" for d in range(len(shape))] + self.choose_part(parts, axis)
            return self.generic([], None, whole, ["parallel"] * len(shape), body, shape, parts[0].element)
        for part in parts:
            offsets = [start if d == axis else 0 for d in range(len(shape))]
            sizes, ones = list(part.shape), [1] * len(shape)
            whole = self.emit(f"tensor.insert_slice {part.name} into {whole.name}{offsets} {sizes} {ones} : {part.type} into RESULT", shape, part.element)
            start += part.shape[axis]
        return whole
