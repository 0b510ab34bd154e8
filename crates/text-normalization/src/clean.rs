//! Characters: one spelling for everything that sounds the same, and nothing left that has no sound and no meaning.
//!
//! Punctuation survives (it makes clauses), full-width Chinese and Japanese punctuation included.

use unicode_normalization::{UnicodeNormalization, is_nfc};

/// Returns true for a character that is dropped without leaving a gap: controls, joiners, bidi marks, selectors, soft hyphens.
fn is_ignorable(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{feff}' | '\u{640}' => true,
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}' | '\u{fff9}'..='\u{fffd}' => true,
        _ => c.is_control(),
    }
}

/// Pictures and dingbats that decorate text.
pub(super) fn is_emoji(c: char) -> bool {
    matches!(c,
        '\u{1f000}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}' | '\u{2b05}'..='\u{2b07}' | '\u{2b1b}' | '\u{2b1c}'
        | '\u{2b50}' | '\u{2b55}' | '\u{231a}' | '\u{231b}' | '\u{23e9}'..='\u{23f3}' | '\u{23f8}'..='\u{23fa}'
        | '\u{25aa}' | '\u{25ab}' | '\u{25b6}' | '\u{25c0}' | '\u{25fb}'..='\u{25fe}' | '\u{20e3}' | '\u{e0020}'..='\u{e007f}')
}

/// Returns true for another form of plain characters: half- and full-width, mathematical, ligature, presentation.
fn is_variant(c: char) -> bool {
    matches!(c,
        '\u{ff10}'..='\u{ff19}' | '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}' | '\u{ff61}'..='\u{ffdc}'
        | '\u{ff03}'..='\u{ff06}' | '\u{ff0a}' | '\u{ff0b}' | '\u{ff0d}'..='\u{ff0f}' | '\u{ff1c}'..='\u{ff1e}' | '\u{ff20}'
        | '\u{ff3c}' | '\u{ff3f}' | '\u{ffe0}'..='\u{ffe6}' | '\u{1d400}'..='\u{1d7ff}' | '\u{fb00}'..='\u{fb06}'
        | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{24b6}'..='\u{24e9}' | '\u{3200}'..='\u{33ff}'
        | '\u{1d2c}'..='\u{1d61}' | '\u{2b0}'..='\u{2b8}' | '\u{2e1}'..='\u{2e3}' | '\u{2160}'..='\u{217f}' | '\u{f900}'..='\u{faff}' | '\u{2f00}'..='\u{2fd5}' | '\u{1100}'..='\u{11ff}')
}

/// Native digits of Arabic, Persian and Devanagari as ASCII ones.
fn digit(c: char) -> Option<char> {
    let zero = match c {
        '\u{660}'..='\u{669}' => 0x660,
        '\u{6f0}'..='\u{6f9}' => 0x6f0,
        '\u{966}'..='\u{96f}' => 0x966,
        _ => return None,
    };
    char::from_digit(c as u32 - zero, 10)
}

/// Appends the cleaned text to `out`. Line breaks stay; every other white space becomes a space (no-break ones a no-break
/// space, which groups digits).
pub(super) fn clean(text: &str, out: &mut String) {
    if text.is_ascii() && !text.bytes().any(|b| b < b' ' || b == 0x7f || b == b'\'') {
        out.push_str(text);
        return;
    }
    let start = out.len();
    let mut composed = false;
    let mut chars = text.chars().filter(|c| !is_ignorable(*c)).peekable();
    let mut quote_open = false;
    while let Some(c) = chars.next() {
        let previous = out[start..].chars().next_back();
        let after_letter = previous.is_some_and(char::is_alphanumeric);
        let before_letter = chars.peek().is_some_and(|c| c.is_alphanumeric());
        match c {
            '\'' | '’' | 'ʼ' | '‘' | '‛' | '＇' | '´' | '`' if after_letter && before_letter && c != '`' => {
                out.push('\'')
            }
            '\'' | '’' | '‘' | '‛' | '＇' => {
                // After a letter it may be an elision ("po'", "dogs'") unless it closes a quotation.
                if after_letter && !quote_open && c != '‘' {
                    out.push('\'');
                }
                quote_open = before_letter && !after_letter;
            }
            '"' | '“' | '”' | '„' | '‟' | '«' | '»' | '‹' | '›' | '″' => {
                if after_letter && before_letter {
                    out.push(' ');
                }
            }
            '\u{a0}' | '\u{202f}' | '\u{2009}' | '\u{2007}' => out.push('\u{a0}'),
            '\n' => out.push('\n'),
            '٫' => out.push('.'),
            '٬' => out.push(','),
            '٪' => out.push('%'),
            '−' | '‐' | '‑' | '﹣' => out.push('-'),
            _ if c.is_whitespace() => out.push(' '),
            _ if is_emoji(c) => out.push(' '),
            // Numbers in circles and brackets: they stand beside each other and are still apart.
            '\u{2460}'..='\u{249b}' => {
                out.push(' ');
                out.extend(std::iter::once(c).nfkc());
                out.push(' ');
            }
            _ if is_variant(c) => {
                out.extend(std::iter::once(c).nfkc());
                composed |= !c.is_ascii();
            }
            _ => out.push(digit(c).unwrap_or(c)),
        }
    }
    if composed || !is_nfc(&out[start..]) {
        let normal: String = out[start..].nfc().collect();
        out.truncate(start);
        // Half-width sound marks follow their kana as marks of their own; composition needs the combining ones.
        out.push_str(&voiced(&normal));
    }
}

/// Joins kana with a spacing or combining (han)dakuten after them.
fn voiced(text: &str) -> String {
    if !text.contains(['\u{3099}', '\u{309a}', '゛', '゜']) {
        return text.to_owned();
    }
    text.replace('゛', "\u{3099}").replace('゜', "\u{309a}").nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str, expected: &str) {
        let mut out = String::new();
        clean(input, &mut out);
        assert_eq!(out, expected, "{input:?}");
    }

    #[test]
    fn invisible_characters_do_not_split_words() {
        check("Kauf\u{ad}haus", "Kaufhaus");
        check("ze\u{200b}ro\0 wi\u{feff}dth", "zero width");
        check("\u{202b}שלום\u{202c}", "שלום");
    }

    #[test]
    fn apostrophes_and_quotes() {
        check("don’t", "don't");
        check("l’eau", "l'eau");
        check("‘single’ and “double”", "single and double");
        check("un po’ di", "un po' di");
        check("'quoted' word", "quoted word");
    }

    #[test]
    fn variants_become_plain() {
        check("ＡＢＣ１２３", "ABC123");
        check("ｶﾞｲﾄﾞ", "ガイド");
        check("𝐁𝐨𝐥𝐝 ﬁsh", "Bold fish");
        check("٣٫١٤", "3.14");
        check("१२३", "123");
        check("e\u{301}", "é");
        check("good 👍🏽 job", "good    job");
    }
}
