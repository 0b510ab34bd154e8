//! Terms: numbers, operators, percentages and functions, as a tree that is computed and shown.

use std::fmt::Write as _;

use super::number::canonical;

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
    /// The difference between the first and the second as hundredths of the first.
    Change(Box<Term>, Box<Term>),
    /// The greatest common divisor, or the least common multiple.
    Common(Common, Vec<Term>),
}

/// A divisor or a multiple that whole numbers share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Common {
    Divisor,
    Multiple,
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
    /// Divisor or multiple of several numbers.
    Common,
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
            Term::Binary(_, left, right) | Term::Share(left, right) | Term::Change(left, right) => vec![left, right],
            Term::Mean(terms) | Term::Common(_, terms) => terms.iter().collect(),
        }
    }

    /// Its signs with what stands on both sides of each.
    pub fn binaries(&self) -> Vec<(char, &Self, &Self)> {
        let own = match self {
            Term::Binary(sign, left, right) => Some((*sign, &**left, &**right)),
            _ => None,
        };
        let parts = self.parts().into_iter().flat_map(Term::binaries);
        own.into_iter().chain(parts).collect()
    }

    /// The number that it is; none for anything that is computed.
    pub fn as_number(&self) -> Option<&str> {
        match self {
            Term::Number(number) => Some(number),
            _ => None,
        }
    }

    fn as_value(&self) -> Option<f64> {
        self.as_number()?.parse().ok()
    }

    /// Returns true if something in it is a square root.
    pub fn has_square_root(&self) -> bool {
        matches!(self, Term::SquareRoot(_)) || self.parts().into_iter().any(Term::has_square_root)
    }

    /// Returns true if something in it is a cube root.
    pub fn has_cube_root(&self) -> bool {
        matches!(self, Term::CubeRoot(_)) || self.parts().into_iter().any(Term::has_cube_root)
    }

    /// The same difference the other way round.
    pub fn turned_round(self) -> Self {
        match self {
            Term::Binary('-', left, right) => Term::Binary('-', right, left),
            other => other,
        }
    }

    /// The same term with all its numbers alike, but for the one of "(1 + 19%)".
    pub fn shape(&self) -> Self {
        let again = |term: &Self| Box::new(term.shape());
        match self {
            Term::Number(_) => Term::Number("0".to_owned()),
            Term::Binary(sign, one, share) if self.is_factor() => Term::Binary(*sign, one.clone(), again(share)),
            Term::Binary(sign, left, right) => Term::Binary(*sign, again(left), again(right)),
            Term::Negative(term) => Term::Negative(again(term)),
            Term::Percent(term) => Term::Percent(again(term)),
            Term::Factorial(term) => Term::Factorial(again(term)),
            Term::SquareRoot(term) => Term::SquareRoot(again(term)),
            Term::CubeRoot(term) => Term::CubeRoot(again(term)),
            Term::Mean(terms) => Term::Mean(terms.iter().map(Term::shape).collect()),
            Term::Share(left, right) => Term::Share(again(left), again(right)),
            Term::Change(left, right) => Term::Change(again(left), again(right)),
            Term::Common(common, terms) => Term::Common(*common, terms.iter().map(Term::shape).collect()),
        }
    }

    /// The numbers in it, but for the one of "(1 + 19%)".
    pub fn numbers(&self) -> Vec<&str> {
        match self {
            Term::Number(number) => vec![number],
            Term::Binary(_, _, share) if self.is_factor() => share.numbers(),
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
        matches!(self, Term::Share(..) | Term::Change(..)) || self.parts().into_iter().any(Term::has_share)
    }

    /// Returns true if it adds hundredths of something to it, or takes them off.
    pub fn changes_by_percentage(&self) -> bool {
        let own = matches!(self, Term::Binary('+' | '-', _, right) if matches!(**right, Term::Percent(_)));
        own || self.parts().into_iter().any(Term::changes_by_percentage)
    }

    /// Returns true for "(1 + 19%)" and "(1 - 19%)".
    fn is_factor(&self) -> bool {
        match self {
            Term::Binary('+' | '-', one, share) => {
                matches!(&**one, Term::Number(one) if one == "1") && matches!(**share, Term::Percent(_))
            }
            _ => false,
        }
    }

    /// A factor as a change of a term: "(1 + 19%)" of 100 is "100 + 19%".
    fn applied_to(self, whole: Self) -> Self {
        match self {
            Term::Binary(sign, _, share) => Term::Binary(sign, Box::new(whole), share),
            other => other,
        }
    }

    /// Returns true if something in it is divided by "(1 + 19%)": it is what something was before it was changed.
    pub fn undoes_percentage(&self) -> bool {
        let own = matches!(self, Term::Binary('/', _, factor) if factor.is_factor());
        own || self.parts().into_iter().any(Term::undoes_percentage)
    }

    /// Returns true if it adds hundredths of something to it, and takes none off.
    pub fn only_adds_percentages(&self) -> bool {
        let takes = |term: &Self| matches!(term, Term::Binary('-', _, share) if matches!(**share, Term::Percent(_)));
        fn any(term: &Term, is: &impl Fn(&Term) -> bool) -> bool {
            is(term) || term.parts().into_iter().any(|part| any(part, is))
        }
        self.changes_by_percentage() && !any(self, &takes)
    }

    fn is_one_of(&self, numbers: &[String]) -> bool {
        matches!(self, Term::Number(number) if numbers.contains(number))
    }

    /// The same term with the factors that a model writes for hundredths of a question written as hundredths: of "15 %", "* 1.15"
    /// is "+ 15%", "* 0.85" is "- 15%", and "0.15" or "15 / 100" is "15%".
    pub fn with_percentages(self, percentages: &[String]) -> Self {
        let again = |term: Box<Self>| Box::new(term.with_percentages(percentages));
        let share = |percentage: &str| Box::new(Term::Percent(Box::new(Term::Number(percentage.to_owned()))));
        let one = || Box::new(Term::Number("1".to_owned()));
        match self {
            Term::Number(number) => {
                let said = canonical(&number);
                for percentage in percentages {
                    let [hundredths, more, less] = factors(percentage);
                    if said == hundredths {
                        return *share(percentage);
                    }
                    for (sign, factor) in [('+', more), ('-', less)] {
                        if said == factor {
                            return Term::Binary(sign, one(), share(percentage));
                        }
                    }
                }
                Term::Number(number)
            }
            Term::Binary('/', left, right) => match (*left, *right) {
                (Term::Number(part), Term::Number(hundred)) if hundred == "100" && percentages.contains(&part) => {
                    *share(&part)
                }
                // "80 * 15 / 100"
                (Term::Binary('*', whole, part), Term::Number(hundred))
                    if hundred == "100" && part.is_one_of(percentages) && !whole.is_one_of(percentages) =>
                {
                    Term::Binary('*', again(whole), Box::new(Term::Percent(part)))
                }
                (left, right) => Term::Binary('/', again(Box::new(left)), again(Box::new(right))),
            },
            Term::Binary('*', left, right) => match (*again(left), *again(right)) {
                (factor, whole) | (whole, factor) if factor.is_factor() && !whole.is_factor() => {
                    factor.applied_to(whole)
                }
                (left, right) => Term::Binary('*', Box::new(left), Box::new(right)),
            },
            Term::Binary(sign, left, right) => Term::Binary(sign, again(left), again(right)),
            Term::Negative(term) => Term::Negative(again(term)),
            // What is a percentage already stays one.
            other => other,
        }
    }

    /// The same term without a hundred that hundredths are divided by once more: "(10000 * 7% * 3) / 100".
    pub fn without_hundred(self) -> Self {
        match self {
            Term::Binary('/', left, right) if right.as_number() == Some("100") && !left.percentages().is_empty() => {
                *left
            }
            other => other,
        }
    }

    /// The same term without a one that it is multiplied or divided by.
    pub fn without_ones(self) -> Self {
        match self {
            Term::Binary('*' | '/', left, right) if right.as_number() == Some("1") => left.without_ones(),
            Term::Binary('*', left, right) if left.as_number() == Some("1") => right.without_ones(),
            Term::Binary(sign, left, right) => {
                Term::Binary(sign, Box::new(left.without_ones()), Box::new(right.without_ones()))
            }
            other => other,
        }
    }

    /// Returns true if so many numbers are taken from and divided by each other that a model has rather written down what it
    /// read, in its order, than what is meant.
    pub fn is_tangled(&self) -> bool {
        let mut signs = Vec::new();
        self.collect_signs(&mut signs);
        self.numbers().len() > 3 && signs.contains(&'-') && signs.contains(&'/')
    }

    /// The signs between its parts.
    fn collect_signs(&self, signs: &mut Vec<char>) {
        if let Term::Binary(sign, ..) = self {
            signs.push(*sign);
        }
        for part in self.parts() {
            part.collect_signs(signs);
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
                // A price "at -40%" has the sign already.
                Term::Negative(share) if sign == '-' && matches!(*share, Term::Percent(_)) => {
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
            Term::Binary('/', _, factor) if factor.is_factor() => None,
            Term::Binary('/' | 'm', ..) => Some(Operation::Division),
            Term::Binary('-', _, right) if !matches!(**right, Term::Percent(_)) => Some(Operation::Subtraction),
            Term::Binary('^', ..) => Some(Operation::Power),
            Term::SquareRoot(_) | Term::CubeRoot(_) => Some(Operation::Root),
            Term::Mean(_) => Some(Operation::Mean),
            Term::Common(..) => Some(Operation::Common),
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
            Term::Change(from, to) => {
                let (from, to) = (from.for_engine(), to.for_engine());
                format!("(100 * abs({to} - {from}) / {from})")
            }
            // What is no whole number has none, which the engine says.
            Term::Common(common, terms) => common.of(terms).map_or_else(String::new, |value| value.to_string()),
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
            // From the larger to the smaller, as somebody says by how much a price fell.
            Term::Change(from, to) => {
                let falls = from.as_value() > to.as_value();
                let (larger, smaller) = if falls { (from, to) } else { (to, from) };
                text.push('(');
                larger.write(text, 1);
                text.push_str(" - ");
                smaller.write(text, 2);
                text.push_str(") ÷ ");
                from.write(text, 3);
            }
            Term::Common(common, terms) => {
                text.push_str(match common {
                    Common::Divisor => "gcd(",
                    Common::Multiple => "lcm(",
                });
                for (index, term) in terms.iter().enumerate() {
                    if index > 0 {
                        text.push_str("; ");
                    }
                    term.write(text, 1);
                }
                text.push(')');
            }
        }
        if bracketed {
            text.push(')');
        }
    }

    fn precedence(&self) -> u8 {
        match self {
            Term::Binary('+' | '-', ..) => 1,
            Term::Binary('*' | '/' | 'm', ..) | Term::Mean(_) | Term::Share(..) | Term::Change(..) => 2,
            Term::Negative(_) => 3,
            Term::Binary(..) => 4,
            _ => 5,
        }
    }
}

impl Common {
    /// The divisor or the multiple of whole numbers; nothing of other numbers, or where it is too large.
    fn of(self, terms: &[Term]) -> Option<u64> {
        let numbers: Option<Vec<u64>> = terms
            .iter()
            .map(|term| term.as_number()?.parse().ok().filter(|number| *number > 0))
            .collect();
        let divisor = |mut a: u64, mut b: u64| {
            while b > 0 {
                (a, b) = (b, a % b);
            }
            a
        };
        numbers?.into_iter().map(Some).reduce(|a, b| {
            let (a, b) = (a?, b?);
            match self {
                Common::Divisor => Some(divisor(a, b)),
                Common::Multiple => (a / divisor(a, b)).checked_mul(b),
            }
        })?
    }
}

/// The decimals that stand for so many hundredths, for them and the whole, and for the rest of the whole.
pub(super) fn factors(percentage: &str) -> [String; 3] {
    let Ok(percentage) = percentage.parse::<f64>() else {
        return Default::default();
    };
    [percentage / 100.0, 1.0 + percentage / 100.0, 1.0 - percentage / 100.0].map(|factor| {
        let text = format!("{factor:.6}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    })
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
        for name in ["sqrt", "cbrt", "mean", "share", "change", "gcd", "lcm", ""] {
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
            ("change", 1) => Term::Change(Box::new(first), Box::new(all.next()?)),
            ("gcd", 1..) => Term::Common(Common::Divisor, std::iter::once(first).chain(all).collect()),
            ("lcm", 1..) => Term::Common(Common::Multiple, std::iter::once(first).chain(all).collect()),
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
