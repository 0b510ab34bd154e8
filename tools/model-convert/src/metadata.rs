//! Texts in the metadata of ONNX files.

use anyhow::{Context, Result};
use prost::Message;

use crate::onnx::Model;

/// The entry called `key`, with a line break at its end.
///
/// # Errors
/// When the file is no ONNX file or has no such entry.
pub fn entry(file: &[u8], key: &str) -> Result<String> {
    let model = Model::decode(file).context("this is no ONNX file")?;
    let mut entries = model.metadata_props.into_iter();
    let found = entries
        .find(|entry| entry.key == key)
        .with_context(|| format!("the file's metadata has no `{key}`"))?;
    let mut text = found.value;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}
