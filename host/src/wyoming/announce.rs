//! The announcement by which Home Assistant finds the service on its network: Zeroconf, which is multicast DNS and its services.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use mdns_sd::{IfKind, ServiceDaemon, ServiceInfo};

/// The kind of service that Home Assistant looks for.
const SERVICE: &str = "_wyoming._tcp.local.";

/// Time for those on the network to be told that the service ends.
const GOODBYE: Duration = Duration::from_secs(1);

/// Longest name of a machine that is part of a name here, in bytes: a label of DNS has 63.
const MAX_NAME_BYTES: usize = 50;

/// An announcement.
pub struct Announcement {
    daemon: ServiceDaemon,
    name: String,
}

impl Announcement {
    /// Announces a listener at an address, and goes on to answer those who look for it.
    ///
    /// # Errors
    /// When the network cannot be listened to.
    pub fn begin(address: SocketAddr) -> Result<Self, mdns_sd::Error> {
        let machine = label(&sysinfo::System::host_name().unwrap_or_default());
        let name = format!("quartet-{machine}");
        // A name of its own: another program on the machine may announce the machine's.
        let host = format!("{name}.local.");
        let info = match address.ip() {
            every if every.is_unspecified() => {
                ServiceInfo::new(SERVICE, &name, &host, (), address.port(), NO_PROPERTIES)?.enable_addr_auto()
            }
            one => ServiceInfo::new(SERVICE, &name, &host, one, address.port(), NO_PROPERTIES)?,
        };
        let daemon = ServiceDaemon::new()?;
        if matches!(address.ip(), IpAddr::V4(_)) {
            daemon.disable_interface(IfKind::IPv6)?;
        }
        let name = info.get_fullname().to_owned();
        daemon.register(info)?;
        Ok(Self { daemon, name })
    }

    /// The name of what is announced.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Tells the network that the service ends.
    pub async fn end(self) {
        let told = tokio::task::spawn_blocking(move || {
            if let Ok(ended) = self.daemon.shutdown() {
                // Those who were not told will find out.
                let _ = ended.recv_timeout(GOODBYE);
            }
        });
        let _ = told.await;
    }
}

const NO_PROPERTIES: &[(&str, &str)] = &[];

/// The first part of a machine's name, as a label of DNS takes it.
fn label(machine: &str) -> String {
    let first = machine.split('.').next().unwrap_or_default();
    let allowed = first.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-');
    let label: String = allowed.take(MAX_NAME_BYTES).collect();
    match label.is_empty() {
        true => "host".to_owned(),
        false => label.to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_machines_become_labels() {
        assert_eq!(label("Attic.example.org"), "attic");
        assert_eq!(label(""), "host");
        assert_eq!(label("küche_1"), "kche1");
        assert_eq!(label(&"x".repeat(90)).len(), MAX_NAME_BYTES);
    }
}
