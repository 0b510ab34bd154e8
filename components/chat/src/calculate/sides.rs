//! Surfaces and volumes: a question whose only numbers are two or three sides that are multiplied by each other.

use super::expression::{Expression, Formula};
use super::measures::{self, Item, Measure};
use super::number;
use super::question::Question;
use super::said::{self, Said};

/// Limit in characters for what stands between two sides.
const MAX_BETWEEN: usize = 25;

/// The product of the sides, in the unit that is asked for.
pub(super) fn only(question: &Question) -> Option<Expression> {
    let items = measures::read(question)?;
    if !measures::are_plain(question, &items) || question.says(Said::Shape) {
        return None;
    }
    let sides: Vec<&Item> = items.iter().filter(|item| item.value.is_some()).collect();
    let last = sides.last()?.unit()?;
    let is_length = |side: &&Item| side.measure.is_none() || side.dimension() == Some("length");
    if last.dimension != "length" || !sides.iter().all(is_length) || !are_multiplied(question, &sides) {
        return None;
    }
    let (asked, dimension) = match sides.len() {
        2 => (Said::Area, "area"),
        3 => (Said::Volume, "volume"),
        _ => return None,
    };
    let others: Vec<&Item> = items.iter().filter(|item| item.value.is_none()).collect();
    // "How many metres of fence for a garden of 4 m by 3 m?"
    let wanted = |item: &&&Item| measures::is_asked(question, item);
    if others.iter().any(|item| item.dimension() == Some("length"))
        || others
            .iter()
            .filter(wanted)
            .any(|item| item.dimension() != Some(dimension))
    {
        return None;
    }
    let mut targets = others.iter().filter(|item| item.dimension() == Some(dimension));
    let (unit, name) = match (targets.next(), targets.next()) {
        (None, _) if question.says(asked) => {
            let (power, sign) = if sides.len() == 2 { ("^2", '²') } else { ("^3", '³') };
            (format!("{}{power}", last.name), format!("{}{sign}", last.name))
        }
        (Some(target), None) if measures::is_asked(question, target) || question.says(asked) => {
            let name = question.as_written(&question.text()[target.name.0..target.name.1]);
            (target.unit()?.name.to_owned(), name.to_owned())
        }
        _ => return None,
    };
    let quantity = |side: &&Item| match side.measure.unwrap_or(Measure::Unit(last)) {
        Measure::Unit(unit) => Some((side.value.clone()?, unit)),
        Measure::Money(_) => None,
    };
    let quantities: Vec<_> = sides.iter().map(quantity).collect::<Option<_>>()?;
    let engine: Vec<_> = quantities
        .iter()
        .map(|(value, unit)| format!("({value} {})", unit.name))
        .collect();
    let shown = sides.iter().zip(&quantities).map(|(side, (value, unit))| {
        let name = question
            .text()
            .get(side.name.0..side.name.1)
            .filter(|name| !name.is_empty());
        let name = name.map_or(unit.name, |name| question.as_written(name));
        format!("{} {name}", number::write(value, question.language()))
    });
    Some(Expression::Formula(Formula {
        engine: format!("({}) to {unit}", engine.join(" * ")),
        shown: shown.collect::<Vec<_>>().join(" × "),
        unit: name,
    }))
}

