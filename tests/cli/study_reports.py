#!/usr/bin/env python3
"""The reports of studies: each is one HTML document that names nothing outside of itself, says its verdict first, has its
pictures, and is the same bytes again; `trestle report DIR` knows what DIR is.

    study_reports.py TRESTLE EXAMPLES
"""
import html.parser
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM, EXAMPLES = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
PATIENCE = 300  # [s]
SHORT = ("--set", "excitation.synthetic.duration=1 s")
FRAME = EXAMPLES / "two_site_frame"
def check(condition, words):
    if not condition:
        raise AssertionError(words)


def trestle(*words, codes=(0,)):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=PATIENCE)
    check(done.returncode in codes, f"trestle {words}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.figures, self.headings, self.outside, self.unnamed, self.open = 0, [], [], 0, ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        fields = dict(attributes)
        self.open = tag
        picture = tag == "svg" and fields.get("role") == "img"  # others are parts of one
        self.figures += picture
        self.unnamed += picture and not fields.get("aria-label")
        if tag in ("script", "iframe", "object", "base"):
            self.outside.append(tag)
        for key in ("src", "href", "xlink:href", "poster", "action"):
            value = fields.get(key)
            if value and not value.startswith(("#", "data:")):
                self.outside.append(f"{tag} {key}={value}")

    def handle_data(self, data):
        if re.fullmatch(r"h[123]", self.open) and data.strip():
            self.headings.append(data.strip())


def judged(file, figures, words):
    text = pathlib.Path(file).read_text()
    page = Page(text)
    check(not page.outside and "@import" not in text and not re.search(r"url\((?!['\"]?(data:|#))", text), f"{file} asks for {page.outside}")
    check(page.figures >= figures and page.unnamed == 0, f"{file}: {page.figures} pictures, {page.unnamed} without a name")
    check(text.index('class="verdict') < text.index("<h2"), f"{file}: the verdict is not first")
    for word in words:
        check(word in text, f"{file} does not speak of {word}: {page.headings}")
    return text


def twice(make, figures, words):
    """Made in two folders; `make` leaves report.html in the folder it is given, by a name relative to the present one."""
    texts = []
    for scratch in ("one", "two"):
        os.makedirs(scratch, exist_ok=True)
        os.chdir(scratch)
        os.makedirs("study", exist_ok=True)
        make()
        texts.append(judged("study/report.html", figures, words))
        os.chdir("..")
    check(texts[0] == texts[1], "the same study gives another report")
    said = trestle("report", "one/study").stdout
    check("one/study/report.html" in said, said)
    check(pathlib.Path("one/study/report.html").read_text() == texts[0], "`trestle report` changed it")
    trestle("report", "one/study", "--out", "elsewhere.html")
    check(pathlib.Path("elsewhere.html").read_text() == texts[0], "another one elsewhere")


def a_campaign():
    twice(lambda: trestle("campaign", FRAME / "study.yaml", "--out", "study", *SHORT), 20,
          ["west_stiffness", "40 of 40 drawn runs", "Results", "onvergence", "fifth"])
    refused = trestle("report", "one/study", "two/study", codes=(2,)).stderr
    check("folder of a study" in refused, refused)
    os.remove("one/study/report.html")
    refused = trestle("report", "one/study", codes=(2,)).stderr
    check("not complete" in refused and "--out one/study" in refused, refused)


def a_rehearsal():
    twice(lambda: trestle("rehearse", FRAME / "test.yaml", "--faults", 40, "--seed", 3, "--report", "study/report.html"), 1,
          ["40 scenarios", "Outcomes"])


def a_characterisation():
    twice(lambda: trestle("characterise", FRAME / "site_west.yaml", "--out", "transfer_system.yaml", "--report", "study/report.html"), 3,
          ["Frequency responses", "Response to a step", "come late by"])


def an_identification():
    twice(lambda: trestle("identify", EXAMPLES / "identification/tyre.yaml", "--out", "study"), 1,
          ["5 of 5 parameters", "Readings, fit and residual"])


with tempfile.TemporaryDirectory() as scratch:
    for case in (a_campaign, a_rehearsal, a_characterisation, an_identification):
        os.mkdir(os.path.join(scratch, case.__name__))
        os.chdir(os.path.join(scratch, case.__name__))
        case()
        print(case.__name__.replace("_", " "), "is as it shall be", flush=True)
    os.chdir("/")
