//! What a game file is made of.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The name of a tag; its value comes next.
    Name,
    /// The value of a tag, without quotes, escapes as they stand.
    Value,
    /// A move number and its dots.
    Number,
    /// A move in squares.
    Move,
    /// `...` or `-`: a move that is not told.
    Unknown,
    /// `...` behind a move number: where it is the second side's turn it only says so.
    Placeholder,
    /// `!`, `?!`, `(?)`.
    Strength,
    /// The digits of `$7`.
    Nag,
    /// A comment without its braces.
    Comment,
    /// The FEN of `/FEN "…"/`.
    Setup,
    /// The begin of a variation.
    Open,
    /// The end of a variation.
    Close,
    /// A result or `*`: the end of a game.
    Result,
}

impl Kind {
    /// Whether it stands for a move.
    pub fn is_move(self) -> bool {
        matches!(self, Kind::Move | Kind::Unknown | Kind::Placeholder)
    }
}

/// A stretch of a game's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it begins, in bytes from the begin of the game.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
}

impl Token {
    /// The bytes of the token.
    pub fn of<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        &text[self.start as usize..self.end as usize]
    }
}

/// What can be wrong with the text of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Something that no token begins with.
    Unexpected,
    /// A number that is neither a move nor the number of one.
    BareNumber,
    /// A separator without a square behind it.
    MissingSquare,
    /// `[` without a name behind it.
    TagName,
    /// A tag's name without a value in quotes behind it.
    TagValue,
    /// A tag's value without its closing quote on the same line.
    OpenValue,
    /// A tag without `]`.
    OpenTag,
    /// A tag that has another value before.
    TagTwice,
    /// A comment without `}` before the next tags or the end.
    OpenComment,
    /// A variation without `)`.
    OpenVariation,
    /// `)` without a variation.
    StrayClose,
    /// Variations in one another beyond what is sensible.
    TooDeep,
    /// `$` without a number, or with one that is too large.
    Nag,
    /// Something between slashes that is no `/FEN "…"/`.
    Setup,
    /// A strength sign without a move before it.
    StrayStrength,
    /// A result inside a variation.
    ResultInside,
    /// Bytes that are not UTF-8.
    NotUtf8,
    /// A game longer than the scanner takes.
    TooLong,
}

impl Problem {
    /// The problem in words.
    pub fn words(self) -> &'static str {
        match self {
            Problem::Unexpected => "this is no part of a game",
            Problem::BareNumber => "a number that is no move: a move has two squares, the number of a move a dot",
            Problem::MissingSquare => "a square is missing in this move",
            Problem::TagName => "a tag needs a name: [Name \"value\"]",
            Problem::TagValue => "a tag needs a value in quotes: [Name \"value\"]",
            Problem::OpenValue => "the closing quote of this tag's value is missing",
            Problem::OpenTag => "the ] of this tag is missing",
            Problem::TagTwice => "this tag stands there twice, with different values",
            Problem::OpenComment => "the } of this comment is missing",
            Problem::OpenVariation => "the ) of this variation is missing",
            Problem::StrayClose => "there is no ( for this )",
            Problem::TooDeep => "variations are nested deeper than 100",
            Problem::Nag => "a $ needs a number from 0 to 65535 behind it",
            Problem::Setup => "a set-up is written /FEN \"…\"/, on one line",
            Problem::StrayStrength => "a strength sign needs a move before it",
            Problem::ResultInside => "a result inside a variation",
            Problem::NotUtf8 => "this is not UTF-8; the encoding can be given",
            Problem::TooLong => "this game is longer than 1 GiB",
        }
    }
}
