"""The models of the HTTP and WebSocket API. Names of sides depend on the family, such as `white` or `south`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Discriminator, FailFast, Field, GetJsonSchemaHandler, Tag
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from tablemen.search import DEFAULT_LEVEL

MAX_MOVES = 2000  # moves of a game in a request
MAX_OPENING_MOVES = 400  # moves that a new game may start with
MAX_NODES = 20_000  # moves of a game tree, variations included
MAX_TEXT_LENGTH = 400  # characters of a position or a move
MAX_HOUSES = 24  # on each side
MAX_SQUARES = 1024  # of a board, light squares included; the largest is 32×32
MAX_COMMENT_LENGTH = 10_000  # characters of a comment or of the value of a tag
MAX_TAGS = 100  # of a game; files have about twenty
MAX_GLYPHS = 20  # of a move
MAX_FIELDS = MAX_TAGS  # fields of any object in a request

# Maximum sizes of requests and messages in bytes, except those with a game file: `Settings.body_bytes` limits those.
MAX_REQUEST_BYTES = 64_000  # a game of `MAX_MOVES` moves has about 20,000
MAX_ACTION_BYTES = 4000  # an action has at most one text; each of its characters may be escaped

Text: TypeAlias = Annotated[str, Field(max_length=MAX_TEXT_LENGTH)]
Houses: TypeAlias = Annotated[
    int | None, Field(ge=1, le=MAX_HOUSES, description="The number of houses of a side, for mancala.")
]
Seeds: TypeAlias = Annotated[
    int | None, Field(ge=1, le=1000, description="The number of seeds in each house at the start, for mancala.")
]


class Model(BaseModel):
    """Base of all models: immutable, and unknown fields are rejected."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ErrorResponse(Model):
    """The reason why a request failed."""

    error: str = Field(description="The reason in a sentence, for users.")
    problems: list[str] = Field(default=[], description="The problems of an invalid request, one by one.")


# Variants and boards


class SquareInfo(Model):
    """A square of a draughts board. As White sees the board, row 0 is at the top and column 0 at the left."""

    name: str
    row: int
    column: int


class DraughtsBoardShape(Model):
    """The shape of a draughts board."""

    kind: Literal["draughts"] = "draughts"
    rows: int
    columns: int
    squares: list[SquareInfo]
    numbered: bool = Field(description="Whether the names of squares are numbers. They are drawn on the squares.")
    row_labels: list[str] = Field(description="The label of each row; empty if the squares are numbered.")
    column_labels: list[str] = Field(description="The label of each column; empty if the squares are numbered.")


class MancalaBoardShape(Model):
    """The shape of a mancala board."""

    kind: Literal["mancala"] = "mancala"
    houses: int = Field(description="The houses of a side, numbered from 1 in the direction of sowing.")
    seeds: int = Field(description="The seeds in each house at the start.")
    sows_store: bool = Field(description="Whether a player's own store gets a seed when it is passed.")


class OtherBoardShape(Model):
    """The shape of a board of another family, which defines more fields."""

    model_config = ConfigDict(extra="allow")

    kind: str


class VariantSummary(Model):
    """A variant in a list."""

    name: str
    title: str
    family: str
    about: str = Field(description="A short description of the board: `10×10, 20 men a side`.")
    provisional: bool = Field(default=False, description="Whether the sources of the rules disagree.")


class VariantInfo(VariantSummary):
    """A variant, its sides and its board."""

    sides: list[str] = Field(description="Both sides. The first is at the bottom of the board unless it is rotated.")
    first: str = Field(description="The side that moves first.")
    start: str = Field(description="The start position.")
    note: str = Field(description="A remark on the rules; may be empty.")
    size: dict[str, int] = Field(
        description="The dimensions that a request can change: `houses` and `seeds` in mancala."
    )
    file_suffix: str = Field(description="The suffix of game files, such as `pdn`.")
    solvable: bool = Field(description="Whether an analysis can include exact values.")
    losing: bool = Field(default=False, description="Whether the side without a legal move wins.")
    board: DraughtsBoardShape | MancalaBoardShape | OtherBoardShape = Field(union_mode="left_to_right")


