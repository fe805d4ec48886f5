"""How to play, in a page: the keys, and the rules of the game at hand in a few lines."""

from __future__ import annotations

from tablemen.draughts import DraughtsRules
from tablemen.mancala import KalahRules, MancalaRules
from tablemen.session import Session

KEYS = """\
[b]To move[/b]
  arrows, Enter  go over the board, and pick what is there
  mouse          click on what moves, and on where it goes
  typing         write the move, then Enter: {example}
  Escape         put back what was picked

[b]Besides[/b]
  t  a hint               u  take a move back
  n  another game         v  turn the board around
  =  a draw               r  resign
  s  save in a file       o  open a file
  m  who stands better    p  let computers wait
  w  who plays            !  the computer moves now
  ?  this page            q  leave; the game is kept
"""

GREEN = "Green shows what can be done, yellow what was done last."


def help_text(session: Session) -> str:
    """The page for the game of a session."""
    rules = session.game.position.variant
    moves = session.game.legal_moves()
    example = str(moves[0]) if moves else "32-28"
    about = _draughts(rules) if isinstance(rules, DraughtsRules) else _mancala(rules)
    return f"[b]{rules}[/b]\n{about}\n{GREEN}\n\n{KEYS.format(example=example)}"


def _draughts(rules: DraughtsRules) -> str:
    """What a newcomer must know of these rules."""
    aim = "Who cannot move any more loses: capture everything, or shut it in."
    if rules.losing:
        aim = "Who cannot move any more wins: let yourself be captured."
    kings = "flies over any number of free squares" if rules.flying_kings else "moves one square, also backwards"
    must = "A piece that can capture must, and jumps on as long as it can." if rules.capture_compulsory else ""
    most = "Of several captures a ranking decides which to make." if rules.precedence else ""
    reached = f"A man that ends on the far row becomes a king, marked K, which {kings}."
    if rules.breakthrough:
        reached = "A man that ends on the far row wins."
    return " ".join(filter(None, (aim, must, most, reached)))


def _mancala(rules: MancalaRules) -> str:
    """The same for mancala."""
    begin = "Choose one of your houses: its seeds are sown one by one around the board, counter-clockwise"
    if isinstance(rules, KalahRules):
        return (
            f"{begin}, your store included. A last seed in your store is another turn. A last seed in an empty house "
            "of yours captures what lies opposite. Who has more seeds in the end wins."
        )
    return (
        f"{begin}. A last seed that makes two or three in a house of your opponent captures them, and those before it "
        "in a row. Who has more seeds in the end wins."
    )
