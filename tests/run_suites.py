"""Everything CI checks, phase by phase: builds, unit tests, rules of the house, flow tests, sanitizers, fuzzers.

Called by `./dev test`, which has installed what it needs and set STINT_TEST_MODEL, STINT_NODE, STINT_JOBS and
STINT_SETUP_SECONDS. Every test case of every suite is counted; a skipped one counts as failed, with its reason. The
last line is `N passed, N failed`, the exit code is 0 only when nothing failed. Logs: build/test-logs/.
"""

import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import subprocess
import sys
import time
import xml.etree.ElementTree

REPO = pathlib.Path(__file__).resolve().parent.parent
LOGS = REPO / "build" / "test-logs"
JOBS = int(os.environ.get("STINT_JOBS", "2"))

BUILD_TIMEOUT_S = 1800
UNIT_TIMEOUT_S = 300
FLOW_TIMEOUT_S = 600
FUZZ_SECONDS = 20
OUTPUT_LINES_SHOWN = 80

# Modules with threads of their own; ThreadSanitizer would find nothing in the others.
THREADED_TESTS = ["test_net", "test_sched", "test_engine", "test_backend_local"]

SANITIZER_ENVIRONMENT = {
    "ASAN_OPTIONS": "detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    "TSAN_OPTIONS": "halt_on_error=1:second_deadlock_stack=1",
    "ASAN_SYMBOLIZER_PATH": "/usr/bin/llvm-symbolizer-19",
    "TSAN_SYMBOLIZER_PATH": "/usr/bin/llvm-symbolizer-19",
}


@dataclasses.dataclass
class Case:
    """One test case that ran: its name, and why it failed (empty: passed)."""

    name: str
    failure: str = ""
    skipped: bool = False


def tail(path):
    """The last lines of a log, for a failure's text."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else []
    return "\n".join(lines[-OUTPUT_LINES_SHOWN:])


def run(name, command, timeout_s, environment=None, cwd=REPO):
    """Runs a command with its output in a log file. Returns (exit code, log path); a timeout is exit code 124."""
    log = LOGS / f"{name}.log"
    with log.open("wb") as output:
        try:
            code = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, cwd=cwd,
                                  timeout=timeout_s, env={**os.environ, **(environment or {})}).returncode
        except subprocess.TimeoutExpired:
            output.write(f"\nkilled: still running after {timeout_s} s\n".encode())
            code = 124
        except OSError as error:
            output.write(f"\ncannot run {command[0]}: {error}\n".encode())
            code = 127
    return code, log


def read_junit(path, suite):
    """The cases of a JUnit file, as GoogleTest, pytest and Node's runner write it."""
    cases = []
    for element in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        name = f"{suite}: {element.get('classname', '')}.{element.get('name', '')}"
        problems = [child for child in element if child.tag in ("failure", "error")]
        skips = [child for child in element if child.tag == "skipped"]
        if problems:
            cases.append(Case(name, "\n".join(f"{p.get('message') or ''}\n{p.text or ''}".strip() for p in problems)))
        elif skips:
            cases.append(Case(name, f"skipped: {skips[0].get('message') or 'no reason given'}", skipped=True))
        else:
            cases.append(Case(name))
    return cases


def run_junit(suite, command, junit, timeout_s, environment=None):
    """Runs a suite that writes `junit`; a crash, a timeout or a suite without cases is a failed case of its own."""
    junit.unlink(missing_ok=True)
    code, log = run(suite.replace(" ", "-").replace("/", "-"), command, timeout_s, environment)
    try:
        cases = read_junit(junit, suite)
    except (OSError, xml.etree.ElementTree.ParseError):
        return [Case(f"{suite}: ran to its end", f"exit code {code}, no report written\n{tail(log)}")]
    if not cases:
        cases.append(Case(f"{suite}: has tests", f"no test was executed\n{tail(log)}"))
    elif code != 0 and not any(case.failure for case in cases):
        cases.append(Case(f"{suite}: ends cleanly", f"exit code {code} although every case passed\n{tail(log)}"))
    return cases


