//! The engine as the opponent on a play site that judges repetition by itself: games to each
//! of the ends that such a site knows.

use super::pipe::Program;
use vermilion::position::Position;
use vermilion::rules::{DrawReason, LossReason, RuleSet, Rules, Verdict};
use vermilion::types::{Color, Move, MoveList};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Judged(Verdict),
    Resigned(Color),
    Agreed,
}

/// Who makes a side's moves.
enum Player {
    Engine(Program),
    /// Somebody who plays these moves over and over.
    Stubborn(Vec<&'static str>),
    /// Somebody who gives check with the rook on file i, from the side, for ever.
    Checker,
}

impl Player {
    fn engine(options: &[&str]) -> Self {
        let mut program = Program::ucci();
        program.send("setoption repetition SimpleAsian");
        for option in options {
            program.send(&format!("setoption {option}"));
        }
        program.send("setoption newgame");
        assert!(program.sync().is_empty());
        Self::Engine(program)
    }

    /// The move with what is said besides.
    fn answer(
        &mut self,
        start: &str,
        moves: &[String],
        position: &Position,
        draw: bool,
    ) -> (String, Option<String>) {
        match self {
            Self::Engine(program) => {
                let list = moves.join(" ");
                program.send(&format!("position fen {start} moves {list}"));
                let draw = if draw { "draw " } else { "" };
                let line = program.go(&format!("{draw}nodes 4000")).pop().unwrap();
                let words: Vec<&str> = line.split(' ').collect();
                let said = ["draw", "resign"]
                    .iter()
                    .find(|word| words.last() == Some(word));
                (words[1].to_owned(), said.map(|&word| word.to_owned()))
            }
            Self::Stubborn(list) => {
                let index = moves.len() / 2 % list.len();
                (list[index].to_owned(), None)
            }
            Self::Checker => {
                let mut legal = MoveList::new();
                position.legal_moves(&mut legal);
                let check = legal.iter().find(|&mv| {
                    let text = mv.to_string();
                    text.as_bytes()[0] == b'i'
                        && text.as_bytes()[2] == b'i'
                        && position.gives_check(mv)
                });
                (check.expect("a check from the side").to_string(), None)
            }
        }
    }
}

/// Plays a game from a position, red's player first.
fn play(start: &str, drawmoves: u32, players: &mut [Player; 2]) -> End {
    let rules = Rules {
        move_limit: 2 * drawmoves,
        ..Rules::new(RuleSet::SimpleAsian)
    };
    let mut position: Position = start.parse().unwrap();
    let mut moves = Vec::new();
    let mut offered = false;
    for _ in 0..400 {
        let side = position.side();
        let (text, said) = players[side as usize].answer(start, &moves, &position, offered);
        match said.as_deref() {
            Some("resign") => return End::Resigned(side),
            Some("draw") if offered => return End::Agreed,
            said => offered = said == Some("draw"),
        }
        let mv = Move::parse(&text).unwrap();
        assert!(position.is_legal(mv), "{text} in {}", position.fen());
        position.make(mv);
        moves.push(text);
        match rules.judge(&position) {
            Verdict::Ongoing => {}
            verdict => return End::Judged(verdict),
        }
    }
    panic!("no end: {}", position.fen());
}

/// Red mates soon.
const WON: &str = "3k5/9/9/9/9/9/9/9/4A4/R3KA2R w - - 0 1";
/// Neither side can win or take anything: an elephant's pair against a cannon's guards.
const DEAD: &str = "3akab2/9/4b4/9/9/9/9/4B4/4A4/2BAKC3 w - - 0 1";

#[test]
fn by_mate_and_by_stalemate() {
    let mut players = [Player::engine(&[]), Player::engine(&[])];
    assert_eq!(
        play(WON, 60, &mut players),
        End::Judged(Verdict::Loss(Color::Black, LossReason::Checkmate))
    );
    // A pawn on the sixth rank can win by leaving no move, and in no other way at once.
    let mut players = [Player::engine(&[]), Player::engine(&[])];
    assert_eq!(
        play("3k5/9/4P4/9/9/9/9/9/9/4K4 w - - 0 1", 60, &mut players),
        End::Judged(Verdict::Loss(Color::Black, LossReason::Stalemate))
    );
}

#[test]
fn by_resignation() {
    let mut players = [Player::engine(&[]), Player::engine(&["resign 900"])];
    assert_eq!(play(WON, 60, &mut players), End::Resigned(Color::Black));
}

#[test]
fn by_agreement() {
    let offers = ["drawoffers true"];
    let mut players = [Player::engine(&offers), Player::engine(&[])];
    let long = DEAD.replace(" 0 1", " 44 60");
    assert_eq!(play(&long, 60, &mut players), End::Agreed);
}

#[test]
fn by_the_limit_of_moves() {
    let options = ["drawmoves 2"];
    let mut players = [Player::engine(&options), Player::engine(&options)];
    let verdict = Verdict::Draw(DrawReason::MoveLimit(4));
    assert_eq!(play(DEAD, 2, &mut players), End::Judged(verdict));
}

#[test]
fn by_a_repetition_that_nobody_forces() {
    let back_and_forth = vec!["d0e1", "e1d0"];
    let mut players = [
        Player::Stubborn(back_and_forth),
        Player::engine(&["drawmoves 0"]),
    ];
    let start = "3akab2/9/4b4/9/9/9/9/4B4/9/2BAKC3 w - - 0 1";
    assert_eq!(
        play(start, 0, &mut players),
        End::Judged(Verdict::Draw(DrawReason::Repetition))
    );
}

#[test]
fn by_perpetual_check_which_the_engine_does_not_give() {
    // Red saves itself by checking for ever, and is judged to have lost.
    let start = "4k4/8R/9/9/9/9/9/9/9/rrBA1K3 w - - 0 1";
    let mut players = [Player::Checker, Player::engine(&[])];
    assert_eq!(
        play(start, 60, &mut players),
        End::Judged(Verdict::Loss(Color::Red, LossReason::OnlyAttacks))
    );
    // The engine in its place finds another way to lose.
    let mut players = [Player::engine(&[]), Player::engine(&[])];
    let end = play(start, 60, &mut players);
    assert!(
        matches!(end, End::Judged(Verdict::Loss(Color::Red, reason))
            if matches!(reason, LossReason::Checkmate | LossReason::Stalemate)),
        "{end:?}"
    );
}

#[test]
fn by_bare_boards() {
    let mut players = [Player::engine(&[]), Player::engine(&[])];
    // The last pawn falls at once.
    assert_eq!(
        play("3k5/9/9/9/9/9/9/4p4/4K4/9 w - - 0 1", 60, &mut players),
        End::Judged(Verdict::Draw(DrawReason::BareMaterial))
    );
}
