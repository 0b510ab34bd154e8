//! Every line of the contract for the voice operations, asked of a running service.
//!
//! `QUARTET_BASE_URL` names a service that runs already (`http://host:port`); without it each test starts the host.

mod chat;
mod documents;
mod failures;
mod host;
mod lists;
mod pictures;
mod rate;
mod speech;
mod texts;

use quartet_tests::{Client, Service};

/// A service to test, and a client for it.
struct Tested {
    client: Client,
    /// None where the service runs already.
    service: Option<Service>,
}

fn tested() -> Tested {
    match std::env::var("QUARTET_BASE_URL") {
        Ok(base) => Tested {
            client: Client::new(&base),
            service: None,
        },
        Err(_) => {
            let service = Service::start(&["--requests-per-minute", "100000"]);
            Tested {
                client: service.client(),
                service: Some(service),
            }
        }
    }
}
