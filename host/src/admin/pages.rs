//! Pages of the admin interface. Failures have the service's shape.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderValue, Method, Request, Response, header};
use http_body::Body;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use quartet_api::{Code, REQUEST_ID_HEADER, Success};
use serde::Serialize;
use serde_json::{Value, json};

use super::scope::{self, Scope};
use super::token::Token;
use crate::capabilities::Capability;
use crate::config::Limits;
use crate::failure::Failure;
use crate::http::app::App;
use crate::http::page;
use crate::registry::deploy::{Deployed, Deployer, Source, Unchanged};
use crate::registry::fleet::{Changed, Fleet};
use crate::rollout::trial::Plan;
use crate::shared::Replica;
use crate::telemetry::metrics;

/// Prefix of every path but `/healthz`.
pub const BASE: &str = "/admin/v1/components";

/// Path of the metrics, which take the token, too.
const METRICS: &str = "/metrics";

/// Path of the readiness, as on the service's own listener.
const READY: &str = "/readyz";

type Answer = Result<Value, Failure>;

/// Answers the admin interface's requests.
pub struct Admin {
    deployer: Arc<Deployer>,
    /// The versions of all replicas, where there are others.
    fleet: Option<Arc<Fleet>>,
    token: Token,
    component_bytes: usize,
    /// The service, which knows the metrics, and whether its page is shown.
    app: Arc<App>,
    page: bool,
}

impl Admin {
    /// Creates the interface.
    pub fn new(deployer: Arc<Deployer>, token: Token, limits: &Limits, app: Arc<App>, page: bool) -> Self {
        Self {
            deployer,
            fleet: None,
            token,
            component_bytes: usize::try_from(limits.component_bytes).unwrap_or(usize::MAX),
            app,
            page,
        }
    }

    /// The same interface for a replica among others.
    pub fn with_fleet(self, fleet: Option<Arc<Fleet>>) -> Self {
        Self { fleet, ..self }
    }

    /// Answers one request.
    pub async fn handle<B>(&self, request: Request<B>) -> Response<Full<Bytes>>
    where
        B: Body<Data = Bytes, Error: std::error::Error + Send + Sync + 'static> + Send + 'static,
    {
        let id = uuid::Uuid::now_v7().simple().to_string();
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        if let Some(file) = self.file(&method, &path) {
            return page::at_admin(file, &method, request.headers());
        }
        if path == READY && matches!(method, Method::GET | Method::HEAD) {
            return match self.app.readiness() {
                Ok(ready) => success(&ready),
                Err(failure) => failure.to_response(&id),
            };
        }
        if path == METRICS && method == Method::GET {
            return match self.admit(&request).and_then(|()| self.app.metrics_text()) {
                Ok(text) => metrics_response(text),
                Err(failure) => failure.to_response(&id),
            };
        }
        let mut response = match self.answer(request).await {
            Ok(data) => success(&Success::new(data)),
            Err(failure) => failure.to_response(&id),
        };
        tracing::info!(%id, %method, path, status = response.status().as_u16(), "admin");
        let headers = response.headers_mut();
        if let Ok(id) = HeaderValue::from_str(&id) {
            headers.insert(REQUEST_ID_HEADER, id);
        }
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }

