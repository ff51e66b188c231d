"""The official SDKs for Node: runs tests/flow/node/*.test.mjs against the server, one pytest case a Node test."""

import os
import pathlib
import re
import subprocess
import xml.etree.ElementTree

import pytest

NODE_TESTS = sorted((pathlib.Path(__file__).parent / "node").glob("*.test.mjs"))
TIMEOUT_S = 300


def declared_cases():
    """(file name, test name) of every test; names are literals at the start of a line, so that they can be listed."""
    return [(path.name, name) for path in NODE_TESTS
            for name in re.findall(r'^test\("([^"]+)"', path.read_text(encoding="utf-8"), re.MULTILINE)]


@pytest.fixture(scope="module")
def outcomes(_shared_stint, tmp_path_factory):
    """(file name, test name) -> failure text, "" for passed; runs each file when first asked for."""
    results = {}

    def outcome(file_name, test_name):
        if (file_name, None) not in results:
            results.update(run_node(file_name, _shared_stint, tmp_path_factory.mktemp("node") / "report.xml"))
        return results.get((file_name, test_name), f"did not run\n{results[file_name, None]}")

    return outcome


def run_node(file_name, stint, report):
    environment = {**os.environ, "STINT_BASE_URL": stint.base_url, "STINT_ADMIN_URL":
                   f"http://127.0.0.1:{stint.admin_port}"}
    ran = subprocess.run([os.environ["STINT_NODE"], "--test", "--test-reporter=junit",
                          f"--test-reporter-destination={report}", str(NODE_TESTS[0].parent / file_name)],
                         env=environment, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    results = {(file_name, None): ran.stdout + ran.stderr}
    for case in xml.etree.ElementTree.parse(report).getroot().iter("testcase"):
        failures = case.findall("failure")
        skipped = case.find("skipped") is not None
        results[file_name, case.get("name")] = "skipped" if skipped else "\n".join(
            f"{failure.get('message')}\n{failure.text}" for failure in failures)
    return results


@pytest.mark.parametrize("file_name, test_name", declared_cases())
def test_node(outcomes, stint, file_name, test_name):
    failure = outcomes(file_name, test_name)
    assert not failure, failure
