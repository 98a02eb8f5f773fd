from typing import TYPE_CHECKING

import parablock._core
from parablock import _core
from parablock.tensors import wrap

if TYPE_CHECKING:
    from parablock.public import Model
