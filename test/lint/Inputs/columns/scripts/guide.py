# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A script."""

def find():
    """A line.
    Another one that has a column more than there may be in a docstring, which is what tells that the lint reads them: x.
    """
    return "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
# A comment of five columns more than that, behind code that has as many as it likes, for nothing reads its lines here: zzzz.
print(find())  # eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee
