//! Names of capabilities: which are allowed, and which belong to something else.

use crate::own_pages;

/// Length of a name, in bytes.
const MAX_NAME_BYTES: usize = 32;

/// The form of a name, for a person.
pub const FORM: &str = "a lower-case letter, then letters, digits and -, 32 at most";

/// Returns true if the text has the form of a name.
pub fn is_name(name: &str) -> bool {
    name.len() <= MAX_NAME_BYTES
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// Returns true if the name belongs to the host: it would be two things in labels and logs.
pub fn is_reserved(name: &str) -> bool {
    own_pages::NAMES.contains(&name) || own_pages::BELOW_OPERATIONS.contains(&name) || name == own_pages::NOTHING
}
