//! Opus (RFC 6716) in Ogg (RFC 7845).

use ogg::PacketWriter;
use ogg::writing::PacketWriteEndInfo;
use ropus::{Application, Bitrate, Channels, Signal};

use crate::error::EncodeError;

/// Transparent for speech of one channel, says the codec's own recommendation (24 to 40 kbit/s for full-band speech).
pub const BITS: u32 = 32_000;

/// Effort, from 0 to 10: libopus's own choice for machines that have other things to do.
const COMPLEXITY: u8 = 5;

/// Frames a second: 20 ms each, which is the codec's usual length.
const FRAMES_A_SECOND: u32 = 50;

/// Frames on a page: 200 ms. A page goes out when it is full.
const FRAMES_ON_PAGE: u64 = 10;

/// Frames on the first page: 100 ms, so that the first sound does not wait for what comes after it.
const FRAMES_ON_FIRST_PAGE: u64 = 5;

/// Largest packet of one frame that the codec makes, in bytes.
const MAX_PACKET_BYTES: usize = 1_275;

/// Positions in the stream are counted at this rate, whatever the rate of the signal.
const CLOCK: u32 = 48_000;

/// Number of the stream in its file. There is only one, and the same speech is to give the same bytes.
const SERIAL: u32 = 1;

/// Name of the encoder in the comment header.
const VENDOR: &str = "ropus";

pub struct Opus {
    inner: ropus::Encoder,
    pages: PacketWriter<'static, Vec<u8>>,
    rate: u32,
    /// Samples that wait for their frame to be full.
    frame: Vec<i16>,
    /// Samples that were pushed.
    samples: u64,
    /// The last packet, which is held back because the end of the stream is marked on it.
    last: Option<Vec<u8>>,
    packets: u64,
    pre_skip: u64,
}

impl Opus {
    pub fn new(rate: u32) -> Result<Self, EncodeError> {
        let inner = ropus::Encoder::builder(rate, Channels::Mono, Application::Audio)
            .bitrate(Bitrate::Bits(BITS))
            .signal(Signal::Voice)
            .complexity(COMPLEXITY)
            .build()
            .map_err(|error| EncodeError::new("Opus", error))?;
        // The encoder counts its delay in its own samples.
        let pre_skip = u64::from(inner.lookahead()) * u64::from(CLOCK) / u64::from(rate);
        let mut opus = Self {
            inner,
            pages: PacketWriter::new(Vec::new()),
            rate,
            frame: Vec::new(),
            samples: 0,
            last: None,
            packets: 0,
            pre_skip,
        };
        opus.write(opus.head(), PacketWriteEndInfo::EndPage, 0)?;
        opus.write(tags(), PacketWriteEndInfo::EndPage, 0)?;
        Ok(opus)
    }

    pub fn push(&mut self, samples: &[i16], out: &mut Vec<u8>) -> Result<(), EncodeError> {
        self.samples += samples.len() as u64;
        self.take(samples)?;
        out.append(self.pages.inner_mut());
        Ok(())
    }

    pub fn finish(mut self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        // The end of the signal comes out of the encoder as much later as its delay is long.
        let end = self.pre_skip + self.samples * u64::from(CLOCK) / u64::from(self.rate);
        let ticks = u64::from(CLOCK / FRAMES_A_SECOND);
        while self.packets * ticks < end || self.packets == 0 {
            let missing = self.frame_samples() - self.frame.len();
            self.take(&vec![0; missing])?;
        }
        if let Some(packet) = self.last.take() {
            // A position before the end of the last packet cuts the padding off.
            self.write(packet, PacketWriteEndInfo::EndStream, end)?;
        }
        out.append(self.pages.inner_mut());
        Ok(())
    }

    fn frame_samples(&self) -> usize {
        (self.rate / FRAMES_A_SECOND) as usize
    }

    fn take(&mut self, mut samples: &[i16]) -> Result<(), EncodeError> {
        while !samples.is_empty() {
            let room = (self.frame_samples() - self.frame.len()).min(samples.len());
            let (now, later) = samples.split_at(room);
            self.frame.extend_from_slice(now);
            samples = later;
            if self.frame.len() == self.frame_samples() {
                self.encode()?;
            }
        }
        Ok(())
    }

    fn encode(&mut self) -> Result<(), EncodeError> {
        let mut packet = vec![0; MAX_PACKET_BYTES];
        let length = self.inner.encode(&self.frame, &mut packet);
        packet.truncate(length.map_err(|error| EncodeError::new("Opus", error))?);
        self.frame.clear();
        if let Some(before) = self.last.replace(packet) {
            let end = if self.packets % FRAMES_ON_PAGE == FRAMES_ON_FIRST_PAGE {
                PacketWriteEndInfo::EndPage
            } else {
                PacketWriteEndInfo::NormalPacket
            };
            self.write(before, end, self.packets * u64::from(CLOCK / FRAMES_A_SECOND))?;
        }
        self.packets += 1;
        Ok(())
    }

    fn write(&mut self, packet: Vec<u8>, end: PacketWriteEndInfo, position: u64) -> Result<(), EncodeError> {
        let written = self.pages.write_packet(packet, SERIAL, end, position);
        written.map_err(|error| EncodeError::new("Ogg", error))
    }

    /// The identification header (RFC 7845, 5.1).
    fn head(&self) -> Vec<u8> {
        let mut head = b"OpusHead".to_vec();
        // Version, channels.
        head.extend_from_slice(&[1, 1]);
        head.extend_from_slice(&u16::try_from(self.pre_skip).unwrap_or(u16::MAX).to_le_bytes());
        head.extend_from_slice(&self.rate.to_le_bytes());
        // No gain; one mono stream.
        head.extend_from_slice(&[0, 0, 0]);
        head
    }
}

/// The comment header (RFC 7845, 5.2), without comments.
fn tags() -> Vec<u8> {
    let mut tags = b"OpusTags".to_vec();
    tags.extend_from_slice(&(VENDOR.len() as u32).to_le_bytes());
    tags.extend_from_slice(VENDOR.as_bytes());
    tags.extend_from_slice(&0_u32.to_le_bytes());
    tags
}
