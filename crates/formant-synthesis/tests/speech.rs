//! Measures synthesised speech: every language, every voice, real text.

mod declaration;
mod measure;

use quartet_api::tts::SAMPLE_RATE;
use quartet_api::{Language, Voice};
use quartet_formant_synthesis::{Plan, seconds};
use quartet_text_normalization::{Clause, Ending, Pause, Span};

fn spoken(clauses: &[Clause], voice: Voice) -> Vec<i16> {
    Plan::new(clauses.iter().cloned(), voice)
        .synthesise(clauses.iter().cloned())
        .flatten()
        .collect()
}

fn clause(language: Language, text: &str, ending: Ending) -> Clause {
    Clause {
        spans: vec![Span {
            language,
            text: text.to_owned(),
        }],
        ending,
        pause: Pause::Sentence,
    }
}

fn every_voice() -> impl Iterator<Item = (Language, Voice)> {
    Language::ALL
        .into_iter()
        .flat_map(|language| Voice::ALL.map(|voice| (language, voice)))
}

#[test]
fn every_voice_is_even_and_clean_in_every_language() {
    for (language, voice) in every_voice() {
        let samples = spoken(&declaration::all_clauses(language)[..8], voice);
        let (loudness, peak) = measure::loudness(&samples);
        assert!((loudness + 18.0).abs() < 2.0, "{language}, {voice}: {loudness:.1} LUFS");
        assert!(peak < -1.0, "{language}, {voice}: {peak:.1} dB true peak");

        let mean = samples.iter().map(|sample| f64::from(*sample)).sum::<f64>() / samples.len() as f64;
        assert!(mean.abs() < 16.0, "{language}, {voice}: mean {mean}");

        let is_heard = |sample: &i16| sample.unsigned_abs() > 100;
        let before = samples.iter().position(is_heard).unwrap();
        let after = samples.len() - samples.iter().rposition(is_heard).unwrap();
        let silence = seconds((before + after) as u64);
        assert!(
            silence < 0.3,
            "{language}, {voice}: {silence:.2} s of silence at the ends"
        );
    }
}

#[test]
fn plans_are_exact() {
    for (index, language) in Language::ALL.into_iter().enumerate() {
        let clauses = declaration::all_clauses(language);
        for voice in [Voice::ALL[index % 5], Voice::ALL[(index + 2) % 5]] {
            let plan = Plan::new(clauses.iter().cloned(), voice);
            let planned = plan.samples();
            let mut made = 0;
            for chunk in plan.synthesise(clauses.iter().cloned()) {
                assert!(!chunk.is_empty() && chunk.len() <= 2 * SAMPLE_RATE as usize);
                made += chunk.len() as u64;
            }
            assert_eq!(made, planned, "{language}, {voice}");
        }
    }
}

#[test]
fn speech_is_as_fast_as_people_are() {
    for language in Language::ALL {
        let letters: usize = declaration::articles(language)
            .iter()
            .map(|text| text.chars().count())
            .sum();
        let clauses = declaration::all_clauses(language);
        let duration = seconds(Plan::new(clauses.into_iter(), Voice::Kore).samples());
        let a_second = letters as f64 / duration;
        let expected = match language {
            Language::Chinese => 3.0..6.0,
            Language::Japanese | Language::Korean => 4.5..9.0,
            _ => 10.0..22.0,
        };
        assert!(
            expected.contains(&a_second),
            "{language}: {a_second:.1} characters a second"
        );
    }
}

#[test]
fn voices_are_what_they_are_said_to_be() {
    for language in Language::ALL {
        let clauses = &declaration::all_clauses(language)[..6];
        let [kore, phoebe, charon, fenrir, aoede] = Voice::ALL.map(|voice| {
            let samples = spoken(clauses, voice);
            let floats = measure::floats(&samples);
            let pitches: Vec<f32> = measure::pitches(&floats, measure::range(voice))
                .into_iter()
                .flatten()
                .collect();
            let (_, low, high) = measure::spread(&pitches);
            let middle = measure::median(&pitches);
            (middle, high / low, measure::centroid(&floats), samples.len())
        });
        let pitch = [charon.0, fenrir.0, kore.0, aoede.0, phoebe.0];
        // More than a semitone from one to the next.
        assert!(
            pitch.windows(2).all(|pair| pair[1] > 1.08 * pair[0]),
            "{language}: {pitch:?}"
        );
        assert!(
            (80.0..105.0).contains(&charon.0) && phoebe.0 > 195.0,
            "{language}: {pitch:?}"
        );
        assert!(fenrir.1 > charon.1, "{language}: strong has the wider tune");
        assert!(
            fenrir.2 > 1.15 * kore.2 && kore.2 > 1.1 * aoede.2,
            "{language}: strong is bright, calm is not"
        );
        assert!(
            aoede.3 > charon.3 && charon.3 > kore.3,
            "{language}: calm is slow, deep is unhurried"
        );
        assert!(phoebe.2 < kore.2, "{language}: light is soft");
    }
}

