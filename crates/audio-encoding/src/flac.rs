//! FLAC (RFC 9639).

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use flac_codec::encode::{FlacStreamWriter, Options};

use crate::error::EncodeError;

/// Samples in a block, 43 ms at 24 kHz. Speech changes that fast: blocks of the usual 4,096 make files 15 % larger.
const BLOCK_SAMPLES: u16 = 1024;

/// Partitions of a block have no parameter of their own: one that is all silence would be written as numbers of no bits,
/// which is in the standard, and which not every decoder reads.
const MAX_PARTITION_ORDER: u32 = 0;

const BITS_PER_SAMPLE: u32 = 16;
const CHANNELS: u8 = 1;

/// Rates that a frame can say by itself (RFC 9639, 9.1.2): beside tables, any number of Hz in 16 bits.
const MAX_RATE: u32 = u16::MAX as u32;

/// Largest number of samples that the header can say.
const MAX_SAMPLES: u64 = (1 << 36) - 1;

pub struct Flac {
    inner: FlacStreamWriter<Written>,
    written: Written,
    rate: u32,
    block: Vec<i32>,
}

/// Bytes that the encoder wrote and nobody took yet. The encoder owns its writer and shows it to nobody.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Written {
    fn take(&self, out: &mut Vec<u8>) {
        out.append(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Flac {
    pub fn new(rate: u32, samples: u64) -> Result<Self, EncodeError> {
        if !(1..=MAX_RATE).contains(&rate) {
            return Err(EncodeError::new("FLAC", format!("no rate of {rate} Hz")));
        }
        let mut written = Written::default();
        // Nothing can fail there.
        let _ = written.write_all(&header(rate, samples));
        let options = Options::default()
            .block_size(BLOCK_SAMPLES)
            .and_then(|options| options.max_partition_order(MAX_PARTITION_ORDER));
        let options = options.map_err(|error| EncodeError::new("FLAC", error))?;
        Ok(Self {
            inner: FlacStreamWriter::new(written.clone(), options),
            written,
            rate,
            block: Vec::new(),
        })
    }

    pub fn push(&mut self, mut samples: &[i16], out: &mut Vec<u8>) -> Result<(), EncodeError> {
        while !samples.is_empty() {
            let room = (usize::from(BLOCK_SAMPLES) - self.block.len()).min(samples.len());
            let (now, later) = samples.split_at(room);
            self.block.extend(now.iter().copied().map(i32::from));
            samples = later;
            if self.block.len() == usize::from(BLOCK_SAMPLES) {
                self.encode()?;
            }
        }
        self.written.take(out);
        Ok(())
    }

    pub fn finish(mut self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        if !self.block.is_empty() {
            self.encode()?;
        }
        self.written.take(out);
        Ok(())
    }

    fn encode(&mut self) -> Result<(), EncodeError> {
        let encoded = self.inner.write(self.rate, CHANNELS, BITS_PER_SAMPLE, &self.block);
        self.block.clear();
        encoded.map_err(|error| EncodeError::new("FLAC", error))
    }
}

/// The marker and the only metadata block, STREAMINFO (RFC 9639, 8.2). It is written before the first frame is known, so
/// the sizes of frames and the digest of the samples are 0, which stands for unknown.
fn header(rate: u32, samples: u64) -> Vec<u8> {
    let samples = if samples > MAX_SAMPLES { 0 } else { samples };
    // The last metadata block, of type 0, 34 bytes long.
    let mut header = b"fLaC\x80\x00\x00\x22".to_vec();
    for size in [BLOCK_SAMPLES, BLOCK_SAMPLES] {
        header.extend_from_slice(&size.to_be_bytes());
    }
    header.extend_from_slice(&[0; 6]);
    // 20 bits of rate, 3 of channels less one, 5 of bits less one, 36 of samples.
    let packed = u64::from(rate) << 44 | u64::from(CHANNELS - 1) << 41 | u64::from(BITS_PER_SAMPLE - 1) << 36 | samples;
    header.extend_from_slice(&packed.to_be_bytes());
    header.extend_from_slice(&[0; 16]);
    header
}