# Positions and moves


class PositionSpec(Model):
    """A position, given by a start position and moves."""

    variant: Text = Field(examples=["international"])
    houses: Houses = None
    seeds: Seeds = None
    position: Text | None = Field(default=None, description="The start position; by default that of the variant.")
    moves: Annotated[list[Text], FailFast()] = Field(default=[], max_length=MAX_MOVES)


class PlaceQuery(PositionSpec):
    """A place of the board on which a user tries to begin a move."""

    place: Text = Field(
        description="A square. For mancala a house of the side to move (`3`) or of a given side (`north 3`)."
    )


class PlaceExplanation(Model):
    """The reason why no legal move begins on a place."""

    reason: str | None = Field(description="The reason in a sentence; null if a legal move begins there.")


class DraughtsSide(Model):
    """The pieces of a side in draughts, as names of squares."""

    men: Annotated[list[Text], FailFast()] = Field(default=[], max_length=MAX_SQUARES)
    kings: Annotated[list[Text], FailFast()] = Field(default=[], max_length=MAX_SQUARES)


class MancalaSide(Model):
    """The seeds of a side in mancala: in each of its houses, beginning with house 1, and in its store."""

    houses: Annotated[list[Annotated[int, Field(ge=0, le=65_535)]], FailFast()] = Field(max_length=MAX_HOUSES)
    store: Annotated[int, Field(ge=0, le=65_535)] = 0


class OtherSide(Model):
    """The pieces of a side in another family, which defines the fields."""

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
    """Replace `oneOf` by `anyOf` in the schema, since `OtherSide` also accepts sides of draughts and mancala."""

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
Board: TypeAlias = Annotated[
    dict[str, BoardSide], Field(description="The pieces or seeds of each side, by the name of the side.")
]


class PositionSetup(Model):
    """A position that was set up by hand."""

    variant: Text = Field(examples=["english"])
    houses: Houses = None
    seeds: Seeds = None
    board: Board = Field(examples=[{"white": {"men": ["22"], "kings": []}, "black": {"men": ["18"], "kings": []}}])
    turn: Text = Field(examples=["white"])


class MoveInfo(Model):
    """A move, with all details that a client needs to draw it and to recognise it from clicks.

    A client that compares clicks with `places` does not need to know the rules.
    """

    text: str = Field(description="The notation of game files.")
    full: str = Field(description="The unambiguous notation for requests, with every place of the path.")
    places: list[str] = Field(description="The places to click, in order: squares, a house, or `swap`.")
    captured: list[str] = Field(default=[], description="The squares of the captured pieces, in draughts.")
    crowns: bool = Field(default=False, description="Whether a man becomes a king, in draughts.")
    sowing: list[str] = Field(
        default=[],
        description="The pit of each sown seed, in order, such as `south 4`; empty if there are more than 200.",
    )
    captured_seeds: int = Field(default=0, description="The number of captured seeds, in mancala.")
    extra_turn: bool = Field(default=False, description="Whether the same side moves again, in mancala.")


class HintInfo(MoveInfo):
    """A good move."""

    reason: str = Field(
        default="", description="Why the move is good, if a tablebase proves it, such as `it wins in 5 plies`."
    )


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
    """The outcome of a game."""

    winner: str | None = Field(description="The side that has won; null for a draw.")
    termination: str = Field(description="The reason for the end, such as `agreement`.")
    text: str = Field(description="The outcome in a sentence.")
    score: dict[str, int] | None = Field(
        default=None, description="The final number of seeds of each side, for mancala."
    )


