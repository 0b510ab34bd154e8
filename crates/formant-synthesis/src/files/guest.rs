//! The engine's data folders inside the component: a read-only file system of static bytes.
//!
//! Rust's standard library for `wasm32-wasip2` reads files through the C library. The linker's `--wrap` (see
//! `build.rs`) sends its calls of `open`, `read` and so on to the functions below, which know the paths under
//! [`ROOT_FOLDER`] and nothing else: any other path does not exist, any other descriptor is not open. The C library's own
//! functions are then not linked, so the component imports no file system. `getenv` finds nothing: the engine asks
//! for a debugging variable at every sound, and what is asked while the component is being initialised would be
//! frozen into it.
//!
//! Everything here is called by the standard library only, from the single thread that a component has.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem;
use std::path::Path;
use std::ptr;
use std::sync::Mutex;

use super::folders::FOLDERS;

/// The folder that holds the folders.
const ROOT_FOLDER: &str = "/quartet-tts-data";

/// The folder that holds the folders.
pub fn root() -> &'static Path {
    Path::new(ROOT_FOLDER)
}

/// An entry of the file system.
enum Node {
    File(&'static [u8]),
    /// A folder's language and the path inside it, which ends in a slash or is empty.
    Directory(&'static [crate::data::DataFile], String),
}

fn find(path: &CStr) -> Option<Node> {
    let path = path.to_str().ok()?.strip_prefix(ROOT_FOLDER)?.strip_prefix('/')?;
    let (name, rest) = path.split_once('/').unwrap_or((path, ""));
    let folder = FOLDERS.iter().find(|folder| folder.name == name)?;
    if let Some((_, bytes)) = folder.files.iter().find(|(path, _)| *path == rest) {
        return Some(Node::File(bytes));
    }
    let prefix = match rest.trim_end_matches('/') {
        "" => String::new(),
        rest => format!("{rest}/"),
    };
    let exists = folder.files.iter().any(|(path, _)| path.starts_with(&prefix));
    exists.then(|| Node::Directory(&folder.files, prefix))
}

/// An open file: what is still to be read of it is `bytes[position..]`.
struct Open {
    bytes: &'static [u8],
    position: usize,
}

/// Open files by descriptor; more than the engine ever has open at once.
static DESCRIPTORS: Mutex<[Option<Open>; 8]> = Mutex::new([const { None }; 8]);

/// Far from the descriptors that the C library gives out (its standard streams are 0 to 2).
const FIRST_DESCRIPTOR: c_int = 0x4000_0000;

/// Runs `operation` on the open file `descriptor`.
fn with<T>(descriptor: c_int, operation: impl FnOnce(&mut Open) -> T) -> Option<T> {
    let index = usize::try_from(descriptor.checked_sub(FIRST_DESCRIPTOR)?).ok()?;
    DESCRIPTORS.lock().ok()?.get_mut(index)?.as_mut().map(operation)
}

/// Sets `errno` and returns the C library's sign of failure.
fn fail(error: c_int) -> c_int {
    // SAFETY: the C library's `errno` is always there to be written.
    unsafe { *libc::__errno_location() = error };
    -1
}

/// `open`. Only for reading; the third argument is where C passes variable arguments.
///
/// # Safety
/// `path` is a C string.
#[unsafe(export_name = "__wrap_open")]
unsafe extern "C" fn open(path: *const c_char, _flags: c_int, _mode: *const c_void) -> c_int {
    // SAFETY: the caller's promise.
    let Some(Node::File(bytes)) = find(unsafe { CStr::from_ptr(path) }) else {
        return fail(libc::ENOENT);
    };
    let Ok(mut descriptors) = DESCRIPTORS.lock() else {
        return fail(libc::EIO);
    };
    let Some(index) = descriptors.iter().position(Option::is_none) else {
        return fail(libc::EMFILE);
    };
    descriptors[index] = Some(Open { bytes, position: 0 });
    FIRST_DESCRIPTOR + index as c_int
}

/// `close`.
#[unsafe(export_name = "__wrap_close")]
extern "C" fn close(descriptor: c_int) -> c_int {
    let index = usize::try_from(descriptor.wrapping_sub(FIRST_DESCRIPTOR)).ok();
    let closed = DESCRIPTORS
        .lock()
        .ok()
        .and_then(|mut open| open.get_mut(index?)?.take());
    if closed.is_some() { 0 } else { fail(libc::EBADF) }
}

/// `read`.
///
/// # Safety
/// `buffer` takes `length` bytes.
#[unsafe(export_name = "__wrap_read")]
unsafe extern "C" fn read(descriptor: c_int, buffer: *mut c_void, length: usize) -> isize {
    let copied = with(descriptor, |file| {
        let rest = file.bytes.get(file.position..).unwrap_or_default();
        let count = rest.len().min(length);
        // SAFETY: `rest` has `count` bytes, `buffer` takes them, and static bytes overlap no buffer.
        unsafe { ptr::copy_nonoverlapping(rest.as_ptr(), buffer.cast(), count) };
        file.position += count;
        count as isize
    });
    copied.unwrap_or_else(|| fail(libc::EBADF) as isize)
}

/// `lseek`.
#[unsafe(export_name = "__wrap_lseek")]
extern "C" fn lseek(descriptor: c_int, offset: libc::off_t, whence: c_int) -> libc::off_t {
    let moved = with(descriptor, |file| {
        let base = match whence {
            libc::SEEK_SET => 0,
            libc::SEEK_CUR => file.position as libc::off_t,
            libc::SEEK_END => file.bytes.len() as libc::off_t,
            _ => return None,
        };
        let position = base.checked_add(offset)?;
        file.position = usize::try_from(position).ok()?;
        Some(position)
    });
    match moved {
        Some(Some(position)) => position,
        Some(None) => fail(libc::EINVAL).into(),
        None => fail(libc::EBADF).into(),
    }
}

/// The answer of `stat` and `fstat`: the kind and the size.
fn status(mode: libc::mode_t, size: usize) -> libc::stat {
    // SAFETY: the structure is plain integers, for which zero is a value.
    let mut status: libc::stat = unsafe { mem::zeroed() };
    status.st_mode = mode;
    status.st_nlink = 1;
    status.st_size = size as libc::off_t;
    status
}

/// `fstat`.
///
/// # Safety
/// `result` can be written.
#[unsafe(export_name = "__wrap_fstat")]
unsafe extern "C" fn fstat(descriptor: c_int, result: *mut libc::stat) -> c_int {
    let Some(size) = with(descriptor, |file| file.bytes.len()) else {
        return fail(libc::EBADF);
    };
    // SAFETY: the caller's promise.
    unsafe { result.write(status(libc::S_IFREG, size)) };
    0
}

/// `stat`.
///
/// # Safety
/// `path` is a C string and `result` can be written.
#[unsafe(export_name = "__wrap_stat")]
unsafe extern "C" fn stat(path: *const c_char, result: *mut libc::stat) -> c_int {
    // SAFETY: the caller's promise.
    let status = match find(unsafe { CStr::from_ptr(path) }) {
        Some(Node::File(bytes)) => status(libc::S_IFREG, bytes.len()),
        Some(Node::Directory(..)) => status(libc::S_IFDIR, 0),
        None => return fail(libc::ENOENT),
    };
    // SAFETY: the caller's promise.
    unsafe { result.write(status) };
    0
}

/// The longest name of an entry, with its end mark.
const MAX_NAME_BYTES: usize = 64;

/// An entry of a directory as C lays it out (`struct dirent`): the name follows the fixed part.
#[repr(C)]
struct Entry {
    inode: u64,
    kind: u8,
    name: [u8; MAX_NAME_BYTES],
}

const _: () = {
    assert!(mem::offset_of!(libc::dirent, d_type) == mem::offset_of!(Entry, kind));
    assert!(mem::offset_of!(libc::dirent, d_name) == mem::offset_of!(Entry, name));
};

/// An open directory: the entries that are still to come, and the one that was last given out.
struct Directory {
    rest: std::vec::IntoIter<(String, u8)>,
    entry: Entry,
}

/// `opendir`.
///
/// # Safety
/// `path` is a C string.
#[unsafe(export_name = "__wrap_opendir")]
unsafe extern "C" fn opendir(path: *const c_char) -> *mut Directory {
    // SAFETY: the caller's promise.
    let Some(Node::Directory(files, prefix)) = find(unsafe { CStr::from_ptr(path) }) else {
        fail(libc::ENOENT);
        return ptr::null_mut();
    };
    let mut entries: Vec<(String, u8)> = Vec::new();
    for rest in files.iter().filter_map(|(path, _)| path.strip_prefix(prefix.as_str())) {
        let entry = match rest.split_once('/') {
            Some((directory, _)) => (directory.to_owned(), libc::DT_DIR),
            None => (rest.to_owned(), libc::DT_REG),
        };
        if !entries.contains(&entry) {
            entries.push(entry);
        }
    }
    let entry = Entry {
        inode: 1,
        kind: libc::DT_UNKNOWN,
        name: [0; MAX_NAME_BYTES],
    };
    Box::into_raw(Box::new(Directory {
        rest: entries.into_iter(),
        entry,
    }))
}

/// `readdir`.
///
/// # Safety
/// `directory` is what [`opendir`] returned and has not been closed.
#[unsafe(export_name = "__wrap_readdir")]
unsafe extern "C" fn readdir(directory: *mut Directory) -> *mut Entry {
    // SAFETY: the caller's promise.
    let directory = unsafe { &mut *directory };
    let Some((name, kind)) = directory.rest.next() else {
        return ptr::null_mut();
    };
    let length = name.len().min(MAX_NAME_BYTES - 1);
    directory.entry.kind = kind;
    directory.entry.name = [0; MAX_NAME_BYTES];
    directory.entry.name[..length].copy_from_slice(&name.as_bytes()[..length]);
    &raw mut directory.entry
}

/// `closedir`.
///
/// # Safety
/// `directory` is what [`opendir`] returned and has not been closed.
#[unsafe(export_name = "__wrap_closedir")]
unsafe extern "C" fn closedir(directory: *mut Directory) -> c_int {
    // SAFETY: the caller's promise; `opendir` made it of a box.
    drop(unsafe { Box::from_raw(directory) });
    0
}

/// `realpath`: the engine asks for it where it is not told its folder, which it always is.
#[unsafe(export_name = "__wrap_realpath")]
extern "C" fn realpath(_path: *const c_char, _resolved: *mut c_char) -> *mut c_char {
    fail(libc::ENOENT);
    ptr::null_mut()
}

/// `getenv`: there is no environment.
#[unsafe(export_name = "__wrap_getenv")]
extern "C" fn getenv(_name: *const c_char) -> *mut c_char {
    ptr::null_mut()
}