/// A sentence in every language that may be asked or stated.
const SENTENCES: [(Language, &str); 12] = [
    (Language::English, "You are coming home tomorrow"),
    (Language::Hindi, "आप कल घर आ रहे हैं"),
    (Language::Spanish, "Vienes mañana a casa"),
    (Language::French, "Tu viens demain à la maison"),
    (Language::German, "Du kommst morgen nach Hause"),
    (Language::Italian, "Vieni domani a casa"),
    (Language::Portuguese, "Você vem amanhã para casa"),
    (Language::Russian, "Ты завтра придёшь домой"),
    (Language::Japanese, "明日は家に帰りますか"),
    (Language::Chinese, "你明天回家吗"),
    (Language::Korean, "내일 집에 오세요"),
    (Language::Arabic, "هل ستعود إلى البيت غدا"),
];

/// The pitch of the last 80 ms that are voiced, against the median of everything before, in semitones.
fn last_rise(language: Language, text: &str, ending: Ending, voice: Voice) -> f32 {
    let samples = spoken(&[clause(language, text, ending)], voice);
    let pitches: Vec<f32> = measure::pitches(&measure::floats(&samples), measure::range(voice))
        .into_iter()
        .flatten()
        .collect();
    let (before, end) = pitches.split_at(pitches.len() - 4);
    12.0 * (measure::median(end) / measure::median(before)).log2()
}

#[test]
fn questions_rise_and_statements_do_not() {
    for (language, text) in SENTENCES {
        for voice in Voice::ALL {
            let question = last_rise(language, text, Ending::Question, voice);
            let statement = last_rise(language, text, Ending::Statement, voice);
            // The last syllable of the Chinese question has no tone of its own, which is low.
            let least = if language == Language::Chinese { -1.0 } else { 3.0 };
            assert!(
                question > least && question > statement + 4.0 && statement < -1.0,
                "{language}, {voice}: question {question:+.1}, statement {statement:+.1} semitones"
            );
        }
    }
}

#[test]
fn chinese_has_its_tones() {
    // The four tones of "ma".
    let contour = |character: &str| {
        let samples = spoken(
            &[clause(Language::Chinese, character, Ending::Continuation)],
            Voice::Kore,
        );
        let pitches: Vec<f32> = measure::pitches(&measure::floats(&samples), (110.0, 300.0))
            .into_iter()
            .flatten()
            .collect();
        let part = |from: usize, to: usize| measure::median(&pitches[pitches.len() * from / 8..pitches.len() * to / 8]);
        (part(1, 3), part(3, 5), part(5, 8))
    };
    let (high, rising, low, falling) = (contour("妈"), contour("麻"), contour("马"), contour("骂"));
    let semitones = |from: f32, to: f32| 12.0 * (to / from).log2();
    assert!(semitones(high.0, high.2).abs() < 1.5, "first: level {high:?}");
    assert!(semitones(rising.0, rising.2) > 2.0, "second: rising {rising:?}");
    assert!(low.1 < high.1 * 0.85, "third: low {low:?}");
    assert!(semitones(falling.0, falling.2) < -3.0, "fourth: falling {falling:?}");
}

#[test]
fn long_vowels_are_long() {
    let pairs = [
        (Language::Japanese, "おばさん", "おばあさん"),
        (Language::German, "Stadt", "Staat"),
        (Language::English, "ship", "sheep"),
        (Language::Hindi, "कम", "काम"),
        (Language::Arabic, "كتب", "كاتب"),
    ];
    for (language, short, long) in pairs {
        let length = |text| spoken(&[clause(language, text, Ending::Statement)], Voice::Kore).len();
        assert!(
            length(long) > length(short) + 400,
            "{language}: {} and {} samples",
            length(short),
            length(long)
        );
    }
}

#[test]
fn the_same_text_is_the_same_speech() {
    for (language, voice) in [(Language::English, Voice::Phoebe), (Language::Chinese, Voice::Fenrir)] {
        let clauses = declaration::all_clauses(language);
        let all = spoken(&clauses, voice);
        assert_eq!(all, spoken(&clauses, voice));
        // What comes after does not change what comes before.
        let first = spoken(&clauses[..1], voice);
        let sound = first.len() - SAMPLE_RATE as usize / 10;
        assert_eq!(all[..sound], first[..sound]);
    }
}

#[test]
fn nothing_clicks_where_sound_and_silence_meet() {
    for (language, voice) in every_voice() {
        let samples = spoken(&declaration::all_clauses(language)[..6], voice);
        let mut silent = 0;
        for (index, pair) in samples.windows(2).enumerate() {
            let step = (i32::from(pair[1]) - i32::from(pair[0])).abs();
            // After 10 ms of silence, and before any, sound begins and ends within a step that is not heard as one.
            let begins = silent > 240 && pair[1] != 0;
            let ends = pair[1] == 0 && samples[index + 1..].iter().take(240).all(|sample| *sample == 0);
            if begins || ends {
                assert!(
                    step < 400,
                    "{language}, {voice}: a step of {step} at {:.3} s",
                    seconds(index as u64)
                );
            }
            silent = if pair[1] == 0 { silent + 1 } else { 0 };
        }
    }
}

