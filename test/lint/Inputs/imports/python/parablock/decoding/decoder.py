from typing import TYPE_CHECKING

from parablock.decoding import pages

if TYPE_CHECKING:
    from parablock.decoding.caches import Caches


def decode():
    return pages
