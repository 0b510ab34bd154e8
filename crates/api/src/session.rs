//! Whose upload a question is about: the headers that say it.

/// The header with which a client names its session, in lower case.
pub const SESSION_HEADER: &str = "x-session-id";

/// The shortest name in characters that a client may give its session: whoever guesses the name has the session.
pub const MIN_SESSION_NAME_BYTES: usize = 16;

/// The longest name in characters that a client may give its session.
pub const MAX_SESSION_NAME_BYTES: usize = 128;

/// The cookie that names a session for a client which does not.
pub const SESSION_COOKIE: &str = "quartet_session";

/// The same cookie where the client speaks HTTPS. Browsers take a cookie of such a name only over HTTPS and from this very
/// host, so that no neighbour of it can set one (RFC 6265bis, section 4.1.3.2).
pub const SECURE_SESSION_COOKIE: &str = "__Host-quartet_session";

/// The header with which the host tells a component who asks, in lower case. The host takes it off whatever a client
/// sends. Its value is [`KEY_CLIENT`] and the key's identity, or [`ADDRESS_CLIENT`] and the client's address where that
/// stands for one person: on the machine itself.
pub const CLIENT_HEADER: &str = "x-quartet-client";

/// Begins the name of a client that came with a key: its sessions are its own.
pub const KEY_CLIENT: &str = "key/";

/// Begins the name of a client that is known by its address, which is a session for who names none.
pub const ADDRESS_CLIENT: &str = "address/";
