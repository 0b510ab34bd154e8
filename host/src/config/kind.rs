//! Kinds of values: the word for them in the help, and the forms that they may have in the file.

use std::any::TypeId;
use std::time::Duration;

use clap::Arg;

use super::parse::Secret;

/// The kind of a setting's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Free text, a path or an address.
    Text,
    /// A text that is not shown.
    Secret,
    /// Texts separated by commas; in the file also an array of strings.
    List,
    /// A whole number.
    Number,
    /// `true` or `false`.
    Switch,
}

impl Kind {
    /// The kind of a setting, by the type of its field.
    pub fn of(argument: &Arg) -> Self {
        let is = |types: &[TypeId]| types.iter().any(|id| argument.get_value_parser().type_id() == *id);
        if argument.get_value_delimiter().is_some() {
            Self::List
        } else if is(&[TypeId::of::<bool>()]) {
            Self::Switch
        } else if is(&[TypeId::of::<Secret>()]) {
            Self::Secret
        } else if is(&[
            TypeId::of::<u8>(),
            TypeId::of::<u32>(),
            TypeId::of::<u64>(),
            TypeId::of::<usize>(),
            TypeId::of::<Duration>(),
        ]) {
            Self::Number
        } else {
            Self::Text
        }
    }

    /// The word for a value in the help.
    pub fn placeholder(self) -> &'static str {
        match self {
            Self::Text | Self::Secret => "TEXT",
            Self::List => "LIST",
            Self::Number => "NUMBER",
            Self::Switch => "BOOL",
        }
    }
}
