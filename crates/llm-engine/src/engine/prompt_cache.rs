//! The prompt cache in a file: what the host has had read for everybody, so that the next engine need not read it again.
//!
//! Both files are open before the process is confined, and read after that: what is in them goes through llama.cpp, and whoever
//! managed to write one gains nothing but a confined process. A file says what it was made from, and ends with its digest.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{BufWriter, Error, ErrorKind, Read as _, Write};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::context::session::LlamaStateSeqFlags;
use llama_cpp_2::token::LlamaToken;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::cache::{self, KeptPrefix, MIN_KEPT_PREFIX_TOKENS};

/// The most that a file may have.
pub const MAX_BYTES: u64 = 512 * 1024 * 1024;

/// Bytes of a digest.
const DIGEST_BYTES: usize = 32;

/// The files of an engine.
#[derive(Debug, Default)]
pub struct PromptCache {
    /// The file of an earlier engine.
    written: Option<File>,
    /// The file that this one may write, once.
    new: Option<File>,
    /// The engine and the model that it is made with.
    source: String,
    /// The beginnings that were written by an earlier engine.
    known: Vec<Vec<LlamaToken>>,
}

/// The first line of a file.
#[derive(Serialize, Deserialize)]
struct Head {
    /// The engine and the model that computed it.
    source: String,
    /// The beginnings, in their order.
    beginnings: Vec<Size>,
}

/// Size of a beginning.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Size {
    tokens: usize,
    bytes: usize,
}

/// A beginning that the context holds.
#[derive(Debug, Clone, Copy)]
pub struct Held<'a> {
    /// The number of its sequence.
    pub number: i32,
    /// Its tokens.
    pub tokens: &'a [LlamaToken],
}

impl PromptCache {
    /// Opens the file of an earlier engine, where there is one, and makes one for this.
    ///
    /// # Errors
    /// When the new file cannot be made, or what the cache is made from cannot be seen.
    pub fn open(written: &Path, new: &Path, model: &Path) -> std::io::Result<Self> {
        let engine = std::env::current_exe()?.metadata()?;
        Ok(Self {
            written: File::open(written).ok(),
            new: Some(OpenOptions::new().write(true).create_new(true).mode(0o600).open(new)?),
            source: format!("engine {}, model {}", identity(&engine), identity(&model.metadata()?)),
            known: Vec::new(),
        })
    }

    /// Has the context hold what an earlier engine has written, in places that are empty; returns how many tokens. Nothing where the
    /// file is of another engine or model, or damaged.
    pub fn restore(&mut self, llama: &mut LlamaContext<'_>, kept: &mut [KeptPrefix], room: usize) -> usize {
        let Some(file) = self.written.take() else { return 0 };
        match read(file, &self.source) {
            Ok(beginnings) => {
                let mut left = room;
                for ((tokens, state), place) in beginnings.into_iter().zip(kept) {
                    if tokens.len() > left || !restore(llama, place.number(), tokens.len(), &state) {
                        continue;
                    }
                    left -= tokens.len();
                    place.restore(tokens.clone());
                    self.known.push(tokens);
                }
                room - left
            }
            Err(error) => {
                eprintln!("the prompt cache is not used: {error}");
                0
            }
        }
    }

    /// Writes beginnings that the context holds, once, if there is enough new in them; returns how many tokens it has written.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write(&mut self, llama: &LlamaContext<'_>, held: &[Held<'_>], room: usize) -> std::io::Result<usize> {
        let Some(new) = self.new.take() else { return Ok(0) };
        let chosen = choose(held, room);
        if unknown(&chosen, &self.known) < MIN_KEPT_PREFIX_TOKENS {
            return Ok(0);
        }
        let mut beginnings = Vec::with_capacity(chosen.len());
        let mut left = MAX_BYTES;
        for held in chosen {
            let state = state(llama, held.number)?;
            let bytes = (held.tokens.len() * size_of::<i32>() + state.len()) as u64;
            if bytes <= left {
                left -= bytes;
                beginnings.push((held.tokens, state));
            }
        }
        write(new, &self.source, &beginnings)?;
        Ok(beginnings.iter().map(|(tokens, _)| tokens.len()).sum())
    }
}

/// Size and time of a file, by which another one in its place shows.
fn identity(file: &Metadata) -> String {
    format!("{} bytes of {}.{:09}", file.len(), file.mtime(), file.mtime_nsec())
}

/// The beginnings to write, of those that are held: the longest first, without those that are hardly more than a part of another.
fn choose<'a>(held: &[Held<'a>], room: usize) -> Vec<Held<'a>> {
    let mut longest: Vec<_> = held.to_vec();
    longest.sort_by_key(|held| std::cmp::Reverse(held.tokens.len()));
    let mut chosen: Vec<Held<'a>> = Vec::new();
    let mut left = room;
    for held in longest {
        let others: Vec<_> = chosen.iter().map(|chosen| chosen.tokens.to_vec()).collect();
        let is_new = unknown(&[held], &others) >= MIN_KEPT_PREFIX_TOKENS;
        if is_new && held.tokens.len() <= left && chosen.len() < cache::MAX_KEPT_PREFIXES {
            left -= held.tokens.len();
            chosen.push(held);
        }
    }
    chosen
}

