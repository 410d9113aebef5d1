//! Reading games, tolerantly.

use std::iter::Peekable;
use std::str::Chars;

use crate::notation::game::{Fault, Game, Line, LineMove, MAX_DEPTH, Outcome, add_comment};
use crate::notation::{Notation, NotationError, read};
use crate::position::Position;

/// Reads all games of a text: tags, moves in any notation, comments, variations, annotation
/// glyphs, results. Files of the World Xiangqi Federation (`FORMAT WXF`) are read as well.
///
/// Nothing is an error: a game ends at the first move that is not understood or illegal, and
/// its [`Game::fault`] says which. Tags that are not closed, missing results, glued move
/// numbers and full-width characters are taken as they are meant.
pub fn read_games(text: &str) -> Vec<Game> {
    let plain = from_wxf_file(text);
    let mut reader = Reader::default();
    let mut tokens = Tokens::new(plain.as_deref().unwrap_or(text));
    while let Some(token) = tokens.next() {
        reader.take(token, tokens.token_line);
    }
    reader.end_game();
    reader.games
}

/// Turns a file of the World Xiangqi Federation (lines such as `RED name;;;`, moves between
/// `START{` and `}END`) into PGN with the same lines; `None` if it is none.
fn from_wxf_file(text: &str) -> Option<String> {
    let is_one = text
        .lines()
        .find(|line| !line.trim().is_empty())
        .is_some_and(|line| line.trim_start().starts_with("FORMAT"));
    if !is_one {
        return None;
    }
    let mut pgn = String::with_capacity(text.len() + 200);
    let mut moving = false;
    for line in text.lines() {
        let line = line.trim();
        let begun = line.strip_prefix("START{").filter(|_| !moving);
        if let Some(moves) = begun.or(moving.then_some(line)) {
            let end = moves.split_once("}END");
            pgn.push_str(end.map_or(moves, |(moves, _)| moves));
            moving = end.is_none();
        } else {
            let (key, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let name = match key {
                "RED" => "Red",
                "BLACK" => "Black",
                "RESULT" => "Result",
                "DATE" => "Date",
                "PLACE" => "Site",
                "EVENT" => "Event",
                "FEN" => "FEN",
                // The name of the game ends the one before.
                "GAME" => "Game",
                _ => "",
            };
            let value = match key {
                "FEN" => value.trim(),
                "RESULT" => value.split_whitespace().next().unwrap_or_default(),
                _ => value.split(';').next().unwrap_or_default().trim(),
            };
            if !name.is_empty() {
                let value = value.replace('\\', "\\\\").replace('"', "\\\"");
                pgn.push_str(&format!("[{name} \"{value}\"]"));
            }
        }
        pgn.push('\n');
    }
    Some(pgn)
}

/// A piece of a PGN.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Tag(String, String),
    Comment(String),
    Open,
    Close,
    Glyph(u8),
    Word(String),
}

/// Splits a text into tokens.
struct Tokens<'a> {
    characters: Peekable<Chars<'a>>,
    /// The line of the last character, from 1.
    line: usize,
    /// The line on which the last token begins.
    token_line: usize,
    /// Nothing but blanks stands before on the line.
    fresh: bool,
}

