//! Russian numbers before nouns: the case of a year's or a century's ordinal, the gender of one and two, the case of cardinals.

use super::super::rules::Agreement;
use super::cases::{Case, declined};
use super::ordinal;

/// Prepositions and comparatives after which numbers are in the genitive.
const GENITIVE: &str = "около до от из изо без для у после кроме против среди вокруг с со более менее больше меньше свыше порядка \
    старше младше выше ниже дольше из-за течение течении возрасте старее кроме вместо ради позже раньше половина половину размере \
    сумме количестве";
const DATIVE: &str = "к ко благодаря согласно";
const INSTRUMENTAL: &str = "между над под перед";
const PREPOSITIONAL: &str = "о об обо при";
const ACCUSATIVE: &str = "за через про сквозь";

fn listed(list: &str, word: &str) -> bool {
    !word.is_empty() && list.split_ascii_whitespace().any(|listed| listed == word)
}

/// The case that the word before a number asks for, if it asks for one of its own accord.
pub(crate) fn governed(previous: &str) -> Case {
    match previous {
        _ if listed(GENITIVE, previous) => Case::Genitive,
        _ if listed(DATIVE, previous) => Case::Dative,
        _ if listed(INSTRUMENTAL, previous) => Case::Instrumental,
        _ if listed(PREPOSITIONAL, previous) => Case::Prepositional,
        _ if listed(ACCUSATIVE, previous) => Case::Accusative,
        _ => Case::Nominative,
    }
}

/// The words for a number before a noun: years and centuries as ordinals in the noun's case, other numbers in the case and
/// gender of what they count. Returns the words and how many bytes of `following` (the text after the number and its space)
/// they say too.
pub(crate) fn counted(number: u64, previous: &str, following: &str) -> Option<(String, usize)> {
    if let Some(said) = abbreviated_year(number, previous, following) {
        return Some(said);
    }
    let word: String = following.chars().take_while(|c| c.is_alphabetic()).take(24).collect();
    year_or_century(number, previous, &word)
        .or_else(|| bare_year(number, previous, following, &word))
        .or_else(|| before_noun(number, previous, &word))
        .map(|words| (words, 0))
}

/// The case of the ordinal and of "год" after the preposition before it ("1999 г.").
fn abbreviated_year(number: u64, previous: &str, following: &str) -> Option<(String, usize)> {
    let rest = following.strip_prefix('г')?.trim_start_matches('.');
    if !(1000..2200).contains(&number) || rest.starts_with(char::is_alphabetic) {
        return None;
    }
    let (suffix, noun) = match previous {
        "в" | "во" | "о" => ("м", "году"),
        "" => ("й", "год"),
        _ => ("го", "года"),
    };
    // The full stop stays if a sentence seems to end with it.
    let ends = following.starts_with("г.") && {
        let after = rest.trim_start();
        after.is_empty() || after.starts_with(char::is_uppercase)
    };
    let consumed = following.len() - rest.len() - usize::from(ends);
    ordinal(number, suffix).map(|words| (format!("{words} {noun}"), consumed))
}

fn year_or_century(number: u64, previous: &str, word: &str) -> Option<String> {
    // "22 года", "21 год" are counted.
    let counts = number < 1000 && number % 100 / 10 != 1 && (1..5).contains(&(number % 10));
    if counts && matches!(word, "год" | "года") {
        return None;
    }
    let suffix = match word {
        "году" | "веку" if matches!(previous, "к" | "по") => "му",
        "год" | "век" => "й",
        "году" | "веке" => "м",
        "века" if number > 4 => "го",
        "года" => "го",
        "годом" | "веком" => "ым",
        "годы" if number >= 20 => "е",
        "годах" if number >= 1000 => "х",
        "годов" if number >= 1000 => "х",
        _ => return None,
    };
    ordinal(number, suffix)
}

/// A year without its word: after a preposition, where nothing is counted.
fn bare_year(number: u64, previous: &str, following: &str, word: &str) -> Option<String> {
    let goes_on = matches!(
        word,
        "по" | "до" | "и" | "или" | "как" | "был" | "была" | "были" | "было" | "на" | "не"
    );
    let counts = following.starts_with(|c: char| c.is_alphanumeric() || "%₽$€№".contains(c));
    if !(1000..2100).contains(&number) || counts && !goes_on {
        return None;
    }
    let suffix = match previous {
        "в" | "во" => "м",
        "с" | "до" | "после" | "от" | "начала" | "конца" => "го",
        "к" => "му",
        "по" => "й",
        _ => return None,
    };
    ordinal(number, suffix)
}

/// Masculine nouns in -а and -я: "два мужчины".
const MASCULINE: &str =
    "мужчина мужчины дядя дяди дедушка дедушки юноша юноши судья судьи папа папы коллега коллеги староста";
/// Feminine nouns with a soft sign: "одна ночь"; those in -сть besides.
const SOFT_FEMININE: &str = "ночь дверь часть мать дочь площадь модель кровать лошадь соль нефть сеть речь помощь вещь жизнь \
    смерть цель роль тетрадь печь осень мышь тень тысяча ступень церковь любовь кость степень очередь запись подпись постель мелочь";