/// Tokens of beginnings that no known one begins with.
fn unknown(beginnings: &[Held<'_>], known: &[Vec<LlamaToken>]) -> usize {
    let new = beginnings.iter().map(|held| {
        let shared = known.iter().map(|known| cache::shared(known, held.tokens)).max();
        held.tokens.len() - shared.unwrap_or(0)
    });
    new.sum()
}

fn state(llama: &LlamaContext<'_>, number: i32) -> std::io::Result<Vec<u8>> {
    let flags = LlamaStateSeqFlags::empty();
    let mut state = vec![0; llama.state_seq_get_size_ext(number, flags)];
    // SAFETY: the buffer has the size that the state was said to have.
    let written = unsafe { llama.state_seq_get_data_ext(state.as_mut_ptr(), number, flags) };
    match written == state.len() {
        true => Ok(state),
        false => Err(Error::other(
            "the state of a sequence has another size than it was said to have",
        )),
    }
}

/// Has an empty sequence hold a state of so many tokens; false where it does not, and then it is empty.
fn restore(llama: &mut LlamaContext<'_>, number: i32, tokens: usize, state: &[u8]) -> bool {
    // SAFETY: llama.cpp reads no further than the slice, and refuses what does not fit its model.
    let is_read = unsafe { llama.state_seq_set_data_ext(state, number, LlamaStateSeqFlags::empty()) };
    let last = usize::try_from(llama.kv_cache_seq_pos_max(number)).ok();
    if is_read && last == tokens.checked_sub(1) {
        return true;
    }
    let _ = llama.kv_cache_seq_rm(number, None, None);
    false
}

fn write(file: File, source: &str, beginnings: &[(&[LlamaToken], Vec<u8>)]) -> std::io::Result<()> {
    let sizes = beginnings.iter().map(|(tokens, state)| Size {
        tokens: tokens.len(),
        bytes: state.len(),
    });
    let head = Head {
        source: source.to_owned(),
        beginnings: sizes.collect(),
    };
    let mut output = Hashing {
        output: BufWriter::new(file),
        digest: Sha256::new(),
    };
    output.write_all(serde_json::to_string(&head)?.as_bytes())?;
    output.write_all(b"\n")?;
    for (tokens, state) in beginnings {
        for token in *tokens {
            output.write_all(&token.0.to_le_bytes())?;
        }
        output.write_all(state)?;
    }
    let Hashing { mut output, digest } = output;
    output.write_all(&digest.finalize())?;
    output.flush()
}

/// Writes, and computes the digest of what was written.
struct Hashing {
    output: BufWriter<File>,
    digest: Sha256,
}

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.output.write(bytes)?;
        self.digest.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.output.flush()
    }
}

/// Reads a file that was made from the same engine and model.
fn read(file: File, source: &str) -> std::io::Result<Vec<(Vec<LlamaToken>, Vec<u8>)>> {
    let damaged = || Error::new(ErrorKind::InvalidData, "it is damaged");
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + DIGEST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    let (content, digest) = bytes.split_last_chunk::<DIGEST_BYTES>().ok_or_else(damaged)?;
    let end = content.iter().position(|byte| *byte == b'\n').ok_or_else(damaged)?;
    let head: Head = serde_json::from_slice(&content[..end]).map_err(|_| damaged())?;
    if head.source != source {
        // That is no error: the engine or the model was changed.
        return Ok(Vec::new());
    }
    if Sha256::digest(content).as_slice() != digest {
        return Err(damaged());
    }
    let mut rest = &content[end + 1..];
    let mut beginnings = Vec::with_capacity(head.beginnings.len());
    for Size { tokens, bytes } in head.beginnings {
        let size = tokens.checked_mul(size_of::<i32>()).ok_or_else(damaged)?;
        let (numbers, left) = rest.split_at_checked(size).ok_or_else(damaged)?;
        let (state, left) = left.split_at_checked(bytes).ok_or_else(damaged)?;
        let (numbers, _) = numbers.as_chunks();
        let tokens = numbers.iter().map(|number| LlamaToken(i32::from_le_bytes(*number)));
        beginnings.push((tokens.collect(), state.to_vec()));
        rest = left;
    }
    Ok(beginnings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(numbers: std::ops::Range<i32>) -> Vec<LlamaToken> {
        numbers.map(LlamaToken).collect()
    }

    #[test]
    fn what_is_written_is_read_by_the_same_and_by_nobody_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cache");
        let long = tokens(0..300);
        write(
            File::create(&path).unwrap(),
            "a",
            &[(&long, vec![1, 2, 3]), (&long[..9], vec![4])],
        )
        .unwrap();
        let beginnings = read(File::open(&path).unwrap(), "a").unwrap();
        assert_eq!(
            beginnings,
            [(long.clone(), vec![1, 2, 3]), (long[..9].to_vec(), vec![4])]
        );
        assert_eq!(read(File::open(&path).unwrap(), "b").unwrap(), []);
    }

    #[test]
    fn what_is_damaged_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cache");
        write(File::create(&path).unwrap(), "a", &[(&tokens(0..300), vec![7; 100])]).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let mut changed = whole.clone();
        changed[whole.len() / 2] ^= 1;
        for bytes in [&changed[..], &whole[..whole.len() - 1], &whole[..20], &[]] {
            std::fs::write(&path, bytes).unwrap();
            let error = read(File::open(&path).unwrap(), "a").unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidData);
        }
    }

    #[test]
    fn the_longest_are_written_and_what_is_a_part_of_them_is_not() {
        let (long, other) = (tokens(0..600), tokens(1000..1400));
        let held = [&long[..400], &other[..], &long[..], &other[..100]].map(|tokens| Held { number: 0, tokens });
        let sizes = |room| {
            let chosen = choose(&held, room);
            chosen.iter().map(|held| held.tokens.len()).collect::<Vec<_>>()
        };
        assert_eq!(sizes(4096), [600, 400]);
        assert_eq!(sizes(700), [600]);
        assert_eq!(unknown(&held[1..3], &[tokens(0..500)]), 500);
    }
}
