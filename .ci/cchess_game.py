#!/usr/bin/env python3
"""A whole game by the engine module of Python's cchess: cchess_game.py ENGINE

Red is played over UCCI, Black over UCI and with less depth; cchess judges every move and the
end, which must be a mate or a stalemate. Exit code 1 says that something went wrong.
"""

import sys
import time

import cchess

# Red sees further, so that the game is decided before this.
PLIES = 400
SECONDS_PER_MOVE = 60


def start(kind, path):
    """An engine that has said it is ready."""
    engine = kind()
    if not engine.load(path) or not engine.wait_for_ready():
        sys.exit(f"{kind.__name__} did not start")
    for name, value in (("Threads", 1), ("Hash", 16)):
        engine.set_option(name, value)
    return engine


def answer(engine, position, depth):
    """What the engine's last word is, as cchess reads it, and how many lines came before."""
    lines = 0
    engine.go_from(position, {"depth": depth})
    end = time.time() + SECONDS_PER_MOVE
    while time.time() < end:
        action = engine.get_action()
        if action is None:
            time.sleep(0.001)
        elif action["action"] == "info_move":
            lines += 1
        elif action["action"] in ("bestmove", "dead", "draw"):
            return action, lines
    sys.exit(f"no answer to {position}")


def main():
    path = sys.argv[1]
    engines = [start(cchess.UcciEngine, path), start(cchess.UciEngine, path)]
    depths = [8, 2]
    board = cchess.ChessBoard(cchess.FULL_INIT_FEN)
    moves, text = [], []
    while not board.no_moves():
        side = len(moves) % 2
        position = cchess.FULL_INIT_FEN + (" moves " + " ".join(moves) if moves else "")
        action, lines = answer(engines[side], position, depths[side])
        if action["action"] != "bestmove" or lines == 0:
            sys.exit(f"{action['raw_msg']} after {lines} lines, {position}")
        if not {"score", "mate"} & action.keys():
            sys.exit(f"no score was read for {action['move']}, {position}")
        move = board.move_iccs(action["move"])
        if move is None:
            sys.exit(f"{action['move']} is not legal for cchess, {position}")
        text.append(move.to_text())
        moves.append(action["move"])
        board.next_turn()
        if len(moves) == PLIES:
            sys.exit(f"no end after {PLIES} plies: {' '.join(moves)}")
    # The side that has no move is asked as well.
    position = cchess.FULL_INIT_FEN + " moves " + " ".join(moves)
    for engine in engines:
        action, _ = answer(engine, position, 2)
        if action["action"] != "dead":
            sys.exit(f"{action['raw_msg']} in a position without moves")
        engine.quit()
        if engine.process.wait(10) != 0:
            sys.exit("an engine did not leave well")
    print(" ".join(text))
    result = "1-0" if len(moves) % 2 else "0-1"
    print(f"cchess: passed, {result} after {len(moves)} plies")


main()
