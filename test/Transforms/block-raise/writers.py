# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of tensors, written in the way of different tools.

A writer has the operations of an array library; each subclass prints them as one kind of tool does: in TOSA, in named
linalg ops with broadcasts as maps, in generic contractions with everything else on whole tensors, or in StableHLO.
"""

import math


class Value:
    def __init__(self, name, shape, element):
        self.name, self.shape, self.element = name, tuple(shape), element

    @property
    def type(self):
        return f"tensor<{''.join(f'{size}x' for size in self.shape)}{self.element}>"


def is_float(element):
    return element[0] in "fb"


def number(value, element):
    """A number as MLIR reads it in the type `element`."""
    if element == "i1":
        return "true" if value else "false"
    if not is_float(element):
        return str(int(value))
    if math.isinf(value):
        digits = {"f32": "7F800000", "f64": "7FF0000000000000", "f16": "7C00", "bf16": "7F80"}[element]
        return "0x" + (format(int(digits, 16) | 8 << 4 * (len(digits) - 1), "X") if value < 0 else digits)
    return f"{value:.9e}"


def broadcast_shape(*shapes):
    rank = max(map(len, shapes))
    padded = [(1,) * (rank - len(shape)) + tuple(shape) for shape in shapes]
    return tuple(max(sizes) for sizes in zip(*padded))


COMPARISONS = ("ge", "gt", "le", "lt", "eq", "ne")


class Writer:
    def __init__(self):
        self.lines, self.arguments, self.names = [], [], 0

    # Values

    def fresh(self):
        self.names += 1
        return f"%v{self.names}"

    def emit(self, text, shape, element):
        value = Value(self.fresh(), shape, element)
        self.lines += f"{value.name} = {text.replace('RESULT', value.type)}".splitlines()
        return value

    def argument(self, name, shape, element="f32", attributes=""):
        value = Value(f"%{name}", shape, element)
        self.arguments.append(f"{value.name}: {value.type}{attributes and ' {' + attributes + '}'}")
        return value

    def dense(self, values, element):
        if isinstance(values, (list, tuple)):
            return "[" + ", ".join(self.dense(value, element) for value in values) + "]"
        return number(values, element)

    def module(self, results):
        """The text of a function that returns `results`."""
        types = ", ".join(result.type for result in results)
        body = "".join(f"  {line}\n" for line in self.lines)
        names = ", ".join(result.name for result in results)
        arguments = ", ".join(self.arguments)
        return f"func.func @main({arguments}) -> ({types}) {{\n{body}  return {names} : {types}\n}}\n"

    # What every tool says with the operations of its own

    def lift(self, x, like):
        """Numbers are constants of one element."""
        return x if isinstance(x, Value) else self.constant(x, (), like.element)

    def add(self, a, b):
        return self.binary("add", a, b)

    def sub(self, a, b):
        return self.binary("sub", a, b)

    def mul(self, a, b):
        return self.binary("mul", a, b)

    def div(self, a, b):
        return self.binary("div", a, b)

    def swap(self, x, i, j):
        order = list(range(len(x.shape)))
        order[i], order[j] = order[j], order[i]
        return self.transpose(x, order)

    def part(self, x, axis, start, size, stride=1):
        starts, sizes, strides = [0] * len(x.shape), list(x.shape), [1] * len(x.shape)
        starts[axis], sizes[axis], strides[axis] = start, size, stride
        return self.slice(x, starts, sizes, strides)

    def einsum(self, spec, a, b):
        """By transpositions, reshapes and a product of matrices."""
        inputs, out = spec.split("->")
        left, right = inputs.split(",")
        sizes = dict(zip(left, a.shape)) | dict(zip(right, b.shape))
        batch = [d for d in left if d in right and d in out]
        summed = [d for d in left if d in right and d not in out]
        rows = [d for d in left if d not in right]
        columns = [d for d in right if d not in left]
        count = lambda dims: math.prod(sizes[d] for d in dims)
        a = self.transpose(a, [left.index(d) for d in batch + rows + summed])
        b = self.transpose(b, [right.index(d) for d in batch + summed + columns])
        a = self.reshape(a, (count(batch), count(rows), count(summed)))
        b = self.reshape(b, (count(batch), count(summed), count(columns)))
        order = batch + rows + columns
        product = self.reshape(self.matmul(a, b), [sizes[d] for d in order])
        return self.transpose(product, [order.index(d) for d in out])


class Tosa(Writer):
    """TOSA, as torch-mlir and the TFLite converter print it: operands of one rank, no division."""

    def op(self, name, operands, shape, element, attributes=""):
        names = ", ".join(operand.name for operand in operands)
        types = ", ".join(getattr(operand, "type") for operand in operands)
        return self.emit(f"tosa.{name} {names}{attributes} : ({types}) -> RESULT", shape, element)

    def literal(self, text, shape, element):
        value = Value("", shape, element)
        return self.emit(f'"tosa.const"() <{{values = dense<{text}> : {value.type}}}> : () -> RESULT', shape, element)

    def constant(self, values, shape, element="f32"):
        return self.literal(self.dense(values, element), shape, element)

    def sizes(self, numbers):
        shape = Value(self.fresh(), (len(numbers),), "index")
        self.lines.append(f"{shape.name} = tosa.const_shape {{values = dense<{list(numbers)}> : {shape.type}}} : () -> !tosa.shape<{len(numbers)}>")
        return shape, f"!tosa.shape<{len(numbers)}>"

    def shaped(self, name, x, numbers, shape):
        given, kind = self.sizes(numbers)
        return self.emit(f"tosa.{name} {x.name}, {given.name} : ({x.type}, {kind}) -> RESULT", shape, x.element)

    def reshape(self, x, shape):
        return x if tuple(shape) == x.shape else self.shaped("reshape", x, shape, shape)

    def align(self, *operands):
        rank = max(len(operand.shape) for operand in operands)
        return [self.reshape(operand, (1,) * (rank - len(operand.shape)) + operand.shape) for operand in operands]

    def unary(self, name, x):
        if name == "neg":
            zero = self.constant(0.0, (1,), x.element)
            return self.op("negate", [x, zero, zero], x.shape, x.element)
        if name == "sqrt":
            return self.binary("pow", x, 0.5)
        if name == "not":
            return self.op("logical_not", [x], x.shape, x.element)
        return self.op(name, [x], x.shape, x.element)

    def binary(self, name, a, b):
        a, b = self.align(self.lift(a, b), self.lift(b, a))
        shape = broadcast_shape(a.shape, b.shape)
        if name == "div" and is_float(a.element):
            name, b = "mul", self.unary("reciprocal", b)
        if name == "mul":
            shift = self.constant(0, (1,), "i8")
            return self.op("mul", [a, b, shift], shape, a.element)
        if name in ("le", "lt"):
            a, b, name = b, a, {"le": "ge", "lt": "gt"}[name]
        if name == "ne":
            return self.unary("not", self.binary("eq", a, b))
        if name in COMPARISONS:
            name = {"ge": "greater_equal", "gt": "greater", "eq": "equal"}[name]
            return self.op(name, [a, b], shape, "i1")
        if name in ("and", "or"):
            return self.op(f"logical_{name}", [a, b], shape, "i1")
        name = {"max": "maximum", "min": "minimum", "div": "intdiv"}.get(name, name)
        return self.op(name, [a, b], shape, a.element)

    def select(self, condition, a, b):
        a, b = self.lift(a, b), self.lift(b, a)
        operands = self.align(condition, a, b)
        return self.op("select", operands, broadcast_shape(*(x.shape for x in operands)), a.element)

    def cast(self, x, element):
        return x if element == x.element else self.op("cast", [x], x.shape, element)

    def reduce(self, name, x, axis, keep=False):
        shape = [1 if d == axis else size for d, size in enumerate(x.shape)]
        name = {"and": "all", "or": "any"}.get(name, name)
        reduced = self.op(f"reduce_{name}", [x], shape, x.element, f" {{axis = {axis} : i32}}")
        return reduced if keep else self.reshape(reduced, [size for d, size in enumerate(x.shape) if d != axis])

    def matmul(self, a, b):
        zero = self.constant(0.0, (1,), a.element)
        wide = "f32" if a.element in ("bf16", "f16") else a.element
        return self.op("matmul", [a, b, zero, zero], (*a.shape[:2], b.shape[2]), wide)

    def transpose(self, x, order):
        if list(order) == sorted(order):
            return x
        numbers = ", ".join(map(str, order))
        return self.op("transpose", [x], [x.shape[d] for d in order], x.element, f" {{perms = array<i32: {numbers}>}}")

    def slice(self, x, starts, sizes, strides):
        if any(stride != 1 for stride in strides):
            return self.gather_elements(x, starts, sizes, strides)
        start, size = self.sizes(starts), self.sizes(sizes)
        return self.emit(f"tosa.slice {x.name}, {start[0].name}, {size[0].name} : ({x.type}, {start[1]}, {size[1]}) -> RESULT", sizes, x.element)

    def gather_elements(self, x, starts, sizes, strides):
        """A slice with strides is elements of a list, by their numbers."""
        places = [math.prod(x.shape[d + 1:]) for d in range(len(x.shape))]
        indices = [0]
        for start, size, stride, place in zip(starts, sizes, strides, places):
            indices = [index + (start + k * stride) * place for index in indices for k in range(size)]
        flat = self.reshape(x, (1, math.prod(x.shape), 1))
        chosen = self.gather(flat, self.constant([indices], (1, len(indices)), "i32"))
        return self.reshape(chosen, sizes)

    def gather(self, table, rows):
        shape = (table.shape[0], rows.shape[1], table.shape[2])
        return self.op("gather", [table, rows], shape, table.element)

    def rows(self, table, ids):
        ids = self.cast(self.reshape(ids, (1, math.prod(ids.shape))), "i32")
        chosen = self.gather(self.reshape(table, (1, *table.shape)), ids)
        return chosen

    def concat(self, parts, axis):
        shape = list(parts[0].shape)
        shape[axis] = sum(part.shape[axis] for part in parts)
        return self.op("concat", parts, shape, parts[0].element, f" {{axis = {axis} : i32}}")

    def broadcast(self, x, shape):
        x = self.reshape(x, (1,) * (len(shape) - len(x.shape)) + x.shape)
        return self.shaped("tile", x, [to // own for own, to in zip(x.shape, shape)], shape)

    def iota(self, size, element="i64"):
        return self.cast(self.constant(list(range(size)), (size,), "i64"), element)


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
        return self.generic([x], maps, init, kinds, [f"%y = {self.body_of(word, ['%a0', '%o'], x.element)}"], x.shape, x.element)

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
    """linalg with one op for each step on whole tensors, as JAX's StableHLO becomes in linalg: contractions are generics with the dimensions
    where they happen to be, everything else is of one shape after explicit broadcasts."""

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
        tensors = [x for x in (a, b) if isinstance(x, Value)]
        element, shape = tensors[0].element, broadcast_shape(*(x.shape for x in tensors))
        a, b = self.spread(a, shape, element), self.spread(b, shape, element)
        result = "i1" if name in COMPARISONS else element
        return self.emit(self.body_of(name, [a.name, b.name], a.type), shape, result)

    def select(self, condition, a, b):
        tensors = [x for x in (a, b) if isinstance(x, Value)]
        element = tensors[0].element
        shape = broadcast_shape(condition.shape, *(x.shape for x in tensors))
        condition = self.spread(condition, shape, "i1")
        a, b = self.spread(a, shape, element), self.spread(b, shape, element)
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


class StableHlo(Writer):
    """The text of StableHLO, as JAX and torch-mlir print it."""

    NAMES = {
        "neg": "negate", "exp": "exponential", "log": "log", "tanh": "tanh", "sqrt": "sqrt", "rsqrt": "rsqrt", "sin": "sine",
        "cos": "cosine", "abs": "abs", "floor": "floor", "not": "not", "sigmoid": "logistic", "add": "add", "sub": "subtract", "mul": "multiply",
        "div": "divide", "max": "maximum", "min": "minimum", "pow": "power", "and": "and", "or": "or",
    }

    def constant(self, values, shape, element="f32"):
        return self.emit(f"stablehlo.constant dense<{self.dense(values, element)}> : RESULT", shape, element)

    def spread(self, x, shape, element):
        if not isinstance(x, Value):
            x = self.constant(x, (), element)
        if x.shape == tuple(shape):
            return x
        first = len(shape) - len(x.shape)
        places = list(range(first, len(shape)))
        return self.emit(f"stablehlo.broadcast_in_dim {x.name}, dims = {places} : ({x.type}) -> RESULT", shape, x.element)

    broadcast = lambda self, x, shape: self.spread(x, shape, x.element)

    def unary(self, name, x):
        if name == "reciprocal":
            return self.binary("div", 1.0, x)
        if name == "erf":
            return self.emit(f"chlo.erf {x.name} : {x.type} -> RESULT", x.shape, x.element)
        return self.emit(f"stablehlo.{self.NAMES[name]} {x.name} : RESULT", x.shape, x.element)

    def binary(self, name, a, b):
        tensors = [x for x in (a, b) if isinstance(x, Value)]
        element, shape = tensors[0].element, broadcast_shape(*(x.shape for x in tensors))
        a, b = self.spread(a, shape, element), self.spread(b, shape, element)
        if name in COMPARISONS:
            kind = "FLOAT" if is_float(element) else "SIGNED"
            return self.emit(f"stablehlo.compare {name.upper()}, {a.name}, {b.name}, {kind} : ({a.type}, {b.type}) -> RESULT", shape, "i1")
        return self.emit(f"stablehlo.{self.NAMES[name]} {a.name}, {b.name} : RESULT", shape, element)

    def select(self, condition, a, b):
        tensors = [x for x in (a, b) if isinstance(x, Value)]
        element = tensors[0].element
        shape = broadcast_shape(condition.shape, *(x.shape for x in tensors))
        condition = self.spread(condition, shape, "i1")
        a, b = self.spread(a, shape, element), self.spread(b, shape, element)
        return self.emit(f"stablehlo.select {condition.name}, {a.name}, {b.name} : {condition.type}, RESULT", shape, element)

    def cast(self, x, element):
        return x if x.element == element else self.emit(f"stablehlo.convert {x.name} : ({x.type}) -> RESULT", x.shape, element)

    def reduce(self, name, x, axis, keep=False):
        start = self.constant({"sum": 0.0, "max": -math.inf, "and": 1, "or": 0}[name], (), x.element)
        op = {"sum": "add", "max": "maximum"}.get(name, name)
        shape = [size for d, size in enumerate(x.shape) if d != axis]
        reduced = self.emit(f"stablehlo.reduce({x.name} init: {start.name}) applies stablehlo.{op} across dimensions = [{axis}] : ({x.type}, {start.type}) -> RESULT", shape, x.element)
        return self.reshape(reduced, [1 if d == axis else size for d, size in enumerate(x.shape)]) if keep else reduced

    def einsum(self, spec, a, b):
        inputs, out = spec.split("->")
        left, right = inputs.split(",")
        sizes = dict(zip(left, a.shape)) | dict(zip(right, b.shape))
        batch = [d for d in left if d in right and d in out]
        summed = [d for d in left if d in right and d not in out]
        order = batch + [d for d in left if d not in right] + [d for d in right if d not in left]
        pair = lambda ds: f"{[left.index(d) for d in ds]} x {[right.index(d) for d in ds]}"
        words = ([f"batching_dims = {pair(batch)}"] if batch else []) + [f"contracting_dims = {pair(summed)}"]
        product = self.emit(f"stablehlo.dot_general {a.name}, {b.name}, {', '.join(words)} : ({a.type}, {b.type}) -> RESULT", [sizes[d] for d in order], a.element)
        return self.transpose(product, [order.index(d) for d in out])

    def matmul(self, a, b):
        return self.einsum("nij,njk->nik", a, b)

    def transpose(self, x, order):
        if list(order) == sorted(order):
            return x
        return self.emit(f"stablehlo.transpose {x.name}, dims = {list(order)} : ({x.type}) -> RESULT", [x.shape[d] for d in order], x.element)

    def reshape(self, x, shape):
        return x if tuple(shape) == x.shape else self.emit(f"stablehlo.reshape {x.name} : ({x.type}) -> RESULT", shape, x.element)

    def slice(self, x, starts, sizes, strides):
        ranges = [f"{start}:{start + (size - 1) * stride + 1}" + (f":{stride}" if stride > 1 else "") for start, size, stride in zip(starts, sizes, strides)]
        return self.emit(f"stablehlo.slice {x.name} [{', '.join(ranges)}] : ({x.type}) -> RESULT", sizes, x.element)

    def concat(self, parts, axis):
        shape = list(parts[0].shape)
        shape[axis] = sum(part.shape[axis] for part in parts)
        names, types = ", ".join(part.name for part in parts), ", ".join(part.type for part in parts)
        return self.emit(f"stablehlo.concatenate {names}, dim = {axis} : ({types}) -> RESULT", shape, parts[0].element)

    def iota(self, size, element="i64"):
        return self.emit("stablehlo.iota dim = 0 : RESULT", (size,), element)

    def rows(self, table, ids):
        shape = (*ids.shape, table.shape[1])
        indices = self.reshape(ids, (*ids.shape, 1))
        rank = len(shape)
        return self.emit(
            f'"stablehlo.gather"({table.name}, {indices.name}) <{{dimension_numbers = #stablehlo.gather<offset_dims = [{rank - 1}], '
            f"collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = {rank - 1}>, indices_are_sorted = false, "
            f"slice_sizes = array<i64: 1, {table.shape[1]}>}}> : ({table.type}, {indices.type}) -> RESULT", shape, table.element)


WRITERS = {"tosa": Tosa, "linalg": Linalg, "primitive": Primitive, "stablehlo": StableHlo}
