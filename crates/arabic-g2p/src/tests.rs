//! Readings of words and phrases, after K. C. Ryding, "A Reference Grammar of Modern Standard Arabic", 2005, chapter 2, and
//! W. Wright, "A Grammar of the Arabic Language", volume 1.

use super::*;

fn said(text: &str) -> String {
    reading(text, |other| format!("<{other}>"))
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(said(text), expected, "{text}");
}

#[test]
fn vowels_are_long_where_a_letter_follows_their_mark() {
    check("كِتَاب", "kitˈaːb");
    check("يَقُولُونَ", "jɑquːlˈuːn");
    check("كَبِير", "kabˈiːr");
    check("عَلَى", "ʕˈalaː");
    check("بَيْت", "bˈajt");
    check("يَوْم", "jˈawm");
    check("آدَم", "ʔˈaːdam");
    // The alif behind the plural of a verb is silent, and so is that of "hundred".
    check("كَتَبُوا", "kˈatabuː");
    check("مِائَة", "mˈiʔah");
}

#[test]
fn doubled_letters_are_said_twice_and_dark_ones_darken_a() {
    check("مُدَرِّس", "mudˈarris");
    check("قُوَّة", "qˈuwwah");
    check("صَبَاح", "sˤɑbˈaːħ");
    check("طَالِب", "tˤˈɑːlib");
}

#[test]
fn the_article_joins_what_is_before_it() {
    check("الْبَيْت", "ʔalbˈajt");
    check("الشَّمْس", "ʔaʃʃˈams");
    check("فِي الْبَيْتِ", "fˈil bˈajt");
    check("بِالتَّالِي", "bittˈaːliː");
    check("وَالْبَيْتُ", "walbˈajt");
    check("لِلشَّرِكَةِ", "liʃʃˈarikah");
    check("وَالَّذِي قَالَ", "wˈallaðiː qˈɑːl");
    check("مِنْ الْبَيْتِ", "mˈinil bˈajt");
    check("رَجُلٌ اسْمُهُ", "radʒˈulunis mˈuh");
    // The alif of these is no article's.
    check("وَالِد", "wˈaːlid");
    check("وَاحِد", "wˈaːħid");
}

#[test]
fn the_vowel_of_the_beginning_follows_the_third_letter() {
    check("اسْتِقْبَال", "ʔistiqbˈaːl");
    check("اُكْتُبْ", "ʔˈuktub");
    check("اسْتُخْدِمَ", "ʔustˈuxdim");
    check("ابْنُهُ", "ʔˈibnuh");
    check("عَلَى الِاتِّفَاقِ", "ʕˈalal ittifˈɑːq");
}

#[test]
fn cases_are_said_but_before_a_pause() {
    check("تَأْثِيرٌ سَلْبِيٌّ", "taʔθˈiːrun sˈalbiː");
    check("جِدًّا", "dʒˈiddaː");
    check("جِدًّا وَ", "dʒˈiddan wˈa");
    check("مَدِينَةُ النُّورِ", "madˈiːnatun nˈuːr");
    check("فَتًى", "fˈataː");
    check("فَتًى قَالَ", "fˈatan qˈɑːl");
    check("هُوَ", "hˈuː");
}

#[test]
fn some_words_have_a_long_a_that_is_not_written() {
    check("هَذَا", "hˈaːðaː");
    check("بِهَذَا", "bihˈaːðaː");
    check("لَكِنَّ الْبَيْتَ", "laːkˈinnal bˈajt");
    check("وَلَكِنْ قَالَ", "walˈaːkin qˈɑːl");
    check("بِاللَّهِ", "billˈaːh");
    check("هَٰذِهِ", "hˈaːðih");
}

#[test]
fn numbers_are_words_and_the_rest_is_somebody_elses() {
    check("20", "ʕiʃrˈuːn");
    check("1000", "ʔˈalf");
    check("300", "θalaːθˈumiʔah");
    check("15 x", "xamsatˈaʕaʃar <x>");
    check("7000", "<7000>");
    check("", "");
}

/// A network that gives every character the same class.
struct Always(i64);

impl quartet_inference::Graphs for Always {
    fn run(
        &self,
        graph: &str,
        inputs: Vec<quartet_inference::NamedTensor>,
        outputs: &[&str],
    ) -> Result<Vec<quartet_inference::NamedTensor>, quartet_inference::GraphError> {
        assert_eq!(
            (graph, inputs[0].name.as_str(), outputs),
            (GRAPH, "input", &["gated_cls"][..])
        );
        let count = inputs[0].tensor.shape()[1];
        let classes = quartet_inference::Data::I64(vec![self.0; count]);
        let tensor = quartet_inference::Tensor::new([1, count], classes).expect("it fits");
        Ok(vec![quartet_inference::NamedTensor::new("gated_cls", tensor)])
    }
}

/// Fatha, and fatha with a hamza above.
const FATHA: Always = Always(24);
const FATHA_HAMZA: Always = Always(36);

#[test]
fn marks_are_put_on_letters_alone() {
    let marked = vowelled(&["كتب 12", "ذهب"], &FATHA).unwrap();
    assert_eq!(marked, ["كَتَبَ 12", "ذَهَبَ"]);
    assert_eq!(vowelled(&["انا"], &FATHA_HAMZA).unwrap(), ["أَنَأَ"]);
}

#[test]
fn what_a_writer_marked_stays() {
    // One mark of three: the others are added. Most of them: nothing is.
    assert_eq!(vowelled(&["كُتب"], &FATHA).unwrap(), ["كُتَبَ"]);
    assert_eq!(vowelled(&["مدر\u{651}س"], &FATHA).unwrap(), ["مَدَر\u{651}\u{64e}سَ"]);
    assert_eq!(vowelled(&["أَلْف كتب"], &FATHA).unwrap(), ["أَلْف كَتَبَ"]);
    struct Unasked;
    impl quartet_inference::Graphs for Unasked {
        fn run(
            &self,
            _: &str,
            _: Vec<quartet_inference::NamedTensor>,
            _: &[&str],
        ) -> Result<Vec<quartet_inference::NamedTensor>, quartet_inference::GraphError> {
            unreachable!("nothing is left to say")
        }
    }
    assert_eq!(vowelled(&["كُتِبَ"], &Unasked).unwrap(), ["كُتِبَ"]);
    // The order in which Unicode composes them is not that in which they are read.
    assert_eq!(
        vowelled(&["كَت\u{64e}\u{651}بَ"], &Unasked).unwrap(),
        ["كَت\u{651}\u{64e}بَ"]
    );
}
