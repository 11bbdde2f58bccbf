"""Where compiled kernels are kept, and how; what they compute does not depend on it, so no digest of code covers it.

Numba's own disk cache misses edits in a called function and then returns old results, so compiled code lies in a folder
named by a digest of all sources that it can be made of: what games share, and the game's own package. Other sources,
another folder; an edit of one game compiles that game again and no other. There is no second place: where that folder
cannot be written, the code stays in memory. A file a signature, with a checksum: processes that compile beside each
other share no index that one of them could spoil, and what a full disk or a power loss has cut is compiled again.
"""

import contextlib
import hashlib
import logging
import os
import pathlib
import pickle
import re
import uuid

import llvmlite
import numba
from numba.core import caching
from numba.core import config as numba_config

LOG = logging.getLogger(__name__)
#: Raised when files are laid out otherwise.
FORM = 1
#: The folder of the kernels here, and the packages in it that kernels of every game may call.
KERNELS = pathlib.Path(__file__).resolve().parent
SHARED = ("common", "solving")
#: The folders that are made in the cache, and the files in them (.nbi: an earlier version's).
FOLDERS, FILES = re.compile(r"(.+-)?[0-9a-f]{16}(-checked)?|\w+_tables"), re.compile(r".+\.(nbc|nbi|npz)|.+\.tmp\b.*")


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


def place() -> pathlib.Path | None:
    """The folder of everything that is kept from process to process: NUMBLUFF_CACHE_DIR, or `numbluff_sim` in the
    user's cache folder; None for a user without a home folder.
    """
    if asked := os.environ.get("NUMBLUFF_CACHE_DIR"):
        return pathlib.Path(asked)
    if caches := os.environ.get("XDG_CACHE_HOME"):
        return pathlib.Path(caches) / "numbluff_sim"
    try:
        return pathlib.Path.home() / ".cache" / "numbluff_sim"
    except RuntimeError:
        return None


def cache_folder(module, file):
    """Folder of the compiled kernels of a module in `file`, of exactly its sources; None where there is no `place`."""
    parent, sources = place(), sources_of(module, file)
    checked = "-checked" if os.environ.get("NUMBA_BOUNDSCHECK") == "1" else ""
    return None if parent is None else parent / f"{sources.stem}-{source_digest(sources)[:16]}{checked}"


_told: set[str] = set()


def tell_not_kept(what, instead, error=None):
    """Say, once a process and thing, that it cannot be kept, why, and what happens instead; `error`: the OSError."""
    if what not in _told:
        _told.add(what)
        parent = place()
        why = "there is no home folder" if parent is None else f"{parent} cannot be written"
        reason = f": {error.strerror or error}" if error is not None and parent is not None else ""
        LOG.warning(
            "%s cannot be kept (%s%s) and %s. NUMBLUFF_CACHE_DIR names another folder.", what, why, reason, instead
        )


def tell_damaged(path, instead):
    """Say that a file of the cache is not whole, and what happens instead."""
    LOG.warning("%s is damaged and %s.", path, instead)


@contextlib.contextmanager
def written(path):
    """A file beside `path` to be filled, which takes its place at the end; after an error nothing is left of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.tmp.{uuid.uuid4().hex[:16]}")
    try:
        with partial.open("wb") as file:
            yield file
        partial.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
        raise


def emptied() -> int:
    """Remove what is kept in `place`, and nothing else there; the bytes it took. Raises OSError."""
    parent, size = place(), 0
    for folder in sorted(parent.iterdir()) if parent is not None and parent.is_dir() else ():
        if not FOLDERS.fullmatch(folder.name) or folder.is_symlink() or not folder.is_dir():
            continue
        for path in sorted(folder.rglob("*"), reverse=True):
            if path.is_dir() and not path.is_symlink():
                with contextlib.suppress(OSError):  # there is something in it that is not ours
                    path.rmdir()
            elif FILES.fullmatch(path.name):
                size += path.lstat().st_size
                path.unlink()
        with contextlib.suppress(OSError):
            folder.rmdir()
    return size


class Locator(caching.UserProvidedCacheLocator):
    """The one place of compiled kernels, `cache_folder` itself: wherever copies of the same sources lie, they share
    one code. Numba would go on to other places where this one cannot be written, and none of those is named by sources.
    """

    @classmethod
    def from_function(cls, py_func, py_file):
        """Always this one."""
        return cls(py_func, py_file)

    @classmethod
    def get_suitable_cache_subpath(cls, py_file):  # noqa: ARG003  Numba asks with it
        """No folder by the path of the source file."""
        return ""


class KernelCache(caching.FunctionCache):
    """Numba's cache of one kernel, a file a signature: a checksum, then the pickled key and compiled code. What cannot
    be read is compiled, what cannot be written stays in memory; both are said.
    """

    def load_overload(self, sig, target_context):
        """The compiled code of a signature; None where none is kept, or what is kept is damaged."""
        target_context.refresh()
        key = self._index_key(sig, target_context.codegen())
        path = self._path(key)
        try:
            digest, content = (found := path.read_bytes())[:32], found[32:]
        except OSError:
            return None
        try:
            if hashlib.sha256(content).digest() != digest:
                raise ValueError(path)
            of, payload = pickle.loads(content)  # noqa: S301  written here, in the user's own folder
            return self._impl.rebuild(target_context, payload) if of == key else None
        except Exception:  # noqa: BLE001  whatever it is, compiling mends it
            tell_damaged(path, "compiled again")
            return None

    def save_overload(self, sig, data):
        """Keep the compiled code of a signature, if it may be kept and the disk lets it."""
        if not self._impl.check_cachable(data):
            return
        key = self._index_key(sig, data.codegen)
        content = caching.dumps((key, self._impl.reduce(data)))
        try:
            if not self.cache_path:
                raise FileNotFoundError
            with written(self._path(key)) as file:
                file.write(hashlib.sha256(content).digest() + content)
        except OSError as error:
            tell_not_kept("Compiled kernels", "every process compiles them again", error)

    def _path(self, key):
        versions = FORM, numba.__version__, llvmlite.__version__
        name = hashlib.sha256(repr((versions, key)).encode()).hexdigest()[:16]
        return pathlib.Path(self.cache_path) / f"{self._impl.filename_base}.{name}.nbc"


def kept(dispatcher):
    """A compiled function of Numba's, its code kept in the `cache_folder` of its module."""
    kernel = dispatcher.py_func
    folder = cache_folder(kernel.__module__, kernel.__code__.co_filename)
    # Numba asks for folder and locator when a cache is made, and no later
    before = numba_config.CACHE_DIR, numba_config.CACHE_LOCATOR_CLASSES
    numba_config.CACHE_DIR = "" if folder is None else str(folder)
    numba_config.CACHE_LOCATOR_CLASSES = f"{__name__}.{Locator.__name__}"
    try:
        dispatcher._cache = KernelCache(kernel)  # noqa: SLF001  what its enable_caching() does, with another class
    finally:
        numba_config.CACHE_DIR, numba_config.CACHE_LOCATOR_CLASSES = before
    return dispatcher
