"""Engine: prefill and decode speed, start-up and memory of the local engine beside llama.cpp.

Both sides run the same GGUF on two threads, f16 KV, in turn. `prefill_N`: N prompt tokens, logits of the last one;
`decode_N`: N sequences of one token a step, 64 tokens after a 64-token prompt; `decode_1_ctxN`: the 64 tokens before N.
"""

import json
import subprocess

from bench import report
from bench.peers import llama_cpp

MODELS = {"smollm2-135m": ("smollm2-135m-instruct-q4_1.gguf", "Q4_1"),
          "gemma-3-270m": ("gemma-3-270m-q4_k_m.gguf", "Q4_K_M")}
THREADS = 2
DECODE_TOKENS = 64
BATCHES = (1, 4, 8, 16, 32)


class Bench:
    def __init__(self, run):
        self.run = run
        self.speed = report.driver("bench_model_speed")
        self.peer, self.absent = llama_cpp.ensure(run.note)
        command = [report.driver("bench_model_logits"), "tiers"]
        tiers = subprocess.run(command, check=True, capture_output=True, text=True)
        self.tier = tiers.stdout.split()[-1]
        run.kernel_tier = self.tier

    def ours(self, model, *what):
        command = [self.speed, model, self.tier, "f16", THREADS, *what, 1]
        answer = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout
        return [float(figure) for figure in answer.split()]

    def llama_bench(self, model, *what):
        command = [self.peer.tool("llama-bench"), "-m", model, "-t", THREADS, "-r", 1, "-o", "json", *what]
        answer = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout
        return json.loads(answer)[-1]["avg_ts"]

    def batched(self, model, sequences):
        command = [self.peer.tool("llama-batched-bench"), "-m", model, "-t", THREADS, "-c", 128 * sequences, "-npp", 64,
                   "-ntg", DECODE_TOKENS, "-npl", sequences, "--output-format", "jsonl"]
        answer = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout
        return json.loads([line for line in answer.splitlines() if line.startswith("{")][-1])["speed_tg"]

    def speed_row(self, metric, name, ours, peer):
        file, weights = MODELS[name]
        model = report.MODELS / file
        self.run.compare(metric, "tok/s", lambda: ours(model), (lambda: peer(model)) if self.peer else None,
                         peer_name="llama.cpp", model=name,
                         peer_version=self.peer.version if self.peer else self.absent,
                         weights=weights)

    def prefill(self, name, count):
        self.speed_row(f"prefill_{count}", name, lambda model: self.ours(model, "prefill", count)[0],
                       lambda model: self.llama_bench(model, "-p", count, "-n", 0))

    def decode(self, name, sequences):
        peer = ((lambda model: self.batched(model, sequences)) if sequences > 1 else
                (lambda model: self.llama_bench(model, "-p", 0, "-n", DECODE_TOKENS, "-d", 64)))
        self.speed_row(f"decode_{sequences}", name,
                       lambda model: self.ours(model, "decode", sequences, DECODE_TOKENS, 64)[0], peer)

    def context(self, name, length):
        depth = length - DECODE_TOKENS
        self.speed_row(f"decode_1_ctx{length}", name,
                       lambda model: self.ours(model, "decode", 1, DECODE_TOKENS, depth)[0],
                       lambda model: self.llama_bench(model, "-p", 0, "-n", DECODE_TOKENS, "-d", depth))

    def start(self, name):
        """Without a sidecar file, which this engine does not write yet, every start is a cold one."""
        file, weights = MODELS[name]
        runs = [self.ours(report.MODELS / file, "load", 0) for _ in range(self.run.run_count())]
        self.run.value("load_cold_ms", "ms", [run[0] for run in runs], model=name, weights=weights)
        self.run.value("peak_rss_mb", "MB", [run[1] for run in runs], model=name, weights=weights)


def main():
    run = report.start("engine", __doc__)
    bench = Bench(run)
    names = list(MODELS)[:1] if run.options.quick else list(MODELS)
    for name in names:
        for count in (64, 512) if run.options.quick else (64, 512, 2048):
            bench.prefill(name, count)
        for sequences in (1, 8) if run.options.quick else BATCHES:
            bench.decode(name, sequences)
        for length in () if run.options.quick else (2048, 8192):
            bench.context(name, length)
        bench.start(name)
    run.finish()


if __name__ == "__main__":
    main()
