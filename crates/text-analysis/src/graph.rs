//! The similarity graph of sentences, and their centrality.
//!
//! Centrality is that of LexRank (Erkan and Radev, "LexRank: Graph-based Lexical Centrality as Salience in Text
//! Summarization", 2004): PageRank on a graph of sentences. Its edges are weighted by BM25 (Barrios, López, Argerich and
//! Wachenchauzer, "Variations of the Similarity Function of TextRank for Automated Summarization", 2016), made symmetric.

use std::collections::HashMap;

/// The parameters of BM25, as Robertson and Zaragoza recommend them.
const BM25_K1: f32 = 1.2;
/// See [`BM25_K1`].
const BM25_B: f32 = 0.75;
/// The probability that the random walk goes on along an edge.
const DAMPING_FACTOR: f32 = 0.85;
/// Limit for the iterations, which end earlier when the change is below [`CONVERGENCE_THRESHOLD`].
const MAX_ITERATIONS: usize = 60;
const CONVERGENCE_THRESHOLD: f32 = 1e-5;

/// Sentences as counts of terms.
pub(super) struct Graph {
    /// Terms of each sentence with their counts, in the order of the terms' numbers.
    counts: Vec<Vec<(u32, f32)>>,
    /// The inverse document frequency of each term.
    idf: Vec<f32>,
    /// The Euclidean length of each sentence's tf-idf vector.
    norms: Vec<f32>,
}

impl Graph {
    /// Builds the graph from the content terms of sentences.
    pub(super) fn new(sentences: &[Vec<String>]) -> Self {
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        let mut counts = Vec::with_capacity(sentences.len());
        let mut frequencies: Vec<u32> = Vec::new();
        for terms in sentences {
            let mut numbered: Vec<u32> = terms
                .iter()
                .map(|term| {
                    let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                    *numbers.entry(term).or_insert(next)
                })
                .collect();
            numbered.sort_unstable();
            frequencies.resize(numbers.len(), 0);
            let mut row: Vec<(u32, f32)> = Vec::new();
            for term in numbered {
                match row.last_mut() {
                    Some((last, count)) if *last == term => *count += 1.0,
                    _ => {
                        row.push((term, 1.0));
                        frequencies[term as usize] += 1;
                    }
                }
            }
            counts.push(row);
        }
        let idf: Vec<f32> = frequencies
            .iter()
            .map(|frequency| idf(*frequency, sentences.len()))
            .collect();
        let norms = counts
            .iter()
            .map(|row| {
                row.iter()
                    .map(|(term, count)| (count * idf[*term as usize]).powi(2))
                    .sum::<f32>()
                    .sqrt()
            })
            .collect();
        Self { counts, idf, norms }
    }

    /// The similarity of two sentences, from 0 to 1: the cosine of their tf-idf vectors.
    pub(super) fn cosine(&self, one: usize, other: usize) -> f32 {
        let (mut a, mut b) = (self.counts[one].iter().peekable(), self.counts[other].iter().peekable());
        let mut sum = 0.0;
        while let (Some((left, x)), Some((right, y))) = (a.peek(), b.peek()) {
            match left.cmp(right) {
                std::cmp::Ordering::Less => _ = a.next(),
                std::cmp::Ordering::Greater => _ = b.next(),
                std::cmp::Ordering::Equal => {
                    sum += x * y * self.idf[*left as usize].powi(2);
                    a.next();
                    b.next();
                }
            }
        }
        sum / (self.norms[one] * self.norms[other]).max(f32::EPSILON)
    }

