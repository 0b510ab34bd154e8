//! The rule of a canary: judges if a candidate is as good as the version that serves.
//!
//! Requests are given to the two by chance, so they get the same mixture and differ only by what the versions do with
//! it. The candidate is sent away when
//!
//! - it fails more often (5xx or a cut answer), or refuses more often (4xx): Fisher's exact test, one-sided, which
//!   holds for small counts too; or
//! - it is slower: for an operation with [`MIN_TIMED_ANSWERS`] answers of each version, the 95th percentile is more
//!   than the allowed ratio of the current one's, by more than [`NOISE_TIME`], and the answers that take longer than
//!   this ratio times the current version's 95th percentile are significantly more, by the same test.
//!
//! It is looked at when it has answered 25 requests, then at every doubling, and last when it has its sample; the level
//! of significance, [`SIGNIFICANCE_LEVEL`], is divided by the number of looks, so that a version that is as good as the
//! other is sent away for any one of these reasons with a probability below one in a hundred. It is promoted at the
//! last look when nothing spoke against it.

use std::time::Duration;

use crate::version::sample::Tally;

/// Level of significance of one reason over all looks.
pub const SIGNIFICANCE_LEVEL: f64 = 0.01;

/// Requests at the first look.
const FIRST_LOOK_REQUESTS: u64 = 25;

/// Answers of each version of an operation below which its times are not compared.
pub const MIN_TIMED_ANSWERS: u64 = 50;

/// Difference of times that is ignored.
pub const NOISE_TIME: Duration = Duration::from_millis(5);

/// The verdict on a candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// No verdict yet.
    Open,
    /// The candidate may serve.
    Promote(String),
    /// The candidate is worse, and why.
    Reject(String),
}

/// The looks before and including the last at `sample` requests: 25, 50, 100 … `sample`.
fn looks(sample: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(FIRST_LOOK_REQUESTS), |look| look.checked_mul(2))
        .take_while(move |look| *look < sample)
        .chain([sample])
}

/// Compares at the looks that have come since `looked` requests of the candidate. `sample` is how many requests the
/// candidate answers before it is promoted, `ratio` how much longer its 95th percentiles may be.
pub fn judge(current: &Tally, candidate: &Tally, looked: u64, sample: u64, ratio: f64) -> Verdict {
    let due = looks(sample).filter(|look| *look <= candidate.requests).max();
    if due.is_none_or(|due| due <= looked) {
        return Verdict::Open;
    }
    let level = SIGNIFICANCE_LEVEL / looks(sample).count() as f64;
    let reasons = [
        more_often("fails", current, candidate, |tally| tally.failed, level),
        more_often("refuses requests", current, candidate, |tally| tally.refused, level),
        slower(current, candidate, ratio, level),
    ];
    if let Some(reason) = reasons.into_iter().flatten().next() {
        return Verdict::Reject(reason);
    }
    // With too few requests of the current version there is nothing to be as good as.
    if candidate.requests < sample || current.requests < FIRST_LOOK_REQUESTS.min(sample) {
        return Verdict::Open;
    }
    Verdict::Promote(format!(
        "as good as the current version after {} requests: {} failed, of the current version's {} {}",
        candidate.requests, candidate.failed, current.requests, current.failed
    ))
}

fn more_often(what: &str, current: &Tally, candidate: &Tally, count: fn(&Tally) -> u64, level: f64) -> Option<String> {
    let chance = chance(
        (count(candidate), candidate.requests),
        (count(current), current.requests),
    );
    (chance < level).then(|| {
        format!(
            "it {what} more often: {} of {} requests, the current version {} of {} (p = {chance:.1e})",
            count(candidate),
            candidate.requests,
            count(current),
            current.requests
        )
    })
}

fn slower(current: &Tally, candidate: &Tally, ratio: f64, level: f64) -> Option<String> {
    candidate.times.iter().find_map(|(path, times)| {
        let before = current.times.get(path)?;
        if times.len() < MIN_TIMED_ANSWERS || before.len() < MIN_TIMED_ANSWERS {
            return None;
        }
        let (now, was) = (times.value_at_quantile(0.95), before.value_at_quantile(0.95));
        let bound = was as f64 * ratio;
        let noise = u64::try_from(NOISE_TIME.as_micros()).unwrap_or(u64::MAX);
        if now as f64 <= bound || now.saturating_sub(was) <= noise {
            return None;
        }
        let above = |times: &hdrhistogram::Histogram<u32>| times.len() - times.count_between(0, bound as u64);
        let chance = chance((above(times), times.len()), (above(before), before.len()));
        let ms = |micros: u64| micros as f64 / 1000.0;
        (chance < level).then(|| {
            format!(
                "{path} is slower: 95 of 100 answers take up to {:.1} ms, with the current version {:.1} ms \
                 (p = {chance:.1e})",
                ms(now),
                ms(was)
            )
        })
    })
}

