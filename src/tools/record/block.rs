//! Blocks: games with the settings under which they were played, and checksums.

use serde::{Deserialize, Serialize};

use super::game::{Game, Record};

/// The first bytes of every block; the digit is the version of the format.
pub const MAGIC: [u8; 8] = *b"VMDATA1\n";
/// The length of a block's head in bytes; settings and games follow.
pub(super) const HEAD: usize = 40;
/// The longest settings in bytes.
pub(super) const MAX_SETTINGS: usize = 1 << 16;
/// The longest games of a block in bytes.
pub(super) const MAX_GAMES: usize = 1 << 28;

/// When a game ends because it is clear.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Adjudication {
    /// A side has won whose scores, and the negated ones of the opponent, are at least this,
    pub win_score: u16,
    /// for so many plies in a row; 0 for never.
    pub win_plies: usize,
    /// The game is drawn if the scores are at most this far from 0,
    pub draw_score: u16,
    /// for so many plies in a row; 0 for never;
    pub draw_plies: usize,
    /// but not before this ply.
    pub draw_from: usize,
    /// The game is drawn after so many plies.
    pub max_plies: usize,
}

/// Who has given the games their scores, if not the players.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Label {
    /// Name and version of the engine.
    pub engine: String,
    /// The engine's signature, see [`Settings::signature`].
    pub signature: u64,
    /// How many nodes it searched, about, for a score.
    pub nodes: u64,
}

/// How games were played. A seed and a number make a game, given the engine and the rest.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Name and version of the engine.
    pub engine: String,
    /// The nodes of a small bench, which differ from one engine to the next.
    pub signature: u64,
    /// How many nodes a move was searched, about.
    pub nodes: u64,
    /// The seed of all games.
    pub seed: u64,
    /// The greatest distance from 0 of the score at the start of a game from an opening.
    pub balance: u16,
    /// How many games in a hundred begin with an ending that was set up at random.
    pub endings: u32,
    /// The rule set.
    pub rule: String,
    /// When a clear game ends.
    pub adjudication: Adjudication,
    /// Who has scored the games anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Label>,
}

/// A block of consecutive games that is yet to be written.
#[derive(Default, Debug)]
pub struct NewBlock {
    games: u32,
    positions: u32,
    bytes: Vec<u8>,
}

impl NewBlock {
    /// Appends a game; of one longer than [`super::MAX_PLIES`] only so much.
    pub fn push(&mut self, record: &Record) {
        self.positions += record.write(&mut self.bytes) as u32;
        self.games += 1;
    }

    /// How many games it has.
    pub const fn games(&self) -> u32 {
        self.games
    }

    /// How many bytes its games take.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes of the block; `first` is the number of its first game.
    ///
    /// # Errors
    /// If the settings cannot be written as JSON.
    pub fn to_bytes(&self, settings: &Settings, first: u64) -> serde_json::Result<Vec<u8>> {
        let settings = serde_json::to_vec(settings)?;
        let mut bytes = Vec::with_capacity(HEAD + settings.len() + self.bytes.len());
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&(settings.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&(self.bytes.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&first.to_le_bytes());
        bytes.extend_from_slice(&self.games.to_le_bytes());
        bytes.extend_from_slice(&self.positions.to_le_bytes());
        let checksum = head_checksum(&bytes, &settings);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        bytes.extend_from_slice(&crc32fast::hash(&self.bytes).to_le_bytes());
        bytes.extend_from_slice(&settings);
        bytes.extend_from_slice(&self.bytes);
        Ok(bytes)
    }
}

/// The CRC-32 of a head's first 32 bytes and the settings.
fn head_checksum(head: &[u8], settings: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(head);
    hasher.update(settings);
    hasher.finalize()
}

/// The head of a block.
pub(super) struct Head {
    pub settings: usize,
    pub games: usize,
    first: u64,
    game_count: u32,
    positions: u32,
    head_checksum: u32,
    games_checksum: u32,
}

impl Head {
    /// Reads a head; `None` if it does not begin with [`MAGIC`] or its lengths are absurd.
    pub fn read(bytes: &[u8; HEAD]) -> Option<Self> {
        let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|index| bytes[at + index]));
        let head = Self {
            settings: word(8) as usize,
            games: word(12) as usize,
            first: u64::from(word(16)) | u64::from(word(20)) << 32,
            game_count: word(24),
            positions: word(28),
            head_checksum: word(32),
            games_checksum: word(36),
        };
        let known = bytes.starts_with(&MAGIC);
        let possible = head.settings <= MAX_SETTINGS && head.games <= MAX_GAMES;
        (known && possible).then_some(head)
    }

    /// Whether the head and these settings are what was written.
    pub fn is_intact(&self, bytes: &[u8; HEAD], settings: &[u8]) -> bool {
        head_checksum(&bytes[..32], settings) == self.head_checksum
    }

    /// Whether the games are what was written.
    pub fn has_games(&self, games: &[u8]) -> bool {
        crc32fast::hash(games) == self.games_checksum
    }

    /// The block of these intact games; `None` if they are none, or not as many as told.
    pub fn block(&self, offset: u64, settings: Settings, bytes: Vec<u8>) -> Option<Block> {
        let block = Block {
            offset,
            size: (HEAD + self.settings + self.games) as u64,
            settings,
            first: self.first,
            bytes,
        };
        let (mut left, mut count, mut positions) = (block.games(), 0, 0);
        for game in left.by_ref() {
            if !game.is_sound() {
                return None;
            }
            count += 1;
            positions += game.len() as u32;
        }
        let whole = left.0.is_empty() && count == self.game_count && positions == self.positions;
        whole.then_some(block)
    }
}

/// A block of consecutive games, read and found intact.
#[derive(Clone, Debug)]
pub struct Block {
    /// Where it begins in its file.
    pub offset: u64,
    /// How many bytes of the file it takes.
    pub size: u64,
    /// How its games were played.
    pub settings: Settings,
    /// The number of its first game; those of the others follow.
    pub first: u64,
    bytes: Vec<u8>,
}

impl Block {
    /// The games in order.
    pub fn games(&self) -> Games<'_> {
        Games(&self.bytes)
    }
}

/// The games of a block.
#[derive(Clone, Debug)]
pub struct Games<'a>(&'a [u8]);

impl<'a> Iterator for Games<'a> {
    type Item = Game<'a>;

    #[inline]
    fn next(&mut self) -> Option<Game<'a>> {
        let (game, rest) = Game::split(self.0)?;
        self.0 = rest;
        Some(game)
    }
}
