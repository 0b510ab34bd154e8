//! The language of queries: `SELECT` of one table, with conditions, groups, an order and a limit.

use crate::table::Table;

/// A query over one of some tables.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// The place of its table among those that it was written for.
    pub table: usize,
    pub(crate) items: Vec<Item>,
    pub(crate) distinct: bool,
    /// Alternatives, each with conditions that all hold; none where every row counts.
    pub(crate) alternatives: Vec<Vec<Condition>>,
    pub(crate) group: Option<usize>,
    pub(crate) order: Option<Order>,
    pub(crate) limit: Option<usize>,
}

/// Something that is selected, or sorted by. Columns are places in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Item {
    Column(usize),
    /// The number of rows.
    Count,
    /// The number of different values.
    CountDistinct(usize),
    Of(Aggregate, usize),
}

/// A computation of a column's numbers, or, but for sums and averages, of its dates and texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aggregate {
    Sum,
    Average,
    Smallest,
    Largest,
}

/// A condition on a cell.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Condition {
    pub column: usize,
    pub comparison: Comparison,
    pub value: String,
}

/// A comparison of a cell with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    Unequal,
    More,
    Less,
    AtLeast,
    AtMost,
    /// A pattern with `%` for any text.
    Like,
}

/// An order of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Order {
    pub by: Item,
    pub descending: bool,
}

/// A part of a written query.
#[derive(Debug, Clone, PartialEq)]
enum Token {
    /// A keyword in upper case, or a name without signs around it.
    Word(String),
    /// A name between backticks or double quotes.
    Name(String),
    /// A text between single quotes.
    Text(String),
    Number(String),
    Sign(String),
}

impl Query {
    /// Reads a query over some tables, which it calls `t1`, `t2` and so on; nothing where it is none.
    #[must_use]
    pub fn parse(text: &str, tables: &[Table]) -> Option<Self> {
        let tokens = tokens(text)?;
        let is_from = |token: &Token| matches!(token, Token::Word(word) if word.eq_ignore_ascii_case("FROM"));
        let from = tokens.iter().position(is_from)?;
        let Token::Word(named) = tokens.get(from + 1)? else {
            return None;
        };
        let table = named.strip_prefix(['t', 'T'])?.parse::<usize>().ok()?.checked_sub(1)?;
        let mut parser = Parser {
            tokens: &tokens,
            place: 0,
            table: tables.get(table)?,
        };
        let query = parser.query(table)?;
        (parser.place == tokens.len()).then_some(query)
    }
}

struct Parser<'q> {
    tokens: &'q [Token],
    place: usize,
    table: &'q Table,
}

