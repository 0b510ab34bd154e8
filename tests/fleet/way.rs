//! The way from a replica to the store, on which bytes may be lost or be late.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use super::store::Store;

/// A way.
pub struct Way {
    /// The value of `--shared-state`.
    pub address: String,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    is_cut: AtomicBool,
    late_milliseconds: AtomicU64,
}

impl Way {
    /// The way to a store.
    pub fn to(store: &Store) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let way = Self {
            address: format!("redis://{}", listener.local_addr().unwrap()),
            state: Arc::default(),
        };
        let (target, state) = (store.socket(), Arc::clone(&way.state));
        thread::spawn(move || {
            for near in listener.incoming().flatten() {
                let Ok(far) = TcpStream::connect(&target) else { continue };
                for (from, to, is_answer) in [(&near, &far, false), (&far, &near, true)] {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    let state = Arc::clone(&state);
                    thread::spawn(move || carry(from, to, &state, is_answer));
                }
            }
        });
        way
    }

    /// Has nothing arrive any more, without a word to either side, or all of it again.
    pub fn cut(&self, is_cut: bool) {
        self.state.is_cut.store(is_cut, Ordering::Relaxed);
    }

    /// Has each answer come so much later.
    pub fn delay(&self, late: Duration) {
        let milliseconds = u64::try_from(late.as_millis()).unwrap();
        self.state.late_milliseconds.store(milliseconds, Ordering::Relaxed);
    }
}

/// Carries bytes until one side ends. What was lost on the way once is not made good: that connection carries nothing more.
fn carry(mut from: TcpStream, mut to: TcpStream, state: &State, is_answer: bool) {
    let (mut piece, mut is_lost) = ([0; 16 * 1024], false);
    while let Ok(length @ 1..) = from.read(&mut piece) {
        if is_answer {
            thread::sleep(Duration::from_millis(state.late_milliseconds.load(Ordering::Relaxed)));
        }
        is_lost |= state.is_cut.load(Ordering::Relaxed);
        if !is_lost && to.write_all(&piece[..length]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}