#[test]
fn languages_change_inside_a_clause() {
    let spans = [
        (Language::Japanese, "これは"),
        (Language::English, "machine learning"),
        (Language::Japanese, "の本です"),
    ];
    let mixed = Clause {
        spans: spans
            .iter()
            .map(|(language, text)| Span {
                language: *language,
                text: (*text).to_owned(),
            })
            .collect(),
        ending: Ending::Statement,
        pause: Pause::Sentence,
    };
    let together = spoken(std::slice::from_ref(&mixed), Voice::Kore);
    let ends = 2.0 * f64::from(SAMPLE_RATE) * 0.15;
    let apart: usize = spans
        .iter()
        .map(|(language, text)| spoken(&[clause(*language, text, Ending::Continuation)], Voice::Kore).len())
        .sum();
    assert!(
        (together.len() as f64 - (apart as f64 - ends)).abs() < ends,
        "{} against {apart}",
        together.len()
    );
    // No gap: never silent for 120 ms.
    let inside = &together[2_400..together.len() - 3_600];
    let longest = inside
        .split(|sample| sample.unsigned_abs() > 20)
        .map(<[i16]>::len)
        .max()
        .unwrap();
    assert!(longest < 2_880, "a gap of {longest} samples");
}

#[test]
fn what_cannot_be_said_is_no_speech() {
    assert_eq!(Plan::new(std::iter::empty(), Voice::Kore).samples(), 0);
    let nothing = clause(Language::English, "—", Ending::Statement);
    let plan = Plan::new(std::iter::once(nothing.clone()), Voice::Kore);
    assert_eq!(plan.samples(), 0);
    assert_eq!(plan.synthesise(std::iter::once(nothing)).count(), 0);
}

#[test]
fn single_words_and_endless_clauses_are_said() {
    for language in Language::ALL {
        let word = declaration::articles(language)[0]
            .split([' ', '，', ',', '、'])
            .next()
            .unwrap();
        let duration = seconds(spoken(&[clause(language, word, Ending::Statement)], Voice::Kore).len() as u64);
        assert!((0.25..4.0).contains(&duration), "{language}, {word}: {duration:.2} s");
    }
    let endless = "supercalifragilistic".repeat(100);
    let clauses = [clause(Language::English, &endless, Ending::Statement)];
    assert!(seconds(spoken(&clauses, Voice::Kore).len() as u64) > 60.0);
}

#[test]
fn other_clauses_than_planned_do_not_change_the_total() {
    let short = [clause(Language::English, "One", Ending::Statement)];
    let long = declaration::all_clauses(Language::English);
    for (planned, given) in [(&short[..], &long[..]), (&long[..], &short[..])] {
        let plan = Plan::new(planned.iter().cloned(), Voice::Kore);
        let samples = plan.samples();
        assert_eq!(
            plan.synthesise(given.iter().cloned())
                .map(|chunk| chunk.len() as u64)
                .sum::<u64>(),
            samples
        );
    }
}

#[test]
fn any_text_is_planned_exactly() {
    // Characters of many scripts, marks and controls, in an order that nobody thought of: a linear congruential
    // generator (Numerical Recipes' constants).
    let ranges = [
        0x20..0x7f,
        0xa0..0x250,
        0x370..0x530,
        0x600..0x700,
        0x900..0x980,
        0x3040..0x3100,
        0x4e00..0x4f00,
    ];
    let more = [
        0x0..0x20,
        0x2000..0x2070,
        0xac00..0xad00,
        0x1f600..0x1f650,
        0x30..0x3a,
        0xe000..0xe010,
        0x300..0x370,
    ];
    let ranges: Vec<_> = ranges.into_iter().chain(more).collect();
    let mut state = 1u32;
    let mut random = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % below
    };
    for round in 0..240 {
        let language = Language::ALL[round % 12];
        let clauses: Vec<Clause> = (0..8)
            .map(|_| {
                let text: String = (0..1 + random(30))
                    .filter_map(|_| {
                        let range = &ranges[random(ranges.len() as u32) as usize];
                        char::from_u32(range.start + random(range.end - range.start))
                    })
                    .collect();
                clause(language, &text, Ending::Question)
            })
            .collect();
        let plan = Plan::new(clauses.iter().cloned(), Voice::Kore);
        let planned = plan.samples();
        let made: u64 = plan
            .synthesise(clauses.into_iter())
            .map(|chunk| chunk.len() as u64)
            .sum();
        assert_eq!(made, planned);
    }
}
