//! Optical character recognition: the text of pictures and of scanned pages.
//!
//! `detect` finds lines at any angle; `recognise` reads them with PP-OCR's recogniser, `tesseract` with networks for
//! the scripts that it has no letters for, and `script_selection` decides between them; `orientation` finds out which
//! way the picture is turned; `plausibility` drops patterns that look like text; `reading_order` sorts what is left.
//!
//! ```no_run
//! use quartet_ocr::Picture;
//! # fn example(pixels: Vec<u8>, graphs: &dyn quartet_inference::Graphs) -> Result<(), quartet_inference::GraphError> {
//! let picture = Picture::new(640, 480, pixels).expect("three bytes a pixel");
//! let reading = quartet_ocr::read(&picture, graphs, &|| false)?;
//! println!("{}", reading.text());
//! # Ok(())
//! # }
//! ```

mod bidi;
mod context;
mod ctc;
mod detect;
pub mod geometry;
pub mod models;
mod orientation;
mod picture;
mod plausibility;
mod reading;
mod reading_order;
mod recognise;
mod regions;
mod script;
mod script_selection;
mod tesseract;
mod transcription;

use quartet_inference::{GraphError, Graphs};

use context::Context;
pub use context::TimeIsUp;
use geometry::RotatedRect;
pub use picture::Picture;
pub use reading::{Line, Reading, Unread};
pub use script::Script;

/// Initialises what is the same for all pictures, so that it can be part of a snapshot.
pub fn init() {
    ctc::alphabet();
}

/// Reads a picture. When the time is up, returns what has been read by then.
///
/// # Errors
/// When a model is missing or fails.
pub fn read(picture: &Picture, graphs: &dyn Graphs, time_is_up: TimeIsUp<'_>) -> Result<Reading, GraphError> {
    let found = detect::places(picture, graphs)?;
    let places: Vec<RotatedRect> = found.iter().map(|(place, _)| *place).collect();
    let mut context = Context::new(picture, graphs, time_is_up);
    let (turn, lines) = orientation::read(&mut context, &places)?;
    let shorter = picture.width().min(picture.height()) as f32;
    let stopped = context.stopped();
    let (lines, others) = plausibility::split(lines, shorter, stopped);
    let unread = others.into_iter().filter_map(|line| {
        // Turned or not, a place keeps its middle.
        let same = found.iter().find(|(found, _)| found.centre == line.place.centre);
        let confidence = same.map_or(0.0, |(_, probability)| *probability);
        plausibility::is_listed(&line, confidence, stopped).then_some(Unread {
            place: line.place,
            confidence,
        })
    });
    let unread = unread.collect();
    Ok(Reading {
        // What cannot be read has no side that is up.
        turn: if lines.is_empty() { 0 } else { turn },
        lines: reading_order::in_order(lines, turn),
        unread,
        stopped,
    })
}
