//! Rates: a question that has one, such as a speed, a price for a kilogram, a consumption or a rate of exchange, and one quantity
//! that it is applied to, and asks for the other. What each measures leaves one way to put them together.

use quartet_measures::units::{self, Unit};

use super::expression::{Expression, Formula};
use super::measures::{self, Item, Measure};
use super::number;
use super::question::Question;
use super::said::{self, Said};

/// Limit in characters for what stands between the two parts of a rate.
const MAX_BETWEEN: usize = 30;

/// Limit in characters for what stands between a currency by itself and what it is worth: "доллар по 90 рублей".
const MAX_BETWEEN_CURRENCIES: usize = 12;

/// Limit in characters for what stands between the parts of one quantity.
const MAX_WITHIN: usize = 5;

/// So much of one thing for so much of another.
struct Rate {
    /// The expression for the engine.
    engine: String,
    /// The expression for a person.
    shown: String,
    over: Measure,
    under: Measure,
    /// Its items.
    used: Vec<usize>,
}

/// The expression of a question about a rate and a quantity, or about a distance and its time.
pub(super) fn only(question: &Question) -> Option<Expression> {
    let items = measures::read(question)?;
    let plain = measures::are_plain(question, &items) && !question.says(Said::Compare);
    if !plain || items.iter().any(|item| item.dimension() == Some("temperature")) {
        return None;
    }
    let reader = Reader::of(question, &items);
    let rates = reader.rates();
    let left = reader.left(&rates);
    let formula = match &rates[..] {
        [] => reader.speed(&left),
        // "45 км за 2 часа" may be all of it.
        [rate] if left.is_empty() => reader.speed(&rate.used),
        [rate] => reader.applied(rate, &left),
        [one, other] => reader
            .chained(one, other, &left)
            .or_else(|| reader.chained(other, one, &left)),
        _ => None,
    };
    formula.map(Expression::Formula)
}

/// The only quantity of a question with one rate, which that is applied to.
pub(super) fn quantity(question: &Question) -> Option<Item> {
    let items = measures::read(question)?;
    let reader = Reader::of(question, &items);
    let rates = reader.rates();
    match (&rates[..], &reader.left(&rates)[..]) {
        ([_], [index]) => Some(items[*index].clone()),
        _ => None,
    }
}

/// Returns true if something by the hour is asked for days, or by the day for hours, and nothing says how long those are.
pub(super) fn are_of_two_clocks(question: &Question) -> bool {
    let Some(items) = measures::read(question) else {
        return false;
    };
    let reader = Reader::of(question, &items);
    let rates = reader.rates();
    let times: Vec<Measure> = (reader.left(&rates).into_iter())
        .filter(|index| items[*index].dimension() == Some("time"))
        .filter_map(|index| items[index].measure)
        .collect();
    let is_other = |rate: &Rate| times.iter().all(|time| !is_of_one_clock(rate, *time));
    !times.is_empty() && rates.iter().any(is_other)
}

/// The currencies of some items.
fn currencies(items: &[Item]) -> Vec<&'static str> {
    let mut all = Vec::new();
    for item in items {
        if let Some(Measure::Money(code)) = item.measure
            && !all.contains(&code)
        {
            all.push(code);
        }
    }
    all
}

/// The units of length and time of a speed.
fn parts_of(speed: &Unit) -> Option<(Measure, Measure)> {
    let (length, time) = match speed.name {
        "km/h" => ("km", "hour"),
        "mph" => ("mile", "hour"),
        "m/s" => ("m", "second"),
        "knot" => ("nmi", "hour"),
        _ => return None,
    };
    Some((Measure::Unit(units::named(length)?), Measure::Unit(units::named(time)?)))
}

struct Reader<'a> {
    question: &'a Question,
    items: &'a [Item],
    currencies: Vec<&'static str>,
}

impl<'a> Reader<'a> {
    fn of(question: &'a Question, items: &'a [Item]) -> Self {
        Self {
            question,
            items,
            currencies: currencies(items),
        }
    }

    /// The quantities that are no part of a rate.
    fn left(&self, rates: &[Rate]) -> Vec<usize> {
        let is_used = |index: &usize| rates.iter().any(|rate| rate.used.contains(index));
        let all = 0..self.items.len();
        all.filter(|index| self.items[*index].value.is_some() && !is_used(index))
            .collect()
    }

