"""One owner of the JIT options and of the cache folders.

Numba's own disk cache misses edits in a called function and then returns old results, so compiled code lies in a folder
named by a digest of all sources that it can be made of: what games share, and the game's own package. Other sources,
another folder; an edit of one game compiles that game again and no other.
"""

import contextlib
import gc
import hashlib
import os
import pathlib

import numba
from numba.core import caching
from numba.core import config as numba_config

#: The folder of the kernels here, and the packages in it that kernels of every game may call.
KERNELS = pathlib.Path(__file__).resolve().parent.parent
SHARED = ("common", "solving")


def sources_of(module, file):
    """The folder or file whose sources, besides the shared ones, the kernels of a module in `file` are compiled from.

    That is the game's folder of the kernels here, and the whole top-level package of a game from elsewhere: its kernels
    may lie anywhere in it.
    """
    path = pathlib.Path(file)
    if KERNELS in path.resolve().parents:
        return KERNELS / path.resolve().relative_to(KERNELS).parts[0]
    depth = module.count(".") + (path.name == "__init__.py")
    return path.parents[depth - 1] if depth else path


def source_digest(sources):
    """Hex digest of the sources in a folder (or of one file) and of the shared kernels, by path and content."""
    digest = hashlib.sha256()
    for root in dict.fromkeys((*(KERNELS / name for name in SHARED), sources)):
        for path in sorted(root.rglob("*.py")) if root.is_dir() else (root,) if root.is_file() else ():
            digest.update(path.relative_to(root.parent).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def cache_folder(module, file):
    """Folder of the compiled kernels of a module in `file`, of exactly its sources; NUMBLUFF_CACHE_DIR overrides its
    parent.
    """
    home = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    parent = pathlib.Path(os.environ.get("NUMBLUFF_CACHE_DIR") or home / "numbluff_sim")
    checked = "-checked" if os.environ.get("NUMBA_BOUNDSCHECK") == "1" else ""
    sources = sources_of(module, file)
    return parent / f"{sources.stem}-{source_digest(sources)[:16]}{checked}"


class Locator(caching.UserProvidedCacheLocator):
    """Keeps compiled kernels in `cache_folder` itself: wherever copies of the same sources lie, they share one code."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file):  # noqa: ARG003  Numba asks with it
        """No folder by the path of the source file."""
        return ""


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


def entry(kernel):
    """One of the few kernels that Python calls: compiled code is kept on disk, in `cache_folder` of its module."""
    if not COMPILED:
        return kernel
    # Numba asks for folder and locator at the decoration, and no later
    before = numba_config.CACHE_DIR, numba_config.CACHE_LOCATOR_CLASSES
    numba_config.CACHE_DIR = str(cache_folder(kernel.__module__, kernel.__code__.co_filename))
    numba_config.CACHE_LOCATOR_CLASSES = f"{__name__}.{Locator.__name__}"
    try:
        return numba.njit(error_model="numpy", nogil=True, cache=True)(kernel)
    finally:
        numba_config.CACHE_DIR, numba_config.CACHE_LOCATOR_CLASSES = before
