//! Processors that a package has an engine of their own for: compiled for what they have beyond others of their kind, it reads
//! prompts much faster.

/// Processors of x86-64 with more than AVX2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Processors {
    /// Those with AVX-512, and of it VNNI, VBMI and BF16: processors have these together.
    Avx512,
    /// Those with Intel's tile registers (AMX) as well, under a Linux that keeps them for each thread.
    Amx,
}

impl Processors {
    /// All, those with the fastest engine first.
    pub const ALL: [Self; 2] = [Self::Amx, Self::Avx512];

    /// The name in the names of files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Avx512 => "avx512",
            Self::Amx => "amx",
        }
    }

    /// The program of their engine in a package.
    pub fn program(self) -> String {
        format!("quartet-llm-{}", self.name())
    }

    /// Returns true if this machine's is one of them.
    pub fn include_this(self) -> bool {
        has_avx512() && (self == Self::Avx512 || has_amx())
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("avx512bw") && has!("avx512vl") && has!("avx512vbmi") && has!("avx512vnni") && has!("avx512bf16")
}

#[cfg(not(target_arch = "x86_64"))]
const fn has_avx512() -> bool {
    false
}

/// As Linux lists it: what it does not keep for a thread is not there.
fn has_amx() -> bool {
    let processors = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let flags = processors.lines().find(|line| line.starts_with("flags"));
    flags.is_some_and(|flags| {
        let has = |wanted| flags.split_whitespace().any(|flag| flag == wanted);
        has("amx_tile") && has("amx_int8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fastest_comes_first_and_has_what_the_next_one_has() {
        let [amx, avx512] = Processors::ALL;
        assert_eq!(
            (amx.program(), avx512.program()),
            ("quartet-llm-amx".into(), "quartet-llm-avx512".into())
        );
        assert!(!amx.include_this() || avx512.include_this());
    }
}