impl<'a> Tokens<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            characters: text.chars().peekable(),
            line: 1,
            token_line: 1,
            fresh: true,
        }
    }

    fn bump(&mut self) -> Option<char> {
        let character = self.characters.next()?;
        if character == '\n' {
            self.line += 1;
            self.fresh = true;
        } else if !character.is_whitespace() {
            self.fresh = false;
        }
        Some(character)
    }

    /// The characters up to one of `ends`, which is taken but not returned.
    fn until(&mut self, ends: &[char]) -> String {
        let mut text = String::new();
        while let Some(character) = self.bump() {
            if ends.contains(&character) {
                break;
            }
            text.push(character);
        }
        text
    }

    /// A tag after its bracket: `Name "value"]`. The value ends at the quotation mark that
    /// the bracket follows, or with the line.
    fn tag(&mut self) -> Token {
        let text = self.until(&['\n']);
        let body = text.trim_end();
        let body = body.strip_suffix(']').unwrap_or(body).trim();
        let (name, value) = body
            .split_once(|ch: char| ch.is_whitespace() || ch == '"')
            .unwrap_or((body, ""));
        let value = value.trim().trim_start_matches('"');
        let value = value.strip_suffix('"').unwrap_or(value);
        let mut plain = String::with_capacity(value.len());
        let mut characters = value.chars();
        while let Some(character) = characters.next() {
            plain.push(match character {
                '\\' => characters.next().unwrap_or('\\'),
                _ => character,
            });
        }
        Token::Tag(name.to_owned(), plain)
    }

    fn word(&mut self, first: char) -> Token {
        let mut text = String::from(first);
        while let Some(&character) = self.characters.peek() {
            let ends = character.is_whitespace()
                || matches!(character, '{' | '}' | '(' | ')' | '[' | ']' | '$' | ';');
            if ends {
                break;
            }
            text.push(character);
            self.bump();
        }
        Token::Word(text)
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            let fresh = self.fresh;
            self.token_line = self.line;
            let character = self.bump()?;
            return Some(match character {
                '[' if fresh => self.tag(),
                '{' => Token::Comment(self.until(&['}'])),
                ';' => Token::Comment(self.until(&['\n'])),
                '%' if fresh => {
                    self.until(&['\n']);
                    continue;
                }
                '(' | '（' => Token::Open,
                ')' | '）' => Token::Close,
                '$' => {
                    let Token::Word(digits) = self.word('0') else {
                        continue;
                    };
                    Token::Glyph(digits.parse().unwrap_or(0))
                }
                '[' | ']' | '}' => continue,
                character if character.is_whitespace() => continue,
                character => self.word(character),
            });
        }
    }
}

/// A line that is being read.
struct Open {
    line: Line,
    /// The position after the line's last move.
    position: Position,
    /// A move of it was not understood: what follows is left out.
    broken: bool,
}

impl Open {
    fn at(position: Position) -> Self {
        Self {
            line: Line::default(),
            position,
            broken: false,
        }
    }
}

#[derive(Default)]
struct Reader {
    games: Vec<Game>,
    /// The game that is being read; its line is the first of `lines`.
    game: Option<Game>,
    /// Whether its tags are over.
    moving: bool,
    /// The lines that are open, variations within each other.
    lines: Vec<Open>,
    /// How many variations are open beyond [`MAX_DEPTH`].
    skipped: usize,
}

impl Reader {
    fn take(&mut self, token: Token, line: usize) {
        match token {
            Token::Tag(name, value) => self.tag(name, value, line),
            Token::Word(word) => self.word(&word, line),
            Token::Comment(text) => self.comment(&text),
            Token::Open => self.open(),
            Token::Close => self.close(),
            Token::Glyph(glyph) => self.glyph(glyph),
        }
    }

    fn tag(&mut self, name: String, value: String, line: usize) {
        if self.moving {
            self.end_game();
        }
        let game = self
            .game
            .get_or_insert_with(|| Game::new(Position::startpos()));
        if name.eq_ignore_ascii_case("FEN") && !value.trim().is_empty() {
            match value.parse() {
                Ok(position) => game.start = position,
                Err(error) => {
                    let what = format!("FEN: {error}");
                    game.fault.get_or_insert(Fault { line, what });
                }
            }
        } else if name.eq_ignore_ascii_case("Result") {
            game.outcome = value.trim().parse().unwrap_or_default();
        }
        game.tags.push((name, value));
    }

    fn comment(&mut self, text: &str) {
        self.begin_if_tagged();
        if self.skipped == 0
            && let Some(open) = self.lines.last_mut()
        {
            let said = match open.line.moves.last_mut() {
                Some(played) => &mut played.comments,
                None => &mut open.line.comments,
            };
            add_comment(said, text);
        }
    }

    fn begin_moves(&mut self) {
        if !self.moving {
            let game = self
                .game
                .get_or_insert_with(|| Game::new(Position::startpos()));
            let mut open = Open::at(game.start.clone());
            open.broken = game.fault.is_some();
            self.lines = vec![open];
            self.skipped = 0;
            self.moving = true;
        }
    }

    fn end_game(&mut self) {
        self.begin_if_tagged();
        while self.lines.len() > 1 {
            self.skipped = 0;
            self.close();
        }
        if let (Some(mut game), Some(open)) = (self.game.take(), self.lines.pop()) {
            game.line = open.line;
            self.games.push(game);
        }
        self.moving = false;
    }

    /// A game may consist of tags alone.
    fn begin_if_tagged(&mut self) {
        if self.game.is_some() {
            self.begin_moves();
        }
    }

