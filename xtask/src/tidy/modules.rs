//! The graph of imports between the modules of each crate: no circle, and layers that only look down.
//!
//! A module is a file. It imports what its `use` items and its paths name: a path that begins with `crate`, `self`,
//! `super` or a child module leads to the deepest module that it names, and through `pub use` to where the item is
//! defined. What is compiled for tests only is left out, and so is what macros expand to.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, UseTree};

use crate::project::Project;

/// Folders that are a crate or have crates in them.
const WORKSPACE_FOLDERS: &[&str] = &[
    "adapters",
    "components",
    "crates",
    "eval",
    "examples",
    "host",
    "tests",
    "tests/guests",
    "tools",
    "xtask",
];

/// Names that lead from one `pub use` to the next: more are a circle of exports.
const MAX_EXPORTS: usize = 8;

/// Top-level modules of the host, the lowest layer first. A module imports from its own layer and from those before it.
const HOST_LAYERS: &[&[&str]] = &[
    &[
        "body",
        "calibration",
        "failure",
        "http_client",
        "native_memory",
        "own_pages",
        "policy",
        "priority",
        "reload",
    ],
    &["config", "capabilities"],
    &["auth", "door", "oci", "route", "shared"],
    &["admission", "host_functions", "models"],
    &["runtime"],
    &["version"],
    &["rollout", "telemetry"],
    &["registry"],
    &["admin", "http", "wyoming"],
    &["doctor", "serve"],
    &["cli"],
];

/// Module paths by name, such as `["registry", "deploy"]`; the root is empty.
type ModulePath = Vec<String>;

/// Checks every crate and returns the circles and the imports that look up.
///
/// # Errors
/// When a source cannot be read or parsed.
pub fn check(project: &Project) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for source in sources(&project.root)? {
        let graph = Graph::read(&project.root.join(&source))?;
        for circle in graph.circles() {
            found.push(format!(
                "{source}: {} modules import each other in a circle: {}",
                circle.len(),
                circle.join(", ")
            ));
        }
        if source == "host/src" {
            found.extend(
                graph
                    .upward(HOST_LAYERS)
                    .into_iter()
                    .map(|import| format!("{source}: {import}")),
            );
        }
    }
    Ok(found)
}

/// The `src` folders of the workspace's crates, relative to its root.
fn sources(root: &Path) -> Result<BTreeSet<String>> {
    let mut sources = BTreeSet::new();
    for folder in WORKSPACE_FOLDERS {
        let own = format!("{folder}/src");
        if root.join(&own).is_dir() {
            sources.insert(own);
        }
        for entry in fs::read_dir(root.join(folder)).with_context(|| format!("listing {folder}"))? {
            let entry = entry?;
            let path = format!("{folder}/{}/src", entry.file_name().to_string_lossy());
            if entry.path().join("Cargo.toml").is_file() && root.join(&path).is_dir() {
                sources.insert(path);
            }
        }
    }
    Ok(sources)
}

/// The modules of one crate and the imports of each.
#[derive(Default)]
struct Graph {
    modules: BTreeMap<ModulePath, Module>,
    /// Modules that are compiled for tests only; those inside of them are, too.
    tests: BTreeSet<ModulePath>,
}

/// Paths of one file.
#[derive(Default)]
struct Module {
    /// Paths that it names, made absolute.
    paths: BTreeSet<ModulePath>,
    /// Names that it exports from elsewhere, and where they come from.
    exports: HashMap<String, ModulePath>,
}

impl Graph {
    /// Reads all files below `folder`, a crate's `src`. The files of programs (`bin/name/…`) stand beside the library's.
    fn read(folder: &Path) -> Result<Self> {
        let mut graph = Self::default();
        let mut waiting = vec![(folder.to_owned(), ModulePath::new())];
        while let Some((folder, path)) = waiting.pop() {
            for entry in fs::read_dir(&folder)? {
                let entry = entry?.path();
                let name = entry.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                if entry.is_dir() {
                    waiting.push((entry, child(&path, &name)));
                } else if entry.extension().is_some_and(|extension| extension == "rs") {
                    let module = match name.as_str() {
                        "mod" => path.clone(),
                        "lib" | "main" if path.is_empty() || path.first().is_some_and(|first| first == "bin") => {
                            path.clone()
                        }
                        _ => child(&path, &name),
                    };
                    let text = fs::read_to_string(&entry)?;
                    graph
                        .add(module, &text)
                        .with_context(|| format!("parsing {}", entry.display()))?;
                }
            }
        }
        Ok(graph)
    }

    /// Adds a file. A library and a program of the same crate share the root.
    fn add(&mut self, module: ModulePath, text: &str) -> Result<()> {
        let file = syn::parse_file(text)?;
        let tests = declared(&file.items, true);
        self.tests.extend(tests.iter().map(|name| child(&module, name)));
        let read: &mut Module = self.modules.entry(module.clone()).or_default();
        Reader {
            at: module,
            children: declared(&file.items, false),
            module: read,
        }
        .visit_file(&file);
        Ok(())
    }

