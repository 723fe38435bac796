#!/usr/bin/env python3
"""The compose files: each node is confined, limited, watched, and writes where no other node can. The Dockerfile: the image
says what it is and what it is made of, and has nothing else to run.

    compose_test.py ROOT     checks the compose files, deploy/Dockerfile and deploy/image.sh; then spoils each promise in
                             turn, and expects it to be found
"""
import copy
import pathlib
import re
import sys
import unittest

try:
    import yaml
except ImportError:
    print("SKIPPED: python3-yaml is not installed; deploy/setup.sh --with-tests installs it")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
REHEARSAL = "deploy/compose.yaml"
RIG = "deploy/rig/compose.yaml"


def compose(path):
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


def image_checks_health():
    return re.search(r"^HEALTHCHECK .*CMD", (ROOT / "deploy/Dockerfile").read_text(encoding="utf-8"), re.MULTILINE) is not None


def mounts(service):
    """(volume, target, writable) of each mount."""
    for entry in service.get("volumes", []):
        source, target, *mode = re.match(r"(\$\{.*?\}|[^:]*):([^:]*)(?::(.*))?$", entry).groups()
        yield source, target, mode != ["ro"]


def mistakes_of_service(service):
    """What one service lacks, whatever the others are."""
    user = str(service.get("user", ""))
    rotation = service.get("logging", {}).get("options", {})
    health = service.get("healthcheck", {})
    kept = {
        "a memory limit": "mem_limit" in service,
        "a limit of processes": int(service.get("pids_limit", 0)) > 0,
        "a limit of its log": {"max-size", "max-file"} <= rotation.keys(),
        "a user that is not root": re.fullmatch(r"[1-9]\d*:[1-9]\d*", user) is not None,
        "a read-only root": service.get("read_only") is True,
        "no new privileges": "no-new-privileges:true" in service.get("security_opt", []),
        "no capabilities": service.get("cap_drop") == ["ALL"] and not service.get("privileged", False),
        "a health check": image_checks_health() and not health.get("disable", False) and health.get("test") != ["NONE"],
        "writable volumes by name": all(re.fullmatch(r"[a-z][a-z-]*", source) for source, _, writable in mounts(service)
                                        if writable),
    }
    if service["command"][0] != "link":  # a link of relays records nothing
        kept["a volume for its record"] = any(target == "/results" and writable for _, target, writable in mounts(service))
    return [promise for promise, is_kept in kept.items() if not is_kept]


def mistakes(file):
    """Sentences, none if the file keeps all promises."""
    found, users, writers = [], {}, {}
    for name, service in file["services"].items():
        found += [f"{name} lacks {lack}" for lack in mistakes_of_service(service)]
        users.setdefault(service.get("user"), []).append(name)
        for source, _, writable in mounts(service):
            if writable:
                writers.setdefault(source, []).append(name)
            if source not in file["volumes"] and re.fullmatch(r"[a-z][a-z-]*", source):
                found.append(f"{name} mounts {source}, which is no volume of the file")
    found += [f"{' and '.join(names)} share the user {user}" for user, names in users.items() if len(names) > 1]
    found += [f"{' and '.join(names)} write to {volume}" for volume, names in writers.items() if len(names) > 1]
    return found


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


def instructions(dockerfile):
    """The stages, each a list of (word, rest); lines that are continued are one."""
    stages = []
    for line in re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", dockerfile, flags=re.MULTILINE)).splitlines():
        word, _, rest = " ".join(line.split()).partition(" ")
        if word == "FROM":
            stages.append([])
        if word and stages:
            stages[-1].append((word, rest))
    return stages


def project_version():
    return re.search(r"^project\(trestle VERSION ([0-9.]+)", text_of("CMakeLists.txt"), re.MULTILINE).group(1)