impl Parser<'_> {
    fn query(&mut self, table: usize) -> Option<Query> {
        self.keyword("SELECT").then_some(())?;
        let distinct = self.keyword("DISTINCT");
        let mut items = Vec::new();
        if self.sign("*") {
            items.extend((0..self.table.columns.len()).map(Item::Column));
        } else {
            items.push(self.item()?);
            while self.sign(",") {
                items.push(self.item()?);
            }
        }
        self.keyword("FROM").then_some(())?;
        self.next()?;
        let mut alternatives = Vec::new();
        if self.keyword("WHERE") {
            loop {
                let mut all = vec![self.condition()?];
                while self.keyword("AND") {
                    all.push(self.condition()?);
                }
                alternatives.push(all);
                if !self.keyword("OR") {
                    break;
                }
            }
        }
        let group = match self.keyword("GROUP") {
            true => {
                self.keyword("BY").then_some(())?;
                Some(self.column()?)
            }
            false => None,
        };
        let order = match self.keyword("ORDER") {
            true => {
                self.keyword("BY").then_some(())?;
                let by = self.item()?;
                let descending = self.keyword("DESC");
                if !descending {
                    self.keyword("ASC");
                }
                Some(Order { by, descending })
            }
            false => None,
        };
        let limit = match self.keyword("LIMIT") {
            true => match self.next()? {
                Token::Number(count) => Some(count.parse().ok()?),
                _ => return None,
            },
            false => None,
        };
        self.sign(";");
        Some(Query {
            table,
            items,
            distinct,
            alternatives,
            group,
            order,
            limit,
        })
    }

    fn item(&mut self) -> Option<Item> {
        let aggregates = [
            ("SUM", Aggregate::Sum),
            ("AVG", Aggregate::Average),
            ("MIN", Aggregate::Smallest),
            ("MAX", Aggregate::Largest),
        ];
        if self.calls("COUNT") {
            let item = if self.sign("*") {
                Item::Count
            } else if self.keyword("DISTINCT") {
                Item::CountDistinct(self.column()?)
            } else {
                self.column()?;
                Item::Count
            };
            return self.sign(")").then_some(item);
        }
        for (name, aggregate) in aggregates {
            if self.calls(name) {
                let column = self.column()?;
                return self.sign(")").then_some(Item::Of(aggregate, column));
            }
        }
        self.column().map(Item::Column)
    }

    fn condition(&mut self) -> Option<Condition> {
        let column = self.column()?;
        let comparison = match self.next()? {
            Token::Sign(sign) => match sign.as_str() {
                "=" | "==" => Comparison::Equal,
                "!=" | "<>" => Comparison::Unequal,
                ">" => Comparison::More,
                "<" => Comparison::Less,
                ">=" => Comparison::AtLeast,
                "<=" => Comparison::AtMost,
                _ => return None,
            },
            Token::Word(word) if word.eq_ignore_ascii_case("LIKE") => Comparison::Like,
            _ => return None,
        };
        let value = match self.next()? {
            Token::Text(value) | Token::Number(value) => value.clone(),
            _ => return None,
        };
        Some(Condition {
            column,
            comparison,
            value,
        })
    }

    fn column(&mut self) -> Option<usize> {
        let name = match self.next()? {
            Token::Name(name) | Token::Word(name) => name.to_lowercase(),
            _ => return None,
        };
        let mut columns = self.table.columns.iter();
        columns.position(|column| column.name.to_lowercase() == name)
    }

    fn next(&mut self) -> Option<&Token> {
        let token = self.tokens.get(self.place)?;
        self.place += 1;
        Some(token)
    }

    fn keyword(&mut self, keyword: &str) -> bool {
        let here = matches!(self.tokens.get(self.place), Some(Token::Word(word)) if word.eq_ignore_ascii_case(keyword));
        self.place += usize::from(here);
        here
    }

    fn sign(&mut self, sign: &str) -> bool {
        let here = matches!(self.tokens.get(self.place), Some(Token::Sign(other)) if other == sign);
        self.place += usize::from(here);
        here
    }

    /// A function's name and the sign after it.
    fn calls(&mut self, name: &str) -> bool {
        let opens = matches!(self.tokens.get(self.place + 1), Some(Token::Sign(sign)) if sign == "(");
        opens && self.keyword(name) && self.sign("(")
    }
}

fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim();
    while let Some(first) = rest.chars().next() {
        let token = match first {
            '`' | '"' => {
                let name = rest[1..].split(first).next()?;
                rest = rest[1 + name.len()..].strip_prefix(first)?;
                Token::Name(name.to_owned())
            }
            '\'' => {
                let (value, left) = quoted(&rest[1..])?;
                rest = left;
                Token::Text(value)
            }
            c if c.is_ascii_digit() || c == '-' => {
                let end = rest[1..].find(|c: char| !c.is_ascii_digit() && c != '.');
                let (number, left) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
                rest = left;
                Token::Number(number.to_owned())
            }
            c if c.is_alphabetic() || c == '_' => {
                let end = rest
                    .find(|c: char| !c.is_alphanumeric() && c != '_')
                    .unwrap_or(rest.len());
                let (word, left) = rest.split_at(end);
                rest = left;
                Token::Word(word.to_owned())
            }
            _ => {
                let two = ["!=", "<>", "<=", ">=", "=="]
                    .into_iter()
                    .find(|two| rest.starts_with(two));
                let sign = two.map_or_else(|| first.to_string(), str::to_owned);
                rest = &rest[sign.len()..];
                Token::Sign(sign)
            }
        };
        tokens.push(token);
        rest = rest.trim_start();
    }
    Some(tokens)
}

/// A text up to its closing quote, of which two are one of the text, and what comes after.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut rest = text;
    loop {
        let end = rest.find('\'')?;
        value.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('\'') {
            Some(left) => {
                value.push('\'');
                rest = left;
            }
            None => return Some((value, rest)),
        }
    }
}
