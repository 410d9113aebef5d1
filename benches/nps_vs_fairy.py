#!/usr/bin/env python3
"""Nodes a second of one thread beside Debian's fairy-stockfish, the same positions in turn.

    cargo build --release && benches/nps_vs_fairy.py [--positions 40] [--time 1000]

Each position is searched for --time milliseconds by the one and then by the other, with
empty tables of 64 MB. A node is one move made in the main or the quiescence search, and
each engine counts its own.
"""

import argparse
import math
import statistics

from threads import ROOT, Engine, openings, play_on


def speed(engine, moves, milliseconds):
    engine.new_game()
    lines, seconds = engine.go(moves, f"movetime {milliseconds}")
    told = [line for line in lines if "nodes" in line and line[0] == "info"]
    return int(told[-1][told[-1].index("nodes") + 1]) / seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default=str(ROOT / "target/release/vermilion"))
    parser.add_argument("--fairy", default="/usr/games/fairy-stockfish")
    parser.add_argument("--positions", type=int, default=40)
    parser.add_argument("--time", type=int, default=1000, metavar="MS")
    arguments = parser.parse_args()
    own = Engine(arguments.engine, 1, 64)
    own.send("setoption name Stop At Mate value false")
    fairy = Engine(arguments.fairy, 1, 64)
    fairy.send("setoption name UCI_Variant value xiangqi")
    logs, sums = [], [0.0, 0.0]
    for number, opening in enumerate(openings(arguments.positions), 1):
        own.new_game()
        moves = play_on(own, opening, 24)
        # Fairy-Stockfish counts the ranks from 1.
        theirs = ["".join(c if c.isalpha() else str(int(c) + 1) for c in move) for move in moves]
        speeds = speed(own, moves, arguments.time), speed(fairy, theirs, arguments.time)
        sums = [total + one for total, one in zip(sums, speeds)]
        logs.append(math.log(speeds[0] / speeds[1]))
        print(f"{number:3}  {speeds[0] / 1e6:.2f}  {speeds[1] / 1e6:.2f}  ratio {speeds[0] / speeds[1]:.2f}", flush=True)
    count = len(logs)
    print(
        f"{count} positions: {sums[0] / count / 1e6:.2f} and {sums[1] / count / 1e6:.2f} million nodes a second,"
        f" ratio {math.exp(statistics.fmean(logs)):.2f} (geometric mean)"
    )


if __name__ == "__main__":
    main()
