//! The settings of the listener for Home Assistant.

use std::net::{IpAddr, SocketAddr};

use clap::{ArgAction, Args};
use ipnet::IpNet;

use super::parse::{address, network, switch};
use crate::policy::outgoing::is_public;

/// The listener for Home Assistant, which speaks its Wyoming protocol.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Home Assistant")]
pub struct Wyoming {
    /// Address and port on which speech and chat answer in Home Assistant's Wyoming protocol, such as 0.0.0.0:10200; without
    /// it nothing does. The protocol has neither keys nor encryption: whoever wyoming_clients lets in needs none, also
    /// where there are `keys`.
    #[arg(long, value_parser = address)]
    pub wyoming_listen: Option<SocketAddr>,
    /// Addresses or networks (CIDR) that may connect to wyoming_listen, separated by commas; where nothing is said, those that
    /// are not of the public Internet.
    #[arg(long, value_parser = network, value_delimiter = ',')]
    pub wyoming_clients: Vec<IpNet>,
    /// Announce wyoming_listen on the network by Zeroconf, so that Home Assistant finds it by itself; never where it is on
    /// loopback.
    #[arg(long, action = ArgAction::Set, value_parser = switch, default_value = "true")]
    pub wyoming_zeroconf: bool,
}

impl Wyoming {
    /// True if there is such a listener.
    pub fn is_on(&self) -> bool {
        self.wyoming_listen.is_some()
    }

    /// True if whoever has an address may connect.
    pub fn lets_in(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        match &self.wyoming_clients[..] {
            [] => !is_public(address),
            listed => listed.iter().any(|network| network.contains(&address)),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::config::tests::{config, refused};

    #[test]
    fn it_is_off_and_lets_in_who_is_near() {
        let off = config(&[]).unwrap().wyoming;
        assert!(!off.is_on() && off.wyoming_zeroconf);
        let lets_in =
            |pairs: &[(&str, &str)], address: &str| config(pairs).unwrap().wyoming.lets_in(address.parse().unwrap());
        for (address, near) in [
            ("127.0.0.1", true),
            ("::ffff:192.168.1.5", true),
            ("fd00::5", true),
            ("fe80::5", true),
            ("8.8.8.8", false),
            ("::ffff:8.8.8.8", false),
            ("2a00:1450::5", false),
        ] {
            assert_eq!(lets_in(&[], address), near, "{address}");
        }
        let listed = [("wyoming_clients", "192.0.2.0/24, 2a00:1450::/32")];
        assert!(lets_in(&listed, "192.0.2.9") && lets_in(&listed, "2a00:1450::5"));
        assert!(!lets_in(&listed, "127.0.0.1"), "who lists some means no others");
        refused(&[("wyoming_clients", "home")], "`wyoming_clients`");
        refused(&[("wyoming_listen", "10200")], "`wyoming_listen`");
    }
}
