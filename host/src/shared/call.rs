//! Calls of the store, and how they end.

/// The reason why a call has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallError {
    /// The store cannot be reached, or does not work.
    Away,
    /// The store has no memory left.
    Full,
}

/// A call of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// A value is read.
    Get,
    /// A value is set.
    Set,
    /// A value is forgotten.
    Forget,
    /// A request is counted.
    Count,
    /// A replica gives a sign of life.
    Tick,
    /// A desired version is read or replaced, or the replicas' reports are read.
    Desired,
    /// A piece of a component is kept or read.
    Component,
    /// Something of a job is written, read, held or taken.
    Job,
    /// The numbers of a trial are told or read.
    Trial,
}

impl Call {
    /// All of them.
    pub const ALL: [Call; 9] = [
        Call::Get,
        Call::Set,
        Call::Forget,
        Call::Count,
        Call::Tick,
        Call::Desired,
        Call::Component,
        Call::Job,
        Call::Trial,
    ];

    /// The word in the label `call`.
    pub const fn word(self) -> &'static str {
        match self {
            Call::Get => "get",
            Call::Set => "set",
            Call::Forget => "forget",
            Call::Count => "count",
            Call::Tick => "tick",
            Call::Desired => "desired",
            Call::Component => "component",
            Call::Job => "job",
            Call::Trial => "trial",
        }
    }
}

/// The word in the label `outcome`.
pub const fn outcome(error: Option<CallError>) -> &'static str {
    match error {
        None => "ok",
        Some(CallError::Away) => "away",
        Some(CallError::Full) => "full",
    }
}
