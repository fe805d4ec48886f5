"""The public names, and the modules that importing them loads. Every change here affects users."""

from __future__ import annotations

import importlib
import subprocess
import sys
import tomllib
from dataclasses import fields
from importlib.metadata import version
from pathlib import Path

import pytest

import tablemen
from tablemen import Game, mancala
from tablemen.draughts import DraughtsRules, Move, Position

ROOT = Path(__file__).parents[1]

PUBLIC = {
    "tablemen": {
        "ArgumentError",
        "AmbiguousMoveError",
        "Game",
        "GameError",
        "GameOverError",
        "IllegalMoveError",
        "InvalidPositionError",
        "InvalidRulesError",
        "NotationError",
        "Outcome",
        "PdnError",
        "PeerError",
        "PeerGoneError",
        "PeerTimeoutError",
        "ProtocolError",
        "Side",
        "TablemenError",
        "Termination",
        "UnknownValueError",
        "UnknownVariantError",
        "UnsolvableError",
        "WorkLimitError",
        "__version__",
        "work_limit",
    },
    "tablemen.actions": {"ActionEncoding"},
    "tablemen.arrays": {
        "FORMATS",
        "NOT_OVER",
        "evaluate",
        "from_array",
        "hash_keys",
        "legal_masks",
        "mirror",
        "outcomes",
        "to_array",
        "turns",
    },
    "tablemen.cluster": {"Cluster", "open_cluster"},
    "tablemen.tasks": {"TaskProgress"},
    "tablemen.clock": {"GameClock", "TimeControl", "format_time", "parse_time_control"},
    "tablemen.analysis": {
        "GameAnalysis",
        "Mark",
        "MoveAnalysis",
        "PositionAnalysis",
        "Summary",
        "analyse_game",
        "analyse_games",
        "analyse_pdn",
        "analyse_position",
        "annotate_pdn",
        "annotate_record",
        "draw_graph",
        "draw_svg",
        "serialize_game_analysis",
        "serialize_position_analysis",
    },
    "tablemen.console": {"IO", "StandardIO"},
    "tablemen.draughts": {
        "ENGLISH",
        "INTERNATIONAL",
        "VARIANTS",
        "DraughtsRules",
        "Kind",
        "Move",
        "Piece",
        "Position",
        "Square",
        "find_variant",
    },
    "tablemen.draughts.evaluation": {
        "Evaluation",
        "Features",
        "get_evaluation",
        "pack_position",
        "unpack_position",
    },
    "tablemen.draughts.network": {"Network", "read_network", "write_network"},
    "tablemen.draughts.weights": {
        "FEATURES",
        "Pair",
        "Pattern",
        "Weights",
        "default_weights",
        "format_weights",
        "material_weights",
        "parse_weights",
        "read_weights",
        "write_weights",
    },
    "tablemen.draughts.notation": {
        "format_dxp_move",
        "format_dxp_position",
        "format_grid",
        "format_hub_move",
        "format_hub_position",
        "format_line",
        "format_move",
        "format_position",
        "format_rows",
        "format_square_lists",
        "format_turn",
        "list_places",
        "parse_dxp_move",
        "parse_dxp_position",
        "parse_grid",
        "parse_hub_move",
        "parse_hub_position",
        "parse_move",
        "parse_move_number",
        "parse_position",
        "parse_rows",
        "parse_square_lists",
        "parse_turn",
    },
    "tablemen.draughts.tablebase": {
        "MoveValue",
        "Progress",
        "Slice",
        "Statistics",
        "Tablebase",
        "Wdl",
        "build",
    },
    "tablemen.draughts.pdn": {
        "Nag",
        "PdnGame",
        "PdnLine",
        "PdnNode",
        "PdnReader",
        "Result",
        "format_pdn",
        "parse_pdn",
        "read_pdn",
        "write_pdn",
    },
    "tablemen.envs": {"Batch", "BatchEnv", "States"},
    "tablemen.envs.encoded_game": {"EncodedGame"},
    "tablemen.envs.gymnasium": {"TablemenEnv", "TablemenVectorEnv", "register_envs"},
    "tablemen.envs.open_spiel": {"TablemenGame", "TablemenObserver", "TablemenState"},
    "tablemen.envs.pettingzoo": {"TablemenAECEnv", "env"},
    "tablemen.endgame": {"EndgameResult", "ExactValues", "MoveValue", "Wdl", "WdlTablebase"},
    "tablemen.ground_truth": {"ExactValues", "GroundTruth", "regret", "share_of_optimal_moves"},
    "tablemen.exercises": {"IO", "Kalah", "allowed_moves", "is_legal_move", "valid_turns"},
    "tablemen.family": {
        "Family",
        "ScoreSheet",
        "families",
        "find_variant",
        "get_family",
        "position_lines",
        "register_family",
        "unregister_family",
    },
    "tablemen.protocols": {"Answer", "Engine"},
    "tablemen.protocols.dxp": {
        "AsyncDxpEngine",
        "DxpConnection",
        "DxpEngine",
        "DxpHost",
        "DxpProtocol",
        "DxpTimeouts",
        "GameSettings",
        "format_message",
        "parse_message",
    },
    "tablemen.protocols.hub": {
        "AsyncHubEngine",
        "HubAnalysis",
        "HubEngine",
        "HubMessage",
        "HubTimeouts",
        "Option",
        "OptionType",
        "format_message",
        "parse_message",
    },
    "tablemen.protocols.kgp": {
        "AsyncKgpEngine",
        "KgpBoard",
        "KgpClient",
        "KgpClientProtocol",
        "KgpEngine",
        "KgpMessage",
        "KgpServer",
        "KgpServerProtocol",
        "KgpServerSettings",
        "KgpTimeouts",
        "Word",
        "format_message",
        "parse_message",
    },
    "tablemen.protocols.transport": {
        "Framing",
        "Listener",
        "Transport",
        "connect",
        "listen",
        "open_process",
        "open_standard_streams",
    },
    "tablemen.search": {
        "Analysis",
        "BatchEvaluation",
        "Clock",
        "Info",
        "Level",
        "Limit",
        "Score",
        "SearchResult",
        "Searcher",
        "Strength",
    },
    "tablemen.move_input": {"MoveInput"},
    "tablemen.players": {
        "DxpPlayer",
        "EVALUATORS",
        "Evaluator",
        "MctsPlayer",
        "PLAYERS",
        "RESIGN",
        "SearchTree",
        "find_evaluator",
        "HubPlayer",
        "KgpPlayer",
        "HumanPlayer",
        "MinimaxPlayer",
        "Player",
        "RandomPlayer",
        "RobotPlayer",
        "SearcherPlayer",
        "WrittenPlayer",
        "format_player",
        "parse_player",
    },
    "tablemen.match": {
        "DrawAdjudication",
        "Match",
        "MatchScore",
        "Openings",
        "PlayedGame",
        "ResignAdjudication",
        "MatchGame",
        "Sprt",
        "MatchResults",
        "Verdict",
        "parse_draw",
        "parse_openings",
        "parse_resign",
        "parse_sprt",
        "play_game",
    },
    "tablemen.saved_games": {"DamagedGame", "FileAutoSave", "SavedGame", "SavedGames"},
    "tablemen.session": {"AutoSave", "Hint", "PlayerChoice", "Session"},
    "tablemen.transcript": {
        "Failure",
        "Line",
        "LineKind",
        "Problem",
        "Report",
        "Step",
        "Transcript",
        "TranscriptIO",
        "format_transcript",
        "parse_transcript",
        "read_transcript",
        "run_command",
        "run_transcript",
    },
    "tablemen.mancala": {
        "KALAH",
        "NORTH",
        "OWARE",
        "SOUTH",
        "VARIANTS",
        "Capture",
        "End",
        "GrandSlam",
        "KalahRules",
        "MancalaRules",
        "Move",
        "OwareRules",
        "Position",
        "Progress",
        "Rest",
        "Solution",
        "Swap",
        "TableWarning",
        "find_variant",
        "solve",
        "solve_all",
        "solve_in_tasks",
    },
    "tablemen.testing": {"check_position"},
    "tablemen.tui": {"TablemenApp", "run"},
    "tablemen.web": {"Settings", "create_app"},
}
MEMBERS = {
    Game: {
        "agree_draw",
        "claim_draw",
        "claim_proven_draw",
        "claims",
        "copy",
        "count_moves",
        "declared",
        "draw_counts",
        "fen",
        "legal_moves",
        "lose_on_time",
        "moves",
        "outcome",
        "pop",
        "position",
        "positions",
        "push",
        "resign",
        "start",
        "svg",
        "text",
        "turn",
    },
    Move: {"ambiguous", "captured", "crowns", "end", "is_capture", "path", "start", "variant"},
    Position: {
        "divide",
        "draw_counters",
        "explain_illegal",
        "fen",
        "find_moves",
        "from_fen",
        "from_letters",
        "hash_key",
        "is_legal",
        "king_runs",
        "legal_moves",
        "letters",
        "listed",
        "mirror",
        "outcome",
        "parse_move",
        "perft",
        "piece_at",
        "piece_map",
        "play",
        "play_unchecked",
        "random_playouts",
        "replace",
        "squares",
        "svg",
        "start",
        "text",
        "turn",
        "variant",
    },
    mancala.Move: {"captured", "extra_turn", "house", "is_swap", "sown", "variant"},
    mancala.Position: {
        "divide",
        "evaluate",
        "explain_illegal",
        "from_text",
        "hash_key",
        "houses",
        "is_legal",
        "legal_moves",
        "mirror",
        "outcome",
        "parse_move",
        "perft",
        "play",
        "play_unchecked",
        "random_playouts",
        "replace",
        "score",
        "start",
        "stores",
        "svg",
        "swap_open",
        "text",
        "turn",
        "variant",
    },
}
RULES = {
    "name title aliases columns rows playable corner_playable start_rows start_gap first",
    "game_type notation first_square capture_separator",
    "man_moves man_captures men_capture_kings promotion",
    "flying_kings king_moves king_captures king_landing king_move_limit",
    "capture_compulsory precedence removal reverse_captures",
    "losing breakthrough lone_piece_loses lone_man_loses_to_king draws",
    "provisional note sources",
}
MANCALA = "name title aliases houses seeds draws note sources"
KALAH = f"{MANCALA} capture end rest swap"
OWARE = f"{MANCALA} grand_slam must_feed majority_ends"
TREE = {
    "TablemenError": "ValueError",
    "ArgumentError": "TablemenError",
    "AmbiguousMoveError": "NotationError",
    "GameError": "TablemenError",
    "GameOverError": "GameError",
    "IllegalMoveError": "TablemenError",
    "InvalidPositionError": "TablemenError",
    "InvalidRulesError": "TablemenError",
    "NotationError": "TablemenError",
    "PdnError": "NotationError",
    "PeerError": "TablemenError",
    "PeerGoneError": "PeerError",
    "PeerTimeoutError": "PeerError",
    "ProtocolError": "PeerError",
    "UnknownValueError": "TablemenError",
    "UnknownVariantError": "TablemenError",
    "UnsolvableError": "TablemenError",
    "WorkLimitError": "TablemenError",
}


