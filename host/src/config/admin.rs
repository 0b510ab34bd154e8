//! The settings of the admin interface.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;

use super::parse::Parsed;

/// The admin interface.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Admin interface")]
pub struct Admin {
    /// Address of the admin interface: off, 127.0.0.1:PORT or unix:PATH; by default unix:admin.sock in the cache folder.
    #[arg(long, value_parser = AdminAddress::parse)]
    pub admin_listen: AdminAddress,
    /// File with the admin interface's token, made when it is not there; by default admin.token in the cache folder.
    #[arg(long)]
    pub admin_token_file: PathBuf,
    /// True if nobody chose the address: it may then turn out to be unusable.
    #[arg(skip)]
    pub address_is_default: bool,
}

/// An address that only this machine reaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdminAddress {
    /// There is no admin interface.
    Off,
    /// A loopback address.
    Loopback(SocketAddr),
    /// The file of a Unix socket.
    Unix(PathBuf),
}

impl AdminAddress {
    fn parse(text: &str) -> Parsed<Self> {
        if text == "off" {
            return Ok(Self::Off);
        }
        if let Some(path) = text.strip_prefix("unix:").filter(|path| !path.is_empty()) {
            return Ok(Self::Unix(path.into()));
        }
        let address = text
            .parse()
            .ok()
            .filter(|address: &SocketAddr| address.ip().is_loopback());
        address
            .map(Self::Loopback)
            .ok_or_else(|| "off, a loopback address and a port such as 127.0.0.1:8081, or unix: and a path".to_owned())
    }
}

impl fmt::Display for AdminAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => f.write_str("off"),
            Self::Loopback(address) => address.fmt(f),
            Self::Unix(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::{config, refused};

    #[test]
    fn only_what_this_machine_reaches() {
        let admin = |text| config(&[("cache", "/cache"), ("admin_listen", text)]).unwrap().admin;
        assert_eq!(admin("off").admin_listen, AdminAddress::Off);
        for (text, shown, is_default) in [
            ("", "unix:/cache/admin.sock", true),
            ("unix:/run/q.sock", "unix:/run/q.sock", false),
            ("unix:/cache/admin.sock", "unix:/cache/admin.sock", false),
            ("[::1]:1", "[::1]:1", false),
        ] {
            let admin = admin(text);
            assert_eq!(
                (admin.admin_listen.to_string().as_str(), admin.address_is_default),
                (shown, is_default)
            );
            assert_eq!(admin.admin_token_file, PathBuf::from("/cache/admin.token"));
        }
        for wrong in ["0.0.0.0:1", "192.0.2.1:1", "8081", "unix:", "on"] {
            refused(&[("admin_listen", wrong)], "`admin_listen`");
        }
    }
}
