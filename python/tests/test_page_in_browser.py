# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page in headless Chromium, at two widths."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from parablock_studies.page import PageData, render_page

_PROBE = (
    "<script>document.title = document.documentElement.scrollWidth + ' of ' + "
    "innerWidth</script></body>"
)


def _make_report(form: str, launches: int) -> dict[str, Any]:
    layers = [
        {
            "name": f"model.layers.{i}",
            "form": form,
            "launches": launches,
            "bytes": 3_000_000,
            "flops": 5_000_000,
        }
        for i in range(3)
    ]
    model = {"params": {"total": 1234567}, "launches": 3 * launches}
    return {"model": model, "layers": layers, "chip": "sm_90a", "sizes": {"batch": 1}}


def _make_kernel(layer: str | None, flops: float) -> dict[str, Any]:
    kernel: dict[str, Any] = {
        "kind": "linear",
        "steps": ["linear", "residual"],
        "flops": flops,
        "bytes": 20_000,
        "weight_bytes": 30_000,
        "us": 2.5,
        "arithmetic_us": flops / 1e9,
        "memory_us": 0.5,
    }
    return {**kernel, "layer": layer} if layer else kernel


def _make_page() -> str:
    fusion = {"pass": "block-fold-norm", "status": "missed", "reason": "a-reason"}
    layers = [
        {
            "name": f"model.layers.{i}",
            "exactness": "approximate",
            "launches": {"before": 7, "after": 3},
            "bytes": {"before": 4_000_000, "after": 3_000_000},
            "fusions": [fusion],
        }
        for i in range(3)
    ]
    pairs = [
        {"pair": str(i), "update_rel_l2": {"mean": 0.1 * i}, "kl_alone": 0.01 * i}
        for i in range(3)
    ]
    data = PageData(
        name="a <model>",
        before=_make_report("serial", 7),
        after=_make_report("parallel", 3),
        explanation={"recognised": {"attention": 3}, "missed": [], "layers": layers},
        drift={
            "layers": pairs,
            "chosen": ["0"],
            "measured_kl": 0.02,
            "budget_kl": 0.01,
            "trials": [{"pairs": 1, "measured_kl": 0.008}],
        },
        kernels=[_make_kernel(f"model.layers.{i}", 3e6) for i in range(3)]
        + [_make_kernel(None, 1e6)],
    )
    return render_page(data)


def test_text_is_escaped_and_drift_is_drawn() -> None:
    page = _make_page()
    assert "a &lt;model&gt;" in page and "<model>" not in page
    assert "Budget curve: 3 pairs" in page
    assert "within the budget of 0.01" in page
    assert "measured 0.02 nats" in page
    assert "4 launches of 2 kinds on sm_90a: 10 \u00b5s predicted" in page
    assert "model.layers.0 to 2" in page and "outside of layers" in page
    assert "roofline 0.5 \u00b5s (memory)" in page
    assert "Roofline of sm_90a" in page
    assert "parallel: norm to attention beside norm to MLP" in page


def test_what_a_screen_reader_needs_is_there() -> None:
    page = _make_page()
    labelled = re.findall(r'<svg [^>]*role="img"[^>]*aria-label="[^"]+"', page)
    assert len(labelled) == page.count("<svg") > 2
    assert page.count("<caption>") == page.count("<table>")
    assert page.count('class="scroll" tabindex="0"') == page.count("<table>")
    assert "<html lang=" in page and 'href="#content"' in page
    assert "prefers-color-scheme: dark" in page and "<script" not in page


@pytest.mark.full
@pytest.mark.parametrize("width", [500, 1280])
def test_nothing_is_wider_than_the_window(width: int, tmp_path: Path) -> None:
    browser = shutil.which("chromium")
    assert browser, "expected chromium on PATH"
    path = tmp_path / "page.html"
    path.write_text(_make_page().replace("</body>", _PROBE))
    done = subprocess.run(
        [
            browser,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            f"--user-data-dir={tmp_path}/profile",
            f"--window-size={width},900",
            "--dump-dom",
            path.as_uri(),
        ],
        capture_output=True,
        text=True,
    )
    found = re.search(r"<title>(\d+) of (\d+)</title>", done.stdout)
    assert found, done.stdout + done.stderr
    assert int(found[1]) <= int(found[2]) == width


def _get_luminance(color: str) -> float:
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _get_contrast(one: str, other: str) -> float:
    low, high = sorted((_get_luminance(one), _get_luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_stand_out(scheme: str) -> None:
    """By WCAG 2.1: 4.5 for text, 3 for what is drawn."""
    style = re.findall(r":root \{(.*?)\}", _make_page(), re.DOTALL)
    values = dict(re.findall(r"--(\w+): (#\w{6})", style[scheme == "dark"]))
    for name in ("text", "soft", "after", "approximate"):
        assert _get_contrast(values[name], values["ground"]) >= 4.5, name
    for name in ("before", "after", "approximate"):
        assert _get_contrast(values[name], values["fill"]) >= 3, name
