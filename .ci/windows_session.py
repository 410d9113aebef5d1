#!/usr/bin/env python3
"""Drives the Windows program under Wine as a GUI does: windows_session.py FOLDER NATIVE

FOLDER holds vermilion.exe and what it needs under Wine. The program is started in a folder
whose name has a blank and Chinese characters, gets lines that end with CR LF, makes a book
and a log there, and plays a whole game against itself; NATIVE, the program of this machine,
judges every move. Exit code 1 says that something went wrong.
"""

import pathlib
import queue
import shutil
import subprocess
import sys
import threading
import time

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
# Starting Wine may take its time; nothing else does.
HANG = 60


def fail(why):
    """Ends the session."""
    sys.exit(f"windows_session: {why}")


class Program:
    """vermilion.exe with its pipes, read byte by byte as it wrote them."""

    def __init__(self, folder, *args):
        self.process = subprocess.Popen(
            ["wine", "vermilion.exe", *args],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def send(self, line):
        """One line, ended as Windows does."""
        self.process.stdin.write(line.encode() + b"\r\n")
        self.process.stdin.flush()

    def until(self, *firsts):
        """The lines up to one that begins with one of these words."""
        lines = []
        while True:
            try:
                line = self.lines.get(timeout=HANG)
            except queue.Empty:
                fail(f"no {firsts} within {HANG} s after {lines[-3:]}")
            if line is None:
                fail(f"the program left before {firsts}, after {lines[-3:]}")
            if not line.endswith(b"\n") or b"\r" in line:
                fail(f"not a line as a GUI expects it: {line!r}")
            lines.append(line[:-1].decode())
            if lines[-1].split(" ")[0] in firsts:
                return lines

    def leaves(self):
        """Waits for the end, which must be a good one."""
        try:
            code = self.process.wait(HANG)
        except subprocess.TimeoutExpired:
            fail("the program does not leave")
        if code != 0:
            fail(f"exit code {code}")


def judge(native, moves):
    """The first word of the native judgement; it refuses moves that are not legal."""
    done = subprocess.run(
        [native, "judge", "--fen", START, "--moves", " ".join(moves)],
        capture_output=True, text=True, check=False,
    )
    if done.returncode != 0:
        fail(f"{' '.join(moves)}: {done.stderr}")
    return done.stdout.split()[0]


def play(native, ucci, uci):
    """A game, UCCI with Red and with more depth; returns its moves and what came of it."""
    moves = []
    while (verdict := judge(native, moves)) == "none":
        side = len(moves) % 2
        program, go = (ucci, "go depth 7") if side == 0 else (uci, "go depth 2")
        program.send(f"position fen {START}" + (" moves " + " ".join(moves) if moves else ""))
        program.send(go)
        answer = program.until("bestmove", "nobestmove")[-1]
        if not answer.startswith("bestmove "):
            fail(f"{answer} after {' '.join(moves)}")
        moves.append(answer.split(" ")[1])
    return moves, verdict


def main():
    source, native = pathlib.Path(sys.argv[1]), sys.argv[2]
    folder = source / "象棋 引擎 my engines"
    folder.mkdir()
    for name in ("vermilion.exe", "bcryptprimitives.dll"):
        shutil.copy(source / name, folder)

    ucci = Program(folder)
    ucci.send("ucci")
    ucci.until("ucciok")
    ucci.send("setoption logfile 记录 1.log")
    uci = Program(folder)
    uci.send("uci")
    uci.until("uciok")
    moves, verdict = play(native, ucci, uci)
    print(f"game: {len(moves)} plies, {verdict}: {' '.join(moves)}")

    # A book of this game is made and played from, all under Chinese names.
    result = {"red_wins": "1-0", "black_wins": "0-1"}.get(verdict, "1/2-1/2")
    pgn = f'[Game "Chinese Chess"]\n[Result "{result}"]\n[Format "ICCS"]\n\n{" ".join(moves)} {result}\n'
    (folder / "对局 1.pgn").write_text(pgn, encoding="utf-8")
    builder = Program(folder, "book", "对局 1.pgn", "--output", "开局 库.dat")
    builder.leaves()
    ucci.send("setoption bookfiles 开局 库.dat")
    ucci.send("setoption usebook true")
    ucci.send("position startpos")
    ucci.send("go depth 3")
    lines = ucci.until("bestmove")
    if lines[-1].split(" ")[1] != moves[0] or not any("book" in line for line in lines):
        fail(f"no move from the book: {lines}")

    # A search without end stops at once, and both ways of leaving are good.
    uci.send("go infinite")
    time.sleep(1)
    begin = time.monotonic()
    uci.send("stop")
    uci.until("bestmove")
    print(f"stop: {1000 * (time.monotonic() - begin):.1f} ms")
    ucci.send("quit")
    ucci.until("bye")
    ucci.leaves()
    uci.process.stdin.close()
    uci.leaves()
    log = (folder / "记录 1.log").read_text(encoding="utf-8")
    if not all(word in log for word in (" > position fen ", " < bestmove ", " < bye")):
        fail("the log lacks something")
    print("session: passed")


main()
