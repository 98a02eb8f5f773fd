# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The comparer finds the faults that rewrites could have.

Each line of the table breaks the result of a pass by one edit of its text: as it was it
has to agree with the original, broken it must not.
"""

import re
import sys

import tools

# (fault, pass, family, what is broken, what becomes of it)
FAULTS = (
    ("bias dropped", "fold-norm", "gptj",
     r"(block\.deferred_norm [^\n]*?) bias %\w+", r"\1"),
    ("norm's bias dropped", "fold-norm", "gptj",
     r"fold_bias (%\w+) beta %\w+ bias", r"fold_bias \1 bias"),
    ("gain of the other norm", "fold-norm", "gpt-neox",
     r"fold_gain (%collapsed, (%\w+).*)fold_gain (%\w+), %\w+", r"fold_gain \1fold_gain \3, \2"),
    ("another epsilon", "fold-norm", "gptj",
     r"(deferred_norm .*?)eps = 1.0+e-05", r"\1eps = 1.0e-01"),
    ("mean and moment exchanged", "fold-norm", "gptj",
     r"mean (%\w+#0) moment (%\w+#1)", r"mean \2 moment \1"),
    ("sums of the weight without its gain", "fold-norm", "gptj",
     r"(fold_gain (%\w+), [^\n]*\n[^\n]*weight_sums )%\w+", r"\1\2"),
    ("sums left out", "fold-norm", "gptj",
     r"deferred_norm (%\w+) mean \S+ moment (\S+) sums \S+ bias (\S+) centrable \{form = #block.norm<kind = layer",
     r"deferred_norm \1 moment \2 bias \3 {form = #block.norm<kind = rms"),
    ("sums of another projection", "fold-norm", "gptj",
     r"sums (%\w+) bias(.*?)sums %\w+ bias", r"sums \1 bias\2sums \1 bias"),
    ("gain taken for 1 + gain", "fold-norm", "gemma", r"(fold_gain [^\n]*?), gamma_form = one_plus", r"\1"),
    ("statistics of another value", "share-norm-stats", "gpt2",
     r"(%\w+):2 = block\.norm_stats (.*)(block\.normalize %\w+) mean \S+ moment \S+",
     r"\1:2 = block.norm_stats \2\3 mean \1#0 moment \1#1"),
    ("gain of the other norm of one value", "share-norm-stats", "falcon-40b",
     r"gamma (%\w+)(.*)gamma %\w+", r"gamma \1\2gamma \1"),
    ("gain of the branch dropped", "fold-scales", "layerscale",
     r"fold_scale (%\w+) by %\w+", r"fold_scale \1"),
    ("bias left unscaled", "fold-scales", "layerscale",
     r"(%\w+) = block\.fold_scale (%\w+) by (\S+ : tensor<32xf32>\n[^\n]* bias )\1",
     r"\1 = block.fold_scale \2 by \3\2"),
    ("scale of the scores applied twice", "fold-scales=score-scale=true", "gptj",
     r"scale = 1\.0, causal", r"scale = 0.35, causal"),
    ("weights in another order", "fuse-input-projections", "gptj",
     r"concat dim\(0\) (%\w+), (%\w+),", r"concat dim(0) \2, \1,"),
    ("biases in another order", "fuse-input-projections", "opt",
     r"concat dim\(0\) (%\w+), (%\w+), (%\w+) : \(tensor<32xf32>",
     r"concat dim(0) \3, \2, \1 : (tensor<32xf32>"),
    ("segments in another order", "fuse-input-projections", "gptj",
     r"(rope %\w+#)0(.*?rope %\w+#)1", r"\g<1>1\g<2>0"),
    ("columns off by one", "fuse-input-projections", "gpt-neox",
     r"extract_slice (%\w+)\[0, 8, 0\]", r"extract_slice \1[0, 9, 0]"),
    ("one bias for the other", "fuse-output-projections", "gpt-neox",
     r"bias_sum (%\w+), %\w+", r"bias_sum \1, \1"),
    ("weights of each other's source", "fuse-output-projections", "gptj",
     r"weights\((%\w+), (%\w+)\)", r"weights(\2, \1)"),
    ("queries for keys", "form-kernels", "gptj",
     r'("sdpa" \(%\w+ = )(\S+)( : \S+ %\w+ = )(\S+)', r"\1\4\3\2"),
    ("partial means for moments", "form-kernels", "gpt2",
     r"merge_stats mean (%\w+) moment (%\w+)", r"merge_stats mean \2 moment \1"),
    ("partial statistics of another row", "form-kernels", "gpt2",
     r"(residual (%\w+), [^\n]*\n[^\n]*partial_stats )%\w+", r"\1\2"),
    ("gate and up exchanged", "form-kernels", "llama", r"block\.gate (%\w+), (%\w+)", r"block.gate \2, \1"),
)


def check(folder, case):
    pass_, family, pattern, replacement = case
    original, rewritten = folder / "original.mlir", folder / "rewritten.mlir"
    sizes = ("--layers=1", "--width=32", "--heads=4", "--hidden=32", "--batch=2", "--seq=9")
    tools.run("block-gen", f"--family={family}", "--scope=block", *sizes, "-o", original)
    tools.run("block-opt", original, "--block-expand", f"--block-{pass_}", "-o", rewritten)
    code, said = tools.compare(rewritten, original)
    if code:
        raise tools.Failure(f"is different before it is broken: {said}")
    text = rewritten.read_text(encoding="utf-8")
    broken, times = re.subn(pattern, replacement, text, count=1, flags=re.DOTALL)
    if not times or broken == text:
        raise tools.Failure("found nothing to break")
    rewritten.write_text(broken, encoding="utf-8")
    code, said = tools.compare(rewritten, original)
    if code != tools.DIFFERENT:
        raise tools.Failure(f"went unnoticed: {said}")


if __name__ == "__main__":
    sys.exit(tools.check_all(((f"{row[1]}: {row[0]}", row[1:]) for row in FAULTS), check))
