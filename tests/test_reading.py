"""Files that a user names are read as text, up to a limit."""

import io
from pathlib import Path

import pytest

from cadogan.reading import TooLargeFileError, read_text


def test_line_ends_become_those_of_unix(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes("one\r\ntwo\rthree\nfür".encode())
    assert read_text(path) == "one\ntwo\nthree\nfür"


def test_a_limit_is_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"x" * (1 << 20))
    assert len(read_text(path, 1 << 20)) == 1 << 20
    path.write_bytes(b"x" * ((1 << 20) + 1))
    with pytest.raises(TooLargeFileError, match="text has more than 1 MB") as caught:
        read_text(path, 1 << 20)
    assert caught.value.hint


def test_a_device_without_end_is_read_up_to_the_limit() -> None:
    endless = Path("/dev/zero")
    if not endless.exists():
        pytest.skip("there is no such device")
    with pytest.raises(TooLargeFileError):
        read_text(endless, 1 << 20)


def test_standard_input_has_the_limit_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("a line\n"))
    assert read_text(Path("-")) == "a line\n"
    monkeypatch.setattr("sys.stdin", io.StringIO("x" * 11))
    with pytest.raises(TooLargeFileError, match="standard input"):
        read_text(Path("-"), 10)


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UnicodeDecodeError):
        read_text(path)
