# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m parablock`: what the package does, from a command line."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from parablock.command.parser import make_parser
from parablock.errors import Error


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns the exit code, which is that of the tools."""
    parsed = make_parser().parse_args(arguments)
    try:
        parsed.run(parsed)
    except Error as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        return Error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
