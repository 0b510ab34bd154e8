//! The refusal of a version, with the step that it did not pass.

use std::fmt;

/// The steps that a version passes on its way, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Reading the file.
    Read,
    /// Checking that it is a whole component with the imports and exports of its capability.
    Check,
    /// Compiling it.
    Compile,
    /// Linking it with what it may import.
    Link,
    /// Having it answer built-in requests.
    Probe,
    /// Writing it to where the next start finds it.
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
            is_late: false,
        }
    }
}

/// A refusal: the version did not pass a step. The reason is for the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The step.
    pub step: Step,
    /// The reason, with "it" for the version.
    pub reason: String,
    /// Its time was over, which on a machine that has much else to do says little of the version.
    pub is_late: bool,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.step.name(), self.reason)
    }
}
