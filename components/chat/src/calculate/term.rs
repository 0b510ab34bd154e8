//! Terms: numbers, operators, percentages and functions, as a tree that is computed and shown.

use std::fmt::Write as _;

/// Limit for the depth of brackets.
const MAX_DEPTH: usize = 16;

/// A term of an arithmetic expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Term {
    /// A number, with a point for its decimals.
    Number(String),
    Negative(Box<Term>),
    /// `+`, `-`, `*`, `/`, `^` or `m`, the remainder.
    Binary(char, Box<Term>, Box<Term>),
    /// So many hundredths.
    Percent(Box<Term>),
    Factorial(Box<Term>),
    SquareRoot(Box<Term>),
    CubeRoot(Box<Term>),
    Mean(Vec<Term>),
    /// The first as hundredths of the second.
    Share(Box<Term>, Box<Term>),
}

/// An operation that a model writes also where nothing asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    Division,
    /// Of a number that is no percentage: "15 % off" takes hundredths away by itself.
    Subtraction,
    Power,
    Root,
    Mean,
    Factorial,
}

impl Term {
    /// The terms that it is made of.
    fn parts(&self) -> Vec<&Self> {
        match self {
            Term::Number(_) => Vec::new(),
            Term::Negative(term)
            | Term::Percent(term)
            | Term::Factorial(term)
            | Term::SquareRoot(term)
            | Term::CubeRoot(term) => vec![term],
            Term::Binary(_, left, right) | Term::Share(left, right) => vec![left, right],
            Term::Mean(terms) => terms.iter().collect(),
        }
    }

    /// The numbers in it.
    pub fn numbers(&self) -> Vec<&str> {
        match self {
            Term::Number(number) => vec![number],
            term => term.parts().into_iter().flat_map(Term::numbers).collect(),
        }
    }

    /// The numbers in it that are hundredths.
    pub fn percentages(&self) -> Vec<&str> {
        match self {
            Term::Percent(term) => term.numbers(),
            term => term.parts().into_iter().flat_map(Term::percentages).collect(),
        }
    }

    /// Returns true if something in it is one number as hundredths of another.
    pub fn has_share(&self) -> bool {
        matches!(self, Term::Share(..)) || self.parts().into_iter().any(Term::has_share)
    }

    /// Returns true if it adds hundredths of something to it, or takes them off.
    pub fn changes_by_percentage(&self) -> bool {
        let own = matches!(self, Term::Binary('+' | '-', _, right) if matches!(**right, Term::Percent(_)));
        own || self.parts().into_iter().any(Term::changes_by_percentage)
    }

    /// Returns true if so many numbers are taken from and divided by each other without brackets that a model has written
    /// down what it read, in its order, rather than what is meant.
    pub fn is_tangled(&self) -> bool {
        let mut signs = Vec::new();
        self.collect_signs(&mut signs);
        self.numbers().len() > 3 && signs.contains(&'-') && signs.contains(&'/')
    }

    /// The signs of its own sum, down to its brackets.
    fn collect_signs(&self, signs: &mut Vec<char>) {
        if let Term::Binary(sign, left, right) = self {
            for part in [left, right] {
                if part.precedence() >= self.precedence() {
                    part.collect_signs(signs);
                }
            }
            signs.push(*sign);
        }
    }

    /// The same term with what comes to the same written as a change by hundredths: "1250 + 1250 * 22%" is "1250 + 22%".
    pub fn with_plain_changes(self) -> Self {
        match self {
            Term::Binary(sign @ ('+' | '-'), left, right) => match *right {
                Term::Binary('*', whole, share) if whole == left && matches!(*share, Term::Percent(_)) => {
                    Term::Binary(sign, left, share)
                }
                Term::Binary('*', share, whole) if whole == left && matches!(*share, Term::Percent(_)) => {
                    Term::Binary(sign, left, share)
                }
                right => Term::Binary(sign, left, Box::new(right)),
            },
            other => other,
        }
    }

    /// The operations in it that a question must name.
    pub fn operations(&self) -> Vec<Operation> {
        let own = match self {
            Term::Binary('/' | 'm', ..) => Some(Operation::Division),
            Term::Binary('-', _, right) if !matches!(**right, Term::Percent(_)) => Some(Operation::Subtraction),
            Term::Binary('^', ..) => Some(Operation::Power),
            Term::SquareRoot(_) | Term::CubeRoot(_) => Some(Operation::Root),
            Term::Mean(_) => Some(Operation::Mean),
            Term::Factorial(_) => Some(Operation::Factorial),
            _ => None,
        };
        let parts = self.parts().into_iter().flat_map(Term::operations);
        own.into_iter().chain(parts).collect()
    }

