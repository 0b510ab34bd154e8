//! Fuzz target: nothing that a client writes in front of what a trusted proxy adds changes the address it is taken for.

#![no_main]

use std::net::{IpAddr, Ipv4Addr};

use http::{HeaderMap, HeaderValue, header};
use libfuzzer_sys::fuzz_target;
use quartet_fuzz::policy::proxies::{Proxies, ProxyHeader};

const PROXY: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1));
const CLIENT: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7));

fuzz_target!(|bytes: &[u8]| {
    for kind in [ProxyHeader::XForwardedFor, ProxyHeader::Forwarded] {
        let (name, added) = match kind {
            ProxyHeader::XForwardedFor => ("x-forwarded-for", CLIENT.to_string()),
            ProxyHeader::Forwarded => (header::FORWARDED.as_str(), format!("for={CLIENT};proto=https")),
        };
        let proxies = Proxies {
            trusted: vec!["10.0.0.0/8".parse().expect("a network")],
            header: kind,
        };
        // A proxy adds to the client's line, or writes a line of its own.
        let joined = [bytes, b", ", added.as_bytes()].concat();
        let Ok(joined) = HeaderValue::from_bytes(&joined) else {
            return;
        };
        let mut one_line = HeaderMap::new();
        one_line.append(name, joined);
        let mut two_lines = HeaderMap::new();
        two_lines.append(name, HeaderValue::from_bytes(bytes).expect("it is a part of a value"));
        two_lines.append(name, HeaderValue::from_str(&added).expect("an element"));

        assert_eq!(proxies.origin(&two_lines, PROXY), CLIENT, "a line of its own");
        let origin = proxies.origin(&one_line, PROXY);
        match kind {
            // A line that is no text, or has an open quotation, says nothing at all.
            ProxyHeader::Forwarded => assert!([CLIENT, PROXY].contains(&origin), "{origin}"),
            ProxyHeader::XForwardedFor if bytes.is_ascii() => assert_eq!(origin, CLIENT),
            ProxyHeader::XForwardedFor => assert!([CLIENT, PROXY].contains(&origin), "{origin}"),
        }
        // Who is no proxy is believed nothing.
        assert_eq!(proxies.origin(&one_line, CLIENT), CLIENT);
        let _ = proxies.name_https(&one_line, PROXY);
        assert!(!proxies.name_https(&one_line, CLIENT), "a stranger names a scheme");
    }
});
