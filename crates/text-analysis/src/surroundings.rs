//! What stands around a sentence: the list that it introduces or belongs to, and the sentences beside it.

use std::ops::RangeInclusive;

use quartet_api::Language;

use crate::index::Index;

/// Limit in characters for a sentence with what stands around it.
const MAX_CHARS: usize = 700;
/// Characters from which on a part of a sentence stands for it.
const MIN_PART_CHARS: usize = 20;
/// What a sentence ends with in the twelve languages.
const SENTENCE_ENDS: [char; 8] = ['.', '!', '?', '。', '！', '？', '।', '؟'];

impl Index {
    /// A sentence of the text with the list that it introduces, or of which it is an item that says nothing without the line before the
    /// list; each item in its own line, with the page on which that begins. None where there is no such list, or it is too long to be
    /// quoted.
    ///
    /// The page is the sentence's, or the one before it, or none where it is not known.
    #[must_use]
    pub fn with_its_list(&self, sentence: &str, page: Option<usize>) -> Option<(usize, String)> {
        let line = self.line_of(sentence, page)?;
        let (first, last) = self.list_of(line)?;
        // The end of a long list does not matter to an item of it.
        [first..=last, first..=line].into_iter().find_map(|lines| {
            let has_more = lines.clone().count() > 1;
            has_more.then(|| self.quoted(lines)).flatten()
        })
    }

    /// Sentences of the text with the one before and the one after them in their paragraph, or with the list that they belong to,
    /// and the page on which that begins. None where one of them is not found, or they are too far apart to be quoted.
    #[must_use]
    pub fn with_neighbours(&self, sentences: &[&str], page: usize) -> Option<(usize, String)> {
        let lines: Option<Vec<usize>> = sentences
            .iter()
            .map(|sentence| self.line_of(sentence, Some(page)))
            .collect();
        let lines = lines?;
        let (first, last) = (*lines.iter().min()?, *lines.iter().max()?);
        let is_beside = |line: usize, other: usize| {
            let (line, other) = (self.sentences[line], self.sentences.get(other));
            other.is_some_and(|other| other.paragraph == line.paragraph)
        };
        // A paragraph is about one thing, unless it is one sentence.
        let goes_with = |line: usize, other: usize| {
            let before = line.checked_sub(1);
            let is_alone = before.is_none_or(|before| !is_beside(line, before)) && !is_beside(line, line + 1);
            let heading = self.sentences[line].heading;
            let is_of_section = self.sentences.get(other).is_some_and(|other| other.heading == heading);
            is_beside(line, other) || is_alone && is_of_section
        };
        let before = first.checked_sub(1).filter(|before| goes_with(first, *before));
        let after = Some(last + 1).filter(|after| goes_with(last, *after));
        let wide = before.unwrap_or(first)..=after.unwrap_or(last);
        let listed = match (self.list_of(first), self.list_of(last)) {
            (None, None) => None,
            (one, other) => Some(one.map_or(first, |(first, _)| first)..=other.map_or(last, |(_, last)| last)),
        };
        // A list is one thing, whose neighbours say something else.
        let ranges = [listed, Some(wide), Some(first..=last)];
        ranges.into_iter().flatten().find_map(|lines| self.quoted(lines))
    }

    /// The line that is a sentence, on a page or the one after it, or on any.
    fn line_of(&self, sentence: &str, page: Option<usize>) -> Option<usize> {
        let wanted = Some(words(sentence)).filter(|wanted| !wanted.is_empty())?;
        let is_near = |line: &usize| {
            let there = self.sentences[*line].page as usize;
            page.is_none_or(|page| there == page || there == page + 1)
        };
        let near = || (0..self.sentences.len()).filter(is_near);
        let same = near().find(|line| words(self.line(*line)) == wanted);
        // Others split sentences elsewhere; a few words stand in many.
        let is_long = wanted.chars().count() >= MIN_PART_CHARS;
        let part = || near().find(|line| words(self.line(*line)).contains(&wanted));
        same.or_else(|| part().filter(|_| is_long))
    }

    /// The first and the last line of the list that a line introduces, or of which it is an item that is no sentence: "To enter you need:",
    /// "a card of the club". An item that is one says what it says by itself, and so does one of a list that nothing introduces.
    pub(super) fn list_of(&self, line: usize) -> Option<(usize, usize)> {
        let heading = self.sentences[line].heading;
        let is_item = |at: usize| {
            self.sentences
                .get(at)
                .is_some_and(|other| other.item && other.heading == heading)
        };
        let introduces = |at: usize| self.line(at).trim_end().ends_with([':', '：']) && is_item(at + 1);
        let head = match is_item(line) {
            _ if introduces(line) => line,
            true if !self.line(line).trim_end().ends_with(SENTENCE_ENDS) => {
                let first = (0..line).rev().take_while(|at| is_item(*at)).last().unwrap_or(line);
                let head = first.checked_sub(1).filter(|head| introduces(*head));
                head.filter(|head| self.sentences[*head].heading == heading)?
            }
            _ => return None,
        };
        let last = (head + 1..self.sentences.len()).take_while(|at| is_item(*at)).last()?;
        Some((head, last))
    }

