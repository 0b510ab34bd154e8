//! Escapes of signs that Markdown would take for markup.
//!
//! Signs are escaped where they could mean something, and left alone where they cannot: `[12]` and `snake_case` stay as
//! they are, because language models and people read the source, too.

/// Escapes a piece of text inside a line.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for (index, word) in text.split(' ').enumerate() {
        if index > 0 {
            out.push(' ');
        }
        self::word(word, &mut out);
    }
    out
}

/// Escapes a word. Bare addresses stay: backslashes would become a part of them.
fn word(word: &str, out: &mut String) {
    let is_address = word.starts_with("https://") || word.starts_with("http://");
    if is_address && !word.contains(['*', '<', '[', '`', '\\']) {
        out.push_str(word);
        return;
    }
    let mut before: Option<char> = None;
    let mut chars = word.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = chars.peek().map(|(_, next)| *next);
        let escaped = match c {
            '\\' | '`' | '*' | '~' => true,
            // Inside a word it is no emphasis.
            '_' => !(before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric)),
            '<' => after.is_some_and(|next| next.is_alphabetic() || matches!(next, '/' | '!' | '?')),
            // The end of the text of a link, and a definition of one.
            ']' => matches!(after, Some('(' | '[' | ':')),
            '!' => after == Some('['),
            '&' => is_entity(&word[at + 1..]),
            _ => false,
        };
        if escaped {
            out.push('\\');
        }
        out.push(c);
        before = Some(c);
    }
}

/// Returns true if the text after an ampersand makes it the beginning of a character's name or number.
fn is_entity(text: &str) -> bool {
    text.split_once(';').is_some_and(|(name, _)| {
        let name = name.strip_prefix('#').unwrap_or(name);
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric())
    })
}

/// Escapes the beginning of a line of text that was escaped inside: there, some signs begin a block.
pub fn line_start(line: &str) -> String {
    let Some(first) = line.chars().next() else {
        return String::new();
    };
    let ends_word = |rest: &str| rest.is_empty() || rest.starts_with([' ', '\t']);
    let marks = line.len() - line.trim_start_matches('#').len();
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let is_block = match first {
        '#' => marks <= 6 && ends_word(&line[marks..]),
        '>' => true,
        '+' => ends_word(&line[1..]),
        // An item, a rule, or the underline of a heading.
        '-' => ends_word(&line[1..]) || line.chars().all(|c| matches!(c, '-' | ' ' | '\t')),
        '=' => line.trim_end().chars().all(|c| c == '='),
        '_' => line.chars().all(|c| matches!(c, '_' | ' ' | '\t')),
        '|' => true,
        _ => false,
    };
    if is_block {
        return format!("\\{line}");
    }
    if (1..=9).contains(&digits) && line[digits..].starts_with(['.', ')']) && ends_word(&line[digits + 1..]) {
        return format!("{}\\{}", &line[..digits], &line[digits..]);
    }
    line.to_owned()
}

/// Escapes the text of a link, in which brackets are escaped, too.
pub fn link_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    for c in escape(text).chars() {
        if matches!(c, '[' | ']') && before != Some('\\') {
            out.push('\\');
        }
        before = if before == Some('\\') { None } else { Some(c) };
        out.push(c);
    }
    out
}

/// The address of a link, with what would end it as its code.
pub fn address(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    for c in url.chars() {
        match c {
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '\\' => out.push_str("%5C"),
            c if c.is_whitespace() => out.push_str("%20"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}