    /// Modules that are compiled for more than tests.
    fn modules(&self) -> impl Iterator<Item = (&ModulePath, &Module)> {
        let for_tests = |path: &ModulePath| (1..=path.len()).any(|length| self.tests.contains(&path[..length]));
        self.modules.iter().filter(move |(path, _)| !for_tests(path))
    }

    /// Each module's imports: other modules of the crate.
    fn imports(&self) -> BTreeMap<&ModulePath, BTreeSet<&ModulePath>> {
        let imports = self.modules().map(|(name, module)| {
            let targets = module.paths.iter().filter_map(|path| self.resolve(path, 0));
            (name, targets.filter(|target| *target != name).collect())
        });
        imports.collect()
    }

    /// The module in which what `path` names is defined.
    fn resolve(&self, path: &[String], depth: usize) -> Option<&ModulePath> {
        let deepest = (0..=path.len())
            .rev()
            .find(|length| self.modules.contains_key(&path[..*length]))?;
        let (name, module) = self.modules.get_key_value(&path[..deepest])?;
        let Some(item) = path.get(deepest).filter(|_| depth < MAX_EXPORTS) else {
            return Some(name);
        };
        let exported = module.exports.get(item).and_then(|from| self.resolve(from, depth + 1));
        exported.or(Some(name))
    }

    /// Groups of modules that import each other, the largest first, each sorted.
    fn circles(&self) -> Vec<Vec<String>> {
        let imports = self.imports();
        let mut graph = DiGraph::new();
        let nodes: HashMap<_, _> = self.modules().map(|(name, _)| (name, graph.add_node(name))).collect();
        for (from, targets) in &imports {
            for to in targets.iter().filter_map(|to| nodes.get(to)) {
                graph.add_edge(nodes[from], *to, ());
            }
        }
        let mut circles: Vec<Vec<String>> = tarjan_scc(&graph)
            .into_iter()
            .filter(|group| group.len() > 1)
            .map(|group| {
                let mut names: Vec<_> = group.into_iter().map(|node| display(graph[node])).collect();
                names.sort();
                names
            })
            .collect();
        circles.sort_by_key(|circle| (std::cmp::Reverse(circle.len()), circle.first().cloned()));
        circles
    }

    /// Imports from a layer into one above it, and top-level modules that are in no layer.
    fn upward(&self, layers: &[&[&str]]) -> Vec<String> {
        if layers.is_empty() {
            return Vec::new();
        }
        let layer = |module: &ModulePath| {
            let top = module.first()?;
            layers.iter().position(|layer| layer.contains(&top.as_str()))
        };
        let mut found = Vec::new();
        for (from, targets) in self.imports() {
            if from.is_empty() {
                continue;
            }
            let Some(own) = layer(from) else {
                found.push(format!("{} is in no layer", display(from)));
                continue;
            };
            for to in targets {
                if layer(to).is_some_and(|other| other > own) {
                    found.push(format!(
                        "{} imports {}, which is in a layer above it",
                        display(from),
                        display(to)
                    ));
                }
            }
        }
        found
    }
}

/// Takes down the paths of one file.
struct Reader<'m> {
    at: ModulePath,
    children: BTreeSet<String>,
    module: &'m mut Module,
}

impl Reader<'_> {
    /// The absolute path of `segments`, when they lead into this crate.
    fn absolute(&self, segments: &[String]) -> Option<ModulePath> {
        let (first, rest) = segments.split_first()?;
        let mut base = match first.as_str() {
            // A program's own root.
            "crate" if self.at.first().is_some_and(|first| first == "bin") => self.at.iter().take(2).cloned().collect(),
            "crate" => ModulePath::new(),
            "self" => self.at.clone(),
            "super" => self.at.split_last()?.1.to_vec(),
            name if self.children.contains(name) => child(&self.at, name),
            _ => return None,
        };
        let mut rest = rest;
        while let Some((_, after)) = rest.split_first().filter(|(name, _)| *name == "super") {
            base.pop()?;
            rest = after;
        }
        base.extend(rest.iter().cloned());
        Some(base)
    }

    /// Takes down every leaf of a `use` item.
    fn leaves(&mut self, tree: &UseTree, before: &mut Vec<String>, exported: bool) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.leaves(&path.tree, before, exported);
                before.pop();
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.leaves(tree, before, exported);
                }
            }
            UseTree::Name(name) if name.ident == "self" => self.leaf(before, before.last().cloned(), exported),
            UseTree::Name(name) => {
                before.push(name.ident.to_string());
                self.leaf(before, Some(name.ident.to_string()), exported);
                before.pop();
            }
            UseTree::Rename(rename) => {
                before.push(rename.ident.to_string());
                self.leaf(before, Some(rename.rename.to_string()), exported);
                before.pop();
            }
            UseTree::Glob(_) => self.leaf(before, None, exported),
        }
    }

    /// Takes down one leaf: an export is no import, because nothing of this file needs it.
    fn leaf(&mut self, segments: &[String], name: Option<String>, exported: bool) {
        let Some(path) = self.absolute(segments) else { return };
        match (exported, name) {
            (true, Some(name)) => {
                self.module.exports.insert(name, path);
            }
            (true, None) | (false, _) => {
                self.module.paths.insert(path);
            }
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if !tests_only(&item.attrs) {
            let exported = !matches!(item.vis, syn::Visibility::Inherited);
            self.leaves(&item.tree, &mut Vec::new(), exported);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !tests_only(&item.attrs) && item.content.is_some() {
            // A module inside of a file belongs to the file.
            self.at.push(item.ident.to_string());
            visit::visit_item_mod(self, item);
            self.at.pop();
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if segments.len() > 1
            && let Some(path) = self.absolute(&segments)
        {
            self.module.paths.insert(path);
        }
        visit::visit_path(self, path);
    }
}

/// The modules that a file declares: those for tests only, or the others.
fn declared(items: &[Item], for_tests: bool) -> BTreeSet<String> {
    let modules = items.iter().filter_map(|item| match item {
        Item::Mod(module) if tests_only(&module.attrs) == for_tests => Some(module.ident.to_string()),
        _ => None,
    });
    modules.collect()
}

/// Tells items that are compiled for tests only.
fn tests_only(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute
                .parse_args::<syn::Ident>()
                .is_ok_and(|condition| condition == "test")
    })
}