class GameView(Model):
    """A game with the board after every move, and the legal moves.

    `plies` begins with number `since`; the client has the earlier ones already.
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
    claims: list[str] = Field(default=[], description="The reasons for which the side to move can claim a draw.")


# Games


class NewGame(Model):
    """The settings of a new game: players, variant and clock."""

    variant: Text = Field(examples=["international"])
    houses: Houses = None
    seeds: Seeds = None
    position: Text | None = None
    moves: Annotated[list[Text], FailFast()] = Field(default=[], max_length=MAX_OPENING_MOVES)
    opponent: Literal["computer", "screen", "link", "engine"] = Field(
        default="computer",
        description="The computer, a person on the same screen, a person who gets a link, or an engine of the server.",
    )
    level: int = Field(default=DEFAULT_LEVEL, ge=1, le=10, description="The level of the computer.")
    engine: Text | None = Field(default=None, description="The name of the engine, if the opponent is `engine`.")
    side: Text | None = Field(default=None, description="The side that you play; random by default.")
    clock: Text | None = Field(
        default=None,
        description="The time control; `5+3` is 5 minutes for each side and 3 seconds more for every move.",
        examples=["5+3"],
    )


class EngineInfo(Model):
    """An engine of the server."""

    name: str
    variants: list[str] = Field(description="The variants that the engine plays.")


class CreatedGame(Model):
    """A new game and the keys of its sides. Only this response contains the keys."""

    id: str
    keys: dict[str, str] = Field(
        description="The key of each side that a person plays. On a shared screen both sides have the same key."
    )
    side: str = Field(description="The side that you play; on a shared screen, the side to move.")


class PlayerInfo(Model):
    """The player of a side."""

    kind: Literal["person", "computer", "engine"]
    level: int | None = None
    name: str | None = Field(default=None, description="The name of an engine.")
    connected: bool = Field(description="Whether the player is connected; always true for the computer and engines.")


class ClockState(Model):
    """The clock when the message was sent."""

    control: str = Field(description="The time control, such as `5+3`.")
    left: dict[str, float] = Field(description="The remaining seconds of each side.")
    running: str | None = Field(description="The side whose clock is running.")


ActionName: TypeAlias = Literal["move", "takeback", "draw", "decline", "resign", "hint", "rematch", "retry"]


class GameState(GameView):
    """A game between players."""

    type: Literal["state"] = "state"
    id: str
    revision: int = Field(
        description="A number that grows with every change of the game; connections and searches do not change it."
    )
    opening: int = Field(description="The number of moves that the game was created with.")
    players: dict[str, PlayerInfo]
    clock: ClockState | None = None
    thinking: bool = Field(default=False, description="Whether the computer or engine is choosing a move.")
    problem: str | None = Field(
        default=None, description="Why the engine cannot move, in a sentence. The action `retry` makes it try again."
    )
    offers: dict[str, str] = Field(
        default={},
        description="The open offers, each with the side that made it: `draw`, `takeback`, or `rematch` after the end.",
    )
    next: str | None = Field(
        default=None,
        description="The id of the rematch, when both players have agreed to one. There each key has the other side.",
    )
    you: list[str] = Field(description="The sides that your key can move.")
    devices: int = Field(default=0, description="The number of devices that are connected with your key.")
    actions: list[ActionName] = Field(description="The actions that your key allows now.")


class Action(Model):
    """An action of a player.

    `draw` claims a draw if that is possible. Otherwise it offers a draw or accepts an offer; on a shared screen the
    game is drawn at once. Against the computer or an engine, it also claims a draw that a tablebase proves. `takeback`
    takes back a move; in a game by link it asks the opponent first, or accepts such a request. `rematch` asks for
    another game by link with the sides exchanged, or accepts one. `decline` rejects an offer. `retry` makes a failed
    engine try again.
    """

    action: ActionName
    move: Text | None = Field(default=None, description="The move, if the action is `move`.")
    ply: int | None = Field(
        default=None,
        ge=0,
        description="The number of moves before this one. With it, a move that is sent twice is played once.",
    )


class ActionRequest(Action):
    """An action over a WebSocket; its reply has the same `id`."""

    id: int


class ClientHello(Model):
    """The first message of a client, with its key if it has one."""

    type: Literal["hello"] = "hello"
    key: str | None = Field(default=None, max_length=100)
    device: str | None = Field(
        default=None,
        max_length=100,
        description="A random text that a client repeats after a lost connection. The server then drops the old one.",
    )


class Heartbeat(Model):
    """A message to any WebSocket, which the server repeats at once. Without the reply, the connection is lost."""

    type: Literal["heartbeat"]


class ActionReply(Model):
    """The reply to an action over a WebSocket."""

    type: Literal["answer"] = "answer"
    id: int
    error: str | None = Field(default=None, description="Why the action failed; null if it succeeded.")
    hint: HintInfo | None = None


class ActionResult(Model):
    """The result of an action over HTTP."""

    state: GameState
    hint: HintInfo | None = None


# Analysis


class AnalysisRequest(Model):
    """A position to analyse, and the limits of the search."""

    subject: PositionSpec
    lines: int = Field(default=3, ge=1, le=10, description="The number of best lines to find.")
    seconds: float = Field(default=10.0, gt=0, description="The time limit; the server may have a shorter one.")
    depth: int | None = Field(default=None, ge=1, le=200, description="The maximum depth in plies.")


class AnalyseCommand(AnalysisRequest):
    """Start an analysis over a WebSocket, in place of the current one. Its results have the same `id`."""

    type: Literal["analyse"]
    id: int


class StopCommand(Model):
    """Stop the current analysis of a WebSocket."""

    type: Literal["stop"]


class ScoreInfo(Model):
    """A score. In draughts the `value` of a win or a loss is infinite, and therefore null."""

    text: str
    value: float | None
    exact: bool = Field(description="Whether the score is proven.")
    plies: int | None = Field(
        description="At most this many plies to the end, if a win or a loss in draughts is proven."
    )


class LineInfo(Model):
    """A principal variation. The score is from the point of view of the first of the variant's sides."""

    move: MoveInfo
    line: list[str]
    score: ScoreInfo
    chances: float = Field(description="The expected result of the first side, from 0 (loss) to 1 (win).")


