//! Questions about tables: a language model writes a query, and what it finds is looked up and computed here, exactly.
//!
//! [`Table::all_of`] finds the tables of a document, with the kind of each column. [`prompt`] describes them to a model, whose
//! query is held to a [`schema`] that has no other columns and values than the tables and the question do. [`Query::parse`] reads
//! it, [`Query::run`] computes it, and [`Found::text`] says what came of it in one of twelve languages.
//!
//! The queries are a small part of SQL, which models have seen more of than of any language that one could make up. A parser for
//! all of SQL would accept what nothing here computes.

mod cell;
mod engine;
mod evidence;
mod header;
pub mod prompt;
mod query;
mod said;
pub mod schema;
mod table;
#[cfg(test)]
mod tests;

pub use engine::Found;
pub use query::Query;
pub use table::Table;
