//! Addresses as people read them aloud: of the web, of mail, of files; handles and tags.
//!
//! Schemes, "www.", trailing slashes, queries and fragments are left out.

use super::super::languages::{Agreement, pure_number};
use super::Scanner;
use quartet_lang_detect::{Writing, writing};

/// A token is looked at up to this length, in bytes.
const MAX_ADDRESS_BYTES: usize = 2_000;
/// The part of an address' path that is read.
const MAX_PATH_BYTES: usize = 120;
/// Ends of host names that need no scheme before them.
const TOP_LEVEL_DOMAINS: &[&str] = &[
    "com", "org", "net", "edu", "gov", "int", "info", "biz", "io", "dev", "app", "ai", "co", "me", "tv", "eu", "de",
    "fr", "es", "it", "pt", "br", "ru", "uk", "us", "ca", "au", "jp", "cn", "kr", "in", "ch", "at", "be", "nl", "se",
    "no", "dk", "fi", "pl", "cz", "mx", "ar", "cl", "eg", "sa", "ae", "tw", "hk", "sg", "nz", "ie", "gr", "tr", "ua",
    "museum", "example", "test", "online", "site", "blog", "shop", "xyz", "рф",
];
/// Ends of file names.
const FILE_EXTENSIONS: &[&str] = &[
    "txt", "pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "csv", "tsv", "json", "xml", "yaml", "yml",
    "toml", "html", "htm", "css", "js", "ts", "py", "rs", "go", "c", "h", "cpp", "java", "rb", "php", "sh", "md",
    "rst", "tex", "png", "jpg", "jpeg", "gif", "svg", "webp", "mp3", "mp4", "wav", "ogg", "flac", "avi", "mkv", "zip",
    "tar", "gz", "exe", "dll", "bat", "ini", "cfg", "conf", "log", "sql", "db", "wasm", "lock", "jar", "apk", "iso",
];