/// The probability that the first has at least as many hits by chance alone. Each is (hits, of how many).
fn chance(first: (u64, u64), second: (u64, u64)) -> f64 {
    if first.0 == 0 || second.1 == 0 {
        return 1.0;
    }
    let cell = |count: u64| u32::try_from(count).unwrap_or(u32::MAX / 4).min(u32::MAX / 4);
    let table = [
        cell(first.0),
        cell(first.1 - first.0.min(first.1)),
        cell(second.0),
        cell(second.1 - second.0.min(second.1)),
    ];
    fishers_exact::fishers_exact(&table).map_or(1.0, |chances| chances.greater_pvalue)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "/api/v1/tts/voices";

    fn tally(requests: u64, failed: u64, refused: u64, micros: impl Fn(u64) -> u64) -> Tally {
        let mut tally = Tally {
            requests,
            failed,
            refused,
            ..Tally::default()
        };
        for index in 0..requests - failed - refused {
            tally.times(PATH).unwrap().record(micros(index)).unwrap();
        }
        tally
    }

    fn even(requests: u64, failed: u64, refused: u64) -> Tally {
        tally(requests, failed, refused, |_| 10_000)
    }

    fn rejected(current: &Tally, candidate: &Tally, part: &str) {
        match judge(current, candidate, 0, 200, 1.5) {
            Verdict::Reject(reason) => assert!(reason.contains(part), "{reason}"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_test_is_fishers() {
        // A lady who tells four cups of eight: 1 / 70. Three: 17 / 70.
        assert!((chance((4, 4), (0, 4)) - 1.0 / 70.0).abs() < 1e-9);
        assert!((chance((3, 4), (1, 4)) - 17.0 / 70.0).abs() < 1e-9);
        assert!(chance((0, 10), (5, 10)) > 0.99);
        assert!(chance((20, 200), (10, 200_000)) < 1e-12);
    }

    #[test]
    fn an_equal_candidate_is_promoted_when_its_sample_is_there() {
        assert_eq!(
            judge(&even(4_000, 4, 9), &even(199, 0, 1), 100, 200, 1.5),
            Verdict::Open
        );
        let verdict = judge(&even(4_000, 4, 9), &even(200, 1, 1), 100, 200, 1.5);
        assert!(matches!(verdict, Verdict::Promote(_)), "{verdict:?}");
        // Nothing to compare with.
        assert_eq!(judge(&even(10, 0, 0), &even(200, 0, 0), 100, 200, 1.5), Verdict::Open);
    }

    #[test]
    fn a_worse_candidate_goes_at_an_early_look() {
        rejected(&even(500, 0, 0), &even(25, 5, 0), "fails more often: 5 of 25");
        rejected(&even(500, 0, 3), &even(27, 0, 27), "refuses requests more often");
        // One failure of 25 may be chance.
        assert_eq!(judge(&even(500, 1, 0), &even(25, 1, 0), 0, 200, 1.5), Verdict::Open);
        // Both fail: something else is broken.
        assert_eq!(judge(&even(500, 100, 0), &even(25, 5, 0), 0, 200, 1.5), Verdict::Open);
    }

    #[test]
    fn looks_are_few() {
        assert_eq!(looks(200).collect::<Vec<_>>(), [25, 50, 100, 200]);
        assert_eq!(looks(10).collect::<Vec<_>>(), [10]);
        // Between two looks nothing is decided, so that looking often does not find something by chance.
        assert_eq!(judge(&even(500, 0, 0), &even(30, 6, 0), 25, 200, 1.5), Verdict::Open);
    }

    #[test]
    fn a_slower_candidate_goes() {
        let times = |slow: u64| move |index: u64| if index.is_multiple_of(5) { slow } else { 10_000 };
        let current = tally(1_000, 0, 0, times(20_000));
        rejected(&current, &tally(100, 0, 0, times(60_000)), "slower");
        // Within the ratio, and within the noise.
        let verdict = judge(&current, &tally(200, 0, 0, times(25_000)), 0, 200, 1.5);
        assert!(matches!(verdict, Verdict::Promote(_)), "{verdict:?}");
        let quick = tally(1_000, 0, 0, |_| 100);
        let verdict = judge(&quick, &tally(200, 0, 0, |_| 4_000), 0, 200, 1.5);
        assert!(matches!(verdict, Verdict::Promote(_)), "{verdict:?}");
    }

    #[test]
    fn equal_versions_are_seldom_sent_away() {
        // Two per cent of failures on both sides, drawn a thousand times with a fixed seed.
        let mut state = 1_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / f64::from(1_u32 << 31)
        };
        let mut rejections = 0;
        for _ in 0..1_000 {
            let (mut current, mut candidate, mut looked) = (Tally::default(), Tally::default(), 0);
            for _ in 0..200 {
                candidate.requests += 1;
                candidate.failed += u64::from(random() < 0.02);
                for _ in 0..19 {
                    current.requests += 1;
                    current.failed += u64::from(random() < 0.02);
                }
                let verdict = judge(&current, &candidate, looked, 200, 1.5);
                looked = candidate.requests;
                if matches!(verdict, Verdict::Reject(_)) {
                    rejections += 1;
                    break;
                }
            }
        }
        assert!(rejections <= 10, "{rejections} of 1000");
    }
}
