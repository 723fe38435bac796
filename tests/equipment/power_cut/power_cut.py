#!/usr/bin/env python3
"""A loss of power, of programs that power_cut.so was preloaded into.

    cut = PowerCut(SHIM, ROOT, SHADOW)        # what is in ROOT now lasts
    subprocess.Popen(..., env=dict(os.environ, **cut.environment()))
    ... kill the programs ...
    cut.come_true(seed=None)                  # ROOT is as a disk would be found afterwards

or  power_cut.py SHIM ROOT -- COMMAND ...     runs COMMAND, and cuts when it ended

Without a seed nothing that was not synced is there; with one, single pages of files and single names of folders are, as a
file system may have written them by itself. The tree before the cut stays as ROOT.cut-N.
"""
import os
import random
import shutil
import subprocess
import sys
import tempfile
import uuid

PAGE = 4096


class PowerCut:
    def __init__(self, shim, root, shadow):
        self.shim, self.root, self.shadow, self.cuts = os.path.abspath(shim), os.path.realpath(root), shadow, 0
        self.take_stock()

    def environment(self):
        return {"LD_PRELOAD": self.shim, "POWER_CUT_ROOT": self.root, "POWER_CUT_SHADOW": self.shadow,
                "POWER_CUT_BOOT_ID": self.shadow + "/boot_id"}

    def take_stock(self):
        """All data is durable, and the system was restarted."""
        shutil.rmtree(self.shadow, ignore_errors=True)
        for part in ("id", "file", "folder"):
            os.makedirs(f"{self.shadow}/{part}")
        self.next = 0
        self.put("boot_id", str(uuid.uuid4()) + "\n")
        self.stock(self.root)
        self.put("next", str(self.next))

    def put(self, name, text):
        with open(f"{self.shadow}/{name}", "w") as file:
            file.write(text)

    def number(self, path):
        self.next += 1
        self.put(f"id/{os.lstat(path).st_ino}", str(self.next))
        return self.next

    def stock(self, folder):
        mine, lines = self.number(folder), []
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
            if entry.is_dir(follow_symlinks=False):
                lines.append(f"d {self.stock(entry.path)} {entry.name}\n")
            elif entry.is_file(follow_symlinks=False):
                number = self.number(entry.path)
                shutil.copyfile(entry.path, f"{self.shadow}/file/{number}")
                lines.append(f"f {number} {entry.name}\n")
        self.put(f"folder/{mine}", "".join(lines))
        return mine

    # ------------------------------------------------------------ the cut
    def lasting(self, number):
        try:
            with open(f"{self.shadow}/folder/{number}") as file:
                lines = file.read().splitlines()
        except FileNotFoundError:
            return {}
        return {name: (kind, int(id_)) for kind, id_, name in (line.split(" ", 2) for line in lines)}

    def bytes_of(self, path):
        try:
            with open(path, "rb") as file:
                return file.read()
        except OSError:
            return b""

    def numbers_in(self, folder):
        """The tree as the programs left it: name to (kind, id)."""
        found = {}
        for entry in os.scandir(folder) if os.path.isdir(folder) else ():
            path = f"{self.shadow}/id/{entry.inode()}"
            if os.path.exists(path) and not entry.is_symlink() and (entry.is_dir() or entry.is_file()):
                with open(path) as file:
                    found[entry.name] = ("d" if entry.is_dir() else "f", int(file.read()))
        return found

    def come_true(self, seed=None):
        dice = random.Random(seed)
        self.cuts += 1
        before = f"{self.root}.cut-{self.cuts}"
        os.rename(self.root, before)
        now = {}  # id to its place in the tree as the programs left it
        self.places(before, now)
        with open(f"{self.shadow}/id/{os.lstat(before).st_ino}") as file:
            self.make(self.root, int(file.read()), before, now, dice if seed is not None else None)
        self.take_stock()

    def places(self, folder, now):
        for name, (kind, number) in self.numbers_in(folder).items():
            now[number] = f"{folder}/{name}"
            if kind == "d":
                self.places(now[number], now)

    def make(self, path, number, left, now, dice):
        os.mkdir(path)
        names = self.lasting(number)
        if dice:
            for name, what in self.numbers_in(left).items():
                if names.get(name) != what and dice.random() < 0.5:
                    names[name] = what
        for name, (kind, id_) in names.items():
            if kind == "d":
                self.make(f"{path}/{name}", id_, now.get(id_, ""), now, dice)
                continue
            content = self.bytes_of(f"{self.shadow}/file/{id_}")
            if dice and id_ in now:
                content = self.some_pages(content, self.bytes_of(now[id_]), dice)
            with open(f"{path}/{name}", "wb") as file:
                file.write(content)

    def some_pages(self, lasts, left, dice):
        if lasts == left:
            return lasts
        size = dice.choice((len(lasts), len(left)))
        pages = []
        for at in range(0, size, PAGE):
            page = (left if dice.random() < 0.5 else lasts)[at:min(at + PAGE, size)]
            pages.append(page + b"\0" * (min(PAGE, size - at) - len(page)))
        return b"".join(pages)


def main():
    if len(sys.argv) < 5 or sys.argv[3] != "--":
        print(__doc__)
        return 2
    with tempfile.TemporaryDirectory() as shadow:
        cut = PowerCut(sys.argv[1], sys.argv[2], shadow + "/shadow")
        code = subprocess.run(sys.argv[4:], env=dict(os.environ, **cut.environment())).returncode
        cut.come_true()
    return code


if __name__ == "__main__":
    sys.exit(main())
