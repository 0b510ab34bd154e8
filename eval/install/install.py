"""Installs what `cargo xtask dist` made as a user does, into bare Debian roots and into images, and measures it.

Each way starts from nothing: the package and the tarball in a root of mmdebstrap, the package also in one that systemd has
booted, the images in podman with a read-only root, without capabilities and not as root. Times are from the start of the installation, models come from a mirror on
the same machine. A way that cannot be tried here is "not run", with the reason; one that fails ends the script with 1.
"""

import argparse
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

BASE = "localhost/quartet-base"
PICTURE = "docs/screenshots/speech.png"
SEEN = "quartet"
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
LIMIT = 600
SETTINGS = "/etc/quartet/quartet.toml"


class NotRun(Exception):
    """A reason why something cannot be tried on this machine."""


def run(*command, **more):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **more)
    if done.returncode:
        said = (done.stdout + done.stderr)[-1500:]
        raise RuntimeError(f"{' '.join(map(str, command))} ends with {done.returncode}: {said}")
    return done.stdout.strip()


def size(folder):
    return sum(file.lstat().st_size for file in Path(folder).rglob("*") if file.is_file() and not file.is_symlink())


def ask(port, path, body=None, kind="application/json", seconds=60):
    head = {"content-type": kind} if body else {}
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", body, head)
    with urllib.request.urlopen(request, timeout=seconds) as answer:
        return answer.read()


def form(picture):
    begin = b'--part\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n'
    begin += b"content-type: image/png\r\n\r\n"
    return begin + picture.read_bytes() + b"\r\n--part--\r\n"


def speech(port):
    sound = ask(port, "/api/v1/tts/stream", b'{"text": "Good morning, this is the first sentence."}')
    return sound[:4] == b"RIFF" and len(sound) > 50_000


def picture(port):
    text = ask(port, "/api/v1/image/extract-text", form(Path(PICTURE)), "multipart/form-data; boundary=part")
    return SEEN in text.decode().lower()


def model(port):
    answer = json.loads(ask(port, "/api/v1/chat", b'{"message": "Why is the sky blue?"}'))["data"]
    return answer["model"] if answer["origin"] == "model" else None


def patiently(port, wanted=None):
    """The model that answers. One that was just loaded first reads its examples, which may take a slow machine minutes. A
    smaller one answers until the one that is wanted is loaded."""
    end = time.time() + LIMIT
    used = None
    while time.time() < end:
        try:
            used = model(port) or used
            if used and wanted in (None, used):
                return used
        except OSError:
            pass
        time.sleep(2)
    if used:
        return used
    raise RuntimeError("no language model answers")


def complete(port):
    ready = json.loads(ask(port, "/readyz"))
    return not ready.get("missingModels") and not ready.get("comingModels")


STEPS = {"speech": speech, "picture": picture, "model": model, "complete": complete}


