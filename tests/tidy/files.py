"""Each file's place in the tree: headers introduce themselves and are used, sources have their test in the mirror."""

import re

from tests.tidy.tree import Violation

HEAD_LINES_MIN = 2
HEAD_LINES_MAX = 8

# A .cpp without logic of its own, or one whose logic is tested elsewhere: path -> the reason.
UNTESTED = {
    "src/main.cpp": "hands its arguments to cli; tests/flow runs it",
}


def pragma_once(tree):
    """Every header guards itself with #pragma once, after its head comment."""
    return [Violation(source.path, 1, "pragma-once", "put #pragma once after the head comment")
            for source in tree.cpp() if source.path.endswith(".h")
            and not re.search(r"^#pragma once$", source.code, re.MULTILINE)]


def head_comment(tree):
    """A header opens with role, thread-safety, ownership and limits."""
    violations = []
    for source in tree.cpp("src/"):
        if not source.path.endswith(".h"):
            continue
        count = 0
        while count < len(source.lines) and source.lines[count].startswith("//"):
            count += 1
        if not HEAD_LINES_MIN <= count <= HEAD_LINES_MAX:
            violations.append(Violation(source.path, 1, "head-comment", f"the head comment has {count} lines: say "
                                        f"role, thread-safety, ownership, limits in 3 to {HEAD_LINES_MAX} lines"))
    return violations


def mirrored_tests(tree):
    """src/X/y.cpp has tests/X/y_test.cpp."""
    violations = []
    for source in tree.cpp("src/"):
        if not source.path.endswith(".cpp") or source.path in UNTESTED:
            continue
        test = "tests/" + source.path.removeprefix("src/").removesuffix(".cpp") + "_test.cpp"
        if test not in tree:
            violations.append(Violation(source.path, 1, "mirrored-test", f"write {test} (or say in UNTESTED of "
                                        "tests/tidy/files.py why it has no logic of its own)"))
    return violations


def stale_exceptions(tree):
    """The lists of exceptions name files that exist and need them."""
    from tests.tidy import sizes

    violations = [Violation("tests/tidy/files.py", 1, "stale-exception", f"{path} does not exist: take it off UNTESTED")
                  for path in UNTESTED if path not in tree]
    return violations + [Violation("tests/tidy/sizes.py", 1, "stale-exception", f"{path} does not exist: take it off "
                                   "GENERATED") for path in sizes.GENERATED if path not in tree]


def dead_headers(tree):
    """Every header is included by someone other than its own .cpp and test, or has a .cpp of that name."""
    included = {header for source in tree.cpp() for _, header, _ in source.includes}
    return [Violation(source.path, 1, "dead-file", "nobody includes this header: delete it")
            for source in tree.cpp("src/", "tests/fakes/") if source.path.endswith(".h")
            and source.path.removeprefix("src/") not in included]


RULES = [pragma_once, head_comment, mirrored_tests, stale_exceptions, dead_headers]
