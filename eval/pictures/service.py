"""The running service, asked as a client asks it."""

import time
from pathlib import Path

import requests

TIMEOUT_SECONDS = 120
SESSION = {"X-Session-Id": "pictures-of-the-measurement"}


class Service:
    """A service at an address."""

    def __init__(self, address: str) -> None:
        self.address = address

    def send(self, operation: str, path: Path, **fields: str) -> requests.Response:
        """The answer to a picture, whatever it is."""
        with path.open("rb") as file:
            form = {"image": (path.name, file)}
            return requests.post(f"{self.address}/api/v1/image/{operation}", files=form, data=fields, headers=SESSION, timeout=TIMEOUT_SECONDS)

    def ask(self, operation: str, path: Path, **fields: str) -> dict:
        """The data of the answer, which must be a good one."""
        answer = self.send(operation, path, **fields)
        if answer.status_code != 200:
            raise SystemExit(f"{operation} {path.name}: {answer.status_code} {answer.text}")
        return answer.json()["data"]

    def chat(self, image: str, message: str) -> dict:
        """An answer about a picture."""
        url = f"{self.address}/api/v1/image/chat"
        question = {"message": message, "imageId": image}
        return requests.post(url, json=question, headers=SESSION, timeout=TIMEOUT_SECONDS).json()["data"]

    def best(self, operation: str, path: Path, times: int = 3) -> float:
        """The shortest of some times, in seconds."""
        found = []
        for _ in range(times):
            began = time.perf_counter()
            self.ask(operation, path)
            found.append(time.perf_counter() - began)
        return min(found)
