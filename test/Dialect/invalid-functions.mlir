// One case per numbered constraint of docs/design/Spec.md; further cases of a label say
// what else it refuses.
// RUN: block-opt %s --verify-diagnostics --split-input-file

// [FUNC-1] a name is a string
// expected-error @+1 {{expected "block.input" to be a string that is not empty, got 1 : i64}}
func.func private @f(tensor<2xf32> {block.input = 1 : i64})

// -----

// [FUNC-1] that is not empty
// expected-error @+1 {{expected "block.param" to be a string that is not empty, got ""}}
func.func private @f(tensor<2xf32> {block.param = ""})

// -----

// [FUNC-1] of results, too
// expected-error @+1 {{expected "block.output" to be a string that is not empty, got unit}}
func.func private @f() -> (tensor<2xf32> {block.output})

// -----

// [FUNC-2] a name for each dynamic dimension
// expected-error @+1 {{expected block.dims to name 2 dynamic dimensions of 'tensor<?x?x8xf32>', got 1}}
func.func private @f(tensor<?x?x8xf32> {block.dims = ["batch"]})

// -----

// [FUNC-2] names are strings
// expected-error @+1 {{expected block.dims to be a list of strings, got [1]}}
func.func private @f(tensor<?x8xf32> {block.dims = [1]})

// -----

// [FUNC-3] block.init is an attribute of its own
// expected-error @+1 {{expected block.init to be a #block.init, got 2.000000e-02 : f64}}
func.func private @f(tensor<8xf32> {block.init = 2.0e-2 : f64})

// -----

// [FUNC-4] other names of the dialect are mistakes: of an argument
// expected-error @+1 {{unknown argument attribute "block.inputs"}}
func.func private @f(tensor<8xf32> {block.inputs = "x"})

// -----

// [FUNC-4] of a result
// expected-error @+1 {{unknown result attribute "block.input"}}
func.func private @f() -> (tensor<8xf32> {block.input = "x"})

// -----

// [FUNC-4] of an operation
// expected-error @+1 {{attribute "block.param" belongs on a function's argument or result}}
func.func private @f() attributes {block.param = "x"}