@pytest.mark.parametrize("module", PUBLIC)
def test_a_module_exports_exactly_these_names(module: str) -> None:
    exported = importlib.import_module(module).__all__
    assert set(exported) == PUBLIC[module]
    assert len(exported) == len(set(exported))


@pytest.mark.parametrize("kind", MEMBERS, ids=lambda kind: kind.__name__)
def test_a_class_has_exactly_these_members(kind: type) -> None:
    assert {name for name in dir(kind) if not name.startswith("_")} == MEMBERS[kind]
    assert all(getattr(kind, name).__doc__ for name in MEMBERS[kind])


def test_draughts_rules_have_exactly_these_fields() -> None:
    assert {field.name for field in fields(DraughtsRules)} == {name for line in RULES for name in line.split()}


def test_mancala_rules_have_exactly_these_fields() -> None:
    for rules, names in ((mancala.KalahRules, KALAH), (mancala.OwareRules, OWARE)):
        assert {field.name for field in fields(rules)} == set(names.split())


def test_the_tree_contains_every_error() -> None:
    assert set(TREE) == {name for name in PUBLIC["tablemen"] if name.endswith("Error")}


@pytest.mark.parametrize("name", TREE)
def test_the_errors_form_a_tree(name: str) -> None:
    assert [base.__name__ for base in getattr(tablemen, name).__bases__] == [TREE[name]]


