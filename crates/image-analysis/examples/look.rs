//! Analyses pictures natively: `look MODELS PICTURE…` prints the objects of each one and the time of each part;
//! `look --text MODELS PICTURE…` prints its text only.

use std::path::Path;
use std::time::Instant;

use quartet_image_analysis::{describe, facts, models, objects, picture};
use quartet_inference::engine::{Catalog, Engine};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let only_text = arguments.first().is_some_and(|first| first == "--text");
    if only_text {
        arguments.remove(0);
    }
    let [folder, pictures @ ..] = arguments.as_slice() else {
        return Err("usage: look [--text] MODELS PICTURE…".into());
    };
    let engine = Engine::new(Catalog::of_folder(Path::new(folder), models::all())).with_threads(1);
    for name in models::all() {
        engine.open(name)?;
    }
    for path in pictures {
        let began = Instant::now();
        let decoded = picture::decode(&std::fs::read(path)?)?;
        let decoding = began.elapsed();
        if only_text {
            let began = Instant::now();
            println!(
                "{}\n\u{c}",
                quartet_ocr::read(&decoded.picture, &engine, &|| false)?.text()
            );
            eprintln!("{path}: decoded in {decoding:.2?}, read in {:.2?}", began.elapsed());
            continue;
        }
        let found = describe::find(&decoded, &engine, &|| false)?;
        let all = began.elapsed();
        let began = Instant::now();
        objects::detect(
            &decoded.picture,
            &engine,
            objects::DEFAULT_THRESHOLD,
            objects::MAX_OBJECTS,
        )?;
        let detecting = began.elapsed();
        println!("{path}: decoded in {decoding:.2?}, objects in {detecting:.2?}, all in {all:.2?}");
        for object in facts::objects(&decoded, &found.objects) {
            println!(
                "  {:.2} {} {:?} {:?}",
                object.confidence, object.label, object.name, object.area
            );
        }
        println!(
            "  {:?}",
            describe::kind::features(&decoded.picture, &found.palette, &found.reading)
        );
        for tag in &found.tags {
            println!("  {:.2} {}", tag.confidence, tag.label);
        }
    }
    Ok(())
}
