"""The frame of every benchmark: command line, interleaved runs, rows, the table and the JSON report.

A benchmark is a file bench/NAME.py, run by `./dev bench NAME`:

    from bench import report

    run = report.start("tokenizer", __doc__)
    run.compare("encode_en_mbs", "MB/s", ours=lambda: ..., peer=lambda: ..., peer_name="tiktoken",
                peer_version="0.14.0", model="smollm2-135m")
    run.value("load_ms", "ms", [12.1, 12.3, 12.2], model="smollm2-135m")
    run.finish()

`ours` and `peer` each measure once and return the figure. They run in turn (ours, peer, ours, peer ...), so that a
machine that slows down slows both. `ratio` always says how many times better ours is.
"""

import argparse
import dataclasses
import datetime
import json
import os
import pathlib
import subprocess
import sys
import time

from bench import machine

REPO = pathlib.Path(__file__).resolve().parent.parent
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "stint"
MODELS = CACHE / "models"

# Units of which less is better. A rate or a share is better when it is larger; anything else must say so itself.
LOWER_IS_BETTER = {"ms", "us", "ns", "s", "MB", "KB", "bytes", "steps", "calls", "fds", "events", "nats"}
HIGHER_IS_BETTER = {"tok/s", "MB/s", "requests/s", "share", "points"}


@dataclasses.dataclass
class Row:
    """One line of a report; the fields are the contract other tools read."""

    metric: str
    model: str
    weights: str
    kernel_tier: str
    case: str
    unit: str
    value: float | None
    peer: str
    peer_version: str
    peer_value: float | None
    ratio: float | None
    runs: int
    spread: float | None


def quantile(values, share):
    """The share-quantile by linear interpolation between neighbours; values need not be sorted."""
    ordered = sorted(values)
    position = share * (len(ordered) - 1)
    low = int(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (position - low)


def median(values):
    return quantile(values, 0.5)


def spread(values):
    """(p90 - p10) / median; None where it means nothing (no runs, or a median of 0)."""
    if not values or median(values) == 0:
        return None
    return (quantile(values, 0.9) - quantile(values, 0.1)) / median(values)


def ratio(ours, peer, lower_is_better):
    """How many times better ours is; None where one of the two figures is missing or zero."""
    if not ours or not peer:
        return None
    return peer / ours if lower_is_better else ours / peer


def interleave(ours, peer, run_count, warmup_count=1):
    """Runs ours, peer, ours, peer ...; returns both lists without the warm-up runs. peer may be None."""
    our_values, peer_values = [], []
    for index in range(warmup_count + run_count):
        measured = ours()
        peer_measured = peer() if peer else None
        if index >= warmup_count:
            our_values.append(measured)
            if peer:
                peer_values.append(peer_measured)
    return our_values, peer_values


def timed(function, *arguments):
    """Seconds that one call took, and what it returned."""
    start = time.perf_counter()
    result = function(*arguments)
    return time.perf_counter() - start, result


def _is_lower_better(unit, better):
    if better:
        return better == "lower"
    if unit in LOWER_IS_BETTER:
        return True
    if unit in HIGHER_IS_BETTER:
        return False
    raise ValueError(f'unit "{unit}" is in neither list of bench/report.py; pass better="lower" or "higher"')


class Run:
    """Collects the rows of one benchmark. Not thread-safe; finish() ends it."""

    def __init__(self, bench, options, kernel_tier=""):
        self.bench = bench
        self.options = options
        self.kernel_tier = kernel_tier
        self.rows = []
        self._started = time.monotonic()

    def run_count(self, full=5, quick=3):
        return quick if self.options.quick else full

    def wants_peer(self, name):
        """False when --peer names others only."""
        return not self.options.peer or name in self.options.peer

    def note(self, text):
        """Progress for the person who waits; never part of the report."""
        print(f"  [{time.monotonic() - self._started:6.1f} s] {text}", file=sys.stderr, flush=True)

    def compare(self, metric, unit, ours, peer=None, *, peer_name="", peer_version="", model="", weights="",
                kernel_tier=None, case="", better="", runs=None, warmup=1):
        """Measures interleaved and adds a row. A peer that cannot be had: peer=None and the reason in peer_version."""
        wanted = peer if self.wants_peer(peer_name) else None
        if peer and not wanted:
            peer_version = "not asked for (--peer)"
        our_values, peer_values = interleave(ours, wanted, runs or self.run_count(), warmup)
        return self.value(metric, unit, our_values, peer_values, peer_name=peer_name, peer_version=peer_version,
                          model=model, weights=weights, kernel_tier=kernel_tier, case=case, better=better)

    def value(self, metric, unit, values, peer_values=(), *, peer_name="", peer_version="", model="", weights="",
              kernel_tier=None, case="", better=""):
        """Adds a row from figures measured elsewhere; both lists hold one figure a run, warm-up dropped."""
        ours = median(values) if values else None
        peers = median(peer_values) if peer_values else None
        # Without a peer there is nothing to rank, so an unlisted unit is no mistake.
        quotient = ratio(ours, peers, _is_lower_better(unit, better)) if peers is not None else None
        tier = self.kernel_tier if kernel_tier is None else kernel_tier
        row = Row(metric, model, weights, tier, case, unit, ours, peer_name, peer_version, peers, quotient,
                  len(values), spread(list(values)))
        self.rows.append(row)
        self.note(" ".join(_cells(row)))
        return row

    def as_json(self):
        return {
            "bench": self.bench,
            "commit": _commit(),
            "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
            "machine": machine.describe(self.kernel_tier),
            "rows": [dataclasses.asdict(row) for row in self.rows],
        }

    def finish(self):
        """Prints the table and writes the JSON file if one was asked for."""
        print(table(self.rows))
        if self.options.json:
            path = pathlib.Path(self.options.json)
            path.write_text(json.dumps(self.as_json(), indent=1) + "\n", encoding="utf-8")
            print(f"\nwritten: {path}")


_COLUMNS = ("metric", "model", "weights", "case", "value", "unit", "peer", "peer value", "times better", "runs",
            "spread")


def _figure(value):
    if value is None:
        return "-"
    if value == 0 or 0.01 <= abs(value) < 1e6:
        return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"{value:.3g}"


def _cells(row):
    peer = " ".join(part for part in (row.peer, row.peer_version) if part)
    return (row.metric, row.model, row.weights, row.case, _figure(row.value), row.unit, peer or "-",
            _figure(row.peer_value), "-" if row.ratio is None else f"{row.ratio:.2f}x", str(row.runs),
            "-" if row.spread is None else f"{100 * row.spread:.0f} %")


def table(rows):
    """The rows as a text table; columns that are empty in every row are left out."""
    cells = [_cells(row) for row in rows]
    kept = [i for i in range(len(_COLUMNS)) if any(line[i] not in ("", "-") for line in cells)]
    lines = [tuple(line[i] for i in kept) for line in [_COLUMNS, *cells]]
    widths = [max(len(line[i]) for line in lines) for i in range(len(kept))]
    text = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines]
    text.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(text)


