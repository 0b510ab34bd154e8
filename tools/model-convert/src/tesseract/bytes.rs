//! Reading little-endian numbers, lists and texts one after the other.

use anyhow::{Context, Result, ensure};

/// Bytes that are left to be read.
pub struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    /// All of it is left.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// So many bytes.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        ensure!(count <= self.0.len(), "the data end too early");
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        Ok(taken)
    }

    fn number<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (number, rest) = self.0.split_first_chunk().context("the data end too early")?;
        self.0 = rest;
        Ok(*number)
    }

    /// A byte.
    pub fn u8(&mut self) -> Result<u8> {
        Ok(u8::from_le_bytes(self.number()?))
    }

    /// A whole number of 32 bits.
    pub fn i32(&mut self) -> Result<i32> {
        Ok(i32::from_le_bytes(self.number()?))
    }

    /// A whole number of 64 bits.
    pub fn i64(&mut self) -> Result<i64> {
        Ok(i64::from_le_bytes(self.number()?))
    }

    /// A number with a fraction.
    pub fn f64(&mut self) -> Result<f64> {
        Ok(f64::from_le_bytes(self.number()?))
    }

    /// A number of things that follow.
    pub fn size(&mut self) -> Result<usize> {
        Ok(u32::from_le_bytes(self.number()?) as usize)
    }

    /// A number of things, written with a sign.
    pub fn count(&mut self) -> Result<usize> {
        usize::try_from(self.i32()?).context("a number of things is negative")
    }

    /// A text with its length before it.
    pub fn text(&mut self) -> Result<&'a str> {
        let length = self.size()?;
        std::str::from_utf8(self.take(length)?).context("a name is no text")
    }
}
