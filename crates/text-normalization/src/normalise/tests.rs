//! Tests of normalisation, language by language.

use quartet_api::Language::{
    self, Arabic, Chinese, English, French, German, Hindi, Italian, Japanese, Korean, Portuguese, Russian, Spanish,
};

use super::normalise;

fn check(language: Language, cases: &[(&str, &str)]) {
    for (written, said) in cases {
        assert_eq!(normalise(written, language), *said, "{language}: {written}");
    }
}

#[test]
fn english() {
    check(
        English,
        &[
            (
                "-5°C to 20°F",
                "minus five degrees Celsius to twenty degrees Fahrenheit",
            ),
            ("the 1990s, '99", "the nineteen nineties, 'ninety-nine"),
            ("1939–45", "nineteen thirty-nine to forty-five"),
            ("1500 people", "one thousand five hundred people"),
            (
                "$5 million, £3bn, USD 20",
                "five million dollars, three billion pounds, twenty dollars",
            ),
            ("May 5, 2024", "May fifth twenty twenty-four"),
            ("It's 5pm. At 10:00 PM", "It's five p m. At ten p m"),
            (
                "World War II, Henry VIII, XX century",
                "World War two, Henry the eighth, twentieth century",
            ),
            ("The U.S. economy", "The U S economy"),
            ("J. R. R. Tolkien", "J R R Tolkien"),
            ("FBI and NASA", "F B I and NASA"),
            ("5*3*2 = 30", "five times three times two equals thirty"),
            ("MP3s, A4, COVID-19", "M P three s, A four, COVID nineteen"),
            ("221B Baker St. He", "two hundred and twenty-one B Baker Street. He"),
            ("St. Louis", "Saint Louis"),
            ("No. 5. No. That", "number five. No. That"),
            ("1/3, 1½, 24/7", "one third, one and a half, twenty-four seven"),
            (
                "2024-03-15T14:30",
                "the fifteenth of March twenty twenty-four fourteen thirty",
            ),
            (
                "#ClimateChange @user_name",
                "hashtag Climate Change at user underscore name",
            ),
            ("/usr/bin/foo.sh", "usr slash bin slash foo dot s h"),
            ("C# and C++", "C sharp and C plus plus"),
            (
                "1-800-555-0199",
                "one, eight zero zero, five five five, zero one nine nine",
            ),
            ("6'2\" tall", "six foot two\" tall"),
            ("nice :-) <3", "nice  "),
        ],
    );
}

#[test]
fn german() {
    check(
        German,
        &[
            ("Am 3. Mai um 9.30 Uhr", "Am dritten Mai um neun Uhr dreißig"),
            ("vom 1.–3. Mai", "vom ersten bis dritten Mai"),
            ("Er ist 3. Danach", "Er ist drei. Danach"),
            ("der 1. FC Köln", "der erste F C Köln"),
            ("5 Mio. Euro", "fünf Millionen Euro"),
            ("Ludwig XIV. regierte", "Ludwig der vierzehnte regierte"),
            ("1 Stunde und 1 Jahr", "eine Stunde und ein Jahr"),
            ("Hauptstr. 5", "Hauptstraße fünf"),
            ("5,- Euro", "fünf Euro"),
            ("d.h. z. B.: usw.", "das heißt zum Beispiel: und so weiter."),
        ],
    );
}

#[test]
fn romance_languages() {
    check(
        French,
        &[
            ("Le 1er janvier", "Le premier janvier"),
            (
                "au XVIIe siècle, Ve République",
                "au dix-septième siècle, cinquième République",
            ),
            ("François Ier et Louis XIV", "François premier et Louis quatorze"),
            (
                "1,5 M€ et 5 000 €",
                "un virgule cinq millions d'euros et cinq mille euros",
            ),
            (
                "Tél. : 01 23 45 67 89",
                "téléphone : zéro un, deux trois, quatre cinq, six sept, huit neuf",
            ),
        ],
    );
    check(
        Spanish,
        &[
            (
                "1 persona, 1 día, 21 libros, 200 personas",
                "una persona, un día, veintiún libros, doscientas personas",
            ),
            ("Felipe II, siglo XXI", "Felipe segundo, siglo veintiuno"),
            ("1.er, 2.ª", "primer, segunda"),
            (
                "Tel. 91 123 45 67",
                "teléfono nueve uno, uno dos tres, cuatro cinco, seis siete",
            ),
        ],
    );
    check(
        Italian,
        &[
            ("1° maggio", "primo maggio"),
            ("XX secolo, Luigi XIV", "ventesimo secolo, Luigi quattordicesimo"),
            ("1 mela", "una mela"),
        ],
    );
    check(
        Portuguese,
        &[
            ("D. João VI", "dom João sexto"),
            ("2 casas, 21h45", "duas casas, vinte e uma horas e quarenta e cinco"),
            ("R$ 5 milhões", "cinco milhões de reais"),
        ],
    );
}

