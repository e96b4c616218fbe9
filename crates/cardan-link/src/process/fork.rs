//! Copies of this process: making one, and leaving it.

#![allow(unsafe_code)] // see the reasons below

use rustix::process::{Pid, Resource, Rlimit, setrlimit};
use std::io::{self, Write};
use std::os::fd::AsRawFd;

/// Makes a copy of this process: its number here, nothing in the copy, which must end by [`leave`].
///
/// The copy has no threads but the calling one. What other threads hold at this moment stays held in it.
pub(crate) fn fork() -> io::Result<Option<Pid>> {
    // Nobody is in the middle of printing while these are held, so the copy can print too.
    let mut output = io::stdout().lock();
    let errors = io::stderr().lock();
    // What is still in a buffer would come out of the copy too.
    let _ = output.flush();
    flush_buffers_of_c();
    // SAFETY: the copy goes on with the same memory and leaves by `_exit`, so nothing of the original is dropped or run
    // at its end. The C library makes its allocator usable after a fork.
    let number = unsafe { libc::fork() };
    drop((output, errors));
    match number {
        -1 => Err(io::Error::last_os_error()),
        number => Ok(Pid::from_raw(number)),
    }
}

/// Ends this process at once, without what the original has registered for its own end.
pub(crate) fn leave(code: i32) -> ! {
    flush_buffers_of_c();
    // SAFETY: ends the process; no memory is touched after that.
    unsafe { libc::_exit(code) }
}

/// Ends this process by a signal, as if it had been hit by it.
pub(crate) fn leave_by(signal: i32) -> ! {
    // Whoever was hit first has left a picture of its memory; a second one would show nothing.
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    let _ = setrlimit(Resource::Core, none);
    by_default(signal);
    // SAFETY: a signal that this process sends to itself; the worst of it is what is wanted.
    unsafe { libc::raise(signal) };
    // One that does not end a process by itself.
    leave(128 + signal)
}

/// Lets a signal do what it does where nobody asks for something else.
pub(super) fn by_default(signal: i32) {
    // SAFETY: no function of this program is run on the signal any more.
    unsafe { libc::signal(signal, libc::SIG_DFL) };
}

/// Tells numerical libraries that are loaded later to work with one thread.
pub(crate) fn let_libraries_use_one_thread() {
    for name in [
        c"OMP_NUM_THREADS",
        c"OPENBLAS_NUM_THREADS",
        c"MKL_NUM_THREADS",
        c"BLIS_NUM_THREADS",
        c"GOTO_NUM_THREADS",
        c"NUMEXPR_NUM_THREADS",
    ] {
        // SAFETY: this is called in copies, which have one thread, so nobody reads the environment meanwhile. Where
        // there is no memory for it, the library uses what it likes, and that is noticed.
        let _ = unsafe { libc::setenv(name.as_ptr(), c"1".as_ptr(), 1) };
    }
}

/// Closes all descriptors of this process but one: a copy that only waits must not keep anything open.
pub(super) fn close_all_but(kept: &impl AsRawFd) {
    let kept = kept.as_raw_fd().unsigned_abs();
    let ranges = [(0, kept.checked_sub(1)), (kept + 1, Some(u32::MAX))];
    for (first, last) in ranges {
        let Some(last) = last.filter(|last| *last >= first) else {
            continue;
        };
        // SAFETY: this is called in copies that use no other descriptor afterwards and drop none.
        let _ = unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) };
    }
}

/// Writes out what models have printed through the C library.
fn flush_buffers_of_c() {
    // SAFETY: without a stream it flushes all that are open for writing, each under its own lock.
    let _ = unsafe { libc::fflush(std::ptr::null_mut()) };
}
