"""The models of the HTTP and WebSocket API. Sides have the names that their family gives them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Discriminator, Field, GetJsonSchemaHandler, Tag
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

MAX_MOVES = 2000  # of a game in a request
MAX_OPENING_MOVES = 400  # played before a game between players begins
MAX_NODES = 20_000  # of a tree of variations
MAX_TEXT_LENGTH = 400  # of a position or a move
MAX_HOUSES = 24  # of a side

Text: TypeAlias = Annotated[str, Field(max_length=MAX_TEXT_LENGTH)]
Houses: TypeAlias = Annotated[int | None, Field(ge=1, le=MAX_HOUSES, description="Of a side, for mancala.")]
Seeds: TypeAlias = Annotated[int | None, Field(ge=1, le=1000, description="In each house at the start, for mancala.")]


class Model(BaseModel):
    """A frozen value that rejects unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ErrorResponse(Model):
    """The reason why a request failed, in a sentence."""

    error: str
    problems: list[str] = []


# Variants and boards


class SquareInfo(Model):
    """A square of a draughts board; row 0 is at Black's edge, column 0 at the left of it as White sees it."""

    name: str
    row: int
    column: int


class DraughtsBoardShape(Model):
    """The shape of a draughts board."""

    kind: Literal["draughts"] = "draughts"
    rows: int
    columns: int
    squares: list[SquareInfo]
    numbered: bool = Field(description="Whether the squares have numbers for names, which are drawn on them.")
    row_labels: list[str] = Field(description="The label beside each row; empty texts if squares are numbered.")
    column_labels: list[str]


class MancalaBoardShape(Model):
    """The shape of a mancala board."""

    kind: Literal["mancala"] = "mancala"
    houses: int = Field(description="The houses of a side, numbered from 1 in the direction of sowing.")
    seeds: int = Field(description="The seeds in each house at the start.")
    sows_store: bool


class OtherBoardShape(Model):
    """The shape of a board of another family, with fields of its own."""

    model_config = ConfigDict(extra="allow")

    kind: str


class VariantSummary(Model):
    """A variant in a list."""

    name: str
    title: str
    family: str
    about: str = Field(description="The board in a few words: 10x10, 20 men a side.")
    provisional: bool = False


class VariantInfo(VariantSummary):
    """A variant, its sides and its board."""

    sides: list[str] = Field(description="The first is at the bottom unless the board is turned around.")
    first: str = Field(description="The side that moves first.")
    start: str = Field(description="The position that games begin with.")
    note: str
    size: dict[str, int] = Field(description="The dimensions that can be chosen: `houses` and `seeds` in mancala.")
    file_suffix: str = Field(description="Of the names of game files: `pdn`.")
    solvable: bool = Field(description="Whether exact values can be asked for.")
    losing: bool = Field(default=False, description="Whether the side that has nothing left to move with wins.")
    board: DraughtsBoardShape | MancalaBoardShape | OtherBoardShape = Field(union_mode="left_to_right")


# Positions and moves


class PositionSpec(Model):
    """A position: the start of a variant, or a given position, after some moves."""

    variant: Text = Field(examples=["international"])
    houses: Houses = None
    seeds: Seeds = None
    position: Text | None = Field(
        default=None, description="Where the moves begin; by default the start of the variant."
    )
    moves: list[Text] = Field(default=[], max_length=MAX_MOVES)


class PlaceQuery(PositionSpec):
    """A place on the board that was chosen as the start of a move."""

    place: Text = Field(
        description="A square; for mancala a house of the side to move (`3`), or of the other one (`north 3`)."
    )


class PlaceExplanation(Model):
    """The reason why no legal move begins with a place."""

    reason: str | None = Field(description="In words; null if a move begins there.")


class DraughtsSide(Model):
    """The pieces of a side in draughts, by the names of their squares."""

    men: list[str] = Field(default=[], max_length=1024)
    kings: list[str] = Field(default=[], max_length=1024)


