# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names that versions of transformers give to caches of keys and values.

This module alone reads them: transformers 5.23 and older call a cache `past_key_values`
as an argument of models and as a field of results, newer ones call it `cache`.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from transformers.modeling_outputs import CausalLMOutputWithPast

from parablock.errors import Error

#: All names of a cache, the newest first.
CACHE_NAMES = ("cache", "past_key_values")


def _find_name() -> str:
    """Returns the name that the installed version uses."""
    fields = {field.name for field in dataclasses.fields(CausalLMOutputWithPast)}
    for name in CACHE_NAMES:
        if name in fields:
            return name
    raise Error(
        f"transformers: expected results with a field {' or '.join(CACHE_NAMES)}, got "
        f"{', '.join(sorted(fields))}: this version is newer than those that are supported"
    )


#: The name in the installed version.
CACHE = _find_name()


def pass_cache(cache: Any) -> dict[str, Any]:
    """Returns the cache as an argument of a model, or as a field of a result."""
    return {CACHE: cache}


def read_cache(result: Any) -> Any:
    """Returns the cache of a result, or None."""
    return getattr(result, CACHE, None)


def pick_cache(past_key_values: Any, cache: Any) -> Any:
    """Returns the cache argument of a call, under either name."""
    if past_key_values is not None and cache is not None:
        raise Error(f"{CACHE}: expected one cache, got {' and '.join(CACHE_NAMES)}")
    return past_key_values if cache is None else cache
