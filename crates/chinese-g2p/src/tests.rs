//! Tests of readings and of the tones that are said.

use super::*;

fn said(text: &str) -> String {
    let syllables: Vec<String> = reading(text)
        .filter_map(|(_, said)| said)
        .map(|said| said.to_string())
        .collect();
    syllables.join(" ")
}

fn check(examples: &[(&str, &str)]) {
    for (text, expected) in examples {
        assert_eq!(said(text), *expected, "{text}");
    }
}

#[test]
fn every_line_of_the_table_is_found() {
    let mut before = "";
    for line in PHRASES.lines() {
        let (word, reading) = line.split_once('\t').expect("a line has two parts");
        assert!(before < word, "{before} {word}");
        assert_eq!(phrase(word), Some(reading), "{word}");
        assert_eq!(word.chars().count(), reading.split(' ').count(), "{word}");
        before = word;
    }
    assert_eq!(phrase("行行行"), None);
    assert_eq!(phrase(""), None);
}

#[test]
fn characters_with_several_readings_go_by_their_words() {
    check(&[
        ("银行", "yin2 hang2"),
        ("行走", "xing2 zou3"),
        ("很长", "hen3 chang2"),
        ("长大", "zhang3 da4"),
        ("音乐", "yin1 yue4"),
        ("快乐", "kuai4 le4"),
        ("重新", "chong2 xin1"),
        ("重量", "zhong4 liang4"),
        ("还给", "huan2 gei3"),
        ("还有", "hai2 you3"),
        ("得到", "de2 dao4"),
        ("跑得快", "pao3 de5 kuai4"),
    ]);
}

#[test]
fn traditional_characters_are_read_by_their_words() {
    check(&[
        ("銀行", "yin2 hang2"),
        ("很長", "hen3 chang2"),
        ("長大", "zhang3 da4"),
        ("音樂", "yin1 yue4"),
        ("快樂", "kuai4 le4"),
        ("還有", "hai2 you3"),
        ("得到發現", "de2 dao4 fa1 xian4"),
        ("長頭髮", "chang2 tou2 fa5"),
        ("髮", "fa4"),
        ("一隻雞", "yi4 zhi1 ji1"),
        ("乾淨的餅乾", "gan1 jing4 de5 bing3 gan1"),
        ("乾隆說話", "qian2 long2 shuo1 hua4"),
        ("看著電視", "kan4 zhe5 dian4 shi4"),
        ("著名的電影", "zhu4 ming2 de5 dian4 ying3"),
        ("別著急說", "bie2 zhao2 ji2 shuo1"),
    ]);
}

#[test]
fn low_tones_rise_before_low_ones() {
    check(&[
        ("你好", "ni2 hao3"),
        ("银行很好", "yin2 hang2 hen2 hao3"),
        ("重点", "zhong4 dian3"),
    ]);
}

#[test]
fn one_and_not_go_by_what_follows() {
    check(&[
        ("不是", "bu2 shi4"),
        ("不来", "bu4 lai2"),
        ("不", "bu4"),
        ("一天", "yi4 tian1"),
        ("一次", "yi2 ci4"),
        ("一百一十一", "yi4 bai3 yi1 shi2 yi1"),
        ("一万", "yi2 wan4"),
    ]);
}

#[test]
fn one_is_said_as_it_is_in_digits_ordinals_and_at_the_end_of_words() {
    check(&[
        ("第一次", "di4 yi1 ci4"),
        ("二零一一年", "er4 ling2 yi1 yi1 nian2"),
        ("十一月", "shi2 yi1 yue4"),
        ("一月一日", "yi1 yue4 yi1 ri4"),
        ("三点一四", "san1 dian3 yi1 si4"),
        ("三点一刻", "san1 dian3 yi2 ke4"),
        ("星期一晚", "xing1 qi1 yi1 wan3"),
        ("统一战线", "tong3 yi1 zhan4 xian4"),
        ("唯一一个", "wei2 yi1 yi2 ge4"),
        ("之一", "zhi1 yi1"),
    ]);
}

#[test]
fn what_is_no_character_is_left() {
    let parts: Vec<char> = reading("在，a🎵")
        .filter(|(_, said)| said.is_none())
        .map(|(character, _)| character)
        .collect();
    assert_eq!(parts, ['，', 'a', '🎵']);
    assert_eq!(reading("").count(), 0);
}

/// Every two hundredth sentence of the open half of g2pM's set: with a character between two marks, and its reading.
const SENTENCES: &str = include_str!("sentences.tsv");

#[test]
fn most_sentences_of_others_are_read_as_they_say() {
    let mut missed = Vec::new();
    for line in SENTENCES.lines() {
        let (marked, expected) = line.split_once('\t').expect("a line has two parts");
        let at = marked
            .chars()
            .position(|character| character == '▁')
            .expect("a character is marked");
        let text = marked.replace('▁', "");
        // The set tells the tones of the dictionary.
        let readings = readings::readings_by(&text, phrase, simplified);
        let (character, said) = &readings[at];
        let said = said.as_ref().map(ToString::to_string).unwrap_or_default();
        if said != expected {
            missed.push(format!("{character} is {expected}, not {said}: {text}"));
        }
    }
    assert_eq!(SENTENCES.lines().count(), 50);
    assert!(missed.len() <= 3, "{}", missed.join("\n"));
}