def mistakes_of_image(dockerfile, script):
    """What the image lacks, by the file that it is built of and the script that builds and tags it."""
    *_, root, final = instructions(dockerfile)
    labels = dict(re.findall(r'(\S+)="([^"]*)"', " ".join(rest for word, rest in final if word == "LABEL")))
    made = " ".join(rest for word, rest in root if word == "RUN")
    steps = [step.strip() for step in made.split(" && ")]
    removed = " ".join(step for step in steps if step.startswith("rm ")).split()
    users = [rest for word, rest in final if word == "USER"]
    kept = {
        "a title, a description and licences": all(labels.get(f"org.opencontainers.image.{name}")
                                                   for name in ("title", "description", "licenses")),
        "the label of its version": labels.get("org.opencontainers.image.version") == "${VERSION}",
        "the label of its revision": labels.get("org.opencontainers.image.revision") == "${REVISION}",
        # Compose names none.
        "the version where nobody names one": ("ARG", f"VERSION={project_version()}") in final,
        "the values of its labels": all(f'--build-arg "{name}=$' in script for name in ("VERSION", "REVISION")),
        "the tag of its version": '--tag "$name:$version"' in script and '--tag "$name:latest"' in script,
        "an empty last stage": final[0] == ("FROM", "scratch") and all(word != "RUN" for word, _ in final),
        "no package manager": {"/usr/bin/apt*", "/usr/bin/dpkg*", "/usr/lib/dpkg", "/usr/lib/apt"} <= set(removed),
        "no interpreter but the shell": {"/usr/bin/perl*", "/usr/lib/python3*"} <= set(removed),
        # Behind all that installs, or a later package may bring one.
        "no setuid file": steps[-1] == "find / -xdev -type f -perm /6000 -exec chmod a-s {} +",
        "a list of its packages": any(step.endswith(f"sbom.sh > {labels.get('org.trestle.sbom')}") for step in steps),
        "a user that is not root": bool(users) and re.fullmatch(r"[1-9]\d*:[1-9]\d*", users[-1]) is not None,
    }
    return [promise for promise, is_kept in kept.items() if not is_kept]


class Shipped(unittest.TestCase):
    def test_each_file_keeps_all_promises(self):
        for path in (REHEARSAL, RIG):
            self.assertEqual(mistakes(compose(path)), [], path)

    def test_a_rig_is_a_project_of_its_own(self):
        """Compose names a project after its folder; in one folder a rig's container would be an orphan of the rehearsal, and
        --remove-orphans would end it."""
        projects = [pathlib.Path(path).parent.name for path in (REHEARSAL, RIG)]
        self.assertEqual(len(set(projects)), 2, projects)

    def test_the_rig_may_do_no_more_than_its_page_says(self):
        self.assertEqual(compose(RIG)["services"]["site"]["cap_add"], ["SYS_NICE", "IPC_LOCK"])
        for name, service in compose(REHEARSAL)["services"].items():
            self.assertNotIn("cap_add", service, name)
            self.assertNotIn("network_mode", service, name)

    def test_the_image_keeps_all_promises(self):
        self.assertEqual(mistakes_of_image(text_of("deploy/Dockerfile"), text_of("deploy/image.sh")), [])

    def test_an_image_that_compose_builds_is_labelled(self):
        for name, service in compose(REHEARSAL)["services"].items():
            args = service["build"]["args"]
            self.assertEqual(args.get("REVISION"), "${TRESTLE_REVISION:-unknown}", name)
            self.assertNotIn("VERSION", args, name)  # the Dockerfile's own

    def test_the_link_is_the_files_unless_somebody_names_another(self):
        self.assertEqual(compose(REHEARSAL)["services"]["link"]["command"], ["link", "${TRESTLE_LINK:-}"])

    def test_a_secret_key_is_mounted_by_its_node_alone(self):
        services = compose(REHEARSAL)["services"]
        keys = [source for service in services.values() for source, target, _ in mounts(service) if target == "/keys"]
        self.assertEqual(len(keys), 3)
        for key in keys:
            mounted_by = [name for name, service in services.items() if key in [source for source, *_ in mounts(service)]]
            self.assertEqual(len(mounted_by), 1, f"{key} is mounted by {mounted_by}")