    /// The rates of the question, each of two items that stand beside each other, or of a speed.
    fn rates(&self) -> Vec<Rate> {
        let mut rates: Vec<Rate> = Vec::new();
        let mut at = 0;
        while at < self.items.len() {
            let rate = self.speed_at(at).or_else(|| self.rate_at(at));
            at = rate.as_ref().map_or(at + 1, |rate| at + rate.used.len());
            rates.extend(rate);
        }
        rates
    }

    fn speed_at(&self, at: usize) -> Option<Rate> {
        let item = &self.items[at];
        let unit = item.unit().filter(|unit| unit.dimension == "speed")?;
        let (over, under) = parts_of(unit)?;
        Some(Rate {
            engine: format!("({} {})", item.value.as_ref()?, unit.name),
            shown: self.shown(item),
            over,
            under,
            used: vec![at],
        })
    }

    fn rate_at(&self, at: usize) -> Option<Rate> {
        let (first, second) = (&self.items[at], self.items.get(at + 1)?);
        let (one, other) = (first.measure?, second.measure?);
        let speeds = [one, other].iter().any(|measure| measure.dimension() == "speed");
        let is_asked = first.value.is_none() && measures::is_asked(self.question, first);
        if one.dimension() == other.dimension() || speeds || is_asked {
            return None;
        }
        let between = self.question.text()[first.end..second.start].trim_matches([' ', ',']);
        let (over, under) = if self.is_over_first(first, second, between) {
            (first, second)
        } else if self.is_over_second(first, second, between) {
            (second, first)
        } else {
            return None;
        };
        if self.goes_on(at + 1) || at > 0 && self.goes_on(at - 1) {
            return None;
        }
        let (numerator, denominator) = (over.measure?, under.measure?);
        let amount = under.value.as_deref().unwrap_or("1");
        let (value, name) = (over.value.as_ref()?, self.engine(numerator)?);
        let engine = format!("(({value} {name}) / ({amount} {}))", self.engine(denominator)?);
        Some(Rate {
            engine,
            shown: format!("({} / {})", self.shown(over), self.shown(under)),
            over: numerator,
            under: denominator,
            used: vec![at, at + 1],
        })
    }

    /// Returns true if an item and the one behind it are one quantity: "1 hour and 30 minutes".
    fn goes_on(&self, at: usize) -> bool {
        let pair = self.items.get(at).zip(self.items.get(at + 1));
        pair.is_some_and(|(one, other)| {
            let between = self.question.text()[one.end..other.start].chars().count();
            let both = one.value.is_some() && other.value.is_some();
            both && one.measure != other.measure && one.dimension() == other.dimension() && between <= MAX_WITHIN
        })
    }

    /// "12 € per kg", "6.5 l/100 km", "40 रुपये किलो"
    fn is_over_first(&self, first: &Item, second: &Item, between: &str) -> bool {
        let one = second.value.as_deref().is_none_or(|value| value == "1")
            && matches!(first.measure, Some(Measure::Money(_)));
        first.value.is_some()
            && (said::is_all(between, Said::Per, self.question.language()) || one && between.is_empty())
    }

    /// "1kgあたり500円", "每公斤12元", "1 euro is 1.08 dollars", "a kilo costs 3.20 €", "el dólar está a 17 pesos"
    fn is_over_second(&self, first: &Item, second: &Item, between: &str) -> bool {
        let language = self.question.language();
        if second.value.is_none() || between.chars().count() > MAX_BETWEEN || between.contains(['.', ';', '?', '!']) {
            return false;
        }
        let before = self.question.text()[..first.start].trim_end();
        let each = before.ends_with(['每', '毎']) || before.ends_with("प्रति");
        let for_each = phrases_of(Said::PerAfter, self.question).any(|phrase| between.starts_with(phrase));
        let whole = matches!(first.value.as_deref(), Some("1" | "100"));
        let is_money = |item: &Item| matches!(item.measure, Some(Measure::Money(_)));
        let priced = is_money(second) && said::is_in(between, Said::Costs, language);
        let are_currencies = is_money(first) && is_money(second) && !between.contains([':', ',', '、', '،']);
        let exchanged = are_currencies && between.chars().count() <= MAX_BETWEEN_CURRENCIES;
        each || for_each
            || first.value.as_deref() == Some("1")
            || whole && between.is_empty()
            || first.value.is_none() && (priced || exchanged)
    }

