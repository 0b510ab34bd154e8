//! The network on sentences whose vowels every reader agrees on. The models are those of `cargo xtask setup`.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use quartet_arabic_g2p::{GRAPH, reading, vowelled};
use quartet_inference::engine::{Catalog, Engine, onnxruntime};

/// The network, where the model and the library that computes it are.
fn engine(test: &str) -> Option<Engine> {
    let models = std::env::var_os("QUARTET_MODELS").map(PathBuf::from);
    let models = models.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/models"));
    let library = if models.join(GRAPH).with_extension("onnx").is_file() {
        onnxruntime::Library::load(&models.join(onnxruntime::FILE), 1)
    } else {
        Err("the model is missing".to_owned())
    };
    match library {
        Ok(library) => Some(Engine::new(Catalog::of_folder(&models, [GRAPH])).with_library(library)),
        Err(reason) => {
            // Past the harness, which keeps what tests print to itself when they pass.
            let _ = writeln!(std::io::stdout().lock(), "not run: {test}: {reason}");
            None
        }
    }
}

#[test]
fn sentences_get_the_vowels_of_a_reader() {
    let Some(engine) = engine("sentences_get_the_vowels_of_a_reader") else {
        return;
    };
    let marked = |text: &str| vowelled(&[text], &engine).unwrap().remove(0);
    for (written, said) in [
        ("ذهب الولد إلى المدرسة", "ðˈahabal wˈaladu ʔˈilal mˈadrasah"),
        (
            "السلام عليكم ورحمة الله وبركاته",
            "ʔassalˈaːmu ʕalˈajkum warˈaħmatul lˈaːhi wabarakˈaːtuh",
        ),
        ("هذا كتاب جديد", "hˈaːðaː kitˈaːbun dʒadˈiːd"),
    ] {
        assert_eq!(reading(&marked(written), str::to_owned), said, "{}", marked(written));
    }
    // The hamza that many leave out, and the mark that somebody wrote.
    assert!(marked("اكل الولد").starts_with('أ'), "{}", marked("اكل الولد"));
    assert!(marked("كُتب الدرس").starts_with("كُ"), "{}", marked("كُتب الدرس"));
}

#[test]
fn parts_of_a_sentence_are_told_apart() {
    let Some(engine) = engine("parts_of_a_sentence_are_told_apart") else {
        return;
    };
    let parts = ["في الماضي", "كان البيت كبيرا", "والشارع ضيقا"];
    let marked = vowelled(&parts, &engine).unwrap();
    let plain = |text: &String| -> String {
        text.chars()
            .filter(|one| !('\u{64b}'..='\u{652}').contains(one))
            .collect()
    };
    assert_eq!(marked.iter().map(plain).collect::<Vec<_>>(), parts);
    assert!(marked.iter().all(|part| part.chars().count() > 12), "{marked:?}");
    assert_eq!(marked, vowelled(&parts, &engine).unwrap(), "the same every time");
}
