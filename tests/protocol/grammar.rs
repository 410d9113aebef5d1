//! What every line of the program must look like, stricter than any client needs it.

/// Which lines are allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grammar {
    Uci,
    /// With moves whose ranks count from 1.
    UciFromOne,
    Ucci,
    /// Either, and the answers to typed commands.
    Any,
}

/// `N` a count, `I` a whole number, `M` a move, `M+` moves to the end, `T` text to the end,
/// `W+` words up to what follows, `a|b` either word, `[ … ]` or nothing.
const UCI: &[&str] = &[
    "id name|author T",
    "option name W+ type check default true|false",
    "option name W+ type combo default W+ var T",
    "option name W+ type spin default N min N max N",
    "option name W+ type button",
    "option name W+ type string default T",
    "uciok",
    "readyok",
    "info string T",
    "info depth 0 score mate 0 [ wdl N N N ]",
    "info depth N seldepth N [ multipv N ] score cp|mate I [ lowerbound|upperbound ] [ wdl N N N ] \
     nodes N nps N hashfull N time N pv M+",
    "info currmove M currmovenumber N",
    "bestmove (none)",
    "bestmove M [ ponder M ]",
    "pophash [ bestmove M ] [ lowerbound I depth N ] [ upperbound I depth N ]",
];

const UCCI: &[&str] = &[
    "id name|author T",
    "option L type check default true|false",
    "option L type combo var W+ default T",
    "option L type spin min N max N default N",
    "option L type button",
    "option L type string default T",
    "ucciok",
    "readyok",
    "bye",
    "info message T",
    "info depth 0 score I",
    "info depth N [ multipv N ] score [ mate ] I nodes N time N nps N pv M+",
    "info currmove M currmovenumber N",
    "nobestmove",
    "bestmove M [ ponder M ] [ draw ]",
    "bestmove M resign",
    "pophash [ bestmove M ] [ lowerbound I depth N ] [ upperbound I depth N ]",
];

const TYPED: &[&str] = &[
    "fen T",
    "key T",
    "eval I",
    "nodes N",
    "time_ms N",
    "nps N",
    "N nodes N nps",
    "M: N",
];

/// Whether the line belongs to the picture of a board.
fn is_diagram(line: &str) -> bool {
    !line.is_empty()
        && line
            .chars()
            .all(|letter| " .~+-0123456789abcdefghiKABNRCPkabnrcp".contains(letter))
}

/// Panics if the line breaks the grammar.
pub fn check(grammar: Grammar, line: &str) {
    assert!(line.len() < 2_000, "{} bytes: {line}", line.len());
    assert!(!line.chars().any(char::is_control), "{line:?}");
    let patterns = match grammar {
        Grammar::Uci | Grammar::UciFromOne => UCI,
        Grammar::Ucci => UCCI,
        Grammar::Any if is_diagram(line) => return,
        Grammar::Any => &[UCI, UCCI, TYPED].concat(),
    };
    // Split at single blanks: a doubled or outer one makes an empty word, which fits nothing.
    let words: Vec<String> = match grammar {
        Grammar::UciFromOne => line.split(' ').map(from_zero).collect(),
        _ => line.split(' ').map(str::to_owned).collect(),
    };
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let fits = |pattern: &&str| matches(&pattern.split_whitespace().collect::<Vec<_>>(), &words);
    assert!(patterns.iter().any(fits), "not {grammar:?}: {line:?}");
    let spin = words.iter().position(|&word| word == "spin");
    if let Some(at) = spin {
        let value = |name: &str| -> i64 {
            let at_name = at + words[at..].iter().position(|&word| word == name).unwrap();
            words[at_name + 1].parse().unwrap()
        };
        assert!(value("min") <= value("default") && value("default") <= value("max"));
    }
}

fn matches(pattern: &[&str], words: &[&str]) -> bool {
    let Some((&first, rest)) = pattern.split_first() else {
        return words.is_empty();
    };
    match first {
        "[" => {
            let end = pattern.iter().position(|&part| part == "]").unwrap();
            let with: Vec<&str> = [&pattern[1..end], &pattern[end + 1..]].concat();
            matches(&with, words) || matches(&pattern[end + 1..], words)
        }
        "T" => !words.concat().is_empty(),
        "M+" => !words.is_empty() && words.iter().all(|word| is_move(word)),
        "W+" => (1..words.len()).any(|count| {
            words[..count].iter().all(|word| !word.is_empty()) && matches(rest, &words[count..])
        }),
        _ => words.split_first().is_some_and(|(word, after)| {
            let fits = match first {
                "N" => is_count(word),
                "I" => is_count(word.strip_prefix('-').unwrap_or(word)),
                "M" => is_move(word),
                "M:" => word.strip_suffix(':').is_some_and(is_move),
                "L" => !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase()),
                _ => first.split('|').any(|choice| choice == *word),
            };
            fits && matches(rest, after)
        }),
    }
}

/// The word, or where it is a move whose ranks count from 1, the same move as it is written
/// everywhere else. What looks like a move but is none of these, becomes none.
fn from_zero(word: &str) -> String {
    let mut text = String::new();
    let mut rest = word;
    for _ in 0..2 {
        let digits = rest.get(1..).unwrap_or_default();
        let end = digits.find(|letter: char| !letter.is_ascii_digit());
        let (rank, after) = digits.split_at(end.unwrap_or(digits.len()));
        match rank.parse::<u32>() {
            Ok(rank @ 1..=10) => text.push_str(&format!("{}{}", &rest[..1], rank - 1)),
            _ if is_move(word) => return "no move".to_owned(),
            _ => return word.to_owned(),
        }
        rest = after;
    }
    if rest.is_empty() && is_move(&text) {
        text
    } else {
        word.to_owned()
    }
}

fn is_count(word: &str) -> bool {
    !word.is_empty() && word.len() < 20 && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    let square = |at: usize| (b'a'..=b'i').contains(&bytes[at]) && bytes[at + 1].is_ascii_digit();
    bytes.len() == 4 && square(0) && square(2) && bytes[..2] != bytes[2..]
}

#[test]
fn the_grammar_tells_right_from_wrong() {
    let fits = |patterns: &[&str], line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        patterns
            .iter()
            .any(|pattern| matches(&pattern.split_whitespace().collect::<Vec<_>>(), &words))
    };
    let good = "info depth 3 seldepth 5 score cp -7 nodes 9 nps 9 hashfull 0 time 1 pv h2e2 h9g7";
    assert!(fits(UCI, good) && !fits(UCCI, good));
    for bad in [
        "",
        "bestmove h2e2 ",
        "bestmove  h2e2",
        "bestmove h2e2 ponder",
        "bestmove h2h2",
        "bestmove h3h10",
        "info depth 3 seldepth 5 score cp -7 nodes 9 nps 9 hashfull 0 time 1 pv",
        "option name  type button",
        "nobestmove",
    ] {
        assert!(!fits(UCI, bad), "{bad:?}");
    }
    assert!(fits(
        UCCI,
        "info depth 3 score mate -2 nodes 9 time 1 nps 9 pv h2e2"
    ));
    assert!(!fits(
        UCCI,
        "info depth 3 score cp 2 nodes 9 time 1 nps 9 pv h2e2"
    ));
}
