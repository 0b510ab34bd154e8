//! Whose upload a question is about: the headers that say it.

/// The header with which a client names its session, in lower case.
pub const SESSION_HEADER: &str = "x-session-id";

/// The cookie that names a session for a client which does not.
pub const SESSION_COOKIE: &str = "quartet_session";

/// The header with which the host tells a component who asks, in lower case. The host takes it off whatever a client
/// sends. Its value is [`KEY_CLIENT`] and the key's identity, or [`ADDRESS_CLIENT`] and the client's address where that
/// stands for one person: on the machine itself.
pub const CLIENT_HEADER: &str = "x-quartet-client";

/// Begins the name of a client that came with a key: its sessions are its own.
pub const KEY_CLIENT: &str = "key/";

/// Begins the name of a client that is known by its address, which is a session for who names none.
pub const ADDRESS_CLIENT: &str = "address/";
