//! The network: a BERT of 12 layers (Devlin et al., 2019), its tokens' mean as the meaning of a text, as its publisher
//! describes (Wang et al., "Multilingual E5 Text Embeddings", 2024).
//!
//! The weights keep their 4 bits: matrices as ONNX Runtime's `MatMulNBits`, the table of tokens as bytes that are taken
//! apart after a row was looked up.

use anyhow::{Result, ensure};

use super::file::{BLOCK, Blocks, File};
use crate::onnx::{Attribute, Builder, FLOAT};

/// Value that is added to the attention to a place that only fills the batch up.
const NEVER: f32 = -1e9;
/// Offset of 4 bits without a sign.
const ZERO: f32 = 8.0;

/// The ONNX graph: input `tokens` [texts, length], filled up with the padding's number; output `embedding`
/// [texts, width], each of length 1.
///
/// # Errors
/// When it is another file.
pub fn convert(bytes: &[u8]) -> Result<Vec<u8>> {
    let file = File::read(bytes)?;
    ensure!(
        file.heads > 0 && file.width.is_multiple_of(file.heads) && file.width.is_multiple_of(BLOCK),
        "the width {} does not go into heads and blocks",
        file.width
    );
    let mut network = Network {
        file: &file,
        builder: Builder::default(),
    };
    network.constants();
    network.masks();
    let mut x = network.tokens()?;
    for layer in 0..file.layers {
        x = network.layer(layer, &x)?;
    }
    network.mean(&x);
    Ok(network.builder.finish("multilingual-e5-small"))
}

struct Network<'a> {
    file: &'a File<'a>,
    builder: Builder,
}