    /// The nearness of each sentence to the centroid of the whole (Radev, Jing, Styś and Tam, "Centroid-based
    /// summarization of multiple documents", 2004), from 0 to 1.
    pub(super) fn centroid(&self) -> Vec<f32> {
        let mut weights = vec![0.0_f32; self.idf.len()];
        for (term, count) in self.counts.iter().flatten() {
            weights[*term as usize] += count * self.idf[*term as usize];
        }
        // Terms that come once say nothing of the whole.
        let once = |term: usize, weight: f32| weight <= self.idf[term] * 1.5;
        let scores = self
            .counts
            .iter()
            .map(|row| {
                let sum: f32 = row
                    .iter()
                    .map(|(term, _)| *term as usize)
                    .filter(|term| !once(*term, weights[*term]))
                    .map(|term| weights[term])
                    .sum();
                let length: f32 = row.iter().map(|(_, count)| count).sum();
                sum / length.max(8.0).sqrt()
            })
            .collect();
        scaled(scores)
    }

    /// The centrality of each sentence, from 0 to 1.
    pub(super) fn centrality(&self) -> Vec<f32> {
        let size = self.counts.len();
        if size == 0 {
            return Vec::new();
        }
        let edges = self.edges();
        let mut totals = vec![0.0_f32; size];
        for (from, row) in edges.iter().enumerate() {
            totals[from] = row.iter().map(|(_, weight)| weight).sum();
        }
        let base = (1.0 - DAMPING_FACTOR) / size as f32;
        let mut ranks = vec![1.0 / size as f32; size];
        for _ in 0..MAX_ITERATIONS {
            let mut next = vec![base; size];
            for (from, row) in edges.iter().enumerate() {
                if totals[from] > 0.0 {
                    let share = DAMPING_FACTOR * ranks[from] / totals[from];
                    for (to, weight) in row {
                        next[*to as usize] += share * weight;
                    }
                }
            }
            let change: f32 = next.iter().zip(&ranks).map(|(new, old)| (new - old).abs()).sum();
            ranks = next;
            if change < CONVERGENCE_THRESHOLD {
                break;
            }
        }
        scaled(ranks)
    }

    /// The edges from each sentence to those that share a term with it.
    fn edges(&self) -> Vec<Vec<(u32, f32)>> {
        let size = self.counts.len();
        let lengths: Vec<f32> = self
            .counts
            .iter()
            .map(|row| row.iter().map(|(_, count)| count).sum())
            .collect();
        let average = (lengths.iter().sum::<f32>() / size as f32).max(1.0);
        let mut postings: Vec<Vec<(u32, f32)>> = vec![Vec::new(); self.idf.len()];
        for (sentence, row) in self.counts.iter().enumerate() {
            for (term, count) in row {
                postings[*term as usize].push((u32::try_from(sentence).unwrap_or(u32::MAX), *count));
            }
        }
        let mut matrix = vec![0.0_f32; size * size];
        for (query, row) in self.counts.iter().enumerate() {
            for (term, _) in row {
                let idf = self.idf[*term as usize];
                for (document, count) in &postings[*term as usize] {
                    let document = *document as usize;
                    if document != query {
                        let weight = idf * bm25(*count, lengths[document] / average);
                        matrix[query * size + document] += weight;
                        matrix[document * size + query] += weight;
                    }
                }
            }
        }
        matrix
            .chunks_exact(size)
            .map(|row| {
                row.iter()
                    .enumerate()
                    .filter(|(_, weight)| **weight > 0.0)
                    .map(|(to, weight)| (u32::try_from(to).unwrap_or(u32::MAX), *weight))
                    .collect()
            })
            .collect()
    }
}

/// The weight of a term that `frequency` of `size` texts have. It is never negative.
pub(super) fn idf(frequency: u32, size: usize) -> f32 {
    let frequency = frequency as f32;
    (1.0 + (size as f32 - frequency + 0.5) / (frequency + 0.5)).ln()
}

/// The BM25 weight of `count` occurrences of a term in a text of `length` times the average length.
pub(super) fn bm25(count: f32, length: f32) -> f32 {
    count * (BM25_K1 + 1.0) / (count + BM25_K1 * (1.0 - BM25_B + BM25_B * length))
}

/// Values divided by the greatest of them.
pub(super) fn scaled(mut values: Vec<f32>) -> Vec<f32> {
    let most = values.iter().copied().fold(0.0_f32, f32::max);
    if most > 0.0 {
        for value in &mut values {
            *value /= most;
        }
    }
    values
}
