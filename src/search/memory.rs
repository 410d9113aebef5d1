//! Hints about the memory of the table. They change nothing but the speed.
#![allow(
    unsafe_code,
    reason = "hints go to the processor and the system by address"
)]

use std::sync::atomic::AtomicU64;

/// Asks the system for large pages: the table is read all over, and with pages of 4 KiB
/// nearly every look at it would miss the processor's table of pages as well.
#[cfg(target_os = "linux")]
pub(super) fn prefer_large_pages(words: &[AtomicU64]) {
    use std::ffi::c_void;
    use std::ptr::NonNull;

    use nix::sys::mman::{MmapAdvise, madvise};

    const PAGE: usize = 2 << 20;
    let start = words.as_ptr() as usize;
    let first = start.next_multiple_of(PAGE);
    let end = (start + size_of_val(words)) & !(PAGE - 1);
    let Some(length) = end.checked_sub(first).filter(|&length| length > 0) else {
        return;
    };
    let pages = words.as_ptr().wrapping_byte_add(first - start);
    if let Some(pages) = NonNull::new(pages.cast_mut().cast::<c_void>()) {
        // SAFETY: the pages lie inside `words`, and the advice leaves their contents alone.
        if let Err(error) = unsafe { madvise(pages, length, MmapAdvise::MADV_HUGEPAGE) } {
            log::debug!("no large pages: {error}");
        }
    }
}

/// Asks for nothing.
#[cfg(not(target_os = "linux"))]
pub(super) fn prefer_large_pages(_: &[AtomicU64]) {}

/// Brings the words near this one into the cache while other things are done.
#[inline(always)]
pub(super) fn prefetch(word: &AtomicU64) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing that the program could see, at any address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = word;
}
