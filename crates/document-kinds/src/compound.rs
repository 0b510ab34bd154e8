//! Compound files (MS-CFB): Office before 2007, Outlook's messages, and encrypted Office files of today.

use crate::kind::NotRead;

/// First bytes of a compound file.
pub const MAGIC: [u8; 8] = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/// Size of an entry of the directory, which is aligned to it.
const ENTRY_BYTES: usize = 128;

/// Streams that tell the program.
const STREAMS: [(&str, NotRead); 6] = [
    ("EncryptedPackage", NotRead::Encrypted),
    (
        "WordDocument",
        NotRead::Legacy {
            format: "a Word document in the format of Word 97 (.doc)",
            instead: ".docx or PDF",
        },
    ),
    (
        "PowerPoint Document",
        NotRead::Legacy {
            format: "a presentation in the format of PowerPoint 97 (.ppt)",
            instead: ".pptx or PDF",
        },
    ),
    ("Workbook", XLS),
    ("Book", XLS),
    (
        "__properties_version1.0",
        NotRead::Legacy {
            format: "a message in Outlook's own format (.msg)",
            instead: ".eml",
        },
    ),
];

const XLS: NotRead = NotRead::Legacy {
    format: "a workbook in the format of Excel 97 (.xls)",
    instead: ".xlsx or CSV",
};

/// The kind of what is inside. An entry of the directory begins with its name in UTF-16, and has the name's length in
/// bytes, the end included, at offset 64.
pub fn contents(bytes: &[u8]) -> NotRead {
    let entries = || bytes.chunks_exact(ENTRY_BYTES).skip(512 / ENTRY_BYTES);
    let known = STREAMS.iter().find(|(name, _)| {
        let wide: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        entries().any(|entry| entry.starts_with(&wide) && usize::from(entry[64]) == wide.len() + 2)
    });
    known.map_or(NotRead::Unknown, |(_, contents)| contents.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_tell_the_program() {
        let file = |name: &str| {
            let mut bytes = MAGIC.to_vec();
            bytes.resize(1024, 0);
            let wide: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
            bytes[512..512 + wide.len()].copy_from_slice(&wide);
            bytes[576] = u8::try_from(wide.len() + 2).unwrap();
            bytes
        };
        assert_eq!(contents(&file("EncryptedPackage")), NotRead::Encrypted);
        assert!(contents(&file("WordDocument")).to_string().contains(".docx"));
        assert!(contents(&file("Workbook")).to_string().contains(".xlsx"));
        assert_eq!(contents(&file("Something")), NotRead::Unknown);
    }
}
