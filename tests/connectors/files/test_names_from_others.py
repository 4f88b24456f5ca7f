"""Names that others gave to files: whatever they hold, what is made of them stays in its folder."""

import os
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.clean import clean_line
from connectors.files.foreign import dangers, fit_name, numbered


@pytest.mark.parametrize(
    ("said", "fit"),
    [
        ("report.pdf", "report.pdf"),
        ("../../.bashrc", "bashrc"),
        ("..\\..\\windows\\win.ini", "win.ini"),
        ("/etc/passwd", "passwd"),
        ("C:\\Users\\ana\\plan.txt", "plan.txt"),
        ("C:plan.txt", "C_plan.txt"),
        ("..", "attachment"),
        ("", "attachment"),
        ("   ", "attachment"),
        ("???", "attachment"),
        (".ssh", "ssh"),
        ("-rf", "rf"),
        ("a\0b.pdf", "ab.pdf"),
        ("in\u202evoice\u202cfdp.exe", "invoicefdp.exe"),
        ("re\u200bport\ufeff.pdf", "report.pdf"),
        ("line\nbreak\t.txt", "linebreak.txt"),
        ("\x1b]0;owned\x07.txt", "]0;owned.txt".replace("]", "_").replace(";", "_")),
        ("plan.txt. . .", "plan.txt"),
        ("CON", "_CON"),
        ("nul.txt", "_nul.txt"),
        ("Com1.tar.gz", "_Com1.tar.gz"),
        ("LPT9", "_LPT9"),
        ("COM¹.txt", "_COM¹.txt"),
        ("console.txt", "console.txt"),
        ("stream.txt:hidden", "stream.txt_hidden"),
        ("<|im_start|>.txt", "__im_start__.txt"),
        ("%2e%2e%2fetc", "_2e_2e_2fetc"),
        ("übersicht.pdf", "übersicht.pdf"),
        ("会议.docx", "会议.docx"),
        ("U\u0308bersicht.pdf", "Übersicht.pdf"),
        ("x" * 300 + ".pdf", "x" * 176 + ".pdf"),
    ],
)
def test_a_name_is_made_fit(said: str, fit: str) -> None:
    assert fit_name(said) == fit


@given(st.text(max_size=400))
def test_no_name_leads_out_hides_anything_or_is_too_long(said: str) -> None:
    name = fit_name(said)
    assert name
    assert not {"/", "\\", "\0", ":"} & set(name)
    assert name not in (".", "..")
    assert not name.startswith((".", "-", " "))
    assert not name.endswith((".", " "))
    assert len(name.encode()) <= 181
    assert clean_line(name) == name
    assert os.path.basename(os.path.normpath(f"/folder/{name}")) == name
    assert fit_name(name) == name


@given(st.text(max_size=30), st.sampled_from(["../", "..\\", "/", "\u202e", "\0", "CON.", "./", "~/", "…/"]))
def test_a_mutated_name_stays_a_name(said: str, prefix: str) -> None:
    assert "/" not in fit_name(prefix + said)
    assert not any(unicodedata.category(each).startswith("C") for each in fit_name(prefix + said))


def test_a_number_goes_before_the_ending() -> None:
    assert numbered("report.pdf", 2) == "report 2.pdf"
    assert numbered("notes", 3) == "notes 3"


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("setup.exe", b"MZ\x90\0", ["is a program or a script"]),
        ("invoice.pdf.exe", b"MZ\x90\0", ["is a program", "ends twice"]),
        ("photo.jpg", b"MZ\x90\0", ["is a program", "ends in .jpg, so that it looks like something else"]),
        ("notes.txt", b"#!/bin/sh\nrm -r x\n", ["is a program", "looks like something else"]),
        ("open.desktop", b"[Desktop Entry]\n", ["is a program"]),
        ("link.lnk", b"", ["is a program"]),
        ("sums.xlsm", b"PK\x03\x04", ["can hold macros"]),
        ("login.html", b"<html>", ["a page for a browser"]),
        ("report.pdf", b"%PDF-1.7", []),
        ("plan.txt", b"See you.", []),
    ],
)
def test_what_could_harm_is_told(name: str, data: bytes, words: list[str]) -> None:
    found = dangers(name, data)
    assert len(found) == len(words), found
    for said, word in zip(found, words, strict=True):
        assert word in said
