//! The one table of limits. Help, documentation and the info operations are made from it.

macro_rules! limits {
    ($($(#[doc = $doc:literal])+ $constant:ident: $key:literal = $default:expr, $unit:ident;)*) => {
        $($(#[doc = $doc])+ pub const $constant: Limit = Limit {
            key: $key, default: $default, unit: Unit::$unit, help: concat!($($doc),+),
        };)*

        /// Every limit.
        pub const ALL: &[Limit] = &[$($constant,)*];
    };
}

/// What a limit counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Bytes.
    Bytes,
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
    /// Things: requests, connections.
    Count,
    /// Hundredths.
    Percent,
    /// Units of WebAssembly fuel: about one executed instruction each.
    Fuel,
}

impl Unit {
    /// The unit as a word for help texts.
    pub const fn word(self) -> &'static str {
        match self {
            Unit::Bytes => "bytes",
            Unit::Seconds => "seconds",
            Unit::Milliseconds => "milliseconds",
            Unit::Count => "count",
            Unit::Percent => "percent",
            Unit::Fuel => "fuel",
        }
    }
}

/// One limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// The name in configuration files, flags (with dashes) and environment variables (in capitals).
    pub key: &'static str,
    /// The value where nothing else is configured.
    pub default: u64,
    /// What it counts.
    pub unit: Unit,
    /// One sentence for a person.
    pub help: &'static str,
}

const KIB: u64 = 1024;
const MIB: u64 = 1024 * 1024;

limits! {
    /// Requests that one client may send within any 60 seconds.
    REQUESTS_PER_MINUTE: "requests_per_minute" = 100, Count;
    /// Size of a whole request body: an uploaded file and its form, or a JSON document.
    BODY_BYTES: "body_bytes" = 11 * MIB, Bytes;
    /// Time until an answer is complete, or for streams until it begins.
    RESPOND_SECONDS: "respond_seconds" = 30, Seconds;
    /// Time for which a stream may stand still because the client does not read or the component does not write.
    STALL_SECONDS: "stall_seconds" = 30, Seconds;
    /// Time for which one stream may go on.
    STREAM_SECONDS: "stream_seconds" = 6 * 3600, Seconds;
    /// Computation for one stream, in seconds of this machine.
    STREAM_COMPUTE_SECONDS: "stream_compute_seconds" = 600, Seconds;
    /// Computation for one whole answer; 0 takes what this machine can compute in the time to respond.
    RESPOND_FUEL: "respond_fuel" = 0, Fuel;
    /// Computation for one stream; 0 takes what this machine can compute in stream_compute_seconds.
    STREAM_FUEL: "stream_fuel" = 0, Fuel;
    /// Memory of one request's sandbox.
    MEMORY_BYTES: "memory_bytes" = 256 * MIB, Bytes;
    /// Size of a whole answer.
    RESPONSE_BYTES: "response_bytes" = 512 * MIB, Bytes;
    /// Size of a streamed answer: what the sizes in a WAV header can say.
    STREAM_BYTES: "stream_bytes" = 4096 * MIB, Bytes;
    /// Requests that run at the same time.
    CONCURRENT_REQUESTS: "concurrent_requests" = 64, Count;
    /// Part of the places to run that one client may hold, so that there are some when others come.
    CLIENT_PERCENT: "client_percent" = 50, Percent;
    /// Requests that wait for a place to run.
    QUEUED_REQUESTS: "queued_requests" = 256, Count;
    /// Time for which a request waits for a place to run.
    QUEUE_MILLISECONDS: "queue_milliseconds" = 5_000, Milliseconds;
    /// Open connections. When there are as many, those that stand idle longest are closed for new ones.
    CONNECTIONS: "connections" = 4_096, Count;
    /// Open connections from one address (IPv6: one /64 network) that is neither loopback nor a trusted proxy.
    CLIENT_CONNECTIONS: "client_connections" = 256, Count;
    /// Time for a TLS handshake.
    HANDSHAKE_SECONDS: "handshake_seconds" = 10, Seconds;
    /// Length of a request's path and query.
    URL_BYTES: "url_bytes" = 8 * KIB, Bytes;
    /// Header fields of a request.
    HEADER_FIELDS: "header_fields" = 64, Count;
    /// Size of a request's headers: names, values and 32 bytes for each.
    HEADER_BYTES: "header_bytes" = 32 * KIB, Bytes;
    /// Time for which a connection may stay open between requests, and for a client to send a request's headers.
    IDLE_SECONDS: "idle_seconds" = 30, Seconds;
    /// Time for requests in flight to end when the service shuts down.
    DRAIN_SECONDS: "drain_seconds" = 30, Seconds;
    /// What is kept between requests for questions about it, all clients together.
    KEPT_BYTES: "kept_bytes" = 64 * MIB, Bytes;
    /// Size of what is kept of one upload.
    KEPT_VALUE_BYTES: "kept_value_bytes" = MIB, Bytes;
    /// Time after which what was kept is forgotten.
    KEPT_SECONDS: "kept_seconds" = 1_800, Seconds;
    /// Clients whose request counts are remembered.
    TRACKED_CLIENTS: "tracked_clients" = 65_536, Count;
    /// Size of a component's file.
    COMPONENT_BYTES: "component_bytes" = 256 * MIB, Bytes;
    /// Time for which a component may be compiled.
    COMPILE_SECONDS: "compile_seconds" = 600, Seconds;
    /// Time for which a new version may take to answer the probe.
    PROBE_SECONDS: "probe_seconds" = 10, Seconds;
    /// Versions of a capability that are kept for a rollback, beside the one that serves.
    KEPT_VERSIONS: "kept_versions" = 1, Count;
    /// Compiled components that are kept in the cache; those that were used last stay.
    CACHED_COMPONENTS: "cached_components" = 16, Count;
    /// Size of a request's body that is kept for a shadow; larger requests have none.
    SHADOW_BODY_BYTES: "shadow_body_bytes" = MIB, Bytes;
    /// Size of the beginning of two answers that a shadow compares.
    SHADOW_ANSWER_BYTES: "shadow_answer_bytes" = 8 * MIB, Bytes;
}

