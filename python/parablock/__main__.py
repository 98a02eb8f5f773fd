# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m parablock`: what the package does, from a command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from parablock.command.parser import make_parser
from parablock.errors import Error


#: Exit code of an interrupted command, as shells define it.
_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns the exit code, which is that of the tools."""
    parsed = make_parser().parse_args(arguments)
    try:
        parsed.run(parsed)
        sys.stdout.flush()
    except Error as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        # The reader has closed the pipe; Python would report that once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Error.exit_code
    except OSError as error:
        name = f"'{error.filename}': " if error.filename else ""
        print(f"error: {name}{error.strerror or error}", file=sys.stderr)
        return Error.exit_code
    except MemoryError:
        print("error: out of memory", file=sys.stderr)
        return Error.exit_code
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return _INTERRUPTED
    return 0


def start() -> NoReturn:
    """Runs the command of this process."""
    code = main()
    if code == _INTERRUPTED:
        # Another thread may still run, but its result is not required any more.
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    start()