class StreamMessage(Model):
    """A message of an analysis."""

    id: int = Field(default=0, description="The `id` of the request over a WebSocket; 0 over HTTP.")


ProvenValue: TypeAlias = Literal["win", "draw", "loss"]


class EndgameMove(Model):
    """A legal move with its proven value for the side to move."""

    move: MoveInfo
    value: ProvenValue
    distance: int | None = Field(description="Plies to the end of the game, this move included, if they are known.")


class EndgameInfo(Model):
    """The value of a position for the side to move, which a tablebase proves. It ignores draw rules."""

    value: ProvenValue
    distance: int | None = Field(description="Plies to the end of the game; null in a draw and if they are not known.")
    drawn_by: str | None = Field(description="The draw rule that may end the game before it is won.")
    moves: list[EndgameMove] = Field(description="All legal moves, the best one first.")
    line: list[str] = Field(description="The fastest win against the longest defence, if the distance is known.")


class AnalysisUpdate(StreamMessage):
    """The best lines so far; empty if the game is over. The score is that of the best line.

    If a tablebase has the position, `verdict`, `score` and `lines` follow from its proven value, unless a draw rule may
    end the game first.
    """

    type: Literal["found"] = "found"
    depth: int
    nodes: int
    seconds: float
    verdict: str
    score: ScoreInfo
    chances: float
    lines: list[LineInfo]
    endgame: EndgameInfo | None = Field(default=None, description="The proven value, if a tablebase has the position.")


