"""One owner of the JIT options and of the cache folder.

Numba's own disk cache misses edits in a called function and then returns old results, so the folder is named by a
digest of all kernel sources: another source, another folder. Import this module before any other use of Numba.
"""

import contextlib
import gc
import hashlib
import os
import pathlib


def source_digest() -> str:
    """Hex digest of every kernel source file, by relative path and content."""
    root = pathlib.Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def cache_folder() -> pathlib.Path:
    """Folder of the compiled kernels of exactly these sources; NUMBLUFF_CACHE_DIR overrides its parent."""
    home = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    parent = os.environ.get("NUMBLUFF_CACHE_DIR") or home / "numbluff_sim"
    checked = "-checked" if os.environ.get("NUMBA_BOUNDSCHECK") == "1" else ""
    return pathlib.Path(parent) / (source_digest()[:16] + checked)


os.environ["NUMBA_CACHE_DIR"] = str(cache_folder())

import numba  # noqa: E402  the cache folder must be set first
from numba.core import config as numba_config  # noqa: E402

numba_config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"]

#: False under NUMBA_DISABLE_JIT=1: every kernel is then plain Python over NumPy arrays.
COMPILED = not numba_config.DISABLE_JIT


@contextlib.contextmanager
def compiling():
    """Holds Python's cyclic garbage collector back: compiling makes millions of long-lived objects, and searching
    them takes a sixth of the time.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


#: Kernels called from kernels.
jit = numba.njit(error_model="numpy", nogil=True)
#: Small kernels that are worth a copy at every call: values stay in registers.
inline = numba.njit(error_model="numpy", nogil=True, forceinline=True)
#: The few kernels that Python calls: compiled code is kept on disk.
entry = numba.njit(error_model="numpy", nogil=True, cache=True)
