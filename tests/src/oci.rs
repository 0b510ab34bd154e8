//! A registry of artifacts on a free port, for one test, and what others than this project put into it.

use std::ffi::OsStr;
use std::fs;
use std::net::{IpAddr, Ipv4Addr, TcpListener, TcpStream, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use serde_json::{Value, json};
use tempfile::TempDir;
use ureq::Agent;
use ureq::http::Response;

use crate::skip::not_run;
use crate::wait::until;

/// The type of a manifest.
pub const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";

/// The type of a config that makes an artifact one of WebAssembly.
pub const CONFIG: &str = "application/vnd.wasm.config.v0+json";

/// The type of the layer that is a component.
pub const LAYER: &str = "application/wasm";

/// The name and the password that a registry with a lock lets in.
pub const LOGIN: (&str, &str) = ("alice", "secret");

/// The password as `htpasswd -B` writes it.
const LOCK: &str = "alice:$2b$05$abcdefghijklmnopqrstuuOQiyCxlgf/oeuTqixKmWdcYUh4Hjl0a\n";

/// A registry: the one of Docker's distribution, as Debian has it.
pub struct Registry {
    process: Child,
    address: IpAddr,
    port: u16,
    folder: TempDir,
    agent: Agent,
}

impl Registry {
    /// Starts a registry; none where the machine has none, which is said.
    pub fn start(test: &str) -> Option<Self> {
        Self::launch(test, "", None)
    }

    /// Starts a registry that lets nobody in but [`LOGIN`].
    pub fn locked(test: &str) -> Option<Self> {
        Self::launch(test, LOCK, None)
    }

    /// Starts a registry that speaks TLS, with a certificate for this machine's own address; none where the machine has
    /// none but for itself.
    pub fn encrypted(test: &str) -> Option<Self> {
        // Nothing is sent: the system says from where it would be.
        let socket = UdpSocket::bind("0.0.0.0:0").expect("a socket");
        let own = socket
            .connect("192.0.2.1:9")
            .and_then(|()| socket.local_addr())
            .map(|own| own.ip())
            .ok()
            .filter(|own| !own.is_loopback());
        if own.is_none() {
            not_run(test, "this machine has no address but for itself");
        }
        Self::launch(test, "", Some(own?))
    }

    fn launch(test: &str, lock: &str, encrypted: Option<IpAddr>) -> Option<Self> {
        let Some(program) = std::env::var_os("QUARTET_OCI_REGISTRY") else {
            not_run(test, "there is no docker-registry here");
            return None;
        };
        let address = encrypted.unwrap_or(Ipv4Addr::LOCALHOST.into());
        let free = TcpListener::bind((address, 0)).expect("a port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        let folder = tempfile::tempdir().expect("a folder");
        let (passwords, settings) = (folder.path().join("passwords"), folder.path().join("settings.yml"));
        // What is JSON is YAML.
        let mut all = json!({
            "version": 0.1,
            "log": {"level": "error", "accesslog": {"disabled": true}},
            "storage": {"filesystem": {"rootdirectory": folder.path()}},
            "http": {"addr": format!("{address}:{port}")},
        });
        if encrypted.is_some() {
            let (certificate, key) = (folder.path().join("certificate.pem"), folder.path().join("key.pem"));
            let made = Certificates::new(&address.to_string());
            fs::write(folder.path().join("authority.pem"), made.authority).expect("the folder can be written");
            fs::write(&certificate, made.certificate).expect("the folder can be written");
            fs::write(&key, made.key).expect("the folder can be written");
            all["http"]["tls"] = json!({"certificate": certificate, "key": key});
        }
        if !lock.is_empty() {
            fs::write(&passwords, lock).expect("the folder can be written");
            all["auth"] = json!({"htpasswd": {"realm": "a test", "path": passwords}});
        }
        fs::write(&settings, all.to_string()).expect("the folder can be written");
        let process = Command::new(program)
            .arg("serve")
            .arg(settings)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the registry starts");
        let registry = Self {
            process,
            address,
            port,
            folder,
            agent: Agent::config_builder().http_status_as_error(false).build().into(),
        };
        until("the registry answers", || match encrypted {
            Some(_) => TcpStream::connect((address, port)).is_ok(),
            None => registry.agent.get(registry.url("")).call().is_ok(),
        });
        Some(registry)
    }

    /// Host and port.
    pub fn socket(&self) -> String {
        format!("{}:{}", self.address, self.port)
    }

    /// The file with the authority of the certificate of one that speaks TLS.
    pub fn authority(&self) -> PathBuf {
        self.folder.path().join("authority.pem")
    }

    /// A reference to something in it.
    pub fn reference(&self, rest: &str) -> String {
        format!("oci://{}/{rest}", self.socket())
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}/v2/{path}", self.socket())
    }

    /// Puts a blob into a repository, and returns what a manifest says of it.
    pub fn blob(&self, repository: &str, media_type: &str, bytes: &[u8]) -> Value {
        let begun = self
            .agent
            .post(self.url(&format!("{repository}/blobs/uploads/")))
            .send_empty();
        let begun = begun.expect("an answer");
        let place = begun.headers()["location"].to_str().expect("an address").to_owned();
        let digest = digest(bytes);
        let put = self.agent.put(format!("{place}&digest={digest}")).send(bytes);
        assert_eq!(put.expect("an answer").status(), 201);
        json!({"mediaType": media_type, "digest": digest, "size": bytes.len()})
    }

    /// Puts a manifest under a tag, and returns its digest.
    pub fn manifest(&self, repository: &str, tag: &str, manifest: &Value) -> String {
        let put = self.agent.put(self.url(&format!("{repository}/manifests/{tag}")));
        let media_type = manifest["mediaType"].as_str().expect("a type");
        let text = manifest.to_string();
        let answer = put
            .header("content-type", media_type)
            .send(text.as_bytes())
            .expect("an answer");
        assert_eq!(answer.status(), 201, "{}", read(answer));
        digest(text.as_bytes())
    }

    /// Puts an artifact of these types under a tag, as any program would, and returns its digest.
    pub fn artifact(&self, place: (&str, &str), config: &str, layer: &str, content: &[u8]) -> String {
        let (repository, tag) = place;
        let layer = self.blob(repository, layer, content);
        let config = self.blob(
            repository,
            config,
            json!({"layerDigests": [layer["digest"]]}).to_string().as_bytes(),
        );
        let manifest = json!({"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": [layer]});
        self.manifest(repository, tag, &manifest)
    }

    /// Puts a signature of an artifact beside it, in the layout that cosign has for it.
    pub fn signature(&self, repository: &str, artifact: &str, text: &[u8], signature: &str) -> Value {
        let mut layer = self.blob(repository, "application/vnd.dev.cosign.simplesigning.v1+json", text);
        layer["annotations"] = json!({"dev.cosignproject.cosign/signature": signature});
        let config = json!({"architecture": "", "os": "", "rootfs": {"type": "layers", "diff_ids": [layer["digest"]]}});
        let config = self.blob(
            repository,
            "application/vnd.oci.image.config.v1+json",
            config.to_string().as_bytes(),
        );
        let manifest = json!({"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": [layer]});
        let tag = format!("{}.sig", artifact.replace(':', "-"));
        self.manifest(repository, &tag, &manifest);
        layer
    }

    /// The manifest that a tag names.
    pub fn tagged(&self, repository: &str, tag: &str) -> Value {
        let get = self.agent.get(self.url(&format!("{repository}/manifests/{tag}")));
        let text = read(get.header("accept", MANIFEST).call().expect("an answer"));
        serde_json::from_str(&text).expect("a manifest")
    }

    /// The content of a blob.
    pub fn content(&self, repository: &str, digest: &str) -> Vec<u8> {
        let get = self.agent.get(self.url(&format!("{repository}/blobs/{digest}")));
        let mut answer = get.call().expect("an answer");
        answer
            .body_mut()
            .with_config()
            .limit(u64::MAX)
            .read_to_vec()
            .expect("the content")
    }

    /// Changes one byte of a blob where the registry has it.
    pub fn tamper(&self, digest: &str) {
        let mut content = fs::read(self.place(digest)).expect("it is there");
        let middle = content.len() / 2;
        content[middle] ^= 1;
        self.replace(digest, &content);
    }

    /// Has the registry give other content for a digest.
    pub fn replace(&self, digest: &str, content: &[u8]) {
        fs::write(self.place(digest), content).expect("the folder can be written");
    }

    fn place(&self, digest: &str) -> PathBuf {
        let digits = digest.strip_prefix("sha256:").expect("a digest");
        let place = format!("docker/registry/v2/blobs/sha256/{}/{digits}/data", &digits[..2]);
        self.folder.path().join(place)
    }

    /// Ends it.
    pub fn stop(&mut self) {
        self.process.kill().expect("it runs");
        self.process.wait().expect("it ends");
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn read(mut answer: Response<ureq::Body>) -> String {
    answer.body_mut().read_to_string().expect("a text")
}

/// The digest of bytes, as `sha256sum` has it.
pub fn digest(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bytes");
    fs::write(&path, bytes).expect("the folder can be written");
    digest_of(&path)
}

/// The digest of a file.
pub fn digest_of(path: &Path) -> String {
    let output = Command::new("sha256sum")
        .arg(path)
        .output()
        .expect("sha256sum is there");
    let said = String::from_utf8(output.stdout).expect("a text");
    format!("sha256:{}", said.split(' ').next().expect("a digest"))
}

/// A certificate for a name, and the authority that nobody else has, in PEM.
struct Certificates {
    authority: String,
    certificate: String,
    key: String,
}

impl Certificates {
    fn new(name: &str) -> Self {
        let key = KeyPair::generate().expect("random bits");
        let mut authority = CertificateParams::default();
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        authority
            .distinguished_name
            .push(DnType::CommonName, "an authority of a test");
        let root = authority.self_signed(&key).expect("a certificate");
        let issuer = Issuer::new(authority, key);
        let own = KeyPair::generate().expect("random bits");
        let params = CertificateParams::new(vec![name.to_owned()]).expect("a name");
        let certificate = params.signed_by(&own, &issuer).expect("a certificate");
        Self {
            authority: root.pem(),
            certificate: certificate.pem(),
            key: own.serialize_pem(),
        }
    }
}

/// The text that cosign signs for an artifact.
pub fn payload(artifact: &str) -> String {
    json!({
        "critical": {
            "identity": {"docker-reference": "registry.example.org/quartet-tts"},
            "image": {"docker-manifest-digest": artifact},
            "type": "cosign container image signature",
        },
        "optional": null,
    })
    .to_string()
}

/// A pair of keys of the kind that cosign makes, which signs by `openssl`.
pub struct Signer(TempDir);

impl Signer {
    /// Makes a pair; none where the machine has no `openssl`, which is said.
    pub fn new(test: &str) -> Option<Self> {
        let signer = Self(tempfile::tempdir().expect("a folder"));
        let private = signer.private();
        let made = Command::new("openssl")
            .args(["ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out"])
            .arg(&private)
            .output();
        if made.is_err() {
            not_run(test, "there is no openssl here");
            return None;
        }
        openssl(&[
            "ec".as_ref(),
            "-in".as_ref(),
            private.as_ref(),
            "-pubout".as_ref(),
            "-out".as_ref(),
            signer.public().as_ref(),
        ]);
        Some(signer)
    }

    fn private(&self) -> PathBuf {
        self.0.path().join("signer.key")
    }

    /// The file with the public key.
    pub fn public(&self) -> PathBuf {
        self.0.path().join("signer.pub")
    }

    /// The signature of a text, in base64.
    pub fn sign(&self, text: &str) -> String {
        use base64::Engine as _;
        let path = self.0.path().join("text");
        fs::write(&path, text).expect("the folder can be written");
        let signature = openssl(&[
            "dgst".as_ref(),
            "-sha256".as_ref(),
            "-sign".as_ref(),
            self.private().as_ref(),
            path.as_ref(),
        ]);
        base64::engine::general_purpose::STANDARD.encode(signature)
    }
}

fn openssl(arguments: &[&OsStr]) -> Vec<u8> {
    let output = Command::new("openssl")
        .args(arguments)
        .output()
        .expect("openssl is there");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// Keeps a name and a password for a registry in a folder, as `docker login` does.
pub fn log_in(folder: &Path, registry: &Registry, password: &str) {
    use base64::Engine as _;
    let auth = base64::engine::general_purpose::STANDARD.encode(format!("{}:{password}", LOGIN.0));
    let settings = json!({"auths": {registry.socket(): {"auth": auth}}});
    fs::write(folder.join("config.json"), settings.to_string()).expect("the folder can be written");
}
