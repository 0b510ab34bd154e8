//! Models that are fetched together, because they are made of the same files or come in the same package.

use std::collections::HashSet;

use crate::manifest::Model;

/// Splits models into groups that share nothing, so that each group can be had by a thread of its own. Order is kept.
#[must_use]
pub fn groups<'a>(models: &[&'a Model]) -> Vec<Vec<&'a Model>> {
    let mut groups: Vec<(HashSet<String>, Vec<&Model>)> = Vec::new();
    for model in models {
        let published = model.published().into_iter().map(|part| part.sha256);
        let mut shared: HashSet<String> = published.collect();
        shared.extend(
            model
                .sources
                .iter()
                .filter_map(|source| Some(source.package()?.origin().to_string())),
        );
        let (same, others): (Vec<_>, Vec<_>) = groups.into_iter().partition(|(other, _)| !other.is_disjoint(&shared));
        let mut members = Vec::new();
        for (other, earlier) in same {
            shared.extend(other);
            members.extend(earlier);
        }
        members.push(*model);
        groups = others;
        groups.push((shared, members));
    }
    groups.into_iter().map(|(_, members)| members).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::Manifest;

    #[test]
    fn what_is_of_one_file_or_one_package_stays_together() {
        let manifest = Manifest::embedded().expect("it is right");
        let models: Vec<_> = manifest.models().collect();
        let groups = groups(&models);
        let group = |name: &str| {
            groups
                .iter()
                .position(|group| group.iter().any(|model| model.name == name))
        };
        assert_eq!(group("ocr-detection"), group("ocr-alphabet"));
        assert_eq!(group("speech-durations"), group("speech-samples"));
        assert_eq!(group("embedding"), group("embedding-vocabulary"));
        assert_ne!(group("embedding"), group("ocr-detection"));
        assert!(groups.len() > 5, "{}", groups.len());
        assert_eq!(groups.iter().map(Vec::len).sum::<usize>(), models.len());
    }
}
