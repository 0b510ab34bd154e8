//! ONNX files: as much of the published schema (`onnx.proto3`, IR version 8) as the conversions here write or read. The
//! numbers of the fields and of the types are the schema's.

use prost::Message;

/// A whole file.
#[derive(Clone, PartialEq, Message)]
pub struct Model {
    #[prost(int64, tag = "1")]
    pub ir_version: i64,
    #[prost(string, tag = "2")]
    pub producer_name: String,
    #[prost(message, optional, tag = "7")]
    pub graph: Option<Graph>,
    #[prost(message, repeated, tag = "8")]
    pub opset_import: Vec<OperatorSet>,
    #[prost(message, repeated, tag = "14")]
    pub metadata_props: Vec<Entry>,
}

/// Set of operators that a file uses.
#[derive(Clone, PartialEq, Message)]
pub struct OperatorSet {
    #[prost(string, tag = "1")]
    pub domain: String,
    #[prost(int64, tag = "2")]
    pub version: i64,
}

/// One entry of a file's metadata.
#[derive(Clone, PartialEq, Message)]
pub struct Entry {
    #[prost(string, tag = "1")]
    pub key: String,
    #[prost(string, tag = "2")]
    pub value: String,
}

/// Nodes, and the tensors that are known beforehand.
#[derive(Clone, PartialEq, Message)]
pub struct Graph {
    #[prost(message, repeated, tag = "1")]
    pub node: Vec<Node>,
    #[prost(string, tag = "2")]
    pub name: String,
    #[prost(message, repeated, tag = "5")]
    pub initializer: Vec<Tensor>,
    #[prost(message, repeated, tag = "11")]
    pub input: Vec<Value>,
    #[prost(message, repeated, tag = "12")]
    pub output: Vec<Value>,
}

/// One operation.
#[derive(Clone, PartialEq, Message)]
pub struct Node {
    #[prost(string, repeated, tag = "1")]
    pub input: Vec<String>,
    #[prost(string, repeated, tag = "2")]
    pub output: Vec<String>,
    #[prost(string, tag = "3")]
    pub name: String,
    #[prost(string, tag = "4")]
    pub op_type: String,
    #[prost(message, repeated, tag = "5")]
    pub attribute: Vec<Attribute>,
    #[prost(string, tag = "7")]
    pub domain: String,
}

/// A parameter of an operation.
#[derive(Clone, PartialEq, Message)]
pub struct Attribute {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(float, tag = "2")]
    pub f: f32,
    #[prost(int64, tag = "3")]
    pub i: i64,
    #[prost(bytes = "vec", tag = "4")]
    pub s: Vec<u8>,
    #[prost(message, optional, tag = "5")]
    pub t: Option<Tensor>,
    // The schema is of the second version of protobuf, where lists of numbers are not packed.
    #[prost(int64, repeated, packed = "false", tag = "8")]
    pub ints: Vec<i64>,
    #[prost(int32, tag = "20")]
    pub kind: i32,
}

impl Attribute {
    /// A number with a fraction.
    pub fn float(name: &str, value: f32) -> Self {
        Self {
            name: name.to_owned(),
            f: value,
            kind: 1,
            ..Self::default()
        }
    }

    /// A whole number.
    pub fn int(name: &str, value: i64) -> Self {
        Self {
            name: name.to_owned(),
            i: value,
            kind: 2,
            ..Self::default()
        }
    }

    /// A word.
    pub fn word(name: &str, value: &str) -> Self {
        Self {
            name: name.to_owned(),
            s: value.as_bytes().to_vec(),
            kind: 3,
            ..Self::default()
        }
    }

    /// A list of whole numbers.
    pub fn ints(name: &str, values: impl IntoIterator<Item = i64>) -> Self {
        Self {
            name: name.to_owned(),
            ints: values.into_iter().collect(),
            kind: 7,
            ..Self::default()
        }
    }
}

