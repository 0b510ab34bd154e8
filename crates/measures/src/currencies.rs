//! Currencies with their signs and names: the table `currencies.tsv`.

use quartet_api::Language;

use crate::{names_in, rows};

/// The signs and the names of currencies in a language, in lower case, each with the currency's code of ISO 4217.
pub fn names(language: Language) -> impl Iterator<Item = (&'static str, &'static str)> {
    rows(include_str!("../currencies.tsv")).flat_map(move |row| {
        let mut fields = row.split('\t');
        let code = fields.next().unwrap_or_default();
        let signs = fields.next().unwrap_or_default().split(',');
        let own = names_in(fields.next().unwrap_or_default(), Some(language.code()));
        let all = signs.chain(own).filter(|name| !name.is_empty());
        all.map(move |name| (name, code))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_is_read() {
        for row in rows(include_str!("../currencies.tsv")) {
            let fields: Vec<_> = row.split('\t').collect();
            assert_eq!(fields.len(), 3, "{row}");
            assert_eq!(fields[0].len(), 3, "{row}");
            assert_eq!(fields[2].split(';').count(), 12, "{row}");
        }
        for language in Language::ALL {
            assert!(names(language).any(|(_, code)| code == "EUR"), "{language:?}");
        }
    }
}