/// The kind of a token.
enum Address<'a> {
    /// Host and path, both without what is not read.
    Web(&'a str, &'a str),
    /// User and host.
    Mail(&'a str, &'a str),
    /// A path or the name of a file.
    File(&'a str),
    /// An account.
    Handle(&'a str),
    /// A topic.
    Tag(&'a str),
}

impl Scanner<'_> {
    /// Says the address that comes next and returns true, or does nothing.
    pub(super) fn address(&mut self) -> bool {
        let rest = self.rest();
        let mut len = rest
            .bytes()
            .take(MAX_ADDRESS_BYTES)
            .take_while(|b| b.is_ascii_graphic())
            .count();
        let tag = rest.starts_with('#');
        if tag {
            len = 1 + rest[1..]
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_' || super::is_mark(*c))
                .take(100)
                .map(char::len_utf8)
                .sum::<usize>();
        }
        self.token_end = self.at + len.max(1);
        let mut token = &rest[..len];
        // Cheap first: most words have none of these.
        if !tag && !token.bytes().any(|b| matches!(b, b'.' | b'/' | b'@' | b'\\' | b':')) {
            return false;
        }
        let opening = token.len() - token.trim_start_matches(['(', '[', '{', '<', '"', '\'']).len();
        if opening > 0 {
            // What stands inside brackets is looked at when they have been passed.
            self.token_end = self.at + opening;
            return false;
        }
        token = trim_end(token);
        let Some(address) = address(token) else { return false };
        let words = self.address_words(&address);
        if words.is_empty() {
            return false;
        }
        let len = token.len();
        self.say(&words, len);
        true
    }

    fn address_words(&self, address: &Address<'_>) -> String {
        let words = &self.rules.words;
        let mut said: Vec<String> = Vec::new();
        match address {
            Address::Web(host, path) => {
                self.spell(host, &mut said);
                for part in path.split('/').filter(|part| !part.is_empty()) {
                    said.push(words.slash.to_owned());
                    self.spell(part, &mut said);
                }
            }
            Address::Mail(user, host) => {
                self.spell(user, &mut said);
                said.push(words.at.to_owned());
                self.spell(host, &mut said);
            }
            Address::File(path) => {
                let mut parts = path.split(['/', '\\']).peekable();
                while let Some(part) = parts.next() {
                    self.spell(part, &mut said);
                    if parts.peek().is_some_and(|next| !next.is_empty()) {
                        said.push(words.slash.to_owned());
                    }
                }
            }
            Address::Handle(name) => {
                said.push(words.at.to_owned());
                self.spell(name, &mut said);
            }
            Address::Tag(name) => {
                said.push(words.hashtag.to_owned());
                self.spell(name, &mut said);
            }
        }
        said.retain(|word| !word.is_empty());
        said.join(" ")
    }

    /// One part of an address: words as words, what stands between by its name, digits as a number or one by one.
    fn spell(&self, part: &str, said: &mut Vec<String>) {
        let words = &self.rules.words;
        let mut chars = part.char_indices().peekable();
        while let Some((start, c)) = chars.next() {
            let same = |next: char| {
                if c.is_ascii_digit() {
                    next.is_ascii_digit()
                } else {
                    next.is_alphabetic() || super::is_mark(next)
                }
            };
            match c {
                '.' => said.push(words.dot.to_owned()),
                '-' => said.push(words.hyphen.to_owned()),
                '_' => said.push(words.underscore.to_owned()),
                '+' => said.push(words.plus.to_owned()),
                '~' | '%' | ':' | '#' | '?' | '=' | '&' => {}
                _ if c.is_alphanumeric() => {
                    let mut end = start + c.len_utf8();
                    let mut previous = c;
                    while let Some((at, next)) = chars.next_if(|(_, next)| same(*next)) {
                        // "ClimateAction" is two words.
                        if previous.is_lowercase() && next.is_uppercase() {
                            said.push(part[start..at].to_owned());
                            return self.spell(&part[at..], said);
                        }
                        end = at + next.len_utf8();
                        previous = next;
                    }
                    said.push(self.spell_run(&part[start..end]));
                }
                _ => {}
            }
        }
    }

    fn spell_run(&self, run: &str) -> String {
        if run.starts_with(|c: char| c.is_ascii_digit()) {
            let shown = if run.len() > 4 { &format!("0{run}")[..] } else { run };
            let words = pure_number(shown, Agreement::Alone, self.rules.cardinal, " ");
            // The zero only asked for single digits; its name goes again.
            return if run.len() > 4 {
                words.split_once(' ').map_or(String::new(), |(_, rest)| rest.to_owned())
            } else {
                words
            };
        }
        let latin = run.chars().all(|c| writing(c) == Writing::Latin);
        let vowels = run.chars().any(|c| "aeiouyAEIOUYáéíóúäöü".contains(c));
        if latin
            && run.chars().count() <= 4
            && (!vowels || matches!(run, "io" | "ai" | "uk" | "us" | "eu" | "fr" | "au"))
        {
            return run.chars().map(|c| c.to_string()).collect::<Vec<_>>().join(" ");
        }
        run.to_owned()
    }
}

/// Without the punctuation of the sentence, and without a closing bracket that nothing in it opens.
fn trim_end(token: &str) -> &str {
    let mut token = token;
    loop {
        let shorter = token.trim_end_matches(['.', ',', ';', ':', '!', '?', '"', '\'', '*', '_', '>', ']', '}']);
        let unbalanced = shorter.ends_with(')') && shorter.matches(')').count() > shorter.matches('(').count();
        let shorter = if unbalanced {
            &shorter[..shorter.len() - 1]
        } else {
            shorter
        };
        if shorter.len() == token.len() {
            return token;
        }
        token = shorter;
    }
}

fn address(token: &str) -> Option<Address<'_>> {
    if let Some(name) = token.strip_prefix('#') {
        let letters = name.chars().next().is_some_and(|c| !c.is_ascii_digit()) && name.chars().any(char::is_alphabetic);
        return letters.then_some(Address::Tag(name));
    }
    if let Some(mail) = token.strip_prefix("mailto:") {
        return address(mail);
    }
    if let Some((scheme, rest)) = token.split_once("://") {
        let known =
            !scheme.is_empty() && scheme.len() <= 10 && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'+');
        if scheme == "file" {
            return Some(Address::File(rest));
        }
        return (known && !rest.is_empty()).then(|| web(rest));
    }
    if let Some(name) = token.strip_prefix('@') {
        let plain = name.len() > 1
            && name
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-'));
        return plain.then_some(Address::Handle(name));
    }
    if let Some((user, host)) = token.split_once('@') {
        let valid = !user.is_empty()
            && user
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-' | b'+' | b'%'))
            && host.contains('.')
            && host
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-'));
        return valid.then_some(Address::Mail(user, host));
    }
    if token.starts_with("www.") && token.len() > 6 {
        return Some(web(token));
    }
    let drive = token.len() > 3
        && token.as_bytes()[0].is_ascii_alphabetic()
        && (token[1..].starts_with(":\\") || token[1..].starts_with(":/"));
    let rooted = ["/", "~/", "./", "../"].into_iter().any(|root| {
        token.strip_prefix(root).is_some_and(|rest| {
            rest.len() > 1
                && !rest.starts_with('/')
                && (rest.contains('/') || root.len() > 1 || rest.contains('.'))
                && rest.bytes().any(|b| b.is_ascii_alphabetic())
        })
    });
    if drive || rooted {
        return Some(Address::File(
            token.trim_start_matches(['.', '~']).trim_start_matches('/'),
        ));
    }
    if is_host(token.split('/').next().unwrap_or(token)) {
        return Some(web(token));
    }
    let name = token.rsplit(['/', '\\']).next().unwrap_or(token);
    let (stem, end) = name.rsplit_once('.')?;
    let file = FILE_EXTENSIONS.contains(&end)
        && (stem.len() > 1 || end.len() > 1)
        && stem.bytes().any(|b| b.is_ascii_alphabetic())
        && stem
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
    file.then_some(Address::File(token))
}

/// Host and path of an address without its scheme.
fn web(rest: &str) -> Address<'_> {
    let end = rest.find(['?', '#']).unwrap_or(rest.len());
    let rest = rest[..end].trim_end_matches('/');
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = host.rsplit('@').next().unwrap_or(host);
    let host = host.strip_prefix("www.").unwrap_or(host);
    let cut = path.floor_char_boundary(MAX_PATH_BYTES);
    let cut = if cut < path.len() {
        path[..cut].rfind('/').unwrap_or(cut)
    } else {
        cut
    };
    Address::Web(host, &path[..cut])
}

/// Returns true if a name without a scheme is a host's: lower case (or a common ending), labels of letters, digits and hyphens.
fn is_host(name: &str) -> bool {
    let Some((labels, end)) = name.rsplit_once('.') else {
        return false;
    };
    let common = matches!(end, "com" | "org" | "net");
    let lower = !name.bytes().any(|b| b.is_ascii_uppercase());
    TOP_LEVEL_DOMAINS.contains(&end)
        && (common || lower)
        && labels
            .split('.')
            .all(|label| !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'))
        && labels.bytes().any(|b| b.is_ascii_alphabetic())
        && labels.len() > 1
}
