//! Both engines on graphs of one operation, which are written here byte by byte. ONNX Runtime where its library is among the
//! models.

use super::*;
use crate::tensor::{Data, Tensor};

/// A field of protobuf: bytes under a number.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    assert!(bytes.len() < 128, "the length is one byte");
    [&[number << 3 | 2, bytes.len() as u8], bytes].concat()
}

/// A field of protobuf: a small number under a number.
fn number(number: u8, value: u8) -> Vec<u8> {
    vec![number << 3, value]
}

/// An input or output: `name`, of elements of a type of ONNX, with an unknown first dimension and a second one of two.
fn value(name: &str, element: u8) -> Vec<u8> {
    let any = field(1, &field(2, b"n"));
    let two = field(1, &number(1, 2));
    let tensor = [number(1, element), field(2, &[any, two].concat())].concat();
    [field(1, name.as_bytes()), field(2, &field(1, &tensor))].concat()
}

/// An ONNX file: `sum` and `same`, of `x` and `y`, with elements of a type of ONNX.
fn adding(element: u8) -> &'static [u8] {
    let node = |op: &str, inputs: &[&str], output: &str| {
        let inputs = inputs.iter().flat_map(|name| field(1, name.as_bytes()));
        let node: Vec<_> = inputs
            .chain(field(2, output.as_bytes()))
            .chain(field(4, op.as_bytes()))
            .collect();
        field(1, &node)
    };
    let graph = [
        node("Add", &["x", "y"], "sum"),
        node("Identity", &["x"], "same"),
        field(11, &value("x", element)),
        field(11, &value("y", element)),
        field(12, &value("sum", element)),
        field(12, &value("same", element)),
    ]
    .concat();
    // The graph is longer than one byte says.
    let length = [(graph.len() % 128) as u8 | 128, (graph.len() / 128) as u8];
    let model = [
        number(1, 8),
        field(8, &number(2, 17)),
        [&[7 << 3 | 2], &length[..], &graph].concat(),
    ]
    .concat();
    model.leak()
}

/// ONNX's numbers of types.
const F32: u8 = 1;
const I64: u8 = 7;

/// An engine for some graphs, of every kind that this machine has.
fn engines(test: &str, catalog: &Catalog) -> Vec<Engine> {
    let engines = vec![Engine::new(catalog.clone()).with_threads(1)];
    #[cfg(feature = "onnxruntime")]
    let engines = with_library(test, catalog, engines);
    #[cfg(not(feature = "onnxruntime"))]
    let _ = test;
    engines
}

