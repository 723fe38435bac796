#!/usr/bin/env python3
"""Prints one picture of a report: the first whose name begins like the given one.
Usage: picture_of_report.py REPORT.html NAME"""
import re
import sys

page, name = open(sys.argv[1], encoding="utf-8").read(), sys.argv[2]
for picture in re.findall(r"<figure>\n(<svg .*?</svg>\n)(?:<figcaption|</figure>)", page, re.S):
    if re.match(r'<svg [^>]*aria-label="' + re.escape(name), picture):
        sys.stdout.write(picture)
        sys.exit(0)
sys.exit("%s has no picture %s" % (sys.argv[1], name))
