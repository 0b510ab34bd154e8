//! Image analysis: decoding, objects, tags, colours and a description, and answers to questions about them.
//!
//! [`picture`] decodes untrusted files; the crate [`quartet_ocr`] reads text; [`objects`] finds objects; [`describe`]
//! turns all findings into facts and sentences; [`chat`] answers questions from them; [`facts`] converts them to the
//! fields of the API. There is no I/O, clock or randomness: models are run through [`quartet_inference::Graphs`].
//!
//! ```no_run
//! use quartet_image_analysis::{describe, picture};
//! # fn example(graphs: &dyn quartet_inference::Graphs) -> Result<(), Box<dyn std::error::Error>> {
//! let decoded = picture::decode(&std::fs::read("photo.jpg")?)?;
//! let found = describe::find(&decoded, graphs, &|| false)?;
//! println!("{} things", found.objects.len());
//! # Ok(())
//! # }
//! ```

pub mod chat;
pub mod describe;
pub mod facts;
pub mod models;
pub mod objects;
pub mod picture;
pub mod words;
