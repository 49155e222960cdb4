"""A file's text is what Python would read, or it is refused."""

from __future__ import annotations

import pytest

from ol.domain.errors import WorkRefused
from ol.domain.file import File


@pytest.mark.parametrize(
    "content",
    [
        b"# coding: utf-7\n",
        b"# coding=cp1252\r\nx = 1\n",
        b"#!/usr/bin/env python\n# -*- coding: latin-1 -*-\n",
        b"\n\f# vim: set fileencoding=utf-16 :\n",
        b"# a comment # coding: shift_jis",
    ],
)
def test_python_that_declares_another_encoding_is_refused(content: bytes) -> None:
    with pytest.raises(WorkRefused) as refused:
        File("test_a.py", content).text()
    assert refused.value.slug == "not-utf8"
    assert refused.value.message.startswith("test_a.py says that it is ")


@pytest.mark.parametrize(
    "content",
    [
        b"# -*- coding: utf-8 -*-\n",
        b"# vim: set fileencoding=UTF_8 :\n",
        b"x = 1\n# coding: latin-1\n",
        b"\n\n# coding: latin-1\n",
        b"'coding: latin-1'\n",
        b'"""Text.\n# coding: latin-1\n"""\n',
    ],
)
def test_what_python_reads_as_utf8_is_taken(content: bytes) -> None:
    assert File("test_a.py", content).text() == content.decode()


def test_of_other_files_no_declaration_counts() -> None:
    assert File("data.txt", b"# coding: utf-7\n").text() == "# coding: utf-7\n"
