//! Noun phrases as each language builds them: numbers that agree with what they count, articles, counters, particles.

use quartet_api::Language;

use super::nouns::Noun;
use crate::describe::capitalised;

/// First number that is written with digits.
const FIRST_IN_DIGITS: usize = 13;

/// Number and noun: "two dogs", "zwei Hunde", "две собаки", "犬が2匹". `numbers` are the words from two on, in the
/// gender of the noun.
pub fn counted(language: Language, count: usize, noun: &Noun, numbers: &str) -> String {
    let number = number(count, numbers);
    let (one, several) = (noun.one, noun.several);
    match language {
        Language::English if count == 1 => format!("one {one}"),
        Language::Hindi if count == 1 => format!("एक {one}"),
        Language::Russian => russian(count, noun, &number),
        Language::Arabic => arabic(count, noun),
        // Written with a digit, as is usual beside a counter.
        Language::Japanese => format!("{one}が{count}{}", noun.class),
        Language::Chinese => format!("{}{}{one}", if count == 1 { "一" } else { &number }, noun.class),
        Language::Korean => format!("{one} {} {}", if count == 1 { "한" } else { &number }, noun.class),
        _ if count == 1 => format!("{}{one}", indefinite_article(language, noun)),
        _ => format!("{number} {several}"),
    }
}

/// The same where one is not counted: "a dog", "собака".
pub fn shown(language: Language, count: usize, noun: &Noun, numbers: &str) -> String {
    match language {
        Language::English if count == 1 => format!("{}{}", indefinite_article(language, noun), noun.one),
        Language::Russian | Language::Arabic if count == 1 => noun.one.to_owned(),
        Language::Arabic if count == 2 => noun.few.to_owned(),
        _ => counted(language, count, noun, numbers),
    }
}

/// Thing that something else is likened to: "a dog"; without a counter where one counts.
pub fn likened(language: Language, noun: &Noun) -> String {
    match language {
        Language::Japanese | Language::Chinese | Language::Korean | Language::Hindi => noun.one.to_owned(),
        _ => shown(language, 1, noun, ""),
    }
}

/// The one that is meant, at the start of a sentence: "The dog", "Der Hund", "L’orange", "الكلب".
pub fn definite(language: Language, noun: &Noun) -> String {
    let (one, feminine) = (noun.one, noun.class == "f");
    match language {
        Language::English => format!("The {one}"),
        Language::German => {
            let article = match noun.class {
                "m" => "Der",
                "f" => "Die",
                _ => "Das",
            };
            format!("{article} {one}")
        }
        Language::French if french_elides(one) => format!("L’{one}"),
        Language::French => format!("{} {one}", if feminine { "La" } else { "Le" }),
        Language::Spanish => format!("{} {one}", if feminine { "La" } else { "El" }),
        Language::Portuguese => format!("{} {one}", if feminine { "A" } else { "O" }),
        Language::Italian if starts_with_vowel(one) => format!("L’{one}"),
        Language::Italian if feminine => format!("La {one}"),
        Language::Italian => format!("{} {one}", if italian_uno(one) { "Lo" } else { "Il" }),
        Language::Russian => capitalised(one),
        Language::Arabic => arabic_definite(one),
        _ => one.to_owned(),
    }
}

/// Things that were not found, as they stand after the denial: "dogs", "de chiens", "собак".
pub fn denied(language: Language, noun: &Noun) -> String {
    match language {
        Language::French if french_elides(noun.several) => format!("d’{}", noun.several),
        Language::French => format!("de {}", noun.several),
        Language::Hindi | Language::Arabic => noun.one.to_owned(),
        _ => noun.several.to_owned(),
    }
}

/// Korean particles: their mark, and the forms after a consonant and after a vowel.
const PARTICLES: [(&str, &str, &str); 5] = [
    ("(이)가", "이", "가"),
    ("(을)를", "을", "를"),
    ("(은)는", "은", "는"),
    ("(과)와", "과", "와"),
    ("(이)나", "이나", "나"),
];

/// True if a text has marks of Korean particles.
pub fn has_particles(text: &str) -> bool {
    PARTICLES.iter().any(|(mark, ..)| text.contains(mark))
}

/// Puts the form of each Korean particle that its word asks for: "고양이(이)가" is read "고양이가". What stands in
/// parentheses before a particle does not count.
pub fn with_particles(text: &str) -> String {
    let mut text = text.to_owned();
    for (mark, closed, open) in PARTICLES {
        while let Some((before, after)) = text.split_once(mark) {
            let word = match before.rfind('(').filter(|_| before.ends_with(')')) {
                Some(start) => before[..start].trim_end(),
                None => before,
            };
            let particle = if ends_closed(word) { closed } else { open };
            text = format!("{before}{particle}{after}");
        }
    }
    text
}

/// A number in words, from thirteen on in digits.
fn number(count: usize, numbers: &str) -> String {
    let word = numbers
        .split(' ')
        .nth(count.saturating_sub(2))
        .filter(|word| (2..FIRST_IN_DIGITS).contains(&count) && !word.is_empty());
    word.map_or_else(|| count.to_string(), str::to_owned)
}

