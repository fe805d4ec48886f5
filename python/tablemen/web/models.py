"""What is said over the wire, both ways: the models of the API. Sides have the names of their family."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

MOST_MOVES = 2000  # of a game that is sent here
LONGEST_OPENING = 400  # moves that a game between players can begin with
MOST_NODES = 20_000  # of a tree of variations
LONGEST_TEXT = 400  # of a position, and of a move
MOST_HOUSES = 24  # of a side

Text: TypeAlias = Annotated[str, Field(max_length=LONGEST_TEXT)]
Houses: TypeAlias = Annotated[int | None, Field(ge=1, le=MOST_HOUSES, description="Of a side, for mancala.")]
Seeds: TypeAlias = Annotated[int | None, Field(ge=1, le=1000, description="In each house at the start, for mancala.")]


class Model(BaseModel):
    """A frozen value that knows no other fields than its own."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Refusal(Model):
    """Why something could not be done, in a sentence."""

    error: str
    problems: list[str] = []


# Variants and boards


class SquareFacts(Model):
    """A square of a draughts board; row 0 is at Black's edge, column 0 at the left of it as White sees it."""

    name: str
    row: int
    column: int


class DraughtsBoardFacts(Model):
    """The shape of a draughts board."""

    kind: Literal["draughts"] = "draughts"
    rows: int
    columns: int
    squares: list[SquareFacts]
    numbered: bool = Field(description="Whether the names of the squares are numbers, which stand in the squares.")
    row_labels: list[str] = Field(description="What stands beside each row; empty texts where squares are numbered.")
    column_labels: list[str]


class MancalaBoardFacts(Model):
    """The shape of a mancala board."""

    kind: Literal["mancala"] = "mancala"
    houses: int = Field(description="The houses of a side, numbered from 1 in the direction of sowing.")
    seeds: int = Field(description="The seeds in each house at the start.")
    sows_store: bool


class VariantSummary(Model):
    """A variant in a list."""

    name: str
    title: str
    family: str
    about: str = Field(description="The board in a few words: 10x10, 20 men a side.")
    provisional: bool = False


class VariantFacts(VariantSummary):
    """A variant, its sides and its board."""

    sides: list[str] = Field(description="The first is at the bottom unless the board is turned around.")
    first: str = Field(description="The side that moves first.")
    start: str = Field(description="The position that games begin with.")
    note: str
    solvable: bool = Field(description="Whether exact values can be asked for.")
    losing: bool = Field(default=False, description="Whether the side that has nothing left to move with wins.")
    board: DraughtsBoardFacts | MancalaBoardFacts


# Positions and moves


class Subject(Model):
    """A position: that of a variant, or a given one, after some moves."""

    variant: Text = Field(examples=["international"])
    houses: Houses = None
    seeds: Seeds = None
    position: Text | None = Field(default=None, description="Where it begins; without it, the start of the variant.")
    moves: list[Text] = Field(default=[], max_length=MOST_MOVES)


class PlaceQuestion(Subject):
    """A place that somebody touched to move from there."""

    place: Text = Field(
        description="A square; for mancala a house of the side to move (`3`), or of the other one (`north 3`)."
    )


class Objection(Model):
    """Why something cannot be done."""

    reason: str | None = Field(description="In words; null where it can be done.")


class SideOfDraughts(Model):
    """The pieces of a side, by the names of their squares."""

    men: list[str] = Field(default=[], max_length=1024)
    kings: list[str] = Field(default=[], max_length=1024)


class SideOfMancala(Model):
    """The seeds of a side: in each house from 1 on, and in its store."""

    houses: list[Annotated[int, Field(ge=0, le=65_535)]] = Field(max_length=MOST_HOUSES)
    store: Annotated[int, Field(ge=0, le=65_535)] = 0


Board: TypeAlias = dict[str, SideOfDraughts] | dict[str, SideOfMancala]


class Setup(Model):
    """A position put together by hand."""

    variant: Text = Field(examples=["english"])
    houses: Houses = None
    seeds: Seeds = None
    board: Board = Field(examples=[{"white": {"men": ["22"], "kings": []}, "black": {"men": ["18"], "kings": []}}])
    turn: Text = Field(examples=["white"])


class MoveFacts(Model):
    """A move, and all that is needed to show it. No rules are needed to find moves from clicks: `places` tell."""

    text: str = Field(description="As game files write it.")
    full: str = Field(description="As it is sent: every place is named, so that it means this move alone.")
    places: list[str] = Field(description="What is touched in order: squares, a house, or `swap`.")
    captured: list[str] = Field(default=[], description="The squares of the captured pieces, in draughts.")
    crowns: bool = False
    sowing: list[str] = Field(
        default=[],
        description="The pits that seeds fall into, in order: `south 4`; none where more than 200 are sown.",
    )
    captured_seeds: int = 0
    extra_turn: bool = False


