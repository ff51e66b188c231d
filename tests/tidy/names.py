"""Names that say nothing, and the notes that unfinished work leaves behind."""

import re

from tests.tidy.tree import Violation

FORBIDDEN_WORDS = ("util", "utils", "utility", "common", "helper", "helpers", "misc", "core", "lib", "manager",
                   "processor")
UNFINISHED = r"\b(TODO|FIXME|XXX|HACK)\b"
# Words of history: a comment describes what is, the log of commits tells what was.
HISTORY = r"\b(used to be|was moved|has been (re)?moved|previously|for now|as before)\b"

_SCRIPT_SUFFIXES = (".py", ".sh", ".cmake", ".mjs", ".yaml", ".yml")
_TYPE_NAME = re.compile(r"\b(?:class|struct)\s+(?:\[\[\w+\]\]\s*)?(\w+)")


def forbidden_paths(tree):
    """No file or folder has a name that could hold anything."""
    violations = []
    for path in tree.sources:
        words = re.split(r"[/._-]", path.rsplit(".", 1)[0])
        for word in set(words) & set(FORBIDDEN_WORDS):
            violations.append(Violation(path, 1, "forbidden-name", f'"{word}" says nothing: name the file or folder '
                                        "after what it does"))
    return violations


def forbidden_types(tree):
    """No type is a Manager, Helper, Util or Processor."""
    violations = []
    for source in tree.cpp():
        for line, match in source.matches(_TYPE_NAME):
            words = re.findall(r"[A-Z][a-z]+", match[1])
            if words and words[-1].lower() in FORBIDDEN_WORDS:
                violations.append(Violation(source.path, line, "forbidden-name", f"{match[1]}: name it after what it "
                                            "does (Pool, Cache, Queue, Loop, ...)"))
    return violations


def _comments(tree):
    for source in tree.sources.values():
        if source.is_cpp:
            yield source, source.comments
        elif source.path.endswith(_SCRIPT_SUFFIXES) or source.path in ("dev", ".ci/run"):
            if not source.path.startswith("tests/tidy/"):
                yield source, source.text


def unfinished(tree):
    """No note of work that is still to be done."""
    return [Violation(source.path, line, "unfinished", f"{match.group()}: do it, or file it as an issue")
            for source, text in _comments(tree) for line, match in source.matches(UNFINISHED, text)]


def history(tree):
    """Comments describe the code as it stands."""
    return [Violation(source.path, line, "history", f'"{match.group()}": say what is; the commits tell what was')
            for source, text in _comments(tree) if source.is_cpp for line, match in source.matches(HISTORY, text)]


RULES = [forbidden_paths, forbidden_types, unfinished, history]