def first(port, begin, alive):
    """Seconds from `begin` until each step succeeds for the first time; all are asked beside each other."""
    times = {}

    def until(name, step):
        while time.time() - begin < LIMIT and alive():
            try:
                if step(port):
                    times[name] = time.time() - begin
                    return
            except (OSError, http.client.HTTPException, ValueError, KeyError):
                pass
            # Within 100 requests a minute.
            time.sleep(0.5 if name == "speech" else 2)

    threads = [threading.Thread(target=until, args=step) for step in STEPS.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    missing = [name for name in STEPS if name not in times]
    if missing:
        raise RuntimeError(f"not within {LIMIT} s: {', '.join(missing)}")
    return times


class Root:
    """A bare root, with the mirror of models bound into it."""

    def __init__(self, options, name):
        self.folder = options.work / name
        self.options = options
        self.service = None
        self.folder.mkdir()
        run("tar", "--extract", "--file", options.base, "--directory", self.folder)
        for file in ("etc/resolv.conf", "etc/hosts"):
            shutil.copy(f"/{file}", self.folder / file)
        (self.folder / "mirror").mkdir()
        run("mount", "--bind", "-o", "ro", options.mirror, self.folder / "mirror")
        run("mount", "-t", "proc", "proc", self.folder / "proc")
        run("mount", "--rbind", "/dev", self.folder / "dev")
        run("mount", "--make-rslave", self.folder / "dev")

    def run(self, *command):
        variables = {"PATH": PATH, "DEBIAN_FRONTEND": "noninteractive", "HOME": "/root"}
        return run("chroot", self.folder, *command, env=variables)

    def start(self, program, *flags, user="quartet"):
        log = (self.folder / "service.log").open("a")
        command = ["chroot", f"--userspec={user}", self.folder, program, "serve", *flags]
        command += ["--listen", f"127.0.0.1:{self.options.port}", "--models-mirror", "/mirror"]
        self.service = subprocess.Popen(command, stdout=log, stderr=log, env={"PATH": PATH, "HOME": "/home/user"})
        return self.service

    def alive(self):
        return self.service.poll() is None

    def stop(self):
        self.service.send_signal(signal.SIGTERM)
        code = self.service.wait(60)
        if code:
            raise RuntimeError(f"SIGTERM ends the service with {code}")

    def close(self):
        if self.service and self.alive():
            self.service.kill()
            self.service.wait()
        for inside in ("dev", "proc", "mirror"):
            subprocess.run(["umount", "--recursive", "--lazy", self.folder / inside], check=False)
        shutil.rmtree(self.folder, ignore_errors=True)


def package(options):
    root = Root(options, "package")
    try:
        begin = time.time()
        shutil.copy(options.deb, root.folder / "tmp")
        root.run("apt-get", "update")
        root.run("apt-get", "install", "--yes", "--no-install-recommends", f"/tmp/{options.deb.name}")
        installed = time.time() - begin
        root.start("/usr/bin/quartet", "--config", SETTINGS)
        times = first(options.port, begin, root.alive)
        fetched = size(root.folder / "var/lib/quartet/models")
        upgraded = upgrade(options, root, fetched)
        options.model = patiently(options.port)
        root.stop()
        # What a default service keeps is what the image with models gets.
        shutil.copytree(root.folder / "var/lib/quartet/models", options.work / "models", copy_function=os.link)
        return {"size": options.deb.stat().st_size, "installed": installed, "fetched": fetched, **times}, upgraded
    finally:
        root.close()


def upgrade(options, root, before):
    """The package under the next version's name, installed over the one that answers requests."""
    settings = root.folder / SETTINGS[1:]
    settings.write_text(settings.read_text() + "\nrequests_per_minute = 5000\n")
    parts = options.work / "next"
    run("dpkg-deb", "--raw-extract", options.next, parts)
    control = parts / "DEBIAN/control"
    control.write_text(re.sub(r"^Version: (.*)$", r"Version: \1+next", control.read_text(), flags=re.M))
    # Another chat, and the same speech if it is the same package.
    components = "usr/share/quartet/components"
    another(parts / components / "chat.wasm", parts / components / "chat.wasm", b"next")
    run("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", parts, root.folder / "tmp/next.deb")
    shutil.rmtree(parts)
    root.stop()
    root.start("/usr/bin/quartet", "--config", SETTINGS)
    wait(options.port, root.alive)
    for name in ("tts", "chat"):
        another(root.folder / components / f"{name}.wasm", root.folder / f"tmp/{name}.wasm", b"swapped")
        root.run("/usr/bin/quartet", "swap", "--config", SETTINGS, name, f"/tmp/{name}.wasm")
    swapped = versions(options.port)
    counts, over = {"answered": 0, "failed": 0}, threading.Event()

    def keep_asking():
        while not over.is_set():
            try:
                counts["answered" if speech(options.port) else "failed"] += 1
            # A response that was cut off is no error of the system.
            except (OSError, http.client.HTTPException) as error:
                counts["failed"] += 1
                counts["why"] = str(error)

    clients = [threading.Thread(target=keep_asking) for _ in range(2)]
    for client in clients:
        client.start()
    root.run("dpkg", "--install", "/tmp/next.deb")
    time.sleep(3)
    over.set()
    for client in clients:
        client.join()
    root.stop()
    began = time.time()
    root.start("/usr/bin/quartet", "--config", SETTINGS)
    wait(options.port, root.alive)
    back = time.time() - began
    version = root.run("dpkg-query", "--show", "--showformat", "${Version}", "quartet")
    kept = "requests_per_minute = 5000" in settings.read_text()
    if not version.endswith("+next") or not kept or counts["failed"] or not complete(options.port):
        raise RuntimeError(f"upgrade: version {version}, settings kept: {kept}, {counts}")
    after = versions(options.port)
    same = options.next == options.deb
    if same and after["tts"] != swapped["tts"] or after["chat"] == swapped["chat"]:
        raise RuntimeError(f"upgrade: {swapped} were swapped in, {after} serve")
    if not patiently(options.port) or size(root.folder / "var/lib/quartet/models") != before:
        raise RuntimeError("upgrade: the models are others than before, or not used")
    return {**counts, "back": back, "version": version}


class Booted:
    """A root that systemd has booted, with the network of this machine."""

    def __init__(self, options):
        if not shutil.which("systemd-nspawn"):
            raise NotRun("there is no systemd-nspawn")
        if not shutil.which("mmdebstrap"):
            raise NotRun("there is no mmdebstrap")
        self.folder = (options.work / "booted").resolve()
        run("mmdebstrap", "--variant=minbase", "--include=systemd,systemd-sysv,dbus", "bookworm", self.folder)
        for file in ("etc/resolv.conf", "etc/hosts"):
            shutil.copy(f"/{file}", self.folder / file)
        # nspawn's own filter of system calls does not know Landlock, by which the language model's engine confines itself.
        variables = {**os.environ, "SYSTEMD_SECCOMP": "0"}
        command = ["systemd-nspawn", "--directory", self.folder, "--boot", "--register=no", "--keep-unit"]
        command += [f"--bind-ro={options.mirror.resolve()}:/mirror", "--console=pipe"]
        log = (options.work / "booted.log").open("w")
        self.nspawn = subprocess.Popen(command, env=variables, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                       start_new_session=True)
        end = time.time() + 60
        while time.time() < end:
            self.first = self.find_first()
            state = self.first and subprocess.run(["nsenter", "--target", self.first, "--all", "systemctl",
                                                   "is-system-running"], capture_output=True, text=True).stdout.strip()
            if state in ("running", "degraded"):
                return
            time.sleep(0.5)
        reason = (options.work / "booted.log").read_text().strip().splitlines()
        self.close()
        raise NotRun(f"systemd does not boot here: {reason[-1] if reason else 'it says nothing'}")

    def find_first(self):
        """The process that is the first one inside."""
        for process in Path("/proc").glob("[0-9]*"):
            try:
                status = (process / "status").read_text()
                ids = re.search(r"^NSpid:\s+(.*)$", status, re.M)[1].split()
                if ids[-1] == "1" and re.search(rf"^PPid:\s+{self.nspawn.pid}$", status, re.M):
                    return process.name
            except (OSError, TypeError):
                continue
        return None

    def run(self, *command):
        variables = {"PATH": PATH, "DEBIAN_FRONTEND": "noninteractive", "HOME": "/root"}
        return run("nsenter", "--target", self.first, "--all", *command, env=variables)

    def property(self, name):
        return self.run("systemctl", "show", "quartet", "--property", name, "--value")

    def alive(self):
        return self.property("ActiveState") not in ("inactive", "failed")

    def close(self):
        if self.nspawn.poll() is None:
            self.nspawn.terminate()
            try:
                self.nspawn.wait(30)
            except subprocess.TimeoutExpired:
                self.nspawn.kill()
                self.nspawn.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def booted(options):
    """The package where systemd runs: it starts the service, holds it in the unit's limits, and starts it again."""
    root = Booted(options)
    try:
        override = root.folder / "etc/systemd/system/quartet.service.d/override.conf"
        override.parent.mkdir(parents=True)
        override.write_text(f"[Service]\nEnvironment=QUARTET_LISTEN=127.0.0.1:{options.port}\n"
                            "Environment=QUARTET_MODELS_MIRROR=/mirror\n")
        begin = time.time()
        shutil.copy(options.deb, root.folder / "srv")
        root.run("apt-get", "update")
        root.run("apt-get", "install", "--yes", "--no-install-recommends", f"/srv/{options.deb.name}")
        installed = time.time() - begin
        times = first(options.port, begin, root.alive)
        fetched = size(root.folder / "var/lib/quartet/models")
        used = patiently(options.port, options.model)
        journal = root.run("journalctl", "--unit=quartet", "--output=cat", "--no-pager")
        for trouble in ("is not confined", "Error in cpuinfo"):
            if trouble in journal:
                raise RuntimeError(f"systemd: the journal has: {trouble}")
        if options.model and used != options.model:
            raise RuntimeError(f"systemd: {used} answers, and outside of its unit {options.model}")
        root.run("systemctl", "kill", "--signal=SIGKILL", "--kill-whom=main", "quartet")
        wait(options.port, root.alive)
        if root.property("NRestarts") != "1":
            raise RuntimeError("systemd: the service was killed, and not started again")
        root.run("systemctl", "stop", "quartet")
        if root.property("Result") != "success":
            raise RuntimeError(f"systemd: stopped with {root.property('Result')}")
        exposure = root.run("systemd-analyze", "security", "--no-pager", "quartet").splitlines()[-1].strip(" →")
        print(f"install: systemd: {used} answers; killed and started again, stopped; {exposure}", flush=True)
        root.run("apt-get", "purge", "--yes", "quartet")
        left = [folder for folder in ("var/lib/quartet", "var/cache/quartet", "etc/quartet")
                if (root.folder / folder).exists()]
        if left:
            raise RuntimeError(f"systemd: after the purge there are still {', '.join(left)}")
        return {"size": options.deb.stat().st_size, "installed": installed, "fetched": fetched, **times}
    except Exception:
        journal = subprocess.run(["nsenter", "--target", root.first, "--all", "journalctl", "--unit=quartet",
                                  "--output=cat", "--no-pager"], capture_output=True, text=True)
        sys.stderr.write(journal.stdout[-3000:])
        raise
    finally:
        root.close()


def another(component, copy, name):
    """A copy of a component that is another version: with one more section, which means nothing to a host."""
    section = bytes([len(name)]) + name
    copy.write_bytes(component.read_bytes() + bytes([0, len(section)]) + section)


def versions(port):
    """The versions that serve, by the header of an answer."""
    found = {}
    for name, path in (("tts", "tts/languages"), ("chat", "chat/info")):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/{path}", timeout=60) as answer:
            found[name] = answer.headers["x-quartet-component"]
    return found


def wait(port, alive, seconds=60):
    end = time.time() + seconds
    while time.time() < end and alive():
        try:
            if speech(port):
                return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("the service does not speak")


def tarball(options):
    root = Root(options, "tarball")
    try:
        begin = time.time()
        home = root.folder / "home/user"
        home.mkdir(parents=True)
        run("tar", "--extract", "--file", options.tarball, "--directory", home)
        run("chown", "--recursive", "1000:1000", home)
        installed = time.time() - begin
        name = options.tarball.name.removesuffix(".tar.gz")
        root.start(f"/home/user/{name}/bin/quartet", user="1000:1000")
        times = first(options.port, begin, root.alive)
        fetched = size(home / ".local/share/quartet/models")
        root.stop()
        return {"size": options.tarball.stat().st_size, "installed": installed, "fetched": fetched, **times}
    finally:
        root.close()


class Podman:
    """Podman with a store of its own, where containers run at all."""

    # No more than what the caller may have: not every root may raise it.
    LIMITS = ("--ulimit=nofile=10000:10000", "--ulimit=nproc=10000:10000")

    def __init__(self, options):
        if not shutil.which("podman"):
            raise NotRun("there is no podman")
        self.store = options.work / "store"
        run("podman", "--version")
        self.common = ["podman", f"--root={self.store}", f"--runroot={options.work / 'podman'}"]
        self.common += ["--cgroup-manager=cgroupfs"]
        self(*["import", options.base, BASE])
        for runtime in ("crun", "runc"):
            self.runtime = runtime
            try:
                self("run", "--rm", "--network=host", *self.LIMITS, BASE, "/bin/true")
                return
            except RuntimeError as error:
                reason = str(error).splitlines()[-1]
        raise NotRun(f"containers do not run here: {reason}")

    def __call__(self, *command):
        runtime = [f"--runtime={shutil.which(self.runtime)}"] if hasattr(self, "runtime") else []
        return run(*self.common, *runtime, *command)


def image(options, podman, name, base, containerfile, context, argument, flags, fetched):
    begin = time.time()
    podman("build", "--format=docker", "--network=host", f"--build-arg={argument}={base}", *podman.LIMITS,
           f"--file={containerfile}", f"--tag={name}", context)
    built = time.time() - begin
    bytes_ = int(podman("image", "inspect", "--format={{.Size}}", name))
    begin = time.time()
    container = podman("run", "--detach", "--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges",
                       "--network=host", *podman.LIMITS, f"--env=QUARTET_LISTEN=127.0.0.1:{options.port}",
                       *flags, name)
    state = lambda field: podman("inspect", f"--format={{{{.{field}}}}}", container)
    try:
        times = first(options.port, begin, lambda: state("State.Running") == "true")
        process = Path(f"/proc/{state('State.Pid')}/status").read_text()
        user = re.search(r"^Uid:\s+(\d+)", process, re.M)[1]
        capabilities = re.search(r"^CapEff:\s+(\w+)", process, re.M)[1]
        podman("healthcheck", "run", container)
        print(f"install: {name}: healthy, user {user}, capabilities {capabilities}, read-only root", flush=True)
        podman("stop", "--time=45", container)
        code = state("State.ExitCode")
        if user == "0" or int(capabilities, 16) or code != "0":
            raise RuntimeError(f"{name}: user {user}, capabilities {capabilities}, SIGTERM ends it with {code}")
        return {"size": bytes_, "installed": built, **times, "fetched": fetched}
    except Exception:
        logs = subprocess.run([*podman.common, "logs", container], capture_output=True, text=True)
        sys.stderr.write(logs.stderr[-2000:])
        raise
    finally:
        podman("rm", "--force", "--volumes", container)


def table(rows):
    heads = "Size | Installed | First sentence | First picture | First answer of the model | All models | Fetched"
    lines = [f"| | {heads} |", "|---|---|---|---|---|---|---|---|"]
    seconds = lambda value: f"{value:.0f} s" if value >= 10 else f"{value:.1f} s"
    for name, row in rows.items():
        if isinstance(row, str):
            lines.append(f"| {name} | not run: {row} |" + " |" * 6)
            continue
        times = " | ".join(seconds(row[step]) for step in ("installed", *STEPS))
        fetched = row["fetched"] if isinstance(row["fetched"], str) else f"{row['fetched'] / 1e9:.2f} GB"
        lines.append(f"| {name} | {row['size'] / 1e6:.0f} MB | {times} | {fetched} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dist", type=Path, required=True, help="folder of `cargo xtask dist`")
    parser.add_argument("--mirror", type=Path, required=True, help="folder of models, by name or SHA-256")
    parser.add_argument("--work", type=Path, required=True, help="folder for roots and images; emptied")
    parser.add_argument("--base", type=Path, help="a root of Debian 12 as a tar file, instead of mmdebstrap's")
    parser.add_argument("--next", type=Path, help="the package to upgrade to, instead of the same one")
    parser.add_argument("--only", choices=["systemd"], help="one way by itself")
    parser.add_argument("--port", type=int, default=9200)
    parser.add_argument("--page", type=Path, help="documentation that the table is written into")
    options = parser.parse_args()
    if os.geteuid():
        print("install: not run: roots and containers need root")
        return
    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    options.deb, options.tarball = next(options.dist.glob("*.deb")), next(options.dist.glob("*-linux.tar.gz"))
    options.next = options.next or options.deb
    if not options.base:
        if not shutil.which("mmdebstrap"):
            print("install: not run: there is no mmdebstrap")
            return
        options.base = options.work / "base.tar"
        run("mmdebstrap", "--variant=minbase", "bookworm", options.base)
    rows = {}
    if options.only == "systemd":
        options.model = None
        rows["Debian package, systemd"] = booted(options)
        print(table(rows))
        return
    rows["Debian package"], upgraded = package(options)
    print(f"install: upgrade to {upgraded['version']}: {upgraded['answered']} requests answered meanwhile, "
          f"{upgraded['failed']} failed; the new one spoke {upgraded['back']:.1f} s after its start", flush=True)
    try:
        rows["Debian package, systemd"] = booted(options)
    except NotRun as reason:
        rows["Debian package, systemd"] = str(reason)
    rows["Tarball"] = tarball(options)
    print(table(rows), flush=True)
    names = ("Image", "Image with models")
    podman = None
    try:
        podman = Podman(options)
        print(f"install: containers run by {podman.runtime}", flush=True)
        mirror = ("--env=QUARTET_MODELS_MIRROR=/mirror", f"--volume={options.mirror.resolve()}:/mirror:ro")
        rows[names[0]] = image(options, podman, "localhost/quartet", BASE, "deploy/Containerfile.package",
                               options.dist, "BASE", mirror, "not weighed")
        rows[names[1]] = image(options, podman, "localhost/quartet-models", "localhost/quartet",
                               "deploy/Containerfile.models", options.work / "models", "IMAGE", (), "nothing")
    except NotRun as reason:
        rows.update({name: str(reason) for name in names if name not in rows})
    print(table(rows))
    if options.page:
        text = options.page.read_text()
        mark = "<!-- installed -->"
        before, _, after = text.split(mark)
        options.page.write_text(f"{before}{mark}\n{table(rows)}\n{mark}{after}")
    # The folders of podman's store are mounts while it is in use.
    if podman and (options.work / "store").exists():
        subprocess.run([*podman.common, "system", "reset", "--force"], capture_output=True, check=False)
    shutil.rmtree(options.work, ignore_errors=True)


if __name__ == "__main__":
    main()