fn starts_with_vowel(word: &str) -> bool {
    word.to_lowercase()
        .starts_with(['a', 'e', 'i', 'o', 'u', 'é', 'è', 'ê'])
}

/// True before a vowel and a silent h; "hot-dog" has one that is not silent.
fn french_elides(word: &str) -> bool {
    starts_with_vowel(word) || word.starts_with("horloge")
}

/// True for the masculine nouns that take "uno" and "lo": before s and a consonant, z, gn, ps, x and y.
fn italian_uno(word: &str) -> bool {
    let mut letters = word.chars();
    match (letters.next(), letters.next()) {
        (Some('z' | 'x' | 'y'), _) | (Some('g'), Some('n')) | (Some('p'), Some('s')) => true,
        (Some('s'), Some(second)) => !"aeiou".contains(second),
        _ => false,
    }
}

/// Article and what stands between it and its noun. German has it in the accusative: all sentences show something.
fn indefinite_article(language: Language, noun: &Noun) -> &'static str {
    let feminine = noun.class == "f";
    match language {
        Language::English if starts_with_vowel(noun.one) => "an ",
        Language::English => "a ",
        Language::German if noun.class == "m" => "einen ",
        Language::German if feminine => "eine ",
        Language::German => "ein ",
        Language::French if feminine => "une ",
        Language::French | Language::Spanish if !feminine => "un ",
        Language::Spanish => "una ",
        Language::Portuguese if feminine => "uma ",
        Language::Portuguese => "um ",
        Language::Italian if feminine && starts_with_vowel(noun.one) => "un’",
        Language::Italian if feminine => "una ",
        Language::Italian if italian_uno(noun.one) => "uno ",
        Language::Italian => "un ",
        _ => "",
    }
}

/// Russian: one in the nominative, two to four with the form for few, more with the genitive plural; what has no
/// singular is counted with collective numbers.
fn russian(count: usize, noun: &Noun, number: &str) -> String {
    let (Noun { one, several, few, .. }, class) = (noun, noun.class);
    match (count % 10, count % 100) {
        (1, last) if last != 11 => {
            let unit = match class {
                "f" => "одна",
                "n" => "одно",
                "p" => "одни",
                _ => "один",
            };
            let number = if count == 1 { unit } else { number };
            format!("{number} {one}")
        }
        (2..=4, last) if !(12..=14).contains(&last) => {
            let collective = ["двое", "трое", "четверо"].get(count - 2).filter(|_| class == "p");
            format!("{} {few}", collective.copied().unwrap_or(number))
        }
        _ => format!("{number} {several}"),
    }
}

/// Arabic: "واحد" behind one, the dual, digits with the plural up to ten, then with the singular in the accusative.
fn arabic(count: usize, noun: &Noun) -> String {
    let feminine = noun.class == "f";
    match count {
        1 => format!("{} {}", noun.one, if feminine { "واحدة" } else { "واحد" }),
        2 => format!("{} {}", noun.few, if feminine { "اثنتان" } else { "اثنان" }),
        3..=10 => format!("{count} {}", noun.several),
        _ if feminine || noun.one.contains(' ') || noun.one.ends_with(['ا', 'ء']) => format!("{count} {}", noun.one),
        _ => format!("{count} {}ًا", noun.one),
    }
}

/// Arabic: the article stands before a noun and its adjective; of two nouns in a row before the second.
fn arabic_definite(name: &str) -> String {
    const ADJECTIVES: [&str; 8] = ["نارية", "طويل", "وحشي", "ورقية", "طائر", "محلاة", "محمول", "إلكتروني"];
    let words: Vec<&str> = name.split(' ').collect();
    let last = words.len() - 1;
    let described = last == 0 || words.contains(&"في") || ADJECTIVES.contains(&words[last]);
    let takes_article = |place: usize, word: &str| {
        let own = if described {
            place == 0 || ADJECTIVES.contains(&word)
        } else {
            place == last
        };
        own && !word.starts_with("ال")
    };
    let words = words.iter().enumerate().map(|(place, word)| {
        let article = if takes_article(place, word) { "ال" } else { "" };
        format!("{article}{word}")
    });
    words.collect::<Vec<_>>().join(" ")
}

