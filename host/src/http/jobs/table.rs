//! All jobs: found by their ids, bounded in number and in the memory of their answers.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quartet_api::Code;

use super::job::Job;
use crate::auth::Client;
use crate::config::Limits;
use crate::failure::Failure;

/// Jobs that are known at the same time, for each that one client may have at work: those that ended are forgotten first.
const KNOWN_FOR_EACH: usize = 4;

/// Jobs of all clients that are known at the same time.
const MAX_JOBS: usize = 4_096;

/// Seconds after which a client with too many jobs may try again.
const RETRY_SECONDS: u64 = 5;

/// All jobs.
pub struct Table {
    of_client: usize,
    bytes: usize,
    client_bytes: usize,
    entries: Mutex<Entries>,
}

#[derive(Default)]
struct Entries {
    jobs: HashMap<String, Entry>,
    /// Identifiers in the order in which jobs were asked for.
    order: BTreeMap<u64, String>,
    next: u64,
}

struct Entry {
    job: Arc<Job>,
    number: u64,
    /// Bytes of its answer so far.
    bytes: usize,
}

impl Entries {
    fn remove(&mut self, id: &str) -> Option<Arc<Job>> {
        let entry = self.jobs.remove(id)?;
        self.order.remove(&entry.number);
        Some(entry.job)
    }

    fn insert(&mut self, job: &Arc<Job>) -> Result<(), Failure> {
        if self.jobs.len() >= MAX_JOBS && !self.forget_one(None, "") {
            return Err(Failure::new(Code::Busy, "the service has as many jobs as it can").retry_after(RETRY_SECONDS));
        }
        let number = self.next;
        self.next += 1;
        self.order.insert(number, job.id.clone());
        let entry = Entry {
            job: Arc::clone(job),
            number,
            bytes: 0,
        };
        self.jobs.insert(job.id.clone(), entry);
        Ok(())
    }

    fn of(&self, client: Client) -> impl Iterator<Item = &Entry> {
        self.jobs
            .values()
            .filter(move |entry| entry.job.owner.client() == client)
    }

    fn bytes<'a>(entries: impl Iterator<Item = &'a Entry>) -> usize {
        entries.map(|entry| entry.bytes).sum()
    }

    /// Forgets the oldest job that is over, of one client or of all, but not that with the id; false without one.
    fn forget_one(&mut self, client: Option<Client>, but: &str) -> bool {
        let oldest = self.order.values().find(|id| {
            let entry = self.jobs.get(*id);
            entry.is_some_and(|Entry { job, .. }| {
                job.id != but && job.is_over() && client.is_none_or(|client| job.owner.client() == client)
            })
        });
        match oldest.cloned() {
            Some(id) => self.remove(&id).is_some(),
            None => false,
        }
    }
}

