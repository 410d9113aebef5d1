//! The progress bar of long commands.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar on stderr with a rate, the time left and the bar's message; invisible unless stderr is a terminal.
pub fn progress_bar(length: u64) -> ProgressBar {
    let template = "[{elapsed_precise}] {wide_bar} {percent}% {per_sec}, {eta} left {msg}";
    let style = ProgressStyle::with_template(template);
    ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