impl Network<'_> {
    fn node(&mut self, op: &str, inputs: &[&str], output: &str, attributes: Vec<Attribute>) -> String {
        self.builder.node(op, inputs, output, attributes);
        output.to_owned()
    }

    fn constants(&mut self) {
        let (width, heads) = (self.file.width as i64, self.file.heads as i64);
        self.builder.input_of_integers("tokens", &["texts", "length"]);
        self.builder.output_rows("embedding", "texts", self.file.width);
        self.builder.integers("padding", &[], &[self.file.padding]);
        self.builder.integers("at 0", &[1], &[0]);
        self.builder.integers("at 1", &[1], &[1]);
        self.builder.integers("at 1, 2", &[2], &[1, 2]);
        self.builder.integers("at 2", &[1], &[2]);
        self.builder.integers("joined", &[3], &[0, 0, width]);
        self.builder.integers("split", &[4], &[0, 0, heads, width / heads]);
        self.builder.floats("one", &[], &[1.0]);
        self.builder.floats("half", &[], &[0.5]);
        self.builder.floats("root of two", &[], &[std::f32::consts::SQRT_2]);
        self.builder.floats("never", &[], &[NEVER]);
        self.builder.floats("sixteen", &[], &[16.0]);
        self.builder.floats("zero point", &[], &[ZERO]);
    }

    /// Positions of tokens, and mask of where the batch is only filled up.
    fn masks(&mut self) {
        let float = || vec![Attribute::int("to", i64::from(FLOAT))];
        self.node("Equal", &["tokens", "padding"], "is padding", Vec::new());
        self.node("Cast", &["is padding"], "filled", float());
        self.node("Sub", &["one", "filled"], "said", Vec::new());
        self.node("Mul", &["filled", "never"], "unseen", Vec::new());
        self.node("Unsqueeze", &["unseen", "at 1, 2"], "mask", Vec::new());
        self.node("Unsqueeze", &["said", "at 2"], "weights", Vec::new());
    }

    /// Embedding of each token alone, at its place.
    fn tokens(&mut self) -> Result<String> {
        let file = self.file;
        let blocks = file.width / BLOCK;
        let Blocks { scales, packed } = file.blocks("emb.word", file.tokens * file.width)?;
        self.builder.bytes("words", &[file.tokens, blocks, BLOCK / 2], packed);
        self.builder.floats("word scales", &[file.tokens, blocks, 1], &scales);
        // All texts are of the first of the kinds of text.
        let kind = file.floats("emb.type", 2 * file.width)?;
        let mut places = file.floats("emb.pos", file.longest * file.width)?;
        for row in places.chunks_mut(file.width) {
            for (place, kind) in row.iter_mut().zip(&kind) {
                *place += kind;
            }
        }
        self.builder.floats("places", &[file.longest, file.width], &places);
        let last = || vec![Attribute::int("axis", -1)];
        self.node("Gather", &["words", "tokens"], "packed", Vec::new());
        self.node("Gather", &["word scales", "tokens"], "packed scales", Vec::new());
        let float = vec![Attribute::int("to", i64::from(FLOAT))];
        self.node("Cast", &["packed"], "both", float);
        self.node("Div", &["both", "sixteen"], "sixteenth", Vec::new());
        self.node("Floor", &["sixteenth"], "above", Vec::new());
        self.node("Mul", &["above", "sixteen"], "shifted", Vec::new());
        self.node("Sub", &["both", "shifted"], "below", Vec::new());
        self.node("Concat", &["below", "above"], "four bits", last());
        self.node("Sub", &["four bits", "zero point"], "signed", Vec::new());
        self.node("Mul", &["signed", "packed scales"], "scaled", Vec::new());
        self.node("Reshape", &["scaled", "joined"], "alone", Vec::new());
        self.node("Shape", &["tokens"], "shape", Vec::new());
        self.node("Gather", &["shape", "at 1"], "length", Vec::new());
        self.node("Slice", &["places", "at 0", "length", "at 0"], "its places", Vec::new());
        self.node("Add", &["alone", "its places"], "placed", Vec::new());
        self.normalise("placed", "emb.ln", "token")
    }

    /// Attention, then two matrices; each adds to what was there.
    fn layer(&mut self, layer: usize, input: &str) -> Result<String> {
        let (width, inner) = (self.file.width, self.file.inner);
        let part = |part: &str| format!("l{layer}.{part}");
        // The root of a head's width belongs to the attention; in the weights it costs nothing.
        let scale = 1.0 / ((width / self.file.heads) as f32).sqrt();
        let query = self.matrix(input, &part("q"), width, width, scale)?;
        let key = self.matrix(input, &part("k"), width, width, 1.0)?;
        let value = self.matrix(input, &part("v"), width, width, 1.0)?;
        let query = self.heads(&query, [0, 2, 1, 3]);
        let key = self.heads(&key, [0, 2, 3, 1]);
        let value = self.heads(&value, [0, 2, 1, 3]);
        self.node("MatMul", &[&query, &key], &part("likeness"), Vec::new());
        self.node("Add", &[&part("likeness"), "mask"], &part("masked"), Vec::new());
        let last = vec![Attribute::int("axis", -1)];
        self.node("Softmax", &[&part("masked")], &part("attention"), last);
        self.node("MatMul", &[&part("attention"), &value], &part("seen"), Vec::new());
        let back = vec![Attribute::ints("perm", [0, 2, 1, 3])];
        self.node("Transpose", &[&part("seen")], &part("turned"), back);
        self.node(
            "Reshape",
            &[&part("turned"), "joined"],
            &part("heads joined"),
            Vec::new(),
        );
        let seen = self.matrix(&part("heads joined"), &part("ao"), width, width, 1.0)?;
        self.node("Add", &[input, &seen], &part("sum"), Vec::new());
        let x = self.normalise(&part("sum"), &part("aln"), &part("attended"))?;
        let wide = self.matrix(&x, &part("fi"), width, inner, 1.0)?;
        // GELU in the form that its authors give.
        self.node("Div", &[&wide, "root of two"], &part("scaled"), Vec::new());
        self.node("Erf", &[&part("scaled")], &part("erf"), Vec::new());
        self.node("Add", &[&part("erf"), "one"], &part("raised"), Vec::new());
        self.node("Mul", &[&wide, &part("raised")], &part("twice"), Vec::new());
        self.node("Mul", &[&part("twice"), "half"], &part("gelu"), Vec::new());
        let narrow = self.matrix(&part("gelu"), &part("fo"), inner, width, 1.0)?;
        self.node("Add", &[&x, &narrow], &part("total"), Vec::new());
        self.normalise(&part("total"), &part("oln"), &part("output"))
    }

    /// A matrix in blocks and what it adds, both times `scale`.
    fn matrix(&mut self, input: &str, name: &str, from: usize, to: usize, scale: f32) -> Result<String> {
        let Blocks { mut scales, packed } = self.file.blocks(&format!("{name}.w"), from * to)?;
        let mut bias = self.file.floats(&format!("{name}.b"), to)?;
        for value in scales.iter_mut().chain(&mut bias) {
            *value *= scale;
        }
        let (weight, scales_name, bias_name) = (format!("{name}.w"), format!("{name}.scales"), format!("{name}.b"));
        self.builder
            .bytes(&weight, &[to, from / BLOCK, BLOCK / 2], interleaved(&packed));
        self.builder.floats(&scales_name, &[to, from / BLOCK], &scales);
        self.builder.floats(&bias_name, &[to], &bias);
        let attributes = [("K", from), ("N", to), ("bits", 4), ("block_size", BLOCK)];
        let attributes = attributes.map(|(name, value)| Attribute::int(name, value as i64));
        let product = format!("{name} product");
        self.builder.contributed(
            "MatMulNBits",
            &[input, &weight, &scales_name],
            &product,
            attributes.to_vec(),
        );
        Ok(self.node("Add", &[&product, &bias_name], &format!("{name} output"), Vec::new()))
    }

    fn heads(&mut self, input: &str, order: [i64; 4]) -> String {
        self.node("Reshape", &[input, "split"], &format!("{input} split"), Vec::new());
        let order = vec![Attribute::ints("perm", order)];
        self.node(
            "Transpose",
            &[&format!("{input} split")],
            &format!("{input} heads"),
            order,
        )
    }

    fn normalise(&mut self, input: &str, name: &str, output: &str) -> Result<String> {
        let (gain, shift) = (format!("{name}.w"), format!("{name}.b"));
        for part in [&gain, &shift] {
            let values = self.file.floats(part, self.file.width)?;
            self.builder.floats(part, &[self.file.width], &values);
        }
        let attributes = vec![
            Attribute::int("axis", -1),
            Attribute::float("epsilon", self.file.epsilon),
        ];
        Ok(self.node("LayerNormalization", &[input, &gain, &shift], output, attributes))
    }

    /// The mean of the tokens, of length 1.
    fn mean(&mut self, x: &str) {
        let kept = |keep: i64| vec![Attribute::int("keepdims", keep)];
        self.node("Mul", &[x, "weights"], "weighted", Vec::new());
        self.node("ReduceSum", &["weighted", "at 1"], "sum", kept(0));
        let length = vec![Attribute::ints("axes", [-1]), Attribute::int("keepdims", 1)];
        // The number of tokens does not change the direction.
        self.node("ReduceL2", &["sum"], "size", length);
        self.node("Div", &["sum", "size"], "embedding", Vec::new());
    }
}

/// Blocks as `MatMulNBits` takes them: byte `j` has weight `2 j` below and weight `2 j + 1` above.
fn interleaved(packed: &[u8]) -> Vec<u8> {
    let weight = |block: &[u8], place: usize| {
        let byte = block[place % (BLOCK / 2)];
        if place < BLOCK / 2 { byte & 15 } else { byte >> 4 }
    };
    packed
        .chunks(BLOCK / 2)
        .flat_map(|block| (0..BLOCK / 2).map(move |byte| weight(block, 2 * byte) | weight(block, 2 * byte + 1) << 4))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_keep_their_places() {
        let block: Vec<u8> = (0..16).map(|byte| byte | (15 - byte) << 4).collect();
        let turned = interleaved(&block);
        let before: Vec<u8> = block
            .iter()
            .map(|b| b & 15)
            .chain(block.iter().map(|b| b >> 4))
            .collect();
        let after: Vec<u8> = turned.iter().flat_map(|b| [b & 15, b >> 4]).collect();
        assert_eq!(before, after);
    }
}
