//! Answers to queries, computed from the record of a picture and said in the language of the question.

use quartet_api::Language;

use super::answer::{Answer, fact, of_object};
use super::printed;
use super::query::{Ask, Query};
use super::record::{ColouredObject, Record};
use super::reply::{FINDS_OBJECTS, Pick, not_looked_for, refusal};
use crate::describe::prose;
use crate::objects::kinds::{Wanted, is_of, wanted};
use crate::words::Words;

/// Most things whose places or colours are told one by one.
const MAX_TOLD: usize = 6;

/// Answers a query in a language. `question` is how it was asked; `pick` chooses among rows of text.
pub fn answer(record: &Record, query: &Query, question: &str, words: &Words, pick: Pick<'_>) -> Answer {
    let query = &corrected(query, question, words);
    let found = match query.ask {
        Ask::Count => count(record, query, words),
        Ask::Exists => exists(record, query, words),
        Ask::List => list(record, query, words),
        Ask::Where => places(record, query, words),
        Ask::Colour => colours(record, query, words),
        Ask::Largest => largest(record, query, words),
        Ask::Describe => {
            let text = prose::describe(record, words.language);
            Answer::yes(text.clone(), vec![fact("description", text)])
        }
        Ask::Size => {
            let value = format!("{} × {} pixels", record.picture.width, record.picture.height);
            Answer::yes(prose::size(record, words), vec![fact("picture", value)])
        }
        Ask::Light => Answer::yes(light(record, words), vec![fact("light", record.light.level.clone())]),
        Ask::Kind => kind(record, words),
        Ask::Read => printed::read(record, words),
        Ask::Total => printed::total(record, words),
        Ask::Price => printed::price(record, query, question, words, pick),
        Ask::Date | Ask::Shop | Ask::Address | Ask::Phone | Ask::Email | Ask::Web => {
            printed::field(record, query.ask, words, pick)
        }
        Ask::Other => printed::other(record, words, pick),
    };
    found.unwrap_or_else(|| refusal("nothing", words))
}

/// Query whose things are those that the question names in its own language, where a model mistook their names.
fn corrected(query: &Query, question: &str, words: &Words) -> Query {
    let mut query = query.clone();
    let named = words.named_in(question);
    let means = |thing: &String| match wanted(thing) {
        Wanted::Class(label) | Wanted::Finer(label, _) => named.contains(&label),
        Wanted::Family(family) => named.iter().any(|label| is_of(family, label)),
        Wanted::Anything | Wanted::Unknown(_) => false,
    };
    if !named.is_empty() && !query.things.is_empty() && !query.things.iter().any(means) {
        query.things = named.into_iter().map(str::to_owned).collect();
    }
    query
}

fn light(record: &Record, words: &Words) -> String {
    let mut text = prose::light(record, words);
    if !record.light.greyscale {
        text = words.joined(&[text, words.say("in_colour", &[])]);
    }
    text
}

fn kind(record: &Record, words: &Words) -> Option<Answer> {
    let kind = record.kind.as_ref()?;
    let text = words.say(&format!("plain_{}", kind.name), &[]);
    Answer::yes(text, vec![fact("kind", kind.name.clone())])
}

/// Objects that are wanted.
fn matching<'a>(objects: &'a [ColouredObject], wanted: &Wanted<'_>) -> Vec<&'a ColouredObject> {
    let is = |seen: &&ColouredObject| match wanted {
        Wanted::Anything => true,
        Wanted::Class(label) | Wanted::Finer(label, _) => seen.object.label == *label,
        Wanted::Family(family) => is_of(family, &seen.object.label),
        Wanted::Unknown(noun) => is_called(seen, noun),
    };
    objects.iter().filter(is).collect()
}

/// True if an object's more exact name ends with a noun: a bald eagle is an eagle.
fn is_called(seen: &ColouredObject, noun: &str) -> bool {
    let name = seen.object.name.as_deref().unwrap_or_default().to_lowercase();
    let stem = noun.strip_suffix('s').unwrap_or(noun);
    !stem.is_empty() && (name == stem || name.ends_with(&format!(" {stem}")))
}

/// Label of what is wanted; nothing for what the detector does not know.
fn label<'a>(wanted: &Wanted<'a>) -> Option<&'a str> {
    match wanted {
        Wanted::Anything => Some("thing"),
        Wanted::Class(label) | Wanted::Finer(label, _) => Some(label),
        Wanted::Family(family) => Some(family),
        Wanted::Unknown(_) => None,
    }
}

