//! Weights as PyTorch saved them before version 1.6: five pickles (a magic number, a version, facts of the machine, the
//! dictionary of tensors, the keys of the storages), then each storage: its length as 64 bits, and its elements.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};

use crate::pickle::{self, Object};

/// The first pickle of such a file.
const MAGIC: &[u8] = &[0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19];

/// A tensor of floating-point numbers, in row-major order.
pub struct Tensor {
    /// The size of each dimension.
    pub shape: Vec<usize>,
    /// Its elements.
    pub elements: Vec<f32>,
}

/// Tensors by name. Those that are not floating point, such as counters, are left out.
///
/// # Errors
/// When the file is not of this format.
pub fn read(file: &[u8]) -> Result<BTreeMap<String, Tensor>> {
    let mut rest = file;
    let magic = pickle::load(&mut rest).context("the magic number")?;
    ensure!(
        matches!(&magic, Object::Long(bytes) if bytes == MAGIC),
        "this is no file of PyTorch's legacy format"
    );
    for what in ["the version", "the facts of the machine"] {
        pickle::load(&mut rest).context(what)?;
    }
    let state = pickle::load(&mut rest).context("the tensors")?;
    let Object::List(keys) = pickle::load(&mut rest).context("the keys")? else {
        bail!("the keys of the storages are no list");
    };
    let mut storages = BTreeMap::new();
    let kinds = kinds(&state)?;
    for key in keys {
        let Object::Text(key) = key else {
            bail!("the key of a storage is no text")
        };
        let size = *kinds
            .get(&key)
            .with_context(|| format!("nothing says what the storage {key} is"))?;
        let (length, after) = rest.split_first_chunk::<8>().context("a storage has no length")?;
        let bytes = usize::try_from(u64::from_le_bytes(*length))?
            .checked_mul(size)
            .context("a storage is too long")?;
        ensure!(after.len() >= bytes, "the file ends inside of a storage");
        let (bytes, after) = after.split_at(bytes);
        storages.insert(key, bytes);
        rest = after;
    }
    let Object::Dictionary(entries) = &state else {
        bail!("the tensors are no dictionary")
    };
    let mut tensors = BTreeMap::new();
    for (name, value) in entries {
        let Object::Text(name) = name else {
            bail!("the name of a tensor is no text")
        };
        let view = View::of(value).with_context(|| name.clone())?;
        if view.kind == "FloatStorage" {
            let bytes = storages
                .get(&view.key)
                .with_context(|| format!("{name} has no storage"))?;
            tensors.insert(name.clone(), view.take(bytes).with_context(|| name.clone())?);
        }
    }
    Ok(tensors)
}

/// The size of an element of each storage, by its key.
fn kinds(state: &Object) -> Result<BTreeMap<String, usize>> {
    let Object::Dictionary(entries) = state else {
        bail!("the tensors are no dictionary")
    };
    let mut kinds = BTreeMap::new();
    for (_, value) in entries {
        let view = View::of(value)?;
        let size = match view.kind.as_str() {
            "FloatStorage" | "IntStorage" => 4,
            "LongStorage" | "DoubleStorage" => 8,
            kind => bail!("storages of the kind {kind} are not known here"),
        };
        kinds.insert(view.key, size);
    }
    Ok(kinds)
}

/// Layout of a tensor in a storage.
struct View {
    kind: String,
    key: String,
    offset: usize,
    shape: Vec<usize>,
    strides: Vec<usize>,
}

impl View {
    /// Reads a call of PyTorch's function that makes a tensor again.
    fn of(value: &Object) -> Result<Self> {
        let Object::Call(function, arguments) = value else {
            bail!("this is no tensor")
        };
        ensure!(
            function.ends_with("_rebuild_tensor_v2"),
            "this is no tensor, but a {function}"
        );
        let [
            Object::Persistent(storage),
            Object::Integer(offset),
            Object::Tuple(shape),
            Object::Tuple(strides),
            ..,
        ] = arguments.as_slice()
        else {
            bail!("a tensor is made of other things here");
        };
        let Object::Tuple(storage) = storage.as_ref() else {
            bail!("a storage is no tuple")
        };
        let [_, Object::Name(kind), Object::Text(key), ..] = storage.as_slice() else {
            bail!("a storage is made of other things here");
        };
        let sizes = |sizes: &[Object]| -> Result<Vec<usize>> {
            let sizes = sizes.iter().map(|size| match size {
                Object::Integer(size) => Ok(usize::try_from(*size)?),
                _ => bail!("a size is no number"),
            });
            sizes.collect()
        };
        Ok(Self {
            kind: kind.rsplit('.').next().unwrap_or(kind).to_owned(),
            key: key.clone(),
            offset: usize::try_from(*offset)?,
            shape: sizes(shape)?,
            strides: sizes(strides)?,
        })
    }

    /// The elements of the view in row-major order, however they lie: weights that come from elsewhere lie transposed.
    fn take(&self, storage: &[u8]) -> Result<Tensor> {
        ensure!(
            self.shape.len() == self.strides.len(),
            "it has not as many strides as dimensions"
        );
        let storage = storage.as_chunks::<4>().0;
        let count = self
            .shape
            .iter()
            .try_fold(1_usize, |product, size| product.checked_mul(*size));
        let count = count
            .filter(|count| *count <= storage.len())
            .context("it is longer than its storage")?;
        let mut elements = Vec::with_capacity(count);
        let mut place = vec![0; self.shape.len()];
        for _ in 0..count {
            let steps: usize = place
                .iter()
                .zip(&self.strides)
                .map(|(place, stride)| place * stride)
                .sum();
            let bytes = storage
                .get(self.offset + steps)
                .context("it reaches past its storage")?;
            elements.push(f32::from_le_bytes(*bytes));
            for (place, size) in place.iter_mut().zip(&self.shape).rev() {
                *place += 1;
                if *place < *size {
                    break;
                }
                *place = 0;
            }
        }
        Ok(Tensor {
            shape: self.shape.clone(),
            elements,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_are_brought_into_order() {
        let storage: Vec<u8> = (0..7).flat_map(|x| (x as f32).to_le_bytes()).collect();
        let mut view = View {
            kind: "FloatStorage".into(),
            key: "0".into(),
            offset: 1,
            shape: vec![2, 3],
            strides: vec![1, 2],
        };
        assert_eq!(view.take(&storage).expect("it fits").elements, [1., 3., 5., 2., 4., 6.]);
        view.offset = 2;
        assert!(view.take(&storage).is_err());
    }
}
