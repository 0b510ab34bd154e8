//! The memory that there is, of the machine or of the control group that the service runs in, and how it is shared out: what
//! sandboxes may have together beside everything else that the service needs, and what a language model may have.

use std::path::Path;

use quartet_models::{Manifest, Model};
use sysinfo::{MemoryRefreshKind, ProcessRefreshKind, ProcessesToUpdate, System};

use super::llm;

const MIB: u64 = 1024 * 1024;

/// Part of the memory that the service takes: the kernel counts pages of files and sockets to the group, too.
const USABLE_PERCENT: u64 = 90;

/// Memory of the host: code, tables, connections, values kept between requests, bodies, and the buffers of one graph.
const HOST_BYTES: u64 = 768 * MIB;

/// Memory of a graph for a byte of its file: engines unpack weights, and keep them in the order in which they read them.
const GRAPH_PERCENT: u64 = 150;

/// The least that sandboxes get: with less, one request could not use what one may.
const MIN_BYTES: u64 = 256 * MIB;

/// The memory that is taken for granted where the system does not tell.
const UNKNOWN_BYTES: u64 = 2_048 * MIB;

/// The memory for all sandboxes, in bytes, beside the models in a folder; `writes` where the language model is in there, too,
/// and `come` where models that are missing are fetched: then there is room for them when they are there.
pub fn budget(models: &Path, writes: bool, come: bool) -> u64 {
    left(
        total().unwrap_or(UNKNOWN_BYTES),
        graphs(models) + if come { missing_graphs(models) } else { 0 },
        language_models(models, writes, come),
    )
}

fn left(total: u64, graphs: u64, language_models: Vec<u64>) -> u64 {
    let beside = beside(total, graphs);
    // The largest that fits is the one that will be loaded.
    let language = language_models.into_iter().filter(|bytes| *bytes <= beside).max();
    beside.saturating_sub(language.unwrap_or(0)).max(MIN_BYTES)
}

/// The bytes that host and graphs leave to everything else.
fn beside(total: u64, graphs: u64) -> u64 {
    let usable = total / 100 * USABLE_PERCENT;
    usable.saturating_sub(HOST_BYTES + graphs / 100 * GRAPH_PERCENT)
}

/// The memory that a language model may have, in bytes: what programs can get now without anything being swapped out, and where the
/// service has a limit of its own, no more than that leaves beside the host and the graphs in a folder, which are loaded later. 0
/// where the system does not tell.
pub fn for_language_model(models: &Path) -> u64 {
    let Ok(mut system) = System::new() else { return 0 };
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    // Without a limit of its own, a group has that of the machine.
    let limit = limit(&mut system).filter(|limit| *limit < system.total_memory());
    let beside = limit.map_or(u64::MAX, |limit| beside(limit, graphs(models)));
    system.available_memory().min(beside)
}

/// Memory of the machine, or of the control group where that has less, in bytes; `None` where the system does not tell.
pub fn total() -> Option<u64> {
    let mut system = System::new().ok()?;
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    let machine = Some(system.total_memory()).filter(|bytes| *bytes > 0)?;
    Some(limit(&mut system).map_or(machine, |limit| limit.min(machine)))
}

/// Limit of the control group that this process runs in, in bytes; `None` where there is none.
fn limit(system: &mut System) -> Option<u64> {
    let own = sysinfo::get_current_pid().ok()?;
    let asked = ProcessRefreshKind::nothing();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[own]), false, asked);
    let group = system.process(own).and_then(sysinfo::Process::cgroup_limits);
    // A container may see its own group as the root of all.
    let limits = [group, system.cgroup_limits()];
    let limits = limits.into_iter().flatten().map(|limits| limits.total_memory);
    limits.filter(|bytes| *bytes > 0).min()
}

/// Bytes of the graphs in a folder.
fn graphs(models: &Path) -> u64 {
    let files = std::fs::read_dir(models).into_iter().flatten().flatten();
    let graphs = files.filter(|file| file.path().extension().is_some_and(|extension| extension == "onnx"));
    graphs
        .filter_map(|file| std::fs::metadata(file.path()).ok())
        .map(|file| file.len())
        .sum()
}

/// Bytes of the graphs of the default configuration that are not in a folder.
fn missing_graphs(models: &Path) -> u64 {
    let table = Manifest::embedded().ok();
    let graphs = table.iter().flat_map(Manifest::models).filter(|model| {
        let graph = Path::new(&model.file)
            .extension()
            .is_some_and(|extension| extension == "onnx");
        graph && model.default && !models.join(&model.file).is_file()
    });
    graphs.map(Model::size).sum()
}

fn language_models(models: &Path, writes: bool, come: bool) -> Vec<u64> {
    if !writes {
        return Vec::new();
    }
    let catalogue = llm::catalogue(models).into_iter();
    catalogue
        .filter(|model| model.file.is_file() || come && model.default)
        .map(|model| model.memory)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1024 * MIB;

    #[test]
    fn sandboxes_get_what_models_and_host_leave() {
        let models = || vec![6 * GIB, 2 * GIB, GIB];
        assert_eq!(left(4 * GIB, 0, Vec::new()), 4 * GIB / 100 * 90 - HOST_BYTES);
        assert_eq!(left(4 * GIB, 0, models()), 4 * GIB / 100 * 90 - HOST_BYTES - 2 * GIB);
        assert!(left(16 * GIB, 300 * MIB, models()) > 6 * GIB);
        assert_eq!(left(GIB, 300 * MIB, models()), MIN_BYTES);
    }

    #[test]
    fn the_limits_of_the_files_for_deploying_are_enough_for_the_default_language_model() {
        let empty = tempfile::tempdir().unwrap();
        let default = language_models(empty.path(), true, true).into_iter().max().unwrap();
        let enough = |limit: u64| beside(limit, missing_graphs(empty.path())) > default + MIN_BYTES;
        for (file, before, after) in [
            (include_str!("../../../deploy/compose.yaml"), "mem_limit: ", "g"),
            (include_str!("../../../deploy/fleet/compose.yaml"), "mem_limit: ", "g"),
            (
                include_str!("../../../deploy/kubernetes/base/quartet.yaml"),
                "limits:\n              memory: ",
                "Gi",
            ),
        ] {
            let limit = file.split_once(before).unwrap().1.split_once(after).unwrap().0;
            assert!(enough(limit.parse::<u64>().unwrap() * GIB), "{limit}");
        }
        assert!(!enough(4 * GIB));
    }

    #[test]
    fn this_machine_says_what_it_has() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.onnx"), [0; 1000]).unwrap();
        std::fs::write(folder.path().join("b.bin"), [0; 1000]).unwrap();
        assert_eq!(graphs(folder.path()), 1000);
        assert!(total().is_none_or(|bytes| bytes > 64 * MIB));
        assert!(missing_graphs(folder.path()) > 100_000_000);
        assert!(budget(folder.path(), true, true) >= MIN_BYTES);
        assert!(for_language_model(folder.path()) > MIB);
        assert!(budget(folder.path(), true, true) <= budget(folder.path(), false, false));
    }
}