class Scene(Model):
    """What lies on the board, and who is to move."""

    position: str
    turn: str
    board: Board


class Ply(Scene):
    """A move that was played, and the board after it."""

    side: str = Field(description="Who moved.")
    move: MoveFacts


class OutcomeFacts(Model):
    """How a game ended."""

    winner: str | None
    termination: str
    text: str = Field(description="The whole in a sentence.")
    score: dict[str, int] | None = Field(
        default=None, description="For mancala: the seeds of each side, with those that it has at the end of the game."
    )


class View(Model):
    """A game as it can be looked at: every board of it, and what can be played now.

    `plies` are those from number `since` on: whoever was told of the others keeps them.
    """

    variant: str
    houses: int | None = None
    seeds: int | None = None
    start: Scene
    since: int = 0
    plies: list[Ply]
    position: str
    turn: str
    legal: list[MoveFacts] = Field(description="Every way to move; none when the game is over.")
    outcome: OutcomeFacts | None = None
    claims: list[str] = Field(default=[], description="Why a draw can be claimed now, in words.")


# Games


class NewGame(Model):
    """What a game is to be: who plays whom, what, and how fast."""

    variant: Text = Field(examples=["international"])
    houses: Houses = None
    seeds: Seeds = None
    position: Text | None = None
    moves: list[Text] = Field(default=[], max_length=LONGEST_OPENING)
    opponent: Literal["computer", "screen", "link", "engine"] = Field(
        default="computer",
        description="The computer, a friend on the same screen, one who gets a link, or a program of the server's.",
    )
    level: int = Field(default=5, ge=1, le=10, description="Of the computer.")
    engine: Text | None = Field(default=None, description="For `engine`: the name of the program.")
    side: Text | None = Field(default=None, description="Which you play, by its name; without it, chance decides.")
    clock: Text | None = Field(default=None, description="Minutes, and seconds a move: 5+3.", examples=["5+3"])


class EngineFacts(Model):
    """A program that can be played against."""

    name: str
    variants: list[str] = Field(description="What it can play.")


class CreatedGame(Model):
    """A new game, and the keys that can move its sides. They are told here and never again."""

    id: str
    keys: dict[str, str] = Field(description="By the side; both have the same where they share a screen.")
    side: str = Field(description="The side that you play, or that is to move first on a shared screen.")


class Seat(Model):
    """Who plays a side."""

    kind: Literal["person", "computer", "engine"]
    level: int | None = None
    name: str | None = Field(default=None, description="Of a program.")
    connected: bool = Field(description="Whether a page with the side's key is open; computers always are.")


class ClockFacts(Model):
    """The clock when this was sent."""

    control: str
    left: dict[str, float] = Field(description="Seconds.")
    running: str | None


ActionName: TypeAlias = Literal["move", "takeback", "draw", "decline", "resign", "hint", "rematch", "retry"]


class GameState(View):
    """A game between players."""

    type: Literal["state"] = "state"
    id: str
    revision: int = Field(
        description="Grows with every change that is kept; not when somebody comes or goes, or the computer thinks."
    )
    opening: int = Field(description="How many of its moves the game was begun with.")
    players: dict[str, Seat]
    clock: ClockFacts | None = None
    thinking: bool = Field(default=False, description="Whether the computer is choosing a move.")
    problem: str | None = Field(
        default=None, description="Why a program does not move, in words. It is asked again with `retry`."
    )
    offers: dict[str, str] = Field(
        default={}, description="What is offered and by which side: `draw`, `takeback`, and `rematch` after the end."
    )
    next: str | None = Field(
        default=None,
        description="The game that follows, once a rematch was accepted. A key moves the other side there.",
    )
    you: list[str] = Field(description="The sides that your key can move.")
    actions: list[ActionName] = Field(description="What your key can do now.")


class Action(Model):
    """Something that a player does.

    `draw` claims one that is due, offers one, or accepts an offer; on a shared screen it is agreed on at once.
    `takeback` asks the other side where that is a person elsewhere, or accepts; `decline` turns down what is offered.
    `rematch` asks for another game between two with a link, or accepts; each key moves the other side there. `retry`
    lets a program try again that has failed.
    """

    action: ActionName
    move: Text | None = Field(default=None, description="For `move`: the move.")
    ply: int | None = Field(
        default=None,
        ge=0,
        description="For `move`: how many moves were played before it, so that none is played twice.",
    )


class Request(Action):
    """An action over a socket; `id` comes back with the answer."""

    id: int


