#!/usr/bin/env python3
"""How much sooner several threads reach the same depth than one.

    cargo build --release && benches/threads.py [--threads 2] [--positions 60] [--depth 18] [--runs 3]

The positions are openings of benches/openings.txt, spread over the file, 24 plies further
on by moves of one-thread searches of 6 plies, so they are the same on every machine. All are
searched to the same depth: to choose for each one that a single thread was seen to reach in
a given time would favour the depths at which that thread was lucky. Both engines are
real processes and begin each search with `ucinewgame`, one after the other. For each
position the median time of the runs counts; the result is the geometric mean of the
ratios. Other load on the machine spoils it.
"""

import argparse
import math
import statistics
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class Engine:
    def __init__(self, command, threads, hash_mb):
        self.process = subprocess.Popen(
            [command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.send("uci")
        self.read_to("uciok")
        self.send(f"setoption name Hash value {hash_mb}")
        self.send(f"setoption name Threads value {threads}")

    def send(self, line):
        print(line, file=self.process.stdin, flush=True)

    def read_to(self, word):
        lines = []
        for line in self.process.stdout:
            lines.append(line.split())
            if lines[-1][:1] == [word]:
                return lines
        raise SystemExit("the engine is gone")

    def new_game(self):
        self.send("ucinewgame")
        self.send("isready")
        self.read_to("readyok")

    def go(self, moves, limit):
        """The lines of a search, and the seconds until its answer."""
        self.send("position startpos moves " + " ".join(moves))
        start = time.perf_counter()
        self.send("go " + limit)
        lines = self.read_to("bestmove")
        return lines, time.perf_counter() - start


def openings(count):
    lines = (ROOT / "benches/openings.txt").read_text().splitlines()
    lines = [line for line in lines if line.startswith("startpos moves ")]
    return [line.split()[2:] for line in lines[:: len(lines) // count][:count]]


def play_on(engine, moves, plies):
    for _ in range(plies):
        lines, _ = engine.go(moves, "depth 6")
        best = lines[-1][1]
        if best == "(none)":
            break
        moves = moves + [best]
    return moves


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default=str(ROOT / "target/release/vermilion"))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--depth", type=int, default=18, metavar="PLIES")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--hash", type=int, default=64, metavar="MB")
    arguments = parser.parse_args()
    one = Engine(arguments.engine, 1, arguments.hash)
    many = Engine(arguments.engine, arguments.threads, arguments.hash)
    logs, totals = [], [0.0, 0.0]
    for number, opening in enumerate(openings(arguments.positions), 1):
        one.new_game()
        moves = play_on(one, opening, 24)
        times = ([], [])
        for _ in range(arguments.runs):
            for engine, taken in zip((one, many), times):
                engine.new_game()
                taken.append(engine.go(moves, f"depth {arguments.depth}")[1])
        alone, together = map(statistics.median, times)
        totals[0] += alone
        totals[1] += together
        logs.append(math.log(alone / together))
        print(
            f"{number:3} depth {arguments.depth:2}  1 thread {alone:6.3f} s  {arguments.threads} threads"
            f" {together:6.3f} s  ratio {alone / together:5.2f}",
            flush=True,
        )
    mean = math.exp(statistics.fmean(logs))
    error = math.exp(1.96 * statistics.stdev(logs) / math.sqrt(len(logs)))
    print(
        f"{len(logs)} positions, {arguments.threads} threads reach the same depth {mean:.2f} times sooner"
        f" ({mean / error:.2f} to {mean * error:.2f}); in all {totals[0]:.0f} s and {totals[1]:.0f} s"
    )


if __name__ == "__main__":
    main()
