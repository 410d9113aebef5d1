#!/usr/bin/env python3
"""An engine for tests of the match runner: it knows one rook, and misbehaves on request.

    engine.py [MODE [NUMBER]] [pids=FILE] [delay=MS]

It speaks UCCI or UCI by the first line, and moves the rook on file a to and fro, so that
a game is drawn by repetition unless somebody does something else. NUMBER is the move of
a game (from 1) at which it does what MODE says; each process's id is added to FILE.
"""
import os
import signal
import sys
import time
import zlib

words = [a for a in sys.argv[1:] if "=" not in a]
named = dict(a.split("=", 1) for a in sys.argv[1:] if "=" in a)
mode = words[0] if words else "plain"
number = int(words[1]) if len(words) > 1 else 1
delay = int(named.get("delay", 0)) / 1000
if "pids" in named:
    with open(named["pids"], "a") as file:
        file.write("%d\n" % os.getpid())

base = 1 if mode == "ranks-from-1" else 0
ucci = False
usems = mode != "seconds"
board, red, moved, forbidden = {}, True, 0, []
patience = 10


def say(*lines):
    if mode == "quirks":
        lines = [" " + line.replace(" ", "  ") + " \t\r" for line in lines]
    sys.stdout.write("".join(line + "\n" for line in lines))
    sys.stdout.flush()


def forever():
    while True:
        time.sleep(60)


def square(text):
    return text[0] + str(int(text[1:]) - base)


def split(move):
    second = next(i for i in range(1, len(move)) if move[i].isalpha())
    return square(move[:second]), square(move[second:])


def spell(a, b):
    return "".join(s[0] + str(int(s[1:]) + base) for s in (a, b))


def set_position(words):
    global board, red
    board = {}
    for row, text in enumerate(words[0].split("/")):
        file = 0
        for letter in text:
            if letter.isdigit():
                file += int(letter)
            else:
                board["abcdefghi"[file] + str(9 - row)] = letter
                file += 1
    red = words[1] in "wr"
    for move in words[words.index("moves") + 1 :] if "moves" in words else []:
        a, b = split(move)
        board[b] = board.pop(a)
        red = not red


def rook_move():
    home, up, rook = ("a0", "a1", "R") if red else ("a9", "a8", "r")
    return (home, up) if board.get(home) == rook else (up, home)


def shake_hands(line):
    global ucci
    ucci = line.startswith("ucci")
    if mode == "crash-at-start":
        sys.exit(3)
    if mode == "no-handshake":
        forever()
    if mode == "quirks":
        # No id, the spellings of several programs at once, and options without need.
        return say(
            "The Scripted Engine, Copyright 2005",
            "",
            "option name UseMilliSec type check default true",
            "Option hashsize type spin default 16 min 16 max 1024",
            "option newgame type button",
            "option bookfiles type string default C:\\XQ Wizard\\BOOK.DAT",
            "option UCI_Variant type combo default xiangqi" + " var some-game" * 100,
            "option",
            "UCCIOK loaded in 3 ms",
        )
    say("id name scripted " + mode)
    if ucci and usems:
        say("option usemillisec type check default true")
    if not ucci:
        say("option name Ponder type check default false")
    if mode == "tuned":
        say("option name Patience type spin default 10 min 0 max 40")
    if mode == "ranks-from-1":
        say("option name UCI_Variant type combo default chess var chess var xiangqi")
    say("ucciok" if ucci else "uciok")


def quirky_answer(best):
    """Info lines of every kind that was seen, and an answer in capitals."""
    say(
        "info",
        "info time 3 nodes",
        "info nodes 77 nps -1",
        "info depth 3 score +8 lowerbound pv " + best,
        "info depth %d score 12 time 1 nodes 99 nodes 100 pv %s" % (moved + 1, best),
        "info depth",
        "info depth infinite score none",
        "info currmove %s currmovenumber 1" % best,
        "info message bestmove e0e5 depth 99 score 30000",
        "info string score 30000",
        "pophash bestmove e0e5",
    )
    # Its own reply, in the way of those who print the line's first moves.
    say("BestMove %s Ponder %s" % (best.upper(), best.upper()))


