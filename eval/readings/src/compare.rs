//! What is heard of a text, in a form in which only differences of the words are left.

use quartet_api::Language;
use quartet_text_normalization::clauses;
use unicode_normalization::UnicodeNormalization;

/// Hindi numbers from 0 to 99, as the speech engine reads the digits that are left to it.
const HINDI: &str = "शून्य एक दो तीन चार पांच छह सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस बीस \
    इक्कीस बाईस तेईस चौबीस पच्चीस छब्बीस सत्ताईस अट्ठाईस उनतीस तीस इकतीस बत्तीस तैंतीस चौंतीस पैंतीस छत्तीस सैंतीस अड़तीस उनतालीस \
    चालीस इकतालीस बयालीस तैंतालीस चौवालीस पैंतालीस छियालीस सैंतालीस अड़तालीस उनचास पचास इक्यावन बावन तिरेपन चौवन पचपन छप्पन सत्तावन \
    अट्ठावन उनसठ साठ इकसठ बासठ तिरेसठ चौंसठ पैंसठ छियासठ सड़सठ अड़सठ उनहत्तर सत्तर इकहत्तर बहत्तर तिहत्तर चौहत्तर पचहत्तर छिहत्तर \
    सतहत्तर अठहत्तर उन्यासी अस्सी इक्यासी बयासी तिरासी चौरासी पचासी छियासी सत्तासी अट्ठासी नवासी नब्बे इक्यानबे बानबे तिरानबे चौरानबे \
    पंचानबे छियानबे सत्तानबे अट्ठानबे निन्यानबे";

/// Arabic numbers that the speech engine reads by itself.
const ARABIC: [(u32, &str); 30] = [
    (0, "صفر"),
    (1, "واحد"),
    (2, "اثنان"),
    (3, "ثلاثة"),
    (4, "أربعة"),
    (5, "خمسة"),
    (6, "ستة"),
    (7, "سبعة"),
    (8, "ثمانية"),
    (9, "تسعة"),
    (10, "عشرة"),
    (11, "أحد عشر"),
    (12, "اثنا عشر"),
    (13, "ثلاثة عشر"),
    (14, "أربعة عشر"),
    (15, "خمسة عشر"),
    (16, "ستة عشر"),
    (17, "سبعة عشر"),
    (18, "ثمانية عشر"),
    (19, "تسعة عشر"),
    (20, "عشرون"),
    (30, "ثلاثون"),
    (40, "أربعون"),
    (50, "خمسون"),
    (60, "ستون"),
    (70, "سبعون"),
    (80, "ثمانون"),
    (90, "تسعون"),
    (100, "مئة"),
    (1000, "ألف"),
];

/// The words that are heard of `text`, without case, spaces, punctuation and marks that are written by some only.
pub fn said(text: &str, language: Language) -> String {
    let mut words = String::new();
    for clause in clauses(text, language) {
        for span in clause.spans {
            words.push(' ');
            words.push_str(&span.text);
        }
    }
    let words = match language {
        Language::Japanese => quartet_japanese_g2p::reading(&words),
        Language::Hindi | Language::Arabic => spelled(&words, language),
        Language::English => {
            // "one hundred and five" is the British way to say "one hundred five".
            let kept: Vec<&str> = words.split([' ', '-']).filter(|word| *word != "and").collect();
            kept.join(" ")
        }
        _ => words,
    };
    words.to_lowercase().nfd().filter(|c| is_heard(*c)).nfc().collect()
}

/// Digits in the words in which the engine reads them.
fn spelled(words: &str, language: Language) -> String {
    let hindi: Vec<&str> = HINDI.split_whitespace().collect();
    let words: Vec<String> = words
        .split(' ')
        .map(|word| {
            let Ok(number) = word.parse::<u32>() else {
                return word.to_owned();
            };
            let name = match language {
                Language::Hindi => hindi.get(number as usize).copied(),
                _ => ARABIC.iter().find(|(value, _)| *value == number).map(|(_, name)| *name),
            };
            name.map_or_else(|| format!("[{word}]"), str::to_owned)
        })
        .collect();
    words.join(" ")
}

/// Letters, and of the marks those that make another letter; not Arabic vowels, nor the point under Hindi consonants.
fn is_heard(c: char) -> bool {
    let arabic_vowel = ('\u{64b}'..='\u{652}').contains(&c);
    let dot_below = c == '\u{93c}';
    let mark = ('\u{300}'..='\u{36f}').contains(&c)
        || ('\u{900}'..='\u{903}').contains(&c)
        || ('\u{93a}'..='\u{94f}').contains(&c)
        || matches!(c, '\u{3099}' | '\u{309a}' | '\u{653}'..='\u{655}');
    !arabic_vowel && !dot_below && (c.is_alphanumeric() || mark || matches!(c, '[' | ']'))
}
