"""Invalid texts and the places of their errors. The messages are in `error_messages.txt`."""

from __future__ import annotations

from dataclasses import replace

from tablemen.draughts import INTERNATIONAL
from tablemen.draughts.board import Playable

SMALL = replace(INTERNATIONAL, name="small", columns=6, rows=4, start_rows=1)
FULL = replace(SMALL, name="full", columns=5, playable=Playable.ALL)
TINY = replace(INTERNATIONAL, name="tiny", columns=4, rows=4, start_rows=1)

# Text, line, column
FENS = [
    ("", 1, 1),
    (" \n ", 1, 1),
    ('""', 1, 2),
    ('[FEN ""]', 1, 7),
    (".", 1, 1),
    ("W31:B1", 1, 1),
    (" B1,2:W31", 1, 2),
    (":W31:B1", 1, 1),
    ("X:W31:B1", 1, 1),
    ("WB:W31:B1", 1, 1),
    ("hello", 1, 1),
    ("W", 1, 2),
    ("W:H0", 1, 5),
    ('[FEN "W:F1"]', 1, 11),
    ("?:W31:B1", 1, 1),
    ("W:W31:?1:B2", 1, 7),
    ("W:W31:B1:W31", 1, 11),
    ("W:W51:B1", 1, 4),
    ("W:W0:B1", 1, 4),
    ("W:W31:B1, 51", 1, 11),
    ("W:W31:B1,K51", 1, 11),
    ("W:W31,\n  x5:B1", 2, 3),
    ("W:Wc3:B1", 1, 4),
    ("W:W٣:B1", 1, 4),
    ("W:W31 32:B1", 1, 4),
    ("W:W31;32:B1", 1, 4),
    ("W:W31..:B1", 1, 4),
    ("W:W31:B1..", 1, 8),
    ("W:WG31:B1", 1, 4),
    ("W:W32:B1,p12", 1, 10),
    ("W:WG51:B1", 1, 4),
    ("W:WGG1:B1", 1, 4),
    ("W:WKK31:B1", 1, 5),
    ("W:WK1-K5:B6", 1, 7),
    ("W:W31,32,31:B1", 1, 10),
    ("W:W31,K31:B1", 1, 7),
    ("W:WK31:B1,31", 1, 11),
    ("W:W31-35:B1,30-32", 1, 13),
    ("W:B31:W31", 1, 4),
    ("W:W35-31:B1", 1, 4),
    ("W:W31-51:B1", 1, 7),
    ("W:W1-999999999999:B1", 1, 6),
    ("W:W31-:B1", 1, 7),
    ("W:W-31:B1", 1, 4),
    ("W:W31-32-33:B1", 1, 4),
    ("W:W31,:B1", 1, 7),
    ("W:W,31:B1", 1, 4),
    ("W:WK:B1", 1, 5),
    ("W:W31:B1:", 1, 10),
    ("W:W31::B1", 1, 7),
    ("W:W31:B1:Z9", 1, 10),
    ("W:31:B1", 1, 3),
    ("W:W31:B1:H", 1, 10),
    ("W:W31:B1:H0:Fx", 1, 13),
    ("W:W31:B1:H0:H1", 1, 13),
    ("W:WK31:B1:+0+131", 1, 14),
    ("[FEN W:W31:B1]", 1, 1),
    ('"W:W31:B1', 1, 1),
    ('[FEN \\"W:W51:B1\\"]', 1, 11),
    ('/FEN "W:W51:B1"/', 1, 10),
]

# Text on the Russian board, column
ALGEBRAIC_FENS = [
    ("W:Wa2:Bb8", 4),
    ("W:Wa9:Bb8", 4),
    ("W:Wi1:Bb8", 4),
    ("W:W33:Bb8", 4),
    ("W:Wa1,29:Bb8", 7),
    ("W:Wa1-c1:Bb8", 4),
    ("W:Wa1-30:Bb8", 4),
    ("W:WG12:Bb8", 4),
]

# The last part of a FEN of Frisian draughts, column in the FEN
FRISIAN_FEN = "W:WK28,31:BK5,6: "
KING_RUNS = [
    ("+0", 18),
    ("+0+0+0", 18),
    ("+0+328:+0+0", 25),
    ("+0+3", 21),
    ("+0+", 21),
    ("+0+x28", 21),
    ("+0+028", 21),
    ("+0+428", 21),
    ("+0+351", 22),
    ("+0+331", 21),
    ("+15+35", 22),
    ("+128+0", 19),
    ("+0+12/28", 21),
]

