//! Swap, and what it does to the memory of sandboxes that is used again.
//!
//! wasmtime keeps pages of a sandbox for the next one and asks the kernel which of them were written, to reset only those.
//! It asks for pages that are present (`PAGEMAP_SCAN` with `PAGE_IS_PRESENT`, wasmtime 48): one that was written and then
//! swapped out is not reset, and the next sandbox in this place would read what a stranger's request left there. So where
//! anything of this process can be swapped, nothing is kept, and the kernel drops all pages, swapped ones too.

use std::path::{Path, PathBuf};

/// Places where memory can be swapped to; a line of headings, then a line for each.
const SWAPS: &str = "/proc/swaps";
/// The control groups of this process.
const GROUPS: &str = "/proc/self/cgroup";
/// The folder of all control groups.
const GROUP_ROOT: &str = "/sys/fs/cgroup";
/// The file of a group with the most bytes that may be swapped of it.
const GROUP_LIMIT: &str = "memory.swap.max";

/// Returns true unless it is sure that nothing of this process is swapped.
pub fn is_possible() -> bool {
    let read = |path: &Path| std::fs::read_to_string(path).ok();
    let groups = read(Path::new(GROUPS)).unwrap_or_default();
    let limits = group_folders(&groups).map(|folder| read(&folder.join(GROUP_LIMIT)));
    may_swap(read(Path::new(SWAPS)).as_deref(), limits)
}

/// Folders of the group of version 2 that a process is in, from its own up; a container may see its own as the root.
fn group_folders(groups: &str) -> impl Iterator<Item = PathBuf> {
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/")).unwrap_or("");
    let root = Path::new(GROUP_ROOT);
    let folders: Vec<_> = Path::new(own).ancestors().map(|folder| root.join(folder)).collect();
    folders.into_iter()
}

/// Decides by the text of [`SWAPS`] and the limits of the groups. One group that may swap nothing is enough; a limit that
/// cannot be read is none.
fn may_swap(swaps: Option<&str>, mut limits: impl Iterator<Item = Option<String>>) -> bool {
    let nowhere = swaps.is_some_and(|swaps| swaps.lines().skip(1).all(|line| line.trim().is_empty()));
    !nowhere && !limits.any(|limit| limit.is_some_and(|limit| limit.trim() == "0"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: &str = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n";
    const FILE: &str = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n/swapfile  file\t\t2097148\t\t0\t\t-2\n";

    fn decided(swaps: Option<&str>, limits: &[&str]) -> bool {
        may_swap(swaps, limits.iter().map(|limit| Some((*limit).to_owned())))
    }

    #[test]
    fn nothing_is_kept_unless_nothing_can_be_swapped() {
        assert!(!decided(Some(NONE), &[]));
        assert!(decided(Some(FILE), &[]));
        assert!(decided(Some(FILE), &["max\n", "1048576\n"]));
        // The service's own group, or one around it.
        assert!(!decided(Some(FILE), &["0\n", "max\n"]));
        assert!(!decided(Some(FILE), &["max\n", "0\n"]));
        // Where the system does not say, it may.
        assert!(decided(None, &[]));
        assert!(!decided(None, &["0\n"]));
        assert!(may_swap(None, [None].into_iter()));
    }

    #[test]
    fn groups_are_asked_from_the_own_one_up() {
        let folders = |groups: &str| {
            let folders = group_folders(groups).map(|folder| folder.display().to_string());
            folders.collect::<Vec<_>>()
        };
        assert_eq!(
            folders("1:cpu:/x\n0::/system.slice/quartet.service\n"),
            [
                "/sys/fs/cgroup/system.slice/quartet.service",
                "/sys/fs/cgroup/system.slice",
                "/sys/fs/cgroup/"
            ]
        );
        assert_eq!(folders("0::/\n"), ["/sys/fs/cgroup/"]);
        assert_eq!(folders(""), ["/sys/fs/cgroup/"]);
    }
}
