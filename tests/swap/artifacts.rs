//! Versions that come from a registry: by their tag, by their digest, and those that are not what they are said to be.

use std::env;
use std::fs;
use std::process::{Command, Output};

use quartet_tests::oci::{CONFIG, LAYER, LOGIN, MANIFEST, Registry, Signer, digest_of, log_in, payload};
use quartet_tests::service::given;
use quartet_tests::skip::not_run;

use crate::world::{World, done, refused, version};

/// Where all tests but those of swaps keep compiled code: the real component is there.
fn compiled() -> String {
    env::temp_dir().join("quartet-tests-compiled").display().to_string()
}

impl World {
    fn push(&self, component: &[u8], reference: &str) -> Output {
        let path = self.folder.write(component);
        self.quartet(&["push", "tts", path.to_str().unwrap(), reference])
    }

    fn take(&self, reference: &str) -> Output {
        self.quartet(&["swap", "tts", reference])
    }
}

#[test]
fn a_component_that_was_pushed_serves_by_its_tag_and_by_its_digest() {
    let Some(registry) = Registry::start("a component that was pushed serves by its tag and by its digest") else {
        return;
    };
    let world = World::new(&version("steady 1"), &["--cache", &compiled()]);
    let speech = given("QUARTET_COMPONENTS").join("tts.wasm");
    let tagged = registry.reference("speech/quartet-tts:1.0");
    let pinned = done(&world.quartet(&["push", "tts", speech.to_str().unwrap(), &tagged]));
    let pinned = pinned.trim();
    assert!(
        pinned.starts_with(&registry.reference("speech/quartet-tts@sha256:")),
        "{pinned}"
    );

    // The layout is the one that the CNCF has for WebAssembly.
    let manifest = registry.tagged("speech/quartet-tts", "1.0");
    let component = digest_of(&speech);
    assert_eq!(manifest["mediaType"], MANIFEST);
    assert_eq!(manifest["config"]["mediaType"], CONFIG);
    assert_eq!(manifest["layers"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&manifest["layers"][0]["mediaType"], &manifest["layers"][0]["digest"]),
        (&LAYER.into(), &component.as_str().into())
    );
    assert_eq!(manifest["layers"][0]["size"], fs::metadata(&speech).unwrap().len());
    let config = registry.content("speech/quartet-tts", manifest["config"]["digest"].as_str().unwrap());
    let config: serde_json::Value = serde_json::from_slice(&config).unwrap();
    assert_eq!(
        (&config["os"], &config["architecture"]),
        (&"wasip2".into(), &"wasm".into())
    );
    assert_eq!(config["layerDigests"], serde_json::json!([component]));
    let exports = config["component"]["exports"].as_array().unwrap();
    assert!(
        exports
            .iter()
            .any(|name| name.as_str().unwrap().starts_with("wasi:http/incoming-handler@")),
        "{config}"
    );

    // By its tag, of which it is said what it is.
    let said = done(&world.take(&tagged));
    assert!(said.starts_with(&format!("{tagged} is {pinned}\n")), "{said}");
    let digits = component.trim_start_matches("sha256:");
    assert!(
        said.contains(&format!("tts@{} serves; before it served", &digits[..12])),
        "{said}"
    );
    assert_eq!(world.answers(), format!("tts@{}", &digits[..12]));
    assert_eq!(world.state()["current"]["digest"], digits);

    // The same component is the same artifact; the tag may lead to another one later, a digest never does.
    let again = registry.reference("speech/quartet-tts:again");
    assert_eq!(
        done(&world.quartet(&["push", "tts", speech.to_str().unwrap(), &again])).trim(),
        pinned
    );
    done(&world.push(&version("steady 2"), &tagged));
    done(&world.take(&tagged));
    assert_ne!(world.answers(), format!("tts@{}", &digits[..12]));
    done(&world.take(pinned));
    assert_eq!(world.answers(), format!("tts@{}", &digits[..12]));
    assert!(done(&world.take(pinned)).contains("as before"));
}

