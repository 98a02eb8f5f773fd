# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Norms and activations."""

import math

from spelling import B, D, T, spelling

LAST = 2


def mean(c, x, times=True):
    total = c.w.reduce("sum", x, LAST, keep=True)
    return c.w.mul(total, 1 / D) if times else c.w.div(total, float(D))


def rows(c, x):
    """A vector for all rows."""
    return c.w.reshape(x, (1, 1, D))


RMS = r"block\.norm %\w+ gamma %\w+ \{form = #block\.norm<kind = rms, eps = "
LAYER = r"block\.norm %\w+ gamma %\w+ beta %\w+ \{form = #block\.norm<kind = layer, eps = "


@spelling("RMSNorm", "x x, divided by n, 1 / sqrt", RMS)
def _(c):
    root = c.w.unary("sqrt", c.w.add(mean(c, c.w.mul(c.x, c.x), times=False), 1e-6))
    return c.w.mul(c.w.div(c.x, root), rows(c, c.weight(D)))


@spelling("RMSNorm", "a power, times 1 / n, rsqrt, gain first", RMS)
def _(c):
    r = c.w.unary("rsqrt", c.w.add(mean(c, c.w.binary("pow", c.x, 2.0)), 1e-6))
    return c.w.mul(rows(c, c.weight(D)), c.w.mul(c.x, r))


@spelling("RMSNorm", "the gain on the root", RMS)
def _(c):
    r = c.w.unary("rsqrt", c.w.add(1e-6, mean(c, c.w.mul(c.x, c.x))))
    return c.w.mul(c.x, c.w.mul(r, rows(c, c.weight(D))))


@spelling("RMSNorm", "1 + g", RMS + ".*one_plus")
def _(c):
    r = c.w.unary("rsqrt", c.w.add(mean(c, c.w.mul(c.x, c.x)), 1e-6))
    return c.w.mul(c.w.mul(c.x, r), c.w.add(rows(c, c.weight(D)), 1.0))


@spelling("RMSNorm", "a product of rows with themselves", RMS)
def _(c):
    squares = c.w.reshape(c.w.einsum("btd,btd->bt", c.x, c.x), (B, T, 1))
    r = c.w.unary("rsqrt", c.w.add(c.w.div(squares, float(D)), 1e-6))
    return c.w.mul(c.w.mul(c.x, r), rows(c, c.weight(D)))


@spelling("RMSNorm", "sqrt(n) x / the length of x", RMS)
def _(c):
    squares = c.w.reduce("sum", c.w.mul(c.x, c.x), LAST, keep=True)
    length = c.w.unary("sqrt", c.w.add(squares, 1e-6 * D))
    return c.w.mul(c.w.mul(c.w.div(c.x, length), math.sqrt(D)), rows(c, c.weight(D)))


@spelling("RMSNorm", "the length not below epsilon", RMS + ".*clamp")
def _(c):
    length = c.w.unary("sqrt", c.w.reduce("sum", c.w.mul(c.x, c.x), LAST, keep=True))
    unit = c.w.div(c.x, c.w.binary("max", length, 1e-12))
    return c.w.mul(c.w.mul(unit, math.sqrt(D)), rows(c, c.weight(D)))


@spelling("RMSNorm", "the length as a norm of sizes, selected where it is above epsilon", RMS + ".*clamp")
def _(c):
    size = c.w.binary("pow", c.w.unary("abs", c.x), 2.0)
    length = c.w.binary("pow", c.w.reduce("sum", size, LAST, keep=True), 0.5)
    length = c.w.select(c.w.binary("lt", length, 1e-12), 1e-12, length)
    return c.w.mul(c.w.mul(c.w.div(c.x, length), math.sqrt(D)), rows(c, c.weight(D)))


def centered(c, x):
    return c.w.sub(x, mean(c, x))


def affine(c, x):
    return c.w.add(c.w.mul(x, rows(c, c.weight(D))), rows(c, c.weight(D)))


@spelling("LayerNorm", "variance about the mean, rsqrt", LAYER)
def _(c):
    y = centered(c, c.x)
    return affine(c, c.w.mul(y, c.w.unary("rsqrt", c.w.add(mean(c, c.w.mul(y, y)), 1e-5))))


@spelling("LayerNorm", "divided by the root", LAYER)
def _(c):
    y = centered(c, c.x)
    variance = mean(c, c.w.binary("pow", y, 2.0), times=False)
    return affine(c, c.w.div(y, c.w.unary("sqrt", c.w.add(variance, 1e-5))))