# Rules, text, line, column
GRIDS = [
    (SMALL, "", 1, 1),
    (SMALL, " b b b\n. . . \n . . .", 4, 1),
    (SMALL, " b b b\n. . . \n . . .\nw w w \n . . .", 5, 1),
    (SMALL, " b b b\n. . . \n . .\nw w w ", 3, 5),
    (SMALL, " b b b\n. . . \n . . . \nw w w ", 3, 7),
    (SMALL, " b b b\n. x . \n . . .\nw w w ", 2, 3),
    (SMALL, " b b b\n. W . \n . . .\nw w w ", 2, 3),
    (SMALL, " b b b\n.w. . \n . . .\nw w w ", 2, 2),
    (SMALL, " b b b\n... . \n . . .\nw w w ", 2, 2),
    (SMALL, " b b b\n.\t. . \n . . .\nw w w ", 2, 2),
    (SMALL, " b b b\n.   . \n . . .\nw w w ", 2, 3),
    (SMALL, "\n b b b\n. . . \n . . .\nw w k \n", 5, 5),
    (SMALL, " b b b\r\n. . . \r\n . . .\r\nw w k ", 4, 5),
    (SMALL, " b b b\r\n. . . \r\n . .\r\nw w w ", 3, 5),
    (FULL, "bbbbb\n.....\n.. ..\nwwwww", 3, 3),
    (FULL, "bbbbb\n.....\n....\nwwwww", 3, 5),
    (FULL, "bbbbb\n.... \n.....\nwwwww", 2, 5),
]

# Rules, rows, line, column
ROWS = [
    (SMALL, [], 1, 1),
    (SMALL, ["_b_b_b", "______", "______"], 4, 1),
    (SMALL, ["_b_b_b", "______", "______", "w_w_w_", "______"], 5, 1),
    (SMALL, ["_b_b_b", "______", "_____", "w_w_w_"], 3, 6),
    (SMALL, ["_b_b_b", "______", "_______", "w_w_w_"], 3, 7),
    (SMALL, ["_b_b_b", "______", "______", "w_w_K_"], 4, 5),
    (SMALL, ["_b_b_b", "______", "_____.", "w_w_w_"], 3, 6),
    (SMALL, ["_b_b_b", "___w__", "______", "w_w_w_"], 2, 4),
    (SMALL, ["_b_b_b", "______", "______", "w_w_w "], 4, 6),
    (FULL, ["bbbbb", "_____", "_____", "wwww."], 4, 5),
]

# Black's squares and White's on the English board, column
SQUARE_LISTS = [
    ("6,33", "10", 3),
    ("6,7", "0", 1),
    ("6,7", "10,", 4),
    ("6,,7", "10", 3),
    ("6,x", "10", 3),
    ("6,K", "10", 4),
    ("7-6", "10", 1),
    ("6,7 8", "10", 3),
    ("6,6", "10", 3),
    ("6,7", "10,11,K10", 7),
    ("6,10", "10", 1),
    ("W6", "10", 1),
    ("6:W10", "10", 1),
]

# Text, column, at the start of international draughts
MOVES = [
    ("", 1),
    (" \n ", 1),
    ("!?", 1),
    ("hello", 1),
    ("1.", 2),
    ("1. 32-28", 2),
    ("1-0 *", 6),
    ("32-", 4),
    ("-32", 1),
    ("32--28", 4),
    ("32-28-", 7),
    ("32-28 q", 7),
    ("32-28;", 6),
    ("32-51", 4),
    ("  0-28", 3),
    ("c3-d4", 1),
    ("32-c3", 4),
    ("x32", 1),
    ("32", 1),
    ("6", 1),
    ("9999", 1),
    ("٣٢-٢٨", 1),
    ("1" * 5001, 1),
]

# Text, column, in a position with a man on 28 against a man on 1
TURNS = [
    ("", 1),
    ("44-", 4),
    ("-35", 1),
    ("44-3", 4),
    ("4435", 1),
    ("44+35", 1),
    ("44 35", 1),
    ("4-35", 1),
    ("a4-35", 1),
    ("44-3٥", 4),
    ("x", 1),
    ("44--35", 1),
    ("44", 1),
    ("44-35-26", 1),
    ("44x35-26", 1),
    ("43-34", 1),  # light squares
]

# Text on a board of 4 by 4 squares, column
HUB_POSITIONS = [
    ("", 1),
    ("  ", 1),
    ("W", 2),
    ("Weeeeeee", 9),
    ("Weeeeeeeee", 10),
    (" Wee.eeeee", 5),
    ("Weeeeeeez", 9),
    ("Weeee eeee", 6),
    ("eeeeeeeee", 1),
    ("ßeeeeeeee", 1),
    ("?eeeeeeee", 1),
]
DXP_POSITIONS = [
    ("Wbeeeeeee", 2),
    ("Beeeeeeee", 1),
]

