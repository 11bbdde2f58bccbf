"""The files of a check appear whole or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from numbluff_sim.errors import ConfigError
from numbluff_sim.studies.check.written import write_text


def test_write_text__a_full_disk_leaves_the_former_baseline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    baseline, plain = tmp_path / "baseline.toml", Path.write_bytes

    def full(path: Path, content: bytes) -> int:
        plain(path, content[: len(content) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    write_text(str(baseline), "the former one\n")
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(ConfigError, match="cannot be written: No space left on device"):
        write_text(str(baseline), "the new one, which is longer\n")
    assert [path.name for path in tmp_path.iterdir()] == ["baseline.toml"]
    assert baseline.read_text(encoding="utf-8") == "the former one\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_write_text__a_pipe_is_written_and_a_link_is_followed(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_text(str(tmp_path / "pipe"), "verdicts")
    assert os.read(reader, 100) == b"verdicts"
    os.close(reader)
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write_text(str(tmp_path / "link"), "verdicts")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text(encoding="utf-8") == "verdicts"
