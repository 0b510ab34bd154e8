//! The dashboard and the alerts of `deploy/` ask for what `/metrics` has, and a real Prometheus understands them.

use std::collections::BTreeSet;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use quartet_tests::Service;
use quartet_tests::skip::not_run;
use quartet_tests::wait::{until, wait_for};
use serde_json::{Value, json};

const RULES: &str = include_str!("../../deploy/prometheus/quartet.rules.yaml");
const DASHBOARD: &str = include_str!("../../deploy/grafana/quartet.json");

/// Metrics that have no series before something has happened that does not happen here.
const SELDOM: [&str; 2] = ["quartet_swaps_total", "quartet_fleet_in_step"];

/// A query with its name.
struct Query {
    name: String,
    expression: String,
}

/// The queries of the dashboard, with its variables filled in.
fn panels() -> Vec<Query> {
    let dashboard: Value = serde_json::from_str(DASHBOARD).expect("JSON");
    let mut queries = Vec::new();
    for panel in dashboard["panels"].as_array().expect("panels") {
        for target in panel["targets"].as_array().into_iter().flatten() {
            let expression = target["expr"].as_str().expect("a query");
            queries.push(Query {
                name: panel["title"].as_str().expect("a title").to_owned(),
                expression: expression.replace("$__rate_interval", "1m").replace("$instance", ".*"),
            });
        }
    }
    assert!(queries.len() > 10);
    queries
}

/// Metrics that a text names.
fn metrics(text: &str) -> BTreeSet<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = text.split(|c| !is_part(c));
    words
        .filter(|word| ["quartet_", "process_"].iter().any(|start| word.starts_with(start)))
        .collect()
}

#[test]
fn they_name_what_is_there_and_documented() {
    let service = Service::start(&[]);
    service.client().get("/tts/voices");
    let page = wait_for("the request is counted", || {
        let page = String::from_utf8(service.client().get("/metrics").body).expect("text");
        page.contains("quartet_requests_total{").then_some(page)
    });
    let there = metrics(&page);
    let documented = include_str!("../../docs/observability.md");
    for name in metrics(DASHBOARD).into_iter().chain(metrics(RULES)) {
        assert!(there.contains(name) || SELDOM.contains(&name), "{name}");
        let family = name.trim_end_matches("_bucket");
        let listed = documented.contains(family) || family.starts_with("process_");
        assert!(listed, "{family} is not in the documentation");
    }
}

/// A Prometheus that looks at a service each second, and its folder.
struct Prometheus {
    process: Child,
    address: String,
    _folder: tempfile::TempDir,
}

impl Prometheus {
    /// Starts one; none where the program is not there.
    fn start(service: &Service) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("rules.yaml"), RULES).expect("a file");
        let job = json!({
            "job_name": "quartet",
            "static_configs": [{"targets": [service.socket()]}],
        });
        // YAML takes JSON.
        let config = json!({
            "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
            "rule_files": ["rules.yaml"],
            "scrape_configs": [job],
        });
        std::fs::write(path("prometheus.yml"), config.to_string()).expect("a file");
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = free.local_addr().expect("an address").to_string();
        drop(free);
        let flag = |name: &str, value: &Path| format!("--{name}={}", value.display());
        let process = Command::new("prometheus")
            .arg(flag("config.file", &path("prometheus.yml")))
            .arg(flag("storage.tsdb.path", &path("data")))
            .arg(format!("--web.listen-address={address}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        Some(Self {
            process,
            address,
            _folder: folder,
        })
    }

    /// The series that a query gives; none where it is not there yet.
    fn ask(&self, path: &str, query: &str) -> Option<Value> {
        let url = format!("http://{}/api/v1/{path}", self.address);
        let mut answer = ureq::get(&url).query("query", query).call().ok()?;
        serde_json::from_str(&answer.body_mut().read_to_string().ok()?).ok()
    }

    fn series(&self, query: &str) -> usize {
        let answer = self.ask("query", query);
        answer.map_or(0, |answer| answer["data"]["result"].as_array().map_or(0, Vec::len))
    }
}

impl Drop for Prometheus {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn prometheus_answers_every_query() {
    let service = Service::start(&[]);
    let Some(prometheus) = Prometheus::start(&service) else {
        return not_run("prometheus_answers_every_query", "Prometheus is not installed");
    };
    let client = service.client();
    until("the service was looked at while it answered", || {
        client.get("/tts/voices");
        client.post("/tts/stream", &json!({"text": "Some words."}));
        client.get("/nothing");
        // A rate is known from the second look on that has the series.
        prometheus.series("rate(quartet_request_fuel_count{operation=\"tts/stream\"}[1m])") > 0
            && prometheus.series("rate(quartet_failures_total{code=\"not_found\"}[1m]) > 0") > 0
    });
    for Query { name, expression } in panels() {
        let answer = prometheus
            .ask("query", &expression)
            .unwrap_or_else(|| panic!("{name}: {expression}"));
        assert_eq!(answer["status"], "success", "{name}: {answer}");
        let seldom = SELDOM.iter().any(|metric| expression.contains(metric));
        let empty = prometheus.series(&expression) == 0;
        // What is above 0 is there only when something went wrong.
        assert!(
            !empty || seldom || expression.ends_with("> 0"),
            "{name} shows nothing: {expression}"
        );
    }
    let rules = wait_for("the rules were evaluated", || {
        let answer = prometheus.ask("rules", "")?;
        let rules = answer["data"]["groups"][0]["rules"].as_array()?.clone();
        rules.iter().all(|rule| rule["health"] != "unknown").then_some(rules)
    });
    assert_eq!(rules.len(), RULES.matches("- alert:").count());
    for rule in rules {
        assert_eq!((&rule["health"], &rule["alerts"]), (&json!("ok"), &json!([])), "{rule}");
    }
}
