//! The token of the admin interface: a file that only its user can read, so that the command line on the same machine
//! just works.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use subtle::ConstantTimeEq;

/// Random bytes in a token.
const TOKEN_BYTES: usize = 32;

/// Fewest characters of a token that somebody chose.
const MIN_TOKEN_CHARS: usize = 16;

/// A secret.
pub struct Token(String);

impl Token {
    /// Reads the token from a file.
    pub fn read(path: &Path) -> io::Result<Self> {
        let mut text = String::new();
        File::open(path)?.take(4096).read_to_string(&mut text)?;
        let token = text.trim();
        if token.len() < MIN_TOKEN_CHARS || token.bytes().any(|byte| !byte.is_ascii_graphic()) {
            let reason = format!("a token has at least {MIN_TOKEN_CHARS} visible ASCII characters");
            return Err(io::Error::new(ErrorKind::InvalidData, reason));
        }
        Ok(Self(token.to_owned()))
    }

    /// Reads the token from a file, which is created if it does not exist.
    pub fn read_or_make(path: &Path) -> io::Result<Self> {
        match Self::read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Self::make(path),
            read => read,
        }
    }

    fn make(path: &Path) -> io::Result<Self> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let token: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let folder = path.parent().unwrap_or(Path::new("."));
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        // Whole or not there, and never over the token of a host that started at the same time.
        let unfinished = path.with_extension(format!("{}.part", std::process::id()));
        OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&unfinished)?
            .write_all(format!("{token}\n").as_bytes())?;
        let placed = std::fs::hard_link(&unfinished, path);
        std::fs::remove_file(&unfinished)?;
        match placed {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Self::read(path),
            placed => placed.map(|()| Self(token)),
        }
    }

    /// Returns true if this is the token. Takes the same time however much of it is right.
    pub fn matches(&self, given: &str) -> bool {
        self.0.as_bytes().ct_eq(given.as_bytes()).into()
    }

    /// The value of the header that carries it.
    pub fn header(&self) -> String {
        format!("Bearer {}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn is_made_once_and_for_its_user_only() {
        let folder = std::env::temp_dir().join(format!("quartet-token-{}", std::process::id()));
        let path = folder.join("admin.token");
        let token = Token::read_or_make(&path).unwrap();
        let again = Token::read_or_make(&path).unwrap();
        assert!(token.matches(&again.0));
        assert!(!token.matches(&again.0[1..]) && !token.matches(""));
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        std::fs::write(&path, "short").unwrap();
        assert!(Token::read_or_make(&path).is_err());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
