//! Russian units, currencies and abbreviations: data only.

use super::super::rules::{Abbreviation, Agreement, Currency, Place, Unit};

const fn unit(symbols: &'static str, forms: [&'static str; 3]) -> Unit {
    Unit {
        symbols,
        forms,
        gender: Agreement::Masculine,
    }
}

const fn unit_f(symbols: &'static str, forms: [&'static str; 3]) -> Unit {
    Unit {
        symbols,
        forms,
        gender: Agreement::Feminine,
    }
}

pub(super) const UNITS: &[Unit] = &[
    unit("км/ч km/h", ["километр в час", "километра в час", "километров в час"]),
    unit("м/с m/s", ["метр в секунду", "метра в секунду", "метров в секунду"]),
    unit(
        "км² km² кв.км",
        ["квадратный километр", "квадратных километра", "квадратных километров"],
    ),
    unit(
        "м² m² кв.м",
        ["квадратный метр", "квадратных метра", "квадратных метров"],
    ),
    unit("м³ m³", ["кубический метр", "кубических метра", "кубических метров"]),
    unit("км km", ["километр", "километра", "километров"]),
    unit("см cm", ["сантиметр", "сантиметра", "сантиметров"]),
    unit("мм mm", ["миллиметр", "миллиметра", "миллиметров"]),
    unit("мкм", ["микрометр", "микрометра", "микрометров"]),
    unit("нм nm", ["нанометр", "нанометра", "нанометров"]),
    unit("м m", ["метр", "метра", "метров"]),
    unit("га ha", ["гектар", "гектара", "гектаров"]),
    unit("кг kg", ["килограмм", "килограмма", "килограммов"]),
    unit("мг mg", ["миллиграмм", "миллиграмма", "миллиграммов"]),
    unit("г", ["грамм", "грамма", "граммов"]),
    unit_f("т", ["тонна", "тонны", "тонн"]),
    unit("л", ["литр", "литра", "литров"]),
    unit("мл ml", ["миллилитр", "миллилитра", "миллилитров"]),
    unit("°C °С ℃", ["градус Цельсия", "градуса Цельсия", "градусов Цельсия"]),
    unit(
        "°F ℉",
        ["градус Фаренгейта", "градуса Фаренгейта", "градусов Фаренгейта"],
    ),
    unit("°", ["градус", "градуса", "градусов"]),
    unit("ч", ["час", "часа", "часов"]),
    unit_f("мин min", ["минута", "минуты", "минут"]),
    unit_f("сек с", ["секунда", "секунды", "секунд"]),
    unit_f("мс ms", ["миллисекунда", "миллисекунды", "миллисекунд"]),
    unit("Гц Hz", ["герц", "герца", "герц"]),
    unit("кГц kHz", ["килогерц", "килогерца", "килогерц"]),
    unit("МГц MHz", ["мегагерц", "мегагерца", "мегагерц"]),
    unit("ГГц GHz", ["гигагерц", "гигагерца", "гигагерц"]),
    unit("Вт W", ["ватт", "ватта", "ватт"]),
    unit("кВт kW", ["киловатт", "киловатта", "киловатт"]),
    unit("МВт MW", ["мегаватт", "мегаватта", "мегаватт"]),
    unit("кВт·ч кВтч kWh", ["киловатт-час", "киловатт-часа", "киловатт-часов"]),
    unit("В V", ["вольт", "вольта", "вольт"]),
    unit_f("ккал kcal", ["килокалория", "килокалории", "килокалорий"]),
    unit("КБ кБ KB", ["килобайт", "килобайта", "килобайт"]),
    unit("МБ Мб MB", ["мегабайт", "мегабайта", "мегабайт"]),
    unit("ГБ Гб GB", ["гигабайт", "гигабайта", "гигабайт"]),
    unit("ТБ Тб TB", ["терабайт", "терабайта", "терабайт"]),
    unit(
        "Мбит/с",
        ["мегабит в секунду", "мегабита в секунду", "мегабит в секунду"],
    ),
    unit("дБ dB", ["децибел", "децибела", "децибел"]),
    unit("× x х", ["раз", "раза", "раз"]),
    unit("%", ["процент", "процента", "процентов"]),
];

/// Abbreviations of large numbers.
pub(super) const MAGNITUDES: &[Unit] = &[
    unit_f("тыс. тыс", ["тысяча", "тысячи", "тысяч"]),
    unit("млн. млн", ["миллион", "миллиона", "миллионов"]),
    unit("млрд. млрд", ["миллиард", "миллиарда", "миллиардов"]),
    unit("трлн. трлн", ["триллион", "триллиона", "триллионов"]),
];

