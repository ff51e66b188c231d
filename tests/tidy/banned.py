"""Calls and constructs that must not appear, each with what to use instead."""

import dataclasses

from tests.tidy.tree import Violation


@dataclasses.dataclass(frozen=True)
class Ban:
    """`pattern` is searched in code (comments and strings blanked) of the files under `where` but not in `homes`."""

    pattern: str
    instead: str
    homes: tuple = ()
    where: tuple = ("src/", "tests/", "bench/")


SRC = ("src/",)
TESTS = ("tests/",)
CLI = ("src/cli/", "src/main.cpp")
CLOCK = "src/platform/base/clock.cpp"
RANDOM = "src/platform/base/random"
# yaml-cpp's event interface can be left early only by throwing; the header throws in a consteval function, which is
# how C++ says "does not compile"; coroutine.cpp rethrows to name an exception before it aborts; the template
# interpreter unwinds its recursion with one exception type that ChatTemplate catches at the module's door.
THROWS = ("src/platform/config/parse_yaml.cpp", "src/platform/json/fields.h", "src/platform/net/coroutine.cpp",
          "src/engine/template/")
# Tells linear from quadratic work by a bound that is hundreds of times above the former.
TIMED = ("tests/tokenizer/encoder_test.cpp",)
# The deleter of memory that is aligned for SIMD loads.
FREES = ("src/engine/kv/page_pool.cpp",)

BANS = [
    Ban(r"\bstd::w?regex\b|#\s*include\s*<regex>", "a hand-written scanner: std::regex recurses and is quadratic"),
    Ban(r"\bstd::format\b|#\s*include\s*<format>", "fmt::format: libstdc++ 12 has no <format>"),
    Ban(r"\bstd::print(ln)?\b|#\s*include\s*<print>", "fmt::print in cli/, the log elsewhere"),
    Ban(r"\.\s*(and_then|or_else)\s*\(", "an early return: libstdc++ 12 has no monadic std::expected"),
    Ban(r"\bthis_thread\s*::\s*sleep_\w+|(?<!\w)(u|nano)?sleep\s*\(", "FakeClock in tests, net::sleep_until or a "
        "condition variable with a deadline in src"),
    Ban(r"[.>]detach\s*\(\s*\)", "a thread that its owner joins"),
    Ban(r"\bstd::async\b", "a thread or worker with an owner: the future's destructor blocks"),
    Ban(r"\bstd::atomic\s*<\s*std::shared_ptr", "a posted message that swaps a shared_ptr: this type races under TSan"),
    Ban(r"(?<![\w:.>])s?rand\s*\(|\bstd::rand\b|\brandom_device\b", "base::Random passed to the constructor",
        homes=(RANDOM, "src/platform/crypto/")),
    Ban(r"\bsystem_clock\s*::\s*now\b|\bsteady_clock\s*::\s*now\b|\bhigh_resolution_clock\b|\bgettimeofday\b",
        "base::Clock passed to the constructor", homes=(CLOCK, *TIMED), where=("src/", "tests/")),
    Ban(r"(?<!\w)throw\b(?!\s*\()", "Result<T> for outside input, STINT_ASSERT for bugs",
        homes=THROWS, where=SRC),
    Ban(r"\bstd::sto(i|l|ll|ul|ull|f|d|ld)\b|(?<!\w)ato[if]\s*\(", "std::from_chars: these throw or hide errors",
        where=SRC),
    Ban(r"\bassert\s*\(|#\s*include\s*<cassert>", "STINT_ASSERT (platform/base/assert.h)", where=SRC),
    Ban(r"\b(v?f?printf|puts|putchar)\s*\(|\bstd::c(out|err|log)\b|#\s*include\s*<iostream>",
        "the log of platform/observe; only commands print",
        homes=(*CLI, "src/platform/base/assert", "src/platform/net/coroutine.cpp"), where=SRC),
    Ban(r"\b(secure_)?getenv\s*\(", "a setting: only the configuration reads the environment",
        homes=("src/app/", "src/platform/config/", *CLI), where=SRC),
    # Straight behind a parenthesis `new` is the argument of an owner whose class has a private constructor.
    Ban(r"[^(\s]\s*\bnew\s+[A-Za-z_(:]", "std::make_unique or a container", where=SRC),
    Ban(r"\bdelete\s*(\[\s*\])?\s+[\w*(]|\b(malloc|calloc|realloc|free)\s*\(", "an owner: unique_ptr or a container",
        homes=FREES, where=SRC),
    Ban(r"#\s*include\s*<boost/", "platform/net: no part of Boost is a dependency"),
    Ban(r"#\s*include\s*<nlohmann/", "platform/json; nlohmann is an oracle of its tests", where=SRC),
    Ban(r"\bstd::endl\b", r"'\n': endl flushes", where=("src/", "tests/")),
    Ban(r"\bstrcpy\b|\bstrcat\b|\bsprintf\s*\(|\bgets\s*\(|\bstrtok\b", "std::string and fmt: these overrun"),
    Ban(r"\busing\s+namespace\s+std\s*;", "names with std::"),
    Ban(r"\bGTEST_SKIP\b|\bDISABLED_\w+", "a test that runs everywhere", where=TESTS),
    Ban(r"\b(EXPECT|ASSERT)_TRUE\s*\(\s*true\s*\)|\bSUCCEED\s*\(\)", "an expectation that can fail", where=TESTS),
    Ban(r"\b(setjmp|longjmp|alloca)\s*\(|\bgoto\b", "structured control flow", where=SRC),
]


def banned_calls(tree):
    """No banned construct outside its home."""
    violations = []
    for source in tree.cpp():
        for ban in BANS:
            if not source.path.startswith(ban.where) or source.path.startswith(ban.homes or ("\0",)):
                continue
            for line, match in source.matches(ban.pattern):
                found = " ".join(match.group().split())
                violations.append(Violation(source.path, line, "banned", f"{found}: use {ban.instead}"))
    return violations


def using_in_header(tree):
    """A header never opens a namespace for everyone who includes it."""
    return [Violation(source.path, line, "using-in-header", "write the namespace in front of the name")
            for source in tree.cpp("src/") if source.path.endswith(".h")
            for line, _ in source.matches(r"\busing\s+namespace\b")]


RULES = [banned_calls, using_in_header]