#[test]
fn wkg_and_push_take_what_the_other_has_put_there() {
    let test = "wkg and push take what the other has put there";
    let Some(program) = env::var_os("QUARTET_WKG") else {
        return not_run(test, "there is no wkg here");
    };
    let Some(registry) = Registry::start(test) else {
        return;
    };
    let wkg = |arguments: &[&str]| {
        let insecure = registry.socket();
        let mut command = Command::new(&program);
        let output = command.arg("oci").args(arguments).args(["--insecure", &insecure]);
        done(&output.output().expect("wkg runs"))
    };
    let world = World::new(&version("steady 1"), &[]);
    let steady = version("steady 2");
    let path = world.folder.write(&steady);
    let reference = |tag: &str| registry.reference(&format!("speech/quartet-tts:{tag}"));
    let plain = |tag: &str| reference(tag).trim_start_matches("oci://").to_owned();

    let said = wkg(&["push", &plain("theirs"), path.to_str().unwrap()]);
    let digest = said.lines().find_map(|line| line.strip_prefix("digest: "));
    let pinned = registry.reference(&format!("speech/quartet-tts@{}", digest.expect("wkg says it")));
    let said = done(&world.take(&reference("theirs")));
    assert!(
        said.starts_with(&format!("{} is {pinned}\n", reference("theirs"))),
        "{said}"
    );
    let served = format!("tts@{}", &digest_of(&path)["sha256:".len()..][..12]);
    assert_eq!(world.answers(), served);
    done(&world.quartet(&["rollback", "tts"]));
    assert_ne!(world.answers(), served);
    done(&world.take(&pinned));
    assert_eq!(world.answers(), served);

    done(&world.push(&steady, &reference("ours")));
    let pulled = world.folder.path().join("pulled.wasm");
    wkg(&["pull", &plain("ours"), "--output", pulled.to_str().unwrap()]);
    assert_eq!(fs::read(pulled).unwrap(), steady);
}

#[test]
fn what_a_registry_has_not_or_has_wrong_is_refused_and_the_version_before_serves_on() {
    let Some(mut registry) = Registry::start("what a registry has not or has wrong is refused") else {
        return;
    };
    let world = World::new(&version("steady 1"), &[]);
    let first = world.answers();
    let reference = |rest: &str| registry.reference(&format!("quartet-tts{rest}"));
    let steady = version("steady 2");
    let good = done(&world.push(&steady, &reference(":good")));
    let put = |tag, config, layer, content: &[u8]| registry.artifact(("quartet-tts", tag), config, layer, content);

    put("picture", CONFIG, "application/vnd.oci.image.layer.v1.tar", &steady);
    put("container", "application/vnd.oci.image.config.v1+json", LAYER, &steady);
    put("tampered", CONFIG, LAYER, &version("steady 3"));
    let layer = &registry.tagged("quartet-tts", "tampered")["layers"][0]["digest"];
    registry.tamper(layer.as_str().unwrap());
    let changed = put("changed", CONFIG, LAYER, &version("steady 4"));
    let other = registry.tagged("quartet-tts", "good");
    registry.replace(&changed, other.to_string().as_bytes());
    let unknown = format!("@sha256:{}", "0".repeat(64));
    let changed = format!("@{changed}");
    for (rest, reason) in [
        (":missing", "the registry has no tag \"missing\" in quartet-tts"),
        (unknown.as_str(), "no artifact with this digest"),
        (":picture", "its layer is no component"),
        (":container", "it is no artifact of WebAssembly"),
        (":tampered", "which the manifest names: it was changed"),
        (changed.as_str(), "it was changed"),
    ] {
        let said = refused(&world.take(&reference(rest)));
        assert!(
            said.contains(reason) && said.contains(&reference(rest)),
            "{rest}: {said}"
        );
        let said = refused(&world.quartet(&["canary", "tts", &reference(rest)]));
        assert!(said.contains(reason), "{rest}: {said}");
        assert_eq!(world.answers(), first, "{rest}");
    }

    // What came whole is held to what its capability may have, like every version.
    let chat = fs::read(given("QUARTET_COMPONENTS").join("chat.wasm")).unwrap();
    put("chat", CONFIG, LAYER, &chat);
    put("silent", CONFIG, LAYER, &version("silent"));
    for (rest, reason) in [(":chat", "step check: it imports"), (":silent", "step probe: ")] {
        let output = world.take(&reference(rest));
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(
            said.contains("refused at the ") && said.contains(reason),
            "{rest}: {said}"
        );
        assert_eq!(world.answers(), first, "{rest}");
    }
    let chat = given("QUARTET_COMPONENTS").join("chat.wasm");
    let said = refused(&world.quartet(&["push", "tts", chat.to_str().unwrap(), &reference(":chat")]));
    assert!(said.contains("is not pushed: it imports"), "{said}");

    let wrong = world.take(&reference(""));
    assert_eq!(wrong.status.code(), Some(2), "a reference without tag and digest");
    let gone = good.trim().to_owned();
    registry.stop();
    assert!(refused(&world.take(&gone)).contains("cannot be reached"));
    assert_eq!(world.answers(), first);
    assert!(world.state()["previous"].as_array().unwrap().is_empty());
}

#[test]
fn a_registry_with_a_lock_is_opened_by_what_is_kept_for_it() {
    let Some(registry) = Registry::locked("a registry with a lock is opened by what is kept for it") else {
        return;
    };
    let world = World::new(&version("steady 1"), &[]);
    let first = world.answers();
    let reference = registry.reference("quartet-tts:1");
    for said in [
        refused(&world.take(&reference)),
        refused(&world.push(&version("steady 2"), &reference)),
    ] {
        assert!(
            said.contains(&format!("`docker login {}`", registry.socket())),
            "{said}"
        );
    }
    log_in(world.folder.path(), &registry, "wrong");
    let said = refused(&world.take(&reference));
    assert!(said.contains("does not permit it") && !said.contains("wrong"), "{said}");
    log_in(world.folder.path(), &registry, LOGIN.1);
    done(&world.push(&version("steady 2"), &reference));
    assert_eq!(world.answers(), first);
    done(&world.take(&reference));
    assert_ne!(world.answers(), first);
}