#[test]
fn russian() {
    check(
        Russian,
        &[
            ("В 1999 г. было", "В тысяча девятьсот девяносто девятом году было"),
            ("в XX в., в XXI веке", "в двадцатом веке, в двадцать первом веке"),
            ("Пётр I, Екатерина II", "Пётр первый, Екатерина вторая"),
            ("5-й этаж, 1990-е годы", "пятый этаж, тысяча девятьсот девяностые годы"),
            ("100 руб. 50 коп.", "сто рублей пятьдесят копеек"),
            ("2 книги, 21 окно, 3 %", "две книги, двадцать одно окно, три процента"),
            ("МГУ и СССР", "эм гэ у и эс эс эс эр"),
            ("5 млн чел.", "пять миллионов человек."),
        ],
    );
}

#[test]
fn hindi_and_arabic_keep_the_atoms_that_the_engine_reads() {
    check(
        Hindi,
        &[
            ("₹1,23,456.50", "1 लाख 23 हज़ार 4 सौ 56 रुपये 50 पैसे"),
            ("14:30 बजे", "14 बजकर 30 मिनट"),
            ("2रा", "दूसरा"),
        ],
    );
    check(
        Arabic,
        &[
            ("1,234", "1000 وَ 200 وَ 4 وَ 30"),
            ("5 كم", "5 كيلومترات"),
            ("د. أحمد", "الدكتور أحمد"),
        ],
    );
}

#[test]
fn chinese_japanese_korean() {
    check(
        Chinese,
        &[
            ("2个、12个、第2次、2月2日", "两个、十二个、第二次、二月二日"),
            ("1995年，100万，2.5亿", "一九九五年，一百万，二点五亿"),
            ("5%～10%，-5°C，1:2", "百分之五到百分之十，负五摄氏度，一比二"),
            ("13812345678", "幺三八幺二三四五六七八"),
            ("iPhone 15", "iPhone 十五"),
        ],
    );
    check(
        Korean,
        &[
            ("사과 3개를 5,000원에", "사과 세 개를 오천원에"),
            ("20살, 3개월, 6월, 제3장", "스무 살, 삼개월, 유월, 제삼장"),
            ("2시 30분", "두 시 삼십 분"),
        ],
    );
    check(
        Japanese,
        &[
            ("1,234円、3.5kg、14:30", "1234円、3.5キログラム、14時30分"),
            ("5〜10分、$5", "5から10分、5ドル"),
            ("〒100-0001", "〒イチゼロゼロ，ゼロゼロゼロイチ"),
        ],
    );
}

/// The readings of `readings.tsv`, all of them at once: a speaker of a language can review its lines alone.
#[test]
fn readings_as_people_say_them() {
    let mut wrong = String::new();
    for line in include_str!("../readings.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
    {
        let mut fields = line.split('\t');
        let (Some(code), Some(written), Some(said)) = (fields.next(), fields.next(), fields.next()) else {
            panic!("three fields: {line}");
        };
        let language: Language = code.parse().expect("a code");
        let clauses = super::super::clauses(written, language);
        let clauses: Vec<String> = clauses
            .map(|clause| {
                clause
                    .spans
                    .into_iter()
                    .map(|span| span.text)
                    .collect::<Vec<_>>()
                    .join(" ")
            })
            .collect();
        let heard = clauses.join(", ");
        if heard != said {
            wrong += &format!("\n{code}: {written}\n    said     {heard}\n    expected {said}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
