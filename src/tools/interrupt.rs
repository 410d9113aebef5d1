//! Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that Ctrl-C sets, so that a command can come to a good end; a second Ctrl-C ends
/// the program at once.
pub fn on_interrupt() -> Arc<AtomicBool> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    // Not the flag itself, which the command may set for reasons of its own.
    let mut again = false;
    let set = ctrlc::set_handler(move || {
        if std::mem::replace(&mut again, true) {
            std::process::exit(1);
        }
        flag.store(true, Ordering::Relaxed);
    });
    if let Err(error) = set {
        log::warn!("Ctrl-C ends the program at once: {error}");
    }
    interrupted
}
