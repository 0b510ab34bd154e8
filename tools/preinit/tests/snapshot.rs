//! Promises of `quartet-preinit`, tried on small components written as text: the state is kept, `init` is gone, an
//! import called by `init` fails, and a component without `init` comes back as it was.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use wasmtime::component::{Component, Linker};
use wasmtime::{Engine, Store};

/// A component whose `init` leaves 42 in memory and 1000 in a global, and whose `state` adds the two. `init` is the first
/// function of the component, and the last export (which has another name for `state`) refers to a later one by number.
const COUNTER: &str = r#"
(component
  (core module $m
    (memory (export "memory") 1)
    (global $g (mut i32) (i32.const 1))
    (func (export "init")
      (i32.store (i32.const 8) (i32.add (i32.load (i32.const 8)) (i32.const 42)))
      (global.set $g (i32.const 1000)))
    (func (export "state") (result i32)
      (i32.add (i32.load (i32.const 8)) (global.get $g))))
  (core instance $i (instantiate $m))
  (func (export "init") (canon lift (core func $i "init")))
  (func $state (export "state") (result u32) (canon lift (core func $i "state")))
  (instance $second (export "state" (func $state)))
  (export "example:state/again" (instance $second)))
"#;

/// Runs the program on `component` and returns what it printed and what it wrote, if anything.
fn preinit(name: &str, component: &[u8]) -> (Output, Option<Vec<u8>>) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (input, output) = (
        folder.join(format!("{name}-in.wasm")),
        folder.join(format!("{name}-out.wasm")),
    );
    let _ = fs::remove_file(&output);
    fs::write(&input, component).expect("the test's folder is writable");
    let run = Command::new(env!("CARGO_BIN_EXE_quartet-preinit"))
        .arg(&input)
        .arg(&output)
        .output();
    (run.expect("the program starts"), fs::read(&output).ok())
}

/// The component in binary form.
fn binary(text: &str) -> Vec<u8> {
    wat::parse_str(text).expect("the component is well formed")
}

#[test]
fn state_is_kept_and_init_is_gone() {
    let (run, written) = preinit("counter", &binary(COUNTER));
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let engine = Engine::default();
    let component = Component::new(&engine, written.expect("a file is written")).expect("the result is a component");
    let mut store = Store::new(&engine, ());
    let instance = Linker::new(&engine)
        .instantiate(&mut store, &component)
        .expect("it needs no import");
    assert!(instance.get_func(&mut store, "init").is_none());
    let state = instance
        .get_typed_func::<(), (u32,)>(&mut store, "state")
        .expect("the other export is there");
    assert_eq!(state.call(&mut store, ()).expect("it runs").0, 1042);
    let again = instance
        .get_export_index(&mut store, None, "example:state/again")
        .expect("an instance is exported");
    let again = instance
        .get_export_index(&mut store, Some(&again), "state")
        .expect("with a function");
    let state = instance
        .get_typed_func::<(), (u32,)>(&mut store, again)
        .expect("of the same type");
    assert_eq!(state.call(&mut store, ()).expect("it runs").0, 1042);
}

#[test]
fn the_same_component_gives_the_same_file() {
    let component = binary(COUNTER);
    let (_, first) = preinit("again-1", &component);
    let (_, second) = preinit("again-2", &component);
    assert!(first.is_some());
    assert_eq!(first, second);
}

#[test]
fn an_import_called_by_init_fails_and_is_named() {
    let (run, written) = preinit(
        "asks",
        &binary(
            r#"
(component
  (import "example:clock/now" (instance $clock (export "now" (func (result u64)))))
  (core func $now (canon lower (func $clock "now")))
  (core module $m
    (import "clock" "now" (func $now (result i64)))
    (memory (export "memory") 1)
    (func (export "init") (i64.store (i32.const 0) (call $now))))
  (core instance $i (instantiate $m (with "clock" (instance (export "now" (func $now))))))
  (func (export "init") (canon lift (core func $i "init"))))
"#,
        ),
    );
    assert!(!run.status.success());
    assert!(written.is_none(), "nothing is written when the snapshot fails");
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(said.contains("example:clock/now#now"), "{said}");
}

#[test]
fn a_component_without_init_is_copied() {
    let component = binary(&COUNTER.replace("(func (export \"init\") (canon lift (core func $i \"init\")))", ""));
    let (run, written) = preinit("plain", &component);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(written.as_deref(), Some(&component[..]));
}

#[test]
fn what_is_no_component_is_refused() {
    for (name, bytes) in [
        ("module", binary("(module)")),
        ("text", b"not wasm".to_vec()),
        ("empty", Vec::new()),
    ] {
        let (run, written) = preinit(name, &bytes);
        assert!(!run.status.success(), "{name}");
        assert!(written.is_none(), "{name}");
    }
}
