//! What components may ask of the host beyond answering their own request.

pub mod gate;
pub mod inference;
pub mod keyvalue;
pub mod llm;
pub mod send;

use wasmtime::{StoreContextMut, Trap};

use crate::runtime::sandbox::Sandbox;

/// Takes fuel for what was computed natively; ends the sandbox when there is not enough left.
fn charge(store: &mut StoreContextMut<'_, Sandbox>, fuel: u64) -> wasmtime::Result<()> {
    let left = store.get_fuel()?.saturating_sub(fuel);
    store.set_fuel(left)?;
    if left == 0 {
        return Err(Trap::OutOfFuel.into());
    }
    Ok(())
}