class MoveValues(StreamMessage):
    """The exact value of every move: with perfect play, the final lead of the side to move, in seeds."""

    type: Literal["values"] = "values"
    values: dict[str, int]


class TablebaseNotice(StreamMessage):
    """A notice that no tablebase has a position with few pieces. Only a server for its own machine sends it."""

    type: Literal["tablebase"] = "tablebase"
    command: str = Field(description="The command that builds a tablebase with this position.")


class QueuedNotice(StreamMessage):
    """A notice that the analysis is queued. It starts or continues without another request."""

    type: Literal["waiting"] = "waiting"


class StreamEnd(StreamMessage):
    """The last message of an analysis; `error` is the reason if it failed."""

    type: Literal["ended"] = "ended"
    error: str | None = None


class ReviewRequest(Model):
    """A game to review move by move."""

    subject: PositionSpec


class ReviewedPosition(StreamMessage):
    """The evaluation of a game after `ply` moves. The score is from the point of view of the first side."""

    type: Literal["judged"] = "judged"
    ply: int
    score: ScoreInfo
    chances: float
    mark: str | None = Field(
        default=None, description="The mark of the last move, if it was a mistake: `?!`, `?` or `??`."
    )
    best: str | None = Field(default=None, description="The best move instead of the mistake.")
    proven: str | None = Field(
        default=None, description="The proven value in a sentence, if a tablebase has the position."
    )


# Game files


class TreeNodeSpec(Model):
    """A move of a game tree. The first child of a node in the list is its main continuation."""

    parent: int = Field(ge=-1, description="The index of the node of the move before; -1 for the start position.")
    move: Text = Field(description="The `full` text of the move, or the notation of game files.")
    comment: str = Field(default="", max_length=MAX_COMMENT_LENGTH)
    glyphs: Annotated[list[Annotated[int, Field(ge=0, le=65_535)]], FailFast()] = Field(
        default=[], max_length=MAX_GLYPHS, description="PDN's numeric annotation glyphs; 2 is `?`."
    )


class GameTreeSpec(Model):
    """A game with variations and comments."""

    variant: Text = Field(examples=["international"])
    houses: Houses = None
    seeds: Seeds = None
    position: Text | None = Field(default=None, description="The start position; by default that of the variant.")
    tags: dict[Text, Annotated[str, Field(max_length=MAX_COMMENT_LENGTH)]] = Field(default={}, max_length=MAX_TAGS)
    comment: str = Field(default="", max_length=MAX_COMMENT_LENGTH, description="The comment before the first move.")
    nodes: Annotated[list[TreeNodeSpec], FailFast()] = Field(default=[], max_length=MAX_NODES)


class GameFileText(Model):
    """The text of a game file in the format of its family, or positions, one per line."""

    text: str = Field(examples=["1. 32-28 (1. 33-28) 19-23 *"])
    variant: Text | None = Field(
        default=None, description="The variant of games that do not name theirs, and of positions."
    )
    houses: Houses = None
    seeds: Seeds = None


class FileLimits(Model):
    """The limits of game files. Of a file with more games or moves, only the first ones are returned."""

    bytes: int = Field(description="The maximum size of a request, which contains the file.")
    games: int
    moves: int = Field(description="The total of all games, variations included.")


class TreeNodeState(PlyState):
    """A node of a game tree, with the board after its move."""

    parent: int
    comment: str = ""
    glyphs: list[int] = []


class GameTreeState(Model):
    """A game of a file, with the board after every move."""

    variant: str
    houses: int | None = None
    seeds: int | None = None
    start: PositionState
    tags: dict[str, str] = {}
    comment: str = ""
    nodes: list[TreeNodeState] = []


class ParsedFile(Model):
    """The games of a file. `problems` lists the parts that could not be read."""

    games: list[GameTreeState]
    problems: list[str] = []


class FormattedFile(Model):
    """The text of a game file. `problems` lists what was omitted because the format does not support it."""

    text: str
    problems: list[str] = []