@spelling("LayerNorm", "E[x x] - E[x] E[x], not below 0", LAYER)
def _(c):
    m = mean(c, c.x)
    variance = c.w.binary("max", c.w.sub(mean(c, c.w.mul(c.x, c.x)), c.w.mul(m, m)), 0.0)
    factor = c.w.mul(c.w.unary("rsqrt", c.w.add(variance, 1e-6)), rows(c, c.weight(D)))
    return c.w.add(c.w.mul(c.w.sub(c.x, m), factor), rows(c, c.weight(D)))


@spelling("LayerNorm", "x r g + (b - m r g)", LAYER)
def _(c):
    m, y = mean(c, c.x), centered(c, c.x)
    r = c.w.unary("rsqrt", c.w.add(mean(c, c.w.mul(y, y)), 1e-12))
    factor = c.w.mul(r, rows(c, c.weight(D)))
    return c.w.add(c.w.mul(c.x, factor), c.w.sub(rows(c, c.weight(D)), c.w.mul(m, factor)))


@spelling("LayerNorm", "the variance in f64", LAYER, "linalg primitive mapped stablehlo")
def _(c):
    wide = c.w.cast(c.x, "f64")
    y = c.w.sub(wide, c.w.div(c.w.reduce("sum", wide, LAST, keep=True), float(D)))
    variance = c.w.cast(c.w.div(c.w.reduce("sum", c.w.mul(y, y), LAST, keep=True), float(D)), "f32")
    return affine(c, c.w.mul(centered(c, c.x), c.w.unary("rsqrt", c.w.add(variance, 1e-5))))


@spelling("LayerNorm", "without beta", LAYER.replace(r" beta %\w+", ""))
def _(c):
    y = centered(c, c.x)
    return c.w.mul(c.w.mul(y, c.w.unary("rsqrt", c.w.add(mean(c, c.w.mul(y, y)), 1e-5))), rows(c, c.weight(D)))


@spelling("LayerNorm", "without gain", r"block\.norm %\w+ \{form = #block\.norm<kind = layer")
def _(c):
    y = centered(c, c.x)
    return c.w.div(y, c.w.unary("sqrt", c.w.add(mean(c, c.w.mul(y, y)), 1e-5)))


@spelling("LayerNorm", "the mean as a product with 1 / n", LAYER)
def _(c):
    ones = c.w.constant([1 / D] * D, (D,))
    m = c.w.reshape(c.w.einsum("btd,d->bt", c.x, ones), (B, T, 1))
    y = c.w.sub(c.x, m)
    return affine(c, c.w.mul(y, c.w.unary("rsqrt", c.w.add(mean(c, c.w.mul(y, y)), 1e-5))))


@spelling("LayerNorm", "of a multiple of the stream", LAYER)
def _(c):
    x = c.w.mul(c.x, 0.75)
    y = centered(c, x)
    return affine(c, c.w.mul(y, c.w.unary("rsqrt", c.w.add(mean(c, c.w.mul(y, y)), 1e-5))))


# Activations


def kind(name):
    return rf"block\.activation %\w+ \{{kind = #block\.activation<{name}>"


ERF, TANH, SILU, SQUARE = kind("gelu_erf"), kind("gelu_tanh"), kind("silu"), kind("relu_squared")


def erf(c, x):
    return c.w.unary("erf", x)


@spelling("gelu, erf", "x/2 (1 + erf)", ERF)
def _(c):
    return c.w.mul(c.w.mul(c.x, 0.5), c.w.add(erf(c, c.w.div(c.x, math.sqrt(2))), 1.0))


@spelling("gelu, erf", "x ((erf + 1) / 2)", ERF)
def _(c):
    return c.w.mul(c.x, c.w.mul(c.w.add(erf(c, c.w.mul(c.x, math.sqrt(0.5))), 1.0), 0.5))


@spelling("gelu, erf", "x / 2 + x erf / 2", ERF)
def _(c):
    half = c.w.mul(c.x, 0.5)
    return c.w.add(half, c.w.mul(half, erf(c, c.w.mul(c.x, math.sqrt(0.5)))))


@spelling("gelu, erf", "x (1 - erf(-x)) / 2", ERF)
def _(c):
    return c.w.mul(c.w.mul(c.x, c.w.sub(1.0, erf(c, c.w.mul(c.w.unary("neg", c.x), math.sqrt(0.5))))), 0.5)


@spelling("gelu, erf", "the complement's op", ERF, "stablehlo")
def _(c):
    return c.w.mul(c.w.mul(c.x, 0.5), c.w.unary("erfc", c.w.mul(c.w.unary("neg", c.x), math.sqrt(0.5))))


