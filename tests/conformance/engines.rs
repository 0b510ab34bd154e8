//! The two engines of speech: which one spoke, what each can do, and what is said where one cannot.

use quartet_api::{Code, Language, Voice};
use quartet_tests::Client;
use quartet_tests::skip::not_run;
use quartet_tests::sound::Sound;
use serde_json::{Value, json};

use crate::tested;
use crate::tts::audio;

const TEXT: &str = "The library opens at nine.";

/// The entry of `/tts/info` about an engine.
fn engine(client: &Client, name: &str) -> Value {
    let info = client.get("/tts/info").data();
    let engines = info["engines"].as_array().unwrap();
    engines.iter().find(|engine| engine["name"] == name).unwrap().clone()
}

/// The engines that this service has.
fn engines(client: &Client, test: &str) -> Vec<&'static str> {
    if engine(client, "natural")["available"] == true {
        return vec!["fast", "natural"];
    }
    not_run(test, "the service has no natural voices");
    vec!["fast"]
}

#[test]
fn both_operations_say_who_speaks_and_say_the_same() {
    let tested = tested();
    for engine in engines(&tested.client, "both_operations_say_who_speaks_and_say_the_same") {
        let request = json!({"text": TEXT, "language": "en", "engine": engine.to_uppercase()});
        let generated = tested.client.post("/tts/generate", &request).data();
        assert_eq!(generated["engine"], engine);
        let streamed = tested.client.post("/tts/stream", &request);
        assert_eq!(streamed.header("x-speech-engine"), Some(engine));
        let length = streamed.body.len().to_string();
        assert_eq!(streamed.header("content-length"), Some(length.as_str()));
        // The reader of the file checks that its header has the exact sizes.
        let sound = Sound::decode(&streamed.body);
        assert!((1.0..4.0).contains(&sound.seconds()), "{engine}: {} s", sound.seconds());
        assert!(
            (0.01..0.5).contains(&sound.level()),
            "{engine}: level {}",
            sound.level()
        );
        assert!(
            sound.samples == audio(&generated).samples,
            "{engine}: not the same every time"
        );
    }
}

#[test]
fn voices_differ_and_speed_is_obeyed_in_both() {
    let tested = tested();
    for engine in engines(&tested.client, "voices_differ_and_speed_is_obeyed_in_both") {
        let speech = |voice: Voice, speed: f64| {
            let request = json!({"text": TEXT, "engine": engine, "voice": voice.name(), "speed": speed});
            let data = tested.client.post("/tts/generate", &request).data();
            assert_eq!(
                (&data["engine"], &data["voice"]),
                (&json!(engine), &json!(voice.name()))
            );
            audio(&data)
        };
        let sounds = Voice::ALL.map(|voice| speech(voice, 1.0).samples);
        for (index, sound) in sounds.iter().enumerate() {
            assert!(!sounds[..index].contains(sound), "{engine}: {}", Voice::ALL[index]);
        }
        let [slow, fast] = [0.5, 2.0].map(|speed| speech(Voice::Kore, speed).seconds());
        let usual = sounds[0].len() as f64 / 24_000.0;
        assert!(
            slow > 1.5 * usual && fast < 0.7 * usual,
            "{engine}: {slow}, {usual}, {fast} s"
        );
    }
}

#[test]
fn without_a_choice_somebody_speaks_and_says_who() {
    let tested = tested();
    for language in [Language::English, Language::Korean] {
        let text = quartet_tests::declaration::paragraph(language, 0);
        let streamed = tested
            .client
            .post("/tts/stream", &json!({"text": text, "language": language.code()}));
        let spoke = streamed.header("x-speech-engine").map(str::to_owned);
        assert!(
            spoke.as_deref() == Some("fast") || (spoke.as_deref() == Some("natural") && language == Language::English)
        );
        assert!(Sound::decode(&streamed.body).seconds() > 5.0);
    }
}

/// Characters of a text that is spoken for more than a minute: not all lengths of it are computed before it begins.
const LONG_CHARACTERS: usize = 1_100;

