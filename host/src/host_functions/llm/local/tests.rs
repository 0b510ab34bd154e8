//! Engines that misbehave: programs of a few lines that speak the protocol as far as a test needs it.

use std::net::IpAddr;
use std::os::unix::fs::PermissionsExt as _;
use std::time::SystemTime;

use tempfile::TempDir;

use super::super::types::{Finish, PromptSize, Role, Turn};
use super::super::visit::Visit;
use super::*;

/// The first words of an engine.
const READY: &str = r#"{"ready":{"name":"none","context":4096,"speed":1000.0,"speed_alone":1000.0,"confinement":{"landlock":null,"seccomp":null}}}"#;

/// A provider whose engine is this shell script, after it said that it is ready.
fn local(script: &str) -> (TempDir, Arc<Local>) {
    let folder = tempfile::tempdir().unwrap();
    let (engine, file) = (folder.path().join("engine"), folder.path().join("none.gguf"));
    std::fs::write(&file, "").unwrap();
    std::fs::write(&engine, format!("#!/bin/sh\necho '{READY}'\n{script}\n")).unwrap();
    std::fs::set_permissions(&engine, std::fs::Permissions::from_mode(0o700)).unwrap();
    let model = Gguf {
        name: "none".to_owned(),
        file,
        memory: 0,
        default: true,
        tools: true,
    };
    let config = config::Local {
        models: vec![model],
        listed: false,
        engine,
        at_start: false,
        warm_up: true,
        threads: 1,
        context: 4096,
        sequences: 4,
        queue: 16,
        tokens: 100,
        idle: None,
        prompt_cache: folder.path().join("cache"),
        accelerator: config::Accelerator::None,
    };
    (
        folder,
        Local::new(config, Duration::from_secs(1800), LlmMetrics::new().unwrap()),
    )
}

fn turn(text: &str) -> Turn {
    Turn {
        role: Role::User,
        text: text.to_owned(),
        pictures: Vec::new(),
    }
}

async fn ask(local: &Local, text: &str) -> Result<Option<String>, Error> {
    // An engine that died is not started at once.
    local.state().not_before = None;
    let turn = turn(text);
    local
        .generate(vec![turn], Options::default(), None, None)?
        .next()
        .await
        .0
}

/// The script of an engine that dies of the word `poison`, and answers everything else at once. Its dates are its own.
const POISONED: &str = r#"while read -r line; do
  id=${line#*'"id":'}; id=${id%%,*}
  case $line in
    *poison*) exit 1 ;;
    *generate*) echo "{\"piece\":{\"id\":$id,\"text\":\"well\",\"busy_micros\":1}}"
      echo "{\"ended\":{\"id\":$id,\"outcome\":{\"finish\":\"stop\",\"prompt_tokens\":1,\"cached_tokens\":0,\"answer_tokens\":1},\"busy_micros\":1}}" ;;
  esac
done"#;

#[tokio::test]
async fn a_conversation_that_ends_the_engine_twice_is_not_tried_again() {
    let (_folder, local) = local(POISONED);
    let word = |answer: Result<Option<String>, Error>| format!("{answer:?}");
    for _ in 0..2 {
        assert!(word(ask(&local, "poison").await).contains("engine ended"));
        assert_eq!(ask(&local, "water").await, Ok(Some("well".to_owned())));
    }
    let started = local.state().started;
    assert!(word(ask(&local, "poison").await).contains("not tried again"));
    // The engine that answered others goes on.
    assert_eq!(ask(&local, "water").await, Ok(Some("well".to_owned())));
    assert_eq!(local.state().started, started);
}

#[tokio::test]
async fn the_speed_of_reading_is_told_once_the_engine_has_measured_it() {
    let (_folder, local) = local(POISONED);
    assert_eq!(local.info().unwrap().reading_speed, None);
    assert_eq!(ask(&local, "water").await, Ok(Some("well".to_owned())));
    assert_eq!(local.info().unwrap().reading_speed, Some(1000.0));
}

