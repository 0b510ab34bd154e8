//! The scope of a change of versions: all replicas or one, and the terms for all.

use std::time::Duration;

use quartet_api::Code;

use crate::failure::Failure;
use crate::registry::fleet::Terms;

/// Time that a change waits for the replicas where none is named.
const DEFAULT_WAIT: Duration = Duration::from_secs(120);

/// Longest time that a change waits for the replicas.
const MAX_WAIT_SECONDS: u64 = 3600;

/// The scope of a change.
#[derive(Debug, Clone, Copy)]
pub struct Scope {
    /// True if only the replica that is asked changes.
    pub this_replica: bool,
    /// The terms for all replicas.
    pub terms: Terms,
}

/// Fields of the query that tell the scope.
const FIELDS: [&str; 4] = ["thisReplica", "generation", "waitSeconds", "quorum"];

/// The part of a query that tells the scope, and the rest of it.
pub fn split(query: &str) -> (String, String) {
    let mut parts = [String::new(), String::new()].map(form_urlencoded::Serializer::new);
    for (key, value) in form_urlencoded::parse(query.as_bytes()) {
        let part = usize::from(!FIELDS.contains(&&*key));
        parts[part].append_pair(&key, &value);
    }
    let [mut scope, mut rest] = parts;
    (scope.finish(), rest.finish())
}

impl Scope {
    /// Reads the scope from the query.
    pub fn read(query: &str) -> Result<Self, Failure> {
        let mut scope = Self {
            this_replica: false,
            terms: Terms {
                generation: None,
                wait: DEFAULT_WAIT,
                quorum: None,
            },
        };
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            let invalid = |allowed: &str| {
                let message = format!("`{key}` is {value:?}; it takes {allowed}");
                Failure::new(Code::InvalidField, message)
            };
            match &*key {
                "thisReplica" => scope.this_replica = value.parse().map_err(|_| invalid("true or false"))?,
                "generation" => {
                    let generation = value.parse().map_err(|_| invalid("a whole number"))?;
                    scope.terms.generation = Some(generation);
                }
                "waitSeconds" => {
                    let seconds = value.parse().ok().filter(|seconds| *seconds <= MAX_WAIT_SECONDS);
                    let seconds = seconds.ok_or_else(|| invalid("a whole number up to 3600"))?;
                    scope.terms.wait = Duration::from_secs(seconds);
                }
                "quorum" => {
                    let quorum = value.parse().map_err(|_| invalid("a whole number above 0"))?;
                    scope.terms.quorum = Some(quorum);
                }
                _ => {
                    return Err(Failure::new(
                        Code::InvalidField,
                        format!(
                            "`{key}` is no part of a change; it has thisReplica, generation, waitSeconds and quorum"
                        ),
                    ));
                }
            }
        }
        Ok(scope)
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;

    #[test]
    fn a_scope_stands_beside_a_plan() {
        let (scope, rest) = split("percent=5&generation=3&part=%26");
        assert_eq!((scope.as_str(), rest.as_str()), ("generation=3", "percent=5&part=%26"));
    }

    #[test]
    fn a_scope_is_read_or_its_field_is_named() {
        let scope = Scope::read("generation=3&waitSeconds=5").unwrap();
        assert_eq!((scope.this_replica, scope.terms.generation), (false, Some(3)));
        assert_eq!(scope.terms.wait, Duration::from_secs(5));
        let two = Scope::read("quorum=2").unwrap().terms.quorum;
        assert_eq!(two.map(NonZeroUsize::get), Some(2));
        assert!(Scope::read("thisReplica=true").unwrap().this_replica);
        assert_eq!(Scope::read("").unwrap().terms.generation, None);
        for (query, field) in [
            ("thisReplica=maybe", "thisReplica"),
            ("generation=-1", "generation"),
            ("waitSeconds=3601", "waitSeconds"),
            ("quorum=0", "quorum"),
            ("percent=5", "percent"),
        ] {
            let failure = Scope::read(query).unwrap_err();
            assert!(failure.message.contains(&format!("`{field}`")), "{}", failure.message);
        }
    }
}
