//! Replicas behind HAProxy, as `deploy/fleet` has them: whoever asks need not know how many there are.

use quartet_api::Code;
use quartet_tests::Service;
use quartet_tests::balancer::Balancer;
use quartet_tests::skip::not_run;
use serde_json::Value;

use super::store::Store;
use super::{Fleet, ask_picture, picture};

#[test]
fn behind_a_balancer_replicas_are_one_service() {
    let name = "behind a balancer replicas are one service";
    let Some(store) = Store::start(name, &[]) else {
        return;
    };
    let Ok(program) = std::env::var("QUARTET_HAPROXY") else {
        return not_run(name, "HAProxy is not installed");
    };
    let flags = ["--trusted-proxies", "127.0.0.1", "--requests-per-minute", "60"];
    let mut fleet = Fleet::start(3, &store, &flags);
    let sockets: Vec<_> = fleet.replicas.iter().map(Service::socket).collect();
    let balancer = Balancer::start(&program, &sockets, "/readyz");
    let client = &balancer.client;
    let sent = picture(client, &[]);
    let cookie = sent.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let image = sent.data()["imageId"].clone();
    for _ in 0..6 {
        let answer = ask_picture(client, &Value::Null, &[("cookie", cookie.as_str())]);
        assert_eq!(answer.data()["imageId"], image);
    }
    ask_picture(client, &Value::Null, &[]).failed(Code::NoUpload);
    // One replica goes: nothing of it is missed.
    fleet.replicas.remove(0);
    for _ in 0..6 {
        let answer = ask_picture(client, &Value::Null, &[("cookie", cookie.as_str())]);
        assert_eq!(answer.data()["imageId"], image);
    }
    let admitted = (0..80).filter(|_| client.get("/tts/voices").status == 200).count();
    assert_eq!(admitted, 60 - 14);
}
