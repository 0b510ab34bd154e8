//! Folders of an installed program, which needs no flags: its components lie beside it, its models in the user's data.

use std::path::{Path, PathBuf};

use quartet_llm_engine::processors::Processors;

/// The folder of the components from the folder of the program: `/usr/bin` and `/usr/share/quartet/components`.
const COMPONENTS: &str = "../share/quartet/components";

/// The folder of code that was compiled ahead for any processor, in the same way.
const COMPILED: &str = "../lib/quartet/compiled";

/// The folder of the language model's engines that are for some processors only, in the same way.
const ENGINES: &str = "../lib/quartet";

/// The engine of the language model that is the best for this processor of those that are installed with the program in this
/// folder; none where there is only the one beside the program.
pub fn engine(program: &Path) -> Option<PathBuf> {
    let suitable = Processors::ALL
        .into_iter()
        .filter(|processors| processors.include_this());
    let mut files = suitable.map(|processors| program.join(ENGINES).join(processors.program()));
    files.find(|file| file.is_file())
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
    use super::*;

    #[test]
    fn an_engine_is_taken_for_the_processor_that_it_is_for() {
        let root = tempfile::tempdir().unwrap();
        let program = root.path().join("bin");
        let library = root.path().join("lib/quartet");
        std::fs::create_dir_all(&program).unwrap();
        std::fs::create_dir_all(&library).unwrap();
        assert_eq!(engine(&program), None);
        for processors in [Processors::Avx512, Processors::Amx] {
            let file = library.join(processors.program());
            std::fs::write(&file, "").unwrap();
            let taken = engine(&program).map(|taken| taken.canonicalize().unwrap());
            assert_eq!(taken == Some(file.canonicalize().unwrap()), processors.include_this());
        }
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
