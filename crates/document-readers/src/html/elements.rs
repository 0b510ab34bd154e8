//! The elements of web pages by what they mean for text.

/// Elements that are not read with what is inside.
const SKIPPED: [&str; 16] = [
    "script", "style", "noscript", "template", "nav", "button", "select", "textarea", "svg", "iframe", "object",
    "canvas", "audio", "video", "dialog", "noframes",
];

/// Elements of a site around its articles.
const FURNITURE: [&str; 4] = ["header", "footer", "aside", "math"];

/// Elements without an end.
const VOID: [&str; 13] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
];

/// Elements that end where the next block begins.
const IMPLIED_END: [&str; 7] = ["p", "li", "dt", "dd", "td", "th", "tr"];

/// Elements that begin and end a block.
const BLOCKS: [&str; 34] = [
    "p",
    "div",
    "section",
    "article",
    "header",
    "footer",
    "aside",
    "hr",
    "main",
    "body",
    "html",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "li",
    "ul",
    "ol",
    "dl",
    "dt",
    "dd",
    "pre",
    "blockquote",
    "table",
    "tr",
    "thead",
    "tbody",
    "caption",
    "figure",
    "figcaption",
    "details",
    "summary",
];

/// Returns true for elements that are left out with all that is in them.
pub fn is_skipped(name: &str, article_only: bool) -> bool {
    SKIPPED.contains(&name) || article_only && FURNITURE.contains(&name)
}

/// Returns true for elements that have no end.
pub fn is_void(name: &str) -> bool {
    VOID.contains(&name)
}

/// Returns true for elements that end by themselves where a block begins.
pub fn ends_itself(name: &str) -> bool {
    IMPLIED_END.contains(&name)
}

/// Returns true for elements that begin and end a block.
pub fn is_block(name: &str) -> bool {
    BLOCKS.contains(&name)
}

/// Returns true for elements that a browser does not show, or that are marked as navigation.
pub fn is_hidden<'a>(attribute: &dyn Fn(&str) -> Option<&'a str>) -> bool {
    let role = attribute("role").unwrap_or_default();
    let style = attribute("style")
        .unwrap_or_default()
        .replace(' ', "")
        .to_ascii_lowercase();
    attribute("hidden").is_some()
        || attribute("aria-hidden") == Some("true")
        || matches!(
            role,
            "navigation" | "banner" | "contentinfo" | "search" | "complementary"
        )
        || ["display:none", "visibility:hidden", "font-size:0", "opacity:0"]
            .iter()
            .any(|rule| {
                // "opacity:0.9" can be read.
                let at = style.find(rule);
                at.is_some_and(|at| !style[at + rule.len()..].starts_with('.'))
            })
}
