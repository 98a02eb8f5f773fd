# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that fail, hang and are skipped, for speaks.test."""

import time

import pytest


def test_passes():
    pass


def test_fails():
    assert 1 + 1 == 3, "another reason to fail"


def test_hangs():
    time.sleep(60)


@pytest.mark.skip(reason="a named reason")
def test_is_skipped():
    pass
