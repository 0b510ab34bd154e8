//! Confinement of the engine's process: llama.cpp is C++ that reads what strangers write, under the host's user. Whoever
//! takes it over through a mistake in it finds a process that can compute and talk to the host, and nothing else.
//!
//! Two parts of Linux, each of which holds by itself: Landlock takes files and TCP away before the model is loaded, seccomp
//! every system call that computing does not need once it is. Neither needs a right, a container or another user.
//!
//! Drivers of graphics processors need more, and each something else: they read files of the system, talk to their device, and
//! make programs while they run. With one, Landlock leaves them the system's files to read and their devices, and seccomp takes
//! away what makes programs, sockets and looks into other processes, instead of all but a list.

#[cfg(all(target_arch = "x86_64", not(target_os = "linux")))]
pub use absent::allow_tiles;
#[cfg(not(target_os = "linux"))]
pub use absent::{calls, files};
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
pub use linux::allow_tiles;
#[cfg(target_os = "linux")]
pub use linux::{calls, files};

#[cfg(not(target_os = "linux"))]
mod absent {
    use std::path::Path;

    /// Does nothing.
    ///
    /// # Errors
    /// Always: there is no Landlock here.
    pub fn files(_: &Path, _: bool) -> Result<(), String> {
        Err("only Linux has Landlock".to_owned())
    }

    /// Does nothing.
    ///
    /// # Errors
    /// Always: there is no seccomp here.
    pub fn calls(_: bool) -> Result<(), String> {
        Err("only Linux has seccomp".to_owned())
    }

    /// Returns false: only Linux is asked for the tile registers.
    #[cfg(target_arch = "x86_64")]
    pub fn allow_tiles() -> bool {
        false
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};

    use landlock::{
        ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, RestrictionStatus, Ruleset, RulesetAttr,
        RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, path_beneath_rules,
    };
    use seccompiler::{
        BackendError, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    };

    /// The newest rights of Landlock that the crate knows; a kernel that has fewer holds those it has.
    const RIGHTS: ABI = ABI::V10;

    /// Descriptions of the processor, from which llama.cpp and the OpenMP library choose their threads.
    const PROCESSOR: [&str; 2] = ["/sys/devices/system/cpu", "/proc/cpuinfo"];

    /// What drivers of graphics processors read: their libraries, what says where these are, and what there is of devices. Nothing
    /// of a user is among it; what `/proc` has of other processes Landlock keeps by itself.
    const DRIVERS: [&str; 11] = [
        "/usr",
        "/lib",
        "/lib64",
        "/opt",
        "/proc",
        "/sys",
        "/etc/ld.so.cache",
        "/etc/vulkan",
        "/etc/glvnd",
        "/etc/nvidia",
        // NixOS has them here.
        "/run/opengl-driver",
    ];

    /// Devices of graphics processors, by the beginnings of their names in `/dev`.
    const DEVICES: [&str; 3] = ["dri", "kfd", "nvidia"];

    /// The threads of this process, to whose names CUDA's driver writes as it starts.
    const THREADS: &str = "/proc/self/task";

    /// The part of a file's name that says that a model is in several files.
    const PART_OF_SEVERAL: &str = "-of-";

    /// Takes away all files but the model's and the processor's descriptions, which may be read, all TCP, and the sockets
    /// and signals of other programs: from this thread, and from those that it starts. Where it may be accelerated, what drivers
    /// of graphics processors need stays.
    ///
    /// # Errors
    /// When this kernel has no Landlock, or lets nobody use it; why, for the operator.
    pub fn files(model: &Path, may_accelerate: bool) -> Result<(), String> {
        let status = restrict(model, may_accelerate).map_err(|error| format!("Landlock cannot be used: {error}"))?;
        match status.ruleset {
            RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
            RulesetStatus::NotEnforced => Err("this kernel has no Landlock, or it is turned off".to_owned()),
        }
    }

