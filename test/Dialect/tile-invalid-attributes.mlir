// One case per numbered constraint of docs/design/Spec.md; further cases of a label say
// what else it refuses.
// RUN: block-opt %s --verify-diagnostics --split-input-file

// [SCHEDULE-1] a warp
// expected-error @+1 {{expected at least one warp, one CTA and one stage, got 0, 1 and 1}}
func.func private @f() attributes {x = #tile.schedule<warps = 0, grid = 1>}

// -----

// [SCHEDULE-1] a CTA
// expected-error @+1 {{expected at least one warp, one CTA and one stage, got 4, 0 and 1}}
func.func private @f() attributes {x = #tile.schedule<warps = 4, grid = 0>}

// -----

// [SCHEDULE-1] a stage
// expected-error @+1 {{expected at least one warp, one CTA and one stage, got 4, 1 and 0}}
func.func private @f() attributes {x = #tile.schedule<warps = 4, stages = 0, grid = 1>}

// -----

// [SCHEDULE-2] warpgroups
// expected-error @+1 {{wgmma expects warps in fours and copies by tma, got 6 warps and copies by tma}}
func.func private @f() attributes {x = #tile.schedule<multiply = wgmma, copies = tma, warps = 6, producers = 4, grid = 1>}

// -----

// [SCHEDULE-2] what the copies are by
// expected-error @+1 {{wgmma expects warps in fours and copies by tma, got 4 warps and copies by async}}
func.func private @f() attributes {x = #tile.schedule<multiply = wgmma, copies = async, warps = 4, grid = 1>}

// -----

// [SCHEDULE-3] somebody copies
// expected-error @+1 {{copies by tma expect 1 or 4 producer warps, got 0}}
func.func private @f() attributes {x = #tile.schedule<copies = tma, warps = 4, grid = 1>}

// -----

// [SCHEDULE-3] nobody only copies
// expected-error @+1 {{copies by plain expect 0 producer warps, got 4}}
func.func private @f() attributes {x = #tile.schedule<warps = 4, producers = 4, grid = 1>}

// -----

// [SCHEDULE-4] at most two CTAs
// expected-error @+1 {{expected a cluster of one CTA, or of two with copies by tma, or of two to eight that joins, and a grid of whole clusters, got 4 of 8 CTAs and copies by tma}}
func.func private @f() attributes {x = #tile.schedule<copies = tma, warps = 4, producers = 4, grid = 8, cluster = 4>}

// -----

// [SCHEDULE-4] copies that can be shared
// expected-error @+1 {{expected a cluster of one CTA, or of two with copies by tma, or of two to eight that joins, and a grid of whole clusters, got 2 of 8 CTAs and copies by async}}
func.func private @f() attributes {x = #tile.schedule<copies = async, warps = 4, grid = 8, cluster = 2>}

// -----

// [SCHEDULE-4] at most eight CTAs that join
// expected-error @+1 {{expected a cluster of one CTA, or of two with copies by tma, or of two to eight that joins, and a grid of whole clusters, got 9 of 9 CTAs and copies by plain}}
func.func private @f() attributes {x = #tile.schedule<warps = 4, grid = 9, cluster = 9, joins = true>}

// -----

// [SCHEDULE-4] others to join
// expected-error @+1 {{expected a cluster of one CTA, or of two with copies by tma, or of two to eight that joins, and a grid of whole clusters, got 1 of 8 CTAs and copies by plain}}
func.func private @f() attributes {x = #tile.schedule<warps = 4, grid = 8, joins = true>}

// -----

// [SCHEDULE-4] whole clusters
// expected-error @+1 {{expected a cluster of one CTA, or of two with copies by tma, or of two to eight that joins, and a grid of whole clusters, got 2 of 3 CTAs and copies by tma}}
func.func private @f() attributes {x = #tile.schedule<copies = tma, warps = 4, producers = 4, grid = 3, cluster = 2>}

// -----

// [BUFFER-1] columns
// expected-error @+1 {{expected positive sizes, got 8x0}}
func.func private @f(!tile.buffer<8x0xf32>)

// -----

// [BUFFER-2] floats
// expected-error @+1 {{expected f32, bf16, f16 or i8, got 'i32'}}
func.func private @f(!tile.buffer<8x8xi32>)

// -----

// [BUFFER-3] bytes of a swizzled row
// expected-error @+1 {{a swizzled buffer expects rows of whole panels of 128 bytes in groups of 8, got 8 rows of 64 bytes}}
func.func private @f(!tile.buffer<8x32xbf16, swizzled>)

// -----

// [BUFFER-3] rows of a swizzled buffer
// expected-error @+1 {{a swizzled buffer expects rows of whole panels of 128 bytes in groups of 8, got 12 rows of 128 bytes}}
func.func private @f(!tile.buffer<12x64xbf16, swizzled>)

// -----

// [BUFFER-3] part of a panel
// expected-error @+1 {{a swizzled buffer expects rows of whole panels of 128 bytes in groups of 8, got 8 rows of 192 bytes}}
func.func private @f(!tile.buffer<8x96xbf16, swizzled>)

// -----

// [ACCUMULATOR-1] rows
// expected-error @+1 {{expected positive sizes, got 0x8}}
func.func private @f(!tile.accumulator<0x8>)

// -----

// [ARGUMENT-1] an operand
// expected-error @+1 {{expected no negative operand or dimension, got -1 and 0}}
func.func private @f() attributes {x = #tile.argument<kind = pointer, operand = -1>}

// -----

// [ARGUMENT-1] a box for a tensor map
// expected-error @+1 {{expected a box of two or three positive sizes for a tensor map alone, got tensor_map and }}
func.func private @f() attributes {x = #tile.argument<kind = tensor_map, operand = 0>}

// -----

// [ARGUMENT-1] of parts of some columns
// expected-error @+1 {{expected a box of two or three positive sizes for a tensor map alone, got tensor_map and 8, 64, 0}}
func.func private @f() attributes {x = #tile.argument<kind = tensor_map, operand = 0, box = [8, 64, 0]>}

// -----

// [ARGUMENT-1] and for nothing else
// expected-error @+1 {{expected a box of two or three positive sizes for a tensor map alone, got pointer and 8, 64}}
func.func private @f() attributes {x = #tile.argument<kind = pointer, operand = 0, box = [8, 64]>}

// -----

// [ARGUMENT-2] a constant size
// expected-error @+1 {{expected a tensor to be constant, got a dim}}
func.func private @f() attributes {x = #tile.argument<kind = dim, operand = 0, constant = true>}

// -----

// [REPORTS-1] indices of experts
// expected-error @+1 {{expected positive numbers of experts and slots for indices alone, got indices, 4 and 0}}
func.func private @f() attributes {x = #tile.reports<checked = indices, experts = 4>}

// -----

// [REPORTS-1] and nothing of logits
// expected-error @+1 {{expected positive numbers of experts and slots for indices alone, got logits, 4 and 2}}
func.func private @f() attributes {x = #tile.reports<checked = logits, experts = 4, slots = 2>}

// -----

// [LAUNCHED-1] bytes
// expected-error @+1 {{expected no negative number of shared bytes, got -4}}
func.func private @f() attributes {x = #tile.launch<schedule = <warps = 4, grid = 1>, shared_bytes = -4>}

// -----

// [LAUNCHED-2] one argument for one parameter
// expected-error @+1 {{expected 'tile.launch' to be a #tile.launch on a function, with an argument for each of its parameters}}
func.func private @f(i32) attributes {tile.launch = #tile.launch<schedule = <warps = 4, grid = 1>>}

// -----

// [LAUNCHED-2] no other attribute of the dialect
// expected-error @+1 {{expected no attribute "tile.grid" of the tile dialect but 'tile.launch'}}
func.func private @f() attributes {tile.grid = 4 : i64}
