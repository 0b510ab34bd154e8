//! The page: everything that the service does, in a browser. This crate has its files, compressed; the host answers with
//! them. What they do is in `web`: modules as browsers run them, which nothing translates.

use std::io::Read;

use flate2::read::GzDecoder;

/// A file of the page.
#[derive(Debug, PartialEq, Eq)]
pub struct File {
    /// Path at which it is served. Files other than the page itself have a digest of them all in it, and so never change.
    pub path: &'static str,
    /// Media type.
    pub media_type: &'static str,
    /// Entity tag: a digest of the bytes. Weak, because it is the same for both codings.
    pub etag: &'static str,
    /// Its bytes, compressed by gzip.
    pub gzip: &'static [u8],
}

include!(concat!(env!("OUT_DIR"), "/files.rs"));

impl File {
    /// Its bytes, for the few clients that take none that are compressed.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        // Compressed when this was built, and therefore whole.
        let _ = GzDecoder::new(self.gzip).read_to_end(&mut bytes);
        bytes
    }

    /// True if a browser may keep it for ever.
    pub fn never_changes(&self) -> bool {
        self.path.starts_with("/page/")
    }

    /// True for the viewer of the operations, which has another policy than the page.
    pub fn is_viewer(&self) -> bool {
        self.path == VIEWER_PATH
    }
}

/// Path of the viewer of the operations: Swagger UI with the service's own description.
pub const VIEWER_PATH: &str = "/docs";

/// Path of the service worker, which keeps the page for when the service cannot be reached.
pub const WORKER_PATH: &str = "/worker.js";

/// The file with a path.
pub fn at(path: &str) -> Option<&'static File> {
    match path {
        "/" => FILES.first(),
        VIEWER_PATH => VIEWER.as_ref(),
        WORKER_PATH => WORKER.as_ref(),
        _ if path.starts_with("/page/") => FILES.iter().find(|file| file.path == path),
        _ => None,
    }
}

/// The file with a path at the admin interface, where the page itself is the one about versions.
pub fn at_admin(path: &str) -> Option<&'static File> {
    match path {
        "/" => Some(&ADMIN),
        VIEWER_PATH | WORKER_PATH => None,
        _ => at(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_found_and_whole() {
        for file in FILES {
            assert_eq!(at(file.path), Some(file));
            assert!(file.gzip.starts_with(&[0x1f, 0x8b]), "{}", file.path);
            assert!(!file.bytes().is_empty(), "{}", file.path);
        }
        assert_eq!(at("/page/"), None);
        assert_eq!(at("/index.html"), None);
    }

    #[test]
    fn the_worker_keeps_files_that_are_there() {
        assert_eq!(WORKER.is_some(), WHOLE);
        assert_eq!(at_admin(WORKER_PATH), None);
        let Some(worker) = at(WORKER_PATH) else { return };
        assert!(!worker.never_changes());
        let text = String::from_utf8(worker.bytes()).unwrap();
        assert!(!text.contains('@'), "a part was not filled in: {text}");
        let folder = FILES[1].path.split('/').take(3).collect::<Vec<_>>().join("/");
        let (_, list) = text.split_once("FILES = [").unwrap();
        let (list, _) = list.split_once(']').unwrap();
        let kept: Vec<_> = list.split(", ").map(|name| name.trim_matches('\'')).collect();
        for name in &kept {
            assert!(at(&format!("{folder}/{name}")).is_some(), "{name}");
        }
        for name in ["app.js", "page.css", "texts/ar.json", "library/lit-html.js"] {
            assert!(kept.contains(&name), "{name}");
        }
        for name in ["library/pdf.min.mjs", "docs.js", "worker.js", "icon-512.png"] {
            assert!(!kept.contains(&name), "{name}");
        }
    }

    #[test]
    fn icons_are_as_large_as_the_manifest_says() {
        let sized = FILES.iter().filter_map(|file| {
            let (_, pixels) = file.path.strip_suffix(".png")?.rsplit_once("/icon-")?;
            Some((file, pixels.parse::<u32>().unwrap()))
        });
        let sized: Vec<_> = sized.collect();
        assert_eq!(sized.len(), if WHOLE { 2 } else { 0 });
        for (file, pixels) in sized {
            assert_eq!(file.media_type, "image/png");
            let bytes = file.bytes();
            // The first chunk of a PNG: length, name, width and height.
            assert_eq!(&bytes[12..16], b"IHDR");
            assert_eq!(bytes[16..24], [pixels.to_be_bytes(), pixels.to_be_bytes()].concat());
        }
    }

    #[test]
    fn the_page_names_files_that_are_there() {
        assert_eq!(VIEWER.is_some(), WHOLE);
        for file in FILES.iter().take(1).chain(&VIEWER) {
            let text = String::from_utf8(file.bytes()).unwrap();
            let named: Vec<_> = text.split('"').filter(|part| part.starts_with("/page/")).collect();
            assert_eq!(named.is_empty(), !WHOLE);
            for path in named {
                assert!(at(path).is_some(), "{path}");
            }
        }
    }
}
