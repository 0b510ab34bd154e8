//! Stands in for the settings.

/// The settings that doors go by.
#[derive(Debug)]
pub struct Ingress {
    /// True if the doors of other services' APIs are open.
    pub openai_api: bool,
    /// True if that of the Model Context Protocol is.
    pub mcp: bool,
}
