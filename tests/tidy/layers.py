"""Who may include whom: the table of ARCHITECTURE.md as data, and the one home of each third-party header."""

import re

from tests.tidy.tree import Violation

BASE = "platform/base"
OBSERVE = "platform/observe"
CONFIG = "platform/config"
JSON = "platform/json"
CRYPTO = "platform/crypto"
NET = "platform/net"
NET_TASK = "platform/net/task.h"
STAGE = [BASE, "chat", OBSERVE, CONFIG, JSON, CRYPTO, NET_TASK]
BACKEND = [BASE, "chat", NET, OBSERVE, CONFIG, JSON, CRYPTO, "backends/backend.h", "backends/event_stream.h"]
STAGES = ["stages/admit", "stages/preprocess", "stages/cache", "stages/plan", "stages/postprocess", "stages/dispatch"]
SERVE = [BASE, "chat", OBSERVE, CONFIG, JSON, CRYPTO, NET, "tokenizer", "serve/api", "serve/adapters", *STAGES,
         "backends/backend.h",
         "backends/event_stream.h"]
ANY = [""]

# Folder under src -> what its files may include besides their own folder: folders, or single headers. The longest
# folder that holds a file decides; a folder that stands nowhere here is a violation.
MAY_INCLUDE = {
    BASE: [],
    CRYPTO: [BASE],
    JSON: [BASE],
    OBSERVE: [BASE],
    CONFIG: [BASE],
    NET: [BASE, OBSERVE],
    "tokenizer": [BASE],
    "chat": [BASE],
    "engine/gguf": [BASE],
    "engine/template": [BASE],
    "engine/kernels": [BASE],
    "engine/kv": [BASE, "engine/kernels"],
    "engine/model": [BASE, "engine/gguf", "engine/kernels", "engine/kv"],
    "engine/sample": [BASE, "engine/kernels", "engine/messages.h"],
    "engine/sched": [BASE, "tokenizer", "engine/model", "engine/kv", "engine/sample", "engine/messages.h"],
    "engine": [BASE, "tokenizer", "engine"],
    "backends": [BASE, "chat", NET],
    "backends/local": [*BACKEND, "engine", "tokenizer"],
    "stages/admit": STAGE,
    "stages/preprocess": [*STAGE, "tokenizer"],
    "stages/cache": STAGE,
    "stages/postprocess": STAGE,
    "stages/plan": [BASE, "chat", CONFIG],
    "stages/dispatch": [BASE, "chat", OBSERVE, CONFIG, NET_TASK, "stages/plan", "backends/backend.h",
                        "backends/event_stream.h"],
    "serve/api": [BASE, "chat", JSON, NET],
    "serve": SERVE,
    "serve/adapters": [*SERVE, "serve"],
    "serve/admin": [*SERVE, "serve"],
    "app": ANY,
    "cli": ANY,
    "": ["cli", "app", BASE],
}

# Single files that may include more than their folder.
EXCEPTIONS = {
    "chat/ports.h": [NET_TASK],
}

# Nobody includes these but the files named.
INCLUDED_BY_NOBODY_BUT = {"app": ("cli/", "app/", "main.cpp"), "cli": ("cli/", "main.cpp")}

# Third-party header -> where it may be included. The first pattern that matches decides.
THIRD_PARTY_HOMES = [
    (r"simdjson\.h", [JSON + "/"]),
    (r"yaml-cpp/", [CONFIG + "/"]),
    (r"openssl/(ssl|x509.*|err|tls1|pem|bio)\.h", [NET + "/"]),
    (r"openssl/", [CRYPTO + "/"]),
    (r"spdlog/", [OBSERVE + "/log.cpp"]),
    (r"xxhash\.h", [BASE + "/hash"]),
    (r"utf8proc\.h", ["tokenizer/", "stages/preprocess/"]),
    (r"CLI/", ["cli/"]),
    (r"mimalloc", ["main.cpp"]),
    (r"immintrin\.h|x86intrin\.h|arm_neon\.h|cpuid\.h", ["engine/kernels/"]),
    (r"sys/(socket|un|epoll)\.h|netinet/|arpa/|netdb\.h", [NET + "/"]),
]


def room_of(path):
    """The longest folder of MAY_INCLUDE that holds `path` (relative to src); None if there is none."""
    folder = path.rsplit("/", 1)[0] if "/" in path else ""
    while folder not in MAY_INCLUDE:
        if not folder:
            return None
        folder = folder.rsplit("/", 1)[0] if "/" in folder else ""
    if folder == "" and "/" in path:
        return None
    return folder


def _allows(allowed, header):
    return allowed == "" or header == allowed or header.startswith(allowed + "/")


def _may_include(path, room, header):
    if room_of(header) == room:
        return True
    owner = INCLUDED_BY_NOBODY_BUT.get(room_of(header))
    if owner:
        return path.startswith(owner)
    return any(_allows(allowed, header) for allowed in MAY_INCLUDE[room] + EXCEPTIONS.get(path, []))


def layers(tree):
    """Every include of a file of ours is one that its room may make."""
    violations = []
    for source in tree.cpp("src/"):
        path = source.path.removeprefix("src/")
        room = room_of(path)
        if room is None:
            violations.append(Violation(source.path, 1, "layers", "this folder is not in the table of "
                                        "tests/tidy/layers.py: put the file into a room that exists"))
            continue
        for line, header, quoted in source.includes:
            if not quoted:
                continue
            if "src/" + header not in tree:
                violations.append(Violation(source.path, line, "layers", f'"{header}" is not a file under src: '
                                            'write the path relative to src, third-party headers in <>'))
            elif not _may_include(path, room, header):
                violations.append(Violation(source.path, line, "layers", f'{room or "src"} may not include "{header}": '
                                            "pass what is needed through an interface of a lower layer"))
    return violations


def third_party(tree):
    """A third-party header has one home; others use what that home offers."""
    violations = []
    for source in tree.cpp("src/"):
        path = source.path.removeprefix("src/")
        for line, header, _ in source.includes:
            homes = next((homes for pattern, homes in THIRD_PARTY_HOMES if re.match(pattern, header)), None)
            if homes is not None and not path.startswith(tuple(homes)):
                violations.append(Violation(source.path, line, "third-party", f"<{header}> may be included in "
                                            f"{' or '.join(homes)} only: use the interface that stands there"))
    return violations


RULES = [layers, third_party]
