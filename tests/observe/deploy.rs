//! The files of `deploy/` name what is there: settings, pages, operations. Their form is judged by
//! `cargo xtask deploy-check`.

use std::collections::BTreeSet;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use quartet_api::Capability;
use quartet_api::operations::OPERATIONS;
use quartet_tests::Service;
use quartet_tests::service::given;
use quartet_tests::wait::PATIENCE;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy")
}

fn text(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Everything in `text` that starts with `start` and goes on with characters that `belongs` takes.
fn words(text: &str, start: &str, belongs: impl Fn(char) -> bool) -> BTreeSet<String> {
    let word = |(at, _)| text[at..].chars().take_while(|letter| belongs(*letter)).collect();
    text.match_indices(start).map(word).collect()
}

const FILES: [&str; 8] = [
    "quartet.service",
    "Containerfile",
    "Containerfile.package",
    "compose.yaml",
    "fleet/compose.yaml",
    "kubernetes/base/quartet.yaml",
    "kubernetes/shared-state/pods.yaml",
    "kubernetes/models-volume/pods.yaml",
];

/// A variable of `cargo xtask build`, which the service does not read.
const OF_THE_BUILD: &str = "QUARTET_PROCESSOR";

#[test]
fn every_setting_in_them_is_one() {
    let help = Command::new(given("QUARTET_HOST"))
        .args(["serve", "--help"])
        .output()
        .unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let mut found = 0;
    for file in FILES {
        for variable in words(&text(file), "QUARTET_", |letter| {
            letter.is_ascii_uppercase() || letter == '_'
        }) {
            if variable == OF_THE_BUILD {
                continue;
            }
            let flag = variable
                .strip_prefix("QUARTET_")
                .unwrap()
                .to_lowercase()
                .replace('_', "-");
            let there = help.split_whitespace().any(|word| word == format!("--{flag}"));
            assert!(there, "{file} sets {variable}, and there is no --{flag}");
            found += 1;
        }
    }
    assert!(found > 6, "only {found} settings were found");
}

#[test]
fn every_page_that_probes_ask_for_answers() {
    let service = Service::start(&[]);
    for file in ["kubernetes/base/quartet.yaml", "kubernetes/spinapp.yaml"] {
        let text = text(file);
        let paths: BTreeSet<_> = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix("path: "))
            .collect();
        assert!(!paths.is_empty(), "{file}");
        for path in paths {
            assert_eq!(service.client().get(path).status, 200, "{file}: {path}");
        }
    }
    let probe: Vec<_> = ["call", "readyz", "-o", "/dev/null"]
        .map(|word| format!("\"{word}\""))
        .to_vec();
    assert!(text("Containerfile").contains(&probe.join(", ")));
    let listens = service.address.strip_prefix("http://").unwrap();
    for (variable, value) in [("QUARTET_URL", service.address.as_str()), ("QUARTET_LISTEN", listens)] {
        let output = Command::new(given("QUARTET_HOST"))
            .args(["call", "readyz", "-o", "/dev/null"])
            .env(variable, value)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{variable}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn every_figure_that_the_autoscaler_goes_by_is_there() {
    let page = String::from_utf8(Service::start(&[]).client().get("/metrics").body).unwrap();
    let text = text("kubernetes/autoscaling/autoscaler.yaml");
    let (mut figures, mut name) = (0, "");
    for line in text.lines().map(str::trim) {
        if let Some(figure) = line.strip_prefix("name: ").filter(|name| name.starts_with("quartet_")) {
            name = figure;
        }
        // The label that its sum is over.
        if let Some(of) = line.strip_prefix("of: ") {
            let label = format!("{{of=\"{of}\"}}");
            let there = [format!("{name}{label}"), format!("{name}_total{label}")];
            let is_there = |line: &str| there.iter().any(|figure| line.starts_with(figure.as_str()));
            assert!(page.lines().any(is_there), "{name}{label}");
            figures += 1;
        }
    }
    assert_eq!(figures, 2);
}

#[test]
fn spin_gets_every_component_under_its_paths() {
    let manifest: toml::Table = text("spin.toml").parse().unwrap();
    assert_eq!(manifest["spin_manifest_version"].as_integer(), Some(2));
    let triggers = manifest["trigger"]["http"].as_array().unwrap();
    // Such a route takes its beginning, too.
    let prefix = |trigger: &toml::Value| trigger["route"].as_str().unwrap().trim_end_matches("/...").to_owned();
    for operation in OPERATIONS {
        let name = operation.capability().unwrap().name();
        let leads = |trigger: &&toml::Value| {
            let rest = operation.path.strip_prefix(&prefix(trigger));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let trigger = triggers
            .iter()
            .find(leads)
            .unwrap_or_else(|| panic!("nothing leads to {}", operation.path));
        assert_eq!(trigger["component"].as_str(), Some(name));
    }
    for capability in Capability::ALL {
        let component = &manifest["component"][capability.name()];
        let source = component["source"].as_str().unwrap();
        assert!(
            source.ends_with(&format!("target/composed/{}.wasm", capability.name())),
            "{source}"
        );
        let hosts = component["allowed_outbound_hosts"].as_array().unwrap();
        let searched = usize::from(*capability == Capability::Chat);
        assert_eq!(hosts.len(), searched);
        assert!(
            hosts
                .iter()
                .all(|host| host.as_str() == Some("https://*.wikipedia.org"))
        );
    }
}

#[test]
fn spin_composes_in_what_each_component_asks_for() {
    let manifest: toml::Table = text("spin.toml").parse().unwrap();
    for capability in Capability::ALL {
        let name = capability.name();
        let file = std::fs::read(given("QUARTET_COMPONENTS").join(name).with_extension("wasm")).unwrap();
        let dependencies = manifest["component"][name].get("dependencies");
        for (import, provider) in [
            ("quartet:inference/graphs@0.1.0", "inference.wasm"),
            ("quartet:language-model/chat@0.7.0", "language-model-spin.wasm"),
        ] {
            let asks = file.windows(import.len()).any(|window| window == import.as_bytes());
            let given = dependencies.and_then(|dependencies| dependencies.get(import));
            // Spin refuses a dependency that nobody imports, and a component of which an import is left.
            assert_eq!(given.is_some(), asks, "{name}: {import}");
            if let Some(given) = given {
                let path = given["path"].as_str().unwrap();
                assert_eq!(path, format!("../target/composed/{provider}"));
            }
        }
    }
}

#[test]
fn systemd_hears_when_it_listens_and_when_it_stops() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    let heard = || {
        let mut message = [0; 256];
        let length = socket.recv(&mut message).expect("a message");
        String::from_utf8_lossy(&message[..length]).trim().to_owned()
    };
    let mut host = Command::new(given("QUARTET_HOST"))
        .args(["serve", "--listen", "127.0.0.1:0", "--log", "error", "--components"])
        .arg(given("QUARTET_COMPONENTS"))
        .arg("--cache")
        .arg(std::env::temp_dir().join("quartet-tests-compiled"))
        .env("NOTIFY_SOCKET", &path)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let ready = heard();
    let asked = Command::new("kill").arg(host.id().to_string()).status().unwrap();
    let stopping = heard();
    let ended = host.wait().unwrap();
    assert_eq!((ready.as_str(), stopping.as_str()), ("READY=1", "STOPPING=1"));
    assert!(asked.success() && ended.success());
}