class Hello(Model):
    """The first message of a page: its key, if it has one."""

    type: Literal["hello"] = "hello"
    key: str | None = Field(default=None, max_length=100)


class Answer(Model):
    """What became of a request."""

    type: Literal["answer"] = "answer"
    id: int
    error: str | None = Field(default=None, description="Why it was not done; null where it was.")
    hint: MoveFacts | None = None


class Done(Model):
    """What became of an action over HTTP."""

    state: GameState
    hint: MoveFacts | None = None


# Analysis


class AnalysisRequest(Model):
    """What is to be analysed, and for how long."""

    subject: Subject
    lines: int = Field(default=3, ge=1, le=10)
    seconds: float = Field(default=10.0, gt=0, description="At most; the server's own limit holds too.")
    depth: int | None = Field(default=None, ge=1, le=200)


class Analyse(AnalysisRequest):
    """A request over a socket. It takes the place of the one before; what is found comes with its `id`."""

    type: Literal["analyse"]
    id: int


class Stop(Model):
    """The end of what is going on over a socket."""

    type: Literal["stop"]


class ScoreFacts(Model):
    """A score. `value` is null where it is infinite: a win or a loss in draughts."""

    text: str
    value: float | None
    exact: bool
    plies: int | None


class LineFacts(Model):
    """A line of play, its first move in full; the score is that of the first of the variant's sides."""

    move: MoveFacts
    line: list[str]
    score: ScoreFacts
    chances: float = Field(description="The share of the points that the first side can expect.")


class Told(Model):
    """Something that an analysis tells."""

    id: int = Field(default=0, description="That of the request over a socket; 0 over HTTP.")


class Found(Told):
    """What was found so far; no lines where the game is over. The score is that of the best line."""

    type: Literal["found"] = "found"
    depth: int
    nodes: int
    seconds: float
    verdict: str
    score: ScoreFacts
    chances: float
    lines: list[LineFacts]


class Values(Told):
    """The exact value of every move to the side to move, by its text: what a game of Kalah ends with."""

    type: Literal["values"] = "values"
    values: dict[str, int]


class Waiting(Told):
    """Others are served first; it goes on by itself."""

    type: Literal["waiting"] = "waiting"


class Ended(Told):
    """Nothing more comes; `error` says why where something was wrong."""

    type: Literal["ended"] = "ended"
    error: str | None = None


class GameRequest(Model):
    """A game that is to be judged move by move."""

    subject: Subject


class Judged(Told):
    """A position of a game: `ply` moves were played before it. The score is that of the first side."""

    type: Literal["judged"] = "judged"
    ply: int
    score: ScoreFacts
    chances: float
    mark: str | None = Field(default=None, description="What is wrong with the move that led here: ?!, ? or ??.")
    best: str | None = Field(default=None, description="What should have been played instead of that move.")


# Game files


class Node(Model):
    """A move of a tree. Nodes stand in a list; the first that has a parent is its main continuation."""

    parent: int = Field(ge=-1, description="The number of the node before it in the list; -1 for the start.")
    move: Text = Field(description="As `full` has it, or as game files write it.")
    comment: str = Field(default="", max_length=10_000)
    glyphs: list[Annotated[int, Field(ge=0, le=65_535)]] = Field(default=[], max_length=20, description="NAGs: 2 is ?.")


class Tree(Model):
    """A written game with variations and comments."""

    variant: Text = Field(examples=["international"])
    houses: Houses = None
    seeds: Seeds = None
    position: Text | None = Field(default=None, description="Where it begins; without it, the start of the variant.")
    tags: dict[str, str] = Field(default={}, max_length=100)
    comment: str = Field(default="", max_length=10_000, description="What stands before the first move.")
    nodes: list[Node] = Field(default=[], max_length=MOST_NODES)


class GameFile(Model):
    """The text of a game file: PDN for draughts, lines of names and values for mancala."""

    text: str = Field(examples=["1. 32-28 (1. 33-28) 19-23 *"])
    variant: Text | None = Field(default=None, description="Of games that do not name theirs.")


class ReadNode(Ply):
    """A node, and the board after it."""

    parent: int
    comment: str = ""
    glyphs: list[int] = []


class ReadTree(Model):
    """A game of a file, ready to be shown."""

    variant: str
    houses: int | None = None
    seeds: int | None = None
    start: Scene
    tags: dict[str, str] = {}
    comment: str = ""
    nodes: list[ReadNode] = []


class ReadFile(Model):
    """The games of a file; `problems` tell of those that could not be read."""

    games: list[ReadTree]
    problems: list[str] = []


class WrittenFile(Model):
    """The text of a game file; `problems` tell what it has no place for."""

    text: str
    problems: list[str] = []
