//! Measures the fuel that this machine burns in a second, so that a second of computation means about the same on every
//! machine.
//!
//! The kernel (`calibration.wat`) is compiled and run at start. It is not kept for the next start: measuring takes a
//! few milliseconds, and a machine can be another one tomorrow under the same name.

use std::time::{Duration, Instant};

use wasmtime::{Engine, Instance, Module, Store};

const KERNEL: &str = include_str!("calibration.wat");

/// Number of times the kernel is timed. Other work on the machine can only make a slice slower, so the fastest counts.
const SLICES: usize = 12;

/// Rounds of the kernel in one slice: a fraction of a millisecond, so that most slices are not interrupted.
const ROUNDS_PER_SLICE: i32 = 50;

/// Ratio of the fuel in a budget to the fuel that the kernel burns in its time. Code differs in how much of it a
/// processor does in a second; with this margin, real work meets the clock before it runs out of fuel.
const BUDGET_MARGIN: u64 = 2;

/// A machine's speed in units of fuel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    per_second: u64,
}

impl Rate {
    /// Measures the machine that this runs on. Fails where the engine cannot run the kernel.
    pub fn measure(engine: &Engine) -> wasmtime::Result<Self> {
        let module = Module::new(engine, wat::parse_str(KERNEL)?)?;
        let mut store = Store::new(engine, ());
        store.set_fuel(u64::MAX)?;
        let instance = Instance::new(&mut store, &module, &[])?;
        let run = instance.get_typed_func::<i32, i32>(&mut store, "run")?;
        let mut per_second = 1;
        for _ in 0..SLICES {
            let fuel = store.get_fuel()?;
            let start = Instant::now();
            run.call(&mut store, ROUNDS_PER_SLICE)?;
            let nanoseconds = start.elapsed().as_nanos().max(1);
            let burnt = u128::from(fuel - store.get_fuel()?) * 1_000_000_000;
            per_second = per_second.max(u64::try_from(burnt / nanoseconds).unwrap_or(u64::MAX));
        }
        Ok(Self { per_second })
    }

    /// Units of fuel in a second of computation.
    pub fn per_second(self) -> u64 {
        self.per_second
    }

    /// Units of fuel burnt in this time.
    pub fn fuel_in(self, time: Duration) -> u64 {
        let fuel = u128::from(self.per_second) * time.as_nanos() / 1_000_000_000;
        u64::try_from(fuel).unwrap_or(u64::MAX).max(1)
    }

    /// Units of fuel for a request that may compute for this time.
    pub fn budget(self, time: Duration) -> u64 {
        self.fuel_in(time).saturating_mul(BUDGET_MARGIN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fuel_follows_time() {
        let rate = Rate {
            per_second: 3_000_000_000,
        };
        assert_eq!(rate.fuel_in(Duration::from_millis(1)), 3_000_000);
        assert_eq!(rate.budget(Duration::from_secs(30)), 180_000_000_000);
        assert_eq!(
            rate.fuel_in(Duration::ZERO),
            1,
            "no fuel at all would mean no limit's worth of work"
        );
        assert_eq!(rate.budget(Duration::MAX), u64::MAX);
    }

    #[test]
    fn the_kernel_runs_and_burns() {
        let mut config = wasmtime::Config::new();
        config.consume_fuel(true);
        let engine = Engine::new(&config).unwrap();
        // Slower than a megahertz or faster than a terahertz is no machine, but a mistake in the measure.
        let rate = Rate::measure(&engine).unwrap().per_second();
        assert!((1_000_000..1_000_000_000_000).contains(&rate), "{rate}");
    }
}
