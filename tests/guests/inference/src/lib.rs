//! Asks for a graph and tells the answer, for tests: what comes out must be the same whoever computes it.

#[cfg(target_arch = "wasm32")]
mod component {
    use quartet_inference::import::Imported;
    use quartet_inference::{Data, Graphs, NamedTensor, Tensor};

    /// Bindings to the world `inference-probe` in `wit/`.
    #[allow(missing_docs, reason = "generated from wit/, where the documentation is")]
    mod bindings {
        wit_bindgen::generate!({ path: "../../../wit", world: "inference-probe", generate_all });
    }

    struct Component;

    impl bindings::Guest for Component {
        fn probe(graph: String, input: String, shape: Vec<u32>) -> Result<Vec<(String, Vec<u32>, Vec<f32>)>, String> {
            let shape: Vec<_> = shape.into_iter().map(|size| size as usize).collect();
            let elements: usize = shape.iter().product();
            let data = (0..elements).map(|i| (i * 7919 % 2003) as f32 / 1001.0 - 1.0).collect();
            let tensor = Tensor::new(shape, Data::F32(data)).map_err(|error| error.to_string())?;
            let outputs = Imported.run(&graph, vec![NamedTensor::new(input, tensor)], &[]);
            let outputs = outputs.map_err(|error| error.to_string())?;
            let told = outputs.into_iter().map(|NamedTensor { name, tensor }| {
                let (shape, data) = tensor.into_parts();
                let Data::F32(elements) = data else {
                    return Err(format!("`{name}` is not f32"));
                };
                Ok((name, shape.into_iter().map(|size| size as u32).collect(), elements))
            });
            told.collect()
        }
    }

    bindings::export!(Component with_types_in bindings);
}
