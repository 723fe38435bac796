#!/usr/bin/env python3
"""A report opens in a real Chromium with the network off: it asks for nothing, its console is empty,
its pictures have a name, and it prints as PDF. Usage: report_offline.py TRESTLE TEST.yaml
Exits 77 if Chromium or selenium is not installed."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

browser = shutil.which("chromium")
driver = shutil.which("chromedriver")
try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
except ImportError:
    # Debian's package serves Debian's interpreter, which need not be the first one.
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", "-B"] + sys.argv)
    print("SKIPPED: python3-selenium is not installed (deploy/setup.sh --with-tests)")
    sys.exit(77)
if browser is None or driver is None:
    print("SKIPPED: chromium and chromium-driver are not installed (deploy/setup.sh --with-tests)")
    sys.exit(77)

trestle, test = sys.argv[1:3]


def check(holds, what):
    if not holds:
        print("FAILED:", what)
        sys.exit(1)


def open_offline(page, profile):
    options = Options()
    options.binary_location = browser
    for argument in ["--headless", "--disable-gpu", "--window-size=900,1200", "--user-data-dir=" + profile]:
        options.add_argument(argument)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    window = webdriver.Chrome(service=Service(driver), options=options)
    window.execute_cdp_cmd("Network.enable", {})
    window.execute_cdp_cmd("Network.emulateNetworkConditions",
                           {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0})
    window.get("about:blank")
    for log in ["browser", "performance"]:  # of the browser's own first page
        window.get_log(log)
    window.get("file://" + page)
    return window


with tempfile.TemporaryDirectory() as folder:
    run = folder + "/run"
    subprocess.run([trestle, "run", test, "--out", run, "--set", "excitation.synthetic.duration=2 s"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run([trestle, "report", run, "--pdf"], check=True)
    page = run + "/report.html"
    check(pathlib.Path(run + "/report.pdf").read_bytes()[:5] == b"%PDF-", "the PDF is one")
    window = open_offline(page, folder + "/profile")
    try:
        check(window.get_log("browser") == [], "the console is empty: %s" % window.get_log("browser"))
        asked = [json.loads(entry["message"])["message"] for entry in window.get_log("performance")]
        addresses = {entry["params"]["request"]["url"] for entry in asked
                     if entry["method"] == "Network.requestWillBeSent"}
        foreign = {address for address in addresses
                   if not address.startswith(("file://" + page, "data:"))}
        check(not foreign, "nothing is asked for from outside: %s" % foreign)
        first = window.find_element(By.CSS_SELECTOR, "p.verdict").text
        check("COMPLETE" in first, "the verdict comes first: " + first)
        pictures = window.find_elements(By.CSS_SELECTOR, "main figure > svg")
        check(len(pictures) > 10, "it has pictures: %d" % len(pictures))
        check(all(picture.get_attribute("aria-label") for picture in pictures), "each picture has a name")
        wide = window.execute_script("return document.documentElement.scrollWidth - window.innerWidth")
        check(wide <= 0, "nothing is wider than the window: %s px" % wide)
        levels = [int(heading.tag_name[1]) for heading in window.find_elements(By.CSS_SELECTOR, "h1,h2,h3")]
        check(levels[0] == 1 and all(b - a <= 1 for a, b in zip(levels, levels[1:])), "headings skip no level")
    finally:
        window.quit()
print("opened offline: %d pictures, no request, no console line" % len(pictures))