/// Size of an uploaded file, in bytes. Fixed by the contract.
pub const UPLOAD_BYTES: u64 = 10 * MIB;

/// Size of the largest request body that a component reads, in bytes, whatever its host lets through. Fixed, because a
/// component has no configuration; far above [`BODY_BYTES`], so that this stays the host's to decide.
pub const COMPONENT_BODY_BYTES: u64 = 64 * MIB;

/// Pixels of an uploaded picture. Fixed, because a component has no configuration: decoded, so many fit one sandbox.
pub const PICTURE_PIXELS: u64 = 40_000_000;

/// Pixels of an uploaded picture that is a progressive JPEG, whose decoder needs three times the memory.
pub const PICTURE_PROGRESSIVE_PIXELS: u64 = 16_000_000;

/// Size of an uploaded picture when it is decoded as its file has it, in bytes: deep and transparent pictures reach it
/// before they reach [`PICTURE_PIXELS`].
pub const PICTURE_BYTES: u64 = 128_000_000;

/// Length of a message to `/chat` that is read, in characters; longer ones are cut at a sentence. Fixed, because a
/// component has no limits of its host: about what the context of a small model holds.
pub const CHAT_MESSAGE_CHARACTERS: u64 = 6_000;

/// Turns of a conversation that are remembered, of both sides together.
pub const CHAT_TURNS: u64 = 12;

/// Earlier turns that a client may send along with a message.
pub const CHAT_SENT_TURNS: u64 = 100;

/// Time for a search with all its pages, in seconds: what is not there by then is left out.
pub const SEARCH_SECONDS: u64 = 10;

/// Pages of a search that are read.
pub const SEARCH_PAGES: u64 = 4;

/// Size of a page that is read, in bytes; of a larger one, the beginning.
pub const SEARCH_PAGE_BYTES: u64 = 1024 * 1024;

/// Time after which the model must have ended a whole answer, in seconds from the request.
pub const CHAT_ANSWER_SECONDS: u64 = 26;

/// Time after which the model must have ended a streamed answer, in seconds from the request.
pub const CHAT_STREAM_SECONDS: u64 = 180;

/// Length of the audio in one whole answer of `/tts/generate`, in seconds. `/tts/stream` has no such limit. Fixed,
/// because a component has no configuration: what one hour of speech costs fits the time to respond on a slow machine.
pub const GENERATE_AUDIO_SECONDS: u64 = 3_600;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_unique_lower_case_words() {
        for (index, limit) in ALL.iter().enumerate() {
            assert!(
                limit.key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'),
                "{}",
                limit.key
            );
            assert!(
                !ALL[..index].iter().any(|other| other.key == limit.key),
                "{} twice",
                limit.key
            );
            assert!(limit.help.trim().ends_with('.'), "{}", limit.key);
        }
    }
}