/// Denial that anything of what is wanted was found, as the sentence `key` says it; nothing where the detector knows
/// none of it.
fn none(key: &str, wanted: &[Wanted<'_>], words: &Words) -> Option<String> {
    let things: Vec<String> = wanted
        .iter()
        .filter_map(label)
        .map(|label| words.denied(label))
        .collect();
    (!things.is_empty()).then(|| words.say(key, &[("things", &words.listed_alternatives(&things))]))
}

fn evidence(found: &[&ColouredObject]) -> Vec<quartet_api::image::Evidence> {
    found.iter().map(|seen| of_object(&seen.object)).collect()
}

/// Numbers and names of objects: "one bird (bald eagle)", "a horse and two dogs".
fn named(found: &[&ColouredObject], one_kind: bool, words: &Words) -> String {
    let labels = found.iter().map(|seen| seen.object.label.as_str());
    let mut parts = words.counts(labels, if one_kind { Words::counted } else { Words::shown });
    // More exact names are English, and of one thing.
    if let ([part], [seen]) = (parts.as_mut_slice(), found)
        && let Some(exact) = &seen.object.name
        && words.language == Language::English
    {
        *part = words.aside(part, exact);
    }
    words.listed(&parts)
}

/// What a query wants: what it names, or anything.
fn wanted_of(query: &Query) -> Vec<Wanted<'_>> {
    if query.things.is_empty() {
        return vec![Wanted::Anything];
    }
    query.things.iter().map(|thing| wanted(thing)).collect()
}

fn objects_of<'a>(record: &'a Record, words: &Words) -> Result<&'a [ColouredObject], Option<Answer>> {
    let objects = record.objects.as_deref();
    objects.ok_or_else(|| not_looked_for(FINDS_OBJECTS, words))
}

/// What the picture as a whole looks like, where that is of a wanted kind: things close up are found by no box.
fn as_a_whole(record: &Record, wanted: &Wanted<'_>, words: &Words) -> Option<Answer> {
    let tag = prose::likely_tag(record)?;
    let fits = match wanted {
        Wanted::Anything => true,
        Wanted::Class(label) => prose::tag_class(tag) == Some(label),
        Wanted::Family(family) => {
            prose::tag_family(tag) == Some(family) || prose::tag_class(tag).is_some_and(|class| is_of(family, class))
        }
        Wanted::Finer(_, noun) | Wanted::Unknown(noun) => tag.label.to_lowercase() == *noun,
    };
    let name = prose::tag_name(tag, words).filter(|_| fits)?;
    let text = words.say("looks_like", &[("tag", &name)]);
    Answer::yes(text, vec![fact("tags", format!("{} {:.2}", tag.label, tag.confidence))])
}

fn count(record: &Record, query: &Query, words: &Words) -> Option<Answer> {
    let objects = match objects_of(record, words) {
        Ok(objects) => objects,
        Err(answer) => return answer,
    };
    let wanted = wanted_of(query);
    let mut found: Vec<&ColouredObject> = Vec::new();
    for wanted in &wanted {
        for seen in matching(objects, wanted) {
            if !found.iter().any(|other| std::ptr::eq(*other, seen)) {
                found.push(seen);
            }
        }
    }
    if found.is_empty() {
        let Some(denial) = none("none_found", &wanted, words) else {
            return Some(refusal("unknown_kind", words));
        };
        if let [only] = wanted.as_slice()
            && let Some(answer) = as_a_whole(record, only, words)
        {
            let thing = words.counted(1, label(only)?);
            let text = words.say_of(1, "found", &[("things", &thing)]);
            return Answer::yes(words.joined(&[text, answer.text]), answer.evidence);
        }
        return Answer::yes(denial, vec![fact("objects", "0")]);
    }
    let one_kind = found.iter().all(|seen| seen.object.label == found[0].object.label);
    let things = named(&found, one_kind, words);
    let sum = found.len().to_string();
    let (key, sum) = (if one_kind { "found" } else { "found_sum" }, ("sum", sum.as_str()));
    let text = words.say_of(found.len(), key, &[("things", &things), sum]);
    Answer::yes(text, evidence(&found))
}

fn exists(record: &Record, query: &Query, words: &Words) -> Option<Answer> {
    let objects = match objects_of(record, words) {
        Ok(objects) => objects,
        Err(answer) => return answer,
    };
    let wanted = wanted_of(query);
    let mut found: Vec<&ColouredObject> = Vec::new();
    for wanted in &wanted {
        found.extend(matching(objects, wanted));
    }
    if found.is_empty() {
        if let Some(answer) = wanted.iter().find_map(|wanted| as_a_whole(record, wanted, words)) {
            let thing = label(wanted.first()?).map(|label| words.shown(1, label));
            let thing = words.say("unplaced", &[("thing", &thing.unwrap_or_default())]);
            let yes = words.say_of(1, "yes", &[("things", &thing)]);
            return Answer::yes(words.joined(&[yes, answer.text]), answer.evidence);
        }
        let Some(denial) = none("no", &wanted, words) else {
            return Some(refusal("unknown_kind", words));
        };
        return Answer::yes(denial, vec![fact("objects", "0")]);
    }
    let things = words.listed_clauses(&prose::placed(record, words, &found));
    let values = [("things", things.as_str())];
    if let [Wanted::Finer(label, noun)] = wanted.as_slice() {
        // A person may be a woman, and a dog a poodle: only the second is sometimes known.
        if *label != "person" && !found.iter().any(|seen| is_called(seen, noun)) {
            return Answer::no(words.say_of(found.len(), "not_told", &values));
        }
    }
    let certain = found.iter().any(|seen| prose::is_certain(record, seen));
    let key = if certain { "yes" } else { "yes_perhaps" };
    Answer::yes(words.say_of(found.len(), key, &values), evidence(&found))
}