@spelling("gelu, erf", "x times the distribution function", ERF)
def _(c):
    return c.w.mul(c.x, c.w.add(0.5, c.w.mul(0.5, erf(c, c.w.div(c.x, 1.4142135)))))


def polynomial(c, x, coefficients):
    """The coefficient of the highest power comes first."""
    result = c.w.add(c.w.mul(x, coefficients[0]), coefficients[1])
    for coefficient in coefficients[2:]:
        result = c.w.add(c.w.mul(result, x), coefficient)
    return result


def quotient_erf(c, x):
    """As XLA computes it in f32."""
    above = [2.2905065861350646e-4, 3.4082910107109506e-3, 5.0955695062380861e-2, 1.8520832239976145e-1, 1.128379143519084]
    below = [-1.1791602954361697e-7, 2.3547966471313185e-5, 1.0179625278914885e-3, 1.4070470171167667e-2, 1.1098505178285362e-1, 4.9746925110067538e-1, 1.0]
    x = c.w.binary("min", c.w.binary("max", x, -3.832506856900711), 3.832506856900711)
    square = c.w.mul(x, x)
    return c.w.div(c.w.mul(x, polynomial(c, square, above)), polynomial(c, square, below))


def erfc_by_pieces(c, x):
    """About 0, up to 2, and beyond, as JAX's is expanded."""
    w = c.w
    near = [7.853861353153693e-5, -8.010193625184903e-4, 5.188327685732524e-3, -2.685381193529856e-2, 1.128358514861418e-1, -3.761262582423300e-1, 1.128379165726710]
    middle = [2.326819970068386e-2, -1.387039388740657e-1, 3.687424674597105e-1, -5.824733027278666e-1, 6.210004621745983e-1, -4.944515323274145e-1, 3.404879937665872e-1, -2.741127028184656e-1, 5.638259427386472e-1]
    far = [-1.047766399936249e1, 1.297719955372516e1, -7.495518717768503, 2.921019019210786, -1.015265279202700, 4.218463358204948e-1, -2.820767439740514e-1, 5.641895067754075e-1]
    square, size = w.mul(x, x), w.unary("abs", x)
    inverse = w.div(1.0, size)
    y = w.mul(inverse, inverse)
    tail = w.select(w.binary("lt", size, 2.0), polynomial(c, y, middle), polynomial(c, y, far))
    tail = w.mul(w.mul(w.unary("exp", w.unary("neg", square)), inverse), tail)
    tail = w.select(w.binary("lt", w.unary("neg", square), -88.7228394), w.mul(x, 0.0), tail)
    beyond = w.select(w.binary("lt", x, 0.0), w.sub(2.0, tail), tail)
    return w.select(w.binary("lt", size, 1.0), w.sub(1.0, w.mul(x, polynomial(c, square, near))), beyond)


def tabled_erf(c, x):
    """Abramowitz and Stegun, 7.1.26."""
    w = c.w
    size = w.unary("abs", x)
    t = w.div(1.0, w.add(w.mul(size, 0.3275911), 1.0))
    rest = w.mul(polynomial(c, t, [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592]), t)
    value = w.sub(1.0, w.mul(rest, w.unary("exp", w.unary("neg", w.mul(x, x)))))
    return w.select(w.binary("lt", x, 0.0), w.unary("neg", value), value)


@spelling("gelu, erf", "by a quotient of polynomials", ERF)
def _(c):
    return c.w.mul(c.w.mul(c.x, 0.5), c.w.add(quotient_erf(c, c.w.mul(c.x, math.sqrt(0.5))), 1.0))


@spelling("gelu, erf", "the complement by pieces, polynomials and an exponential", ERF)
def _(c):
    return c.w.mul(c.w.mul(c.x, 0.5), erfc_by_pieces(c, c.w.mul(c.w.unary("neg", c.x), math.sqrt(0.5))))


@spelling("gelu, erf", "by a formula of tables, in a sum", ERF)
def _(c):
    half = c.w.mul(c.x, 0.5)
    return c.w.add(half, c.w.mul(tabled_erf(c, c.w.mul(c.x, math.sqrt(0.5))), half))


ROOT = math.sqrt(2 / math.pi)


def curve(c, cube):
    return c.w.unary("tanh", c.w.mul(ROOT, c.w.add(c.x, c.w.mul(cube, 0.044715))))


