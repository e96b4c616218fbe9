//! Processes that a child has started itself.

use rustix::process::{
    Pid, Signal, WaitOptions, getpgid, getpgrp, getpid, kill_process, kill_process_group, wait,
};
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

/// Ends all children of this process at once, and reaps them.
pub(crate) fn end_children() {
    loop {
        for child in children(getpid()) {
            let _ = kill_process(child, Signal::KILL);
        }
        match wait(WaitOptions::empty()) {
            // Their children have become ours.
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return,
        }
    }
}

/// The memory that a process and all below it have at hand, in bytes. What several of them share counts once, as far as
/// the system tells.
///
/// That takes longer than a look at each alone, which is enough while their sum is below `enough`.
pub fn memory_in_use(process: Pid, enough: u64) -> u64 {
    let family = family(process);
    let resident: u64 = family.iter().copied().map(resident_bytes).sum();
    if resident <= enough {
        return resident;
    }
    let share = |process: Pid| proportional_bytes(process).unwrap_or_else(|| resident_bytes(process));
    family.into_iter().map(share).sum()
}

fn resident_bytes(process: Pid) -> u64 {
    let page = rustix::param::page_size() as u64;
    let own = fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    let pages = own.split_whitespace().nth(1);
    let pages: u64 = pages.and_then(|number| number.parse().ok()).unwrap_or(0);
    pages * page
}

/// Each page divided by the number of processes that have it.
fn proportional_bytes(process: Pid) -> Option<u64> {
    let list = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).ok()?;
    let line = list.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// Sends a signal to the groups of all processes below one, but not to the group that this process is in.
pub(super) fn signal_groups_below(process: Pid, signal: Signal) {
    let mut told = vec![getpgrp()];
    // Somebody may have started another one just before the signal came; those that it stops start no more.
    loop {
        let groups = family(process).into_iter().skip(1);
        let mut news: Vec<Pid> = groups.filter_map(|member| getpgid(Some(member)).ok()).collect();
        news.sort_unstable_by_key(|group| group.as_raw_nonzero());
        news.dedup();
        news.retain(|group| !told.contains(group));
        if news.is_empty() {
            return;
        }
        for group in news {
            // Gone in the meantime is just as good.
            let _ = kill_process_group(group, signal);
            told.push(group);
        }
    }
}

/// A process and all below it.
fn family(process: Pid) -> Vec<Pid> {
    let mut family = vec![process];
    let mut next = 0;
    while let Some(&member) = family.get(next) {
        family.extend(children(member));
        next += 1;
    }
    family
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

    const SIZE: u64 = 64 << 20;

    fn eventually(what: impl Fn() -> bool) -> bool {
        let began = Instant::now();
        while !what() && began.elapsed() < Duration::from_secs(30) {
            std::thread::sleep(LOOK);
        }
        what()
    }

    #[test]
    fn memory_of_children_counts() {
        let own = memory_in_use(getpid(), 0);
        let mut child = Child::start(|| {
            let block = vec![1_u8; SIZE as usize];
            std::thread::sleep(Duration::from_secs(60));
            i32::from(block[7])
        })
        .unwrap();
        for enough in [0, u64::MAX] {
            assert!(eventually(|| memory_in_use(getpid(), enough) >= own + SIZE));
        }
        child.kill();
        child.wait().unwrap();
    }

    #[test]
    fn memory_that_a_copy_shares_counts_once() {
        let block = vec![1_u8; SIZE as usize];
        let sleep = || {
            std::thread::sleep(Duration::from_secs(60));
            0
        };
        let children = [(); 3].map(|()| Child::start(sleep).unwrap());
        assert!(eventually(|| memory_in_use(getpid(), u64::MAX) >= 4 * SIZE));
        // Once here, and perhaps once in the child of the other test.
        assert!(memory_in_use(getpid(), 0) < 3 * SIZE);
        drop((children, block));
    }
}
