//! Folders of an installed program, which needs no flags: its components lie beside it, its models in the user's data.

use std::path::{Path, PathBuf};

/// The folder of the components from the folder of the program: `/usr/bin` and `/usr/share/quartet/components`.
const COMPONENTS: &str = "../share/quartet/components";

/// The folder of code that was compiled ahead for any processor, in the same way.
const COMPILED: &str = "../lib/quartet/compiled";

/// The folder of the language model's engines that are for some processors only, in the same way.
const ENGINES: &str = "../lib/quartet";

/// The engine of the language model that is the best for this processor of those that are installed with the program in this
/// folder; none where there is only the one beside the program.
pub fn engine(program: &Path) -> Option<PathBuf> {
    let engines = [
        ("quartet-llm-amx", has_avx512() && has_amx()),
        ("quartet-llm-avx512", has_avx512()),
    ];
    let suitable = engines.into_iter().filter(|(_, suitable)| *suitable);
    let mut files = suitable.map(|(name, _)| program.join(ENGINES).join(name));
    files.find(|file| file.is_file())
}

/// True if the processor has AVX-512 with all that its engine is compiled for.
fn has_avx512() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        has!("avx512bw") && has!("avx512vl") && has!("avx512vbmi") && has!("avx512vnni") && has!("avx512bf16")
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// True if the processor has Intel's tile registers, and the kernel keeps them for each thread.
pub fn has_amx() -> bool {
    // What Linux does not keep, it does not list.
    let processors = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let flags = processors.lines().find(|line| line.starts_with("flags"));
    flags.is_some_and(|flags| {
        let has = |wanted| flags.split_whitespace().any(|flag| flag == wanted);
        has("amx_tile") && has("amx_int8")
    })
}

/// The code that was compiled ahead and installed with this program. It is trusted as the program is, which whoever may
/// write there could replace as well.
pub fn compiled() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let folder = program.parent()?.join(COMPILED).canonicalize().ok()?;
    folder.is_dir().then_some(folder)
}

/// The components that were installed with this program.
pub fn components() -> Option<PathBuf> {
    beside(std::env::current_exe().ok()?.parent()?)
}

fn beside(program: &Path) -> Option<PathBuf> {
    program
        .join(COMPONENTS)
        .canonicalize()
        .ok()
        .filter(|folder| folder.is_dir())
}

/// The folder of models of whoever runs an installed program: `$XDG_DATA_HOME/quartet/models`, or the same in
/// `~/.local/share`.
pub fn models() -> Option<PathBuf> {
    components()?;
    let folder = |name: &str| {
        let value = std::env::var_os(name).filter(|value| !value.is_empty());
        value.map(PathBuf::from)
    };
    let data = folder("XDG_DATA_HOME").or_else(|| Some(folder("HOME")?.join(".local/share")))?;
    Some(data.join("quartet/models"))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;

    #[test]
    fn an_engine_is_taken_for_the_processor_that_it_is_for() {
        let root = tempfile::tempdir().unwrap();
        let program = root.path().join("bin");
        let library = root.path().join("lib/quartet");
        std::fs::create_dir_all(&program).unwrap();
        std::fs::create_dir_all(&library).unwrap();
        assert_eq!(engine(&program), None);
        let taken = || engine(&program).map(|file| file.file_name().unwrap().to_owned());
        let avx512 = has_avx512().then(|| OsString::from("quartet-llm-avx512"));
        std::fs::write(library.join("quartet-llm-avx512"), "").unwrap();
        assert_eq!(taken(), avx512);
        std::fs::write(library.join("quartet-llm-amx"), "").unwrap();
        let amx = (has_avx512() && has_amx()).then(|| OsString::from("quartet-llm-amx"));
        assert_eq!(taken(), amx.or(avx512));
    }

    #[test]
    fn components_are_found_beside_an_installed_program_only() {
        let root = tempfile::tempdir().unwrap();
        let program = root.path().join("bin");
        std::fs::create_dir_all(&program).unwrap();
        assert_eq!(beside(&program), None);
        let components = root.path().join("share/quartet/components");
        std::fs::create_dir_all(&components).unwrap();
        assert_eq!(beside(&program), Some(components.canonicalize().unwrap()));
    }
}
