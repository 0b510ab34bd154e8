//! `quartet models`: lists, gets and verifies the models of the service.

use std::collections::HashSet;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Arg, ArgAction, ArgMatches, Command};
use quartet_models::{Model, digest};
use serde_json::{Value, json};

use super::{Subcommand, exit, settings, table};
use crate::capabilities::Capabilities;
use crate::config::{Config, Invalid};
use crate::models::{self, Lines, Place, is_there};

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, run };

const JSON: &str = "json";
const NAMES: &str = "names";

/// Settings that say which models there are to be, where they lie and where they come from.
const SETTINGS: &[&str] = &[
    "models",
    "models_mirror",
    "offline",
    "components",
    "capabilities",
    "inference_engine",
    "language_model",
];

fn command() -> Command {
    let json = Arg::new(JSON)
        .long(JSON)
        .action(ArgAction::SetTrue)
        .help("As JSON, with origin, digest and sources");
    let names = |help: &'static str| Arg::new(NAMES).value_name("NAME").action(ArgAction::Append).help(help);
    let list = settings::some_flags(Command::new("list").about("List all models"), SETTINGS).arg(json.clone());
    let get = Command::new("get").about("Fetch models into the folder of the models: exit code 0, 1 or 2");
    let get =
        settings::some_flags(get, SETTINGS).arg(names("Models to fetch; without a name, those that the settings need"));
    let verify = Command::new("verify").about("Compare models with their SHA-256: exit code 0, 1 or 2");
    let verify =
        settings::some_flags(verify, SETTINGS).arg(names("Models to compare; without a name, those that are there"));
    let models = Command::new("models").about("List the models of the service; fetch and verify them");
    settings::some_flags(models, SETTINGS)
        .arg(json)
        .subcommands([list, get, verify])
        .args_conflicts_with_subcommands(true)
}

fn run(matches: &ArgMatches) -> Result<ExitCode, Invalid> {
    let (action, matches) = matches.subcommand().unwrap_or(("list", matches));
    let config = settings::configure(matches)?;
    let names: Vec<&str> = match matches.try_get_many::<String>(NAMES) {
        Ok(names) => names.into_iter().flatten().map(String::as_str).collect(),
        // A list takes no names.
        Err(_) => Vec::new(),
    };
    let table = models::table().map_err(|error| Invalid(error.to_string()))?;
    let named = names
        .iter()
        .map(|name| table.find(name))
        .collect::<anyhow::Result<Vec<_>>>()
        .map_err(|error| Invalid(format!("{error:#}")))?;
    let done = match action {
        "get" => get(&config, named),
        "verify" => verify(&config, named),
        _ => list(&config, matches.get_flag(JSON)),
    };
    Ok(done.unwrap_or_else(|error| {
        eprintln!("quartet: {error:#}");
        exit::FAILED
    }))
}

/// The models that these settings need.
fn needed(config: &Config) -> anyhow::Result<Vec<&'static Model>> {
    let components = &config.components;
    let own = Capabilities::load(components.capabilities.as_deref(), &components.components);
    // Models are had before components are in order, too.
    let capabilities = own.or_else(|error| {
        eprintln!("quartet: {error:#}; so only the capabilities of the contract count");
        Capabilities::embedded()
    })?;
    models::wanted(components, &config.language, &capabilities)
}

fn list(config: &Config, as_json: bool) -> anyhow::Result<ExitCode> {
    let needed: HashSet<_> = needed(config)?.into_iter().map(|model| &model.name).collect();
    let folder = &config.components.models;
    let all = models::table()?.models().filter(|model| model.is_for_here());
    let described = all.map(|model| (model, is_there(model, folder), needed.contains(&model.name)));
    if as_json {
        let list: Vec<_> = described
            .map(|(model, there, needed)| as_value(model, there, needed))
            .collect();
        println!("{:#}", Value::from(list));
        return Ok(exit::DONE);
    }
    let header = ["NAME", "MB", "STATE", "LICENCE", "USE"].map(str::to_owned);
    let rows = described.map(|(model, there, needed)| row(model, there, needed));
    println!(
        "{}",
        table::aligned(&std::iter::once(header).chain(rows).collect::<Vec<_>>())
    );
    Ok(exit::DONE)
}

fn row(model: &Model, there: bool, needed: bool) -> [String; 5] {
    let state = match (there, needed) {
        (true, _) => "present",
        (false, true) => "missing",
        (false, false) => "optional",
    };
    let size = model
        .size
        .map_or_else(|| "?".to_owned(), |size| format!("{:.1}", size as f64 / 1e6));
    let untried = if model.untried { " (untried)" } else { "" };
    [
        model.name.clone(),
        size,
        state.to_owned(),
        model.licence.clone(),
        format!("{}{untried}", model.what),
    ]
}

fn as_value(model: &Model, there: bool, needed: bool) -> Value {
    json!({
        "name": model.name,
        "file": model.file,
        "use": model.what,
        "bytes": model.size,
        "licence": model.licence,
        "origin": model.origin,
        "sha256": model.sha256,
        "default": model.default,
        "untried": model.untried,
        "present": there,
        "needed": needed,
    })
}

fn get(config: &Config, named: Vec<&'static Model>) -> anyhow::Result<ExitCode> {
    let wanted = if named.is_empty() { needed(config)? } else { named };
    let place = Place::new(&config.components);
    let tasks = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .context("starting")?;
    let problems = models::get(&wanted, &place, tasks.handle(), &Lines::default())?;
    if problems.is_empty() {
        println!("{} models are in {}", wanted.len(), place.folder.display());
        return Ok(exit::DONE);
    }
    let names: Vec<_> = problems.iter().map(|problem| problem.model.as_str()).collect();
    eprintln!("quartet: not to be had: {}", names.join(", "));
    Ok(exit::FAILED)
}

fn verify(config: &Config, named: Vec<&'static Model>) -> anyhow::Result<ExitCode> {
    let folder = &config.components.models;
    let all = named.is_empty();
    let chosen = if all {
        models::table()?.models().collect()
    } else {
        named
    };
    let (mut right, mut wrong) = (0, 0);
    for model in chosen {
        let file = folder.join(&model.file);
        let problem = match file.is_file() {
            true => digest::of_file(&file).map_or_else(
                |error| Some(format!("{error:#}")),
                |found| (found != model.sha256).then(|| format!("has the digest {found}, not {}", model.sha256)),
            ),
            false if all => continue,
            false => Some("is not there".to_owned()),
        };
        match problem {
            None => {
                println!("{:<28} right", model.name);
                right += 1;
            }
            Some(problem) => {
                println!("{:<28} {problem}", model.name);
                wrong += 1;
            }
        }
    }
    println!("{right} right, {wrong} not");
    Ok(if wrong == 0 { exit::DONE } else { exit::FAILED })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_a_row_and_an_object() {
        let model = models::table().unwrap().find("ocr-detection").unwrap();
        let row = row(model, false, true);
        assert_eq!(row[..4], ["ocr-detection", "9.9", "missing", "Apache-2.0"]);
        let value = as_value(model, true, true);
        assert_eq!(value["bytes"], 9_929_594);
        assert_eq!(value["present"], true);
    }

    #[test]
    fn names_stand_behind_get_and_verify_only() {
        let parse = |line: &str| command().try_get_matches_from(line.split(' '));
        assert!(parse("models").is_ok() && parse("models --json").is_ok());
        assert!(parse("models get a b --models m").is_ok() && parse("models verify").is_ok());
        assert!(parse("models a").is_err());
    }
}
