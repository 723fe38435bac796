#!/usr/bin/env python3
"""How smoothly the live page draws: frames a second and their p95 in a real Chromium of 1600 px, while a computed test of 16
channels comes in at 20 frames of data a second; then with the processor throttled four times. Only a report.

    page_frames.py [--seconds S] [--json]

Goals (without a GPU): 60 frames a second, p95 at most 16.7 ms; throttled: at least 30, and all data frames drawn."""
import argparse
import json
import os
import pathlib
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "observe" / "page"))
try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
except ImportError:
    # Debian's package serves Debian's interpreter, which need not be the first one.
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", "-B"] + sys.argv)
    sys.exit("python3-selenium is not installed (deploy/setup.sh --with-tests)")
import stand_in_record  # noqa: E402
from stand_in_server import StandIn  # noqa: E402

COUNT = """
const [milliseconds, done] = arguments, page = window.trestlePage, drawn = [], times = [];
let data = 0, last = performance.now();
const end = last + milliseconds, take = page.takeFrame.bind(page);
page.connection.on.frame = (frame) => { ++data; take(frame); };
const pass = page.pass.bind(page);
page.pass = (seconds) => { const begun = performance.now(); pass(seconds); drawn.push(performance.now() - begun); };
requestAnimationFrame(function next(now) {
  times.push(now - last); last = now;
  if (now < end) return requestAnimationFrame(next);
  page.pass = pass; page.connection.on.frame = (frame) => page.takeFrame(frame);
  const at = (list, part) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(part * list.length))];
  times.shift();
  done({frames_per_s: 1000 * times.length / times.reduce((a, b) => a + b, 0), between_p50_ms: at(times, 0.5), between_p95_ms: at(times, 0.95),
        script_p50_ms: at(drawn, 0.5), script_p95_ms: at(drawn, 0.95), data_frames: data});
});
"""


def measure(window, record, seconds, throttled):
    server = StandIn(record, begin=15.0)
    port = server.start()
    window.get(f"http://127.0.0.1:{port}/")
    until = time.monotonic() + 60
    while not window.execute_script("return window.trestlePage?.data.series('window').count > 10"):
        if time.monotonic() > until:
            raise RuntimeError("the page shows nothing")
        time.sleep(0.1)
    window.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": throttled})
    window.set_script_timeout(seconds + 60)
    result = window.execute_async_script(COUNT, 1000 * seconds)
    window.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": 1})
    window.get("about:blank")
    server.kill()
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    record = stand_in_record.computed(seconds=120)  # it must not end before a busy machine has opened the page twice
    chrome = Options()
    chrome.binary_location = shutil.which("chromium")
    with tempfile.TemporaryDirectory() as profile:
        for argument in ["--headless=new", "--disable-gpu", "--window-size=1600,1000", "--user-data-dir=" + profile] + (["--no-sandbox"] if os.geteuid() == 0 else []):
            chrome.add_argument(argument)
        window = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=chrome)
        try:
            results = {rate: measure(window, record, options.seconds, rate) for rate in (1, 4)}
        finally:
            window.quit()
    for rate, result in results.items():
        if options.json:
            print(json.dumps({"throttled": rate, "load": os.getloadavg()[0], **result}))
            continue
        print(f"throttled {rate}x: {result['frames_per_s']:.1f} frames/s, between two p50 {result['between_p50_ms']:.1f} ms, p95 {result['between_p95_ms']:.1f} ms; "
              f"script p50 {result['script_p50_ms']:.1f} ms, p95 {result['script_p95_ms']:.1f} ms; {result['data_frames'] / options.seconds:.1f} frames of data/s")
    if not options.json:
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; goals: 60 frames/s, p95 <= 16.7 ms; throttled 4x: >= 30")


if __name__ == "__main__":
    main()
