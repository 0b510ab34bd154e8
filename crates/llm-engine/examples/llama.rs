//! llama.cpp by itself, for comparison: prompts one after the other, then answers to all of them together, nothing beside it.
//! Prints one line of JSON a run.
//!
//! `llama MODEL THREADS PROMPT-FILE PROMPT-TOKENS ANSWER-TOKENS SEQUENCES RUNS`

use std::num::NonZeroU32;
use std::time::Instant;

use llama_cpp_2::context::params::LlamaContextParams;
use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;
use llama_cpp_2::sampling::LlamaSampler;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> Result<()> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [model, threads, text, numbers @ ..] = arguments.as_slice() else {
        return Err("llama MODEL THREADS PROMPT-FILE PROMPT-TOKENS ANSWER-TOKENS SEQUENCES RUNS".into());
    };
    let numbers = numbers
        .iter()
        .map(|number| number.parse())
        .collect::<std::result::Result<Vec<usize>, _>>()?;
    let [prompt, answer, sequences, runs] = numbers[..] else {
        return Err("PROMPT-TOKENS ANSWER-TOKENS SEQUENCES RUNS are four numbers".into());
    };
    let mut backend = LlamaBackend::init()?;
    backend.void_logs();
    let model = LlamaModel::load_from_file(&backend, model, &LlamaModelParams::default())?;
    let parameters = LlamaContextParams::default()
        .with_n_ctx(NonZeroU32::new(u32::try_from((prompt + answer + 1) * sequences)?))
        .with_n_seq_max(u32::try_from(sequences)?)
        .with_kv_unified(true)
        .with_n_threads(threads.parse()?)
        .with_n_threads_batch(threads.parse()?);
    let mut llama = model.new_context(&backend, parameters)?;
    let mut tokens = model
        .vocab()
        .tokenize(std::fs::read_to_string(text)?.as_bytes(), false, false);
    tokens.truncate(prompt);
    let prompt = tokens.len();
    let mut sampler = LlamaSampler::greedy();
    for _ in 0..runs {
        llama.clear_kv_cache();
        let mut batch = LlamaBatch::new(prompt.max(sequences), 1);
        let (mut next, mut first) = (Vec::new(), 0.0);
        let started = Instant::now();
        for sequence in 0..sequences {
            batch.clear();
            for (position, token) in tokens.iter().enumerate() {
                batch.add(
                    *token,
                    i32::try_from(position)?,
                    &[i32::try_from(sequence)?],
                    position + 1 == prompt,
                )?;
            }
            llama.decode(&mut batch)?;
            next.push(sampler.sample(&llama, batch.n_tokens() - 1));
            first += started.elapsed().as_secs_f64() / sequences as f64;
        }
        let read = started.elapsed().as_secs_f64();
        let started = Instant::now();
        for position in prompt..prompt + answer {
            batch.clear();
            for (sequence, token) in next.iter().enumerate() {
                batch.add(*token, i32::try_from(position)?, &[i32::try_from(sequence)?], true)?;
            }
            llama.decode(&mut batch)?;
            for (row, token) in next.iter_mut().enumerate() {
                *token = sampler.sample(&llama, i32::try_from(row)?);
            }
        }
        let written = started.elapsed().as_secs_f64();
        let prompts = (prompt * sequences) as f64 / read;
        let answers = (answer * sequences) as f64 / written;
        let whole = read + written;
        println!(
            "{{\"prompt\": {prompts:.2}, \"answer\": {answers:.2}, \"first\": {first:.3}, \"whole\": {whole:.3}}}"
        );
    }
    Ok(())
}