    /// The page's file with a path: the page tells how the service is doing, with what it is given the token for.
    fn file(&self, method: &Method, path: &str) -> Option<&'static quartet_page::File> {
        let shown = self.page && matches!(*method, Method::GET | Method::HEAD);
        shown.then(|| quartet_page::at_admin(path))?
    }

    async fn answer<B>(&self, request: Request<B>) -> Answer
    where
        B: Body<Data = Bytes, Error: std::error::Error + Send + Sync + 'static> + Send + 'static,
    {
        let path = request.uri().path().to_owned();
        if path == "/healthz" {
            return Ok(json!({"status": "ok"}));
        }
        self.admit(&request)?;
        let rest = path.strip_prefix(BASE).ok_or_else(|| not_found(&path))?;
        let mut parts = rest.split('/').skip(1);
        let (capability, action) = (parts.next(), parts.collect::<Vec<_>>().join("/"));
        let Some(capability) = capability else {
            require_method(&request, &Method::GET, "GET")?;
            return Ok(json!({"components": self.list().await}));
        };
        let capabilities = self.deployer.registry().capabilities();
        let capability = capabilities.get(capability).ok_or_else(|| {
            Failure::new(
                Code::NotFound,
                format!(
                    "there is no capability {capability:?}; there is {}",
                    capabilities.names()
                ),
            )
        })?;
        if action.is_empty() {
            require_method(&request, &Method::GET, "GET")?;
            return Ok(self.describe(capability, &self.replicas().await).await);
        }
        if !["swap", "rollback", "unpin", "canary", "canary/promote", "canary/abort"].contains(&action.as_str()) {
            return Err(not_found(&path));
        }
        require_method(&request, &Method::POST, "POST")?;
        let deployer = &self.deployer;
        let (of_scope, rest) = scope::split(request.uri().query().unwrap_or_default());
        let plan = match action == "canary" {
            true => plan(&rest)?,
            // Whatever is left there is no part of a change.
            false => Scope::read(&rest).map(|_| Plan::default())?,
        };
        let scope = Scope::read(&of_scope)?;
        let fleet = self.fleet.as_deref().filter(|_| !scope.this_replica);
        let together = fleet.map(|fleet| (fleet, scope.terms));
        let tries = fleet.is_some_and(|fleet| fleet.tries(capability));
        if action.starts_with("canary/") && !tries && deployer.joined(capability).is_some() {
            return Err(failure(
                Unchanged::Conflict("the version is tried by all replicas: it ends for all of them".to_owned()),
                capability,
            ));
        }
        let done = match action.as_str() {
            "swap" => {
                let bytes = self.component(request).await?;
                match together {
                    Some((fleet, terms)) => return changed(fleet.swap(capability, bytes, terms).await, capability),
                    None => deployer.swap(capability, Source::Bytes(bytes)).await,
                }
            }
            "unpin" => match together {
                Some((fleet, terms)) => {
                    let status = fleet.unpin(capability, terms).await;
                    let status = status.map_err(|unchanged| failure(unchanged, capability))?;
                    return Ok(json!({"capability": capability.name(), "fleet": status}));
                }
                None => Err(Unchanged::Conflict(
                    "this service shares no versions with other replicas".to_owned(),
                )),
            },
            "canary" => {
                let bytes = self.component(request).await?;
                match together {
                    // A shadow answers nobody and decides nothing.
                    Some((fleet, terms)) if !plan.shadow => {
                        return changed(fleet.begin(capability, bytes, plan, terms).await, capability);
                    }
                    _ => deployer.begin(capability, bytes, plan).await,
                }
            }
            "rollback" => match together {
                Some((fleet, terms)) => return changed(fleet.rollback(capability, terms).await, capability),
                None => deployer.rollback(capability).await,
            },
            "canary/promote" | "canary/abort" if tries => {
                let Some((fleet, terms)) = together else {
                    return Err(not_found(&path));
                };
                let promote = action == "canary/promote";
                return changed(fleet.end(capability, promote, terms).await, capability);
            }
            "canary/promote" => deployer.promote(capability, None, "asked for").await,
            _ => deployer.abort(capability, None, "asked for").await,
        };
        outcome(done, capability)
    }

    fn admit<B>(&self, request: &Request<B>) -> Result<(), Failure> {
        let given = request
            .headers()
            .get(header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.strip_prefix("Bearer "));
        match given {
            Some(given) if self.token.matches(given) => Ok(()),
            _ => Err(Failure::new(
                Code::Unauthorized,
                "the admin interface takes its token in the header `Authorization: Bearer …`",
            )),
        }
    }

    async fn component<B>(&self, request: Request<B>) -> Result<Bytes, Failure>
    where
        B: Body<Data = Bytes, Error: std::error::Error + Send + Sync + 'static> + Send + 'static,
    {
        let most = self.component_bytes;
        match Limited::new(request.into_body(), most).collect().await {
            Ok(body) => Ok(body.to_bytes()),
            Err(error) if error.is::<LengthLimitError>() => Err(Failure::new(
                Code::PayloadTooLarge,
                format!("the component is larger than the {most} bytes allowed"),
            )),
            Err(error) => Err(
                Failure::new(Code::MalformedRequest, "the component did not arrive whole")
                    .with_internal(error.to_string()),
            ),
        }
    }

    async fn list(&self) -> Vec<Value> {
        let replicas = self.replicas().await;
        let mut all = Vec::new();
        for capability in self.deployer.registry().capabilities().iter() {
            all.push(self.describe(capability, &replicas).await);
        }
        all
    }

    /// The replicas that are there, where versions are shared.
    async fn replicas(&self) -> Vec<Replica> {
        match &self.fleet {
            Some(fleet) => fleet.replicas().await,
            None => Vec::new(),
        }
    }

    async fn describe(&self, capability: &Capability, replicas: &[Replica]) -> Value {
        let deployer = &self.deployer;
        let serving = deployer.registry().serving(capability);
        let current = serving.as_ref().map(|serving| serving.current.info());
        let on_disk = deployer.store().passed(capability);
        let current_digest = current.as_ref().map(|current| current.digest.as_str());
        let fleet = self.fleet.as_ref().and_then(|fleet| fleet.status(capability, replicas));
        // What all replicas can go back to comes first, also where this one has no disk to keep it on.
        let of_fleet = fleet.as_ref().and_then(|fleet| fleet.previous.as_ref());
        let mut previous: Vec<_> = of_fleet
            .into_iter()
            .chain(on_disk.iter().filter(|digest| Some(*digest) != of_fleet))
            .collect();
        previous.retain(|digest| Some(digest.as_str()) != current_digest);
        let mut trial = serving.and_then(|serving| serving.trial.as_ref().map(|trial| trial.describe()));
        let mut ended = deployer.ended(capability);
        if let Some(fleet) = &self.fleet {
            if deployer.joined(capability).is_some() || trial.is_none() {
                trial = fleet.describe_trial(capability, trial).await;
            }
            ended = fleet.describe_end(capability, ended);
        }
        json!({
            "capability": capability.name(),
            "current": current,
            "change": deployer.step(capability).map(|step| json!({"step": step.name()})),
            "previous": previous,
            "trial": trial,
            "lastTrial": ended,
            "fleet": fleet,
        })
    }
}

