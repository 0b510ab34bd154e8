//! Routes requests: to the host's own pages or to a component.

use std::sync::Arc;

use quartet_api::BASE_PATH;
use quartet_api::jobs::{JobPart, JobPath};

use crate::capabilities::Capabilities;
use crate::capabilities::operation::Operation;
use crate::door::{Door, Open, wyoming};
use crate::own_pages;

/// The only method of the host's own pages.
const GET: &str = "GET";

/// The page or operation that answers a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Route {
    /// The process is alive.
    Health,
    /// The service can answer.
    Ready,
    /// The metrics.
    Metrics,
    /// The list of the operations.
    Operations,
    /// The operations as a document of OpenAPI.
    OpenApi,
    /// The same in the form of OpenAPI 3.0.
    OlderOpenApi,
    /// A file of the page for people.
    Page(&'static quartet_page::File),
    /// A component answers.
    Operation(Arc<Operation>),
    /// A job, with whatever method.
    Job(JobPath),
    /// A request in another service's form.
    Door(Door),
    /// The path exists, for these methods only, as `Allow` lists them.
    OtherMethod(&'static str),
    /// No page has this path.
    Nothing,
}

/// Every path of this process.
#[derive(Debug, Clone)]
pub struct Routes {
    operations: Vec<Arc<Operation>>,
    /// `none` first, then the pages of the host's own, then the operations, then jobs, then the doors, then what
    /// the Wyoming listener answers.
    names: Vec<Arc<str>>,
    doors: Open,
    page: bool,
}

impl Routes {
    /// The paths of capabilities, and of the host's own pages.
    pub fn new(capabilities: &Capabilities) -> Self {
        let operations: Vec<_> = capabilities.iter().flat_map(Operation::of).map(Arc::new).collect();
        let own = [own_pages::NOTHING]
            .into_iter()
            .chain(own_pages::NAMES.iter().copied())
            .map(Arc::from);
        let names = own
            .chain(operations.iter().map(|operation| Arc::clone(&operation.name)))
            .chain(JobPart::ALL.map(|part| Arc::from(part.name())));
        Self {
            names: names.collect(),
            operations,
            doors: Open::default(),
            page: false,
        }
    }

    /// The same paths, and those of the doors that are open; said once.
    #[must_use]
    pub fn with_doors(mut self, open: Open) -> Self {
        let doors = Door::ALL.into_iter().filter(|door| open.has(*door));
        self.names.extend(doors.map(|door| Arc::from(door.name())));
        self.doors = open;
        self
    }

    /// The same paths, and those of the page for people where it is on.
    #[must_use]
    pub fn with_page(self, page: bool) -> Self {
        Self { page, ..self }
    }

    /// The same, and the names of what the Wyoming listener answers where it is on.
    #[must_use]
    pub fn with_wyoming(mut self, on: bool) -> Self {
        let names = wyoming::ALL.into_iter().filter(|_| on);
        self.names.extend(names.map(Arc::from));
        self
    }

    /// The file of the page with a path, where the page is on.
    fn file(&self, path: &str) -> Option<&'static quartet_page::File> {
        self.page.then(|| quartet_page::at(path))?
    }

    /// The door with a path, where it is open.
    pub fn door(&self, path: &str) -> Option<Door> {
        Door::at(path).filter(|door| self.doors.has(*door))
    }

    /// The operation of the contract with a path, whatever capability answers it.
    pub fn operation(&self, operation: &quartet_api::operations::Operation) -> Option<&Arc<Operation>> {
        self.at(operation.path)
    }

    /// Every operation.
    pub fn operations(&self) -> impl Iterator<Item = &Operation> {
        self.operations.iter().map(Arc::as_ref)
    }

    /// Every name, `none` first.
    pub fn names(&self) -> &[Arc<str>] {
        &self.names
    }

    /// The name of what has a path, whatever the method: an operation such as `tts/stream`, a capability that the
    /// contract does not know, a page of the host's own, or `none`.
    pub fn name(&self, path: &str) -> Arc<str> {
        if path == BASE_PATH {
            return self.known(own_pages::OPERATIONS);
        }
        if path.starts_with(BASE_PATH) {
            return match (self.at(path), JobPath::at(path)) {
                (Some(operation), _) => Arc::clone(&operation.name),
                (None, Some(job)) => self.known(job.part.name()),
                (None, None) => Arc::clone(&self.names[0]),
            };
        }
        if let Some(door) = self.door(path) {
            return self.known(door.name());
        }
        let own = match self.file(path) {
            Some(_) => own_pages::PAGE,
            // Its name is no path.
            None => path
                .strip_prefix('/')
                .filter(|own| *own != own_pages::PAGE)
                .unwrap_or(""),
        };
        let pages = &self.names[1..=own_pages::NAMES.len()];
        let page = pages.iter().find(|name| ***name == *own);
        Arc::clone(page.unwrap_or(&self.names[0]))
    }

    /// A name that is there; `none` otherwise.
    pub fn known(&self, name: &str) -> Arc<str> {
        let found = self.names.iter().rev().find(|known| ***known == *name);
        Arc::clone(found.unwrap_or(&self.names[0]))
    }

    /// Finds the page or operation. Methods are compared exactly, as HTTP asks; a path must match to the letter.
    pub fn find(&self, method: &http::Method, path: &str) -> Route {
        let own = match path {
            "/healthz" => Some(Route::Health),
            "/readyz" => Some(Route::Ready),
            "/metrics" => Some(Route::Metrics),
            BASE_PATH => Some(Route::Operations),
            quartet_api::openapi::PATH => Some(Route::OpenApi),
            quartet_api::openapi::OLDER_PATH => Some(Route::OlderOpenApi),
            _ => None,
        };
        if let Some(file) = self.file(path) {
            return match *method {
                http::Method::GET | http::Method::HEAD => Route::Page(file),
                _ => Route::OtherMethod(GET),
            };
        }
        if let Some(door) = self.door(path) {
            return match door.takes(method) {
                false => Route::OtherMethod(door.methods()),
                true => Route::Door(door),
            };
        }
        match (own, self.at(path)) {
            (Some(route), _) if method == http::Method::GET => route,
            (Some(_), _) => Route::OtherMethod(GET),
            (None, Some(operation)) => match operation.method {
                Some(only) if only.name() != method.as_str() => Route::OtherMethod(only.name()),
                _ => Route::Operation(Arc::clone(operation)),
            },
            (None, None) => JobPath::at(path).map_or(Route::Nothing, Route::Job),
        }
    }

    fn at(&self, path: &str) -> Option<&Arc<Operation>> {
        self.operations.iter().find(|operation| operation.has(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capabilities::Capability;
    use crate::capabilities::file;
    use quartet_api::operations::Answer;

    fn routes() -> Routes {
        Routes::new(&Capabilities::embedded().unwrap())
    }

    #[test]
    fn finds_own_pages_operations_and_nothing() {
        let routes = routes();
        let find = |method, path| routes.find(&method, path);
        assert_eq!(find(http::Method::GET, "/healthz"), Route::Health);
        assert_eq!(find(http::Method::GET, "/openapi.json"), Route::OpenApi);
        assert_eq!(&*routes.name("/openapi.json"), "openapi.json");
        assert_eq!(find(http::Method::GET, "/openapi-3.0.json"), Route::OlderOpenApi);
        assert_eq!(&*routes.name("/openapi-3.0.json"), "openapi-3.0.json");
        assert_eq!(find(http::Method::POST, "/readyz"), Route::OtherMethod("GET"));
        let Route::Operation(info) = find(http::Method::GET, "/api/v1/tts/info") else {
            panic!("no operation")
        };
        assert!(info.is_info && info.capability.name() == "tts");
        assert_eq!(
            find(http::Method::PUT, "/api/v1/tts/stream"),
            Route::OtherMethod("POST")
        );
        assert_eq!(find(http::Method::GET, "/api/v1/tts"), Route::Nothing);
        assert_eq!(find(http::Method::GET, "/api/v1"), Route::Operations);
        assert_eq!(find(http::Method::POST, "/api/v1"), Route::OtherMethod("GET"));
        assert_eq!(find(http::Method::GET, "/api/v1/"), Route::Nothing);
        assert!(
            routes
                .operations()
                .any(|operation| operation.path == "/api/v1/tts/info")
        );
    }

    #[test]
    fn doors_are_there_where_they_are_open() {
        let find = |routes: &Routes, method, path| routes.find(&method, path);
        let all = Open {
            services: true,
            mcp: true,
        };
        let (shut, open) = (routes(), routes().with_doors(all));
        assert_eq!(find(&shut, http::Method::GET, "/v1/models"), Route::Nothing);
        assert_eq!(&*shut.name("/v1/models"), "none");
        assert_eq!(find(&open, http::Method::GET, "/v1/models"), Route::Door(Door::Models));
        assert_eq!(
            find(&open, http::Method::GET, "/v1/chat/completions"),
            Route::OtherMethod("POST")
        );
        assert_eq!(&*open.name("/v1/models/anything"), "v1/models/{id}");
        assert_eq!(&*open.name("/v1/anything"), "none");
        assert_eq!(open.names().len(), shut.names().len() + Door::ALL.len());
    }

    #[test]
    fn the_page_is_there_where_it_is_on() {
        let (off, on) = (routes(), routes().with_page(true));
        let file = quartet_page::at("/").unwrap();
        for method in [http::Method::GET, http::Method::HEAD] {
            assert_eq!(on.find(&method, "/"), Route::Page(file));
            assert_eq!(off.find(&method, "/"), Route::Nothing);
        }
        assert_eq!(on.find(&http::Method::POST, "/"), Route::OtherMethod("GET"));
        assert_eq!((&*on.name("/"), &*off.name("/")), ("page", "none"));
        for path in ["/page", "/page/", "/page/app.js", "//"] {
            assert_eq!(on.find(&http::Method::GET, path), Route::Nothing, "{path}");
            assert_eq!(&*on.name(path), "none", "{path}");
        }
        for file in quartet_page::FILES {
            assert_eq!(on.find(&http::Method::GET, file.path), Route::Page(file));
            assert_eq!(&*on.name(file.path), "page");
        }
    }

    #[test]
    fn what_wyoming_answers_has_a_name_and_no_path() {
        let (off, on) = (routes(), routes().with_wyoming(true));
        assert_eq!(&*off.known(wyoming::SYNTHESIZE), "none");
        for name in wyoming::ALL {
            assert_eq!(&*on.known(name), name);
            assert_eq!(on.find(&http::Method::POST, &format!("/{name}")), Route::Nothing);
            assert_eq!(&*on.name(&format!("/{name}")), "none");
        }
    }

    #[test]
    fn everything_with_a_path_has_a_name() {
        let routes = routes();
        assert_eq!(&*routes.name("/api/v1/tts/stream"), "tts/stream");
        assert_eq!(&*routes.name("/api/v1/chat"), "chat");
        assert_eq!(&*routes.name("/readyz"), "readyz");
        assert_eq!(&*routes.name("/api/v1"), "api/v1");
        for nothing in [
            "/",
            "",
            "/api/v1/",
            "/api/v1/tts",
            "/api/v1/chat/",
            "/tts/stream",
            "metrics2",
            "/healthz/",
        ] {
            assert_eq!(&*routes.name(nothing), "none", "{nothing}");
        }
    }

    #[test]
    fn what_the_contract_does_not_know_has_all_paths_below_its_own() {
        let text = "[[capability]]\nname = \"words\"\n[[capability]]\nname = \"signs\"\nstreams = true";
        let added: Vec<_> = file::list(text, &|_| Err(String::new()))
            .unwrap()
            .into_iter()
            .map(Capability::from)
            .collect();
        let operations: Vec<_> = added.iter().flat_map(Operation::of).collect();
        let [words, signs] = operations.as_slice() else {
            panic!("{operations:?}")
        };
        assert_eq!((&*words.name, &*words.path), ("words", "/api/v1/words"));
        assert!(words.has("/api/v1/words") && words.has("/api/v1/words/a/b") && words.has("/api/v1/words/"));
        assert!(!words.has("/api/v1/wordsmith/info") && !words.has("/words"));
        assert_eq!((words.answer, signs.answer), (Answer::Events, Answer::Stream));
        assert!(!words.is_info);
    }
}
