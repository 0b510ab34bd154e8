//! Tests of readings against the rules of the language and its dictionaries.

use proptest::prelude::*;

use super::kana::katakana;
use super::reading;

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(&reading(text), expected, "{text}");
    }
}

/// The reading without spaces, which no rule fixes.
fn joined(text: &str) -> String {
    reading(text).replace(' ', "")
}

fn check_joined(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(&joined(text), expected, "{text}");
    }
}

#[test]
fn particles_and_long_vowels() {
    check(&[
        ("東京へ行く。", "トーキョーエ イク。"),
        ("私は学生です。", "ワタシワ ガクセーデス。"),
        ("本を読む。", "ホンオ ヨム。"),
        ("母は花へ水をやる。", "ハハワ ハナエ ミズオ ヤル。"),
        ("こんにちは、元気ですか？", "コンニチワ、ゲンキデスカ？"),
        ("大きな学校に行った", "オーキナ ガッコーニ イッタ"),
    ]);
}

/// Article 1 of the Universal Declaration of Human Rights.
#[test]
fn formal_prose() {
    check_joined(&[(
        "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられて\
         おり、互いに同胞の精神をもって行動しなければならない。",
        "スベテノニンゲンワ、ウマレナガラニシテジユーデアリ、カツ、ソンゲントケンリトニツイテビョードーデアル。ニンゲンワ、\
         リセートリョーシントオサズケラレテオリ、タガイニドーホーノセーシンオモッテコードーシナケレバナラナイ。",
    )]);
}

#[test]
fn counters_change_their_sounds() {
    check_joined(&[
        (
            "1本、2本、3本、6本、8本、10本",
            "イッポン、ニホン、サンボン、ロッポン、ハッポン、ジュッポン",
        ),
        (
            "百匹、三階、一分、三分、四分",
            "ヒャッピキ、サンガイ、イップン、サンプン、ヨンプン",
        ),
        (
            "三百、六百、八百、三千、八千",
            "サンビャク、ロッピャク、ハッピャク、サンゼン、ハッセン",
        ),
        ("1人、2人、3人", "ヒトリ、フタリ、サンニン"),
        ("一つ、二つ、九つ", "ヒトツ、フタツ、ココノツ"),
        ("8歳と20歳", "ハッサイトニジュッサイ"),
        ("4月、7月、9月", "シガツ、シチガツ、クガツ"),
        ("何人、何度、何時", "ナンニン、ナンド、ナンジ"),
    ]);
}

#[test]
fn dates_times_and_prices() {
    check_joined(&[
        ("2024年3月15日", "ニセンニジューヨネンサンガツジューゴニチ"),
        (
            "1月1日、2日、14日、20日",
            "イチガツツイタチ、フツカ、ジューヨッカ、ハツカ",
        ),
        ("14:30", "ジューヨジサンジュップン"),
        ("9:00", "クジ"),
        ("1,234円", "センニヒャクサンジューヨエン"),
        ("￥500", "ゴヒャクエン"),
        ("50%", "ゴジュッパーセント"),
        ("3.14", "サンテンイチヨン"),
        ("-5度", "マイナスゴド"),
        ("03-1234-5678", "ゼロサンノイチニーサンヨンノゴーロクナナハチ"),
    ]);
}

#[test]
fn large_numbers() {
    check_joined(&[
        ("10000", "イチマン"),
        ("100000000", "イチオク"),
        ("1000000000000", "イッチョー"),
        ("10000000000000000", "イチケー"),
        ("1,000,000", "ヒャクマン"),
    ]);
    let digits = "9".repeat(300);
    assert!(
        joined(&digits).matches("キュ").count() >= 300,
        "no digit of a number beyond all names is lost"
    );
}

#[test]
fn what_is_said_of_nan() {
    check_joined(&[
        ("何を", "ナニオ"),
        ("何も", "ナニモ"),
        ("何の", "ナンノ"),
        ("何と言う", "ナントユー"),
        ("何ですか", "ナンデスカ"),
    ]);
}

#[test]
fn scripts_and_marks() {
    check_joined(&[
        ("ﾊﾝｶｸｶﾀｶﾅ", "ハンカクカタカナ"),
        ("人々は時々", "ヒトビトワトキドキ"),
        ("こゝろ", "ココロ"),
        ("A社のTシャツ", "エイシャノティーシャツ"),
        ("ABC", "エイビーシー"),
        ("㈱山田", "カブシキガイシャヤマダ"),
    ]);
    assert_eq!(
        joined("「はい。」（笑）…！？")
            .matches(['「', '。', '」', '…', '！', '？'])
            .count(),
        6
    );
}

#[test]
fn no_kanji_is_dropped() {
    // Listed in no dictionary of words, but in Unihan; and without any Japanese reading.
    assert_eq!(joined("齉"), "ドー");
    assert_eq!(joined("丆"), "ゲタ");
    for character in ('\u{4e00}'..='\u{9fff}').step_by(7) {
        let said = reading(&character.to_string());
        assert!(
            said.chars().all(|kana| matches!(kana, 'ァ'..='ヺ' | 'ー' | ' ')) && !said.is_empty(),
            "{character}: {said}"
        );
    }
}

#[test]
fn long_text_of_one_kind_is_read_to_its_end() {
    for unit in [
        "私は東京へ行きました。",
        "漢",
        "ア",
        "あ",
        "1",
        "（",
        "年々歳々花相似たり",
        "é😀",
    ] {
        let text: String = unit.chars().cycle().take(100_000).collect();
        assert!(!reading(&text).is_empty());
    }
}

#[test]
fn reading_is_the_same_every_time() {
    let text = "二〇二四年の夏、彼は何人かの友人と海へ行った。";
    assert_eq!(reading(text), reading(text));
}

proptest! {
    #[test]
    fn any_text_is_read(text in any::<String>()) {
        reading(&text);
    }

    #[test]
    fn any_japanese_text_is_read(text in "[ぁ-ゖァ-ヺー々〆〇一-龥0-9０-９,.、。！？「」・年月日時分円本人−:%／＝A-Zａ-ｚ]{0,60}") {
        let read = reading(&text);
        // Whatever the dictionary says, no kanji and no hiragana is left for the engine, which would skip it.
        prop_assert!(!read.chars().any(|left| matches!(left, '一'..='龥' | 'ぁ'..='ゖ')), "{} -> {}", text, read);
    }

    #[test]
    fn kana_is_not_lost(text in "[ァ-ヶー]{1,30}") {
        let said: usize = reading(&text).chars().filter(|kana| matches!(katakana(*kana), 'ァ'..='ヺ' | 'ー')).count();
        prop_assert!(said > 0, "{}", text);
    }
}
