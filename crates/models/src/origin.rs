//! Places where files and archives are published, and the clients that ask them.

use std::fmt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::command;

/// Time after which a source is given up for the next one.
const DOWNLOAD_TIME: Duration = Duration::from_secs(300);

/// The place where a file or an archive is published. All but the first are registries, asked through their ordinary clients.
#[derive(Debug, Clone, Copy)]
pub enum Origin<'a> {
    /// The publisher's own address, over HTTPS.
    Address(&'a str),
    /// Debian: `name=version`.
    Debian(&'a str),
    /// npm: `name@version`.
    Npm(&'a str),
    /// PyPI: `name==version`, and the flags with which pip chooses one of its files (`--no-binary`, or which Python and
    /// which platform a wheel is for), so that every machine gets the same.
    Python(&'a str, &'a [&'a str]),
}

impl fmt::Display for Origin<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(address) => f.write_str(address),
            Self::Debian(package) => write!(f, "Debian's {package}"),
            Self::Npm(package) => write!(f, "npm's {package}"),
            Self::Python(package, _) => write!(f, "PyPI's {package}"),
        }
    }
}

/// Downloads one file into an empty folder, with the origin's client.
///
/// # Errors
/// When the client is not there, takes too long or does not get it.
pub fn download(from: Origin<'_>, folder: &Path) -> Result<()> {
    let (program, mut client) = match from {
        Origin::Address(address) => {
            // The archive's kind is told by its name.
            let name = address.rsplit('/').next().unwrap_or(address);
            let mut curl = Command::new("curl");
            curl.args([
                "--fail",
                "--silent",
                "--location",
                "--proto",
                "=https",
                "--connect-timeout",
                "20",
            ]);
            curl.args(["--output", name, address]);
            ("curl", curl)
        }
        Origin::Debian(package) => {
            let mut apt = Command::new("apt-get");
            apt.args(["--quiet=2", "-o", "APT::Sandbox::User=root", "download", package]);
            ("apt-get", apt)
        }
        Origin::Npm(package) => {
            let mut npm = Command::new("npm");
            npm.args(["pack", "--silent", package]);
            ("npm", npm)
        }
        Origin::Python(package, flags) => {
            let mut pip = Command::new("python3");
            pip.args(["-m", "pip", "download", "--quiet", "--no-deps", "--dest", "."])
                .args(flags)
                .arg(package);
            ("python3", pip)
        }
    };
    if !command::exists(program) {
        bail!("{program} is not there");
    }
    if !command::within(DOWNLOAD_TIME, client.current_dir(folder))?.success() {
        bail!("{program} does not get it");
    }
    Ok(())
}
