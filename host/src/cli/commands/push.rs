//! `quartet push`: puts a component into a registry, for `quartet swap` to take it from there.

use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};

use super::{Subcommand, admin, component, exit};
use crate::capabilities::Capabilities;
use crate::config::Invalid;
use crate::oci::{self, Reference};
use crate::registry::grants::{self, Shape};

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, run };

fn command() -> Command {
    Command::new("push")
        .about("Put a component into a registry, as the artifact that `quartet swap` takes from there")
        .arg(admin::capability())
        .arg(Arg::new("file").required(true).value_name("FILE").help("The component's file"))
        .arg(
            Arg::new("reference")
                .required(true)
                .value_name("REFERENCE")
                .help("Where it goes: oci://REGISTRY/REPOSITORY:TAG"),
        )
        .after_help(
            "Credentials are those that `docker login` keeps. Exit code: 0 done, 1 refused or failed, 2 wrong use. The reason is on \
             standard error.",
        )
}

fn run(matches: &ArgMatches) -> Result<ExitCode, Invalid> {
    let reference: Reference = admin::text(matches, "reference").parse().map_err(Invalid)?;
    let (name, path) = (admin::text(matches, "capability"), admin::text(matches, "file"));
    let bytes = component::file(path)?;
    let pushed = checked(name, &bytes)
        .map_err(|reason| format!("{path} is not pushed: {reason}"))
        .and_then(|shape| component::wait(oci::push(&reference, bytes, &shape.imports, &shape.exports)));
    Ok(match pushed {
        Ok(reference) => {
            println!("{reference}");
            exit::DONE
        }
        Err(reason) => component::failed(reason),
    })
}

/// Examines a component as far as this program can without the host that is to serve it.
fn checked(name: &str, bytes: &[u8]) -> Result<Shape, String> {
    let shape = Shape::read(bytes)?;
    let embedded = Capabilities::embedded().map_err(|error| error.to_string())?;
    // The grants of what was added are known where it is served.
    if let Some(capability) = embedded.get(name) {
        grants::check(
            capability,
            shape.imports.iter().map(String::as_str),
            shape.exports.iter().map(String::as_str),
        )?;
    }
    Ok(shape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_component_of_another_kind_is_not_pushed() {
        let date = wat::parse_str(
            r#"(component (import "wasi:clocks/wall-clock@0.2.0" (instance)) (instance $i)
                (export "wasi:http/incoming-handler@0.2.0" (instance $i)))"#,
        )
        .unwrap();
        assert!(checked("tts", &date).unwrap_err().contains("wasi:clocks/wall-clock"));
        assert_eq!(checked("pdf", &date).unwrap().imports, ["wasi:clocks/wall-clock@0.2.0"]);
        assert!(checked("of-my-own", &date).is_ok());
        assert!(checked("of-my-own", b"(module)").unwrap_err().contains("no component"));
    }
}