    fn restrict(model: &Path, may_accelerate: bool) -> Result<RestrictionStatus, RulesetError> {
        let mut readable: Vec<_> = PROCESSOR.iter().map(PathBuf::from).collect();
        let mut devices = Vec::new();
        if may_accelerate {
            readable.extend(DRIVERS.map(PathBuf::from));
            devices = graphics_devices();
            devices.push(THREADS.into());
        }
        // llama.cpp looks for the other parts beside the first one.
        let name = model.file_name().unwrap_or_default().to_string_lossy();
        readable.push(match model.parent() {
            Some(folder) if name.contains(PART_OF_SEVERAL) => folder.to_owned(),
            _ => model.to_owned(),
        });
        Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(RIGHTS))?
            .handle_access(AccessNet::from_all(RIGHTS))?
            .scope(Scope::from_all(RIGHTS))?
            .create()?
            .add_rules(path_beneath_rules(readable, AccessFs::ReadFile | AccessFs::ReadDir))?
            .add_rules(path_beneath_rules(
                devices,
                AccessFs::ReadFile | AccessFs::ReadDir | AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev,
            ))?
            .restrict_self()
    }

    fn graphics_devices() -> Vec<PathBuf> {
        let all = std::fs::read_dir("/dev").into_iter().flatten().flatten();
        let of_graphics = all.filter(|device| {
            let name = device.file_name();
            DEVICES.iter().any(|start| name.to_string_lossy().starts_with(start))
        });
        of_graphics.map(|device| device.path()).collect()
    }

    /// System calls of a program that computes and talks over what is open already.
    const COMPUTING: &[i64] = &[
        // What is open.
        libc::SYS_read,
        libc::SYS_readv,
        libc::SYS_write,
        libc::SYS_writev,
        libc::SYS_close,
        libc::SYS_lseek,
        libc::SYS_fstat,
        libc::SYS_ppoll,
        // Memory; mappings and protections under a condition.
        libc::SYS_brk,
        libc::SYS_madvise,
        libc::SYS_mremap,
        libc::SYS_munmap,
        // Threads that wait for each other; new ones under a condition.
        libc::SYS_clone3,
        libc::SYS_futex,
        libc::SYS_get_robust_list,
        libc::SYS_membarrier,
        libc::SYS_rseq,
        libc::SYS_sched_getaffinity,
        libc::SYS_sched_yield,
        libc::SYS_set_robust_list,
        // Time and chance.
        libc::SYS_clock_getres,
        libc::SYS_clock_gettime,
        libc::SYS_clock_nanosleep,
        libc::SYS_getrandom,
        libc::SYS_getrusage,
        libc::SYS_gettimeofday,
        libc::SYS_nanosleep,
        libc::SYS_restart_syscall,
        // Its own end, and signals on the way there.
        libc::SYS_exit,
        libc::SYS_exit_group,
        libc::SYS_getpid,
        libc::SYS_gettid,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_sigaltstack,
    ];

    /// System calls that no driver of a graphics processor needs to compute, by which a process runs others, talks to the network,
    /// looks into other processes, or changes what holds it. `io_uring` would do all of these past a filter.
    const BEYOND_DRIVERS: &[i64] = &[
        libc::SYS_execve,
        libc::SYS_execveat,
        libc::SYS_kill,
        libc::SYS_tkill,
        libc::SYS_rt_sigqueueinfo,
        libc::SYS_pidfd_send_signal,
        libc::SYS_pidfd_getfd,
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_process_madvise,
        libc::SYS_kcmp,
        libc::SYS_socket,
        libc::SYS_socketpair,
        libc::SYS_connect,
        libc::SYS_bind,
        libc::SYS_listen,
        libc::SYS_accept,
        libc::SYS_accept4,
        libc::SYS_io_uring_setup,
        libc::SYS_io_uring_enter,
        libc::SYS_io_uring_register,
        libc::SYS_setuid,
        libc::SYS_setgid,
        libc::SYS_setresuid,
        libc::SYS_setresgid,
        libc::SYS_setgroups,
        libc::SYS_fchmod,
        libc::SYS_fchmodat,
        libc::SYS_fchown,
        libc::SYS_fchownat,
        libc::SYS_utimensat,
        libc::SYS_setxattr,
        libc::SYS_lsetxattr,
        libc::SYS_fsetxattr,
        libc::SYS_mount,
        libc::SYS_umount2,
        libc::SYS_move_mount,
        libc::SYS_open_tree,
        libc::SYS_pivot_root,
        libc::SYS_chroot,
        libc::SYS_setns,
        libc::SYS_unshare,
        libc::SYS_open_by_handle_at,
        libc::SYS_bpf,
        libc::SYS_perf_event_open,
        libc::SYS_userfaultfd,
        libc::SYS_add_key,
        libc::SYS_request_key,
        libc::SYS_keyctl,
        libc::SYS_init_module,
        libc::SYS_finit_module,
        libc::SYS_delete_module,
        libc::SYS_kexec_load,
        libc::SYS_reboot,
        libc::SYS_swapon,
        libc::SYS_swapoff,
        libc::SYS_acct,
        libc::SYS_quotactl,
        libc::SYS_personality,
    ];

    /// Takes all system calls away but those that computing needs, from all threads: no file can be opened, no socket made,
    /// no program run or looked into, no memory made executable. They fail with `EPERM`. Where a graphics processor computes,
    /// what its driver may need stays, and with it files as far as Landlock leaves them.
    ///
    /// # Errors
    /// When this kernel has no seccomp, or lets nobody use it; why, for the operator.
    pub fn calls(is_accelerated: bool) -> Result<(), String> {
        // glibc makes threads with a call whose flags no filter can see, and with the older one where it hears that there is
        // none; the second filter lets the call through to the first.
        let unknown = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
        filter(Ok(unknown), refused(libc::ENOSYS), SeccompAction::Allow)?;
        if is_accelerated {
            return filter(beyond_drivers(), refused(libc::EPERM), SeccompAction::Allow);
        }
        // Last: what sets a filter is among the calls that it takes away.
        filter(computing(), SeccompAction::Allow, refused(libc::EPERM))
    }

    fn refused(error: i32) -> SeccompAction {
        SeccompAction::Errno(error.unsigned_abs())
    }

    type Rules = BTreeMap<i64, Vec<SeccompRule>>;

    /// A rule that fits where an argument has these bits, or has none of them.
    fn bits(argument: u8, bits: i32, set: bool) -> Result<SeccompRule, BackendError> {
        let bits = u64::from(bits.unsigned_abs());
        let condition = SeccompCondition::new(
            argument,
            SeccompCmpArgLen::Dword,
            SeccompCmpOp::MaskedEq(bits),
            if set { bits } else { 0 },
        )?;
        SeccompRule::new(vec![condition])
    }

    /// A rule for signals to this process, or to others.
    fn signal_to(itself: SeccompCmpOp) -> Result<SeccompRule, BackendError> {
        let own = u64::from(std::process::id());
        let condition = SeccompCondition::new(0, SeccompCmpArgLen::Dword, itself, own)?;
        SeccompRule::new(vec![condition])
    }

    /// What is refused where a graphics processor computes.
    fn beyond_drivers() -> Result<Rules, BackendError> {
        let mut rules: Rules = BEYOND_DRIVERS.iter().map(|call| (*call, Vec::new())).collect();
        #[cfg(target_arch = "x86_64")]
        rules
            .extend([libc::SYS_fork, libc::SYS_vfork, libc::SYS_chmod, libc::SYS_chown].map(|call| (call, Vec::new())));
        rules.insert(libc::SYS_clone, vec![bits(0, libc::CLONE_THREAD, false)?]);
        rules.insert(libc::SYS_tgkill, vec![signal_to(SeccompCmpOp::Ne)?]);
        Ok(rules)
    }

    fn computing() -> Result<Rules, BackendError> {
        let mut rules: Rules = COMPUTING.iter().map(|call| (*call, Vec::new())).collect();
        for mapping in [libc::SYS_mmap, libc::SYS_mprotect] {
            rules.insert(mapping, vec![bits(2, libc::PROT_EXEC, false)?]);
        }
        rules.insert(libc::SYS_clone, vec![bits(0, libc::CLONE_THREAD, true)?]);
        // A signal to itself, by which `abort` ends a program; 0 would be all of a group.
        rules.insert(libc::SYS_tgkill, vec![signal_to(SeccompCmpOp::Eq)?]);
        #[cfg(target_arch = "x86_64")]
        rules.insert(libc::SYS_arch_prctl, vec![tiles()?]);
        Ok(rules)
    }

    /// Asks for the tile registers: `ARCH_REQ_XCOMP_PERM` of Linux's `asm/prctl.h`.
    #[cfg(target_arch = "x86_64")]
    const ASK_FOR_STATE: u32 = 0x1023;

    /// The number of the tiles' data among the states of a processor.
    #[cfg(target_arch = "x86_64")]
    const TILE_DATA: u32 = 18;

    /// Has the kernel keep the tile registers (Intel's AMX) for this process, and returns true if it does: their data is so much that
    /// a process has to ask.
    #[cfg(target_arch = "x86_64")]
    pub fn allow_tiles() -> bool {
        // SAFETY: it takes two numbers, and changes nothing but which instructions may be used.
        unsafe { libc::syscall(libc::SYS_arch_prctl, u64::from(ASK_FOR_STATE), u64::from(TILE_DATA)) == 0 }
    }

    /// A rule for the same: llama.cpp asks with every multiplication of matrices.
    #[cfg(target_arch = "x86_64")]
    fn tiles() -> Result<SeccompRule, BackendError> {
        let is = |argument, value: u32| {
            SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value.into())
        };
        SeccompRule::new(vec![is(0, ASK_FOR_STATE)?, is(1, TILE_DATA)?])
    }

    fn filter(rules: Result<Rules, BackendError>, matched: SeccompAction, others: SeccompAction) -> Result<(), String> {
        let compiled = rules.and_then(|rules| {
            let filter = SeccompFilter::new(rules, others, matched, std::env::consts::ARCH.try_into()?)?;
            seccompiler::BpfProgram::try_from(filter)
        });
        let compiled = compiled.map_err(|error| format!("seccomp has no filter for this processor: {error}"))?;
        seccompiler::apply_filter_all_threads(&compiled).map_err(|error| format!("seccomp cannot be used: {error}"))
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs::File;
    use std::io::ErrorKind;
    use std::net::{TcpListener, TcpStream, UdpSocket};
    use std::path::Path;
    use std::process::Command;

    /// Set for the process that is confined: what it did cannot be undone, so the other tests must not run in it.
    const INSIDE: &str = "QUARTET_TEST_CONFINED";

    /// What a process that was taken over would try, by name, with how it ended.
    fn tries(model: &Path, other: &Path, port: u16) -> Vec<(&'static str, Option<ErrorKind>)> {
        let kind = |error: std::io::Error| error.kind();
        vec![
            ("read its model", File::open(model).err().map(kind)),
            ("read a file", File::open(other).err().map(kind)),
            ("read a folder", std::fs::read_dir("/etc").err().map(kind)),
            ("write a file", std::fs::write(other, "taken over").err().map(kind)),
            ("connect", TcpStream::connect(("127.0.0.1", port)).err().map(kind)),
            ("send a datagram", UdpSocket::bind("127.0.0.1:0").err().map(kind)),
            ("run a program", Command::new("/bin/true").status().err().map(kind)),
            (
                "compute in another thread",
                std::thread::Builder::new().spawn(|| ()).err().map(kind),
            ),
        ]
    }

    #[test]
    fn a_confined_process_opens_no_file_and_no_connection() {
        is_confined("a_confined_process_opens_no_file_and_no_connection", false);
    }

    #[test]
    fn a_process_with_a_graphics_processor_opens_no_users_file_and_no_connection() {
        is_confined(
            "a_process_with_a_graphics_processor_opens_no_users_file_and_no_connection",
            true,
        );
    }

    fn is_confined(test: &str, accelerated: bool) {
        if let Ok(inside) = std::env::var(INSIDE) {
            let mut given = inside.split('\n');
            let mut next = || given.next().expect("an argument");
            let (model, other, port) = (next().to_owned(), next().to_owned(), next().parse().expect("a port"));
            let (model, other) = (Path::new(&model), Path::new(&other));
            #[cfg(target_arch = "x86_64")]
            println!("tiles: {}", super::allow_tiles());
            println!("landlock: {:?}", super::files(model, accelerated));
            println!("under landlock: {:?}", tries(model, other, port));
            println!("seccomp: {:?}", super::calls(accelerated));
            println!("under both: {:?}", tries(model, other, port));
            #[cfg(target_arch = "x86_64")]
            println!("tiles under both: {}", super::allow_tiles());
            return;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let (model, other) = (folder.path().join("model.gguf"), folder.path().join("secret"));
        std::fs::write(&model, "a model").expect("a file");
        std::fs::write(&other, "a secret").expect("a file");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        assert!(tries(&model, &other, port).iter().all(|(_, error)| error.is_none()));
        std::fs::write(&other, "a secret").expect("a file");
        let name = format!("engine::confine::tests::{test}");
        let confined = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", &name, "--nocapture", "--test-threads", "1"])
            .env(INSIDE, format!("{}\n{}\n{port}", model.display(), other.display()))
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&confined.stdout);
        assert!(confined.status.success(), "{confined:?}");
        let line = |start: &str| {
            let line = said.lines().find_map(|line| line.split_once(start));
            line.unwrap_or_else(|| panic!("no {start} in {said}")).1.to_owned()
        };
        let failed = |line: &str, what: &str| line.contains(&format!("({what:?}, Some(PermissionDenied))"));
        let has_landlock = line("landlock: ") == "Ok(())";
        if has_landlock {
            let line = line("under landlock: ");
            assert!(line.contains("(\"read its model\", None)"), "{line}");
            for what in ["read a file", "read a folder", "write a file", "run a program"] {
                assert!(failed(&line, what), "{what}: {line}");
            }
        } else {
            let why = line("landlock: ");
            assert!(why.contains("this kernel has no Landlock"), "{why}");
            println!("not run: Landlock: {why}");
        }
        // Kernels without it are not in use.
        assert_eq!(line("seccomp: "), "Ok(())");
        #[cfg(target_arch = "x86_64")]
        assert_eq!(line("tiles under both: "), line("tiles: "));
        let line = line("under both: ");
        assert!(line.contains("(\"compute in another thread\", None)"), "{line}");
        for what in ["connect", "send a datagram", "run a program"] {
            assert!(failed(&line, what), "{what}: {line}");
        }
        // Where a driver may open files, Landlock alone says which.
        if has_landlock || !accelerated {
            for what in ["read a file", "read a folder", "write a file"] {
                assert!(failed(&line, what), "{what}: {line}");
            }
            assert_eq!(std::fs::read_to_string(&other).expect("the file"), "a secret");
        }
        assert_eq!(failed(&line, "read its model"), !accelerated, "{line}");
        // Somebody listened, so it was not for that that nobody came.
        assert!(TcpStream::connect(("127.0.0.1", port)).is_ok());
    }
}