fn list(record: &Record, query: &Query, words: &Words) -> Option<Answer> {
    let objects = match objects_of(record, words) {
        Ok(objects) => objects,
        Err(answer) => return answer,
    };
    let wanted = wanted_of(query);
    let mut found: Vec<&ColouredObject> = Vec::new();
    for wanted in &wanted {
        found.extend(matching(objects, wanted));
    }
    let [sure, unsure]: [Vec<_>; 2] = [true, false].map(|sure| {
        found
            .iter()
            .copied()
            .filter(|seen| prose::is_certain(record, seen) == sure)
            .collect()
    });
    if found.is_empty() {
        if let Some(answer) = wanted.iter().find_map(|wanted| as_a_whole(record, wanted, words)) {
            return Some(answer);
        }
        let denial = none("none_found", &wanted, words);
        return denial.map_or_else(|| Some(refusal("unknown_kind", words)), Answer::no);
    }
    let text = prose::sure_and_perhaps(record, words, &sure, &unsure);
    Answer::yes(text, evidence(&found))
}

/// Objects of the things that a query names, or the answer that there are none.
fn asked_for<'a>(record: &'a Record, query: &Query, words: &Words) -> Result<Vec<&'a ColouredObject>, Option<Answer>> {
    let objects = objects_of(record, words)?;
    let wanted = wanted_of(query);
    let found: Vec<&ColouredObject> = wanted.iter().flat_map(|wanted| matching(objects, wanted)).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let denial = none("none_found", &wanted, words);
    Err(denial.map_or_else(|| Some(refusal("unknown_kind", words)), Answer::no))
}

fn places(record: &Record, query: &Query, words: &Words) -> Option<Answer> {
    let found = match asked_for(record, query, words) {
        Ok(found) => found,
        Err(answer) => return answer,
    };
    let text = match found.as_slice() {
        [one] => {
            let (thing, place) = (
                words.definite(&one.object.label),
                words.place(&one.object.area, &record.picture),
            );
            words.say("one_place", &[("thing", &thing), ("place", &place)])
        }
        several => prose::sure_and_perhaps(record, words, several, &[]),
    };
    Answer::yes(text, evidence(&found))
}

fn colours(record: &Record, query: &Query, words: &Words) -> Option<Answer> {
    if wanted_of(query) == [Wanted::Anything] {
        let of_picture = record.colours.iter();
        let evidence = of_picture.map(|colour| fact("colours", format!("{} {}", colour.name, colour.hex)));
        return Answer::yes(prose::colours(record, words), evidence.collect());
    }
    let found = match asked_for(record, query, words) {
        Ok(found) => found,
        Err(answer) => return answer,
    };
    let told: Vec<String> = found
        .iter()
        .take(MAX_TOLD)
        .filter_map(|seen| {
            let colour = words.name("colour", seen.colour.as_ref()?);
            let mut thing = words.definite(&seen.object.label);
            if found
                .iter()
                .any(|other| !std::ptr::eq(*other, *seen) && other.object.label == seen.object.label)
            {
                thing = words.aside(&thing, &words.place(&seen.object.area, &record.picture));
            }
            Some(words.say("one_colour", &[("thing", &thing), ("colour", &colour)]))
        })
        .collect();
    if told.is_empty() {
        return None;
    }
    Answer::yes(words.joined(&told), evidence(&found))
}

fn largest(record: &Record, query: &Query, words: &Words) -> Option<Answer> {
    let found = match asked_for(record, query, words) {
        Ok(found) => found,
        Err(answer) => return answer,
    };
    let size = |seen: &&&ColouredObject| u64::from(seen.object.area.width) * u64::from(seen.object.area.height);
    let largest = *found.iter().max_by_key(size)?;
    let thing = words.likened(&largest.object.label);
    let place = words.place(&largest.object.area, &record.picture);
    let text = words.say("largest", &[("thing", &thing), ("place", &place)]);
    Answer::yes(text, evidence(&[largest]))
}
