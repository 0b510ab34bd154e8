//! Text of every kind: long, mixed, odd, empty.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Instant;

use quartet_api::{Code, Language};
use quartet_tests::declaration;
use quartet_tests::sound::Sound;
use quartet_tests::wait::PATIENCE;
use serde_json::json;

use crate::tested;
use crate::tts::audio;

/// Seconds of speech for a text.
fn seconds(text: &str, language: &str) -> f64 {
    audio(
        &tested()
            .client
            .post(
                "/tts/generate",
                &json!({"engine": "fast", "text": text, "language": language}),
            )
            .data(),
    )
    .seconds()
}

#[test]
fn empty_and_blank_text_have_nothing_to_speak() {
    let tested = tested();
    for text in [
        "",
        " ",
        "\n\t \u{3000}\u{a0}",
        "\u{200b}\u{feff}",
        "\u{0}\u{1}",
        "...",
        "\u{202e}\u{200f}",
    ] {
        let sentence = tested
            .client
            .post("/tts/generate", &json!({"engine": "fast", "text": text}))
            .failed(Code::NothingToSpeak);
        assert!(sentence.contains("`text`"), "{sentence}");
        tested
            .client
            .post("/tts/stream", &json!({"engine": "fast", "text": text}))
            .failed(Code::NothingToSpeak);
    }
}

#[test]
fn what_no_voice_reads_is_refused_or_told() {
    let tested = tested();
    for path in ["/tts/generate", "/tts/stream"] {
        let sentence = tested
            .client
            .post(path, &json!({"engine": "fast", "text": "Καλημέρα σας"}))
            .failed(Code::NothingToSpeak);
        assert!(sentence.contains("`text`") && sentence.contains("Greek"), "{sentence}");
    }
    for (text, told) in [
        ("The word Αθήνα", "Greek"),
        ("Jaka jest dziś stolica Polski?", "read as"),
    ] {
        let body = json!({"engine": "fast", "text": text});
        let warnings = tested.client.post("/tts/generate", &body).data()["warnings"].clone();
        let first = warnings[0].as_str().unwrap_or_default().to_owned();
        assert!(first.contains(told), "{text}: {warnings}");
        let streamed = tested.client.post("/tts/stream", &body);
        assert_eq!(streamed.header("x-speech-warnings"), Some(first.as_str()), "{text}");
    }
    let plain = tested
        .client
        .post("/tts/generate", &json!({"engine": "fast", "text": "Good morning"}))
        .data();
    assert!(plain.get("warnings").is_none());
}

#[test]
fn control_and_direction_marks_leave_the_words_alone() {
    let plain = seconds("Hello my friend", "en");
    for text in [
        "Hello\u{0} my\u{7} friend",
        "\u{feff}Hello my friend\u{200f}",
        "\u{202b}Hello my fri\u{ad}end\u{202c}",
    ] {
        let marked = seconds(text, "en");
        assert!(
            (marked - plain).abs() < 0.01,
            "{text:?}: {marked} s, without marks {plain} s"
        );
    }
}

#[test]
fn a_hundred_thousand_letters_without_a_space_are_spoken() {
    // A chunked answer of over an hour of speech is beyond generate; the stream takes it.
    let tested = tested();
    let text = "abcdefghij".repeat(10_000);
    let reply = tested.client.post(
        "/tts/stream",
        &json!({"engine": "fast", "text": text, "language": "en"}),
    );
    assert_eq!(reply.status, 200);
    assert!(Sound::decode(&reply.body).seconds() > 600.0);
}

#[test]
fn text_beyond_generate_is_sent_to_the_stream() {
    let tested = tested();
    let text = declaration::text(Language::English).repeat(8);
    let sentence = tested
        .client
        .post("/tts/generate", &json!({"engine": "fast", "text": text}))
        .failed(Code::TextTooLong);
    assert!(sentence.contains("/tts/stream"), "{sentence}");
    let reply = tested
        .client
        .post("/tts/stream", &json!({"engine": "fast", "text": text}));
    let sound = Sound::decode(&reply.body);
    assert!(sound.seconds() > 3_600.0, "{} s", sound.seconds());
}

#[test]
fn a_whole_declaration_is_generated_in_every_language() {
    let tested = tested();
    for language in [Language::Russian, Language::Japanese, Language::Chinese] {
        let request = json!({"text": declaration::text(language), "language": language.code()});
        let sound = audio(&tested.client.post("/tts/generate", &request).data());
        assert!(
            (300.0..2_400.0).contains(&sound.seconds()),
            "{language}: {} s",
            sound.seconds()
        );
    }
}

