//! The address of the admin interface.

use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// An address that only this machine reaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdminAddress {
    /// There is no admin interface.
    Off,
    /// A loopback address.
    Loopback(SocketAddr),
    /// A Unix socket.
    Unix {
        /// The socket's file.
        path: PathBuf,
        /// True if nobody chose it.
        default: bool,
    },
}

impl AdminAddress {
    /// Reads the setting; where it is empty, the socket is in the cache folder.
    ///
    /// # Errors
    /// A sentence that names the setting, when it cannot be used.
    pub fn parse(text: &str, cache: &Path) -> Result<Self, String> {
        let invalid = || {
            format!(
                "`admin_listen` is {text:?}; it takes off, a loopback address and a port such as 127.0.0.1:8081, or \
                 unix: and a path"
            )
        };
        if text.is_empty() {
            return Ok(AdminAddress::Unix {
                path: cache.join("admin.sock"),
                default: true,
            });
        }
        if text == "off" {
            return Ok(AdminAddress::Off);
        }
        if let Some(path) = text.strip_prefix("unix:").filter(|path| !path.is_empty()) {
            return Ok(AdminAddress::Unix {
                path: path.into(),
                default: false,
            });
        }
        let address: SocketAddr = text.parse().map_err(|_| invalid())?;
        match address.ip().is_loopback() {
            true => Ok(AdminAddress::Loopback(address)),
            false => Err(invalid()),
        }
    }

    /// True if nobody chose it.
    pub fn is_default(&self) -> bool {
        matches!(self, AdminAddress::Unix { default: true, .. })
    }
}

impl fmt::Display for AdminAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AdminAddress::Off => f.write_str("off"),
            AdminAddress::Loopback(address) => address.fmt(f),
            AdminAddress::Unix { path, .. } => write!(f, "unix:{}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_this_machine_reaches() {
        let parse = |text| AdminAddress::parse(text, Path::new("/cache"));
        assert_eq!(parse("off"), Ok(AdminAddress::Off));
        assert_eq!(parse("").unwrap().to_string(), "unix:/cache/admin.sock");
        assert_eq!(parse("unix:/run/q.sock").unwrap().to_string(), "unix:/run/q.sock");
        assert_eq!(parse("[::1]:1").unwrap().to_string(), "[::1]:1");
        for refused in ["0.0.0.0:1", "192.0.2.1:1", "8081", "unix:", "on"] {
            assert!(parse(refused).unwrap_err().contains("`admin_listen`"), "{refused}");
        }
    }
}
