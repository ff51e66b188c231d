"""What the rules look at: the committed files, and C++ text with comments and strings told apart from code.

A rule is a function Tree -> list of Violation. Nothing here knows any rule.
"""

import dataclasses
import functools
import pathlib
import re
import subprocess

REPO = pathlib.Path(__file__).resolve().parent.parent.parent


@dataclasses.dataclass(frozen=True, order=True)
class Violation:
    """One broken rule: where, which, and what to do instead."""

    path: str
    line: int
    rule: str
    advice: str

    def __str__(self):
        return f"{self.path}:{self.line}: [{self.rule}] {self.advice}"


# One token of C++ that can hide braces and words: comment, raw string, string, character (not a digit separator).
_HIDING = re.compile(
    r'//(?:[^\n\\]|\\.)*|/\*.*?\*/|R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)"|"(?:[^"\\\n]|\\.)*"'
    r"|(?<![0-9A-Fa-f])'(?:[^'\\\n]|\\.)*'",
    re.DOTALL,
)


def _blank(text):
    return re.sub(r"[^\n]", " ", text)


class Source:
    """One text file. `code`: comments and strings blanked; `comments`: all else blanked; same line numbers."""

    def __init__(self, path, text):
        self.path = path
        self.text = text
        self.lines = text.splitlines()

    @property
    def is_cpp(self):
        return self.path.endswith((".cpp", ".h"))

    @functools.cached_property
    def code(self):
        return _HIDING.sub(lambda match: _blank(match.group()), self.text)

    @functools.cached_property
    def comments(self):
        kept, position = [], 0
        for match in _HIDING.finditer(self.text):
            kept.append(_blank(self.text[position:match.start()]))
            kept.append(match.group() if match.group().startswith("/") else _blank(match.group()))
            position = match.end()
        return "".join(kept) + _blank(self.text[position:])

    @functools.cached_property
    def includes(self):
        """[(line, header, is_quoted)]; commented-out includes do not count."""
        found = []
        for number, (line, code) in enumerate(zip(self.lines, self.code.splitlines()), 1):
            match = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
            if match and code.lstrip().startswith("#"):
                found.append((number, match[2], match[1] == '"'))
        return found

    def matches(self, pattern, text=None):
        """(line number, match) for every match of a regular expression in the code, or in another text of this file."""
        text = self.code if text is None else text
        for match in re.finditer(pattern, text):
            yield text.count("\n", 0, match.start()) + 1, match


class Tree:
    """The files of the repository, or those a test makes up: {path: text}."""

    def __init__(self, files):
        self.sources = {path: Source(path, text) for path, text in sorted(files.items())}

    @classmethod
    def of_repository(cls, root=REPO):
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root,
                                capture_output=True, check=True).stdout.decode()
        files = {}
        for path in filter(None, listed.split("\0")):
            full = root / path
            if not full.is_file():
                continue
            content = full.read_bytes()
            if b"\0" not in content:
                files[path] = content.decode("utf-8", errors="replace")
        return cls(files)

    def __contains__(self, path):
        return path in self.sources

    def cpp(self, *folders):
        """C++ sources under any of the folders ("src/", "tests/"); all of them without folders."""
        return [s for s in self.sources.values() if s.is_cpp and (not folders or s.path.startswith(folders))]

    def ending(self, *suffixes):
        return [s for s in self.sources.values() if s.path.endswith(suffixes)]
