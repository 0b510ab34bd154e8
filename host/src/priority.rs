//! Priorities of threads.

/// Makes the calling thread nicer by `steps` of Unix niceness, and so the threads that it starts from now on. Linux has
/// a niceness for each thread; elsewhere it would be the whole process's, and nothing changes.
///
/// # Errors
/// When the system refuses.
pub fn lower_thread_priority(steps: i32) -> std::io::Result<()> {
    if cfg!(target_os = "linux") {
        lower_process_priority(steps)?;
    }
    Ok(())
}

/// Makes the process nicer by `steps` of Unix niceness, when it is called before there are other threads.
///
/// # Errors
/// When the system refuses.
pub fn lower_process_priority(steps: i32) -> std::io::Result<()> {
    rustix::process::nice(steps)?;
    Ok(())
}
