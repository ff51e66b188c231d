"""The documents are true and stand on their own: titles, links, no trace of one machine or registry."""

import posixpath
import re

from tests.tidy import layers
from tests.tidy.tree import Violation

REQUIRED = ("README.md", "ARCHITECTURE.md", "STYLE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md",
            "LICENSE", "THIRD_PARTY_NOTICES.md", "docs/configuration.md")

# Folders of the machine a line was written on. Spelt apart, so that this file does not break its own rule.
_MACHINE_FOLDERS = ("wo" + "rk", "ro" + "ot", "home/[a-z]{2,}")
_MACHINE_PATHS = re.compile(r"(?<![\w/.~}$-])/(?:" + "|".join(_MACHINE_FOLDERS) + r")/[\w.]")
_REGISTRY_HOSTS = re.compile("|".join(re.escape(".".join(parts)) for parts in (
    ("pypi", "org"), ("files", "pythonhosted", "org"), ("registry", "npmjs", "org"), ("npmjs", "com"),
    ("deb", "debian", "org"), ("security", "debian", "org"), ("crates", "io"), ("proxy", "golang", "org"))))

_FENCE = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def required_documents(tree):
    """The documents a newcomer looks for are there."""
    return [Violation(path, 1, "required-document", "write this document")
            for path in REQUIRED if path not in tree]


def _prose(source):
    return _FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), source.text)


def rooms_are_described(tree):
    """ARCHITECTURE.md has a row for every room that exists."""
    if "ARCHITECTURE.md" not in tree:
        return []
    rooms = {layers.room_of(source.path.removeprefix("src/")) for source in tree.cpp("src/")} - {None, ""}
    text = tree.sources["ARCHITECTURE.md"].text
    return [Violation("ARCHITECTURE.md", 1, "room", f"say in the table of modules what `{room}` knows")
            for room in sorted(rooms) if f"`{room}`" not in text]


def one_title(tree):
    """A document has one H1, on its first line."""
    violations = []
    for source in tree.ending(".md"):
        titles = [line for line, _ in source.matches(r"(?m)^# .", _prose(source))]
        if titles != [1]:
            violations.append(Violation(source.path, titles[1] if len(titles) > 1 else 1, "one-title",
                                        f"has {len(titles)} titles: start with the only one"))
    return violations


def _anchors(text):
    """The anchors a reader can link to, by the rule of GitHub's renderer."""
    found = set()
    for title in re.findall(r"(?m)^#+ (.+)$", text):
        found.add(re.sub(r"[^\w\- ]", "", title.replace("`", "")).strip().lower().replace(" ", "-"))
    return found


def links_resolve(tree):
    """Links inside the repository lead to files and titles that exist."""
    violations = []
    folders = {posixpath.dirname(path) for path in tree.sources}
    folders |= {parent for folder in list(folders) for parent in _parents(folder)}
    for source in tree.ending(".md"):
        for line, match in source.matches(_LINK, _prose(source)):
            target, _, anchor = match[1].partition("#")
            if re.match(r"[a-z]+:", match[1]):
                continue
            path = posixpath.normpath(posixpath.join(posixpath.dirname(source.path), target)) if target else source.path
            if path not in tree and path not in folders:
                violations.append(Violation(source.path, line, "link", f"{match[1]} leads nowhere"))
            elif anchor and path in tree and anchor not in _anchors(_prose(tree.sources[path])):
                violations.append(Violation(source.path, line, "link", f"{path} has no title #{anchor}"))
    return violations


def _parents(folder):
    while "/" in folder:
        folder = posixpath.dirname(folder)
        yield folder


def no_machine_traces(tree):
    """No path of somebody's machine and no registry's host name: both are true in one place only."""
    violations = []
    for source in tree.sources.values():
        for line, match in source.matches(_MACHINE_PATHS, source.text):
            violations.append(Violation(source.path, line, "machine-path", f"{match.group()}...: use a relative path, "
                                        "$HOME or a setting"))
        for line, match in source.matches(_REGISTRY_HOSTS, source.text):
            violations.append(Violation(source.path, line, "registry-host", f"{match.group()}: name the package, its "
                                        "client knows the host"))
    return violations


RULES = [required_documents, rooms_are_described, one_title, links_resolve, no_machine_traces]
