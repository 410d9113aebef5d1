//! Making a book from games.

use std::collections::HashMap;

use super::{Book, BookKey, Record};
use crate::position::Position;
use crate::types::Move;

/// Collects the moves of games with the points that each has earned.
#[derive(Clone, Debug, Default)]
pub struct BookBuilder {
    points: HashMap<(BookKey, Move), u64>,
}

impl BookBuilder {
    /// Counts a move of the position with these points. Of a position and its mirror image
    /// the one with the smaller key is kept, and of one that is its own image both the move
    /// and its image.
    pub fn add(&mut self, position: &Position, mv: Move, points: u32) {
        let own = BookKey::of(position);
        let mirrored = BookKey::of_mirrored(position);
        let image = mv.mirror();
        if own <= mirrored {
            *self.points.entry((own, mv)).or_default() += u64::from(points);
        }
        if own > mirrored || own == mirrored && image != mv {
            *self.points.entry((mirrored, image)).or_default() += u64::from(points);
        }
    }

    /// The book: the weight of a move is its points divided by `ratio`, and moves without a
    /// whole number are left out. Where a weight of a position is too large for its 16
    /// bits, all of that position are made smaller.
    pub fn build(&self, ratio: u64) -> Book {
        let mut weighted: Vec<(BookKey, Move, u64)> = self
            .points
            .iter()
            .map(|(&(key, mv), &points)| (key, mv, points / ratio.max(1)))
            .filter(|&(.., weight)| weight > 0)
            .collect();
        weighted.sort_by_key(|&(key, mv, weight)| (key, std::cmp::Reverse(weight), mv));
        let mut records = Vec::with_capacity(weighted.len());
        for position in weighted.chunk_by(|one, next| one.0 == next.0) {
            let most = position.iter().map(|&(.., weight)| weight).max();
            let divisor = most.unwrap_or(0).div_ceil(u64::from(u16::MAX)).max(1);
            records.extend(position.iter().map(|&(key, mv, weight)| Record {
                key: key.lock1,
                mv,
                weight: (weight / divisor).max(1) as u16,
            }));
        }
        Book { records }
    }
}
