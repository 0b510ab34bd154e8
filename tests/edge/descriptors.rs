//! Too few file descriptors: the service bends and comes back.

use std::io::Write;

use quartet_tests::wait::until;
use rlimit::Resource;

use crate::raw::{self, ask, get};
use crate::{Folder, descriptors_of, sleepy, ticks_of};

/// Descriptors that the service has left when the test begins.
const LEFT: usize = 20;

#[test]
fn when_descriptors_run_out_it_closes_what_is_idle_and_never_spins() {
    let folder = Folder::new();
    let service = sleepy(&folder, &["--respond-seconds", "30"]);
    assert_eq!(service.client().get("/tts/voices").status, 200);
    // Lowered from outside while it runs, so that it has reckoned with more.
    let limit = u64::try_from(descriptors_of(&service) + LEFT).unwrap();
    let pid = i32::try_from(service.pid()).unwrap();
    rlimit::prlimit(pid, Resource::NOFILE, Some((limit, limit)), None).unwrap();

    // Idle ones are closed for those that ask.
    let idle: Vec<_> = (0..LEFT * 5).map(|_| raw::connect(&service, 1)).collect();
    let mut new = raw::connect(&service, 2);
    assert_eq!(ask(&mut new, &get("/healthz", "")).expect("an answer").status, 200);
    service.wait_for_log(&["no connection can be accepted"]);
    drop((idle, new));
    until("idle connections are gone", || {
        descriptors_of(&service) < usize::try_from(limit).unwrap() - LEFT / 2
    });

    // Busy ones are not, and there is nothing to do but wait.
    let request = get("/api/v1/tts/voices", "x-misbehave: sleep\r\n");
    let busy: Vec<_> = (0..LEFT + 10)
        .map(|_| {
            let mut stream = raw::connect(&service, 1);
            stream.write_all(request.as_bytes()).unwrap();
            stream
        })
        .collect();
    until("all descriptors are taken", || {
        descriptors_of(&service) >= usize::try_from(limit).unwrap() - 1
    });
    let before = ticks_of(&service);
    std::thread::sleep(std::time::Duration::from_secs(2));
    let used = ticks_of(&service) - before;
    assert!(
        used < 50,
        "{used} hundredths of a second of processor time in two seconds of waiting"
    );
    drop(busy);
    let mut new = raw::connect(&service, 2);
    assert_eq!(ask(&mut new, &get("/healthz", "")).expect("an answer").status, 200);
    assert_eq!(
        ask(&mut new, &get("/api/v1/tts/voices", "")).expect("an answer").status,
        200
    );
}
