// Every field of the JSON, for a layer with a stamp.
// RUN: block-opt %s --block-report="format=json file=%t.json chip=sm_90a" -o /dev/null
// RUN: FileCheck %s --input-file=%t.json
// RUN: block-opt %s --block-report="format=json file=-" -o /dev/null | FileCheck %s --check-prefix=STDOUT
// RUN: %python -c "import json, sys; json.load(open(sys.argv[1]))" %t.json

// STDOUT: "chip": "cpu",
// STDOUT: "roofline_ms": null

// CHECK: {
// CHECK-NEXT: "chip": "sm_90a",
// CHECK-NEXT: "function": "only",
// CHECK-NEXT: "layers": [
// CHECK-NEXT: {
// CHECK-NEXT: "approx": {
// CHECK-NEXT: "measured": 0.25,
// CHECK-NEXT: "parameters": "norm=shared",
// CHECK-NEXT: "pass": "block-parallelize",
// CHECK-NEXT: "previous": {
// CHECK-NEXT: "measured": "unmeasured",
// CHECK-NEXT: "parameters": "",
// CHECK-NEXT: "pass": "block-simplify",
// CHECK-NEXT: "previous": null
// CHECK-NEXT: }
// CHECK-NEXT: },
// CHECK-NEXT: "bytes": 960,
// CHECK-NEXT: "collectives": {
// CHECK-NEXT: "all_gather": 0,
// CHECK-NEXT: "all_reduce": 0,
// CHECK-NEXT: "all_to_all": 0,
// CHECK-NEXT: "exposed": 0,
// CHECK-NEXT: "reduce_scatter": 0
// CHECK-NEXT: },
// CHECK-NEXT: "exchanged_bytes_per_row": null,
// CHECK-NEXT: "flops": 2560,
// CHECK-NEXT: "form": "mlp-only",
// CHECK-NEXT: "gemms": 2,
// CHECK-NEXT: "index": 7,
// CHECK-NEXT: "launches": 2,
// CHECK-NEXT: "name": "h.7",
// CHECK-NEXT: "norms": 0,
// CHECK-NEXT: "params": 136,
// CHECK-NEXT: "params_by": {
// CHECK-NEXT: "attention": 0,
// CHECK-NEXT: "mlp": 136,
// CHECK-NEXT: "norm": 0,
// CHECK-NEXT: "other": 0
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: ],
// CHECK-NEXT: "level": 1,
// CHECK-NEXT: "model": {
// CHECK-NEXT: "activation_bytes": 960,
// CHECK-NEXT: "attention_passes_mlp_at": null,
// CHECK-NEXT: "codes": null,
// CHECK-NEXT: "devices": [
// One device sums nothing.
// CHECK-NEXT: {
// CHECK-NEXT: "all_reduce_us": 0,
// CHECK-NEXT: "compute_ms": {{[0-9.e-]+}},
// CHECK: "ranks": 1,
// CHECK: "ranks": 8,
// CHECK: ],
// CHECK-NEXT: "exposed_sums": 0,
// CHECK-NEXT: "flops_per_token": 256,
// CHECK-NEXT: "flops_shares": {
// CHECK-NEXT: "attention": 0,
// CHECK-NEXT: "mlp": 1,
// CHECK-NEXT: "other": 0
// CHECK-NEXT: },
// CHECK-NEXT: "gemms": 2,
// CHECK-NEXT: "launches": 2,
// CHECK-NEXT: "leftovers": {
// CHECK-NEXT: "bytes": 0,
// CHECK-NEXT: "launches": 0,
// CHECK-NEXT: "ops": {},
// CHECK-NEXT: "outside": 0
// CHECK-NEXT: },
// CHECK-NEXT: "norms": 0,
// CHECK-NEXT: "params": {
// CHECK-NEXT: "attention": 0,
// CHECK-NEXT: "biases": 8,
// CHECK-NEXT: "core": 144,
// CHECK-NEXT: "embedding": 0,
// CHECK-NEXT: "head": 0,
// CHECK-NEXT: "matrices": 144,
// CHECK-NEXT: "mlp": 136,
// CHECK-NEXT: "norm": 0,
// CHECK-NEXT: "other": 16,
// CHECK-NEXT: "positions": 0,
// CHECK-NEXT: "total": 152
// CHECK-NEXT: },
// CHECK-NEXT: "params_shares": {
// CHECK-NEXT: "attention": 0,
// CHECK-NEXT: "embedding": 0,
// CHECK-NEXT: "head": 0,
// CHECK-NEXT: "mlp": 0.89473684210526316,
// CHECK-NEXT: "norm": 0,
// CHECK-NEXT: "other": 0.10526315789473684
// CHECK-NEXT: },
// 1264 bytes at 4.8 TB/s.
// 1264 bytes at the 4.3 TB/s that copies reach.
// CHECK-NEXT: "reachable_ms": 2.939{{.*}}e-07,
// CHECK-NEXT: "roofline_ms": 2.633{{.*}}e-07
// CHECK-NEXT: },
// CHECK-NEXT: "product": "H200",
// CHECK-NEXT: "ranks": 1,
// CHECK-NEXT: "schema": 1,
// CHECK-NEXT: "sizes": {
// CHECK-NEXT: "assumed": false,
// CHECK-NEXT: "batch": 2,
// CHECK-NEXT: "sequence": 5
// CHECK-NEXT: }
// CHECK-NEXT: }
func.func private @declared(tensor<2xf32>)
func.func @only(%x: tensor<2x5x8xbf16>,
    %up: tensor<8x8xbf16> {block.param = "up.weight"},
    %down: tensor<8x8xbf16> {block.param = "down.weight"},
    %bias: tensor<8xbf16> {block.param = "down.bias"},
    %unused: tensor<2x8xbf16> {block.param = "unused"}) -> tensor<2x5x8xbf16> {
  %y = block.layer "h.7" at 7 -> tensor<2x5x8xbf16>
      attributes {approx = #block.approx<pass = "block-parallelize", parameters = "norm=shared", measured = 0.25 : f64,
                  previous = #block.approx<pass = "block-simplify", parameters = "", measured = "unmeasured">>} {
    %m = block.mlp %x up %up down %down down_bias %bias {activation = #block.activation<silu>}
        : (tensor<2x5x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8xbf16>) -> tensor<2x5x8xbf16>
    block.yield %m : tensor<2x5x8xbf16>
  }
  return %y : tensor<2x5x8xbf16>
}