def in_parallel(function, items):
    """All results of function over items, JOBS at a time, in the order of the items."""
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        return [case for cases in pool.map(function, items) for case in cases]


# --- phases ---------------------------------------------------------------------------------------------------------


def build(preset, targets):
    """Configures and builds; one case."""
    code, log = run(f"configure-{preset}", ["cmake", "--preset", preset], BUILD_TIMEOUT_S)
    if code == 0:
        command = ["ninja", "-C", f"build/{preset}", "-j", str(JOBS), *targets]
        code, log = run(f"build-{preset}", command, BUILD_TIMEOUT_S)
    return [Case(f"build {preset}", "" if code == 0 else f"exit code {code}\n{tail(log)}")]


def unit_tests(preset, pattern="test_*"):
    def one(binary):
        suite = f"{preset} {binary.name}"
        junit = LOGS / f"{preset}-{binary.name}.xml"
        return run_junit(suite, [str(binary), f"--gtest_output=xml:{junit}"], junit, UNIT_TIMEOUT_S,
                         SANITIZER_ENVIRONMENT)

    binaries = sorted(path for path in (REPO / "build" / preset / "tests").glob(pattern) if os.access(path, os.X_OK))
    if not binaries:
        return [Case(f"{preset} unit tests exist", f"build/{preset}/tests holds no {pattern}")]
    return in_parallel(one, binaries)


def threaded_tests():
    return [case for name in THREADED_TESTS for case in unit_tests("tsan", name)]


def python_tests(suite, paths, timeout_s, environment=None):
    junit = LOGS / f"{suite.replace(' ', '-')}.xml"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "-rs", f"--junitxml={junit}", *paths]
    return run_junit(suite, command, junit, timeout_s, environment)


def tidy():
    return python_tests("tidy", ["tests/tidy", "tests/bench", "tests/run_suites_test.py"], UNIT_TIMEOUT_S)


def clang_format():
    listed = subprocess.run(["git", "ls-files", "*.cpp", "*.h"], cwd=REPO, capture_output=True, text=True, check=True)
    code, log = run("format", ["clang-format-19", "--dry-run", "--Werror", *listed.stdout.split()], UNIT_TIMEOUT_S)
    return [Case("clang-format", "" if code == 0 else f"run ./dev fmt\n{tail(log)}")]


def flow(preset, paths=("tests/flow",)):
    """The whole binary over real sockets with the official clients."""
    environment = {**SANITIZER_ENVIRONMENT, "STINT_BINARY": str(REPO / "build" / preset / "stint"),
                   "STINT_PRESET": preset}
    return python_tests(f"flow {preset}", list(paths), FLOW_TIMEOUT_S, environment)


def fuzzers():
    """Every fuzzer for FUZZ_SECONDS from its committed corpus; what it finds stays in build/test-logs."""

    def one(binary):
        module, _, what = binary.name.removeprefix("fuzz_").removesuffix("_fuzz").partition("_")
        corpus = corpora.get(binary.name)
        if corpus is None or not any(corpus.iterdir()):
            return [Case(binary.name, f"no seeds: add a few small files to tests/fuzz/{module}/{what}_corpus/")]
        found = LOGS / f"{binary.name}-found"
        found.mkdir(exist_ok=True)
        command = [str(binary), f"-max_total_time={FUZZ_SECONDS}", "-timeout=10", "-rss_limit_mb=1500",
                   "-print_final_stats=1", f"-artifact_prefix={LOGS}/{binary.name}-", str(found), str(corpus)]
        code, log = run(binary.name, command, FUZZ_SECONDS + 60, SANITIZER_ENVIRONMENT)
        return [Case(binary.name, "" if code == 0 else f"exit code {code}\n{tail(log)}")]

    corpora = {}
    for source in (REPO / "tests" / "fuzz").glob("*/*_fuzz.cpp"):
        folder = source.with_name(f"{source.stem.removesuffix('_fuzz')}_corpus")
        corpora[f"fuzz_{source.parent.name}_{source.stem}"] = folder if folder.is_dir() else None
    binaries = [REPO / "build" / "asan" / "fuzz" / name for name in sorted(corpora)]
    return in_parallel(one, binaries)


