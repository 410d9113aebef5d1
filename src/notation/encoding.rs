//! The encodings of game files: UTF-8 and GBK.

use std::fmt;
use std::str::FromStr;

use encoding_rs::{GB18030, GBK, UTF_16BE, UTF_16LE};

/// How the text of a file is coded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// UTF-8.
    #[default]
    Utf8,
    /// GBK, as most Chinese programs write; read as GB18030, which includes it.
    Gbk,
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Utf8 => "utf-8",
            Self::Gbk => "gbk",
        })
    }
}

/// A text that names no encoding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownEncoding(pub String);

impl fmt::Display for UnknownEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is no encoding; there are utf-8 and gbk", self.0)
    }
}

impl std::error::Error for UnknownEncoding {}

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    fn from_str(text: &str) -> Result<Self, UnknownEncoding> {
        match text.to_ascii_lowercase().as_str() {
            "utf-8" | "utf8" => Ok(Self::Utf8),
            "gbk" | "gb2312" | "gb18030" => Ok(Self::Gbk),
            _ => Err(UnknownEncoding(text.to_owned())),
        }
    }
}

/// Turns bytes into text: UTF-8 or UTF-16 if a byte order mark says so, UTF-8 if the bytes
/// are valid UTF-8, GBK if not. Bytes that mean nothing become U+FFFD.
pub fn decode(bytes: &[u8]) -> (String, Encoding) {
    for (mark, encoding) in [(&[0xff, 0xfe][..], UTF_16LE), (&[0xfe, 0xff][..], UTF_16BE)] {
        if let Some(rest) = bytes.strip_prefix(mark) {
            let (text, _) = encoding.decode_without_bom_handling(rest);
            return (text.into_owned(), Encoding::Utf8);
        }
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => (text.to_owned(), Encoding::Utf8),
        Err(_) => (decode_gbk(bytes), Encoding::Gbk),
    }
}

/// Turns GBK or GB18030 into text.
pub(super) fn decode_gbk(bytes: &[u8]) -> String {
    GB18030.decode_without_bom_handling(bytes).0.into_owned()
}

/// Turns text into bytes. A character that GBK does not have becomes its number, `&#128512;`.
pub fn encode(text: &str, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 => text.as_bytes().to_vec(),
        Encoding::Gbk => GBK.encode(text).0.into_owned(),
    }
}
