//! Limits that a host and its components share: the defaults of those that hosts besides the project's own enforce too,
//! and those that the contract fixes.

const MIB: u64 = 1024 * 1024;

/// Requests that one client may send within any 60 seconds, where nothing else is set.
pub const REQUESTS_PER_MINUTE: u32 = 100;

/// Size of a whole request body, in bytes, where nothing else is set: an uploaded file and its form, or a JSON document.
pub const BODY_BYTES: u64 = 11 * MIB;

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

/// Length of the instructions to `/chat` that are read, in characters; longer ones are cut at a sentence. Fixed for the same
/// reason, and shorter, because every question waits until they are read.
pub const CHAT_INSTRUCTIONS_CHARACTERS: u64 = 2_000;

/// Length of a JSON Schema for the answer of `/chat`, in bytes.
pub const CHAT_SCHEMA_BYTES: u64 = 16_384;

/// Tools that a request to `/chat` may list.
pub const CHAT_TOOLS: u64 = 128;

/// Size of all tools of a request to `/chat` as JSON, in bytes: more than the context of a small model holds.
pub const CHAT_TOOLS_BYTES: u64 = 65_536;

/// Size of the schema of one tool's parameters, in bytes.
pub const CHAT_TOOL_SCHEMA_BYTES: u64 = 16_384;

/// Length of the name of a tool.
pub const CHAT_TOOL_NAME_CHARACTERS: u64 = 64;

/// Calls of tools in one answer of `/chat`.
pub const CHAT_TOOL_CALLS: u64 = 8;

/// Length of a tool's result that is read, in characters; longer ones are cut.
pub const CHAT_TOOL_RESULT_CHARACTERS: u64 = 6_000;

/// Texts in one request to `/pdf/embeddings`.
pub const EMBEDDINGS_TEXTS: u64 = 2_048;

/// Tokens of a text in a request to `/pdf/embeddings`, with those that are put around it: what the model was trained with.
pub const EMBEDDINGS_TEXT_TOKENS: u64 = 512;

/// Tokens that a client may ask for in an answer of `/chat`; it ends earlier where its time is over.
pub const CHAT_ANSWER_TOKENS: u32 = 4_096;

/// Turns of a conversation that are remembered, of both sides together.
pub const CHAT_TURNS: u64 = 12;

/// Earlier turns that a client may send along with a message.
pub const CHAT_SENT_TURNS: u64 = 100;

/// Time for a search with all its pages, in seconds: what is not there by then is left out.
pub const SEARCH_SECONDS: u64 = 10;

/// Pages of a search that are read.
pub const SEARCH_PAGES: u64 = 4;

/// Size of a page that is read, in bytes; of a larger one, the beginning.
pub const SEARCH_PAGE_BYTES: u64 = MIB;

/// Time until an answer is complete where the host sets no other, in seconds.
pub const RESPOND_SECONDS: u64 = 30;

/// Time after which the model must have ended a whole answer, in seconds from the request, with the usual [`RESPOND_SECONDS`].
pub const CHAT_ANSWER_SECONDS: u64 = 26;

/// Time after which the model must have ended a streamed answer, in seconds from the request.
pub const CHAT_STREAM_SECONDS: u64 = 180;

/// Time after which no more of a document is read when the answer is streamed, in seconds from the request.
pub const DOCUMENT_STREAM_SECONDS: u64 = 360;

/// Length of natural speech in one whole answer of `/tts/generate`, in seconds: what a machine of two cores makes in the
/// time to respond when it has other work, too.
pub const NATURAL_GENERATE_SECONDS: u64 = 40;

/// Length of natural speech in one stream, in seconds: as long as a stream may go on.
pub const NATURAL_STREAM_SECONDS: u64 = 3_600;

/// The same where words have their times, in seconds. The lengths of all its sounds are computed before the first one is made then, and
/// on a slow machine that has to fit the time until a stream begins.
pub const NATURAL_TIMED_SECONDS: u64 = 300;

/// Length of the audio in one whole answer of `/tts/generate`, in seconds. `/tts/stream` has no such limit. Fixed,
/// because a component has no configuration: what one hour of speech costs fits the time to respond on a slow machine.
pub const GENERATE_AUDIO_SECONDS: u64 = 3_600;