/// Returns true if a word between the sides multiplies them, or the words of a length, a width and a height say what they are.
fn are_multiplied(question: &Question, sides: &[&Item]) -> bool {
    let between = |pair: &[&Item]| question.text()[pair[0].end..pair[1].start].trim_matches([' ', ',']);
    let is_by = |pair: &[&Item]| {
        let between = between(pair);
        matches!(between, "x" | "×" | "*") || said::is_all(between, Said::By, question.language())
    };
    let is_near = |pair: &[&Item]| {
        let between = between(pair);
        between.chars().count() <= MAX_BETWEEN && !between.contains(['.', ';', '?', '!'])
    };
    let directions = [Said::Long, Said::Wide, Said::High]
        .into_iter()
        .filter(|said| question.says(*said));
    let high = sides.len() == 3 && question.says(Said::High) && sides[..2].windows(2).all(is_by);
    sides.windows(2).all(is_by) || sides.windows(2).all(is_near) && (high || directions.count() >= sides.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use quartet_api::Language;

    fn engine(question: &str, language: Language) -> Option<String> {
        match only(&Question::new(question, language))? {
            Expression::Formula(formula) => Some(formula.engine),
            _ => None,
        }
    }

    #[test]
    fn sides_are_multiplied() {
        use Language::{
            Arabic, Chinese, English, French, German, Hindi, Italian, Japanese, Korean, Portuguese, Russian, Spanish,
        };
        let floor = "((4.2 m) * (3.75 m)) to m^2";
        for (question, language) in [
            ("a floor of 4.20 m by 3.75 m, how many square metres?", English),
            ("what is the area of a room 4.20 x 3.75 m", English),
            ("wie viel Quadratmeter hat ein Zimmer von 4,20 m mal 3,75 m?", German),
            (
                "Mein Zimmer ist 4,20 m lang und 3,75 m breit. Wie groß ist die Fläche?",
                German,
            ),
            (
                "une pièce de 4,20 m sur 3,75 m, ça fait combien de mètres carrés ?",
                French,
            ),
            (
                "¿Cuántos metros cuadrados tiene un cuarto de 4,20 m por 3,75 m?",
                Spanish,
            ),
            ("Quanti metri quadrati è una stanza di 4,20 m per 3,75 m?", Italian),
            (
                "Quantos metros quadrados tem um quarto de 4,20 m por 3,75 m?",
                Portuguese,
            ),
            ("Сколько квадратных метров в комнате 4,20 м на 3,75 м?", Russian),
            ("縦4.20m横3.75mの部屋の面積は何平方メートルですか", Japanese),
            ("房间长4.20米宽3.75米，面积是多少平方米？", Chinese),
            ("가로 4.20m 세로 3.75m인 방은 몇 제곱미터인가요?", Korean),
            ("غرفة طولها 4.20 متر وعرضها 3.75 متر، كم متر مربع مساحتها؟", Arabic),
            ("4.20 मीटर लंबे और 3.75 मीटर चौड़े कमरे का क्षेत्रफल कितने वर्ग मीटर है?", Hindi),
        ] {
            assert_eq!(engine(question, language).as_deref(), Some(floor), "{question}");
        }
        let volume = engine("How many litres does a box of 40 cm x 30 cm x 20 cm hold?", English);
        assert_eq!(volume.as_deref(), Some("((40 cm) * (30 cm) * (20 cm)) to liter"));
        let volume = engine(
            "Ein Becken ist 8 m lang, 4 m breit und 1,5 m tief, wie viel Kubikmeter?",
            German,
        );
        assert_eq!(volume.as_deref(), Some("((8 m) * (4 m) * (1.5 m)) to m^3"));
    }

    #[test]
    fn what_is_no_product_of_sides_is_left() {
        for (question, language) in [
            (
                "a triangular plot of 4 m by 3 m, how many square metres?",
                Language::English,
            ),
            ("how many metres of fence for an area of 4 m by 3 m?", Language::English),
            ("two rooms of 4 m by 3 m, how many square metres?", Language::English),
            ("both rooms are 4 m by 3 m, how many square metres?", Language::English),
            (
                "a plot with a base of 4 m and 3 m to the top, how many square metres?",
                Language::English,
            ),
            (
                "a room of 4 m by 3 m, how many litres of paint for 1 square metre?",
                Language::English,
            ),
            (
                "a room is 4 m by 3 m, carpet is 12 € a square metre, what do I pay?",
                Language::English,
            ),
            (
                "half of a garden of 4 m by 3 m, how many square metres?",
                Language::English,
            ),
            ("a room of 4 m by 3 m", Language::English),
            (
                "Wie viele Fliesen von 30 cm mal 30 cm passen in einen Quadratmeter?",
                Language::German,
            ),
            (
                "ein Zylinder, 4 m breit und 3 m hoch, wie viele Quadratmeter?",
                Language::German,
            ),
            ("Umfang eines Zimmers von 4 m mal 3 m, Fläche egal", Language::German),
            (
                "un triangle de 4 m sur 3 m, combien de mètres carrés ?",
                Language::French,
            ),
            ("2 Zimmer von 4 m mal 3 m, wie viele Quadratmeter?", Language::German),
        ] {
            assert_eq!(engine(question, language), None, "{question}");
        }
    }
}