class MancalaSide(Model):
    """The seeds of a side in mancala: in each house from 1 on, and in its store."""

    houses: list[Annotated[int, Field(ge=0, le=65_535)]] = Field(max_length=MAX_HOUSES)
    store: Annotated[int, Field(ge=0, le=65_535)] = 0


class OtherSide(Model):
    """The pieces of a side in another family, with fields of its own."""

    model_config = ConfigDict(extra="allow")


def _side_kind(side: Any) -> str:
    fields: set[Any] = side.model_fields_set if isinstance(side, Model) else set()
    if isinstance(side, Mapping):
        fields = set(side)
    for kind, model in (("draughts", DraughtsSide), ("mancala", MancalaSide)):
        if fields and fields <= model.model_fields.keys():
            return kind
    return "other"


class _AnyOf:
    """Describe the kinds as `anyOf`: a side of draughts or mancala is also valid as one of another family."""

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        described = handler(schema)
        described["anyOf"] = described.pop("oneOf")
        return described


BoardSide: TypeAlias = Annotated[
    Annotated[DraughtsSide, Tag("draughts")]
    | Annotated[MancalaSide, Tag("mancala")]
    | Annotated[OtherSide, Tag("other")],
    Discriminator(_side_kind),
    _AnyOf(),
]
Board: TypeAlias = Annotated[dict[str, BoardSide], Field(description="By the names of the sides.")]


class PositionSetup(Model):
    """A position that was set up by hand."""

    variant: Text = Field(examples=["english"])
    houses: Houses = None
    seeds: Seeds = None
    board: Board = Field(examples=[{"white": {"men": ["22"], "kings": []}, "black": {"men": ["18"], "kings": []}}])
    turn: Text = Field(examples=["white"])


class MoveInfo(Model):
    """A move, and all that is needed to draw it. A client finds moves from clicks by their `places`, without rules."""

    text: str = Field(description="As game files write it.")
    full: str = Field(description="Unambiguous text for requests, with every place of the path.")
    places: list[str] = Field(description="The places to click, in order: squares, a house, or `swap`.")
    captured: list[str] = Field(default=[], description="The squares of the captured pieces, in draughts.")
    crowns: bool = False
    sowing: list[str] = Field(
        default=[],
        description="The pits that seeds fall into, in order: `south 4`; empty if more than 200 are sown.",
    )
    captured_seeds: int = 0
    extra_turn: bool = False


class PositionState(Model):
    """A position: its text, its board, and the side to move."""

    position: str
    turn: str
    board: Board


class PlyState(PositionState):
    """A move that was played, and the board after it."""

    side: str = Field(description="The side that moved.")
    move: MoveInfo


class OutcomeInfo(Model):
    """How a game ended."""

    winner: str | None
    termination: str
    text: str = Field(description="The outcome in a sentence.")
    score: dict[str, int] | None = Field(default=None, description="For mancala: the final seeds of each side.")


class GameView(Model):
    """A game with every board of it, and its legal moves.

    `plies` are those from number `since` on; the client knows the others.
    """

    variant: str
    houses: int | None = None
    seeds: int | None = None
    start: PositionState
    since: int = 0
    plies: list[PlyState]
    position: str
    turn: str
    legal: list[MoveInfo] = Field(description="Every path of every legal move; empty when the game is over.")
    outcome: OutcomeInfo | None = None
    claims: list[str] = Field(default=[], description="The reasons for which a draw can be claimed now, in words.")


# Games


class NewGame(Model):
    """The settings of a new game: players, variant and clock."""

    variant: Text = Field(examples=["international"])
    houses: Houses = None
    seeds: Seeds = None
    position: Text | None = None
    moves: list[Text] = Field(default=[], max_length=MAX_OPENING_MOVES)
    opponent: Literal["computer", "screen", "link", "engine"] = Field(
        default="computer",
        description="The computer, a friend on the same screen, a friend who gets a link, or an engine of the server.",
    )
    level: int = Field(default=5, ge=1, le=10, description="Of the computer.")
    engine: Text | None = Field(default=None, description="For `engine`: its name.")
    side: Text | None = Field(default=None, description="The side that you play, by its name; by default a random one.")
    clock: Text | None = Field(default=None, description="Minutes, and seconds a move: 5+3.", examples=["5+3"])


