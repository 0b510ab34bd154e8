//! The settings of metrics and traces.

use http::Uri;

/// Path at which collectors take traces, under the address of OTLP over HTTP.
const TRACES_PATH: &str = "/v1/traces";

/// The settings of what can be seen.
#[derive(Debug, Clone)]
pub struct TelemetrySettings {
    /// True if `/metrics` is served.
    pub metrics_page: bool,
    /// The address that traces are sent to.
    pub collector: Option<Uri>,
    /// Percentage of the traces that begin here which are recorded.
    pub trace_percent: u8,
}

impl TelemetrySettings {
    /// Reads `metrics`, `otlp_endpoint` and `trace_percent`. `private` is whether only this machine reaches the
    /// service.
    ///
    /// # Errors
    /// When one of them cannot be used.
    pub fn from_given(text: impl Fn(&str) -> String, private: bool) -> Result<Self, String> {
        let metrics_page = match text("metrics").as_str() {
            "auto" => private,
            "on" => true,
            "off" => false,
            other => return Err(format!("`metrics` is {other:?}; it takes auto, on or off")),
        };
        let percent = text("trace_percent");
        let trace_percent = percent.trim().parse().ok().filter(|percent| *percent <= 100);
        let trace_percent = trace_percent
            .ok_or_else(|| format!("`trace_percent` is {percent:?}; it takes a whole number from 0 to 100"))?;
        let collector = match text("otlp_endpoint").as_str() {
            "" => None,
            endpoint => Some(collector(endpoint).ok_or_else(|| {
                format!("`otlp_endpoint` is {endpoint:?}; it takes an address such as http://127.0.0.1:4318")
            })?),
        };
        Ok(Self {
            metrics_page,
            collector,
            trace_percent,
        })
    }
}

fn collector(endpoint: &str) -> Option<Uri> {
    let base = endpoint.trim().trim_end_matches('/');
    let uri: Uri = format!("{base}{TRACES_PATH}").parse().ok()?;
    let usable = matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some_and(|host| !host.is_empty());
    (usable && uri.query().is_none()).then_some(uri)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(metrics: &str, endpoint: &str, percent: &str) -> Result<TelemetrySettings, String> {
        let text = |key: &str| {
            match key {
                "metrics" => metrics,
                "otlp_endpoint" => endpoint,
                _ => percent,
            }
            .to_owned()
        };
        TelemetrySettings::from_given(text, true)
    }

    #[test]
    fn addresses_of_collectors() {
        let target =
            |endpoint| settings("auto", endpoint, "100").map(|settings| settings.collector.unwrap().to_string());
        assert_eq!(target("http://[::1]:4318/").unwrap(), "http://[::1]:4318/v1/traces");
        assert_eq!(
            target("https://otel.example/in").unwrap(),
            "https://otel.example/in/v1/traces"
        );
        for wrong in [
            "localhost:4318",
            "grpc://localhost:4317",
            "http://",
            "http://a?b=c",
            "/v1",
        ] {
            assert!(target(wrong).unwrap_err().contains("`otlp_endpoint`"), "{wrong}");
        }
    }

    #[test]
    fn wrong_values_are_named() {
        assert!(settings("yes", "", "1").unwrap_err().contains("`metrics`"));
        assert!(settings("on", "", "101").unwrap_err().contains("`trace_percent`"));
        assert!(settings("off", "", "0").is_ok_and(|settings| !settings.metrics_page && settings.collector.is_none()));
    }
}
