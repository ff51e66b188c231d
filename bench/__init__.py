"""Benchmarks: bench/NAME.py is run by `./dev bench NAME`; report.py is their frame, peers/ the programs beside us."""