class EngineInfo(Model):
    """An engine to play against."""

    name: str
    variants: list[str] = Field(description="The variants that it plays.")


class CreatedGame(Model):
    """A new game, and the keys that can move its sides. The keys are sent only here."""

    id: str
    keys: dict[str, str] = Field(description="By side; both sides have the same key on a shared screen.")
    side: str = Field(description="The side that you play, or that is to move first on a shared screen.")


class PlayerInfo(Model):
    """The player of a side."""

    kind: Literal["person", "computer", "engine"]
    level: int | None = None
    name: str | None = Field(default=None, description="Of an engine.")
    connected: bool = Field(description="Whether a page with the side's key is open; computers always are.")


class ClockState(Model):
    """The clock at the time of the message."""

    control: str
    left: dict[str, float] = Field(description="Seconds.")
    running: str | None


ActionName: TypeAlias = Literal["move", "takeback", "draw", "decline", "resign", "hint", "rematch", "retry"]


class GameState(GameView):
    """A game between players."""

    type: Literal["state"] = "state"
    id: str
    revision: int = Field(
        description="Grows with every stored change, but not with connections or while the computer thinks."
    )
    opening: int = Field(description="How many moves were played before the game began.")
    players: dict[str, PlayerInfo]
    clock: ClockState | None = None
    thinking: bool = Field(default=False, description="Whether the computer is choosing a move.")
    problem: str | None = Field(
        default=None, description="Why an engine does not move, in words; `retry` asks it again."
    )
    offers: dict[str, str] = Field(
        default={},
        description="Open offers with the side that made them: `draw`, `takeback`, and `rematch` after the end.",
    )
    next: str | None = Field(
        default=None,
        description="The next game, once a rematch was accepted. Each key moves the other side there.",
    )
    you: list[str] = Field(description="The sides that your key can move.")
    actions: list[ActionName] = Field(description="The actions that your key allows now.")


class Action(Model):
    """An action of a player.

    `draw` claims a draw, offers one, or accepts an offer; on a shared screen it is agreed at once. `takeback` asks the
    other side if that is a person elsewhere, or accepts; `decline` rejects an offer. `rematch` asks for another game
    between two players with a link, or accepts; each key moves the other side there. `retry` asks an engine again
    that has failed.
    """

    action: ActionName
    move: Text | None = Field(default=None, description="For `move`: the move.")
    ply: int | None = Field(
        default=None,
        ge=0,
        description="For `move`: how many moves were played before it, which makes a repeated request harmless.",
    )


class ActionRequest(Action):
    """An action over a WebSocket; its reply has the same `id`."""

    id: int


class ClientHello(Model):
    """The first message of a client: its key, if it has one."""

    type: Literal["hello"] = "hello"
    key: str | None = Field(default=None, max_length=100)


class ActionReply(Model):
    """The reply to an action over a WebSocket."""

    type: Literal["answer"] = "answer"
    id: int
    error: str | None = Field(default=None, description="Why the action failed; null if it succeeded.")
    hint: MoveInfo | None = None


class ActionResult(Model):
    """The result of an action over HTTP."""

    state: GameState
    hint: MoveInfo | None = None


# Analysis


class AnalysisRequest(Model):
    """A position to analyse, and the limits of the search."""

    subject: PositionSpec
    lines: int = Field(default=3, ge=1, le=10)
    seconds: float = Field(default=10.0, gt=0, description="At most; the limit of the server applies too.")
    depth: int | None = Field(default=None, ge=1, le=200)


class AnalyseCommand(AnalysisRequest):
    """A request over a WebSocket. It replaces the one before; its results have its `id`."""

    type: Literal["analyse"]
    id: int