@spelling("gelu, tanh", "x x x, x/2 (1 + tanh)", TANH)
def _(c):
    return c.w.mul(c.w.mul(0.5, c.x), c.w.add(1.0, curve(c, c.w.mul(c.w.mul(c.x, c.x), c.x))))


@spelling("gelu, tanh", "a power, x (1/2 (1 + tanh))", TANH)
def _(c):
    return c.w.mul(c.x, c.w.mul(0.5, c.w.add(curve(c, c.w.binary("pow", c.x, 3.0)), 1.0)))


@spelling("gelu, tanh", "x (1 + a x x) under the tangent", TANH)
def _(c):
    inner = c.w.mul(c.w.mul(c.x, ROOT), c.w.add(1.0, c.w.mul(0.044715, c.w.mul(c.x, c.x))))
    return c.w.mul(c.w.mul(c.x, c.w.add(1.0, c.w.unary("tanh", inner))), 0.5)


@spelling("gelu, tanh", "the root of 2 / pi computed", TANH)
def _(c):
    root = c.w.binary("pow", c.w.constant([[[2 / math.pi]]], (1, 1, 1)), 0.5)
    inner = c.w.add(c.x, c.w.mul(c.w.binary("pow", c.x, 3.0), 0.044715))
    return c.w.mul(c.w.mul(c.x, 0.5), c.w.add(c.w.unary("tanh", c.w.mul(root, inner)), 1.0))


def logistic(c, x):
    return c.w.unary("reciprocal", c.w.add(c.w.unary("exp", c.w.unary("neg", x)), 1.0))


@spelling("gelu, tanh", "x times the logistic function of twice the argument", TANH)
def _(c):
    inner = c.w.mul(c.w.add(c.x, c.w.mul(c.w.mul(c.x, c.w.mul(c.x, c.x)), 0.044715)), 2 * ROOT)
    return c.w.mul(c.x, logistic(c, inner))


@spelling("gelu, tanh", "the tangent by exponentials", TANH)
def _(c):
    inner = c.w.mul(c.w.add(c.x, c.w.mul(c.w.mul(c.x, c.w.mul(c.x, c.x)), 0.044715)), 2 * ROOT)
    tangent = c.w.sub(1.0, c.w.div(2.0, c.w.add(c.w.unary("exp", inner), 1.0)))
    return c.w.mul(c.w.mul(c.x, 0.5), c.w.add(1.0, tangent))


@spelling("silu", "x exp(x) / (1 + exp(x))", SILU)
def _(c):
    grown = c.w.unary("exp", c.x)
    return c.w.div(c.w.mul(c.x, grown), c.w.add(grown, 1.0))


@spelling("silu", "x / (1 + exp(-x))", SILU)
def _(c):
    return c.w.div(c.x, c.w.add(1.0, c.w.unary("exp", c.w.unary("neg", c.x))))


@spelling("silu", "x times 1 / (exp(-x) + 1)", SILU)
def _(c):
    return c.w.mul(logistic(c, c.x), c.x)


@spelling("silu", "the op for the logistic function", SILU, "tosa tflite stablehlo")
def _(c):
    return c.w.mul(c.x, c.w.unary("sigmoid", c.x))


@spelling("silu", "by the tangent of x / 2", SILU)
def _(c):
    return c.w.mul(c.x, c.w.mul(0.5, c.w.add(1.0, c.w.unary("tanh", c.w.mul(c.x, 0.5)))))


def relu(c):
    return c.w.binary("max", c.x, 0.0)


@spelling("relu^2", "max, times itself", SQUARE)
def _(c):
    return c.w.mul(relu(c), relu(c))


@spelling("relu^2", "max, a power", SQUARE)
def _(c):
    return c.w.binary("pow", relu(c), 2.0)


@spelling("relu^2", "select, times itself", SQUARE)
def _(c):
    positive = c.w.select(c.w.binary("gt", c.x, 0.0), c.x, 0.0)
    return c.w.mul(positive, positive)


@spelling("relu^2", "select of 0 first, times itself", SQUARE)
def _(c):
    zero = c.w.constant([[[0.0]]], (1, 1, 1))
    positive = c.w.select(c.w.binary("le", c.x, 0.0), zero, c.x)
    return c.w.mul(positive, positive)


@spelling("relu^2", "x max(x, 0)", SQUARE)
def _(c):
    return c.w.mul(c.x, relu(c))


@spelling("relu^2", "select of the square", SQUARE)
def _(c):
    return c.w.select(c.w.binary("gt", c.x, 0.0), c.w.mul(c.x, c.x), 0.0)