/// True if a word ends with a consonant as Koreans say it.
fn ends_closed(word: &str) -> bool {
    /// First and last syllable of Hangul, and how many endings each of them can have.
    const SYLLABLES: (char, char, u32) = ('가', '힣', 28);
    match word.chars().next_back() {
        Some(last) if (SYLLABLES.0..=SYLLABLES.1).contains(&last) => {
            !(last as u32 - SYLLABLES.0 as u32).is_multiple_of(SYLLABLES.2)
        }
        // 영, 일, 삼, 육, 칠, 팔.
        Some(last) => "013678".contains(last),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Words;
    use super::*;

    #[test]
    fn numbers_agree_with_what_they_count() {
        use Language::*;
        let expected = [
            (English, 1, "dog", "one dog"),
            (English, 13, "person", "13 people"),
            (German, 1, "dog", "einen Hund"),
            (German, 1, "cat", "eine Katze"),
            (German, 2, "couch", "zwei Sofas"),
            (French, 1, "clock", "une horloge"),
            (French, 3, "horse", "trois chevaux"),
            (Spanish, 1, "clock", "un reloj"),
            (Italian, 1, "backpack", "uno zaino"),
            (Italian, 1, "orange", "un’arancia"),
            (Italian, 1, "sink", "un lavandino"),
            (Italian, 1, "skateboard", "uno skateboard"),
            (Portuguese, 2, "apple", "duas maçãs"),
            (Portuguese, 2, "dog", "dois cachorros"),
            (Hindi, 1, "chair", "एक कुर्सी"),
            (Hindi, 3, "chair", "तीन कुर्सियाँ"),
            (Russian, 1, "apple", "одно яблоко"),
            (Russian, 2, "dog", "две собаки"),
            (Russian, 2, "apple", "два яблока"),
            (Russian, 5, "dog", "пять собак"),
            (Russian, 11, "dog", "одиннадцать собак"),
            (Russian, 14, "dog", "14 собак"),
            (Russian, 21, "dog", "21 собака"),
            (Russian, 22, "person", "22 человека"),
            (Russian, 1, "scissors", "одни ножницы"),
            (Russian, 3, "clock", "трое часов"),
            (Russian, 22, "clock", "22 часов"),
            (Arabic, 1, "car", "سيارة واحدة"),
            (Arabic, 2, "dog", "كلبان اثنان"),
            (Arabic, 5, "horse", "5 أحصنة"),
            (Arabic, 12, "dog", "12 كلبًا"),
            (Arabic, 12, "car", "12 سيارة"),
            (Japanese, 2, "dog", "犬が2匹"),
            (Japanese, 1, "person", "人が1人"),
            (Chinese, 1, "car", "一辆汽车"),
            (Chinese, 2, "person", "两个人"),
            (Chinese, 20, "bird", "20只鸟"),
            (Korean, 1, "dog", "개 한 마리"),
            (Korean, 3, "person", "사람 세 명"),
        ];
        for (language, count, label, text) in expected {
            assert_eq!(Words::of(language).counted(count, label), text);
        }
    }

    #[test]
    fn one_that_is_not_counted_has_an_article_or_nothing() {
        let shown = |language, label| Words::of(language).shown(1, label);
        assert_eq!(shown(Language::English, "apple"), "an apple");
        assert_eq!(shown(Language::English, "tv"), "a TV");
        assert_eq!(shown(Language::Russian, "cat"), "кошка");
        assert_eq!(shown(Language::Arabic, "cat"), "قطة");
        assert_eq!(Words::of(Language::Arabic).shown(2, "cat"), "قطتان");
    }

    #[test]
    fn what_is_meant_has_a_definite_article() {
        use Language::*;
        let expected = [
            (English, "dog", "The dog"),
            (German, "sheep", "Das Schaf"),
            (French, "orange", "L’orange"),
            (French, "hot dog", "Le hot-dog"),
            (Spanish, "bed", "La cama"),
            (Italian, "umbrella", "L’ombrello"),
            (Italian, "zebra", "La zebra"),
            (Italian, "backpack", "Lo zaino"),
            (Portuguese, "dog", "O cachorro"),
            (Russian, "dog", "Собака"),
            (Arabic, "dog", "الكلب"),
            (Arabic, "motorcycle", "الدراجة النارية"),
            (Arabic, "backpack", "حقيبة الظهر"),
            (Arabic, "potted plant", "النبتة في أصيص"),
            (Arabic, "surfboard", "لوح ركوب الأمواج"),
            (Japanese, "dog", "犬"),
        ];
        for (language, label, text) in expected {
            assert_eq!(Words::of(language).definite(label), text);
        }
    }

    #[test]
    fn what_is_denied_has_the_form_that_the_denial_asks_for() {
        let denied = |language, label| Words::of(language).denied(label);
        assert_eq!(denied(Language::French, "dog"), "de chiens");
        assert_eq!(denied(Language::French, "bird"), "d’oiseaux");
        assert_eq!(denied(Language::Russian, "dog"), "собак");
        assert_eq!(denied(Language::German, "horse"), "Pferde");
    }

    #[test]
    fn korean_particles_follow_their_words() {
        assert_eq!(with_particles("고양이(이)가 한 명(은)는"), "고양이가 한 명은");
        assert_eq!(
            with_particles("사람 세 명 (왼쪽, 오른쪽)(이)가"),
            "사람 세 명 (왼쪽, 오른쪽)이"
        );
        assert_eq!(with_particles("개(을)를 모두 3(이)가, 2(이)가"), "개를 모두 3이, 2가");
        assert_eq!(with_particles("갈색(과)와 흰색(이)나"), "갈색과 흰색이나");
    }
}