# Text, column, at the start of international draughts
HUB_MOVES = [
    ("", 1),
    (" 3228", 2),
    ("32x28", 1),
    ("32-", 4),
    ("32--28", 1),
    ("32-28-23", 1),
    ("32-51", 4),
    ("0-28", 1),
    ("32-c3", 4),
    ("32- 28", 4),
    ("32x14x28x28", 10),
    ("32x14x28x", 10),
    ("32x14x٢٨", 7),
]
DXP_MOVES = [
    ("", 1),
    ("3228", 5),
    ("32280", 5),
    ("32-28", 3),
    ("32 800", 3),
    (" 322801", 6),
    ("32280023", 5),
    ("325100", 3),
    ("002800", 1),
    ("3214022828", 9),
]

# Text of a game, line, column
PDN_GAMES = [
    ('[GameType "20"]\n1. 32-28 19-23\n2. 33-27 14-19', 3, 4),
    ('[GameType "20"]\n1. 32-28 19-23 (19-24\n20-25)', 3, 1),
    ('[GameType "20"] 1. 32-28 {é\né} 19-99', 2, 4),
    ('[GameType "20"] 1. 32-28 c3-d4', 1, 26),
    ('[FEN "W:WK3:B8,9,22,23"] 1. 3x26', 1, 29),
    ("1. 32-28 19-23\n2. 33-27", 2, 4),
    ("1. 32-28 oops", 1, 10),
    ("1. 32-28 17", 1, 10),
    ("1. 32-28 19-", 1, 10),
    ("[Event x]", 1, 1),
    ('\n[Event "x]', 2, 1),
    ('[Event "x"\n32-28', 1, 1),
    ('[A "1"]\n[A "2"]', 2, 2),
    ("32-28 [%clk 0:01]", 1, 7),
    ("32-28 {", 1, 7),
    ("32-28 (33-28", 1, 7),
    ("32-28 )", 1, 7),
    ("32-28 (33-28 1-0) 19-23", 1, 14),
    ("(" * 101 + "32-28" + ")" * 101, 1, 101),
    ("32-28 $", 1, 7),
    ("32-28 /W:W1:B2/", 1, 7),
    ("! 32-28", 1, 1),
    ('[GameType "20"][FEN "W:W99:B1"]', 1, 17),
    ('[GameType "20"] 32-28\n/FEN "W:W51:B1"/ 1-2', 2, 7),
    ('[GameType "20"] ... /FEN "B::"/ 19-23', 1, 27),
]

GAME_TYPES = ["x", "20,W,10", "95", "97,W,8,8,N2,0", "20,W,8,8,N2,0", "20,W,10,10,N2,1", "20,W,10,10,S0,0"]

# Text of a perft file of English draughts, line of an error with a message of our own
PERFT_FILES = [
    ("", 1),
    ("# a\n\n1 7\n", 3),
    ("[start\nsource a\n1 7", 1),
    ("[]\nsource a\n1 7", 1),
    ("[a]\nsource a\n1 7\n[a]\n", 4),
    ("[a]\nsource\n1 7", 2),
    ("[a]\nsource a\n1", 3),
    ("[a]\nsource a\n1 seven", 3),
    ("[a]\nsource a\n-1 7", 3),
    ("[a]\nsource a\n2 7\n2 7", 4),
    ("[a]\nsource a\n0 1", 3),
    ("[a]\ncount twice", 2),
    ("[a]\nrules start_rows", 2),
    ("[a]\nrules start_rows=9", 2),
    ("[a]\nfen W:W99:B1", 2),
    ("[a]\nfen W:W30:B1\nrules start_rows=2", 3),
    ("[a]\n\n[b]\nsource a\n1 7", 1),
    ("[a]\nsource a\n1 7\n[b]\nsource a\n", 4),
]

# A part of the default weights of English draughts, its replacement, line of the error
WEIGHTS = [
    ("tablemen weights 1", "tablemen weights 2", 1),
    ("variant english", "variant italian", 2),
    ("full 24", "full 0", 3),
    ("full 24", "full 24 24", 3),
    ("full 24\n", "", 1),
    ("man 1000 1000", "man 1000", 4),
    ("man 1000 1000", "man 1000 1e3", 4),
    ("man 1000 1000", "man 1000 32768", 4),
    ("man 1000 1000", "men 1000 1000", 4),
    ("man 1000 1000", "man 1000 1000\nman 1 1", 5),
    ("kings ending", "kings opening", 45),
]
