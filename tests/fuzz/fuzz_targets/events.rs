//! Fuzz target: any bytes are events of the Wyoming protocol or are refused, and the same ones in whatever pieces they arrive.

#![no_main]

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use event::{End, EventReader};
use libfuzzer_sys::fuzz_target;
use tokio::io::{AsyncRead, ReadBuf};

// The files by themselves: the host as a whole would have the fuzzer compile wasmtime.
#[allow(dead_code, unreachable_pub)]
#[path = "../../../host/src/wyoming/event.rs"]
mod event;
#[allow(dead_code, unreachable_pub)]
#[path = "../../../host/src/failure.rs"]
mod failure;

/// Bytes that arrive in pieces of a size.
struct Pieces<'a> {
    bytes: &'a [u8],
    size: usize,
}

impl AsyncRead for Pieces<'_> {
    fn poll_read(mut self: Pin<&mut Self>, _: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let length = self.size.min(self.bytes.len()).min(into.remaining());
        let (now, later) = self.bytes.split_at(length);
        into.put_slice(now);
        self.bytes = later;
        Poll::Ready(Ok(()))
    }
}

/// The events that are read, and the code of what ended them, if it was not the end of the bytes.
fn read(runtime: &tokio::runtime::Runtime, bytes: &[u8], size: usize) -> (Vec<String>, Option<String>) {
    let mut reader = EventReader::new(Pieces { bytes, size });
    let mut events = Vec::new();
    loop {
        match runtime.block_on(reader.next()) {
            Ok(event) => {
                let fields = event.fields();
                events.push(format!("{} {fields:?}", event.kind));
            }
            Err(End::Left) => return (events, None),
            Err(End::Broken(failure)) => return (events, Some(format!("{:?}", failure.code))),
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let whole = read(&runtime, bytes, usize::MAX);
    let pieces = read(&runtime, bytes, 1 + bytes.len() % 7);
    assert_eq!(whole, pieces, "the pieces decide what is read");
});