/// A cardinal before the noun `word`, in its case and gender; `None` if counting says the same.
fn before_noun(number: u64, previous: &str, word: &str) -> Option<String> {
    let lower = word.chars().next().is_some_and(char::is_lowercase);
    let noun = lower && word.chars().count() >= 3 && !is_function_word(word);
    let case = case_of(previous, if noun { word } else { "" }, number);
    if !noun {
        // "с 9 до 18", "к 8", "без 5": the preposition governs the number alone.
        let alone = !matches!(case, Case::Nominative | Case::Accusative);
        return alone.then(|| declined(number, Agreement::Masculine, case));
    }
    let gender = gender(number, case, word);
    Some(declined(number, gender, case))
}

fn is_function_word(word: &str) -> bool {
    matches!(
        word,
        "или"
            | "для"
            | "что"
            | "это"
            | "его"
            | "она"
            | "они"
            | "был"
            | "была"
            | "было"
            | "были"
            | "как"
            | "так"
            | "при"
            | "под"
            | "над"
            | "без"
            | "все"
            | "после"
            | "перед"
            | "через"
    )
}

/// The case by the noun's ending where it shows one, by the preposition elsewhere.
fn case_of(previous: &str, word: &str, number: u64) -> Case {
    let plural = number % 10 != 1 || number % 100 == 11;
    if plural && (word.ends_with("ами") || word.ends_with("ями") || word.ends_with("ьми")) {
        return Case::Instrumental;
    }
    if plural && (word.ends_with("ах") || word.ends_with("ях")) {
        return Case::Prepositional;
    }
    if plural
        && (word.ends_with("ам") || word.ends_with("ям"))
        && matches!(previous, "к" | "ко" | "по" | "благодаря" | "согласно" | "рад" | "")
        && word != "грамм"
    {
        return Case::Dative;
    }
    let governed = governed(previous);
    match governed {
        // "с 2 детьми" was the instrumental; a genitive after it: "с 5 часов".
        Case::Instrumental if !word.is_empty() => Case::Nominative,
        // "о 5 книгах" has shown its case, and "при 5 градусах".
        Case::Prepositional if !word.is_empty() && plural => Case::Nominative,
        Case::Nominative | Case::Accusative if !plural && word.ends_with(['у', 'ю']) && number < 1_000_000 => {
            Case::Accusative
        }
        _ => governed,
    }
}

/// The gender of what one or two count: one agrees with a singular, two stands before the genitive singular.
fn gender(number: u64, case: Case, word: &str) -> Agreement {
    if listed(MASCULINE, word) {
        return Agreement::Masculine;
    }
    let last = word.chars().next_back().unwrap_or(' ');
    let soft = listed(SOFT_FEMININE, word) || word.ends_with("сть");
    match (number % 10, number % 100 / 10, case) {
        (_, 1, _) => Agreement::Masculine,
        (1, _, Case::Nominative) => match last {
            'а' | 'я' => Agreement::Feminine,
            'о' | 'е' => Agreement::Neuter,
            _ if soft => Agreement::Feminine,
            _ => Agreement::Masculine,
        },
        (1, _, Case::Accusative) if matches!(last, 'у' | 'ю') || soft => Agreement::Feminine,
        (1, _, Case::Accusative) if matches!(last, 'о' | 'е') => Agreement::Neuter,
        (1, _, Case::Genitive) if matches!(last, 'ы' | 'и') => Agreement::Feminine,
        (1, _, Case::Instrumental | Case::Dative | Case::Prepositional)
            if ["ой", "ей", "ью"].iter().any(|end| word.ends_with(end)) =>
        {
            Agreement::Feminine
        }
        // Книги, but стола; of adjectives новые, but новых.
        (2, _, Case::Nominative | Case::Accusative)
            if matches!(last, 'ы' | 'и') || word.ends_with("ые") || word.ends_with("ие") =>
        {
            Agreement::Feminine
        }
        _ => Agreement::Masculine,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gender_and_case_follow_noun_and_preposition() {
        for (number, previous, following, words, consumed) in [
            (2, "", "книги", "две", 0),
            (1, "", "книга", "одна", 0),
            (21, "", "окно", "двадцать одно", 0),
            (2, "", "стола", "два", 0),
            (2, "", "мужчины", "два", 0),
            (1, "", "ночь", "одна", 0),
            (100, "около", "человек", "ста", 0),
            (5, "до", "часов", "пяти", 0),
            (5, "в", "километрах", "пяти", 0),
            (2, "с", "детьми", "двумя", 0),
            (3, "о", "вещах", "трёх", 0),
            (5, "к", "часам", "пяти", 0),
            (1, "за", "минуту", "одну", 0),
            (9, "с", "до 18", "девяти", 0),
            (21, "более", "страны", "двадцати одной", 0),
            (1950, "около", "человек", "тысячи девятисот пятидесяти", 0),
            (1999, "в", "году", "тысяча девятьсот девяносто девятом", 0),
            (1999, "в", "г. он", "тысяча девятьсот девяносто девятом году", 3),
            (1945, "в", "", "тысяча девятьсот сорок пятом", 0),
            (1939, "с", "по 1945", "тысяча девятьсот тридцать девятого", 0),
            (2030, "к", "году", "две тысячи тридцатому", 0),
            (22, "", "года", "двадцать два", 0),
            (21, "", "год", "двадцать один", 0),
            (2024, "", "года", "две тысячи двадцать четвёртого", 0),
        ] {
            assert_eq!(
                counted(number, previous, following),
                Some((words.to_owned(), consumed)),
                "{previous} {number} {following}"
            );
        }
        assert_eq!(counted(100, "в", ""), None);
    }
}
