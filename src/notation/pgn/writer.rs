//! Writing games.

use std::fmt::Write;

use super::OWN_TAGS;
use crate::notation::Notation;
use crate::notation::game::{Game, Line};
use crate::position::{Position, START_FEN};

/// Where lines are broken.
const WIDTH: usize = 80;

/// The game as PGN in this notation, ended by an empty line.
pub fn write_game(game: &Game, notation: Notation) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = clean(value, &[]).replace('\\', "\\\\").replace('"', "\\\"");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{} \"{value}\"]", clean(name, &['[', ']', '"', ' ']));
    };
    let has = |name: &str| game.tag(name).is_some();
    if !has("Game") {
        tag("Game", "Chinese Chess");
    }
    for (name, value) in &game.tags {
        if !OWN_TAGS.iter().any(|own| own.eq_ignore_ascii_case(name)) {
            tag(name, value);
        }
    }
    tag("Result", &game.outcome.to_string());
    tag("Format", notation.format_tag());
    let fen = game.start.fen();
    if fen != START_FEN {
        tag("SetUp", "1");
        tag("FEN", &fen);
    }
    text.push('\n');
    let mut words = Words::default();
    write_line(&game.line, &mut game.start.clone(), notation, &mut words);
    words.push(&game.outcome.to_string());
    text.push_str(&words.text);
    text.push_str("\n\n");
    text
}

/// Writes the moves, and leaves the position as it was.
fn write_line(line: &Line, position: &mut Position, notation: Notation, words: &mut Words) {
    words.comments(&line.comments);
    let mut numbered = false;
    for played in &line.moves {
        if position.ply().is_multiple_of(2) {
            words.push(&format!("{}.", position.ply() / 2 + 1));
        } else if !numbered {
            words.push(&format!("{}...", position.ply() / 2 + 1));
        }
        numbered = played.variations.is_empty();
        let mut text = notation.write(position, played.mv);
        let mut others = Vec::new();
        for &glyph in &played.glyphs {
            match suffix(glyph) {
                Some(suffix) => text.push_str(suffix),
                None => others.push(format!("${glyph}")),
            }
        }
        words.push(&text);
        others.iter().for_each(|glyph| words.push(glyph));
        words.comments(&played.comments);
        for variation in &played.variations {
            words.open();
            write_line(variation, position, notation, words);
            words.close();
        }
        position.make(played.mv);
    }
    line.moves.iter().for_each(|_| position.undo());
}

/// How the first six annotation glyphs are written.
const fn suffix(glyph: u8) -> Option<&'static str> {
    match glyph {
        1 => Some("!"),
        2 => Some("?"),
        3 => Some("!!"),
        4 => Some("??"),
        5 => Some("!?"),
        6 => Some("?!"),
        _ => None,
    }
}

/// The text without control characters, and without those that would end what it is in.
fn clean(text: &str, forbidden: &[char]) -> String {
    let harmless = |ch: char| !ch.is_control() && !forbidden.contains(&ch);
    text.chars()
        .map(|ch| if harmless(ch) { ch } else { ' ' })
        .collect()
}

/// Words with a blank or a line break between them.
#[derive(Default)]
struct Words {
    text: String,
    column: usize,
    /// The next word follows a bracket.
    glued: bool,
}

impl Words {
    fn push(&mut self, word: &str) {
        // A Chinese character takes two columns.
        let length: usize = word
            .chars()
            .map(|ch| if ch.is_ascii() { 1 } else { 2 })
            .sum();
        if self.column > 0 && !self.glued {
            if self.column + 1 + length > WIDTH {
                self.text.push('\n');
                self.column = 0;
            } else {
                self.text.push(' ');
                self.column += 1;
            }
        }
        self.glued = false;
        self.text.push_str(word);
        self.column += length;
    }

    /// Comments, broken between their words.
    fn comments(&mut self, comments: &[String]) {
        for comment in comments {
            let comment = format!("{{{}}}", clean(comment, &['{', '}']));
            comment.split(' ').for_each(|word| self.push(word));
        }
    }

    fn open(&mut self) {
        self.push("(");
        self.glued = true;
    }

    fn close(&mut self) {
        self.text.push(')');
        self.column += 1;
    }
}
