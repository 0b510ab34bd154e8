//! Makes small PDFs.

use std::fmt::Write;

/// A PDF that is being made. Its pages are objects 3, 5, 7 and so on, their contents the next ones; Helvetica is `F`.
#[derive(Default)]
pub struct File {
    pages: Vec<(String, String)>,
    /// More entries of the catalog.
    pub catalog: String,
    /// Entries of the information dictionary.
    pub info: String,
    /// More objects, from number 80.
    pub objects: String,
}

impl File {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn page(self, content: &str) -> Self {
        self.page_with(content, "")
    }

    /// A page with more entries of its dictionary.
    pub fn page_with(mut self, content: &str, entries: &str) -> Self {
        self.pages.push((content.into(), entries.into()));
        self
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut body = String::from("%PDF-1.7\n");
        let mut offsets: Vec<(usize, usize)> = Vec::new();
        let mut object = |body: &mut String, number: usize, text: &str| {
            offsets.push((number, body.len()));
            let _ = writeln!(body, "{number} 0 obj{text}endobj");
        };
        object(&mut body, 1, &format!("<</Type/Catalog/Pages 2 0 R{}>>", self.catalog));
        let kids: Vec<String> = (0..self.pages.len())
            .map(|page| format!("{} 0 R", 3 + 2 * page))
            .collect();
        object(
            &mut body,
            2,
            &format!("<</Type/Pages/Kids[{}]/Count {}>>", kids.join(" "), kids.len()),
        );
        for (index, (content, entries)) in self.pages.iter().enumerate() {
            let number = 3 + 2 * index;
            let font = "<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>>>>>";
            let resources = if entries.contains("/Resources") {
                String::new()
            } else {
                format!("/Resources{font}")
            };
            let page = format!(
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents {} 0 R{resources}{entries}>>",
                number + 1
            );
            object(&mut body, number, &page);
            let stream = format!("<</Length {}>>stream\n{content}\nendstream ", content.len());
            object(&mut body, number + 1, &stream);
        }
        object(&mut body, 70, &format!("<<{}>>", self.info));
        for line in self.objects.split_inclusive("endobj\n") {
            let number: usize = line
                .split(' ')
                .next()
                .and_then(|number| number.parse().ok())
                .expect("a number");
            offsets.push((number, body.len()));
            body.push_str(line);
        }
        let start = body.len();
        body.push_str("xref\n0 1\n0000000000 65535 f \n");
        for (number, offset) in offsets {
            let _ = write!(body, "{number} 1\n{offset:010} 00000 n \n");
        }
        let _ = write!(
            body,
            "trailer<</Size 100/Root 1 0 R/Info 70 0 R>>\nstartxref\n{start}\n%%EOF"
        );
        body.into_bytes()
    }
}

/// Content that shows one line.
pub fn text(x: f64, y: f64, size: f64, words: &str) -> String {
    format!("BT /F {size} Tf 1 0 0 1 {x} {y} Tm ({words}) Tj ET\n")
}

/// Content that shows lines below one another.
pub fn column(x: f64, y: f64, lines: &[&str]) -> String {
    let mut content = String::new();
    let mut at = y;
    for line in lines {
        content += &text(x, at, 10.0, line);
        at -= 12.0;
    }
    content
}
