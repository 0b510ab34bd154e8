//! Addresses that the service listens on.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};

use super::report::Report;
use crate::config::Config;

/// Ports above the one in use that are tried for the advice.
const TRIED: u16 = 20;

pub(super) fn examine(config: &Config, report: &mut Report) {
    address("listen", config.ingress.listen, report);
    if let Some(health) = config.ingress.health_listen {
        address("health_listen", health, report);
    }
    if let Some(wyoming) = config.wyoming.wyoming_listen {
        address("wyoming_listen", wyoming, report);
    }
}

fn address(setting: &'static str, address: SocketAddr, report: &mut Report) {
    let error = match TcpListener::bind(address) {
        Ok(_) => {
            report.ok("port", format!("{address} ({setting}) is free"));
            return;
        }
        Err(error) => error,
    };
    let found = format!("{address} ({setting}): {error}");
    match error.kind() {
        ErrorKind::AddrInUse => {
            let remedy = "it is this service if it runs already; another program otherwise";
            report.warn("port", format!("{address} ({setting}) is in use"), remedy);
            let after = (1..=TRIED).filter_map(|step| address.port().checked_add(step));
            let free = after
                .map(|port| SocketAddr::new(address.ip(), port))
                .find(|free| TcpListener::bind(free).is_ok());
            if let Some(free) = free {
                let because = format!("{address} is in use, if not by this service");
                report.change(setting, format!("\"{free}\""), because);
            }
        }
        ErrorKind::PermissionDenied => {
            let remedy = "take a port above 1023, or allow CAP_NET_BIND_SERVICE";
            report.wrong("port", found, remedy);
        }
        ErrorKind::AddrNotAvailable => report.wrong("port", found, "this machine does not have the address"),
        _ => report.wrong("port", found, "name another address"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::report::Level;

    #[test]
    fn a_port_in_use_is_found_and_another_one_named() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut report = Report::default();
        address("listen", taken.local_addr().unwrap(), &mut report);
        assert_eq!(report.level(), Level::Warning);
        assert!(report.text().contains("listen = \"127.0.0.1:"), "{}", report.text());
        let mut report = Report::default();
        address("listen", "192.0.2.1:80".parse().unwrap(), &mut report);
        assert_eq!(
            report.level(),
            Level::Wrong,
            "an address for documentation: {}",
            report.text()
        );
    }
}
