//! The tokenizer and the model on real text: the Universal Declaration of Human Rights in twelve languages. The models are
//! those of `cargo xtask setup`.

use std::path::{Path, PathBuf};

use quartet_embeddings::{Embedder, GRAPH, Tokenizer};
use quartet_inference::engine::{Catalog, Engine};
use quartet_text_analysis::{Embed as _, Role};

/// For each language the number of tokens in its lines, and the FNV-1a digest of their numbers in 32 bits, as the library
/// sentencepiece 0.2 gives them with the same pieces, scores and rules (`nmt_nfkc`).
const TOKENS: [(&str, usize, u64); 12] = [
    ("ar", 2107, 0x02fab56de2f569fb),
    ("de", 2382, 0x21626c709a8b156b),
    ("en", 2135, 0x4104c8d7daab972f),
    ("es", 2416, 0xd51b9fb3c63e85d6),
    ("fr", 2745, 0x5547d23e4ca9705d),
    ("hi", 2602, 0xc82f6c4cd7faee9d),
    ("it", 2405, 0x36c505dc19ed07c8),
    ("ja", 2324, 0xde0a48a1f0a812ee),
    ("ko", 2276, 0x87af311cd6f0c842),
    ("pt", 2353, 0x5015d56ed75d272d),
    ("ru", 2443, 0x9bdd7a37f569210b),
    ("zh", 1766, 0x742c2a682e613ea3),
];

fn models() -> PathBuf {
    PathBuf::from(std::env::var_os("QUARTET_MODELS").expect("QUARTET_MODELS names the folder of the models"))
}

fn text(language: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/data/declaration/{language}.txt"));
    std::fs::read_to_string(path).expect("the declaration")
}

#[test]
fn tokens_are_those_of_sentencepiece() {
    let vocabulary = std::fs::read(models().join("embedding-vocabulary.bin")).expect("the vocabulary");
    let tokenizer = Tokenizer::new(&vocabulary).expect("a vocabulary");
    for (language, count, digest) in TOKENS {
        let text = text(language);
        let tokens: Vec<u32> = text
            .split('\n')
            .flat_map(|line| tokenizer.encode(line, usize::MAX))
            .collect();
        let found = tokens
            .iter()
            .flat_map(|token| token.to_le_bytes())
            .fold(0xcbf2_9ce4_8422_2325_u64, |digest, byte| {
                (digest ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
            });
        assert_eq!((tokens.len(), found), (count, digest), "{language}");
    }
}

#[test]
fn what_is_no_vocabulary_is_refused() {
    let vocabulary = std::fs::read(models().join("embedding-vocabulary.bin")).expect("the vocabulary");
    for bytes in [
        &[][..],
        &vocabulary[..11],
        &vocabulary[..vocabulary.len() / 2],
        &vocabulary[4..],
    ] {
        assert!(Tokenizer::new(bytes).is_err());
    }
}

#[test]
fn the_same_article_is_nearest_in_every_language() {
    let engine = Engine::new(Catalog::of_folder(&models(), [GRAPH]));
    let embedder = Embedder::new(&engine).expect("a vocabulary");
    // Articles 23 to 26: counted from the end, the paragraphs are the same in all languages.
    let articles = |language: &str| -> Vec<String> {
        let text = text(language);
        let articles: Vec<&str> = text
            .split("\n\n")
            .map(str::trim)
            .filter(|text| !text.is_empty())
            .collect();
        articles[articles.len() - 14..articles.len() - 8]
            .iter()
            .map(|text| (*text).to_owned())
            .collect()
    };
    let embed = |role: Role, texts: &[String]| {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        embedder.embed(role, &texts).expect("vectors")
    };
    let english = embed(Role::Passage, &articles("en"));
    for (language, _, _) in TOKENS {
        let others = embed(Role::Passage, &articles(language));
        let right = others.iter().enumerate().filter(|(place, other)| {
            let nearest = (0..english.len()).max_by(|a, b| {
                other
                    .cosine_similarity(&english[*a])
                    .total_cmp(&other.cosine_similarity(&english[*b]))
            });
            nearest == Some(*place)
        });
        let right = right.count();
        println!("{language}: {right} of {}", others.len());
        assert!(right >= 5, "{language}: {right} of {}", others.len());
    }
}
