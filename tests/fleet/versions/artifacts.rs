//! Versions from a registry: pulled once, served by all replicas.

use quartet_tests::oci::{CONFIG, LAYER, Registry, digest};
use quartet_tests::versions::{done, refused, version};

use super::{Replicas, Store};

#[test]
fn a_version_from_a_registry_is_served_by_all_and_one_that_was_changed_by_none() {
    let test = "a version from a registry is served by all";
    let Some(store) = Store::start(test, &[]) else {
        return;
    };
    let Some(registry) = Registry::start(test) else {
        return;
    };
    let replicas = Replicas::start(3, &store, &[]);
    let first = replicas.all_answer();
    let second = version("steady 2");
    let tagged = registry.reference("quartet-tts:2");
    let path = replicas.all[0].folder.write(&second);
    let pinned = done(&replicas.quartet(0, &["push", "tts", path.to_str().unwrap(), &tagged]));

    let said = done(&replicas.quartet(1, &["swap", "tts", &tagged, "--generation", "0"]));
    assert!(said.starts_with(&format!("{tagged} is {pinned}")), "{said}");
    assert_eq!(
        said.lines().count(),
        5,
        "what it is, and a line for each replica: {said}"
    );
    let served = format!("tts@{}", &digest(&second)["sha256:".len()..][..12]);
    assert_eq!(replicas.all_answer(), served);
    let table = done(&replicas.quartet(2, &["components"]));
    assert!(table.contains("3/3 #1"), "{table}");

    let third = registry.artifact(("quartet-tts", "3"), CONFIG, LAYER, &version("steady 3"));
    registry.tamper(&digest(&version("steady 3")));
    let reason = refused(&replicas.quartet(
        2,
        &["swap", "tts", &registry.reference(&format!("quartet-tts@{third}"))],
    ));
    assert!(reason.contains("it was changed"), "{reason}");
    assert_eq!(replicas.all_answer(), served);
    assert_eq!(replicas.state(0)["fleet"]["generation"], 1);

    done(&replicas.quartet(2, &["rollback", "tts"]));
    assert_eq!(replicas.all_answer(), first);
    done(&replicas.quartet(0, &["swap", "tts", pinned.trim()]));
    assert_eq!(replicas.all_answer(), served);
}