/// The path of a module inside of another.
fn child(path: &[String], name: &str) -> ModulePath {
    path.iter().cloned().chain([name.to_owned()]).collect()
}

/// A module as people write it.
fn display(path: &ModulePath) -> String {
    if path.is_empty() {
        "the root".to_owned()
    } else {
        path.join("::")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The graph of files, each with its path and its text.
    fn graph(files: &[(&str, &str)]) -> Graph {
        let mut graph = Graph::default();
        for (path, text) in files {
            let path = path.split("::").filter(|name| !name.is_empty()).map(str::to_owned);
            graph.add(path.collect(), text).expect("it is Rust");
        }
        graph
    }

    const ROOT: (&str, &str) = ("", "mod a; mod b; mod c;");

    #[test]
    fn a_circle_is_found_through_imports_and_paths() {
        let circles = |b: &str| {
            let files = [
                ROOT,
                ("a", "use crate::b::B;"),
                ("b", b),
                ("c", "use crate::{a::A, b::B};"),
            ];
            graph(&files).circles()
        };
        assert!(circles("use std::fmt;").is_empty());
        assert!(circles("pub struct B; // crate::c").is_empty());
        assert_eq!(circles("fn f() { crate::c::g() }"), [["a", "b", "c"]]);
        assert_eq!(circles("use super::a::A;"), [["a", "b"]]);
        assert_eq!(circles("fn f() -> crate::a::A { loop {} }"), [["a", "b"]]);
    }

    #[test]
    fn a_parent_that_its_child_imports_is_in_a_circle_with_it() {
        let files = |child| {
            [
                ("", "mod a;"),
                ("a", "mod b; fn f() { b::g() } fn h() {}"),
                ("a::b", child),
            ]
        };
        assert_eq!(graph(&files("use super::h;")).circles(), [["a", "a::b"]]);
        assert!(graph(&files("pub fn g() {}")).circles().is_empty());
    }

    #[test]
    fn an_export_leads_to_where_the_item_is_defined_and_is_no_import() {
        let files = [
            ("", "mod a; mod c;"),
            ("a", "mod b; pub use b::B; pub use b::C as D;"),
            ("a::b", "use crate::c::E;"),
            ("c", "use std::fmt; pub struct E;"),
        ];
        assert!(graph(&files).circles().is_empty());
        let mut circle = files;
        circle[3].1 = "use crate::a::D;";
        assert_eq!(graph(&circle).circles(), [["a::b", "c"]]);
    }

    #[test]
    fn tests_may_import_anything() {
        let inside = "use crate::b::B; #[cfg(test)] mod tests { use crate::c; }";
        let files = [
            ("", "mod a; mod b; mod c;"),
            ("a", inside),
            ("b", "#[cfg(test)] mod tests;"),
            ("b::tests", "use crate::a::A; use super::B;"),
            ("c", "use crate::a;"),
        ];
        assert!(graph(&files).circles().is_empty());
    }

    #[test]
    fn layers_only_look_down() {
        let files = [
            ROOT,
            ("a", "use crate::b::B;"),
            ("b", ""),
            ("c", "use crate::a::A; use crate::b::B;"),
        ];
        let graph = graph(&files);
        assert!(graph.upward(&[]).is_empty());
        assert!(graph.upward(&[&["b"], &["a"], &["c"]]).is_empty());
        assert!(graph.upward(&[&["a", "b"], &["c"]]).is_empty());
        assert_eq!(
            graph.upward(&[&["a"], &["b"], &["c"]]),
            ["a imports b, which is in a layer above it"]
        );
        assert_eq!(graph.upward(&[&["a", "b"]]), ["c is in no layer"]);
    }
}
