//! Where the admin interface listens.

use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use crate::config::Invalid;

/// An address that only this machine reaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// There is no admin interface.
    Off,
    /// A loopback address.
    Loopback(SocketAddr),
    /// A Unix socket.
    Unix {
        /// Its file.
        path: PathBuf,
        /// Whether nobody chose it.
        default: bool,
    },
}

impl Address {
    /// Reads the setting; where it is empty, the socket is in the cache folder.
    pub fn parse(text: &str, cache: &Path) -> Result<Self, Invalid> {
        let invalid = || {
            Invalid(format!(
                "`admin_listen` is {text:?}; it takes off, a loopback address and a port such as 127.0.0.1:8081, or \
                 unix: and a path"
            ))
        };
        if text.is_empty() {
            return Ok(Address::Unix {
                path: cache.join("admin.sock"),
                default: true,
            });
        }
        if text == "off" {
            return Ok(Address::Off);
        }
        if let Some(path) = text.strip_prefix("unix:").filter(|path| !path.is_empty()) {
            return Ok(Address::Unix {
                path: path.into(),
                default: false,
            });
        }
        let address: SocketAddr = text.parse().map_err(|_| invalid())?;
        match address.ip().is_loopback() {
            true => Ok(Address::Loopback(address)),
            false => Err(invalid()),
        }
    }

    /// Whether nobody chose it.
    pub fn is_default(&self) -> bool {
        matches!(self, Address::Unix { default: true, .. })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Off => f.write_str("off"),
            Address::Loopback(address) => address.fmt(f),
            Address::Unix { path, .. } => write!(f, "unix:{}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_this_machine_reaches() {
        let parse = |text| Address::parse(text, Path::new("/cache"));
        assert_eq!(parse("off"), Ok(Address::Off));
        assert_eq!(parse("").unwrap().to_string(), "unix:/cache/admin.sock");
        assert_eq!(parse("unix:/run/q.sock").unwrap().to_string(), "unix:/run/q.sock");
        assert_eq!(parse("[::1]:1").unwrap().to_string(), "[::1]:1");
        for refused in ["0.0.0.0:1", "192.0.2.1:1", "8081", "unix:", "on"] {
            assert!(parse(refused).unwrap_err().0.contains("`admin_listen`"), "{refused}");
        }
    }
}
