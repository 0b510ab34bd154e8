//! Prints the measurements of each voice in each language as a Markdown table, or (`-- --gains`) the table of
//! gains that makes them equally loud; `-- --wav FOLDER` writes the speech.

#[path = "../tests/declaration/mod.rs"]
#[allow(dead_code, reason = "shared with tests that use other parts")]
mod declaration;
#[path = "../tests/measure/mod.rs"]
#[allow(dead_code, reason = "shared with tests that use other parts")]
mod measure;

use quartet_api::{Language, Voice};
use quartet_formant_synthesis::{Plan, engine, gains, phrase, seconds};

/// The loudness that all voices are to have, in LUFS.
const TARGET_LUFS: f64 = -18.0;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments
        .iter()
        .position(|argument| argument == "--wav")
        .map(|at| arguments[at + 1].clone());
    if arguments.iter().any(|argument| argument == "--gains") {
        return print_gains();
    }
    println!(
        "| language | voice | pitch, Hz | 10–90 %, Hz | range, semitones | centroid, Hz | LUFS | true peak, dB | syllables/min |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for language in Language::ALL {
        for voice in Voice::ALL {
            let samples = speech(language, voice);
            if let Some(folder) = &folder {
                write(&format!("{folder}/{}-{voice}.wav", language.code()), &samples);
            }
            let floats = measure::floats(&samples);
            let pitches: Vec<f32> = measure::pitches(&floats, measure::range(voice))
                .into_iter()
                .flatten()
                .collect();
            let (mean, low, high) = measure::spread(&pitches);
            let (loudness, peak) = measure::loudness(&samples);
            println!(
                "| {} | {voice} | {mean:.0} | {low:.0}–{high:.0} | {:.1} | {:.0} | {loudness:.1} | {peak:.1} | {:.0} |",
                language.code(),
                12.0 * (high / low).log2(),
                measure::centroid(&floats),
                f64::from(syllables(language)) / seconds(samples.len() as u64) * 60.0,
            );
        }
    }
}

fn speech(language: Language, voice: Voice) -> Vec<i16> {
    let clauses = declaration::all_clauses(language);
    Plan::new(clauses.iter().cloned(), voice)
        .synthesise(clauses.into_iter())
        .flatten()
        .collect()
}

/// The number of syllables that the engine says.
fn syllables(language: Language) -> u32 {
    let phrases = phrase::translate(&declaration::all_clauses(language));
    let sounds = engine::sounds_of(language);
    let vowels = phrases
        .iter()
        .flatten()
        .flat_map(|phrase| &phrase.codes)
        .filter(|code| {
            !code.is_boundary
                && code.code > 8
                && sounds
                    .get(code.code)
                    .is_some_and(|sound| sound.typ == espeak_ng::phoneme::PH_VOWEL)
        });
    vowels.count() as u32
}

fn print_gains() {
    println!("const GAINS: [[f32; 5]; 12] = [");
    for language in Language::ALL {
        let gains = Voice::ALL.map(|voice| {
            let (loudness, _) = measure::loudness(&speech(language, voice));
            let now = 20.0 * f64::from(gains::gain(voice, language)).log10();
            format!("{:.1}", now + TARGET_LUFS - loudness)
        });
        println!("    [{}],", gains.join(", "));
    }
    println!("];");
}

fn write(path: &str, samples: &[i16]) {
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: quartet_api::tts::SAMPLE_RATE,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut file = hound::WavWriter::create(path, spec).expect("the folder exists");
    for sample in samples {
        file.write_sample(*sample).expect("the disk has room");
    }
    file.finalize().expect("the disk has room");
}