const fn money(symbols: &'static str, forms: [&'static str; 3], cents: [&'static str; 3]) -> Currency {
    Currency {
        symbols,
        forms,
        gender: Agreement::Masculine,
        cents,
    }
}

const fn money_f(symbols: &'static str, forms: [&'static str; 3], cents: [&'static str; 3]) -> Currency {
    Currency {
        gender: Agreement::Feminine,
        ..money(symbols, forms, cents)
    }
}

const CENTS: [&str; 3] = ["цент", "цента", "центов"];
const NONE: [&str; 3] = [""; 3];

pub(super) const CURRENCIES: &[Currency] = &[
    money(
        "₽ RUB руб. руб р.",
        ["рубль", "рубля", "рублей"],
        ["копейка", "копейки", "копеек"],
    ),
    money("US$ $ USD долл. долл", ["доллар", "доллара", "долларов"], CENTS),
    money("€ EUR", ["евро", "евро", "евро"], CENTS),
    money("£ GBP", ["фунт", "фунта", "фунтов"], ["пенни", "пенса", "пенсов"]),
    money_f("¥ JPY", ["иена", "иены", "иен"], NONE),
    money_f("₹ INR", ["рупия", "рупии", "рупий"], NONE),
    money_f("₩ KRW", ["вона", "воны", "вон"], NONE),
    money("元 CNY", ["юань", "юаня", "юаней"], NONE),
    money_f("₴ UAH", ["гривна", "гривны", "гривен"], NONE),
    money("₿ BTC", ["биткойн", "биткойна", "биткойнов"], NONE),
    Currency {
        symbols: "коп. коп",
        forms: ["копейка", "копейки", "копеек"],
        gender: Agreement::Feminine,
        cents: NONE,
    },
];

pub(super) const ABBREVIATIONS: &[Abbreviation] = &[
    ("и т. д.", "и так далее", Place::Anywhere),
    ("и т. п.", "и тому подобное", Place::Anywhere),
    ("и др.", "и другие", Place::Anywhere),
    ("и пр.", "и прочее", Place::Anywhere),
    ("т. е.", "то есть", Place::Title),
    ("т. к.", "так как", Place::Title),
    ("т. н.", "так называемый", Place::Title),
    ("т. о.", "таким образом", Place::Title),
    ("до н. э.", "до нашей эры", Place::Anywhere),
    ("н. э.", "нашей эры", Place::Anywhere),
    ("гг.", "годы", Place::AfterNumber),
    ("вв.", "веков", Place::AfterNumber),
    ("г.", "город", Place::Title),
    ("ул.", "улица", Place::Title),
    ("пр.", "проспект", Place::Title),
    ("пл.", "площадь", Place::Title),
    ("пер.", "переулок", Place::Title),
    ("обл.", "область", Place::Anywhere),
    ("им.", "имени", Place::Title),
    ("тел.", "телефон", Place::Title),
    ("см.", "смотри", Place::Title),
    ("ср.", "сравни", Place::Title),
    ("напр.", "например", Place::Title),
    ("проф.", "профессор", Place::Title),
    ("акад.", "академик", Place::Title),
    ("др.", "доктор", Place::Title),
    ("ок.", "около", Place::Title),
    ("стр.", "страница", Place::BeforeNumber),
    ("с.", "страница", Place::BeforeNumber),
    ("рис.", "рисунок", Place::BeforeNumber),
    ("табл.", "таблица", Place::BeforeNumber),
    ("гл.", "глава", Place::BeforeNumber),
    ("ст.", "статья", Place::BeforeNumber),
    ("п.", "пункт", Place::BeforeNumber),
    ("д.", "дом", Place::BeforeNumber),
    ("кв.", "квартира", Place::BeforeNumber),
    ("чел.", "человек", Place::AfterNumber),
    ("экз.", "экземпляров", Place::AfterNumber),
    ("доц.", "доцент", Place::Title),
    ("г-н", "господин", Place::Title),
    ("г-жа", "госпожа", Place::Title),
    ("р-н", "район", Place::Anywhere),
    ("пр-т", "проспект", Place::Title),
    ("пос.", "посёлок", Place::Title),
    ("прим.", "примечание", Place::Title),
    ("в т. ч.", "в том числе", Place::Title),
    ("род.", "родился", Place::BeforeNumber),
    ("ум.", "умер", Place::BeforeNumber),
    ("мин.", "минимум", Place::BeforeNumber),
    ("макс.", "максимум", Place::BeforeNumber),
];
