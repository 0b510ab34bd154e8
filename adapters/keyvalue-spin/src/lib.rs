//! Spin's store behind `wasi:keyvalue/store@0.2.0-draft2`, with an expiry for each value.

#[cfg(target_arch = "wasm32")]
mod component {
    /// Bindings to the world `keyvalue-spin` in `wit/`.
    mod bindings {
        wit_bindgen::generate!({ path: "../../wit", world: "keyvalue-spin", generate_all });
    }

    quartet_keyvalue::adapt_store! {
        exports: bindings::exports::wasi::keyvalue::store,
        imports: bindings::wasi::keyvalue::store,
        clock: bindings::wasi::clocks::wall_clock,
        cursor: Option::<String>::as_deref,
    }

    bindings::export!(Component with_types_in bindings);
}
