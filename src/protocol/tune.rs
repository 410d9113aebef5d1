//! The numbers of the search as options; only in a build with the feature `tune`.

use super::dialect::Dialect;
use super::options::{Kind, split_word};
use super::{ucci, uci};
use crate::search::{PARAMS, set_param};

/// The announcements of all numbers.
pub fn options(dialect: Dialect) -> impl Iterator<Item = String> {
    let announcement = match dialect {
        Dialect::Uci => uci::announcement,
        Dialect::Ucci => ucci::announcement,
    };
    PARAMS.iter().map(move |param| {
        let kind = Kind::Spin {
            default: param.default.into(),
            min: param.min.into(),
            max: param.max.into(),
        };
        announcement(param.name, kind)
    })
}

/// Sets a number from what follows the word `setoption`; false if it names none.
pub fn set(arguments: &[u8]) -> bool {
    let mut words = Vec::new();
    let mut rest = arguments;
    loop {
        let (word, after) = split_word(rest);
        if word.is_empty() {
            break;
        }
        words.push(String::from_utf8_lossy(word));
        rest = after;
    }
    words.retain(|word| word != "name" && word != "value");
    match &words[..] {
        [name, value] => value.parse().is_ok_and(|value| set_param(name, value)),
        _ => false,
    }
}
