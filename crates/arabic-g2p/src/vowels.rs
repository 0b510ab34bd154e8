//! The vowels that nobody writes, by a small network: rawi-ensemble of text2tashkeel, two LSTMs over the characters of a
//! sentence, of which one says where a mark stands and the other which one.

use quartet_inference::{Data, GraphError, Graphs, NamedTensor, Tensor};
use unicode_normalization::UnicodeNormalization;

use crate::letters::{Mark, SHADDA, is_letter, is_mark, mark};

/// The graph that tells the marks of characters.
pub const GRAPH: &str = "arabic-vowels";

/// Characters without a number of their own.
const UNKNOWN: i64 = 1;

/// The letters in the order of their numbers, of which the first is [`FIRST_LETTER`]. Those with a hamza are not among them:
/// it is a mark to the network.
const LETTERS: &str = "ءابةتثجحخدذرزسشصضطظعغـفقكلمنهوىي";
const FIRST_LETTER: i64 = 148;

/// The marks of each class, as the vocabulary of the network has them.
const CLASSES: [&str; 75] = [
    "",
    "\u{300}",
    "\u{301}",
    "\u{303}",
    "\u{304}",
    "\u{307}",
    "\u{308}",
    "\u{30a}",
    "\u{327}",
    "\u{328}",
    "\u{64b}",
    "\u{64b}\u{64e}",
    "\u{64b}\u{651}",
    "\u{64b}\u{654}",
    "\u{64c}",
    "\u{64c}\u{651}",
    "\u{64c}\u{654}",
    "\u{64c}\u{670}",
    "\u{64d}",
    "\u{64d}\u{651}",
    "\u{64d}\u{651}\u{654}",
    "\u{64d}\u{654}",
    "\u{64d}\u{655}",
    "\u{64d}\u{fe0f}",
    "\u{64e}",
    "\u{64e}\u{64e}",
    "\u{64e}\u{64e}\u{651}",
    "\u{64e}\u{64e}\u{651}\u{654}",
    "\u{64e}\u{64e}\u{654}",
    "\u{64e}\u{64f}",
    "\u{64e}\u{650}",
    "\u{64e}\u{651}",
    "\u{64e}\u{651}\u{653}",
    "\u{64e}\u{651}\u{654}",
    "\u{64e}\u{651}\u{655}",
    "\u{64e}\u{653}",
    "\u{64e}\u{654}",
    "\u{64e}\u{655}",
    "\u{64e}\u{670}",
    "\u{64f}",
    "\u{64f}\u{64f}",
    "\u{64f}\u{650}",
    "\u{64f}\u{651}",
    "\u{64f}\u{651}\u{654}",
    "\u{64f}\u{653}",
    "\u{64f}\u{654}",
    "\u{64f}\u{655}",
    "\u{650}",
    "\u{650}\u{650}",
    "\u{650}\u{650}\u{651}",
    "\u{650}\u{650}\u{655}",
    "\u{650}\u{651}",
    "\u{650}\u{651}\u{654}",
    "\u{650}\u{651}\u{670}",
    "\u{650}\u{652}",
    "\u{650}\u{653}",
    "\u{650}\u{654}",
    "\u{650}\u{655}",
    "\u{650}\u{fe0f}",
    "\u{651}",
    "\u{651}\u{651}",
    "\u{651}\u{652}",
    "\u{651}\u{654}",
    "\u{652}",
    "\u{652}\u{652}",
    "\u{652}\u{653}",
    "\u{652}\u{654}",
    "\u{653}",
    "\u{654}",
    "\u{654}\u{6e1}",
    "\u{655}",
    "\u{670}",
    "\u{6d8}",
    "\u{6e1}",
    "\u{fe0f}",
];

/// Between the parts of a sentence, and after it.
const COMMA: &str = "، ";
const FULL_STOP: &str = ".";

/// The parts of a sentence with the marks that a reader would put, the doubling one first. Words of which most letters have a
/// mark keep what they have, and every mark that somebody wrote stays.
///
/// # Errors
/// When the graph cannot be computed. It is not asked where nothing is left to say.
pub fn vowelled(parts: &[&str], graphs: &impl Graphs) -> Result<Vec<String>, GraphError> {
    let unmarked = |part: &&str| part.split(' ').any(needs_marks);
    let mut classes = if parts.iter().any(unmarked) {
        classes(&(parts.join(COMMA) + FULL_STOP), graphs)?
    } else {
        Vec::new()
    }
    .into_iter();
    let mut marked = Vec::with_capacity(parts.len());
    for part in parts {
        let plain = part.chars().filter(|character| !is_mark(*character)).count();
        let marks: Vec<&str> = classes.by_ref().take(plain).collect();
        // Those of what stands between two parts.
        classes.by_ref().take(COMMA.chars().count()).for_each(drop);
        marked.push(with_marks(part, &marks));
    }
    Ok(marked)
}

