//! Functions of the host that components may import. Each is written for any sandbox that has a view of what it needs,
//! as wasmtime's own are for `WasiView`.

pub mod edge;
pub mod fair_queue;
pub mod inference;
pub mod keyvalue;
pub mod llm;
pub mod network;
pub mod send;

use wasmtime::{StoreContextMut, Trap};

/// Charges fuel for native computation; ends the sandbox when there is not enough left.
fn charge<T>(store: &mut StoreContextMut<'_, T>, fuel: u64) -> wasmtime::Result<()> {
    let left = store.get_fuel()?.saturating_sub(fuel);
    store.set_fuel(left)?;
    if left == 0 {
        return Err(Trap::OutOfFuel.into());
    }
    Ok(())
}