/// A tensor with its elements.
#[derive(Clone, PartialEq, Message)]
pub struct Tensor {
    #[prost(int64, repeated, packed = "false", tag = "1")]
    pub dims: Vec<i64>,
    #[prost(int32, tag = "2")]
    pub data_type: i32,
    // Elements stand in one of these lists or in the bytes below; what is written here has bytes.
    #[prost(float, repeated, tag = "4")]
    pub float_data: Vec<f32>,
    #[prost(int32, repeated, tag = "5")]
    pub int32_data: Vec<i32>,
    #[prost(int64, repeated, tag = "7")]
    pub int64_data: Vec<i64>,
    #[prost(string, tag = "8")]
    pub name: String,
    #[prost(bytes = "vec", tag = "9")]
    pub raw_data: Vec<u8>,
}

/// An input or an output.
#[derive(Clone, PartialEq, Message)]
pub struct Value {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, optional, tag = "2")]
    pub kind: Option<Type>,
}

/// The type of a value.
#[derive(Clone, PartialEq, Message)]
pub struct Type {
    #[prost(message, optional, tag = "1")]
    pub tensor: Option<TensorType>,
}

/// The type of a tensor.
#[derive(Clone, PartialEq, Message)]
pub struct TensorType {
    #[prost(int32, tag = "1")]
    pub element: i32,
    #[prost(message, optional, tag = "2")]
    pub shape: Option<Shape>,
}

/// The sizes of the dimensions.
#[derive(Clone, PartialEq, Message)]
pub struct Shape {
    #[prost(message, repeated, tag = "1")]
    pub dim: Vec<Dimension>,
}

/// The size of one dimension.
#[derive(Clone, PartialEq, Message)]
pub struct Dimension {
    // A member of a `oneof` in the schema: written even when it is zero.
    #[prost(int64, optional, tag = "1")]
    pub value: Option<i64>,
    // The other member: a name stands for any size.
    #[prost(string, optional, tag = "2")]
    pub name: Option<String>,
}

/// The schema's number of the element type `f32`.
pub const FLOAT: i32 = 1;
/// The schema's number of the element type `u8`.
const UINT8: i32 = 2;
/// The schema's number of the element type `i8`.
const INT8: i32 = 3;
/// The schema's number of the element type `i64`.
pub const INT64: i32 = 7;
/// The domain of ONNX Runtime's operators.
pub const CONTRIBUTED: &str = "com.microsoft";

/// A graph that is being put together.
#[derive(Default)]
pub struct Builder {
    graph: Graph,
}

impl Builder {
    /// Adds an operation with one output, called `output`.
    pub fn node(&mut self, op: &str, inputs: &[&str], output: &str, attributes: Vec<Attribute>) {
        self.node_of_many(op, inputs, &[output], attributes);
    }

    /// Adds an operation with several outputs.
    pub fn node_of_many(&mut self, op: &str, inputs: &[&str], outputs: &[&str], attributes: Vec<Attribute>) {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        self.graph.node.push(Node {
            input: owned(inputs),
            output: owned(outputs),
            name: outputs[0].to_owned(),
            op_type: op.to_owned(),
            attribute: attributes,
            domain: String::new(),
        });
    }

    /// Adds an operation of ONNX Runtime's own with one output, called `output`.
    pub fn contributed(&mut self, op: &str, inputs: &[&str], output: &str, attributes: Vec<Attribute>) {
        self.node(op, inputs, output, attributes);
        if let Some(node) = self.graph.node.last_mut() {
            node.domain = CONTRIBUTED.to_owned();
        }
    }

    /// Adds a constant of numbers with fractions, unless it is there.
    pub fn floats(&mut self, name: &str, dims: &[usize], elements: &[f32]) {
        self.constant(
            name,
            dims,
            FLOAT,
            elements.iter().flat_map(|x| x.to_le_bytes()).collect(),
        );
    }

    /// Adds a constant of whole numbers, unless it is there.
    pub fn integers(&mut self, name: &str, dims: &[usize], elements: &[i64]) {
        self.constant(
            name,
            dims,
            INT64,
            elements.iter().flat_map(|x| x.to_le_bytes()).collect(),
        );
    }

    /// Adds a constant of bytes, unless it is there.
    pub fn bytes(&mut self, name: &str, dims: &[usize], elements: Vec<u8>) {
        self.constant(name, dims, UINT8, elements);
    }

