//! HTTP/2 with bare frames: floods that have names.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use quartet_tests::Service;
use quartet_tests::wait::PATIENCE;

use crate::{Folder, raw, sleepy};

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const SETTINGS: u8 = 4;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const CONTINUATION: u8 = 9;
const GOAWAY: u8 = 7;
const WINDOW_UPDATE: u8 = 8;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;
/// GET http://x/healthz in HPACK: three fields of its table, a path and an authority.
const REQUEST: &[u8] = b"\x82\x86\x04\x08/healthz\x41\x01x";
const ENHANCE_YOUR_CALM: u32 = 11;

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let mut frame = length[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

/// Sends frames and returns what the service sends until it ends the connection: type and payload of each frame.
fn send(service: &Service, frames: &[Vec<u8>]) -> Vec<(u8, Vec<u8>)> {
    let mut socket = raw::connect(service, 1);
    let start = [PREFACE.to_vec(), frame(SETTINGS, 0, 0, b"")].concat();
    socket.write_all(&start).unwrap();
    // It may end the connection before it has heard all.
    let _ = socket.write_all(&frames.concat());
    let all = raw::drain(&mut socket);
    let mut rest = all.as_slice();
    let mut received = Vec::new();
    while let [a, b, c, kind, _, _, _, _, _, tail @ ..] = rest {
        let length = (u32::from_be_bytes([0, *a, *b, *c]) as usize).min(tail.len());
        received.push((*kind, tail[..length].to_vec()));
        rest = &tail[length..];
    }
    received
}

/// The reason of the last GOAWAY.
fn reason(received: &[(u8, Vec<u8>)]) -> Option<u32> {
    let (_, payload) = received.iter().rev().find(|(kind, _)| *kind == GOAWAY)?;
    Some(u32::from_be_bytes(payload.get(4..8)?.try_into().ok()?))
}

#[test]
fn an_ordinary_request_is_answered() {
    let service = Service::start(&["--idle-seconds", "1"]);
    let received = send(&service, &[frame(HEADERS, END_STREAM | END_HEADERS, 1, REQUEST)]);
    assert!(
        received
            .iter()
            .any(|(kind, body)| *kind == 0 && body == b"{\"status\":\"ok\"}"),
        "{received:?}"
    );
    // Idle after that, it is ended politely.
    assert_eq!(reason(&received), Some(0), "{received:?}");
}

#[test]
fn rapid_reset_ends_the_connection() {
    let service = Service::start(&[]);
    let frames: Vec<_> = (0..2_000_u32)
        .flat_map(|number| {
            let stream = number * 2 + 1;
            let cancel = 8_u32.to_be_bytes();
            [
                frame(HEADERS, END_STREAM | END_HEADERS, stream, REQUEST),
                frame(RST_STREAM, 0, stream, &cancel),
            ]
        })
        .collect();
    let received = send(&service, &frames);
    assert_eq!(reason(&received), Some(ENHANCE_YOUR_CALM), "{received:?}");
    assert_eq!(service.client().get("/healthz").status, 200);
}

#[test]
fn a_head_without_end_ends_the_connection() {
    let service = Service::start(&[]);
    let mut frames = vec![frame(HEADERS, END_STREAM, 1, REQUEST)];
    // A new field each time: literal, never indexed.
    let field = [b"\x10\x03x-a\x7f\xa1\x1e".to_vec(), vec![b'v'; 4000]].concat();
    frames.extend((0..2_000).map(|_| frame(CONTINUATION, 0, 1, &field)));
    let received = send(&service, &frames);
    assert!(reason(&received).is_some_and(|reason| reason != 0), "{received:?}");
    assert_eq!(service.client().get("/healthz").status, 200);
}

/// A window of 0 for every stream, and one that is opened for stream 3: stream 1 is reset when it has not been read for long
/// enough, stream 3 is answered, and the connection ends like any other that is idle.
#[test]
fn a_stream_whose_window_stays_shut_is_reset() {
    let service = Service::start(&["--idle-seconds", "1", "--stall-seconds", "1"]);
    let window = [[0, 4].as_slice(), &0_u32.to_be_bytes()].concat();
    let frames = [
        frame(SETTINGS, 0, 0, &window),
        frame(HEADERS, END_STREAM | END_HEADERS, 1, REQUEST),
        frame(HEADERS, END_STREAM | END_HEADERS, 3, REQUEST),
        frame(WINDOW_UPDATE, 0, 3, &1_000_u32.to_be_bytes()),
    ];
    let received = send(&service, &frames);
    let count = |wanted| received.iter().filter(|(kind, _)| *kind == wanted).count();
    assert!(count(HEADERS) >= 2, "{received:?}");
    assert!(
        received
            .iter()
            .any(|(kind, body)| *kind == 0 && body == b"{\"status\":\"ok\"}"),
        "{received:?}"
    );
    assert_eq!(count(RST_STREAM), 1, "{received:?}");
    assert_eq!(reason(&received), Some(0), "{received:?}");
}

/// POST http://x/api/v1/tts/stream in HPACK, to a component that writes without end.
fn flood() -> Vec<u8> {
    let path = b"/api/v1/tts/stream";
    let mut head = vec![0x83, 0x86, 0x04, path.len() as u8];
    head.extend(path);
    head.extend(b"\x41\x01x\x00\x0bx-misbehave\x05flood");
    head
}

/// A client that opens its window again and again, and so little that a stream would go on for as long as streams may.
#[test]
fn a_stream_that_is_read_a_little_now_and_then_is_reset() {
    let folder = Folder::new();
    let flags = ["--stall-seconds", "2", "--send-bytes-per-second", "1000000"];
    let service = sleepy(&folder, &flags);
    let mut socket = raw::connect(&service, 1);
    let window = [[0, 4].as_slice(), &4_096_u32.to_be_bytes()].concat();
    let begin = [
        PREFACE.to_vec(),
        frame(SETTINGS, 0, 0, &window),
        frame(HEADERS, END_STREAM | END_HEADERS, 1, &flood()),
    ];
    socket.write_all(&begin.concat()).unwrap();
    socket.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
    let mut received = Vec::new();
    let start = Instant::now();
    loop {
        let mut some = [0; 16_384];
        if let Ok(length) = socket.read(&mut some) {
            received.extend_from_slice(&some[..length]);
        }
        // Bytes of the component's answer are all the same letter, so this is no part of them.
        let reset = [0, 0, 4, RST_STREAM, 0, 0, 0, 0, 1];
        if received.windows(reset.len()).any(|window| window == reset) {
            return;
        }
        assert!(start.elapsed() < PATIENCE, "the stream goes on");
        let more = 4_096_u32.to_be_bytes();
        let open = [frame(WINDOW_UPDATE, 0, 1, &more), frame(WINDOW_UPDATE, 0, 0, &more)];
        socket.write_all(&open.concat()).unwrap();
    }
}