    /// A rate that is applied to what is left of the question.
    fn applied(&self, rate: &Rate, left: &[usize]) -> Option<Formula> {
        let (engine, shown, measure) = self.sum(left)?;
        if !is_of_one_clock(rate, measure) {
            return None;
        }
        let dimension = measure.dimension();
        let (result, engine, shown) = if dimension == rate.under.dimension() {
            (
                rate.over,
                format!("{} * {engine}", rate.engine),
                format!("{} × {shown}", rate.shown),
            )
        } else if dimension == rate.over.dimension() {
            (
                rate.under,
                format!("{engine} / {}", rate.engine),
                format!("{shown} ÷ {}", rate.shown),
            )
        } else {
            return None;
        };
        let (unit, name) = self.target(rate, result, true)?;
        Some(Formula {
            engine: format!("{engine} to {unit}"),
            shown,
            unit: name,
        })
    }

    /// What one rate makes of a quantity, and another one of that: litres for a distance, and a price for litres.
    fn chained(&self, one: &Rate, other: &Rate, left: &[usize]) -> Option<Formula> {
        let (engine, shown, measure) = self.sum(left)?;
        let follows = measure.dimension() == one.under.dimension()
            && one.over.dimension() == other.under.dimension()
            && other.over.dimension() != one.under.dimension();
        let money = matches!(other.over, Measure::Money(_));
        if !follows || !money || !is_of_one_clock(one, measure) || !is_of_one_clock(other, one.over) {
            return None;
        }
        let (unit, name) = self.target(other, other.over, true)?;
        Some(Formula {
            engine: format!("{engine} * {} * {} to {unit}", one.engine, other.engine),
            shown: format!("{shown} × {} × {}", one.shown, other.shown),
            unit: name,
        })
    }

    /// The speed of a distance in a time.
    fn speed(&self, left: &[usize]) -> Option<Formula> {
        let of = |dimension: &str| {
            let all = left.iter().copied();
            all.filter(|index| self.items[*index].dimension() == Some(dimension))
                .collect::<Vec<_>>()
        };
        let (lengths, times) = (of("length"), of("time"));
        let [length] = lengths[..] else { return None };
        if lengths.len() + times.len() != left.len() {
            return None;
        }
        let (time, time_shown, measure) = self.sum(&times)?;
        let item = &self.items[length];
        let (unit, name) = match self.asked(self.items)?[..] {
            [] if self.question.says(Said::Speed) => {
                let name = match (item.unit()?.name, measure) {
                    ("mile", _) => "mph",
                    ("m", Measure::Unit(unit)) if unit.name == "second" => "m/s",
                    _ => "km/h",
                };
                (name.to_owned(), name.to_owned())
            }
            [asked] if asked.dimension() == Some("speed") => (asked.unit()?.name.to_owned(), self.name(asked)),
            _ => return None,
        };
        Some(Formula {
            engine: format!("({} {}) / {time} to {unit}", item.value.as_ref()?, item.unit()?.name),
            shown: format!("{} ÷ {time_shown}", self.shown(item)),
            unit: name,
        })
    }

    /// Quantities of one kind that are added up, such as hours and minutes: for the engine and for a person.
    fn sum(&self, indices: &[usize]) -> Option<(String, String, Measure)> {
        let items: Vec<&Item> = indices.iter().map(|index| &self.items[*index]).collect();
        let first = items.first()?.measure?;
        let is_same = |item: &&Item| item.dimension() == Some(first.dimension());
        // Two quantities of one unit are two things.
        let repeated = items.windows(2).any(|pair| pair[0].measure == pair[1].measure);
        let apart = items
            .windows(2)
            .any(|pair| self.question.text()[pair[0].end..pair[1].start].chars().count() > MAX_WITHIN);
        if !items.iter().all(is_same) || repeated || apart || items.len() > 1 && first.dimension() != "time" {
            return None;
        }
        let each = items
            .iter()
            .map(|item| Some(format!("{} {}", item.value.as_ref()?, self.engine(item.measure?)?)));
        let engine: Vec<_> = each.collect::<Option<_>>()?;
        let shown: Vec<_> = items.iter().map(|item| self.shown(item)).collect();
        let shown = if items.len() > 1 {
            format!("({})", shown.join(" + "))
        } else {
            shown.concat()
        };
        Some((format!("({})", engine.join(" + ")), shown, first))
    }

