//! Visual to logical order of right-to-left lines: characters come in the order of the picture, from the left, and are
//! brought into the order in which they are written. Words of other scripts and numbers in them run from left to right.

/// Returns true if a character runs from right to left.
pub fn is_right_to_left(character: char) -> bool {
    matches!(character, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}')
        && !is_number(character)
}

/// Returns true if most letters of a text run from right to left.
pub fn runs_right_to_left(text: &str) -> bool {
    let letters = text.chars().filter(|character| character.is_alphabetic());
    let (right, left): (Vec<char>, Vec<char>) = letters.partition(|character| is_right_to_left(*character));
    right.len() > left.len()
}

fn is_number(character: char) -> bool {
    character.is_numeric()
}

/// Puts the characters of a line, given from its left, into the order in which they are written.
pub fn logical_order(characters: &[&str]) -> String {
    let first = |index: usize| characters[index].chars().next().unwrap_or(' ');
    let right = |index: usize| is_right_to_left(first(index));
    if !(0..characters.len()).any(right) {
        return characters.concat();
    }
    let number = |index: usize| is_number(first(index));
    let left = |index: usize| first(index).is_alphabetic() && !right(index) && !number(index);
    // Runs from left to right, as they are; all else one by one.
    let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
    let mut index = 0;
    while index < characters.len() {
        let mut end = index + 1;
        if left(index) {
            let mut ahead = end;
            while ahead < characters.len() && !right(ahead) {
                ahead += 1;
                if left(ahead - 1) || number(ahead - 1) {
                    end = ahead;
                }
            }
        } else if number(index) {
            let between = |index: usize| matches!(first(index), '.' | ',' | ':' | '/' | '٫' | '٬');
            while end < characters.len()
                && (number(end) || between(end) && end + 1 < characters.len() && number(end + 1))
            {
                end += 1;
            }
        }
        runs.push(index..end);
        index = end;
    }
    runs.into_iter()
        .rev()
        .flat_map(|run| characters[run].iter().copied())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_from_the_right_and_numbers_from_the_left() {
        for (seen, written) in [
            ("ةيرح", "حرية"),
            ("2024 ماع 15,5", "15,5 عام 2024"),
            ("Windows 10 ماظن", "نظام Windows 10"),
            ("no letters of it", "no letters of it"),
            ("", ""),
        ] {
            let characters: Vec<String> = seen.chars().map(String::from).collect();
            let characters: Vec<&str> = characters.iter().map(String::as_str).collect();
            assert_eq!(logical_order(&characters), written);
        }
        assert!(runs_right_to_left("نظام Win") && !runs_right_to_left("Windows نظام"));
    }
}