class Planted(unittest.TestCase):
    """Each promise, broken at one service: exactly that is found."""

    def found_after(self, spoil, service="west"):
        file = copy.deepcopy(compose(REHEARSAL))
        spoil(file["services"][service])
        return mistakes(file)

    def test_what_a_service_lacks(self):
        without = {"mem_limit": "a memory limit", "pids_limit": "a limit of processes", "logging": "a limit of its log",
                   "user": "a user that is not root", "read_only": "a read-only root", "security_opt": "no new privileges",
                   "cap_drop": "no capabilities", "volumes": "a volume for its record"}
        for key, lack in without.items():
            self.assertEqual(self.found_after(lambda service, key=key: service.pop(key)), [f"west lacks {lack}"])

    def test_what_a_service_has_too_much(self):
        for added, lack in [({"privileged": True}, "no capabilities"), ({"user": "0:0"}, "a user that is not root"),
                            ({"healthcheck": {"disable": True}}, "a health check"),
                            ({"healthcheck": {"test": ["NONE"]}}, "a health check"),
                            ({"pids_limit": -1}, "a limit of processes")]:
            self.assertEqual(self.found_after(lambda service, added=added: service.update(added)), [f"west lacks {lack}"])

    def test_what_is_not_its_own(self):
        self.assertEqual(self.found_after(lambda service: service.update(user="10003:10003")),
                         ["west and east share the user 10003:10003"])
        self.assertEqual(self.found_after(lambda service: service["volumes"].append("public-lab:/public/lab")),
                         ["integrator and west write to public-lab"])
        self.assertEqual(self.found_after(lambda service: service["volumes"].append("../:/tree")),
                         ["west lacks writable volumes by name"])
        self.assertEqual(self.found_after(lambda service: service["volumes"].append("nowhere:/else:ro")),
                         ["west mounts nowhere, which is no volume of the file"])

    def test_what_the_image_lacks(self):
        for old, new, lack in [
                ('image.title="Trestle"', 'image.title=""', "a title, a description and licences"),
                ("org.opencontainers.image.licenses", "org.trestle.licenses", "a title, a description and licences"),
                ('"${VERSION}"', '"1.0"', "the label of its version"),
                ('"${REVISION}"', '"unknown"', "the label of its revision"),
                (f"ARG VERSION={project_version()}", "ARG VERSION=unknown", "the version where nobody names one"),
                ("FROM scratch", "FROM ${BASE}", "an empty last stage"),
                ("WORKDIR /results", "RUN true\nWORKDIR /results", "an empty last stage"),
                ("/usr/bin/dpkg*", "", "no package manager"),
                ("/usr/bin/apt*", "", "no package manager"),
                ("/usr/bin/perl*", "", "no interpreter but the shell"),
                (" \\\n && find / -xdev -type f -perm /6000 -exec chmod a-s {} +", "", "no setuid file"),
                ("chmod a-s {} +", "chmod a-s {} + && apt-get install sudo", "no setuid file"),
                ("sbom.sh > /usr/share/trestle/sbom.spdx", "sbom.sh > /tmp/sbom.spdx", "a list of its packages"),
                ("USER 10001:10001", "USER 0:0", "a user that is not root"),
                ("USER 10001:10001", "", "a user that is not root")]:
            with self.subTest(old=old, new=new):
                dockerfile = text_of("deploy/Dockerfile")
                self.assertIn(old, dockerfile)
                self.assertEqual(mistakes_of_image(dockerfile.replace(old, new), text_of("deploy/image.sh")), [lack])

    def test_what_the_script_of_the_image_lacks(self):
        for old, lack in [('--build-arg "VERSION=$version" ', "the values of its labels"),
                          ('--build-arg "REVISION=$revision" ', "the values of its labels"),
                          ('--tag "$name:$version" ', "the tag of its version")]:
            script = text_of("deploy/image.sh")
            self.assertIn(old, script)
            self.assertEqual(mistakes_of_image(text_of("deploy/Dockerfile"), script.replace(old, "")), [lack])


if __name__ == "__main__":
    if len(sys.argv) > 1:
        ROOT = pathlib.Path(sys.argv.pop(1))
    unittest.main()