def misbehave(best):
    """Does what the mode says; True if that takes the place of an answer."""
    if mode in ("never-answers", "deaf"):
        return True
    if mode == "crash":
        sys.stderr.write("assertion failed: the sky is falling\n")
        sys.stderr.flush()
        os.kill(os.getpid(), signal.SIGKILL)
    if mode == "late":
        time.sleep(0.6)
    if mode == "illegal":
        say("info depth 1 score cp 5", "bestmove e0e5")
        return True
    if mode == "garbage":
        os.write(1, b"\x00\x1b[2J\xff" + b"?" * 50000 + b"\nbest move a0a1\nbestmove zz99!\n")
        return True
    if mode == "nobestmove":
        say("nobestmove" if ucci else "bestmove (none)")
        return True
    if mode == "closes-output":
        os.close(1)
        forever()
    if mode == "endless-lines":
        block = b"info depth 1 nodes 5 score cp 1 pv a0a1\n" * 2000
        while True:
            os.write(1, block)
    if mode == "endless-line":
        while True:
            os.write(1, b"x" * 65536)
    if mode == "resign":
        say("bestmove %s resign" % best)
        return True
    if mode == "draw":
        say("bestmove %s draw" % best)
        return True
    return False


def go(line):
    global moved
    moved += 1
    best = spell(*rook_move())
    if delay:
        time.sleep(delay)
    if mode == "mixed":
        # Whether it gives up depends on the opening and the colour, and on nothing else.
        men = " ".join(sorted(k + v for k, v in board.items()))
        if moved == 1 and zlib.crc32(men.encode()) % 4 == 0:
            return say("bestmove %s resign" % best)
    elif mode == "tuned" and 10 * moved > patience:
        return say("bestmove %s resign" % best)
    elif moved == number and misbehave(best):
        return
    if mode == "quirks":
        return quirky_answer(best)
    if " ponder" in line:
        return  # Answers come after ponderhit or stop.
    score = "score 12" if ucci else "score cp 12"
    say("info depth %d nodes %d time 1 %s pv %s" % (moved + 1, 100 * moved, score, best))
    answer = "bestmove " + best
    if mode in ("ponders-wrong", "stops-twice"):
        answer += " ponder " + ("h9g7" if red else "h0g2")
    if mode == "ponders":
        # The other rook goes to and fro as well.
        men = ("a9", "a8", "r") if red else ("a0", "a1", "R")
        reply = men[:2] if board.get(men[0]) == men[2] else (men[1], men[0])
        answer += " ponder " + spell(*reply)
    say(answer)


def main():
    global moved, patience
    if mode == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    thinking = ""
    for line in sys.stdin:
        line = line.strip()
        words = line.split()
        if line in ("uci", "ucci"):
            shake_hands(line)
        elif line == "isready":
            if mode != "no-isready":
                say("ReadyOK" if mode == "quirks" else "readyok")
        elif line in ("ucinewgame", "setoption newgame"):
            moved = 0
        elif words[:3] == ["setoption", "name", "Patience"]:
            patience = int(words[4])
        elif words[:2] == ["position", "fen"]:
            set_position(words[2:])
        elif words[:1] == ["fen"] and words[2] == "r" or words[:1] == ["fen"] and words[2] == "b":
            set_position(words[1:])
        elif words[:1] == ["go"]:
            thinking = line if " ponder" in line else ""
            go(line)
        elif words[:1] == ["ponderhit"] or line == "stop" and thinking:
            moved -= 1
            go(thinking.replace(" ponder", ""))
            if line == "stop" and mode == "stops-twice":
                # It had answered when stop came, and answers that as well.
                time.sleep(0.03)
                say("nobestmove")
            thinking = ""
        elif line == "quit" and mode != "deaf":
            return
    if mode == "deaf":
        forever()


main()
