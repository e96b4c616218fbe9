//! Who is left of a group of processes.

use rustix::process::Pid;
use std::fs;

/// Does anybody of a group live? Those who have ended and wait to be reaped do not. Where the system does not tell, somebody
/// may.
///
/// Somebody may be born behind the back of a look, and the parent end before it is looked at: a second look finds the child.
pub(crate) fn group_lives(leader: Pid) -> bool {
    (0..2).any(|_| is_seen(leader))
}

fn is_seen(leader: Pid) -> bool {
    let Ok(entries) = fs::read_dir("/proc") else {
        return true;
    };
    let leader = leader.as_raw_nonzero().get().to_string();
    entries.flatten().any(|entry| {
        let is_process = entry
            .file_name()
            .to_string_lossy()
            .bytes()
            .all(|b| b.is_ascii_digit());
        is_process
            && fs::read_to_string(entry.path().join("stat")).is_ok_and(|stat| is_member(&stat, &leader))
    })
}

/// The name of the program comes in brackets, and may have any in it itself. State, parent and group follow.
fn is_member(stat: &str, leader: &str) -> bool {
    let mut fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let state = fields.next().unwrap_or("X");
    !matches!(state, "Z" | "X" | "x") && fields.nth(1) == Some(leader)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::CommandExt;
    use std::process::Command;
    use std::time::{Duration, Instant};

    #[test]
    fn a_line_of_the_table() {
        assert!(is_member("17 (a) Z 1 (b) S 1 42 42 0", "42"));
        assert!(!is_member("17 (a) Z 1 42 42 0", "42"));
        assert!(!is_member("17 (a) S 42 1 42 0", "42"));
    }

    /// The leader has ended and is not reaped; what it left behind lives, and then does not.
    #[test]
    fn a_group_outlives_its_leader() {
        let mut leader = Command::new("sh")
            .args(["-c", "sleep 0.4 & exit 0"])
            .process_group(0)
            .spawn()
            .unwrap();
        let group = Pid::from_raw(i32::try_from(leader.id()).unwrap()).unwrap();
        assert!(group_lives(group));
        let began = Instant::now();
        while group_lives(group) && began.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(!group_lives(group));
        assert!(leader.wait().unwrap().success());
    }
}