def _commit():
    asked = subprocess.run(["git", "-C", str(REPO), "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True)
    return asked.stdout.strip() if asked.returncode == 0 else "unknown"


def parse_arguments(bench, description, arguments=None):
    """The options every benchmark has. The first paragraph of `description` becomes its help."""
    parser = argparse.ArgumentParser(prog=f"./dev bench {bench}", description=(description or "").split("\n\n")[0])
    parser.add_argument("--json", metavar="FILE", help="also write the report as JSON")
    parser.add_argument("--quick", action="store_true", help="fewer and shorter runs: finishes in two minutes")
    parser.add_argument("--data", metavar="DIR", type=pathlib.Path, default=REPO.parent / "shared" / "data",
                        help="folder of the public data sets (default: %(default)s)")
    parser.add_argument("--peer", metavar="NAME", nargs="+", default=[], help="measure only these peers")
    return parser.parse_args(arguments)


def start(bench, description, arguments=None, kernel_tier=""):
    """Parses the command line and returns the Run to collect rows in."""
    return Run(bench, parse_arguments(bench, description, arguments), kernel_tier)


def driver(name):
    """Path of a C++ benchmark driver bench_<module>_<what> of the release build; `./dev bench` builds them first."""
    path = REPO / "build" / "release" / "bench" / name
    if not path.exists():
        raise SystemExit(f"benchmark driver {name} is not built ({path}); run it through ./dev bench")
    return path


def binary():
    """Path of the stint binary that `./dev bench` has built."""
    path = REPO / "build" / "release" / "stint"
    if not path.exists():
        raise SystemExit(f"stint is not built ({path}); run this through ./dev bench")
    return path