/// The script of an engine that knows a part of every beginning, reads the rest at once, and dies of the word `poison`.
const READER: &str = r#"while read -r line; do
  id=${line#*'"id":'}; id=${id%%,*}
  case $line in
    *poison*) exit 1 ;;
    *prepare*) echo "{\"known\":{\"id\":$id,\"tokens\":50,\"cached_tokens\":20}}"
      echo "{\"prepared\":{\"id\":$id,\"tokens\":30}}" ;;
    *generate*) echo "{\"piece\":{\"id\":$id,\"text\":\"well\",\"busy_micros\":1}}"
      echo "{\"ended\":{\"id\":$id,\"outcome\":{\"finish\":\"stop\",\"prompt_tokens\":1,\"cached_tokens\":0,\"answer_tokens\":1},\"busy_micros\":1}}" ;;
  esac
done"#;

#[tokio::test]
async fn what_is_read_ahead_and_ends_the_engine_is_not_read_again() {
    let (_folder, local) = local(READER);
    let user = Some(IpAddr::from([192, 0, 2, 1]).into());
    let prepare = |text: &str, user: User| {
        let turn = turn(text);
        local.prepare(vec![turn], user)
    };
    assert_eq!(
        prepare("water", user).await,
        None,
        "no engine runs, and none is started for it"
    );
    assert_eq!(ask(&local, "water").await, Ok(Some("well".to_owned())));
    let size = PromptSize {
        tokens: 50,
        cached_tokens: 20,
    };
    assert_eq!(prepare("water", user).await, Some(size));
    assert_eq!(prepare("water", None).await, None, "the host's own is read by all");
    assert_eq!(prepare("poison", user).await, None);
    let began = SystemTime::now();
    while local.state().engine.is_some() {
        assert!(began.elapsed().unwrap() < Duration::from_secs(60), "it does not end");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(ask(&local, "water").await, Ok(Some("well".to_owned())));
    let started = local.state().started;
    assert_eq!(prepare("poison", user).await, None);
    assert_eq!(prepare("bread", user).await, Some(size), "others are read on");
    assert_eq!(local.state().started, started);
}

/// An engine that says nothing of beginnings would be waited for, if it wrote for nobody.
#[tokio::test]
async fn an_engine_that_writes_for_others_is_not_asked_how_much_it_knows() {
    let (_folder, local) = local("exec sleep 600");
    let turn = turn("water");
    let written = local.generate(vec![turn.clone()], Options::default(), None, None);
    while !local.state().engine.as_ref().unwrap().heartbeat.is_loaded() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let client = 1;
    assert!(local.read_ahead(vec![turn.clone()], client).is_none());
    assert_eq!(
        local.state().engine.as_ref().unwrap().ahead.len(),
        1,
        "it is read all the same"
    );
    drop(written);
    assert!(local.read_ahead(vec![turn], client).is_some());
}

#[tokio::test]
async fn a_place_is_kept_for_what_the_host_asks_for_everybody() {
    let (_folder, local) = local("exec sleep 600");
    let loads = local.loads().unwrap();
    let ask = |user: User| {
        let turn = turn("water");
        local.generate(vec![turn], Options::default(), user, None).unwrap()
    };
    let written = || {
        let state = local.state();
        let engine = state.engine.as_ref().unwrap();
        let clients = engine.answers.values().filter(|answer| answer.sent);
        (clients.count() - engine.written(&None).1, engine.written(&None).1)
    };
    let mut clients: Vec<_> = (1..=5)
        .map(|client| ask(Some(IpAddr::from([192, 0, 2, client]).into())))
        .collect();
    assert_eq!(written(), (3, 0));
    let first = ask(None);
    assert_eq!(written(), (3, 1));
    let second = ask(None);
    drop(clients.swap_remove(0));
    assert_eq!(written(), (2, 2), "before clients that have waited for longer");
    drop((first, second));
    assert_eq!(written(), (3, 0));
    let number = local.state().started;
    local.warmed_up(number + 1);
    assert_eq!(written(), (3, 0), "another engine was meant");
    local.warmed_up(number);
    assert_eq!(written(), (4, 0));
    drop(loads);
}

#[tokio::test]
async fn a_question_that_would_be_begun_too_late_is_refused_at_once() {
    const TOKENS: u32 = 100;
    let (_folder, local) = local("exec sleep 600");
    local
        .state()
        .line
        .forecast
        .learn(TOKENS, Duration::from_millis(2_500), false);
    let ask = |client: u8, milliseconds| {
        let turn = turn("water");
        let options = Options {
            max_tokens: Some(TOKENS),
            max_milliseconds: Some(milliseconds),
            ..Options::default()
        };
        let visit = Visit::default();
        let asker = Some(visit.number(&local));
        let user = Some(IpAddr::from([192, 0, 2, client]).into());
        let answer = local.generate(vec![turn], options, user, asker);
        answer.map(|answer| (answer, visit))
    };
    let mut written: Vec<_> = (0..4).map(|client| ask(client, 60_000)).collect();
    assert!(written.iter().all(Result::is_ok));
    // Four that are written at once are over after ten seconds; four more are the least of an answer, in eight.
    assert!(matches!(ask(9, 8_000), Err(Error::Busy(6))));
    let waiting = ask(9, 20_000);
    assert!(waiting.is_ok());
    written.pop();
    drop(waiting);
    assert!(ask(9, 8_000).is_ok(), "there is a place");
}

#[tokio::test]
async fn a_question_that_had_no_place_in_its_time_is_told_to_come_again() {
    let (_folder, local) = local("exec sleep 600");
    let mut loads = local.loads().unwrap();
    let ask = |client: u8| {
        let options = Options {
            max_milliseconds: Some(100),
            ..Options::default()
        };
        let user = Some(IpAddr::from([192, 0, 2, client]).into());
        local.generate(vec![turn("water")], options, user, None).unwrap()
    };
    let mut written: Vec<_> = (1..=4).map(ask).collect();
    loads.changed().await.unwrap();
    assert!(matches!(ask(5).next().await.0, Err(Error::Busy(1..))));
    // One that the engine has ends as it is.
    assert_eq!(written[0].next().await.0, Ok(None));
    assert_eq!(written[0].outcome().map(|outcome| outcome.finish), Some(Finish::Time));
}

#[tokio::test]
async fn who_leaves_in_the_middle_of_an_answer_does_not_show_how_long_it_takes() {
    const TOKENS: u32 = 100;
    let (_folder, local) = local("exec sleep 600");
    local.state().line.forecast.learn(TOKENS, Duration::from_secs(9), false);
    let turn = turn("water");
    let options = Options {
        max_tokens: Some(TOKENS),
        ..Options::default()
    };
    for is_answer_first in [true, false] {
        let visit = Visit::default();
        let asker = Some(visit.number(&local));
        let answer = local
            .generate(vec![turn.clone()], options.clone(), None, asker)
            .unwrap();
        if is_answer_first {
            drop(answer);
            drop(visit);
        } else {
            drop(visit);
            drop(answer);
        }
        assert_eq!(local.state().line.forecast.expect(TOKENS), Duration::from_secs(9));
    }
}

#[tokio::test]
async fn an_engine_that_hangs_is_ended_and_started_again() {
    let (_folder, local) = local("exec sleep 600");
    let asked = tokio::spawn({
        let local = Arc::clone(&local);
        async move { ask(&local, "water").await }
    });
    let began = SystemTime::now();
    while !local
        .state()
        .engine
        .as_ref()
        .is_some_and(|engine| engine.heartbeat.is_loaded())
    {
        assert!(began.elapsed().unwrap() < Duration::from_secs(60), "it is never loaded");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    local.beat(Instant::now());
    assert!(!asked.is_finished());
    local.beat(Instant::now() + Duration::from_secs(3600));
    let answer = format!("{:?}", asked.await.unwrap());
    assert!(answer.contains("engine ended"), "{answer}");
    assert!(local.state().engine.is_none());
}
