//! The newest version of glibc that programs ask for.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::command;

/// The newest of all symbols' versions, as in `2.34`.
///
/// # Errors
/// When `objdump` (Debian's package binutils) cannot read a program.
pub fn newest<'a>(programs: impl Iterator<Item = &'a PathBuf>) -> Result<String> {
    let mut symbols = String::new();
    for program in programs {
        symbols += &command::output(Command::new("objdump").arg("--dynamic-syms").arg(program))?;
    }
    let (major, minor) = of_symbols(&symbols);
    Ok(format!("{major}.{minor}"))
}

fn of_symbols(symbols: &str) -> (u32, u32) {
    let versions = symbols.split("GLIBC_").skip(1).filter_map(|rest| {
        let version = rest.split([')', ' ', '\n']).next()?;
        let mut numbers = version.split('.').map(str::parse);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    });
    versions.max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        let symbols = "\
            0000  DF *UND*  0000 (GLIBC_2.9) pipe2\n\
            0000  DF *UND*  0000 (GLIBC_2.34) __libc_start_main\n\
            0000  DF *UND*  0000 (GLIBC_2.2.5) memcpy\n\
            0000  DF *UND*  0000 (GLIBCXX_3.4.30) other\n";
        assert_eq!(of_symbols(symbols), (2, 34));
        assert_eq!(of_symbols(""), (0, 0));
    }
}
