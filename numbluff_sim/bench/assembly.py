"""Looking at the machine code of a game's kernel: `python -m numbluff_sim.bench.assembly` (docs/PERFORMANCE.md shows
how to read what comes out).

Compiles afresh (code from the cache has lost its assembly), writes the assembly, names the functions in
/tmp/perf-<pid>.map, where `perf report` looks for them, and then plays for some seconds, so that `perf record` has
something to see.
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
import time
from pathlib import Path
from typing import Any

#: Where `perf` expects the names of compiled code, by process.
PERF_MAP = "/tmp/perf-{pid}.map"  # noqa: S108  perf looks nowhere else


def main(arguments: list[str] | None = None) -> None:
    """Command line: preset, players, seconds to play, file for the assembly."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", default="documented")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--out", type=Path, default=Path("kernel.s"))
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as cache:
        os.environ["NUMBLUFF_CACHE_DIR"] = cache  # read when the kernels are imported, below
        from numbluff_sim.bench.lab import workloads_of
        from numbluff_sim.config import load
        from numbluff_sim.contract.registry import game

        config = load(preset=options.preset, overrides={"table.players": options.players})
        engine = game(config.game).engine(config)
        tally = engine.new_tally()
        engine.play(0, 64, tally)
        kernel: Any = workloads_of(game(config.game)).kernel()
        (assembly,) = kernel.inspect_asm().values()
        options.out.write_text(assembly, encoding="utf-8")
        (compiled,) = kernel.overloads.values()
        Path(PERF_MAP.format(pid=os.getpid())).write_text(perf_map(compiled._asdict()["library"]), encoding="utf-8")
        end, games = time.monotonic() + options.seconds, 64 * config.run.detail_every
        while time.monotonic() < end:
            engine.play(0, games, tally)


def perf_map(library: Any) -> str:
    """Start, size and name of every function of a compiled kernel, a line each; sizes end at the next function."""
    names = re.findall(r"^(_ZN\S+):$", library.get_asm_str(), re.MULTILINE)
    engine = library.codegen._engine  # noqa: SLF001  numba has no public way to a function's address
    starts = sorted((address, name) for name in names if (address := engine.get_function_address(name)))
    ends = [address for address, _ in starts[1:]] + [starts[-1][0] + 0x4000]
    return "".join(
        f"{start:x} {end - start:x} {short_name(name)}\n" for (start, name), end in zip(starts, ends, strict=True)
    )


def short_name(mangled: str) -> str:
    """`module.function` of a mangled name, which is `_ZN`, then every part behind its length."""
    parts, at = [], 3
    while length := re.match(r"[0-9]+", mangled[at:]):
        at += length.end()
        parts.append(mangled[at : at + int(length[0])])
        at += int(length[0])
    return ".".join(parts[-2:])


if __name__ == "__main__":
    main()
