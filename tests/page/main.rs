//! The page for people: how its files come, that they hold to the strict policy, and what it does in a browser.

mod admin;
mod browser;
mod files;
mod texts;

use quartet_tests::skip::not_run;

/// Says that a test is not run where the libraries of the page could not be had. True if it is.
fn whole(name: &str) -> bool {
    if !quartet_page::WHOLE {
        not_run(name, "the page was built without its libraries");
    }
    quartet_page::WHOLE
}