    /// Lines as one text with their first page; none if that is too long to be quoted.
    fn quoted(&self, lines: RangeInclusive<usize>) -> Option<(usize, String)> {
        let page = self.sentences[*lines.start()].page as usize;
        let text = self.text_of(lines);
        (text.chars().count() <= MAX_CHARS).then_some((page, text))
    }

    /// Lines as one text, with a line end between paragraphs.
    pub(super) fn text_of(&self, lines: RangeInclusive<usize>) -> String {
        let space = match self.language() {
            Language::Japanese | Language::Chinese => "",
            _ => " ",
        };
        let mut text = String::new();
        let mut before = None;
        for line in lines {
            let paragraph = self.sentences[line].paragraph;
            if let Some(before) = before {
                text.push_str(if before == paragraph { space } else { "\n" });
            }
            text.push_str(&words(self.line(line)));
            before = Some(paragraph);
        }
        text
    }
}

/// A text with one space between its words.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Block, Document, Kind, Page};

    fn index(blocks: &[(Kind, &str)]) -> Index {
        let blocks = blocks.iter().map(|(kind, text)| Block {
            kind: *kind,
            text: (*text).to_owned(),
        });
        let page = Page {
            number: 1,
            blocks: blocks.collect(),
            ..Page::default()
        };
        Index::build(&Document {
            pages: vec![page],
            ..Document::default()
        })
    }

    #[test]
    fn a_list_is_quoted_with_the_line_before_it() {
        let index = index(&[
            (Kind::Paragraph, "Tents may stay for a week. To book a place you need:"),
            (Kind::ListItem, "a card of the club"),
            (Kind::ListItem, "twelve euros in cash"),
            (Kind::Paragraph, "Fires are forbidden. Dogs are welcome."),
            (Kind::Paragraph, "These are our rules:"),
            (Kind::ListItem, "Cats stay at home."),
            (Kind::ListItem, "Guests leave at ten."),
            (Kind::Heading, "Prices"),
            (Kind::ListItem, "four euros a night"),
            (Kind::ListItem, "nothing for children"),
        ]);
        let listed = |sentence: &str| index.with_its_list(sentence, Some(1)).map(|(_, text)| text);
        let around = |sentence: &str| index.with_neighbours(&[sentence], 1).map(|(_, text)| text);
        let list = "To book a place you need:\na card of the club\ntwelve euros in cash";
        for sentence in [
            "To book a place you need:",
            "twelve euros in cash",
            "a card of  the club",
        ] {
            assert_eq!(listed(sentence).as_deref(), Some(list), "{sentence}");
            assert_eq!(around(sentence).as_deref(), Some(list), "{sentence}");
        }
        let rules = "These are our rules:\nCats stay at home.\nGuests leave at ten.";
        assert_eq!(listed("These are our rules:").as_deref(), Some(rules));
        for sentence in [
            // No list, or an item that says what it says by itself, or one that nothing introduces.
            "Fires are forbidden.",
            "Cats stay at home.",
            "four euros a night",
            // What does not stand there, or is a part of an item, which may be any word.
            "Horses are forbidden.",
            "euros",
            "elve euros in cash",
        ] {
            assert_eq!(listed(sentence), None, "{sentence}");
        }
        assert_eq!(
            around("Dogs are welcome.").as_deref(),
            Some("Fires are forbidden. Dogs are welcome.")
        );
    }

    #[test]
    fn what_is_too_long_is_quoted_without_its_surroundings() {
        let long = format!("It is {} far.", "very ".repeat(100));
        let item = "a thing ".repeat(20);
        let mut blocks = vec![
            (Kind::Heading, "Way"),
            (Kind::Paragraph, long.as_str()),
            (Kind::Paragraph, "Take the train."),
            (Kind::Paragraph, long.as_str()),
            (Kind::Paragraph, "You need:"),
        ];
        blocks.extend(std::iter::repeat_n((Kind::ListItem, item.trim()), 5));
        blocks.push((Kind::ListItem, "a map"));
        let index = index(&blocks);
        assert_eq!(
            index.with_neighbours(&["Take the train."], 1),
            Some((1, "Take the train.".to_owned()))
        );
        assert_eq!(index.with_its_list("a map", Some(1)), None);
        let first = index.with_its_list(item.trim(), None);
        assert_eq!(first, Some((1, format!("You need:\n{}", item.trim()))));
    }
}
