//! Why a version does not come to serve.

use std::fmt;

/// The steps that a version passes on its way, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The file is read.
    Read,
    /// It is a whole component, and its imports and exports are those of its capability.
    Check,
    /// It is compiled.
    Compile,
    /// It is linked with what it may import.
    Link,
    /// It answers built-in requests.
    Probe,
    /// It is written to where the next start finds it.
    Keep,
}

impl Step {
    /// The step's name.
    pub const fn name(self) -> &'static str {
        match self {
            Step::Read => "read",
            Step::Check => "check",
            Step::Compile => "compile",
            Step::Link => "link",
            Step::Probe => "probe",
            Step::Keep => "keep",
        }
    }

    /// A refusal at this step.
    pub fn refuses(self, reason: impl Into<String>) -> Refusal {
        Refusal {
            step: self,
            reason: reason.into(),
        }
    }
}

/// A version did not pass a step. The reason is for the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The step.
    pub step: Step,
    /// What is wrong, with "it" for the version.
    pub reason: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.step.name(), self.reason)
    }
}
