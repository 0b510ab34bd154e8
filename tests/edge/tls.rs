//! TLS: both versions of HTTP over it, certificates that are replaced, handshakes that go no further. The client is
//! curl, whose TLS is not the service's.

use std::io::Write;
use std::process::Command;

use quartet_tests::Service;
use quartet_tests::service::given;
use quartet_tests::wait::until;

use crate::{Folder, raw, text};

/// Writes a certificate for this machine with its key.
fn certify(folder: &Folder, name: &str) -> (String, String) {
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned(), "localhost".to_owned()]).unwrap();
    let (certificate, key) = (made.cert.pem(), made.signing_key.serialize_pem());
    folder.write(&format!("{name}.pem"), &certificate);
    (certificate, key)
}

fn start(folder: &Folder, flags: &[&str]) -> Service {
    let (certificate, key) = certify(folder, "first");
    let certificate = folder.write("certificate.pem", &certificate);
    let key = folder.write("key.pem", &key);
    let all = ["--tls-certificate", text(&certificate), "--tls-key", text(&key)];
    let service = Service::start(&[&all, flags].concat());
    assert!(service.address.starts_with("https://"), "{}", service.address);
    service
}

/// Asks over TLS, trusting one certificate only. The head and the version of HTTP, or `None` without a trusted answer.
fn curl(service: &Service, folder: &Folder, trusted: &str, flag: &str) -> Option<String> {
    let output = Command::new("curl")
        .args([
            "-s",
            "-D",
            "-",
            "-o",
            "/dev/null",
            "--max-time",
            "120",
            flag,
            "--cacert",
        ])
        .arg(folder.path().join(format!("{trusted}.pem")))
        .arg(format!("{}/api/v1/tts/languages", service.address))
        .output()
        .expect("curl is there");
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).to_ascii_lowercase())
}

#[test]
fn both_versions_of_http_are_spoken_over_tls() {
    let folder = Folder::new();
    let service = start(&folder, &[]);
    for (flag, version) in [("--http2", "http/2 200"), ("--http1.1", "http/1.1 200")] {
        let head = curl(&service, &folder, "first", flag).expect("a trusted answer");
        assert!(head.starts_with(version), "{head}");
        assert!(head.contains("strict-transport-security: max-age=31536000"), "{head}");
    }
    for (flag, works) in [("--tlsv1.2", true), ("--tlsv1.3", true)] {
        assert_eq!(curl(&service, &folder, "first", flag).is_some(), works, "{flag}");
    }
    certify(&folder, "other");
    assert_eq!(
        curl(&service, &folder, "other", "--http1.1"),
        None,
        "another certificate is trusted"
    );
    // Who speaks no TLS learns nothing.
    let mut socket = raw::connect_to(service.address.strip_prefix("https://").unwrap(), 1);
    socket.write_all(raw::get("/healthz", "").as_bytes()).unwrap();
    let answer = raw::drain(&mut socket);
    assert!(!String::from_utf8_lossy(&answer).contains("HTTP"), "{answer:?}");
}

#[test]
fn certificates_are_replaced_while_the_service_runs() {
    let folder = Folder::new();
    let service = start(&folder, &[]);
    assert!(curl(&service, &folder, "first", "--http2").is_some());
    let (certificate, key) = certify(&folder, "second");
    // The certificate without its key cannot be used: the old pair stays.
    folder.write("certificate.pem", &certificate);
    service.signal("HUP");
    service.wait_for_log(&["certificate and key cannot be used", "those from before stay"]);
    assert!(curl(&service, &folder, "first", "--http2").is_some());
    folder.write("key.pem", &key);
    service.signal("HUP");
    until("the new certificate is shown", || {
        curl(&service, &folder, "second", "--http2").is_some()
    });
    assert_eq!(curl(&service, &folder, "first", "--http2"), None);
    // Broken files, without a signal.
    folder.write("certificate.pem", "no certificate");
    service.wait_for_log(&["there is no certificate"]);
    assert!(curl(&service, &folder, "second", "--http2").is_some());
}

#[test]
fn handshakes_that_go_no_further_hold_nobody_up_and_end() {
    let folder = Folder::new();
    let service = start(&folder, &["--handshake-seconds", "2", "--idle-seconds", "60"]);
    let address = service.address.strip_prefix("https://").unwrap();
    // The beginning of a TLS record that never comes.
    let mut half: Vec<_> = (0..100)
        .map(|_| {
            let mut socket = raw::connect_to(address, 1);
            socket.write_all(&[0x16, 0x03, 0x01, 0x02, 0x00, 0x01]).unwrap();
            socket
        })
        .collect();
    assert!(curl(&service, &folder, "first", "--http2").is_some());
    for socket in &mut half {
        raw::drain(socket);
    }
}

#[test]
fn what_cannot_be_used_ends_the_start_with_a_reason() {
    let folder = Folder::new();
    let (certificate, _) = certify(&folder, "one");
    let (_, key) = certify(&folder, "two");
    let certificate = folder.write("certificate.pem", &certificate);
    let key = folder.write("key.pem", &key);
    for (flags, part) in [
        (vec!["--tls-certificate", text(&certificate)], "`tls_key`"),
        (
            vec!["--tls-certificate", text(&certificate), "--tls-key", "/no/such/key.pem"],
            "/no/such/key.pem",
        ),
        (
            vec!["--tls-certificate", text(&certificate), "--tls-key", text(&key)],
            "cannot be used",
        ),
    ] {
        let output = Command::new(given("QUARTET_HOST"))
            .args(["serve", "--listen", "127.0.0.1:0", "--components"])
            .arg(folder.path())
            .args(&flags)
            .output()
            .unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && message.contains(part),
            "{flags:?}: {message}"
        );
    }
}
