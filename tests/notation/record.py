#!/usr/bin/env python3
"""Records WXF notation as pyffish writes it, for tests/notation.rs.

    pip install pyffish && python3 tests/notation/record.py > tests/notation/wxf.txt

Each line is a random game: a FEN, a bar, then a group for each position, groups separated by blanks. A
group is a list of moves without separators, eight characters each: coordinates (ranks 0 to 9) and WXF. The
first one is played. There are up to six moves of men that share a file with another of their kind, and two
of others.
"""

import random

import pyffish

POSITIONS = 5000
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"


def coordinates(move):
    """h3e3 or h10g8 with ranks from 0."""
    at = 2 if len(move) == 4 or not move[2].isdigit() else 3
    return "".join(point[0] + str(int(point[1:]) - 1) for point in (move[:at], move[at:]))


def point(move):
    """The point a move starts from, as (file, rank from 0)."""
    text = coordinates(move)
    return ord(text[0]) - ord("a"), int(text[1])


def wxf(fen, move):
    return pyffish.get_san("xiangqi", fen, move, False, pyffish.NOTATION_XIANGQI_WXF)


def sharing(fen):
    """The points of the men that share their file with another of their kind and colour."""
    men = {}
    for row, text in enumerate(fen.split(" ")[0].split("/")):
        file = 0
        for letter in text:
            if letter.isdigit():
                file += int(letter)
                continue
            men.setdefault((letter, file), []).append((file, 9 - row))
            file += 1
    return {point for points in men.values() if len(points) > 1 for point in points}


def setup(rng):
    """A random FEN with full sets, the pawns across the river and crowded on few files."""
    while True:
        board = {}
        board[(4, 0)], board[(4, 9)] = "K", "k"
        for red in (True, False):
            files = rng.sample(range(9), rng.randint(1, 3))
            for kind in "PPPPPRRNNCC":
                for _ in range(30):
                    file = rng.choice(files) if kind == "P" or rng.random() < 0.5 else rng.randrange(9)
                    rank = rng.randrange(5, 10) if kind == "P" else rng.randrange(10)
                    square = (file, rank if red else 9 - rank)
                    if square not in board:
                        board[square] = kind if red else kind.lower()
                        break
            for kind, points in (("A", [(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)]),
                                 ("B", [(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)])):
                for point in rng.sample(points, 2):
                    square = (point[0], point[1] if red else 9 - point[1])
                    board.setdefault(square, kind if red else kind.lower())
        if not any((4, rank) in board for rank in range(1, 9)):
            continue  # the generals would face each other
        rows = []
        for rank in range(9, -1, -1):
            row = "".join(board.get((file, rank), "1") for file in range(9))
            for empty in range(9, 1, -1):
                row = row.replace("1" * empty, str(empty))
            rows.append(row)
        fen = "/".join(rows) + " " + rng.choice("wb") + " - - 0 1"
        if pyffish.validate_fen(fen, "xiangqi") == pyffish.FEN_OK and pyffish.legal_moves("xiangqi", fen, []):
            # The side that is not to move must not be in check.
            other = fen.replace(" w ", " x ").replace(" b ", " w ").replace(" x ", " b ")
            if not pyffish.gives_check("xiangqi", other, []):
                return fen


def main():
    rng = random.Random(7)
    left = POSITIONS
    number = 0
    while left > 0:
        start = START if number % 2 == 0 else setup(rng)
        number += 1
        fen, groups = start, []
        for _ in range(min(left, 60 if number % 2 else 20)):
            legal = pyffish.legal_moves("xiangqi", fen, [])
            if not legal:
                break
            rng.shuffle(legal)
            shared = sharing(fen)
            tandem = [move for move in legal[1:] if point(move) in shared]
            plain = [move for move in legal[1:] if point(move) not in shared]
            group = legal[:1] + tandem[:6] + plain[:2]
            groups.append("".join(coordinates(move) + wxf(fen, move) for move in group))
            fen = pyffish.get_fen("xiangqi", fen, [legal[0]])
        left -= len(groups)
        print(start + "|" + " ".join(groups))


main()
