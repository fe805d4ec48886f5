// The types of what the server says and hears. Written by `python -m tools.wire` from tablemen.web.models.

export interface Action {
  action: "move" | "takeback" | "draw" | "decline" | "resign" | "hint" | "rematch" | "retry";
  move?: string | null;
  ply?: number | null;
}

export interface Analyse {
  subject: Subject;
  lines?: number;
  seconds?: number;
  depth?: number | null;
  type: "analyse";
  id: number;
}

export interface AnalysisRequest {
  subject: Subject;
  lines?: number;
  seconds?: number;
  depth?: number | null;
}

export interface Answer {
  type: "answer";
  id: number;
  error: string | null;
  hint: MoveFacts | null;
}

export interface ClockFacts {
  control: string;
  left: Record<string, number>;
  running: string | null;
}

export interface CreatedGame {
  id: string;
  keys: Record<string, string>;
  side: string;
}

export interface Done {
  state: GameState;
  hint: MoveFacts | null;
}

export interface DraughtsBoardFacts {
  kind: "draughts";
  rows: number;
  columns: number;
  squares: SquareFacts[];
  numbered: boolean;
  row_labels: string[];
  column_labels: string[];
}

export interface Ended {
  id: number;
  type: "ended";
  error: string | null;
}

export interface EngineFacts {
  name: string;
  variants: string[];
}

export interface Found {
  id: number;
  type: "found";
  depth: number;
  nodes: number;
  seconds: number;
  verdict: string;
  score: ScoreFacts;
  chances: number;
  lines: LineFacts[];
}

export interface GameFile {
  text: string;
  variant?: string | null;
}

export interface GameRequest {
  subject: Subject;
}

export interface GameState {
  variant: string;
  houses: number | null;
  seeds: number | null;
  start: Scene;
  since: number;
  plies: Ply[];
  position: string;
  turn: string;
  legal: MoveFacts[];
  outcome: OutcomeFacts | null;
  claims: string[];
  type: "state";
  id: string;
  revision: number;
  opening: number;
  players: Record<string, Seat>;
  clock: ClockFacts | null;
  thinking: boolean;
  problem: string | null;
  offers: Record<string, string>;
  next: string | null;
  you: string[];
  actions: ("move" | "takeback" | "draw" | "decline" | "resign" | "hint" | "rematch" | "retry")[];
}

export interface Hello {
  type?: "hello";
  key?: string | null;
}

export interface Judged {
  id: number;
  type: "judged";
  ply: number;
  score: ScoreFacts;
  chances: number;
  mark: string | null;
  best: string | null;
}

export interface LineFacts {
  move: MoveFacts;
  line: string[];
  score: ScoreFacts;
  chances: number;
}

export interface MancalaBoardFacts {
  kind: "mancala";
  houses: number;
  seeds: number;
  sows_store: boolean;
}

export interface MoveFacts {
  text: string;
  full: string;
  places: string[];
  captured: string[];
  crowns: boolean;
  sowing: string[];
  captured_seeds: number;
  extra_turn: boolean;
}

export interface NewGame {
  variant: string;
  houses?: number | null;
  seeds?: number | null;
  position?: string | null;
  moves?: string[];
  opponent?: "computer" | "screen" | "link" | "engine";
  level?: number;
  engine?: string | null;
  side?: string | null;
  clock?: string | null;
}

export interface Node {
  parent: number;
  move: string;
  comment?: string;
  glyphs?: number[];
}

export interface Objection {
  reason: string | null;
}

export interface OutcomeFacts {
  winner: string | null;
  termination: string;
  text: string;
  score: Record<string, number> | null;
}

export interface PlaceQuestion {
  variant: string;
  houses?: number | null;
  seeds?: number | null;
  position?: string | null;
  moves?: string[];
  place: string;
}

export interface Ply {
  position: string;
  turn: string;
  board: Record<string, SideOfDraughts> | Record<string, SideOfMancala>;
  side: string;
  move: MoveFacts;
}

export interface ReadFile {
  games: ReadTree[];
  problems: string[];
}

export interface ReadNode {
  position: string;
  turn: string;
  board: Record<string, SideOfDraughts> | Record<string, SideOfMancala>;
  side: string;
  move: MoveFacts;
  parent: number;
  comment: string;
  glyphs: number[];
}

export interface ReadTree {
  variant: string;
  houses: number | null;
  seeds: number | null;
  start: Scene;
  tags: Record<string, string>;
  comment: string;
  nodes: ReadNode[];
}

export interface Refusal {
  error: string;
  problems: string[];
}

export interface Request {
  action: "move" | "takeback" | "draw" | "decline" | "resign" | "hint" | "rematch" | "retry";
  move?: string | null;
  ply?: number | null;
  id: number;
}

export interface Scene {
  position: string;
  turn: string;
  board: Record<string, SideOfDraughts> | Record<string, SideOfMancala>;
}

export interface ScoreFacts {
  text: string;
  value: number | null;
  exact: boolean;
  plies: number | null;
}

export interface Seat {
  kind: "person" | "computer" | "engine";
  level: number | null;
  name: string | null;
  connected: boolean;
}

export interface Setup {
  variant: string;
  houses?: number | null;
  seeds?: number | null;
  board: Record<string, SideOfDraughts> | Record<string, SideOfMancala>;
  turn: string;
}

export interface SideOfDraughts {
  men: string[];
  kings: string[];
}

export interface SideOfMancala {
  houses: number[];
  store: number;
}

export interface SquareFacts {
  name: string;
  row: number;
  column: number;
}

export interface Stop {
  type: "stop";
}

export interface Subject {
  variant: string;
  houses?: number | null;
  seeds?: number | null;
  position?: string | null;
  moves?: string[];
}

export interface Told {
  id: number;
}

export interface Tree {
  variant: string;
  houses?: number | null;
  seeds?: number | null;
  position?: string | null;
  tags?: Record<string, string>;
  comment?: string;
  nodes?: Node[];
}

export interface Values {
  id: number;
  type: "values";
  values: Record<string, number>;
}

export interface VariantFacts {
  name: string;
  title: string;
  family: string;
  about: string;
  provisional: boolean;
  sides: string[];
  first: string;
  start: string;
  note: string;
  solvable: boolean;
  losing: boolean;
  board: DraughtsBoardFacts | MancalaBoardFacts;
}

export interface VariantSummary {
  name: string;
  title: string;
  family: string;
  about: string;
  provisional: boolean;
}

export interface View {
  variant: string;
  houses: number | null;
  seeds: number | null;
  start: Scene;
  since: number;
  plies: Ply[];
  position: string;
  turn: string;
  legal: MoveFacts[];
  outcome: OutcomeFacts | null;
  claims: string[];
}

export interface Waiting {
  id: number;
  type: "waiting";
}

export interface WrittenFile {
  text: string;
  problems: string[];
}
