//! The tokens of a PDN file, and its syntax errors.

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// The name of a tag; its value is the next token.
    TagName,
    /// The value of a tag, without quotes and without decoding escapes.
    TagValue,
    /// A move number and its dots.
    MoveNumber,
    /// A move, as squares and separators.
    Move,
    /// `...` or `-`: an unknown move.
    Unknown,
    /// `...` after a move number: an unknown move, or no move if the second side is to move.
    Placeholder,
    /// A strength sign: `!`, `?!`, `(?)`.
    Strength,
    /// A numeric annotation glyph (NAG): the digits of `$7`.
    Nag,
    /// A comment without its braces.
    Comment,
    /// A set-up: the FEN of `/FEN "…"/`.
    Setup,
    /// The start of a variation, `(`.
    Open,
    /// The end of a variation, `)`.
    Close,
    /// A result or `*`, which ends a game.
    Result,
}

impl TokenKind {
    /// Return whether the token stands for a move.
    pub fn is_move(self) -> bool {
        matches!(self, TokenKind::Move | TokenKind::Unknown | TokenKind::Placeholder)
    }
}

/// A token: a range of a game's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The kind.
    pub kind: TokenKind,
    /// The first byte, counted from the start of the game.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Token {
    /// Return the bytes of the token in the text of its game.
    pub fn bytes<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        &text[self.start as usize..self.end as usize]
    }
}

/// A syntax error in the text of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Text that does not start a token.
    Unexpected,
    /// A number that is neither a move nor a move number.
    BareNumber,
    /// A separator that is not followed by a square.
    MissingSquare,
    /// `[` that is not followed by a name.
    TagName,
    /// A tag name that is not followed by a quoted value.
    TagValue,
    /// A tag value without its closing quote on the same line.
    OpenValue,
    /// A tag without `]`.
    OpenTag,
    /// A second tag with the same name and a different value.
    TagTwice,
    /// A comment without `}` before the next tags or the end.
    OpenComment,
    /// A variation without `)`.
    OpenVariation,
    /// `)` without a variation.
    StrayClose,
    /// Variations nested deeper than the limit.
    TooDeep,
    /// `$` without a number, or with a number that is too large.
    Nag,
    /// A `/` that does not start a valid `/FEN "…"/`.
    Setup,
    /// A strength sign without a move before it.
    StrayStrength,
    /// A result inside a variation.
    ResultInside,
    /// Bytes that are not UTF-8.
    NotUtf8,
    /// A game longer than the scanner accepts.
    TooLong,
}

impl Problem {
    /// Return the error message.
    pub fn message(self) -> &'static str {
        match self {
            Problem::Unexpected => "unexpected text: it is not a move, a comment, a variation or a result",
            Problem::BareNumber => "a single number: a move needs two squares, and a move number needs a dot",
            Problem::MissingSquare => "a square is missing in this move",
            Problem::TagName => "a tag needs a name: [Name \"value\"]",
            Problem::TagValue => "a tag needs a value in quotes: [Name \"value\"]",
            Problem::OpenValue => "the closing quote of this tag's value is missing",
            Problem::OpenTag => "the ] of this tag is missing",
            Problem::TagTwice => "this tag occurs twice, with different values",
            Problem::OpenComment => "the } of this comment is missing",
            Problem::OpenVariation => "the ) of this variation is missing",
            Problem::StrayClose => "this ) has no matching (",
            Problem::TooDeep => "variations are nested deeper than 100",
            Problem::Nag => "expected a number from 0 to 65535 after this $",
            Problem::Setup => "expected a set-up of the form /FEN \"…\"/, on one line",
            Problem::StrayStrength => "there is no move before this strength sign",
            Problem::ResultInside => "a variation cannot contain a result",
            Problem::NotUtf8 => "invalid UTF-8: give the encoding of the file if it has another one",
            Problem::TooLong => "this game is longer than 1 GiB",
        }
    }
}