/// The marks of each character of a sentence that is none itself.
fn classes(sentence: &str, graphs: &impl Graphs) -> Result<Vec<&'static str>, GraphError> {
    let characters = sentence.chars().filter(|character| !is_mark(*character));
    let tokens: Vec<i64> = characters.map(token).collect();
    let count = tokens.len();
    let invalid = |error: quartet_inference::InvalidTensor| GraphError::InvalidInput(error.to_string());
    let tokens = Tensor::new([1, count], Data::I64(tokens)).map_err(invalid)?;
    let outputs = graphs.run(GRAPH, vec![NamedTensor::new("input", tokens)], &["gated_cls"])?;
    let classes: Vec<i64> = match outputs.first().map(|output| output.tensor.data()) {
        Some(Data::I64(classes)) => classes.clone(),
        // The engines compute with whole numbers of 32 bits.
        Some(Data::I32(classes)) => classes.iter().copied().map(i64::from).collect(),
        _ => Vec::new(),
    };
    if classes.len() != count {
        return Err(GraphError::Failed(format!(
            "`{GRAPH}` does not tell the marks of {count} characters"
        )));
    }
    let marks = |class: &i64| usize::try_from(*class).ok().and_then(|class| CLASSES.get(class));
    Ok(classes
        .iter()
        .map(|class| marks(class).copied().unwrap_or_default())
        .collect())
}

/// Returns true for a word of which most letters have no mark.
fn needs_marks(word: &str) -> bool {
    let letters = word.chars().filter(|character| is_letter(*character)).count();
    let marks = word.chars().filter(|character| mark(*character).is_some()).count();
    2 * marks < letters
}

/// The number of a character.
fn token(character: char) -> i64 {
    // A letter with a hamza is a letter and a mark.
    let base = std::iter::once(character).nfd().next().unwrap_or(character);
    if let Some(place) = LETTERS.chars().position(|letter| letter == base) {
        return FIRST_LETTER + place as i64;
    }
    match base {
        ' ' => 3,
        // The printed characters of ASCII follow one another, but for one.
        '!'..=';' => i64::from(u32::from(base)) - 29,
        '='..='~' => i64::from(u32::from(base)) - 30,
        '،' => 145,
        '؛' => 146,
        '؟' => 147,
        _ => UNKNOWN,
    }
}

/// A part of a sentence, with `marks` for each character of it that is no mark.
fn with_marks(part: &str, marks: &[&str]) -> String {
    let mut marks = marks.iter();
    let mut written = String::with_capacity(part.len() * 2);
    for (index, word) in part.split(' ').enumerate() {
        if index > 0 {
            written.push(' ');
            marks.next();
        }
        let needs_marks = needs_marks(word);
        let mut characters = word.chars().peekable();
        while let Some(character) = characters.next() {
            let given = if is_mark(character) { None } else { marks.next() };
            if !is_letter(character) {
                written.push(character);
                continue;
            }
            let given = given.filter(|_| needs_marks).copied().unwrap_or_default();
            let mut own = String::new();
            while let Some(sign) = characters.next_if(|next| is_mark(*next)) {
                own.push(sign);
            }
            written.push(with_hamza(character, given));
            if own.contains(SHADDA) || given.contains(SHADDA) {
                written.push(SHADDA);
            }
            written.extend(vowel(&own).or_else(|| vowel(given)));
        }
    }
    written
}

/// The sign of a vowel among those of a letter; a long one stands beside the short one that it is made of.
fn vowel(signs: &str) -> Option<char> {
    let find = |wanted: fn(Mark) -> bool| signs.chars().find(|sign| mark(*sign).is_some_and(wanted));
    find(|mark| mark == Mark::Dagger).or_else(|| find(|_| true))
}

/// An alif with the hamza that its writer left out.
fn with_hamza(letter: char, marks: &str) -> char {
    let hamza = |sign: char| match sign {
        '\u{653}' => Some('آ'),
        '\u{654}' => Some('أ'),
        '\u{655}' => Some('إ'),
        _ => None,
    };
    match letter {
        'ا' => marks.chars().find_map(hamza).unwrap_or(letter),
        _ => letter,
    }
}
