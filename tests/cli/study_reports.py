#!/usr/bin/env python3
"""The reports of studies: each is one HTML document that names nothing outside of itself, says its verdict first, has its
pictures, and is the same bytes again, also where people write a comma in their numbers and live in another time zone;
`trestle report DIR` knows what DIR is. xmllint has no objection to them, nor to the golden reports of runs.

    study_reports.py TRESTLE EXAMPLES
"""
import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM, EXAMPLES = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
PATIENCE = 300  # [s]
GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "observe/report/golden"
SHORT = ("--set", "excitation.synthetic.duration=1 s")
FRAME = EXAMPLES / "two_site_frame"
def check(condition, words):
    if not condition:
        raise AssertionError(words)


def elsewhere(scratch):
    """The environment of somebody who writes 1.234,5 and lives in Tokyo."""
    places = {"TZ": "Asia/Tokyo", "LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8", "LOCPATH": scratch}
    made = shutil.which("localedef") and subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", scratch + "/de_DE.UTF-8"], capture_output=True).returncode == 0
    if not made:
        print("in Tokyo, but not with a decimal comma: the package locales is not installed (deploy/setup.sh --with-tests)")
    return {**os.environ, **places} if made else {**os.environ, "TZ": places["TZ"]}


def trestle(*words, codes=(0,), environment=None):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=PATIENCE, env=environment)
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


def well_formed(file):
    """By xmllint: the document, of whose HTML it does not know the newer elements, and each picture as XML."""
    if not shutil.which("xmllint"):
        print("not checked by xmllint: it is not installed (deploy/setup.sh --with-tests)")
        return
    said = subprocess.run(["xmllint", "--html", "--noout", "--huge", file], capture_output=True, text=True, timeout=PATIENCE).stderr
    wrong = [line for line in said.splitlines() if re.search(r":\d+: HTML parser error", line) and not re.search(r"error : Tag [a-z]+ invalid$", line)]
    check(not wrong, f"{file}: {wrong[:5]}")
    pictures = re.findall(r"(<svg xmlns=.*?</svg>)\s*(?:<figcaption|</figure>)", pathlib.Path(file).read_text(), re.S)
    check(pictures, f"{file} has no picture")
    read = subprocess.run(["xmllint", "--noout", "--huge", "-"], input=f"<all>{''.join(pictures)}</all>", capture_output=True, text=True, timeout=PATIENCE)
    check(read.returncode == 0, f"{file}: {read.stderr[:500]}")


def judged(file, figures, words):
    text = pathlib.Path(file).read_text()
    well_formed(file)
    page = Page(text)
    check(not page.outside and "@import" not in text and not re.search(r"url\((?!['\"]?(data:|#))", text), f"{file} asks for {page.outside}")
    check(page.figures >= figures and page.unnamed == 0, f"{file}: {page.figures} pictures, {page.unnamed} without a name")
    check(text.index('class="verdict') < text.index("<h2"), f"{file}: the verdict is not first")
    for word in words:
        check(word in text, f"{file} does not speak of {word}: {page.headings}")
    return text


def twice(make, figures, words):
    """Made in two folders, the second time elsewhere; `make` leaves report.html in the folder `study` by the words it gives."""
    texts = []
    for scratch, environment in (("one", None), ("two", ELSEWHERE)):
        os.makedirs(scratch, exist_ok=True)
        os.chdir(scratch)
        os.makedirs("study", exist_ok=True)
        trestle(*make, environment=environment)
        texts.append(judged("study/report.html", figures, words))
        os.chdir("..")
    check(texts[0] == texts[1], "the same study gives another report")
    said = trestle("report", "one/study").stdout
    check("one/study/report.html" in said, said)
    check(pathlib.Path("one/study/report.html").read_text() == texts[0], "`trestle report` changed it")
    trestle("report", "one/study", "--out", "elsewhere.html")
    check(pathlib.Path("elsewhere.html").read_text() == texts[0], "another one elsewhere")


def a_run():
    trestle("run", FRAME / "test.yaml", "--out", "run", *SHORT)
    for name, environment in (("here", None), ("there", ELSEWHERE)):
        trestle("report", "run", "--out", name + ".html", environment=environment)
        well_formed(name + ".html")
    check(pathlib.Path("here.html").read_bytes() == pathlib.Path("there.html").read_bytes(), "elsewhere the report is another one")
    for golden in sorted(GOLDEN.glob("*.html")):
        well_formed(str(golden))


def a_campaign():
    twice(("campaign", FRAME / "study.yaml", "--out", "study", *SHORT), 20,
          ["west_stiffness", "40 of 40 drawn runs", "Results", "onvergence", "fifth"])
    refused = trestle("report", "one/study", "two/study", codes=(2,)).stderr
    check("folder of a study" in refused, refused)
    os.remove("one/study/report.html")
    refused = trestle("report", "one/study", codes=(2,)).stderr
    check("not complete" in refused and "--out one/study" in refused, refused)


def a_rehearsal():
    twice(("rehearse", FRAME / "test.yaml", "--faults", 40, "--seed", 3, "--report", "study/report.html"), 1,
          ["40 scenarios", "Outcomes"])


def a_characterisation():
    twice(("characterise", FRAME / "site_west.yaml", "--out", "transfer_system.yaml", "--report", "study/report.html"), 3,
          ["Frequency responses", "Response to a step", "come late by"])


def an_identification():
    twice(("identify", EXAMPLES / "identification/tyre.yaml", "--out", "study"), 1,
          ["5 of 5 parameters", "Readings, fit and residual"])


with tempfile.TemporaryDirectory() as scratch:
    # The C library never frees the names of locales that it looked for in a folder of somebody's own.
    ELSEWHERE = dict(elsewhere(scratch), LSAN_OPTIONS="detect_leaks=0", ASAN_OPTIONS="detect_leaks=0")
    for case in (a_run, a_campaign, a_rehearsal, a_characterisation, an_identification):
        os.mkdir(os.path.join(scratch, case.__name__))
        os.chdir(os.path.join(scratch, case.__name__))
        case()
        print(case.__name__.replace("_", " "), "is as it shall be", flush=True)
    os.chdir("/")
