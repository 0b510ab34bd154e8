"""Looks for Wyoming services by the package `zeroconf`, as Home Assistant does, and waits until one comes and has gone."""

import sys

from zeroconf import ServiceBrowser, ServiceListener, Zeroconf

KIND = "_wyoming._tcp.local."
PORT = int(sys.argv[1])


class Listener(ServiceListener):
    """Tells of the service with the port."""

    def __init__(self):
        self.ours = set()

    def add_service(self, zeroconf, kind, name):
        info = zeroconf.get_service_info(kind, name, 10_000)
        if info and info.port == PORT:
            self.ours.add(name)
            print("came", name, *info.parsed_addresses(), flush=True)

    def update_service(self, zeroconf, kind, name):
        pass

    def remove_service(self, zeroconf, kind, name):
        if name in self.ours:
            print("went", name, flush=True)


with Zeroconf() as zeroconf:
    browser = ServiceBrowser(zeroconf, KIND, Listener())
    sys.stdin.read()
