"""The emulator as a test's driver sees it: started, told of faults, asked how it is."""
import os
import socket
import subprocess
import time


class Rig:
    """One emulator in `folder`, which must be a short path (Unix sockets have 107 bytes)."""

    def __init__(self, program, folder, udp=False, keys=False, **settings):
        os.makedirs(folder, exist_ok=True)
        self.folder, self.log = folder, folder + "/rig.log"
        words = [program, "--folder", folder] + (["--udp", "0"] if udp else []) + (["--keys"] if keys else [])
        words += [f"{name}={value}" for name, value in settings.items()]
        if os.path.exists(folder + "/ready"):
            os.unlink(folder + "/ready")
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE if keys else None)
        until = time.monotonic() + 20
        while not os.path.exists(folder + "/ready"):
            if self.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError("the emulator does not start")
            time.sleep(0.01)
        with open(folder + "/ready") as file:
            self.udp_port = int(file.read().split("udp=")[1])
        self.link = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.link.settimeout(20)
        self.link.connect(folder + "/control.sock")

    def tell(self, line):
        """mark TEXT | estop | supply | contact NAME open|closed|lost | reset | stick read|write|hold|leak|slow | release [WHAT] | mute on|off |
        deaf on|off | set NAME=VALUE | status | end. Returns how it then stands."""
        self.link.send(line.encode())
        answer = self.link.recv(512).decode()
        if not answer.startswith("ok"):
            raise RuntimeError(f"the emulator does not follow '{line}': {answer}")
        return dict(word.split("=") for word in answer.split()[1:])

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait()
        if self.process.stdin:
            self.process.stdin.close()
        self.link.close()
