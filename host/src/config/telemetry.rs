//! The settings of the log, metrics and traces.

use clap::Args;
use http::Uri;

use super::parse::{Parsed, Toggle, endpoint, one_of, toggle, within};

/// The log, metrics and traces.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Log, metrics and traces")]
pub struct Telemetry {
    /// Log level: error, warn, info, debug or trace.
    #[arg(long, default_value = "info")]
    pub log: String,
    /// human, json, or auto: human on a terminal.
    #[arg(long, value_parser = one_of(LOG_FORMATS), default_value = "auto")]
    pub log_format: LogFormat,
    /// Serve /metrics for Prometheus: on, off, or auto: on while only this machine reaches the service.
    #[arg(long, value_parser = toggle, default_value = "auto")]
    pub metrics: Toggle,
    /// Collector that takes traces as OTLP over HTTP, such as http://127.0.0.1:4318; by default none.
    #[arg(long, value_parser = collector)]
    pub otlp_endpoint: Option<Uri>,
    /// Of a hundred traces that begin here, how many go to the collector; callers decide for theirs.
    #[arg(long, value_parser = within::<u8>(0..=100), default_value = "100")]
    pub trace_percent: u8,
}

/// The form of the log's lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// Human on a terminal, JSON otherwise.
    Auto,
    /// For eyes.
    Human,
    /// For programs.
    Json,
}

const LOG_FORMATS: &[(&str, LogFormat)] = &[
    ("human", LogFormat::Human),
    ("json", LogFormat::Json),
    ("auto", LogFormat::Auto),
];

impl Telemetry {
    /// True if `/metrics` is served. `private` is true if only this machine reaches the service.
    pub fn metrics_page(&self, private: bool) -> bool {
        self.metrics == Toggle::On || (self.metrics == Toggle::Auto && private)
    }
}

fn collector(text: &str) -> Parsed<Uri> {
    endpoint(text, "/v1/traces").ok_or_else(|| "an address such as http://127.0.0.1:4318".to_owned())
}

#[cfg(test)]
mod tests {
    use crate::config::tests::{config, refused};

    #[test]
    fn addresses_of_collectors() {
        for (endpoint, target) in [
            ("http://[::1]:4318/", "http://[::1]:4318/v1/traces"),
            ("https://otel.example/in", "https://otel.example/in/v1/traces"),
        ] {
            let telemetry = config(&[("otlp_endpoint", endpoint)]).unwrap().telemetry;
            assert_eq!(telemetry.otlp_endpoint.unwrap().to_string(), target);
        }
        for wrong in [
            "localhost:4318",
            "grpc://localhost:4317",
            "http://",
            "http://a?b=c",
            "/v1",
        ] {
            refused(&[("otlp_endpoint", wrong)], "`otlp_endpoint`");
        }
    }

    #[test]
    fn wrong_values_are_named() {
        refused(&[("metrics", "yes")], "`metrics`");
        refused(&[("trace_percent", "101")], "`trace_percent`");
        let telemetry = config(&[("metrics", "off"), ("trace_percent", "0")]).unwrap().telemetry;
        assert!(!telemetry.metrics_page(true) && telemetry.otlp_endpoint.is_none());
        let telemetry = config(&[]).unwrap().telemetry;
        assert!(telemetry.metrics_page(true) && !telemetry.metrics_page(false));
    }
}