fn outcome(done: Result<Deployed, Unchanged>, capability: &Capability) -> Answer {
    match done {
        Ok(deployed) => Ok(json!(deployed)),
        Err(unchanged) => Err(failure(unchanged, capability)),
    }
}

/// The outcome of a change of all replicas: that of a change of one, and how far they have come.
fn changed(done: Result<Changed, Unchanged>, capability: &Capability) -> Answer {
    match done {
        Ok(changed) => {
            let mut data = json!(changed.deployed);
            data["fleet"] = json!(changed.fleet);
            Ok(data)
        }
        Err(unchanged) => Err(failure(unchanged, capability)),
    }
}

fn failure(unchanged: Unchanged, capability: &Capability) -> Failure {
    let name = capability.name();
    match unchanged {
        Unchanged::Conflict(reason) => Failure::new(Code::Conflict, reason),
        Unchanged::Unavailable(reason) => Failure::new(Code::Unavailable, reason),
        // Who has the token runs the service: the reason is for them.
        Unchanged::Refused(refusal) => Failure::new(
            Code::ComponentRefused,
            format!("the version of {name} is refused at the step {refusal}"),
        ),
    }
}

fn require_method<B>(request: &Request<B>, method: &Method, name: &'static str) -> Result<(), Failure> {
    if request.method() == method {
        return Ok(());
    }
    let path = request.uri().path();
    let mut failure = Failure::new(Code::MethodNotAllowed, format!("{path} takes the method {name} only"));
    failure.allow = Some(name);
    Err(failure)
}

fn not_found(path: &str) -> Failure {
    let path: String = path.chars().take(100).collect();
    Failure::new(
        Code::NotFound,
        format!(
            "the admin interface has no {path:?}; it has {READY}, {METRICS}, {BASE}, and there /tts with /swap, /rollback, /unpin, /canary, \
             /canary/promote and /canary/abort"
        ),
    )
}

/// Reads the plan of a trial from the query.
fn plan(query: &str) -> Result<Plan, Failure> {
    let mut plan = Plan::default();
    let mut percent = None;
    for (key, value) in form_urlencoded::parse(query.as_bytes()) {
        let invalid =
            |allowed: &str| Failure::new(Code::InvalidField, format!("`{key}` is {value:?}; it takes {allowed}"));
        let number = |least: u64, allowed: &str| {
            value
                .parse()
                .ok()
                .filter(|number| *number >= least)
                .ok_or_else(|| invalid(allowed))
        };
        match &*key {
            "percent" => {
                let allowed = "a number above 0, up to 100";
                let number = value.parse().ok().filter(|number| *number > 0.0 && *number <= 100.0);
                percent = Some(number.ok_or_else(|| invalid(allowed))?);
            }
            "shadow" => plan.shadow = value.parse().map_err(|_| invalid("true or false"))?,
            "requests" => plan.requests = number(1, "a whole number above 0")?,
            "seconds" => plan.seconds = number(1, "a whole number above 0")?,
            "latencyRatio" => {
                let number = value
                    .parse()
                    .ok()
                    .filter(|number: &f64| *number >= 1.0 && number.is_finite());
                plan.latency_ratio = number.ok_or_else(|| invalid("a number of at least 1"))?;
            }
            _ => {
                return Err(Failure::new(
                    Code::InvalidField,
                    format!("`{key}` is no part of a plan; it has percent, shadow, requests, seconds and latencyRatio"),
                ));
            }
        }
    }
    // A shadow answers nobody, so by default it hears everything.
    plan.percent = percent.unwrap_or(if plan.shadow { 100.0 } else { plan.percent });
    Ok(plan)
}

/// The page of metrics, for whoever has the token.
fn metrics_response(text: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(text)));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(metrics::CONTENT_TYPE));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn success(document: &impl Serialize) -> Response<Full<Bytes>> {
    let bytes = serde_json::to_vec(document).unwrap_or_default();
    let mut response = Response::new(Full::new(Bytes::from(bytes)));
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_read_or_its_field_is_named() {
        let read = plan("percent=2.5&requests=50&seconds=9&latencyRatio=2").unwrap();
        assert_eq!((read.percent, read.requests, read.seconds), (2.5, 50, 9));
        assert_eq!(plan("").unwrap(), Plan::default());
        assert_eq!(plan("shadow=true").unwrap().percent, 100.0);
        for (query, field) in [
            ("percent=0", "percent"),
            ("percent=101", "percent"),
            ("percent=NaN", "percent"),
            ("requests=0", "requests"),
            ("seconds=-1", "seconds"),
            ("latencyRatio=0.5", "latencyRatio"),
            ("latencyRatio=inf", "latencyRatio"),
            ("shadow=maybe", "shadow"),
            ("part=5", "part"),
        ] {
            let failure = plan(query).unwrap_err();
            assert!(failure.message.contains(&format!("`{field}`")), "{}", failure.message);
        }
    }
}
