//! Processes that a child has started itself.

use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, wait};
use std::fs;
use std::io;
use std::time::{Duration, Instant};

/// Between two looks at processes that are about to end.
const LOOK: Duration = Duration::from_millis(2);

/// From now on, processes that lose their parent below this one become children of this one.
pub fn take_in_orphans() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(getpid()))?;
    Ok(())
}

/// Ends all children of this process, and theirs, but those that `spare` names (by their command line), which get until
/// `patience` is over to end by themselves. To be called where nobody else waits for children.
pub fn bury_orphans(spare: &str, patience: Duration) {
    let deadline = Instant::now() + patience;
    loop {
        while matches!(wait(WaitOptions::NOHANG), Ok(Some(_))) {}
        let left = children(getpid());
        if left.is_empty() {
            return;
        }
        let late = Instant::now() > deadline;
        for child in left {
            if late || !command_line(child).contains(spare) {
                // Gone in the meantime is just as good.
                let _ = kill_process(child, Signal::KILL);
            }
        }
        if late {
            return;
        }
        std::thread::sleep(LOOK);
    }
}

/// The memory that a process and all below it have at hand, in bytes.
pub fn resident_bytes(process: Pid) -> u64 {
    let page = rustix::param::page_size() as u64;
    let own = fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    let pages: u64 = own
        .split_whitespace()
        .nth(1)
        .and_then(|number| number.parse().ok())
        .unwrap_or(0);
    let below: u64 = children(process).into_iter().map(resident_bytes).sum();
    pages * page + below
}

fn children(process: Pid) -> Vec<Pid> {
    let threads = fs::read_dir(format!("/proc/{process}/task"));
    let lists = threads.into_iter().flatten().flatten().map(|thread| {
        let list = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        let numbers = list.split_whitespace().filter_map(|number| number.parse().ok());
        numbers.filter_map(Pid::from_raw).collect::<Vec<_>>()
    });
    lists.flatten().collect()
}

fn command_line(process: Pid) -> String {
    let bytes = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).replace('\0', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Child;

    #[test]
    fn memory_of_children_counts() {
        const SIZE: usize = 64 << 20;
        let own = resident_bytes(getpid());
        let mut child = Child::start(|| {
            let block = vec![1_u8; SIZE];
            std::thread::sleep(Duration::from_secs(60));
            i32::from(block[SIZE / 2])
        })
        .unwrap();
        let began = Instant::now();
        let grown = || resident_bytes(getpid()) >= own + SIZE as u64;
        while !grown() && began.elapsed() < Duration::from_secs(30) {
            std::thread::sleep(LOOK);
        }
        assert!(grown());
        child.kill();
        child.wait().unwrap();
    }
}