#[test]
fn where_a_key_is_set_only_what_is_signed_with_it_comes_from_a_registry() {
    let name = "where a key is set only what is signed with it comes from a registry";
    let (Some(registry), Some(signer), Some(other)) = (Registry::start(name), Signer::new(name), Signer::new(name))
    else {
        return;
    };
    let world = World::new(&version("steady 1"), &[]);
    let first = world.answers();
    let key = signer.public().display().to_string();
    let with_key =
        |command: &str, reference: &str| world.quartet(&[command, "tts", reference, "--component-key", &key]);
    let put = |tag: &str| {
        let pinned = done(&world.push(
            &version(&format!("steady {tag}")),
            &registry.reference(&format!("speech/tts:{tag}")),
        ));
        let (_, digest) = pinned.trim().split_once('@').unwrap();
        digest.to_owned()
    };
    let (good, unsigned, foreign, moved, tampered) = (
        put("good"),
        put("unsigned"),
        put("foreign"),
        put("moved"),
        put("tampered"),
    );
    let sign = |signer: &Signer, artifact: &str, text: &str| {
        registry.signature("speech/tts", artifact, text.as_bytes(), &signer.sign(text))
    };
    sign(&signer, &good, &payload(&good));
    sign(&other, &foreign, &payload(&foreign));
    // A signature of another artifact, put beside this one.
    sign(&signer, &moved, &payload(&good));
    let layer = sign(&signer, &tampered, &payload(&tampered));
    registry.tamper(layer["digest"].as_str().unwrap());
    // What the registry says of a text is changed with it.
    let resealed = put("resealed");
    let changed = payload(&resealed).replace("quartet-tts", "quartet-ttt");
    registry.signature(
        "speech/tts",
        &resealed,
        changed.as_bytes(),
        &signer.sign(&payload(&resealed)),
    );

    for (tag, reason) in [
        ("unsigned", "it is not signed as `component_key` asks for it".to_owned()),
        (
            "foreign",
            "it is signed, but not with the key that `component_key` names".to_owned(),
        ),
        ("moved", format!("what is signed is {good} and not {moved}")),
        ("tampered", "which its signature names: it was changed".to_owned()),
        (
            "resealed",
            "it is signed, but not with the key that `component_key` names".to_owned(),
        ),
    ] {
        for command in ["swap", "canary"] {
            let said = refused(&with_key(command, &registry.reference(&format!("speech/tts:{tag}"))));
            assert!(said.contains(&reason), "{tag}: {said}");
            assert_eq!(world.answers(), first, "{tag}");
        }
    }
    let by_digest = registry.reference(&format!("speech/tts@{unsigned}"));
    assert!(refused(&with_key("swap", &by_digest)).contains("not signed"));
    done(&with_key("swap", &registry.reference("speech/tts:good")));
    let second = world.answers();
    assert_ne!(second, first);
    // Without a key nothing is asked for, and a file is taken as it is.
    done(&world.take(&by_digest));
    let file = world.folder.write(&version("steady file"));
    done(&with_key("swap", file.to_str().unwrap()));
    let output = world.quartet(&[
        "swap",
        "tts",
        &by_digest,
        "--component-key",
        "/of-which-there-is-none.pub",
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("`component_key`: /of-which-there-is-none.pub cannot be read")
    );
}

#[test]
fn a_registry_with_tls_is_known_by_the_authorities_of_the_system() {
    let Some(registry) = Registry::encrypted("a registry with TLS is known by the authorities of the system") else {
        return;
    };
    let world = World::new(&version("steady 1"), &[]);
    let first = world.answers();
    let (reference, file) = (
        registry.reference("quartet-tts:1"),
        world.folder.write(&version("steady 2")),
    );
    let authority = registry.authority();
    let known = [("SSL_CERT_FILE", authority.as_path())];
    let push = ["push", "tts", file.to_str().unwrap(), &reference];
    let said = refused(&world.quartet(&push));
    assert!(
        said.contains("cannot be reached") && said.contains("UnknownIssuer"),
        "{said}"
    );
    let pinned = done(&world.folder.quartet_with(&push, &known));
    let said = refused(&world.take(&reference));
    assert!(said.contains("UnknownIssuer"), "{said}");
    assert_eq!(world.answers(), first);
    done(&world.folder.quartet_with(&["swap", "tts", pinned.trim()], &known));
    assert_ne!(world.answers(), first);
}
