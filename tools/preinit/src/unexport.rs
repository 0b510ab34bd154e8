//! Takes one exported function off a component. (Wizer can do so itself, but then also drops the export of the core
//! module that has the same name, which the component goes on to refer to: the result is invalid whenever the two
//! names are the same, and bindings generated for Rust make them the same.)
//!
//! An export defines a function of its own in the component's index space, a second name for the function it exports.
//! Taking it away therefore moves all later functions down by one, and the sections that refer to functions are written
//! anew. All other sections are copied byte for byte.

use std::convert::Infallible;

use anyhow::Result;
use wasm_encoder::reencode::{Error, Reencode, ReencodeComponent, component_utils};
use wasm_encoder::{
    CanonicalFunctionSection, Component, ComponentAliasSection, ComponentExportSection, ComponentImportSection,
    ComponentInstanceSection, RawSection,
};
use wasmparser::{CanonicalFunction, ComponentAlias, ComponentExternalKind, Parser, Payload};

/// Returns `component` without its exported function `name`; the component is returned as it is when it has none.
///
/// # Errors
/// When `component` is not a well-formed component.
pub fn unexport(component: &[u8], name: &str) -> Result<Vec<u8>> {
    let mut encoder = Component::new();
    let mut renumber = Renumber {
        name,
        functions: 0,
        removed: None,
    };
    let mut depth = 0_u32;
    for payload in Parser::new(0).parse_all(component) {
        let payload = payload?;
        if depth > 0 {
            // Inside a nested module or component, which was copied whole.
            match payload {
                Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => depth += 1,
                Payload::End(_) => depth -= 1,
                _ => {}
            }
            continue;
        }
        match payload {
            Payload::ComponentInstanceSection(section) => {
                let mut written = ComponentInstanceSection::new();
                renumber.parse_component_instance_section(&mut written, section)?;
                encoder.section(&written);
            }
            Payload::ComponentAliasSection(section) => {
                let mut written = ComponentAliasSection::new();
                renumber.parse_component_alias_section(&mut written, section)?;
                encoder.section(&written);
            }
            Payload::ComponentCanonicalSection(section) => {
                let mut written = CanonicalFunctionSection::new();
                renumber.parse_component_canonical_section(&mut written, section)?;
                encoder.section(&written);
            }
            Payload::ComponentImportSection(section) => {
                let mut written = ComponentImportSection::new();
                renumber.parse_component_import_section(&mut written, section)?;
                encoder.section(&written);
            }
            Payload::ComponentExportSection(section) => {
                let mut written = ComponentExportSection::new();
                renumber.parse_component_export_section(&mut written, section)?;
                encoder.section(&written);
            }
            // Names by index, for debuggers: they would name the wrong functions now.
            Payload::CustomSection(section) if section.name() == "component-name" => {}
            other => {
                if let Some((id, range)) = other.as_section() {
                    encoder.section(&RawSection {
                        id,
                        data: &component[range],
                    });
                }
                if matches!(other, Payload::ModuleSection { .. } | Payload::ComponentSection { .. }) {
                    depth += 1;
                }
            }
        }
    }
    Ok(encoder.finish())
}

/// Counts the functions that a component defines and maps their numbers to the new ones.
struct Renumber<'a> {
    /// The export to leave out.
    name: &'a str,
    /// Number of functions that the component has defined so far.
    functions: u32,
    /// The number that the left-out export had, and the (new) number of the function it was a second name for.
    removed: Option<(u32, u32)>,
}

impl Reencode for Renumber<'_> {
    type Error = Infallible;
}

impl ReencodeComponent for Renumber<'_> {
    fn component_func_index(&mut self, number: u32) -> u32 {
        match self.removed {
            Some((removed, stands_for)) if number == removed => stands_for,
            Some((removed, _)) if number > removed => number - 1,
            _ => number,
        }
    }

    fn parse_component_alias_section(
        &mut self,
        aliases: &mut ComponentAliasSection,
        section: wasmparser::ComponentAliasSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        for alias in section.clone() {
            let function = ComponentExternalKind::Func;
            if matches!(alias?, ComponentAlias::InstanceExport { kind, .. } if kind == function) {
                self.functions += 1;
            }
        }
        component_utils::parse_component_alias_section(self, aliases, section)
    }

    fn parse_component_canonical_section(
        &mut self,
        canonicals: &mut CanonicalFunctionSection,
        section: wasmparser::ComponentCanonicalSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        for canonical in section.clone() {
            if matches!(canonical?, CanonicalFunction::Lift { .. }) {
                self.functions += 1;
            }
        }
        component_utils::parse_component_canonical_section(self, canonicals, section)
    }

    fn parse_component_import_section(
        &mut self,
        imports: &mut ComponentImportSection,
        section: wasmparser::ComponentImportSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        for import in section.clone() {
            if import?.ty.kind() == ComponentExternalKind::Func {
                self.functions += 1;
            }
        }
        component_utils::parse_component_import_section(self, imports, section)
    }

    fn parse_component_export_section(
        &mut self,
        exports: &mut ComponentExportSection,
        section: wasmparser::ComponentExportSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        for export in section {
            let export = export?;
            let function = export.kind == ComponentExternalKind::Func;
            if function && export.name.name == self.name && self.removed.is_none() {
                self.removed = Some((self.functions, self.component_func_index(export.index)));
                self.functions += 1;
                continue;
            }
            if function {
                self.functions += 1;
            }
            self.parse_component_export(exports, export)?;
        }
        Ok(())
    }
}
