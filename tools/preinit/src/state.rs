//! The state of an instance, as Wizer reads it: by the functions that its instrumentation added.
//!
//! The crate has this for wasmtime, too, behind a feature that turns on a cache of code, garbage collection and parsers of WIT in
//! wasmtime itself, which are then compiled for the host as well. It needs none of them.

use wasmtime::Store;
use wasmtime::component::{Instance, Lift, WasmList};
use wasmtime_wizer::ComponentInstanceState;

/// An instance with its store.
pub(crate) struct State<'a> {
    store: &'a mut Store<()>,
    instance: Instance,
}

impl<'a> State<'a> {
    /// The state of an instrumented instance.
    pub fn new(store: &'a mut Store<()>, instance: Instance) -> Self {
        Self { store, instance }
    }

    /// Calls a function without parameters of an exported instance.
    ///
    /// # Panics
    /// When there is none with this result, or it traps: the instrumentation just made them.
    async fn call<R: Lift + 'static>(&mut self, instance: &str, function: &str) -> R {
        let outer = self.instance.get_export_index(&mut *self.store, None, instance);
        let inner = outer.and_then(|outer| self.instance.get_export_index(&mut *self.store, Some(&outer), function));
        let inner = inner.expect("the instrumentation exports it");
        let typed = self.instance.get_typed_func::<(), (R,)>(&mut *self.store, inner);
        let typed = typed.expect("the instrumentation gives it this type");
        let (result,) = typed.call_async(&mut *self.store, ()).await.expect("it only reads");
        result
    }
}

impl ComponentInstanceState for State<'_> {
    async fn call_func_ret_list_u8(&mut self, instance: &str, func: &str, contents: impl FnOnce(&[u8]) + Send) {
        let list: WasmList<u8> = self.call(instance, func).await;
        contents(list.as_le_slice(&*self.store));
    }

    async fn call_func_ret_s32(&mut self, instance: &str, func: &str) -> i32 {
        self.call(instance, func).await
    }

    async fn call_func_ret_s64(&mut self, instance: &str, func: &str) -> i64 {
        self.call(instance, func).await
    }

    async fn call_func_ret_f32(&mut self, instance: &str, func: &str) -> u32 {
        self.call::<f32>(instance, func).await.to_bits()
    }

    async fn call_func_ret_f64(&mut self, instance: &str, func: &str) -> u64 {
        self.call::<f64>(instance, func).await.to_bits()
    }
}
