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

/// Name of what is wanted, in the language; nothing for what the detector does not know.
fn name(wanted: &Wanted<'_>, words: &Words) -> Option<String> {
    match wanted {
        Wanted::Anything => Some(words.thing("thing")),
        Wanted::Class(label) | Wanted::Finer(label, _) => Some(words.thing(label)),
        Wanted::Family(family) => Some(words.thing(family)),
        Wanted::Unknown(_) => None,
    }
}

fn evidence(found: &[&ColouredObject]) -> Vec<quartet_api::image::Evidence> {
    found.iter().map(|seen| of_object(&seen.object)).collect()
}

/// Numbers and names of objects: "two dogs, one bird (bald eagle)".
fn named(found: &[&ColouredObject], words: &Words) -> String {
    let labels = found.iter().map(|seen| seen.object.label.as_str());
    let mut parts = words.counts(labels, Words::counted);
    let exact = found.iter().find_map(|seen| seen.object.name.as_deref());
    // More exact names are English.
    if let ([part], Some(exact)) = (parts.as_mut_slice(), exact)
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
    let known: Vec<_> = wanted.iter().filter(|wanted| name(wanted, words).is_some()).collect();
    let mut found: Vec<&ColouredObject> = Vec::new();
    for wanted in &wanted {
        for seen in matching(objects, wanted) {
            if !found.iter().any(|other| std::ptr::eq(*other, seen)) {
                found.push(seen);
            }
        }
    }
    if found.is_empty() {
        if known.is_empty() {
            return Some(refusal("unknown_kind", words));
        }
        if let [only] = wanted.as_slice()
            && let Some(answer) = as_a_whole(record, only, words)
        {
            let thing = name(only, words)?;
            let text = words.say("count_in_all", &[("count", "1"), ("things", &thing)]);
            return Answer::yes(words.joined(&[text, answer.text]), answer.evidence);
        }
        let things: Vec<String> = known.iter().filter_map(|wanted| name(wanted, words)).collect();
        let text = words.say("none_found", &[("things", &words.listed(&things))]);
        return Answer::yes(text, vec![fact("objects", "0")]);
    }
    let things = named(&found, words);
    let sum = found.len().to_string();
    let one_kind = found.iter().all(|seen| seen.object.label == found[0].object.label);
    let text = match wanted.as_slice() {
        _ if one_kind => words.say("found", &[("things", &things)]),
        [_] => words.say("count_in_all", &[("count", &sum), ("things", &things)]),
        _ => words.say("found_sum", &[("things", &things), ("sum", &sum)]),
    };
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
            let yes = words.say("yes", &[("things", &name(wanted.first()?, words).unwrap_or_default())]);
            return Answer::yes(words.joined(&[yes, answer.text]), answer.evidence);
        }
        let things: Vec<String> = wanted.iter().filter_map(|wanted| name(wanted, words)).collect();
        if things.is_empty() {
            return Some(refusal("unknown_kind", words));
        }
        let text = words.say("no", &[("things", &words.listed(&things))]);
        return Answer::yes(text, vec![fact("objects", "0")]);
    }
    let things = named(&found, words);
    let values = [("things", things.as_str())];
    if let [Wanted::Finer(label, noun)] = wanted.as_slice() {
        // A person may be a woman, and a dog a poodle: only the second is sometimes known.
        if *label != "person" && !found.iter().any(|seen| is_called(seen, noun)) {
            return Answer::no(words.say("not_told", &values));
        }
    }
    let certain = found.iter().any(|seen| prose::is_certain(record, seen));
    let text = words.say(if certain { "yes" } else { "yes_perhaps" }, &values);
    Answer::yes(text, evidence(&found))
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
        let things: Vec<String> = wanted.iter().filter_map(|wanted| name(wanted, words)).collect();
        if things.is_empty() {
            return Some(refusal("unknown_kind", words));
        }
        return Answer::no(words.say("none_found", &[("things", &words.listed(&things))]));
    }
    let mut sentences = Vec::new();
    if !sure.is_empty() {
        sentences.push(words.say("found", &[("things", &named(&sure, words))]));
    }
    if !unsure.is_empty() {
        sentences.push(words.say("perhaps", &[("things", &named(&unsure, words))]));
    }
    Answer::yes(words.joined(&sentences), evidence(&found))
}

/// Objects of the things that a query names, or the answer that there are none.
fn asked_for<'a>(record: &'a Record, query: &Query, words: &Words) -> Result<Vec<&'a ColouredObject>, Option<Answer>> {
    let objects = objects_of(record, words)?;
    let wanted = wanted_of(query);
    let found: Vec<&ColouredObject> = wanted.iter().flat_map(|wanted| matching(objects, wanted)).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let things: Vec<String> = wanted.iter().filter_map(|wanted| name(wanted, words)).collect();
    Err(if things.is_empty() {
        Some(refusal("unknown_kind", words))
    } else {
        Answer::no(words.say("none_found", &[("things", &words.listed(&things))]))
    })
}

fn places(record: &Record, query: &Query, words: &Words) -> Option<Answer> {
    let found = match asked_for(record, query, words) {
        Ok(found) => found,
        Err(answer) => return answer,
    };
    let text = match found.as_slice() {
        [one] => {
            let (thing, place) = (
                words.thing(&one.object.label),
                words.place(&one.object.area, &record.picture),
            );
            words.say("one_place", &[("thing", &thing), ("place", &place)])
        }
        several => {
            let things = words.listed(&prose::placed(record, words, several));
            words.say("found", &[("things", &things)])
        }
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
            let thing = words.thing(&seen.object.label);
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
    let thing = prose::placed(record, words, &[largest]);
    let text = words.say("largest", &[("thing", thing.first()?)]);
    Answer::yes(text, evidence(&[largest]))
}
