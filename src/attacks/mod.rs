//! Where pieces attack, as pure functions of squares and occupancy over tables
//! that are evaluated at compile time.
//!
//! Rooks, cannons and the lines of the generals go through packed [`Line`] words
//! ([`lines`]); everything else is a leaper ([`leapers`]).

pub mod leapers;
pub mod lines;

pub use leapers::{
    ADVISOR_POINTS, BISHOP_POINTS, advisor, bishop, check_zone, king, knight, knight_around,
    knight_leg, knight_to, palace_zones, pawn, pawn_reach, pawn_to,
};
pub use lines::{Cross, Line, Lines, Ray, between, spread_file};
