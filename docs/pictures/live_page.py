#!/usr/bin/env python3
"""Makes the pictures of the live page: the page in Chromium, with the computed record of its stand-in server.

    live_page.py [FOLDER]      default: the folder of this script

Needs chromium, chromium-driver, python3-selenium; with pngquant the files become a third of the size."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests" / "observe" / "page"))
from selenium import webdriver  # noqa: E402
from selenium.webdriver.chrome.options import Options  # noqa: E402
from selenium.webdriver.chrome.service import Service  # noqa: E402
import stand_in_record  # noqa: E402
from stand_in_server import StandIn  # noqa: E402

HELD = "Held by ada@lab: “look at the grips of east”"
PICTURES = {  # name -> theme, width, height, state, cursor
    "live_page_light": ("light", 1600, 1000, None, 15.46),
    "live_page_dark": ("dark", 1600, 1000, HELD, None),
    "live_page_phone": ("dark", 390, 1500, None, None),
}


def take(name, folder, record):
    theme, wide, high, held, cursor = PICTURES[name]
    server = StandIn(record, begin=14.0, viewer=True)
    server.start()
    options = Options()
    with tempfile.TemporaryDirectory() as profile:
        for argument in ["--headless=new", "--disable-gpu", "--hide-scrollbars", "--user-data-dir=" + profile] + (["--no-sandbox"] if os.geteuid() == 0 else []):
            options.add_argument(argument)
        options.binary_location = shutil.which("chromium")
        window = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        try:
            window.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": wide, "height": high, "deviceScaleFactor": 1, "mobile": wide < 500})
            window.get(f"http://127.0.0.1:{server.port}/?theme={theme}")
            while server.newest * record.spacing < 18.0:
                time.sleep(0.1)
            if held:
                server.change("HOLDING", held, help_text="Continue: trestle resume · end: trestle stop")
                time.sleep(1.5)
            if cursor is not None:
                window.execute_script("trestlePage.view.pin(arguments[0]); trestlePage.changed()", cursor)
                time.sleep(1.0)
            file = folder / (name + ".png")
            window.save_screenshot(str(file))
        finally:
            window.quit()
    if shutil.which("pngquant"):
        subprocess.run(["pngquant", "--force", "--strip", "--nofs", "--output", file, "64", file], check=True)
    server.kill()


def main():
    record = stand_in_record.computed()
    for name in PICTURES:
        take(name, pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE, record)


if __name__ == "__main__":
    main()
