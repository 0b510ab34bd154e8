//! Measures a graph: `measure [onnxruntime=LIBRARY.so | cuda=LIBRARY.so] FILE.onnx THREADS RUNS NAME=1x3x48x320 …`, with rten
//! where no library is named. The inputs are a fixed pattern between -1 and 1, so that another engine can be given the same
//! and its answers be compared. Prints milliseconds, and of each output its shape, mean and mean square.

use std::collections::HashMap;
use std::process::ExitCode;
use std::time::Instant;

use quartet_inference::engine::{Catalog, Engine, Source};
use quartet_inference::{Data, Graphs, NamedTensor, Tensor};

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    match measure(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(arguments: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let named = arguments.first().and_then(|first| first.split_once('='));
    let arguments = if named.is_some() { &arguments[1..] } else { arguments };
    let [file, threads, runs, inputs @ ..] = arguments else {
        return Err(
            "usage: measure [onnxruntime=LIBRARY.so | cuda=LIBRARY.so] FILE.onnx THREADS RUNS NAME=1x3x48x320 …".into(),
        );
    };
    let catalog: Catalog = HashMap::from([("graph".to_owned(), Source::File(file.into()))])
        .into_iter()
        .collect();
    let start = Instant::now();
    let engine = Engine::new(catalog).with_threads(threads.parse()?);
    let engine = match named {
        Some((kind, library)) => with_library(engine, kind, library, threads.parse()?)?,
        None => engine,
    };
    engine.open("graph")?;
    println!("opened in {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    let inputs = inputs
        .iter()
        .map(|input| pattern(input))
        .collect::<Result<Vec<_>, _>>()?;
    let mut times = Vec::new();
    let mut outputs = Vec::new();
    for _ in 0..runs.parse::<usize>()?.max(1) {
        let inputs = inputs.clone();
        let start = Instant::now();
        outputs = engine.run("graph", inputs, &[])?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    println!("best {:.1} ms, median {:.1} ms", times[0], times[times.len() / 2]);
    for NamedTensor { name, tensor } in outputs {
        let elements = tensor.as_f32().unwrap_or_default();
        let mean = |of: fn(f64) -> f64| elements.iter().map(|x| of(f64::from(*x))).sum::<f64>() / elements.len() as f64;
        println!(
            "{name} {:?} mean {:.6e} mean square {:.6e}",
            tensor.shape(),
            mean(|x| x),
            mean(|x| x * x)
        );
    }
    Ok(())
}

/// The engine with the library that the first argument names.
#[cfg(feature = "onnxruntime")]
fn with_library(engine: Engine, kind: &str, library: &str, threads: usize) -> Result<Engine, String> {
    use quartet_inference::engine::onnxruntime::Library;

    let loaded = Library::load(library.as_ref(), threads)?;
    Ok(engine.with_library(match kind {
        "cuda" => loaded.with_cuda(|graph, reason| eprintln!("{graph} is computed by the processor: {reason}"))?,
        _ => loaded,
    }))
}

#[cfg(not(feature = "onnxruntime"))]
fn with_library(_: Engine, _: &str, _: &str, _: usize) -> Result<Engine, String> {
    Err("this example was built without ONNX Runtime".to_owned())
}

/// The input that `name=1x3x48x320` asks for.
fn pattern(input: &str) -> Result<NamedTensor, Box<dyn std::error::Error>> {
    let (name, shape) = input.split_once('=').ok_or("an input is NAME=1x3x48x320")?;
    let shape = shape.split('x').map(str::parse).collect::<Result<Vec<usize>, _>>()?;
    let elements = shape.iter().product();
    let data = (0..elements).map(|i| (i * 7919 % 2003) as f32 / 1001.0 - 1.0).collect();
    Ok(NamedTensor::new(name, Tensor::new(shape, Data::F32(data))?))
}
