//! A replica that is killed in the middle of a stream: nobody takes what came of it for the whole.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use quartet_tests::wait::PATIENCE;
use serde_json::json;

use super::store::Store;
use super::{CONNECTED, Fleet};

#[test]
fn a_stream_of_a_replica_that_is_killed_is_cut_and_another_has_the_whole() {
    let Some(store) = Store::start("a stream of a replica that is killed is cut", &[]) else {
        return;
    };
    let mut fleet = Fleet::start(2, &store, &[]);
    fleet.wait_until(CONNECTED);
    let text = "The mill of Aldebourne grinds wheat. ".repeat(100);
    let body = json!({"text": text, "engine": "fast"}).to_string();
    let mut socket = TcpStream::connect(fleet.replicas[0].socket()).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(
        socket,
        "POST /api/v1/tts/stream HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut reader = BufReader::new(socket);
    let (mut length, mut line) = (None, String::new());
    while reader.read_line(&mut line).unwrap() > 2 {
        let lower = line.to_ascii_lowercase();
        if let Some(value) = lower.strip_prefix("content-length: ") {
            length = Some(value.trim().parse::<usize>().unwrap());
        }
        line.clear();
    }
    let length = length.expect("its size is known before");
    let mut begun = vec![0; 64 * 1024];
    reader.read_exact(&mut begun).unwrap();
    fleet.replicas[0].signal("KILL");
    fleet.replicas[0].wait();
    let mut rest = Vec::new();
    // It ends, or is reset.
    let _ = reader.read_to_end(&mut rest);
    assert!(
        begun.len() + rest.len() < length,
        "{} of {length}",
        begun.len() + rest.len()
    );
    let whole = fleet
        .client(1)
        .post("/tts/stream", &json!({"text": text, "engine": "fast"}));
    assert_eq!((whole.status, whole.body.len()), (200, length));
    assert!(whole.body.starts_with(&begun), "what came was right");
}