def imported_by(statement: str) -> set[str]:
    """Return the modules that a statement loads into a fresh interpreter."""
    script = f"import sys; before = set(sys.modules); {statement}; print(*sorted(set(sys.modules) - before))"
    return set(
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    )


def ours(modules: set[str]) -> set[str]:
    return {name for name in modules if name.partition(".")[0] == "tablemen"}


def foreign(modules: set[str]) -> set[str]:
    return {name for name in modules - ours(modules) if name.partition(".")[0] not in sys.stdlib_module_names}


def test_import_tablemen_is_light() -> None:
    modules = imported_by("import tablemen")
    light = {"draws", "errors", "game", "enums", "outcome", "position", "validation", "work"}
    assert ours(modules) == {"tablemen", *(f"tablemen.{name}" for name in light)}
    assert foreign(modules) == set()


@pytest.mark.parametrize("name", ["draughts", "mancala", "testing", "family", "players", "session", "saved_games"])
def test_core_modules_need_only_the_standard_library(name: str) -> None:
    modules = imported_by(f"import tablemen.{name}")
    assert "tablemen.cli" not in modules
    assert foreign(modules) == set()
    assert modules.isdisjoint({"asyncio", "unittest", "multiprocessing", "http", "xml", "email", "sqlite3", "argparse"})


def test_environments_import_no_library_for_others() -> None:
    libraries = {"gymnasium", "pettingzoo", "open_spiel", "pyspiel"}
    assert imported_by("import tablemen.envs").isdisjoint(libraries)
    assert imported_by("import tablemen.envs.encoded_game, tablemen.envs.adapters").isdisjoint(libraries)
    assert imported_by("import tablemen.envs.gymnasium").isdisjoint(libraries - {"gymnasium"})


def test_import_transcript_is_light() -> None:
    modules = imported_by("import tablemen.transcript")
    assert modules.isdisjoint({"tablemen._core", "tablemen.draughts", "tablemen.cli", "asyncio", "multiprocessing"})
    assert foreign(modules) == set()


def test_the_version_is_the_same_everywhere() -> None:
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]["version"]
    assert tablemen.__version__ == version("tablemen") == cargo
    assert f"## [{cargo}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_package_has_two_dependencies() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert [name.partition(">")[0] for name in project["dependencies"]] == ["click", "platformdirs"]