#[test]
fn a_long_text_is_spoken_naturally_and_ends_where_its_header_says() {
    const TEST: &str = "a_long_text_is_spoken_naturally_and_ends_where_its_header_says";
    let tested = tested();
    if !engines(&tested.client, TEST).contains(&"natural") {
        return;
    }
    let text = quartet_tests::declaration::text(Language::English);
    let text = text.get(..LONG_CHARACTERS).expect("the English is ASCII");
    let request = json!({"text": text, "language": "en", "engine": "natural"});
    let streamed = tested.client.post("/tts/stream", &request);
    assert_eq!(streamed.header("x-speech-engine"), Some("natural"));
    // The reader of the file checks that its header has the exact sizes.
    let sound = Sound::decode(&streamed.body);
    assert!((60.0..120.0).contains(&sound.seconds()), "{} s", sound.seconds());
    let (_, behind) = sound.silence();
    assert!(behind < 4.0, "{behind} s of silence at the end");
}

/// Sentences, and with the vowels that a reader puts.
const ARABIC: [(&str, &str); 3] = [
    ("ذهب الولد إلى المدرسة.", "ذَهَبَ الْوَلَدُ إِلَى الْمَدْرَسَةِ."),
    ("السلام عليكم ورحمة الله وبركاته.", "السَّلَامُ عَلَيْكُمْ وَرَحْمَةُ اللَّهِ وَبَرَكَاتُهُ."),
    (
        "لكل إنسان حق التمتع بكافة الحقوق والحريات.",
        "لِكُلِّ إِنْسَانٍ حَقُّ التَّمَتُّعِ بِكَافَّةِ الْحُقُوقِ وَالْحُرِّيَّاتِ.",
    ),
];

#[test]
fn arabic_is_spoken_with_the_vowels_that_a_reader_puts() {
    const TEST: &str = "arabic_is_spoken_with_the_vowels_that_a_reader_puts";
    let tested = tested();
    let natural = engine(&tested.client, "natural");
    let languages = natural["languages"].as_array().unwrap();
    if natural["available"] != true || !languages.contains(&json!("ar")) {
        not_run(
            TEST,
            "the service has no natural voices, or does not know the vowels of Arabic",
        );
        return;
    }
    let spoken = |text: &str| {
        let request = json!({"text": text, "language": "ar", "engine": "natural", "timings": true});
        let data = tested.client.post("/tts/generate", &request).data();
        assert_eq!(data["engine"], "natural");
        let words = data["timings"].as_array().unwrap().iter();
        let words: Vec<_> = words.map(|word| word["word"].as_str().unwrap().to_owned()).collect();
        (audio(&data).samples, words)
    };
    for (written, vowelled) in ARABIC {
        let (samples, words) = spoken(written);
        assert!(samples == spoken(vowelled).0, "{written}");
        // The words are those of the text, without the vowels.
        let plain: Vec<_> = written.trim_end_matches('.').split(' ').collect();
        assert_eq!(words, plain);
    }
    // Vowels are heard: other ones make another word.
    assert!(spoken("كَتَبَ").0 != spoken("كُتُب").0);
}

#[test]
fn what_an_engine_cannot_do_is_refused() {
    let tested = tested();
    let refused = |request: Value, code: Code, word: &str| {
        let message = tested.client.post("/tts/generate", &request).failed(code);
        assert!(message.contains(word), "{message}");
    };
    let request = |field: &str, value: Value| json!({"text": TEXT, field: value});
    refused(
        request("engine", json!("slow")),
        Code::InvalidField,
        "auto, natural, fast",
    );
    refused(request("speed", json!(2.1)), Code::InvalidField, "from 0.5 to 2");
    refused(request("speed", json!(0.4)), Code::InvalidField, "from 0.5 to 2");
    refused(
        json!({"text": "안녕하세요", "language": "ko", "engine": "natural"}),
        Code::InvalidField,
        "Korean",
    );
    if engine(&tested.client, "natural")["available"] == false {
        refused(request("engine", json!("natural")), Code::Unavailable, "natural");
        return;
    }
    refused(
        json!({"text": format!("{TEXT} ").repeat(60), "language": "en", "engine": "natural"}),
        Code::TextTooLong,
        "natural",
    );
    // What is too long with the times of its words is not without them.
    let timed = json!({
        "text": format!("{TEXT} ").repeat(250), "language": "en", "engine": "natural", "timings": true,
    });
    let message = tested.client.post("/tts/stream", &timed).failed(Code::TextTooLong);
    assert!(
        message.contains("the 300 seconds") && message.contains("leave `timings` out (up to 3600 seconds"),
        "{message}"
    );
}