#[test]
fn a_megabyte_begins_to_stream_with_exact_sizes_and_stops_when_the_client_leaves() {
    let tested = tested();
    let text = declaration::text(Language::English).repeat(100);
    assert!(text.len() > 1_000_000);
    let body = json!({"engine": "fast", "text": text, "language": "en"}).to_string();
    let mut socket = TcpStream::connect(tested.socket()).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    let head = format!(
        "POST /api/v1/tts/stream HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nx-request-id: megabyte\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    socket.write_all(head.as_bytes()).unwrap();
    socket.write_all(body.as_bytes()).unwrap();
    let mut received = vec![0; 4_000_000];
    socket.read_exact(&mut received).unwrap();
    drop(socket);
    let end = received.windows(4).position(|window| window == b"\r\n\r\n").unwrap() + 4;
    let head = std::str::from_utf8(&received[..end]).unwrap().to_ascii_lowercase();
    let length: u64 = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .unwrap()
        .parse()
        .unwrap();
    let wav = &received[end..];
    assert_eq!(&wav[..4], b"RIFF");
    assert_eq!(
        u64::from(u32::from_le_bytes(wav[40..44].try_into().unwrap())) + 44,
        length
    );
    // Sixteen hours at 48,000 bytes a second.
    assert!((2_000_000_000..4_000_000_000).contains(&length), "{length} bytes");
    if let Some(service) = &tested.service {
        service.wait_for_log(&["megabyte", "client left"]);
    }
}

#[test]
fn the_first_bytes_come_long_before_the_last() {
    let tested = tested();
    let body = json!({"text": declaration::text(Language::German), "language": "de"}).to_string();
    let mut socket = TcpStream::connect(tested.socket()).unwrap();
    let head = format!(
        "POST /api/v1/tts/stream HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let start = Instant::now();
    socket.write_all((head + &body).as_bytes()).unwrap();
    let mut first = [0; 1024];
    socket.read_exact(&mut first).unwrap();
    let first = start.elapsed();
    let mut rest = Vec::new();
    socket.read_to_end(&mut rest).unwrap();
    // Not how fast it is, which a benchmark tells, but in which order things happen.
    assert!(
        first * 2 < start.elapsed(),
        "first {first:?}, last {:?}",
        start.elapsed()
    );
    assert!(rest.len() > 10_000_000);
}

#[test]
fn mixed_scripts_are_spoken_whole() {
    for (language, alone, mixed) in [
        ("zh", "我喜欢写代码", "我喜欢用Python写代码"),
        ("ja", "私は新しいを買いました", "私は新しいiPhoneを買いました"),
        ("en", "The word means hello", "The word привет means hello"),
        ("ru", "Я пишу на", "Я пишу на JavaScript"),
        ("ar", "أنا أستخدم كل يوم", "أنا أستخدم Linux كل يوم"),
        ("hi", "मैं इस्तेमाल करता हूँ", "मैं Windows इस्तेमाल करता हूँ"),
        ("ko", "저는 좋아합니다", "저는 音樂 좋아합니다"),
    ] {
        let (alone, mixed) = (seconds(alone, language), seconds(mixed, language));
        assert!(
            mixed > alone + 0.15,
            "{language}: {mixed} s with the foreign word, {alone} s without"
        );
    }
}

#[test]
fn kanji_and_chinese_numbers_are_read() {
    // Each is about as long as its reading.
    for (language, written, read) in [
        ("ja", "東京都庁", "とうきょうとちょう"),
        ("ja", "日本語を勉強します", "にほんごをべんきょうします"),
        ("zh", "我有25本书", "我有二十五本书"),
    ] {
        let (written, read) = (seconds(written, language), seconds(read, language));
        assert!(
            (written / read - 1.0).abs() < 0.2,
            "{language}: written {written} s, read {read} s"
        );
    }
}

#[test]
fn markup_addresses_and_emoji_are_not_spelled_as_noise() {
    for (noisy, plain) in [
        ("# Title\n\n**Bold** and `code`", "Title\n\nBold and code"),
        ("Hello!!! 😀😀😀 -----", "Hello!"),
        ("See [the manual](https://example.com/a/b/c?d=e)", "See the manual"),
    ] {
        let (noisy, plain) = (seconds(noisy, "en"), seconds(plain, "en"));
        assert!((noisy - plain).abs() < 0.4, "{noisy} s with marks, {plain} s without");
    }
}

#[test]
fn only_emoji_is_spoken_by_name_or_refused_with_a_reason() {
    let reply = tested()
        .client
        .post("/tts/generate", &json!({"text": "😀🎉", "language": "en"}));
    match reply.status {
        200 => assert!(audio(&reply.data()).seconds() > 0.5),
        _ => assert!(reply.failed(Code::NothingToSpeak).contains("`text`")),
    }
}

#[test]
fn pauses_grow_from_clause_to_sentence_to_paragraph() {
    let clause = seconds("one, two", "en");
    let sentence = seconds("One. Two", "en");
    let paragraph = seconds("One\n\nTwo", "en");
    assert!(
        clause + 0.1 < sentence && sentence + 0.1 < paragraph,
        "{clause} {sentence} {paragraph}"
    );
}
