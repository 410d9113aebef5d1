//! placeholder
use std::time::Instant;
use vermilion::position::Position;
use vermilion::tools::perft::{Leaves, perft};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    if args[1] == "suite" {
        let text = std::fs::read_to_string(&args[2]).unwrap();
        let (mut ok, mut bad) = (0, 0);
        for line in text
            .lines()
            .filter(|l| !l.starts_with('#') && !l.trim().is_empty())
        {
            let mut parts = line.split(';');
            let fen = parts.next().unwrap().trim();
            let mut p: Position = fen.parse().unwrap();
            for c in parts {
                let (d, n) = c.trim().split_once(' ').unwrap();
                let d: u32 = d[1..].parse().unwrap();
                let n: u64 = n.trim().parse().unwrap();
                let got = perft(&mut p, d, Leaves::Count);
                let got2 = perft(&mut p, d, Leaves::List);
                if got == n && got2 == n {
                    ok += 1
                } else {
                    bad += 1;
                    println!("{fen} D{d} {n} {got} {got2}");
                }
            }
        }
        println!("{ok} passed, {bad} failed");
        return;
    }
    let depth: u32 = args[1].parse().unwrap();
    let mut p: Position = args
        .get(2)
        .map_or(Position::startpos(), |f| f.parse().unwrap());
    for leaves in [Leaves::Count, Leaves::List] {
        let t = Instant::now();
        let n = perft(&mut p, depth, leaves);
        let s = t.elapsed().as_secs_f64();
        println!("{leaves:?} {n} {:.1} Mnps", n as f64 / s / 1e6);
    }
}
