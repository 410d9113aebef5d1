#!/usr/bin/env python3
"""Compare our perft with Debian's fairy-stockfish, in alternation.

For each of three positions both programs run in turn, a few times over, with one
thread and no hash table, to the same depth; nodes per second are compared by their
medians. Ours is done so soon that it counts a few times in each turn. Build first:
cargo build --release

  benches/perft_vs_fairy.py [--alternations 5] [--engine target/release/vermilion]
                            [--peer /usr/games/fairy-stockfish] [--json FILE]

The last line of each position gives the two ratios: counting targets at the last ply,
and with `--list`, where the legal move list is built in memory there.
"""
import argparse
import json
import statistics
import subprocess
import time

POSITIONS = [
    ("start", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", 5),
    ("middlegame", "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1", 5),
    ("ending", "3ak4/9/4b4/9/2R6/6N2/9/4B3r/4A4/4KC3 w - - 0 1", 5),
]


COUNTS_A_TURN = 7


def ours(engine, fen, depth, *flags):
    """The nodes, and the median rate of a few counts."""
    counts = [count(engine, fen, depth, *flags) for _ in range(COUNTS_A_TURN)]
    return counts[0][0], statistics.median(rate for _, rate in counts)


def count(engine, fen, depth, *flags):
    out = subprocess.run([engine, "perft", str(depth), "--fen", fen, *flags],
                         capture_output=True, text=True, check=True).stdout
    values = dict(line.split() for line in out.splitlines() if len(line.split()) == 2)
    return int(values["nodes"]), float(values["nps"])


class Peer:
    """A fairy-stockfish that is kept running between counts."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.send("setoption name UCI_Variant value xiangqi\nsetoption name Threads value 1\nisready")
        self.read_until("readyok")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def read_until(self, start):
        for line in self.process.stdout:
            if line.startswith(start):
                return line
        raise RuntimeError("the peer closed its output")

    def perft(self, fen, depth):
        self.send(f"position fen {fen}\nisready")
        self.read_until("readyok")
        begin = time.perf_counter()
        self.send(f"go perft {depth}")
        nodes = int(self.read_until("Nodes searched").split(":")[1])
        return nodes, nodes / (time.perf_counter() - begin)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--alternations", type=int, default=5)
    parser.add_argument("--engine", default="target/release/vermilion")
    parser.add_argument("--peer", default="/usr/games/fairy-stockfish")
    parser.add_argument("--json")
    args = parser.parse_args()
    peer, report = Peer(args.peer), {}
    for name, fen, depth in POSITIONS:
        rates = {"count": [], "list": [], "peer": []}
        for _ in range(args.alternations):
            rates["count"].append(ours(args.engine, fen, depth)[1])
            rates["list"].append(ours(args.engine, fen, depth, "--list")[1])
            nodes, rate = peer.perft(fen, depth)
            rates["peer"].append(rate)
        same = count(args.engine, fen, depth)[0]
        if same != nodes:
            raise SystemExit(f"{name}: {same} nodes at depth {depth}, the peer counts {nodes}")
        median = {key: statistics.median(values) for key, values in rates.items()}
        report[name] = median | {
            "count_ratio": median["count"] / median["peer"],
            "list_ratio": median["list"] / median["peer"],
        }
        print(f"{name}: count {median['count'] / 1e6:.1f}, list {median['list'] / 1e6:.1f}, "
              f"peer {median['peer'] / 1e6:.2f} Mnps; "
              f"ratios count {report[name]['count_ratio']:.1f}, list {report[name]['list_ratio']:.1f}",
              flush=True)
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1)


if __name__ == "__main__":
    main()