    /// The expression for the engine, with brackets around everything.
    pub fn for_engine(&self) -> String {
        match self {
            Term::Number(number) => number.clone(),
            Term::Negative(term) => format!("(-{})", term.for_engine()),
            // "35 - 15%" takes the share off.
            Term::Binary(sign @ ('+' | '-'), left, right) if matches!(**right, Term::Percent(_)) => {
                let (left, right) = (left.for_engine(), right.for_engine());
                format!("({left} * (1 {sign} {right}))")
            }
            Term::Binary('m', left, right) => format!("({} mod {})", left.for_engine(), right.for_engine()),
            Term::Binary(sign, left, right) => format!("({} {sign} {})", left.for_engine(), right.for_engine()),
            Term::Percent(term) => format!("({} / 100)", term.for_engine()),
            Term::Factorial(term) => format!("({}!)", term.for_engine()),
            Term::SquareRoot(term) => format!("sqrt({})", term.for_engine()),
            Term::CubeRoot(term) => format!("cbrt({})", term.for_engine()),
            Term::Mean(terms) => {
                let all: Vec<_> = terms.iter().map(Term::for_engine).collect();
                format!("(({}) / {})", all.join(" + "), terms.len())
            }
            Term::Share(part, whole) => format!("(100 * {} / {})", part.for_engine(), whole.for_engine()),
        }
    }

    /// The expression for a person, with a point for decimals.
    pub fn shown(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, 0);
        text
    }

    fn write(&self, text: &mut String, around: u8) {
        let own = self.precedence();
        let bracketed = own < around;
        if bracketed {
            text.push('(');
        }
        match self {
            Term::Number(number) => text.push_str(number),
            Term::Negative(term) => {
                text.push('-');
                term.write(text, 4);
            }
            Term::Binary(sign, left, right) => {
                left.write(text, if *sign == '^' { own + 1 } else { own });
                match sign {
                    '*' => text.push_str(" × "),
                    '/' => text.push_str(" ÷ "),
                    'm' => text.push_str(" mod "),
                    '^' => text.push('^'),
                    sign => {
                        let _ = write!(text, " {sign} ");
                    }
                }
                right.write(text, own + 1);
            }
            Term::Percent(term) => {
                term.write(text, 5);
                text.push_str(" %");
            }
            Term::Factorial(term) => {
                term.write(text, 5);
                text.push('!');
            }
            Term::SquareRoot(term) | Term::CubeRoot(term) => {
                text.push(if matches!(self, Term::SquareRoot(_)) {
                    '√'
                } else {
                    '∛'
                });
                term.write(text, 5);
            }
            Term::Mean(terms) => {
                text.push('(');
                for (index, term) in terms.iter().enumerate() {
                    if index > 0 {
                        text.push_str(" + ");
                    }
                    term.write(text, 2);
                }
                let _ = write!(text, ") ÷ {}", terms.len());
            }
            Term::Share(part, whole) => {
                part.write(text, 2);
                text.push_str(" ÷ ");
                whole.write(text, 3);
            }
        }
        if bracketed {
            text.push(')');
        }
    }

    fn precedence(&self) -> u8 {
        match self {
            Term::Binary('+' | '-', ..) => 1,
            Term::Binary('*' | '/' | 'm', ..) | Term::Mean(_) | Term::Share(..) => 2,
            Term::Negative(_) => 3,
            Term::Binary(..) => 4,
            _ => 5,
        }
    }
}

