"""What a benchmark ran on: the `machine` object of a report. Read from the kernel, nothing is guessed."""

import os
import pathlib
import platform

# The instruction sets that decide which kernel tier can run; others say nothing about our speed.
_ISA_FLAGS = {
    "avx2": "avx2",
    "fma": "fma",
    "f16c": "f16c",
    "avx512f": "avx512",
    "avx512_vnni": "avx512-vnni",
    "avx_vnni": "avx-vnni",
    "avx512_bf16": "avx512-bf16",
    "amx_int8": "amx-int8",
    "asimd": "neon",
    "asimddp": "neon-dotprod",
    "i8mm": "neon-i8mm",
}


def _cpuinfo_value(name):
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip()
    return ""


def isa():
    """The instruction sets of this CPU that matter to the kernels, in the order of _ISA_FLAGS."""
    flags = set((_cpuinfo_value("flags") or _cpuinfo_value("Features")).split())
    return [name for flag, name in _ISA_FLAGS.items() if flag in flags]


def describe(kernel_tier=""):
    """The machine of this process: `cores` counts those it may run on, not those that exist."""
    return {
        "cpu": _cpuinfo_value("model name") or platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "isa": isa(),
        "kernel_tier": kernel_tier,
    }


def resident_mb(pid):
    """Resident memory of a process in MB (10^6 bytes). Raises FileNotFoundError once it is gone."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024 / 1e6
    return 0.0


def cpu_seconds(pid):
    """User and system CPU time that a process (all its threads, not its children) has used so far."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
