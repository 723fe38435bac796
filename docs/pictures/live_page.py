#!/usr/bin/env python3
"""Makes the pictures of the live page: the page in Chromium, served by `trestle watch` beside a test in real time.

    live_page.py PROGRAM [FOLDER]      PROGRAM: trestle; FOLDER, default: that of this script

The test is examples/two_site_frame; each picture is of its 18th second, one of them held. Numbers that depend on the host (pace,
accounts, delays) differ from run to run. Needs chromium, chromium-driver, python3-selenium; with pngquant the files become a third
of the size."""
import ctypes
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parents[1]
sys.path.insert(0, str(TREE / "tests" / "cli"))
try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
except ImportError:
    # Debian's package serves Debian's interpreter, which need not be the first one.
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", "-B"] + sys.argv)
    sys.exit("python3-selenium is not installed (deploy/setup.sh --with-tests)")
from live_page_client import Server  # noqa: E402

SECONDS = 40        # of the test
AT = 18.0           # time of the test in the pictures [s]
PATIENCE = 300      # [s]
PICTURES = {  # name -> theme, width, height, is held, cursor [s]
    "live_page_light": ("light", 1600, 1000, False, 15.46),
    "live_page_dark": ("dark", 1600, 1000, True, None),
    "live_page_phone": ("dark", 390, 1500, False, None),
}


def be_called_lab():
    """The pictures show who acted with the name of the host: that of this machine is nobody's business."""
    if os.geteuid() == 0 and ctypes.CDLL(None, use_errno=True).unshare(0x04000000) == 0:  # CLONE_NEWUTS
        socket.sethostname("lab")


def trestle(program, *words):
    return subprocess.run([program, *words], capture_output=True, text=True, check=True, timeout=PATIENCE).stdout


def wait(what, holds, test=None):
    until = time.monotonic() + PATIENCE
    while not (found := holds()):
        if test and test.poll() is not None:
            sys.exit(f"the test ended before it was seen: {what}")
        if time.monotonic() > until:
            sys.exit(f"not within {PATIENCE} s: {what}")
        time.sleep(0.05)
    return found


def open_browser(profile, wide, high):
    options = Options()
    for argument in ["--headless=new", "--disable-gpu", "--hide-scrollbars", "--user-data-dir=" + profile] + (["--no-sandbox"] if os.geteuid() == 0 else []):
        options.add_argument(argument)
    options.binary_location = shutil.which("chromium")
    window = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
    window.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": wide, "height": high, "deviceScaleFactor": 1, "mobile": wide < 500})
    return window


def take(program, name, folder, scratch):
    theme, wide, high, held, cursor = PICTURES[name]
    # No folder of this machine is in the picture.
    os.makedirs(f"{scratch}/{name}/runs")
    os.chdir(f"{scratch}/{name}")
    run = "runs/two-site-frame"
    test = subprocess.Popen([program, "run", str(TREE / "examples/two_site_frame/test.yaml"), "--out", run, "--set", "mode=real-time",
                             "--set", "real_time.most_in_window=1000", "--set", "real_time.most_in_a_row=200",  # other work runs here
                             "--set", f"excitation.synthetic.duration={SECONDS} s"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    noted = False
    try:
        wait("the record", lambda: os.path.exists(run + "/journal.db") and os.path.exists(run + "/operator.sock"), test)
        with Server(program, run) as server:
            window = open_browser(f"{scratch}/profile-{name}", wide, high)
            try:
                window.get(f"http://127.0.0.1:{server.port}/?theme={theme}#{server.token}")

                def time_of_test():
                    nonlocal noted
                    told = window.execute_script("return window.trestlePage?.standing?.time_s ?? 0")
                    if told > 9.0 and not noted:
                        noted = True
                        trestle(program, "note", run, "crack at the weld, 3 mm, west face", "--as", "bob")
                    return told >= AT
                wait(f"{AT} s of the test", time_of_test, test)
                if held:
                    trestle(program, "hold", run, "--reason", "look at the grips of east", "--as", "ada")
                    wait("HOLDING", lambda: json.loads(trestle(program, "status", run, "--json"))["state"] == "HOLDING", test)
                    time.sleep(1.5)
                if cursor is not None:
                    window.execute_script("trestlePage.view.pin(arguments[0]); trestlePage.changed()", cursor)
                    time.sleep(1.0)
                file = folder / (name + ".png")
                window.save_screenshot(str(file))
            finally:
                window.quit()
    finally:
        subprocess.run([program, "stop", run, "--reason", "the picture is made", "--yes", "--as", "ada"], capture_output=True, timeout=PATIENCE)
        test.wait(PATIENCE)
    if shutil.which("pngquant"):
        subprocess.run(["pngquant", "--force", "--strip", "--nofs", "--output", file, "64", file], check=True)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program = os.path.abspath(sys.argv[1])
    folder = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else HERE
    os.environ["TRESTLE_AS"] = "ada"
    be_called_lab()
    with tempfile.TemporaryDirectory() as scratch:
        for name in PICTURES:
            take(program, name, folder, scratch)
        os.chdir("/")


if __name__ == "__main__":
    main()
