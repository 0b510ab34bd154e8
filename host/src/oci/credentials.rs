//! Credentials for registries: those that `docker login` and its like have kept for the person who runs the command.

use std::env;
use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::{Path, PathBuf};

use docker_credential::{CredentialRetrievalError as Error, DockerCredential, get_credential_from_reader};

/// Words of a helper that knows no credentials, which is no failure.
const UNKNOWN: &str = "credentials not found";

/// The credentials for a registry by its name in Docker's settings; none where there are none.
///
/// # Errors
/// With the reason, when they are there and cannot be had.
pub fn of(login: &str) -> Result<Option<DockerCredential>, String> {
    match file() {
        Some(path) => read(&path, login),
        None => Ok(None),
    }
}

fn file() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = set("DOCKER_CONFIG").or_else(|| Some(set("HOME")?.join(".docker")))?;
    Some(folder.join("config.json"))
}

fn read(path: &Path, login: &str) -> Result<Option<DockerCredential>, String> {
    let unusable = |reason: &str| {
        format!(
            "the credentials for {login} in {} cannot be used: {reason}",
            path.display()
        )
    };
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unusable(&error.to_string())),
    };
    match get_credential_from_reader(BufReader::new(file), login) {
        Ok(credential) => Ok(Some(credential)),
        Err(Error::NoCredentialConfigured) => Ok(None),
        Err(Error::HelperFailure { stdout, stderr, .. })
            if [&stdout, &stderr].iter().any(|said| said.contains(UNKNOWN)) =>
        {
            Ok(None)
        }
        // What a helper has said on its way may be a password.
        Err(Error::HelperFailure { helper, .. }) => Err(unusable(&format!("{helper} has failed"))),
        Err(error) => Err(unusable(&error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_found_by_the_registry_and_their_lack_is_no_failure() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.json");
        assert_eq!(read(&path, "registry.example.org"), Ok(None));
        // "alice:a:b" in base64.
        let text =
            r#"{"auths": {"registry.example.org": {"auth": "YWxpY2U6YTpi"}, "azure.example": {"identitytoken": "t"}}}"#;
        std::fs::write(&path, text).unwrap();
        let alice = DockerCredential::UsernamePassword("alice".to_owned(), "a:b".to_owned());
        assert_eq!(read(&path, "registry.example.org"), Ok(Some(alice)));
        let token = DockerCredential::IdentityToken("t".to_owned());
        assert_eq!(read(&path, "azure.example"), Ok(Some(token)));
        assert_eq!(read(&path, "other.example"), Ok(None));
        std::fs::write(&path, "{").unwrap();
        assert!(read(&path, "other.example").unwrap_err().contains("cannot be used"));
        std::fs::write(&path, r#"{"credsStore": "of-which-there-is-none"}"#).unwrap();
        assert!(read(&path, "other.example").unwrap_err().contains("helper"));
    }
}
