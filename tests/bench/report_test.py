"""bench/report.py: the arithmetic other tools rely on."""

import json

import pytest

from bench import report


@pytest.fixture
def run(tmp_path):
    return report.start("example", "An example.", ["--quick", "--json", str(tmp_path / "report.json")], "avx2")


def test_quantiles_interpolate_between_neighbours():
    assert report.quantile([4, 1, 3, 2], 0.5) == 2.5
    assert report.quantile([7], 0.9) == 7


def test_spread_is_p90_minus_p10_over_the_median():
    values = list(range(1, 12))
    assert report.spread(values) == pytest.approx((10 - 2) / 6)
    assert report.spread([0, 0]) is None
    assert report.spread([]) is None


def test_ratio_above_one_means_we_are_better_for_times_and_for_rates():
    assert report.ratio(ours=2, peer=20, lower_is_better=True) == 10
    assert report.ratio(ours=20, peer=2, lower_is_better=False) == 10
    assert report.ratio(ours=2, peer=None, lower_is_better=True) is None


def test_runs_alternate_and_the_warm_up_is_dropped():
    order = []
    ours, peers = report.interleave(lambda: order.append("ours") or len(order),
                                    lambda: order.append("peer") or len(order), run_count=2, warmup_count=1)
    assert order == ["ours", "peer"] * 3
    assert ours == [3, 5] and peers == [4, 6]


def test_compare_fills_a_row(run):
    row = run.compare("encode_2kb_us", "us", lambda: 10.0, lambda: 50.0, peer_name="tiktoken", peer_version="0.14.0")
    assert (row.value, row.peer_value, row.ratio, row.runs, row.kernel_tier) == (10.0, 50.0, 5.0, 3, "avx2")


def test_a_missing_peer_keeps_its_row_and_says_why(run):
    row = run.compare("rps_1", "requests/s", lambda: 3.0, None, peer_name="llama.cpp", peer_version="absent: offline")
    assert row.peer_value is None and row.ratio is None and row.peer_version == "absent: offline"


def test_peers_that_were_not_asked_for_do_not_run(tmp_path):
    run = report.start("example", "", ["--peer", "tiktoken"])
    row = run.compare("encode_en_mbs", "MB/s", lambda: 1.0, lambda: pytest.fail("ran"), peer_name="quicktok")
    assert row.peer_version == "not asked for (--peer)"


def test_an_unknown_unit_must_say_which_way_is_better(run):
    with pytest.raises(ValueError, match="parsecs"):
        run.value("distance", "parsecs", [1.0], [2.0])
    assert run.value("distance", "parsecs", [1.0], [2.0], better="lower").ratio == 2.0


def test_the_json_report_has_the_fields_of_the_contract(run, tmp_path, capsys):
    run.value("load_ms", "ms", [12.0, 14.0, 13.0], model="smollm2-135m", weights="Q4_1")
    run.finish()
    written = json.loads((tmp_path / "report.json").read_text())
    assert set(written) == {"bench", "commit", "date", "machine", "rows"}
    assert set(written["machine"]) == {"cpu", "cores", "isa", "kernel_tier"}
    assert set(written["rows"][0]) == {"metric", "model", "weights", "kernel_tier", "case", "unit", "value", "peer",
                                       "peer_version", "peer_value", "ratio", "runs", "spread"}
    assert written["rows"][0]["value"] == 13.0
    assert "load_ms" in capsys.readouterr().out