    /// The unit of the result, for the engine and for a person, if the question asks for what it measures.
    fn target(&self, rate: &Rate, result: Measure, may_be_said: bool) -> Option<(String, String)> {
        let others: Vec<Item> = (0..self.items.len())
            .filter(|index| !rate.used.contains(index))
            .map(|index| self.items[index].clone())
            .collect();
        match self.asked(&others)?[..] {
            [asked] if asked.dimension() == Some(result.dimension()) => {
                Some((self.engine(asked.measure?)?, self.name(asked)))
            }
            [] if may_be_said => {
                let said = match result {
                    Measure::Money(_) => Said::Cost,
                    Measure::Unit(unit) => match unit.dimension {
                        "length" => Said::HowFar,
                        "time" => Said::HowLong,
                        "volume" => Said::Fuel,
                        _ => return None,
                    },
                };
                let named = self.items.iter().find(|item| item.measure == Some(result));
                let short = match result {
                    Measure::Unit(unit) if unit.name == "hour" => "h",
                    Measure::Unit(unit) => unit.name,
                    Measure::Money(code) => code,
                };
                let name = named.map_or_else(|| short.to_owned(), |item| self.name(item));
                self.question.says(said).then_some((self.engine(result)?, name))
            }
            _ => None,
        }
    }

    /// The units that are asked for, at most one of each; none where something else is asked for, too.
    fn asked<'i>(&self, items: &'i [Item]) -> Option<Vec<&'i Item>> {
        let mut asked: Vec<&Item> = Vec::new();
        for item in items {
            if item.value.is_none()
                && measures::is_asked(self.question, item)
                && !asked.iter().any(|other| other.measure == item.measure)
            {
                asked.push(item);
            }
        }
        (asked.len() < 2).then_some(asked)
    }

    /// The name of a unit in the engine. For currencies it has units that nothing else is measured in.
    fn engine(&self, measure: Measure) -> Option<String> {
        Some(match measure {
            Measure::Unit(unit) => unit.name.to_owned(),
            Measure::Money(code) => {
                let at = self.currencies.iter().position(|other| *other == code)?;
                (*["candela", "mole"].get(at)?).to_owned()
            }
        })
    }

    /// The name of an item's unit with the letters that it has in the question.
    fn name(&self, item: &Item) -> String {
        let name = &self.question.text()[item.name.0..item.name.1];
        self.question.as_written(name).to_owned()
    }

    fn shown(&self, item: &Item) -> String {
        match &item.value {
            Some(value) => format!("{} {}", number::write(value, self.question.language()), self.name(item)),
            None => self.name(item),
        }
    }
}

fn phrases_of(said: Said, question: &Question) -> impl Iterator<Item = &'static str> {
    said::phrases(said, question.language())
}

