//! Inputs and outputs that a graph declares, and the checks of a run against them, alike for every engine.

use crate::graphs::GraphError;
use crate::tensor::{Data, ElementType, NamedTensor, Tensor};

/// Inputs and outputs of a graph.
#[derive(Debug, Clone, Default)]
pub struct Signature {
    /// Its inputs, in its own order.
    pub inputs: Vec<Input>,
    /// The names of its outputs, in its own order.
    pub outputs: Vec<String>,
}

/// An input of a graph.
#[derive(Debug, Clone)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// The type of its elements; `None` where the graph does not say. Integers of 32 and 64 bits stand for each other.
    pub element: Option<Element>,
    /// Sizes of its dimensions, outermost first, `None` for any size; `None` where the graph does not say.
    pub shape: Option<Vec<Option<usize>>>,
}

/// The type of an input's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    /// One that tensors have.
    Known(ElementType),
    /// One that they do not have.
    Other,
}

impl Signature {
    /// The outputs of these names, as indices, in that order; all of them when none is named.
    ///
    /// # Errors
    /// When there is no such output.
    pub fn wanted(&self, graph: &str, outputs: &[&str]) -> Result<Vec<usize>, GraphError> {
        if outputs.is_empty() {
            return Ok((0..self.outputs.len()).collect());
        }
        let find = |output: &&str| {
            self.outputs.iter().position(|name| name == output).ok_or_else(|| {
                GraphError::InvalidInput(format!(
                    "`{graph}` has no output `{output}`; it has {}",
                    list(self.outputs.iter().map(String::as_str))
                ))
            })
        };
        outputs.iter().map(find).collect()
    }

    /// Checks that the inputs are exactly the declared ones, with their types and fixed dimensions, and that integers fit
    /// into 32 bits. Each tensor comes with the index of its input.
    ///
    /// # Errors
    /// When they are not; the sentence names the input.
    pub fn bind(&self, graph: &str, inputs: Vec<NamedTensor>) -> Result<Vec<(usize, Tensor)>, GraphError> {
        let mut bound: Vec<(usize, Tensor)> = Vec::with_capacity(inputs.len());
        for NamedTensor { name, tensor } in inputs {
            let Some(index) = self.inputs.iter().position(|input| input.name == name) else {
                return Err(GraphError::InvalidInput(format!(
                    "`{graph}` has no input `{name}`; it has {}",
                    list(self.inputs.iter().map(|input| input.name.as_str()))
                )));
            };
            if bound.iter().any(|(taken, _)| *taken == index) {
                return Err(GraphError::InvalidInput(format!(
                    "the input `{name}` of `{graph}` is given twice"
                )));
            }
            self.inputs[index].check(graph, &tensor)?;
            bound.push((index, tensor));
        }
        if bound.len() < self.inputs.len() {
            let all = self.inputs.iter().enumerate();
            let missing = all.filter(|(index, _)| !bound.iter().any(|(taken, _)| taken == index));
            return Err(GraphError::InvalidInput(format!(
                "`{graph}` also takes {}",
                list(missing.map(|(_, input)| input.name.as_str()))
            )));
        }
        Ok(bound)
    }
}

impl Input {
    fn check(&self, graph: &str, tensor: &Tensor) -> Result<(), GraphError> {
        let name = &self.name;
        if let Some(declared) = &self.shape
            && !(declared.len() == tensor.shape().len()
                && declared
                    .iter()
                    .zip(tensor.shape())
                    .all(|(declared, given)| declared.is_none_or(|size| size == *given)))
        {
            let sizes = declared
                .iter()
                .map(|size| size.map_or_else(|| "any".to_owned(), |size| size.to_string()));
            return Err(GraphError::InvalidInput(format!(
                "the input `{name}` of `{graph}` takes the shape [{}], not {:?}",
                sizes.collect::<Vec<_>>().join(", "),
                tensor.shape()
            )));
        }
        if let Data::I64(elements) = tensor.data()
            && elements.iter().any(|element| i32::try_from(*element).is_err())
        {
            return Err(GraphError::InvalidInput(format!(
                "the input `{name}` of `{graph}` has integers of more than 32 bits"
            )));
        }
        let given = type_name(tensor.data().element_type());
        let takes = match self.element {
            None => return Ok(()),
            Some(Element::Known(element)) => type_name(element),
            Some(Element::Other) => "no tensor",
        };
        if takes != given {
            return Err(GraphError::InvalidInput(format!(
                "the input `{name}` of `{graph}` takes {takes}, not {given}"
            )));
        }
        Ok(())
    }
}

/// The name of a type; those that stand for each other have the same.
const fn type_name(element: ElementType) -> &'static str {
    match element {
        ElementType::I32 | ElementType::I64 => "i32 or i64",
        other => other.name(),
    }
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
