//! The admin interface: who gets in, what it says to what it does not know, and that it answers when the service is full.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;

use quartet_tests::wait::PATIENCE;

use crate::world::{World, done, refused, version};

/// Sends a request over the admin socket and returns the whole answer.
fn ask(world: &World, method: &str, path: &str, token: Option<&str>) -> String {
    let mut socket = UnixStream::connect(world.folder.path().join("admin.sock")).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    let token = token.map_or(String::new(), |token| format!("authorization: Bearer {token}\r\n"));
    write!(
        socket,
        "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{token}content-length: 0\r\n\r\n"
    )
    .unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn only_the_token_opens_it_and_failures_have_the_services_shape() {
    let world = World::new(&version("steady 1"), &[]);
    let token = std::fs::read_to_string(world.folder.path().join("admin.token")).unwrap();
    let token = token.trim();
    let list = "/admin/v1/components";
    for wrong in [None, Some(""), Some("x"), Some(&token[1..])] {
        let answer = ask(&world, "GET", list, wrong);
        assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
        assert!(answer.contains(r#""code":"unauthorized","requestId":""#), "{answer}");
    }
    assert!(ask(&world, "GET", list, Some(token)).starts_with("HTTP/1.1 200 "));
    assert!(ask(&world, "GET", "/healthz", None).starts_with("HTTP/1.1 200 "));
    for (method, path, status) in [
        ("POST", list, 405),
        ("GET", "/admin/v1/components/tts/swap", 405),
        ("GET", "/admin/v1/components/chess", 404),
        ("POST", "/admin/v1/components/tts/dance", 404),
        ("POST", "/admin/v1/components/tts/canary?percent=200", 400),
        ("POST", "/admin/v1/components/tts/canary/abort", 409),
        ("POST", "/admin/v1/components/tts/swap", 422),
    ] {
        let answer = ask(&world, method, path, Some(token));
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{path}: {answer}");
        assert!(answer.contains(r#"{"success":false,"error":""#), "{answer}");
    }
    // The service's own listener knows nothing of it.
    assert_eq!(world.client().get(list).status, 404);
}

#[test]
fn it_answers_when_the_service_is_full() {
    let flags = [
        "--concurrent-requests",
        "1",
        "--queued-requests",
        "0",
        "--respond-seconds",
        "20",
    ];
    let world = World::new(&version("steady 1"), &flags);
    std::thread::scope(|scope| {
        let sleeping = scope.spawn(|| world.client().get_with("/tts/voices", &[("x-misbehave", "sleep")]));
        world.service.wait_until_running(1);
        assert_eq!(world.client().get("/tts/languages").status, 429);
        done(&world.quartet(&["components"]));
        done(&world.swap(&version("steady 2")));
        assert_eq!(world.client().get("/healthz").status, 200);
        assert_eq!(sleeping.join().unwrap().status, 504);
    });
    assert!(world.state()["previous"][0].is_string());
}

#[test]
fn wrong_use_and_an_absent_host_have_their_exit_codes() {
    let world = World::new(&version("steady 1"), &[]);
    for wrong in [
        &["swap", "chess", "x.wasm"][..],
        &["swap", "tts", "/does/not/exist.wasm"],
        &["swap", "tts"],
        &["canary", "tts"],
        &["canary", "tts", "--promote", "--abort"],
    ] {
        let output = world.quartet(wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        assert!(!output.stderr.is_empty());
    }
    let World { service, folder } = world;
    drop(service);
    assert!(refused(&folder.quartet(&["components"])).contains("no host's admin interface can be reached"));
}