/// Returns true unless something by the hour would be multiplied by days: nobody says how many hours of them are meant.
fn is_of_one_clock(rate: &Rate, measure: Measure) -> bool {
    let is_clock = |measure: Measure| match measure {
        Measure::Unit(unit) if unit.dimension == "time" => Some(!matches!(unit.name, "day" | "week")),
        _ => None,
    };
    match (is_clock(rate.under), is_clock(measure)) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::super::conversion;
    use super::*;
    use quartet_api::Language;

    #[test]
    fn days_of_something_by_the_hour_are_noticed() {
        let are = |question| are_of_two_clocks(&Question::new(question, Language::English));
        assert!(are("I earn 20 € per hour, how much do I get for 3 days?"));
        assert!(!are("I earn 20 € per hour, how much do I get for 3 hours?"));
        assert!(!are("I earn 20 € per hour, how much do I get for 3 days of 8 hours?"));
        assert!(!are(
            "I make $15 an hour and work 40 hours a week, how much is that per week?"
        ));
        assert!(!are("How many hours are 3 days?"));
    }

    fn answer(question: &str, language: Language) -> Option<String> {
        match only(&Question::new(question, language))? {
            Expression::Formula(formula) => Some(conversion::formula(&formula, language)?.answer),
            _ => None,
        }
    }

    #[test]
    fn speeds_are_applied() {
        use Language::{
            Arabic, Chinese, English, French, German, Hindi, Italian, Japanese, Korean, Portuguese, Russian, Spanish,
        };
        for (question, language, expected) in [
            (
                "I drive at 80 km/h for 2.5 hours, how far do I get?",
                English,
                "80 km/h × 2.5 hours = 200 km",
            ),
            (
                "How long does it take to drive 240 km at 80 km/h?",
                English,
                "240 km ÷ 80 km/h = 3 h",
            ),
            (
                "How many miles do I cover at 60 mph in 90 minutes?",
                English,
                "60 mph × 90 minutes = 90 miles",
            ),
            (
                "I rode 45 km in 2 hours and 30 minutes, what was my speed?",
                English,
                "45 km ÷ (2 hours + 30 minutes) = 18 km/h",
            ),
            (
                "Wie weit komme ich mit 120 km/h in 2 Stunden?",
                German,
                "120 km/h × 2 Stunden = 240 km",
            ),
            (
                "Combien de kilomètres à 90 km/h pendant 2 heures ?",
                French,
                "90 km/h × 2 heures = 180 kilomètres",
            ),
            (
                "¿Cuánto tiempo tardo en hacer 300 km a 100 km/h?",
                Spanish,
                "300 km ÷ 100 km/h = 3 h",
            ),
            (
                "Quanto tempo ci vuole per fare 300 km a 100 km/h?",
                Italian,
                "300 km ÷ 100 km/h = 3 h",
            ),
            (
                "Quantos quilômetros faço a 80 km/h em 3 horas?",
                Portuguese,
                "80 km/h × 3 horas = 240 quilômetros",
            ),
            (
                "За какое время проеду 300 км со скоростью 100 км/ч?",
                Russian,
                "300 км ÷ 100 км/ч = 3 h",
            ),
            (
                "時速60キロで2時間走ると何キロ進みますか",
                Japanese,
                "60 キロ × 2 時間 = 120 キロ",
            ),
            (
                "以80km/h的速度开3小时，走了多少公里？",
                Chinese,
                "80 km/h × 3 小时 = 240 公里",
            ),
            (
                "80km/h로 3시간 달리면 거리가 얼마인가요?",
                Korean,
                "80 km/h × 3 시간 = 240 km",
            ),
            (
                "أقود بسرعة 80 km/h لمدة 3 ساعات، كم المسافة؟",
                Arabic,
                "80 km/h × 3 ساعات = 240 km",
            ),
            (
                "80 km/h की गति से 3 घंटे में कितनी दूरी तय होगी?",
                Hindi,
                "80 km/h × 3 घंटे = 240 km",
            ),
        ] {
            assert_eq!(answer(question, language).as_deref(), Some(expected), "{question}");
        }
    }

    #[test]
    fn prices_consumptions_and_exchanges_are_applied() {
        use Language::{Chinese, English, French, German, Hindi, Japanese, Korean, Russian, Spanish};
        for (question, language, expected) in [
            (
                "Cheese is 12 € per kg, what do 350 g cost?",
                English,
                "(12 € / kg) × 350 g = 4.2 €",
            ),
            (
                "Käse kostet 12 €/kg, was kosten 350 g?",
                German,
                "(12 € / kg) × 350 g = 4,2 €",
            ),
            (
                "Le fromage est à 12 € le kilo, combien coûtent 350 g ?",
                French,
                "(12 € / kilo) × 350 g = 4,2 €",
            ),
            (
                "El queso cuesta 12 € el kilo, ¿cuánto cuestan 350 g?",
                Spanish,
                "(12 € / kilo) × 350 g = 4,2 €",
            ),
            (
                "1 кг сыра стоит 900 рублей, сколько стоят 350 г?",
                Russian,
                "(900 рублей / 1 кг) × 350 г = 315 рублей",
            ),
            (
                "1kgあたり500円の米を300g買うといくらですか",
                Japanese,
                "(500 円 / 1 kg) × 300 g = 150 円",
            ),
            (
                "苹果每公斤12元，350克多少钱？",
                Chinese,
                "(12 元 / 公斤) × 350 克 = 4.2 元",
            ),
            (
                "1kg당 5000원인데 300g은 얼마인가요?",
                Korean,
                "(5000 원 / 1 kg) × 300 g = 1500 원",
            ),
            (
                "आलू 40 रुपये किलो है, 500 ग्राम की कीमत कितनी होगी?",
                Hindi,
                "(40 रुपये / किलो) × 500 ग्राम = 20 रुपये",
            ),
            (
                "My car needs 6.5 l/100 km, how many litres for 350 km?",
                English,
                "(6.5 l / 100 km) × 350 km = 22.75 litres",
            ),
            (
                "Mein Auto braucht 6,5 Liter auf 100 km. Wie viel Liter sind das bei 350 km?",
                German,
                "(6,5 Liter / 100 km) × 350 km = 22,75 Liter",
            ),
            (
                "百公里油耗6.5升，开350公里要多少升？",
                Chinese,
                "(6.5 升 / 100 公里) × 350 公里 = 22.75 升",
            ),
            (
                "6.5 l/100 km, petrol at 1.80 €/l, what does a trip of 350 km cost?",
                English,
                "350 km × (6.5 l / 100 km) × (1.8 € / l) = 40.95 €",
            ),
            (
                "If 1 euro is 1.08 dollars, how many dollars are 250 euros?",
                English,
                "(1.08 dollars / 1 euro) × 250 euros = 270 dollars",
            ),
            (
                "At 1.25 dollars per euro, how many euros are 250 dollars?",
                English,
                "250 dollars ÷ (1.25 dollars / euro) = 200 euros",
            ),
            (
                "Bei einem Kurs von 1,08 Dollar pro Euro, wie viel Dollar sind 250 Euro?",
                German,
                "(1,08 Dollar / Euro) × 250 Euro = 270 Dollar",
            ),
            (
                "1ユーロが160円のとき、250ユーロは何円ですか",
                Japanese,
                "(160 円 / 1 ユーロ) × 250 ユーロ = 40000 円",
            ),
        ] {
            assert_eq!(answer(question, language).as_deref(), Some(expected), "{question}");
        }
    }

    #[test]
    fn what_is_not_one_rate_and_one_quantity_is_left() {
        for (question, language) in [
            (
                "80 km/h for 2 hours and then 100 km/h for 1 hour, how far?",
                Language::English,
            ),
            ("How long for a round trip of 240 km at 80 km/h?", Language::English),
            (
                "How much faster is 100 km/h than 80 km/h over 240 km?",
                Language::English,
            ),
            (
                "240 km at 80 km/h with a break of 30 minutes, how long?",
                Language::English,
            ),
            ("I earn 20 € per hour, how much do I get for 3 days?", Language::English),
            (
                "A subscription is 10 € per month, how much for 60 days?",
                Language::English,
            ),
            ("What is 80 km/h for 2 hours?", Language::English),
            (
                "Cheese is 12 € per kg and ham 20 € per kg, what do 350 g cost?",
                Language::English,
            ),
            (
                "Cheese is 12 € per kg, I buy 350 g and pay with 20 €, what is my change?",
                Language::English,
            ),
            (
                "Cheese is 12 € per kg with 10% off, what do 350 g cost?",
                Language::English,
            ),
            ("Cheese is 12 € per kg, what do 2 litres cost?", Language::English),
            ("At a rate of 1.08, how many dollars are 250 euros?", Language::English),
            (
                "I used 42 l for 600 km, how many litres is that per 100 km?",
                Language::English,
            ),
            ("Hin und zurück 240 km mit 80 km/h, wie lange?", Language::German),
            (
                "50 рублей за 1 час и 30 минут, сколько рублей за час?",
                Language::Russian,
            ),
        ] {
            assert_eq!(answer(question, language), None, "{question}");
        }
    }
}