# Name, function, the build phase it needs. Cheap phases that fail often come first.
PHASES = [
    ("build", lambda: build("release", ["all", "bench_drivers"]), None),
    ("unit", lambda: unit_tests("release"), "build"),
    ("tidy", tidy, None),
    ("format", clang_format, None),
    ("flow", lambda: flow("release"), "build"),
    ("build-asan", lambda: build("asan", ["all"]), None),
    ("unit-asan", lambda: unit_tests("asan"), "build-asan"),
    ("flow-asan", lambda: flow("asan"), "build-asan"),
    ("fuzz", fuzzers, "build-asan"),
    ("build-tsan", lambda: build("tsan", [*THREADED_TESTS, "stint"]), None),
    ("unit-tsan", threaded_tests, "build-tsan"),
    ("flow-tsan", lambda: flow("tsan", ["tests/flow/smoke_test.py"]), "build-tsan"),
]


def run_phases(names):
    """Runs the named phases. Returns [(name, seconds, cases)]; a phase whose build failed is a failed case."""
    done, broken = [], set()
    for name, function, needs in PHASES:
        if name not in names:
            continue
        print(f"== {name}", flush=True)
        started = time.monotonic()
        if needs in broken:
            cases = [Case(f"{name}: could run", f"phase {needs} failed")]
        else:
            cases = function()
        if name.startswith("build") and any(case.failure for case in cases):
            broken.add(name)
        for case in cases:
            if case.failure:
                print(f"-- FAILED {case.name}\n{case.failure}\n", flush=True)
        seconds = time.monotonic() - started
        failed = sum(bool(case.failure) for case in cases)
        print(f"   {len(cases) - failed} passed, {failed} failed in {seconds:.0f} s", flush=True)
        done.append((name, seconds, cases))
    return done


def summary(done, setup_seconds):
    """The closing lines; the last one is the one CI reads."""
    lines = ["", "phase         seconds  cases  failed", f"{'setup':<12} {setup_seconds:>8.0f}"]
    for name, seconds, cases in done:
        lines.append(f"{name:<12} {seconds:>8.0f} {len(cases):>6} {sum(bool(c.failure) for c in cases):>7}")
    lines.append(f"{'total':<12} {setup_seconds + sum(seconds for _, seconds, _ in done):>8.0f}")
    cases = [case for _, _, phase in done for case in phase]
    failures = [case for case in cases if case.failure]
    if failures:
        lines += ["", "failed:"] + [f"  {case.name}" for case in failures]
    skipped = sum(case.skipped for case in cases)
    last = f"{len(cases) - len(failures)} passed, {len(failures) - skipped} failed"
    lines += ["", last + (f", {skipped} skipped" if skipped else "")]
    return "\n".join(lines), bool(failures) or not cases


def main():
    parser = argparse.ArgumentParser(prog="./dev test", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("phases", nargs="*", metavar="PHASE", help="run only these phases")
    parser.add_argument("--list", action="store_true", help="print the names of the phases")
    options = parser.parse_args()
    names = [name for name, _, _ in PHASES]
    if options.list:
        print("\n".join(names))
        return 0
    unknown = set(options.phases) - set(names)
    if unknown:
        parser.error(f"no phase {', '.join(sorted(unknown))}; there are: {' '.join(names)}")
    LOGS.mkdir(parents=True, exist_ok=True)
    done = run_phases(options.phases or names)
    text, failed = summary(done, float(os.environ.get("STINT_SETUP_SECONDS", "0")))
    print(text)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
