//! Parsers of values. Their errors say what a setting takes, in words that follow "it takes".

use std::convert::Infallible;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, Command, FromArgMatches};
use http::Uri;
use ipnet::IpNet;

/// A setting that cannot be used, in words for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid(pub String);

/// A value that is not shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub String);

impl FromStr for Secret {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

/// A value, or what would be one.
pub type Parsed<T> = Result<T, String>;

/// Reads a whole number.
pub fn whole<T: TryFrom<u64>>(text: &str) -> Parsed<T> {
    let number: u64 = text.trim().parse().map_err(|_| "a whole number")?;
    T::try_from(number).map_err(|_| "a smaller number".to_owned())
}

/// Reads a whole number above 0.
pub fn positive<T: TryFrom<u64>>(text: &str) -> Parsed<T> {
    match whole(text)? {
        0_u64 => Err("a whole number above 0".to_owned()),
        _ => whole(text),
    }
}

/// A parser of whole numbers within a range.
pub fn within<T: TryFrom<u64>>(range: RangeInclusive<u64>) -> impl Fn(&str) -> Parsed<T> + Clone {
    move |text| match range.contains(&whole(text)?) {
        true => whole(text),
        false => Err(format!("{} to {}", range.start(), range.end())),
    }
}

/// Reads a number of seconds above 0.
pub fn seconds(text: &str) -> Parsed<Duration> {
    positive(text).map(Duration::from_secs)
}

/// Reads a number of seconds.
pub fn seconds_or_none(text: &str) -> Parsed<Duration> {
    whole(text).map(Duration::from_secs)
}

/// Reads a number of milliseconds above 0.
pub fn milliseconds(text: &str) -> Parsed<Duration> {
    positive(text).map(Duration::from_millis)
}

/// Reads an address and a port.
pub fn address(text: &str) -> Parsed<SocketAddr> {
    text.parse()
        .map_err(|_| "an address and a port, such as 127.0.0.1:8080".to_owned())
}

/// Reads an address or a network.
pub fn network(text: &str) -> Parsed<IpNet> {
    let network = text.parse().ok();
    let network = network.or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from));
    network.ok_or_else(|| "addresses and networks, such as 127.0.0.1, 10.0.0.0/8".to_owned())
}

/// Reads a number of threads; 0 is one for each processor.
pub fn threads(text: &str) -> Parsed<usize> {
    Ok(match whole(text)? {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads.min(1024),
    })
}

/// Reads `true` or `false`.
pub fn switch(text: &str) -> Parsed<bool> {
    text.trim().parse().map_err(|_| "true or false".to_owned())
}

/// A parser of words that stand for values.
pub fn one_of<T: Copy + Sync>(words: &'static [(&'static str, T)]) -> impl Fn(&str) -> Parsed<T> + Clone {
    move |text| {
        let found = words.iter().find(|(word, _)| *word == text);
        found.map(|(_, value)| *value).ok_or_else(|| {
            let words: Vec<_> = words.iter().map(|(word, _)| *word).collect();
            let (last, others) = words.split_last().unwrap_or((&"", &[]));
            format!("{} or {last}", others.join(", "))
        })
    }
}

/// On, off, or as other settings have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Toggle {
    /// On.
    On,
    /// Off.
    Off,
    /// As other settings have it.
    Auto,
}

/// Reads `on`, `off` or `auto`.
pub fn toggle(text: &str) -> Parsed<Toggle> {
    one_of(&[("on", Toggle::On), ("off", Toggle::Off), ("auto", Toggle::Auto)])(text)
}

/// Reads `on` or `off`.
pub fn on_or_off(text: &str) -> Parsed<Toggle> {
    one_of(&[("on", Toggle::On), ("off", Toggle::Off)])(text)
}

/// The address of a resource of an HTTP server, below a base that was configured.
pub fn endpoint(base: &str, path: &str) -> Option<Uri> {
    let uri: Uri = format!("{}{path}", base.trim().trim_end_matches('/')).parse().ok()?;
    let usable = matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some_and(|host| !host.is_empty());
    (usable && uri.query().is_none()).then_some(uri)
}

/// A section in which nothing is set. All of its settings must have defaults.
pub fn defaults<T: Args + FromArgMatches>() -> T {
    let command = T::augment_args(Command::new("defaults").no_binary_name(true));
    T::from_arg_matches(&command.get_matches_from([""; 0])).unwrap_or_else(|error| error.exit())
}