    /// Adds a constant of bytes with a sign, unless it is there.
    pub fn signed_bytes(&mut self, name: &str, dims: &[usize], elements: Vec<u8>) {
        self.constant(name, dims, INT8, elements);
    }

    fn constant(&mut self, name: &str, dims: &[usize], data_type: i32, raw_data: Vec<u8>) {
        if !self.graph.initializer.iter().any(|tensor| tensor.name == name) {
            self.graph.initializer.push(Tensor {
                dims: dims.iter().map(|size| *size as i64).collect(),
                data_type,
                name: name.to_owned(),
                raw_data,
                ..Tensor::default()
            });
        }
    }

    /// Declares an input.
    pub fn input(&mut self, name: &str, dims: &[usize]) {
        self.graph
            .input
            .push(value(name, FLOAT, dims.iter().map(|size| fixed(*size))));
    }

    /// Declares an input of which some dimensions may have any size.
    pub fn input_of(&mut self, name: &str, dims: &[Option<usize>]) {
        self.graph.input.push(value(name, FLOAT, some_of_any_size(dims)));
    }

    /// Declares an input of whole numbers whose dimensions have any size.
    pub fn input_of_integers(&mut self, name: &str, dims: &[&str]) {
        self.graph
            .input
            .push(value(name, INT64, dims.iter().map(|name| any(name))));
    }

    /// Declares an output.
    pub fn output(&mut self, name: &str, dims: &[usize]) {
        self.graph
            .output
            .push(value(name, FLOAT, dims.iter().map(|size| fixed(*size))));
    }

    /// Declares an output of which some dimensions may have any size.
    pub fn output_of(&mut self, name: &str, dims: &[Option<usize>]) {
        self.graph.output.push(value(name, FLOAT, some_of_any_size(dims)));
    }

    /// Declares an output with a first dimension of any size and a second one.
    pub fn output_rows(&mut self, name: &str, rows: &str, columns: usize) {
        self.graph.output.push(value(name, FLOAT, [any(rows), fixed(columns)]));
    }

    /// Takes out the operations that were added since the last time.
    pub fn take_nodes(&mut self) -> Vec<Node> {
        std::mem::take(&mut self.graph.node)
    }

    /// The constants that were added, for another graph.
    pub fn constants(self) -> Vec<Tensor> {
        self.graph.initializer
    }

    /// The bytes of the file.
    pub fn finish(mut self, name: &str) -> Vec<u8> {
        self.graph.name = name.to_owned();
        let mut operators = vec![OperatorSet {
            domain: String::new(),
            version: 17,
        }];
        if self.graph.node.iter().any(|node| node.domain == CONTRIBUTED) {
            operators.push(OperatorSet {
                domain: CONTRIBUTED.to_owned(),
                version: 1,
            });
        }
        let model = Model {
            ir_version: 8,
            // Part of the bytes whose digests `models.toml` lists, so it stays as it was when they were taken.
            producer_name: "quartet-models".to_owned(),
            graph: Some(self.graph),
            opset_import: operators,
            metadata_props: Vec::new(),
        };
        model.encode_to_vec()
    }
}

/// A dimension of one size.
fn fixed(size: usize) -> Dimension {
    Dimension {
        value: Some(size as i64),
        name: None,
    }
}

/// A dimension of any size; those of one name are alike.
fn any(name: &str) -> Dimension {
    Dimension {
        value: None,
        name: Some(name.to_owned()),
    }
}

/// Dimensions of one size, or of any, each for itself.
fn some_of_any_size(dims: &[Option<usize>]) -> impl Iterator<Item = Dimension> {
    let each = dims.iter().enumerate();
    each.map(|(index, size)| size.map_or_else(|| any(&format!("any{index}")), fixed))
}

/// A value whose dimensions have any size.
pub fn dims_of_any_size(name: &str, element: i32, dims: &[&str]) -> Value {
    value(name, element, dims.iter().map(|name| any(name)))
}

fn value(name: &str, element: i32, dims: impl IntoIterator<Item = Dimension>) -> Value {
    let shape = Some(Shape {
        dim: dims.into_iter().collect(),
    });
    let tensor = Some(TensorType { element, shape });
    Value {
        name: name.to_owned(),
        kind: Some(Type { tensor }),
    }
}