class StopCommand(Model):
    """Stop the current analysis of a WebSocket."""

    type: Literal["stop"]


class ScoreInfo(Model):
    """A score. `value` is null if it is infinite: a win or a loss in draughts."""

    text: str
    value: float | None
    exact: bool
    plies: int | None


class LineInfo(Model):
    """A principal variation; the score is that of the first of the variant's sides."""

    move: MoveInfo
    line: list[str]
    score: ScoreInfo
    chances: float = Field(description="The share of the points that the first side can expect.")


class StreamMessage(Model):
    """A message of an analysis."""

    id: int = Field(default=0, description="That of the request over a WebSocket; 0 over HTTP.")


class AnalysisUpdate(StreamMessage):
    """The best lines so far; none if the game is over. The score is that of the best line."""

    type: Literal["found"] = "found"
    depth: int
    nodes: int
    seconds: float
    verdict: str
    score: ScoreInfo
    chances: float
    lines: list[LineInfo]


class MoveValues(StreamMessage):
    """The exact value of every move for the side to move, by its text: the final score of a game of Kalah."""

    type: Literal["values"] = "values"
    values: dict[str, int]


class QueuedNotice(StreamMessage):
    """The analysis is queued; it continues by itself."""

    type: Literal["waiting"] = "waiting"


class StreamEnd(StreamMessage):
    """The last message; `error` is the reason if the analysis failed."""

    type: Literal["ended"] = "ended"
    error: str | None = None


class ReviewRequest(Model):
    """A game to review move by move."""

    subject: PositionSpec


class ReviewedPosition(StreamMessage):
    """A position of a game after `ply` moves. The score is that of the first side."""

    type: Literal["judged"] = "judged"
    ply: int
    score: ScoreInfo
    chances: float
    mark: str | None = Field(default=None, description="The mark of the move that led here: ?!, ? or ??.")
    best: str | None = Field(default=None, description="The better move instead of that one.")


# Game files


class TreeNodeSpec(Model):
    """A move of a game tree. The first node in the list with a parent is its main continuation."""

    parent: int = Field(ge=-1, description="The index of the node before it; -1 for the start.")
    move: Text = Field(description="The `full` text of a move, or its text in game files.")
    comment: str = Field(default="", max_length=10_000)
    glyphs: list[Annotated[int, Field(ge=0, le=65_535)]] = Field(default=[], max_length=20, description="NAGs: 2 is ?.")


class GameTreeSpec(Model):
    """A game with variations and comments."""

    variant: Text = Field(examples=["international"])
    houses: Houses = None
    seeds: Seeds = None
    position: Text | None = Field(
        default=None, description="Where the moves begin; by default the start of the variant."
    )
    tags: dict[str, str] = Field(default={}, max_length=100)
    comment: str = Field(default="", max_length=10_000, description="The comment before the first move.")
    nodes: list[TreeNodeSpec] = Field(default=[], max_length=MAX_NODES)


class GameFileText(Model):
    """The text of a game file in the format of its family."""

    text: str = Field(examples=["1. 32-28 (1. 33-28) 19-23 *"])
    variant: Text | None = Field(default=None, description="Of games that do not name their variant.")


class TreeNodeState(PlyState):
    """A node of a game tree with the board after its move."""

    parent: int
    comment: str = ""
    glyphs: list[int] = []


class GameTreeState(Model):
    """A game of a file with every board of it."""

    variant: str
    houses: int | None = None
    seeds: int | None = None
    start: PositionState
    tags: dict[str, str] = {}
    comment: str = ""
    nodes: list[TreeNodeState] = []


class ParsedFile(Model):
    """The games of a file; `problems` describe what could not be read."""

    games: list[GameTreeState]
    problems: list[str] = []


class FormattedFile(Model):
    """The text of a game file; `problems` describe what the format cannot hold."""

    text: str
    problems: list[str] = []