impl Table {
    /// A table with the configured bounds.
    pub fn new(limits: &Limits) -> Self {
        Self {
            of_client: limits.client_jobs,
            bytes: limits.job_bytes,
            client_bytes: limits.job_bytes / 100 * limits.client_percent,
            entries: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a new job in.
    ///
    /// # Errors
    /// When its client has as many at work as it may, or all clients have.
    pub fn add(&self, job: &Arc<Job>) -> Result<(), Failure> {
        let client = job.owner.client();
        let mut entries = self.lock();
        let at_work = entries.of(client).filter(|entry| !entry.job.is_over()).count();
        if at_work >= self.of_client {
            return Err(too_many(at_work));
        }
        while entries.of(client).count() >= self.of_client * KNOWN_FOR_EACH && entries.forget_one(Some(client), "") {}
        entries.insert(job)
    }

    /// Takes a job in that another replica worked on: its client has it counted already.
    ///
    /// # Errors
    /// When there are as many jobs as can be.
    pub fn adopt(&self, job: &Arc<Job>) -> Result<(), Failure> {
        let mut entries = self.lock();
        entries.insert(job)
    }

    /// Lets a job go without an end to its work.
    pub fn remove(&self, id: &str) {
        self.lock().remove(id);
    }

    /// The job with an id.
    pub fn find(&self, id: &str) -> Option<Arc<Job>> {
        self.lock().jobs.get(id).map(|entry| Arc::clone(&entry.job))
    }

    /// The place of a job among those of its client that wait, from 1; none where it does not wait.
    pub fn position(&self, job: &Job) -> Option<usize> {
        let entries = self.lock();
        let number = entries.jobs.get(&job.id)?.number;
        let before = entries.of(job.owner.client()).filter(|entry| entry.number < number);
        let waiting = before.filter(|entry| entry.job.waits()).count();
        job.waits().then_some(waiting + 1)
    }

    /// Forgets a job, and takes it back where it is at work.
    pub fn forget(&self, id: &str) {
        let job = self.lock().remove(id);
        if let Some(job) = job {
            job.cancel();
        }
    }

    /// Checks that an answer of so many bytes can be kept.
    ///
    /// # Errors
    /// When it is larger than one client's answers may be.
    pub fn check(&self, bytes: u64) -> Result<(), Failure> {
        match usize::try_from(bytes) {
            Ok(bytes) if bytes <= self.client_bytes => Ok(()),
            _ => Err(self.too_large()),
        }
    }

    fn too_large(&self) -> Failure {
        let most = self.client_bytes;
        Failure::new(
            Code::ResponseTooLarge,
            format!("the answers that are kept for one client have {most} bytes; ask for this one without a job"),
        )
    }

    /// Counts more bytes for the answer of a job. For room, its client's older answers are forgotten, then the oldest of all.
    ///
    /// # Errors
    /// When the answer is larger than one client's may be, or there is no room.
    pub fn grow(&self, job: &Job, bytes: usize) -> Result<(), Failure> {
        let client = job.owner.client();
        let mut entries = self.lock();
        while Entries::bytes(entries.of(client)) + bytes > self.client_bytes {
            if !entries.forget_one(Some(client), &job.id) {
                return Err(self.too_large());
            }
        }
        while Entries::bytes(entries.jobs.values()) + bytes > self.bytes {
            if !entries.forget_one(None, &job.id) {
                let full = "there is no memory for the answers of jobs";
                return Err(Failure::new(Code::Busy, full).retry_after(RETRY_SECONDS));
            }
        }
        if let Some(entry) = entries.jobs.get_mut(&job.id) {
            entry.bytes += bytes;
        }
        Ok(())
    }

    /// Jobs that wait or run.
    pub fn at_work(&self) -> usize {
        self.lock().jobs.values().filter(|entry| !entry.job.is_over()).count()
    }

    /// Bytes of all answers, and how many there may be.
    pub fn bytes(&self) -> (usize, usize) {
        (Entries::bytes(self.lock().jobs.values()), self.bytes)
    }
}

/// The failure of a client that has so many jobs at work.
pub fn too_many(at_work: usize) -> Failure {
    let message = format!("{at_work} jobs of this client are at work; wait for one of them, or take one back");
    Failure::new(Code::Busy, message).retry_after(RETRY_SECONDS)
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use bytes::Bytes;
    use http::{HeaderMap, StatusCode};

    use super::super::job::{Answer, End, Owner};
    use super::*;
    use crate::auth::Clients;

    fn table() -> Table {
        Table::new(&Limits {
            client_jobs: 2,
            job_bytes: 1_000,
            client_percent: 50,
            ..Limits::default()
        })
    }

    fn job(last: u8) -> Arc<Job> {
        let headers = HeaderMap::new();
        let address = Ipv4Addr::new(192, 0, 2, last).into();
        let caller = Clients::default().identify(&headers, address, &http::uri::Scheme::HTTP);
        Arc::new(Job::new("chat".into(), Owner::new(&caller, &headers), "r".into()))
    }

    fn ended(table: &Table, last: u8, bytes: usize) -> Result<Arc<Job>, Failure> {
        let job = job(last);
        table.add(&job)?;
        table.grow(&job, bytes)?;
        let answer = Answer::new(StatusCode::OK, &HeaderMap::new(), Bytes::from(vec![0; bytes]));
        job.ends(End::Answered(Arc::new(answer)));
        Ok(job)
    }

    #[test]
    fn a_client_has_few_at_work_and_ended_ones_give_way() {
        let table = table();
        let (one, two) = (job(1), job(1));
        assert!(table.add(&one).is_ok() && table.add(&two).is_ok());
        assert_eq!(table.add(&job(1)).unwrap_err().code, Code::Busy);
        assert!(table.add(&job(2)).is_ok(), "another client");
        table.forget(&one.id);
        assert!(one.is_over() && table.find(&one.id).is_none());
        let first = ended(&table, 1, 1).unwrap();
        for _ in 0..2 * KNOWN_FOR_EACH {
            assert!(ended(&table, 1, 1).is_ok());
        }
        assert!(table.find(&first.id).is_none());
        assert!(table.find(&two.id).is_some(), "what is at work stays");
    }

    #[test]
    fn a_job_has_a_place_among_those_of_its_client_while_it_waits() {
        let table = table();
        let (other, one, two) = (job(2), job(1), job(1));
        for job in [&other, &one, &two] {
            table.add(job).unwrap();
        }
        assert_eq!((table.position(&one), table.position(&two)), (Some(1), Some(2)));
        one.runs();
        assert_eq!((table.position(&one), table.position(&two)), (None, Some(1)));
        table.forget(&two.id);
        assert_eq!(table.position(&two), None);
    }

    #[test]
    fn answers_take_a_share_of_the_memory() {
        let table = table();
        assert!(table.check(500).is_ok() && table.check(501).is_err());
        assert_eq!(ended(&table, 1, 501).unwrap_err().code, Code::ResponseTooLarge);
        let first = ended(&table, 1, 300).unwrap();
        let second = ended(&table, 1, 300).unwrap();
        assert!(table.find(&first.id).is_none() && table.find(&second.id).is_some());
        let (other, third) = (ended(&table, 2, 400).unwrap(), ended(&table, 3, 400).unwrap());
        assert!(table.find(&second.id).is_none(), "the oldest of all");
        assert!(table.find(&other.id).is_some() && table.find(&third.id).is_some());
        assert_eq!(table.bytes(), (800, 1_000));
    }
}
