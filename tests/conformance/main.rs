//! Every line of the contract, asked of a running service.
//!
//! `QUARTET_BASE_URL` names a service that runs already (`http://host:port`), here or on another host; without it each test
//! starts the host. `QUARTET_LIMITED_URL` names one that lets [`FEW`] requests of a client through in a minute, for the tests
//! of [`limits`].

mod chat;
mod documents;
mod engines;
mod failures;
mod formats;
mod host;
mod image;
mod limits;
mod lists;
mod pdf;
mod pictures;
mod rate;
mod texts;
mod tts;

use quartet_tests::{Client, Service};

/// Requests a minute of the service that has few.
const FEW: &str = "5";

/// A service to test, and a client for it.
struct Tested {
    client: Client,
    /// None where the service runs already.
    service: Option<Service>,
}

impl Tested {
    /// Host and port.
    fn socket(&self) -> &str {
        self.client.socket()
    }
}

fn tested() -> Tested {
    running("QUARTET_BASE_URL", "100000")
}

/// A service with a limit on requests: the one that `variable` names, else the host.
fn running(variable: &str, requests_per_minute: &str) -> Tested {
    match std::env::var(variable) {
        Ok(base) => Tested {
            client: Client::new(&base),
            service: None,
        },
        Err(_) => {
            let service = Service::start(&[
                "--requests-per-minute",
                requests_per_minute,
                "--inference-engine",
                "auto",
            ]);
            Tested {
                client: service.client(),
                service: Some(service),
            }
        }
    }
}
