//! Files of games: PGN of all sorts, WXF files, XQF.

mod common;

use common::{Rng, random_move};
use vermilion::notation::encoding::{Encoding, decode, encode};
use vermilion::notation::pgn::{read_games, write_game};
use vermilion::notation::{Game, Line, LineMove, Notation, Outcome, xqf};
use vermilion::position::Position;
use vermilion::types::{Color, Move};

fn moves(game: &Game) -> Vec<String> {
    game.moves().map(|mv| mv.to_string()).collect()
}

/// A game as xqbase's programs write it, in GBK: Chinese moves, comments before the first
/// move, a tag that is not closed, and a footer.
const XQBASE: &str = "[Game \"Chinese Chess\"]\r\n[Event \"全国赛 \\\"甲\\\"\"]\r\n[Red \"许银川\"]\r\n\
    [Black \"吕钦\r\n[Result \"1-0\"]\r\n{开局} 1. 炮二平五 马8进7 {常见\r\n的应着}\r\n\
    2.马二进三! (2. 马八进七 马2进3) 车９平８\r\n  3．兵七进一 ……  卒７进１?!\r\n1-0\r\n\
    ============================\r\n 欢迎访问《象棋百科全书网》\r\n";

#[test]
fn a_chinese_pgn_is_read_in_gbk_and_utf8() {
    let gbk = encode(XQBASE, Encoding::Gbk);
    let (text, encoding) = decode(&gbk);
    assert_eq!((text.as_str(), encoding), (XQBASE, Encoding::Gbk));
    let with_mark = [b"\xef\xbb\xbf", XQBASE.as_bytes()].concat();
    assert_eq!(decode(&with_mark), (XQBASE.to_owned(), Encoding::Utf8));
    let utf16: Vec<u8> = std::iter::once(0xfeff)
        .chain(XQBASE.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(decode(&utf16).0, XQBASE);

    let games = read_games(&text);
    let [game] = games.as_slice() else {
        panic!("{games:?}");
    };
    assert_eq!(game.fault, None);
    assert_eq!(game.tag("event"), Some("全国赛 \"甲\""));
    assert_eq!(game.tag("Black"), Some("吕钦"));
    assert_eq!(game.outcome, Outcome::Won(Color::Red));
    assert_eq!(
        moves(game),
        ["h2e2", "h9g7", "h0g2", "i9h9", "c3c4", "g6g5"]
    );
    assert_eq!(game.line.comments, ["开局"]);
    assert_eq!(game.line.moves[1].comments, ["常见 的应着"]);
    assert_eq!(game.line.moves[2].glyphs, [1]);
    assert_eq!(game.line.moves[5].glyphs, [6]);
    let variation = &game.line.moves[2].variations[0];
    let varied: Vec<String> = variation.moves.iter().map(|m| m.mv.to_string()).collect();
    assert_eq!(varied, ["b0c2", "b9c7"]);
}

#[test]
fn loose_texts_are_read() {
    let read_moves = |text: &str| {
        let games = read_games(text);
        assert_eq!(games.len(), 1, "{text}: {games:?}");
        assert_eq!(games[0].fault, None, "{text}");
        moves(&games[0]).join(" ")
    };
    let expected = "h2e2 h9g7 h0g2";
    for text in [
        "1. H2-E2 H9-G7 2. H0-G2",
        "h2e2 h9g7 h0g2 *",
        "1.C2=5 h8+7 2.H2+3",
        "1.C2.5 H8+7 2.N2+3 1/2-1/2",
        "1、炮二平五 马8进7 2、马二进三",
        "[Event \"e\"]\n\n1. C32-35 H18-37 {; ( [} 2. H12-33 $1 ; rest of the line (\n% escaped ( line\n",
        "[Format \"NumericFar\"]\n1. C82-85 H108-87 2. H102-83",
        "1 炮二平五 馬８進７ 2 傌二進三 ( ( 3. x ) ) [",
        "[Event unquoted]\n[\n[]\n[Result \"?\"]\nh2e2 h9g7 (h9g7 i0i1 i0i9) (x) h0g2 $ )",
    ] {
        assert_eq!(read_moves(text), expected, "{text}");
    }
    // Of many pawns 15.6 is a move and no number.
    let pawns = "[FEN \"3k5/9/4P4/4P4/4P4/9/9/9/9/4K4 w\"]\n1.15.6 K5=4 2. 25.6";
    let games = read_games(pawns);
    assert_eq!(games[0].line.moves[0].mv.to_string(), "e7d7");
    // Black begins.
    let black = "[FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 7\"]\n\
                 7. ... 炮8平5 8. 炮二平五";
    assert_eq!(read_moves(black), "h7e7 h2e2");
}

#[test]
fn a_game_ends_at_the_first_fault_which_is_named() {
    let text = "[Event \"a\"]\n\n1. h2e2 h9g7\n2. h2e2 i9h9 1-0\n\n[Event \"b\"]\n[FEN \"9/9 w\"]\n1. h2e2 *\n\n\
                [Event \"c\"]\n1. b2e2 (1. x1y2) b7e7 0-1";
    let games = read_games(text);
    let faults: Vec<String> = games
        .iter()
        .map(|game| {
            game.fault
                .as_ref()
                .map_or(String::new(), ToString::to_string)
        })
        .collect();
    assert!(
        faults[0].starts_with("line 4: move 2 of Red, h2e2: "),
        "{faults:?}"
    );
    assert!(faults[1].starts_with("line 7: FEN: "), "{faults:?}");
    assert_eq!(faults[2], "");
    assert_eq!(moves(&games[0]), ["h2e2", "h9g7"]);
    assert_eq!(games[0].outcome, Outcome::Won(Color::Red));
    assert_eq!(moves(&games[2]), ["b2e2", "b7e7"]);
}

#[test]
fn a_wxf_file_is_read() {
    let text = "FORMAT  WXF\nGAME  a vs b\nRESULT  1-0 (resign)\nRED   Ann; 2721 ;;\nBLACK Bob\n\
                DATE  2019-09-18\nEVENT \"CXQ\" Game ; 25m\n\nSTART{\n1.  C2.5   h8+7   2.  H2+3\n r9.8 }END\n\
                GAME c vs d\nFEN rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR b\nSTART{ 1. C8.5 }END\n";
    let games = read_games(text);
    assert_eq!(games.len(), 2);
    assert_eq!(moves(&games[0]), ["h2e2", "h9g7", "h0g2", "i9h9"]);
    assert_eq!(games[0].tag("Red"), Some("Ann"));
    assert_eq!(games[0].tag("Event"), Some("\"CXQ\" Game"));
    assert_eq!(games[0].outcome, Outcome::Won(Color::Red));
    assert_eq!(moves(&games[1]), ["h7e7"]);
    assert!(games.iter().all(|game| game.fault.is_none()));
}

/// A line of random moves with comments, glyphs and variations.
fn random_line(position: &mut Position, plies: usize, depth: usize, rng: &mut Rng) -> Line {
    let mut line = Line::default();
    if rng.chance(20) {
        line.comments.push("a  { comment }".to_owned());
    }
    for _ in 0..plies {
        let Some(mv) = random_move(position, rng) else {
            break;
        };
        let mut played = LineMove::new(mv);
        if rng.chance(30) {
            played
                .comments
                .push("评注 and a word that is long (with) [brackets] ; $3".to_owned());
            played.comments.push("more".to_owned());
        }
        if rng.chance(30) {
            played.glyphs.push(1 + rng.below(20) as u8);
        }
        if depth > 0 && rng.chance(20) {
            let variation = random_line(position, 4, depth - 1, rng);
            if !variation.moves.is_empty() {
                played.variations.push(variation);
            }
        }
        line.moves.push(played);
        position.make(mv);
    }
    line.moves.iter().for_each(|_| position.undo());
    line
}

/// The comment as it comes back: brackets become blanks, blanks are squeezed.
fn squeeze(line: &mut Line) {
    let squeezed = |text: &str| {
        let text = text.replace(['{', '}'], " ");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    line.comments
        .iter_mut()
        .for_each(|text| *text = squeezed(text));
    for played in &mut line.moves {
        played
            .comments
            .iter_mut()
            .for_each(|text| *text = squeezed(text));
        played.variations.iter_mut().for_each(squeeze);
    }
}

#[test]
fn what_is_written_is_read_back() {
    let mut rng = Rng::new(11);
    for number in 0..40 {
        let mut game = Game::new(match number % 3 {
            0 => common::random_setup(common::Sort::ManyOfAKind, &mut rng),
            _ => Position::startpos(),
        });
        game.tags = vec![
            ("Game".to_owned(), "Chinese Chess".to_owned()),
            ("Event".to_owned(), "a \"b\" \\ c] 象棋".to_owned()),
        ];
        let mut start = game.start.clone();
        game.line = random_line(&mut start, 60, 3, &mut rng);
        game.outcome = rng.pick(&[Outcome::Draw, Outcome::Unknown, Outcome::Won(Color::Black)]);
        for notation in Notation::ALL {
            let text = write_game(&game, notation);
            assert!(
                text.lines().all(|line| line.chars().count() <= 90),
                "{text}"
            );
            let games = read_games(&text);
            let [back] = games.as_slice() else {
                panic!("{} games in {text}", games.len());
            };
            assert_eq!(back.fault, None, "{text}");
            assert_eq!(back.start.fen(), game.start.fen());
            assert_eq!(back.tag("Event"), game.tag("Event"));
            assert_eq!(back.outcome, game.outcome);
            let mut expected = game.line.clone();
            squeeze(&mut expected);
            assert_eq!(back.line, expected, "{text}");
        }
    }
}

/// An XQF file of a version with the moves h2e2 h9g7, a reply b9c7 instead of h9g7, and
/// comments; made by the rules that readers of the format agree on.
fn xqf_file(version: u8) -> Vec<u8> {
    let squares = [
        "a0", "b0", "c0", "d0", "e0", "f0", "g0", "h0", "i0", "b2", "h2", "a3", "c3", "e3", "g3",
        "i3", "a9", "b9", "c9", "d9", "e9", "f9", "g9", "h9", "i9", "b7", "h7", "a6", "c6", "e6",
        "g6", "i6",
    ];
    let byte = |name: &str| (name.as_bytes()[0] - b'a') * 10 + name.as_bytes()[1] - b'0';
    let mut file = vec![0; 0x400];
    file[..3].copy_from_slice(&[b'X', b'Q', version]);
    file[0x33] = 2;
    let put = |file: &mut Vec<u8>, at: usize, text: &str| {
        let text = encode(text, Encoding::Gbk);
        file[at] = text.len() as u8;
        file[at + 1..at + 1 + text.len()].copy_from_slice(&text);
    };
    put(&mut file, 0x130, "红方");
    put(&mut file, 0xd0, "赛事");
    let (mut pieces, mut from_key, mut to_key, mut length_key) = (0u8, 0u8, 0u8, 0i32);
    let mut stream = [0u8; 32];
    if version >= 11 {
        let (mask, sum, xy, from, to) = (0x5a, 77u8, 131u8, 19u8, 201u8);
        file[3] = mask;
        file[8..12].copy_from_slice(&[1, 2, 4, 8]);
        file[12..16].copy_from_slice(&[sum, xy, from, to]);
        let spread = |key: u8| {
            let key = i64::from(key);
            (((((key * key * 3 + 9) * 3 + 8) * 2 + 1) * 3 + 8) & 0xff) as u8
        };
        pieces = spread(xy).wrapping_mul(xy);
        from_key = spread(from).wrapping_mul(pieces);
        to_key = spread(to).wrapping_mul(from_key);
        length_key = (i32::from(sum) * 256 + i32::from(xy)) % 32_000 + 767;
        let ors = [1, 2, 4, 8];
        for (index, byte) in b"[(C) Copyright Mr. Dong Shiwei.]".iter().enumerate() {
            stream[index] = byte & ([sum, xy, from, to][index % 4] & mask | ors[index % 4]);
        }
    }
    for (slot, name) in squares.iter().enumerate() {
        let index = match version {
            12.. => (slot + 64 - usize::from(pieces % 32) - 1) % 32,
            _ => slot,
        };
        file[0x10 + index] = byte(name).wrapping_add(pieces);
    }
    // Move, whether there is a reply, whether there is a sibling, comment.
    let records = [
        (None, true, false, "开始"),
        (Some(("h2", "e2")), true, false, ""),
        (Some(("h9", "g7")), false, true, "常见"),
        (Some(("b9", "c7")), false, false, ""),
    ];
    let mut body = Vec::new();
    for (mv, reply, sibling, comment) in records {
        let (from, to) = mv.map_or((0, 0), |(from, to)| (byte(from), byte(to)));
        let text = encode(comment, Encoding::Gbk);
        let (tag, has_length) = match version {
            11.. => {
                let comment = if text.is_empty() { 0 } else { 0x20 };
                let tag = u8::from(reply) * 0x80 + u8::from(sibling) * 0x40 + comment;
                (tag, !text.is_empty())
            }
            _ => (u8::from(reply) * 0xf0 + u8::from(sibling) * 0x0f, true),
        };
        body.extend([
            from.wrapping_add(0x18).wrapping_add(from_key),
            to.wrapping_add(0x20).wrapping_add(to_key),
            tag,
            0,
        ]);
        if has_length {
            body.extend((text.len() as i32 + length_key).to_le_bytes());
        }
        body.extend(text);
    }
    for (index, byte) in body.iter_mut().enumerate() {
        *byte = byte.wrapping_add(stream[index % 32]);
    }
    file.extend(body);
    file
}

#[test]
fn xqf_files_of_all_ages_are_read() {
    for version in [10, 11, 12, 18] {
        let file = xqf_file(version);
        assert!(xqf::is_xqf(&file));
        let game = xqf::read(&file).unwrap_or_else(|error| panic!("{version}: {error}"));
        assert_eq!(game.start.fen(), Position::startpos().fen(), "{version}");
        assert_eq!(game.fault, None, "{version}");
        assert_eq!(moves(&game), ["h2e2", "h9g7"], "{version}");
        assert_eq!(game.line.comments, ["开始"]);
        assert_eq!(game.line.moves[1].comments, ["常见"]);
        let other = &game.line.moves[1].variations[0].moves[0];
        assert_eq!(Ok(other.mv), Move::parse("b9c7"));
        assert_eq!(game.outcome, Outcome::Won(Color::Black));
        assert_eq!(
            (game.tag("Red"), game.tag("Event")),
            (Some("红方"), Some("赛事"))
        );
        // Cut off anywhere.
        for length in 0..file.len() {
            match xqf::read(&file[..length]) {
                Ok(game) => assert!(game.fault.is_some() && length >= 0x400, "{length}"),
                Err(error) => assert!(!error.to_string().is_empty() && length < 0x400, "{length}"),
            }
        }
    }
}

#[test]
fn random_bytes_never_panic() {
    let mut rng = Rng::new(5);
    let pieces = [
        XQBASE,
        "[FEN \"",
        "\"]",
        "1. ",
        "(",
        ")",
        "{",
        "}",
        "$7",
        "炮二平五",
        "h2e2",
        "1-0",
        "START{",
        "}END",
        "FORMAT WXF\n",
        "\n",
        "[",
        "%",
        ";",
        "\\",
        "15.6",
        "…",
        "３．",
    ];
    for _ in 0..2_000 {
        let mut bytes = Vec::new();
        for _ in 0..rng.below(12) {
            if rng.chance(70) {
                bytes.extend(rng.pick(&pieces).as_bytes());
            } else {
                bytes.extend((0..rng.below(9)).map(|_| rng.below(256) as u8));
            }
        }
        for game in read_games(&decode(&bytes).0) {
            let text = write_game(&game, rng.pick(&Notation::ALL));
            let back = read_games(&text);
            assert_eq!(back.len(), 1, "{text}");
            assert_eq!(back[0].line.moves, game.line.moves, "{text}");
        }
    }
    for version in [10, 11, 18] {
        for _ in 0..1_000 {
            let mut file = xqf_file(version);
            for _ in 0..1 + rng.below(6) {
                let at = if rng.chance(50) {
                    0x400 + rng.below(file.len() - 0x400)
                } else {
                    rng.below(file.len())
                };
                file[at] = rng.below(256) as u8;
            }
            if let Ok(game) = xqf::read(&file) {
                write_game(&game, Notation::Chinese);
            }
        }
    }
    // A file of nothing but opened variations, and a deep tree.
    let deep = format!("h2e2 {}", "( h2e2 ".repeat(10_000));
    assert_eq!(read_games(&deep).len(), 1);
    let mut tree = xqf_file(10);
    for _ in 0..20_000 {
        tree.extend([0x18, 0x20, 0xff, 0, 0, 0, 0, 0]);
    }
    tree[0x400 + 8 + 4 + 2] = 0xff;
    let _ = xqf::read(&tree);
}