/// Parses a term; nothing where the text is none, or a number by itself.
pub(super) fn term(text: &str) -> Option<Term> {
    let mut reader = Reader { rest: text, depth: 0 };
    let term = reader.sum()?;
    let bare = match &term {
        Term::Number(_) => true,
        Term::Negative(inner) | Term::Percent(inner) => matches!(**inner, Term::Number(_)),
        _ => false,
    };
    (reader.rest.trim().is_empty() && !bare).then_some(term)
}

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl Reader<'_> {
    fn eat(&mut self, text: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn sum(&mut self) -> Option<Term> {
        let mut left = self.product()?;
        loop {
            let sign = match (self.eat("+"), self.eat("-")) {
                (true, _) => '+',
                (_, true) => '-',
                _ => return Some(left),
            };
            left = Term::Binary(sign, Box::new(left), Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Option<Term> {
        let mut left = self.power()?;
        loop {
            let sign = if self.eat("*") || self.eat("of ") && matches!(left, Term::Percent(_)) {
                '*'
            } else if self.eat("/") {
                '/'
            } else if self.eat("mod ") {
                'm'
            } else {
                return Some(left);
            };
            left = Term::Binary(sign, Box::new(left), Box::new(self.power()?));
        }
    }

    fn power(&mut self) -> Option<Term> {
        if self.eat("-") {
            return Some(Term::Negative(Box::new(self.power()?)));
        }
        let mut base = self.operand()?;
        loop {
            if self.eat("%") {
                base = Term::Percent(Box::new(base));
            } else if self.eat("!") {
                base = Term::Factorial(Box::new(base));
            } else {
                break;
            }
        }
        if self.eat("^") {
            return Some(Term::Binary('^', Box::new(base), Box::new(self.power()?)));
        }
        Some(base)
    }

    fn operand(&mut self) -> Option<Term> {
        for name in ["sqrt", "cbrt", "mean", "share", ""] {
            if self.eat(&format!("{name}(")) {
                return self.call(name);
            }
        }
        let digits = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let mut end = digits;
        if let Some(decimals) = self.rest[digits..].strip_prefix('.') {
            end += 1 + decimals.find(|c: char| !c.is_ascii_digit()).unwrap_or(decimals.len());
        }
        let (number, rest) = self.rest.split_at(end);
        if digits == 0 || end == digits + 1 {
            return None;
        }
        self.rest = rest;
        Some(Term::Number(number.to_owned()))
    }

    /// The operands of a function, or what stands between brackets.
    fn call(&mut self, name: &str) -> Option<Term> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let mut terms = vec![self.sum()?];
        while self.eat(",") {
            terms.push(self.sum()?);
        }
        if !self.eat(")") {
            return None;
        }
        self.depth -= 1;
        let mut all = terms.into_iter();
        let first = all.next()?;
        Some(match (name, all.len()) {
            ("mean", 1..) => Term::Mean(std::iter::once(first).chain(all).collect()),
            ("share", 1) => Term::Share(Box::new(first), Box::new(all.next()?)),
            ("sqrt", 0) => Term::SquareRoot(Box::new(first)),
            ("cbrt", 0) => Term::CubeRoot(Box::new(first)),
            ("", 0) => first,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::evaluate;
    use super::*;

    #[test]
    fn terms_are_computed_and_shown() {
        for (text, shown, value) in [
            ("17 * 23", "17 × 23", "391"),
            ("12% of 50", "12 % × 50", "6"),
            ("35 - 15%", "35 - 15 %", "29.75"),
            ("40 + 18%", "40 + 18 %", "47.2"),
            ("2 * (3 + 4) - 1", "2 × (3 + 4) - 1", "13"),
            ("10 - (3 - 2)", "10 - (3 - 2)", "9"),
            ("8 / (2 / 2)", "8 ÷ (2 ÷ 2)", "8"),
            ("sqrt(9 + 16)", "√(9 + 16)", "5"),
            ("cbrt(27)", "∛27", "3"),
            ("17 mod 5", "17 mod 5", "2"),
            ("mean(3, 5, 10)", "(3 + 5 + 10) ÷ 3", "6"),
            ("share(20, 80)", "20 ÷ 80", "25"),
            ("-3 * 2", "-3 × 2", "-6"),
            ("(2 + 3)^2", "(2 + 3)^2", "25"),
            ("2^3^2", "2^(3^2)", "512"),
            ("5!", "5!", "120"),
        ] {
            let term = term(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(term.shown(), shown);
            assert_eq!(evaluate(&term.for_engine()).unwrap().text, value, "{text}");
        }
    }

    #[test]
    fn what_is_no_term_is_refused() {
        for text in [
            "", "5", "-5", "5%", "3 +", "3 4", "(3", "3 of 4", "mean(3)", "1. + 2", "x + 1", "3 ** 4",
        ] {
            assert_eq!(term(text), None, "{text}");
        }
        assert_eq!(term(&format!("{}1{}", "(".repeat(40), ")".repeat(40))), None);
    }
}
