//! State that the replicas of a service share, in a Valkey or Redis server.
//!
//! [`SharedState`] keeps values for components (`values`) and counts requests (`rates`). Each call is one script that the
//! server runs as a whole, by its own clock, so that replicas need no locks and no clocks of the same time. Whatever goes
//! there is sealed (`seal`). A replica gives a sign of life each second: from these each knows how many there are, and in
//! return it hears of what clients had forgotten elsewhere.
//!
//! The store has jobs (`jobs`): any replica tells of them, and another goes on with them when the one that works on them is
//! gone.
//!
//! The store also has the versions that all replicas are to serve (`desired`), with their bytes (`components`), and each
//! replica's word on how far it has come with them (`reports`); and what each has counted of a version that all of them try
//! (`trials`). Who follows them is `registry::fleet`.
//!
//! One server has all of it: the one at the address, the one that Sentinels name, or in a cluster the one that has the slot of the
//! service, because the scripts change names together (`primary`).

mod call;
mod components;
mod desired;
mod fleet;
mod jobs;
mod link;
pub mod metrics;
mod presence;
mod primary;
mod rates;
mod reports;
mod seal;
mod state;
mod trials;
mod values;

pub use self::call::CallError;
pub use self::components::{GetError, PutError};
pub use self::desired::Replaced;
pub use self::fleet::{Artifact, Counts, Desired, Ended, Found, Tried};
pub use self::jobs::{Held, JobPart};
pub use self::rates::Counted;
pub use self::reports::{Progress, Replica, Report, VersionReport};
pub use self::seal::Mark;
pub use self::state::SharedState;
pub use self::trials::{Leads, Told};
pub use self::values::{Stored, Written};
