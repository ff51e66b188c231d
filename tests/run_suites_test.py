"""The runner itself: what it counts, and that nothing that went wrong can pass unseen."""

import sys

import pytest

from tests import run_suites
from tests.run_suites import Case

JUNIT = """<testsuites><testsuite>
<testcase classname="A" name="passes"/>
<testcase classname="A" name="fails"><failure message="1 != 2">there</failure></testcase>
<testcase classname="A" name="skips"><skipped message="no network"/></testcase>
</testsuite></testsuites>"""


@pytest.fixture(autouse=True)
def logs(tmp_path, monkeypatch):
    monkeypatch.setattr(run_suites, "LOGS", tmp_path)
    return tmp_path


def run_script(logs, script):
    """Runs a Python line as a suite whose report is logs/report.xml."""
    junit = logs / "report.xml"
    return run_suites.run_junit("suite", [sys.executable, "-c", script.format(junit=str(junit))], junit, timeout_s=20)


def test_junit_cases_keep_name_failure_and_reason_of_a_skip(logs):
    (logs / "report.xml").write_text(JUNIT)
    passed, failed, skipped = run_suites.read_junit(logs / "report.xml", "suite")
    assert passed == Case("suite: A.passes")
    assert "1 != 2" in failed.failure and "there" in failed.failure and not failed.skipped
    assert skipped.skipped and "no network" in skipped.failure


def test_a_suite_that_dies_before_its_report_is_a_failure(logs):
    (case,) = run_script(logs, "print('about to die'); raise SystemExit(3)")
    assert "exit code 3" in case.failure and "about to die" in case.failure


def test_a_suite_without_tests_is_a_failure(logs):
    (case,) = run_script(logs, "open({junit!r}, 'w').write('<testsuites/>')")
    assert "no test was executed" in case.failure


def test_a_bad_exit_code_is_a_failure_although_every_case_passed(logs):
    report = '<testsuites><testcase classname="A" name="b"/></testsuites>'
    cases = run_script(logs, "open({junit!r}, 'w').write('" + report + "'); raise SystemExit(1)")
    assert [bool(case.failure) for case in cases] == [False, True]


def test_a_suite_that_hangs_is_killed(logs):
    code, log = run_suites.run("hang", [sys.executable, "-c", "import time; time.sleep(60)"], timeout_s=0.2)
    assert code == 124 and "still running" in log.read_text()


def test_the_last_line_counts_and_any_failure_fails_the_run():
    cases = [Case("a"), Case("b", "bad"), Case("c", "skipped: x", True)]
    text, failed = run_suites.summary([("unit", 1.0, cases)], 2.0)
    assert text.splitlines()[-1] == "1 passed, 1 failed, 1 skipped" and failed
    text, failed = run_suites.summary([("unit", 1.0, [Case("a")])], 2.0)
    assert text.splitlines()[-1] == "1 passed, 0 failed" and not failed


def test_a_run_without_any_case_fails():
    assert run_suites.summary([], 0.0)[1]
