//! The older draft of `wasi:keyvalue` behind `wasi:keyvalue/store@0.2.0-draft2`, with an expiry for each value.

#[cfg(target_arch = "wasm32")]
mod component {
    /// Bindings to both drafts. The older one stands apart from `wit/`, where the newer one would get another name by it.
    mod bindings {
        wit_bindgen::generate!({
            inline: "
                package quartet:keyvalue-draft;
                world adapter {
                    import wasi:clocks/wall-clock@0.2.12;
                    import wasi:keyvalue/store@0.2.0-draft;
                    export wasi:keyvalue/store@0.2.0-draft2;
                }
            ",
            path: ["../../wit", "wit"],
            world: "quartet:keyvalue-draft/adapter",
            generate_all,
        });
    }

    quartet_keyvalue::adapt_store! {
        exports: bindings::exports::wasi::keyvalue0_2_0_draft2::store,
        imports: bindings::wasi::keyvalue0_2_0_draft::store,
        clock: bindings::wasi::clocks::wall_clock,
        cursor: Option::<u64>::clone,
    }

    bindings::export!(Component with_types_in bindings);
}