    fn open(&mut self) {
        let parent = self.lines.last();
        // Before the first move there is nothing to vary.
        let start = parent.filter(|open| !open.line.moves.is_empty());
        match start {
            Some(open) if self.skipped == 0 && self.lines.len() <= MAX_DEPTH => {
                let mut position = open.position.clone();
                position.undo();
                let mut variation = Open::at(position);
                variation.broken = open.broken;
                self.lines.push(variation);
            }
            _ => self.skipped += 1,
        }
    }

    fn close(&mut self) {
        if self.skipped > 0 {
            self.skipped -= 1;
            return;
        }
        if self.lines.len() < 2 {
            return;
        }
        if let Some(variation) = self.lines.pop()
            && let Some(played) = self
                .lines
                .last_mut()
                .and_then(|open| open.line.moves.last_mut())
            && !variation.line.moves.is_empty()
        {
            played.variations.push(variation.line);
        }
    }

    fn glyph(&mut self, glyph: u8) {
        let played = self
            .lines
            .last_mut()
            .and_then(|open| open.line.moves.last_mut());
        if let Some(played) = played
            && self.skipped == 0
            && glyph > 0
        {
            played.glyphs.push(glyph);
        }
    }

    fn word(&mut self, word: &str, line: usize) {
        if self.skipped > 0 {
            return;
        }
        // A result ends a game only outside variations, and so that the next game may
        // come without tags.
        if let Ok(outcome) = word.parse::<Outcome>() {
            self.begin_if_tagged();
            if self.lines.len() == 1 {
                if let Some(game) = &mut self.game
                    && outcome != Outcome::Unknown
                {
                    game.outcome = outcome;
                }
                self.end_game();
            }
            return;
        }
        let word = without_number(word);
        let (text, glyph) = split_suffix(word);
        // Between games there may be any words; a game without tags begins with a move.
        let is_between = self.game.is_none() && read(&Position::startpos(), text).is_err();
        if text.is_empty() || is_between {
            return;
        }
        self.begin_moves();
        let format = self.game.as_ref().and_then(|game| game.tag("Format"));
        let numeric_far = format.and_then(Notation::of_format_tag) == Some(Notation::NumericFar);
        let is_main = self.lines.len() == 1;
        let Some(open) = self.lines.last_mut() else {
            return;
        };
        if open.broken {
            return;
        }
        let mv = if numeric_far {
            Notation::NumericFar.read(&open.position, text)
        } else {
            read(&open.position, text)
        };
        match mv {
            Ok(mv) => {
                open.position.make(mv);
                let mut played = LineMove::new(mv);
                played.glyphs.extend(glyph);
                open.line.moves.push(played);
            }
            Err(error) => {
                open.broken = true;
                let what = refusal(&open.position, text, &error);
                if let Some(game) = self.game.as_mut().filter(|_| is_main) {
                    game.fault.get_or_insert(Fault { line, what });
                }
            }
        }
    }
}

/// "move 12 of Black, C2=5: ..."
fn refusal(position: &Position, text: &str, error: &NotationError) -> String {
    let number = position.ply() / 2 + 1;
    format!("move {number} of {}, {text}: {error}", position.side())
}

/// The word without a move number before it: `12.`, `12...`, `12、`. In `15.6`, which is a
/// move of the first pawn on file 5, there is none.
fn without_number(word: &str) -> &str {
    let is_dot = |ch: char| matches!(ch, '.' | '。' | '．' | '、' | '…' | '·');
    let rest = word.trim_start_matches(|ch: char| ch.is_ascii_digit());
    let digits = word.len() - rest.len();
    let after = rest.trim_start_matches(is_dot);
    let is_pawn = digits == 2
        && rest.len() - after.len() == 1
        && after.len() == 1
        && after.bytes().all(|byte| byte.is_ascii_digit());
    match () {
        () if after.is_empty() => "",
        () if is_pawn || rest.len() == after.len() && digits > 0 => word,
        () => after,
    }
}

/// Splits `!`, `?!` and the like off, with the annotation glyph they stand for.
fn split_suffix(word: &str) -> (&str, Option<u8>) {
    let text = word.trim_end_matches(['!', '?', '！', '？', '#']);
    let glyph = match word[text.len()..].replace('#', "").as_str() {
        "!" | "！" => Some(1),
        "?" | "？" => Some(2),
        "!!" => Some(3),
        "??" => Some(4),
        "!?" => Some(5),
        "?!" => Some(6),
        _ => None,
    };
    (text, glyph)
}