#[cfg(feature = "onnxruntime")]
fn with_library(test: &str, catalog: &Catalog, mut engines: Vec<Engine>) -> Vec<Engine> {
    let models = std::env::var_os("QUARTET_MODELS").map(std::path::PathBuf::from);
    let models = models.unwrap_or_else(|| std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/models"));
    match onnxruntime::Library::load(&models.join(onnxruntime::FILE), 1) {
        Ok(library) => engines.push(Engine::new(catalog.clone()).with_library(library)),
        Err(reason) => println!("not run: {test} with ONNX Runtime: {reason}"),
    }
    engines
}

fn catalog() -> Catalog {
    let graphs = [
        #[cfg(feature = "onnxruntime")]
        ("smallest".to_owned(), Source::Bytes(onnxruntime::SMALLEST_GRAPH)),
        ("floats".to_owned(), Source::Bytes(adding(F32))),
        ("integers".to_owned(), Source::Bytes(adding(I64))),
        ("broken".to_owned(), Source::Bytes(b"this is no graph")),
        ("absent".to_owned(), Source::File("/nowhere/absent.onnx".into())),
    ];
    graphs.into_iter().collect()
}

fn floats(name: &str, rows: usize) -> NamedTensor {
    let data = (0..rows * 2).map(|x| x as f32).collect();
    NamedTensor::new(name, Tensor::new([rows, 2], Data::F32(data)).expect("it fits"))
}

#[cfg(feature = "onnxruntime")]
#[test]
fn the_smallest_graph_gives_its_input_back() {
    for engine in engines("the smallest graph", &catalog()) {
        let one = Tensor::new([1], Data::F32(vec![0.5])).expect("it fits");
        let outputs = engine
            .run("smallest", vec![NamedTensor::new("x", one)], &[])
            .expect("it");
        assert_eq!(outputs[0].tensor.as_f32(), Some(&[0.5][..]));
        assert_eq!(engine.accelerator(), None);
    }
}

#[test]
fn computes_what_is_asked_for_in_any_shape() {
    for engine in engines("any shape", &catalog()) {
        for rows in [1, 3] {
            let outputs = engine
                .run("floats", vec![floats("y", rows), floats("x", rows)], &["sum"])
                .expect("a sum");
            assert_eq!(outputs.len(), 1);
            assert_eq!(
                (outputs[0].name.as_str(), outputs[0].tensor.shape()),
                ("sum", &[rows, 2][..])
            );
            let sum: Vec<_> = (0..rows * 2).map(|x| 2.0 * x as f32).collect();
            assert_eq!(outputs[0].tensor.as_f32(), Some(sum.as_slice()));
        }
        let all = engine
            .run("floats", vec![floats("x", 1), floats("y", 1)], &[])
            .expect("both");
        assert_eq!(
            all.iter().map(|output| output.name.as_str()).collect::<Vec<_>>(),
            ["sum", "same"]
        );
    }
}

#[test]
fn integers_of_64_bits_come_back_with_32() {
    let integers = |name: &str, elements: [i64; 2]| {
        NamedTensor::new(
            name,
            Tensor::new([1, 2], Data::I64(elements.to_vec())).expect("it fits"),
        )
    };
    for engine in engines("integers", &catalog()) {
        let sum = engine
            .run(
                "integers",
                vec![integers("x", [1, -2]), integers("y", [3, 4])],
                &["sum"],
            )
            .expect("a sum");
        assert_eq!(*sum[0].tensor.data(), Data::I32(vec![4, 2]));
        let large = engine.run(
            "integers",
            vec![integers("x", [1 << 40, 0]), integers("y", [0, 0])],
            &[],
        );
        assert!(
            matches!(large, Err(GraphError::InvalidInput(words)) if words.contains("`x`") && words.contains("32 bits"))
        );
    }
}

#[test]
fn wrong_inputs_are_named() {
    for engine in engines("wrong inputs", &catalog()) {
        let wide = NamedTensor::new("y", Tensor::new([1, 3], Data::F32(vec![0.0; 3])).expect("it fits"));
        let whole = NamedTensor::new("y", Tensor::new([1, 2], Data::I32(vec![0; 2])).expect("it fits"));
        for (inputs, outputs, word) in [
            (vec![floats("x", 1)], &[][..], "also takes `y`"),
            (vec![floats("x", 1), floats("z", 1)], &[], "no input `z`"),
            (vec![floats("x", 1), floats("x", 1)], &[], "twice"),
            (vec![floats("x", 1), wide], &[], "[any, 2], not [1, 3]"),
            (vec![floats("x", 1), whole], &[], "takes f32, not i32"),
            (
                vec![floats("x", 1), floats("y", 1)],
                &["product"],
                "no output `product`",
            ),
            (vec![floats("x", 2), floats("y", 3)], &[], "cannot compute"),
        ] {
            match engine.run("floats", inputs, outputs) {
                Err(GraphError::InvalidInput(words)) => assert!(words.contains(word), "{words}"),
                other => panic!("{word}: {other:?}"),
            }
        }
    }
}

#[test]
fn graphs_that_cannot_be_used_say_why() {
    for engine in engines("unusable graphs", &catalog()) {
        let run = |graph: &str| engine.run(graph, vec![floats("x", 1), floats("y", 1)], &[]);
        assert_eq!(run("nothing"), Err(GraphError::Unknown("nothing".into())));
        assert!(matches!(run("broken"), Err(GraphError::Failed(words)) if words.contains("`broken`")));
        assert!(matches!(run("absent"), Err(GraphError::Missing { graph, .. }) if graph == "absent"));
        assert_eq!(engine.missing().collect::<Vec<_>>(), ["absent"]);
    }
}

#[test]
fn what_is_too_large_is_not_computed() {
    for engine in engines("too large", &catalog()) {
        let engine = engine.with_maximum_input_elements(5);
        let run = |rows| engine.run("floats", vec![floats("x", rows), floats("y", rows)], &[]);
        assert!(run(1).is_ok());
        assert!(matches!(run(2), Err(GraphError::TooLarge(_))));
    }
}

#[test]
fn a_file_that_comes_later_is_found() {
    let folder = std::env::temp_dir().join(format!("quartet-inference-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
    let file = folder.join("late.onnx");
    for engine in engines("a late file", &Catalog::of_folder(&folder, ["late"])) {
        let before = engine.open("late");
        std::fs::write(&file, adding(F32)).expect("the temporary folder is writable");
        let after = engine.open("late");
        std::fs::remove_file(&file).expect("it was there");
        assert!(matches!(before, Err(GraphError::Missing { .. })));
        assert_eq!(after, Ok(()));
    }
    let _ = std::fs::remove_dir_all(&folder);
}

#[cfg(feature = "onnxruntime")]
#[test]
fn engines_agree() {
    let outputs: Vec<_> = engines("agreement", &catalog())
        .iter()
        .map(|engine| engine.run("floats", vec![floats("x", 3), floats("y", 3)], &[]))
        .collect();
    assert!(
        outputs.iter().all(|output| output.is_ok() && *output == outputs[0]),
        "{outputs:?}"
    );
}

#[cfg(feature = "onnxruntime")]
#[test]
fn a_library_that_is_none_is_refused() {
    // Not by `Library::load`, which gives the one that another test loaded.
    let error = onnxruntime::found(std::path::Path::new("/nowhere/libonnxruntime.so"));
    assert!(matches!(error, Err(words) if words.contains("/nowhere/libonnxruntime.so")));
}
