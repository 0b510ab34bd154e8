//! Candidates beside the version that serves: canaries that end by themselves, and shadows.

use quartet_tests::wait::wait_for;
use serde_json::{Value, json};

use crate::world::{World, done, refused, version};

/// Sends requests until the trial is over, and returns how it ended. Counts the versions that answered.
fn until_the_end(world: &World) -> (Value, usize, usize) {
    let client = world.client();
    let (mut requests, mut failed) = (0, 0);
    let ended = wait_for("the end of the trial", || {
        for _ in 0..20 {
            requests += 1;
            failed += usize::from(client.get("/tts/languages").status >= 500);
        }
        let state = world.state();
        state["trial"].is_null().then(|| state["lastTrial"].clone())
    });
    (ended, requests, failed)
}

#[test]
fn a_candidate_that_is_as_good_is_promoted() {
    let world = World::new(&version("steady 1"), &[]);
    let first = world.answers();
    done(&world.canary(&version("steady 2"), &["--percent", "50", "--requests", "60"]));
    assert!(refused(&world.canary(&version("steady 3"), &[])).contains("being tried already"));
    let (ended, ..) = until_the_end(&world);
    let how = ended["ended"].as_str().unwrap();
    assert!(how.starts_with("promoted: as good as the current version"), "{ended}");
    assert!(ended["candidate"]["requests"].as_u64().unwrap() >= 60);
    assert!(ended["current"]["requests"].as_u64().unwrap() >= 25);
    assert_ne!(world.answers(), first);
    done(&world.quartet(&["rollback", "tts"]));
    assert_eq!(world.answers(), first);
}

#[test]
fn a_candidate_that_fails_is_sent_away_by_itself() {
    let world = World::new(&version("steady 1"), &[]);
    let first = world.answers();
    done(&world.canary(&version("fails"), &["--percent", "30", "--requests", "200"]));
    let (ended, requests, failed) = until_the_end(&world);
    let how = ended["ended"].as_str().unwrap();
    assert!(how.starts_with("ended: it fails more often"), "{ended}");
    assert!(failed > 0 && failed * 5 < requests, "{failed} of {requests} failed");
    assert_eq!(world.answers(), first);
    assert!(world.state()["previous"].as_array().unwrap().is_empty());
}

#[test]
fn a_candidate_that_refuses_or_is_slower_is_sent_away_by_itself() {
    let world = World::new(&version("steady 1"), &[]);
    let first = world.answers();
    for (mark, reason) in [("refuses", "refuses requests more often"), ("slow", "is slower")] {
        done(&world.canary(&version(mark), &["--percent", "50", "--requests", "200"]));
        let (ended, ..) = until_the_end(&world);
        let how = ended["ended"].as_str().unwrap();
        assert!(how.starts_with("ended: ") && how.contains(reason), "{ended}");
        assert_eq!(world.answers(), first);
    }
}

#[test]
fn a_trial_ends_when_it_is_asked_to_or_its_time_is_over() {
    let world = World::new(&version("steady 1"), &[]);
    let first = world.answers();
    done(&world.canary(&version("steady 2"), &["--seconds", "1"]));
    let ended = wait_for("the end of the trial", || {
        Some(world.state()["lastTrial"].take()).filter(|ended| !ended.is_null())
    });
    assert!(ended["ended"].as_str().unwrap().contains("its time is over"), "{ended}");
    assert_eq!(world.answers(), first);

    done(&world.canary(&version("steady 2"), &[]));
    done(&world.quartet(&["canary", "tts", "--abort"]));
    assert_eq!(world.answers(), first);
    refused(&world.quartet(&["canary", "tts", "--abort"]));

    done(&world.canary(&version("steady 2"), &[]));
    done(&world.quartet(&["canary", "tts", "--promote"]));
    assert_ne!(world.answers(), first);
    let status = done(&world.quartet(&["canary", "tts", "--status"]));
    assert!(status.contains("promoted: asked for"), "{status}");
}

/// Sends requests of every kind until a shadow has heard enough of them, and returns what it found.
fn shadowed(world: &World, candidate: &str, enough: impl Fn(&Compared) -> bool) -> Compared {
    let first = world.answers();
    done(&world.canary(&version(candidate), &["--shadow"]));
    let mut index = 0;
    let compared = wait_for("enough is compared", || {
        index += 1;
        let text = format!("sentence {index}");
        let speech = world.client().post("/tts/generate", &json!({"text": text}));
        assert_eq!(speech.data()["text"], text.as_str());
        let stream = world.client().post("/tts/stream", &json!({"text": text}));
        assert_eq!(stream.status, 200);
        // A failure has the request's id in its body, and is the same all the same.
        assert_eq!(world.client().post("/tts/generate", &json!({"text": 5})).status, 400);
        assert_eq!(world.answers(), first, "a shadow answers nobody");
        let compared = Compared::of(world);
        enough(&compared).then_some(compared)
    });
    done(&world.quartet(&["canary", "tts", "--abort"]));
    compared
}

/// Findings of a shadow.
#[derive(Debug)]
struct Compared {
    same: u64,
    different: u64,
    failed: u64,
    differences: Value,
}

impl Compared {
    fn of(world: &World) -> Self {
        let mut compared = world.state()["trial"]["compared"].take();
        let number = |name: &str| compared[name].as_u64().unwrap();
        Self {
            same: number("same"),
            different: number("different"),
            failed: number("failed"),
            differences: compared["differences"].take(),
        }
    }
}

#[test]
fn a_shadow_finds_no_difference_where_there_is_none() {
    let world = World::new(&version("steady 1"), &[]);
    let compared = shadowed(&world, "steady 2", |compared| compared.same + compared.different >= 40);
    assert_eq!((compared.different, compared.failed), (0, 0), "{compared:?}");
}

#[test]
fn a_shadow_counts_differences_and_failures() {
    let world = World::new(&version("steady 1"), &[]);
    // The languages and the failures are the same, what is spoken is not.
    let compared = shadowed(&world, "other", |compared| {
        compared.different >= 10 && compared.same >= 10
    });
    assert_eq!(compared.failed, 0, "{compared:?}");
    let first = &compared.differences[0];
    assert!(
        first["requestId"].is_string() && first["operation"] != "/api/v1/tts/languages",
        "{first}"
    );
    shadowed(&world, "fails", |compared| compared.failed >= 5);
    assert_eq!(world.state()["current"]["errors"], 0);
}

#[test]
fn a_shadow_that_is_slow_fails_nobody() {
    let world = World::new(&version("steady 1"), &[]);
    done(&world.canary(&version("slow"), &["--shadow"]));
    for _ in 0..200 {
        assert_eq!(world.client().get("/tts/languages").status, 200);
    }
    let state = world.state();
    assert_eq!(state["current"]["errors"], 0);
    done(&world.quartet(&["canary", "tts", "--abort"]));
}
