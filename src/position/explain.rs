//! placeholder
/// placeholder
pub enum IllegalMove {}
