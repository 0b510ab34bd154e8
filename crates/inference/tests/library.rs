//! Loading of ONNX Runtime's library, in a process of its own: a process has one such library.

use std::path::{Path, PathBuf};

use quartet_inference::engine::onnxruntime::{FILE, Library};

#[test]
fn a_file_that_is_no_library_does_not_keep_another_one_from_being_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join(FILE);
    std::fs::write(&broken, "no library").unwrap();
    let error = Library::load(&broken, 1).expect_err("no library");
    let models = std::env::var_os("QUARTET_MODELS").map(PathBuf::from);
    let models = models.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/models"));
    let whole = models.join(FILE);
    if !whole.exists() {
        println!("not run: a library after one that is none: no {}", whole.display());
        return;
    }
    assert!(error.contains(FILE), "{error}");
    Library::load(&whole, 1).expect("the library of the models");
}
