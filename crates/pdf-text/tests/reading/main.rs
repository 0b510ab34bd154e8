//! Reading of whole files, which are made here for what they test.

mod file;

use file::{File, column, text};
use quartet_pdf_text::{Error, Limits, Ocr, Options, PageImage, RecognisedLine, RecognisedPage, read};
use quartet_text_analysis::{Document, Kind, Place, Source};

fn document(file: &File) -> Document {
    read(file.bytes(), &Options::default()).expect("a PDF")
}

fn kinds(document: &Document, page: usize) -> Vec<(Kind, &str)> {
    document.pages[page]
        .blocks
        .iter()
        .map(|block| (block.kind, block.text.as_str()))
        .collect()
}

fn limited(file: &File, limits: Limits) -> Result<Document, Error> {
    read(
        file.bytes(),
        &Options {
            limits,
            ..Options::default()
        },
    )
}

#[test]
fn columns_are_read_one_after_the_other() {
    let left = [
        "The bird sings in the old",
        "tree before the sun comes",
        "up over the quiet hills of",
        "the north country.",
    ];
    let right = [
        "Nobody hears it there but",
        "the miller, who is awake",
        "at that hour and opens the",
        "doors of his mill.",
    ];
    // Line by line across both columns, as some programs write them.
    let mut content = text(50.0, 760.0, 18.0, "Morning in the mill beside the river");
    for (row, (l, r)) in left.iter().zip(right).enumerate() {
        let y = 720.0 - 12.0 * row as f64;
        content += &text(50.0, y, 10.0, l);
        content += &text(220.0, y, 10.0, r);
    }
    let found = document(&File::new().page(&content));
    let text = found.pages[0].text();
    assert_eq!(
        text,
        "Morning in the mill beside the river\n\nThe bird sings in the old tree before the sun comes up over the quiet hills of \
         the north country.\n\nNobody hears it there but the miller, who is awake at that hour and opens the doors of his mill."
    );
    assert_eq!(found.pages[0].blocks[0].kind, Kind::Title);
}

#[test]
fn what_repeats_is_set_apart() {
    let mut file = File::new();
    for page in 1..=5 {
        let body = column(
            50.0,
            700.0,
            &["Words of this page that go on", "and on until they end."],
        );
        let head = text(50.0, 800.0, 9.0, "A history of birds");
        file = file.page(&format!("{head}{body}{}", text(290.0, 30.0, 9.0, &page.to_string())));
    }
    let found = document(&file);
    for page in 0..5 {
        let number = (page + 1).to_string();
        assert_eq!(
            kinds(&found, page),
            [
                (Kind::Header, "A history of birds"),
                (Kind::Paragraph, "Words of this page that go on and on until they end."),
                (Kind::Footer, number.as_str()),
            ]
        );
        assert!(!found.pages[page].text().contains("history"));
    }
}

#[test]
fn drawn_tables_keep_their_cells() {
    let mut content = String::new();
    for y in [700.0, 680.0, 650.0, 630.0] {
        content += &format!("50 {y} m 350 {y} l S\n");
    }
    for x in [50.0, 150.0, 350.0] {
        content += &format!("{x} 700 m {x} 630 l S\n");
    }
    content += &text(55.0, 685.0, 10.0, "Name");
    content += &text(155.0, 685.0, 10.0, "What it is");
    content += &text(55.0, 662.0, 10.0, "heron");
    content += &text(155.0, 668.0, 10.0, "a large grey bird that");
    content += &text(155.0, 656.0, 10.0, "stands in water");
    content += &text(155.0, 636.0, 10.0, "no name is known");
    let found = document(&File::new().page(&content));
    assert_eq!(
        kinds(&found, 0),
        [(
            Kind::Table,
            "Name\tWhat it is\nheron\ta large grey bird that stands in water\n\tno name is known"
        )]
    );
}

#[test]
fn broken_words_are_joined_and_lists_are_not() {
    let lines = [
        "The library opens at nine and is much fre-",
        "quented by people who study.",
    ];
    let content = column(50.0, 700.0, &lines) + &column(50.0, 640.0, &["1. First read.", "2. Then write."]);
    let found = document(&File::new().page(&content));
    assert_eq!(
        kinds(&found, 0),
        [
            (
                Kind::Paragraph,
                "The library opens at nine and is much frequented by people who study."
            ),
            (Kind::ListItem, "1. First read."),
            (Kind::ListItem, "2. Then write."),
        ]
    );
}

#[test]
fn turned_pages_are_read_upright() {
    let content = column(50.0, 700.0, &["Upright as it was", "written."]);
    let turned =
        "0 1 -1 0 500 100 cm\n".to_owned() + &column(50.0, 300.0, &["This goes up the page", "and is read so."]);
    let file = File::new().page_with(&content, "/Rotate 90").page(&turned);
    let found = document(&file);
    assert_eq!(found.pages[0].text(), "Upright as it was written.");
    assert_eq!(found.pages[1].text(), "This goes up the page and is read so.");
}

#[test]
fn only_what_is_on_the_page_counts_seen_or_not() {
    let content = text(-300.0, 700.0, 10.0, "outside")
        + "3 Tr\n"
        + &text(50.0, 700.0, 10.0, "unseen")
        + "0 Tr /Span <</ActualText (whole)>> BDC\n"
        + &text(50.0, 650.0, 10.0, "wh0le")
        + "EMC\n";
    let found = document(&File::new().page(&content));
    assert_eq!(found.pages[0].text(), "unseen\n\nwhole");
}

#[test]
fn fields_and_notes_are_read() {
    let fields = "/Annots [<</Type/Annot/Subtype/Widget/Rect[0 0 1 1]/FT/Tx/T(Name)/V(Ada)>> \
                  <</Type/Annot/Subtype/Text/Rect[0 0 1 1]/Contents(Look again)>>]";
    let found = document(&File::new().page_with(&text(50.0, 700.0, 10.0, "Form"), fields));
    assert_eq!(
        kinds(&found, 0),
        [
            (Kind::Paragraph, "Form"),
            (Kind::Other, "Name: Ada"),
            (Kind::Other, "Look again")
        ]
    );
}

#[test]
fn a_file_says_who_and_when() {
    let mut file = File::new().page(&text(50.0, 700.0, 10.0, "Text"));
    file.info =
        "/Title(\\376\\377\\000V\\000\\366\\000g\\000e\\000l)/Author(Ada)/CreationDate(D:20240229123456+01'00')".into();
    file.catalog = "/Lang(de-DE)/Outlines<</First 90 0 R>>".into();
    file.objects =
        "90 0 obj<</Title(One)/Dest[3 0 R/Fit]/First 91 0 R>>endobj\n91 0 obj<</Title(Two)/Parent 90 0 R>>endobj\n"
            .into();
    let found = document(&file);
    assert_eq!(found.metadata.title.as_deref(), Some("Vögel"));
    assert_eq!(found.metadata.author.as_deref(), Some("Ada"));
    assert_eq!(found.metadata.created.as_deref(), Some("2024-02-29T12:34:56+01:00"));
    assert_eq!(found.metadata.language.as_deref(), Some("de-DE"));
    assert_eq!(found.metadata.page_count, 1);
    let outline: Vec<_> = found
        .outline
        .iter()
        .map(|entry| (entry.title.as_str(), entry.level, entry.page))
        .collect();
    assert_eq!(outline, [("One", 1, Some(1)), ("Two", 2, None)]);
}

#[test]
fn encrypted_files_open_when_nobody_must_know_a_password() {
    let open = |bytes: &[u8]| read(bytes.to_vec(), &Options::default());
    let found = open(include_bytes!("empty-password.pdf")).expect("opens without a password");
    assert_eq!(found.pages[0].text(), "Kept from strangers");
    assert_eq!(open(include_bytes!("user-password.pdf")), Err(Error::Password));
}

#[test]
fn what_is_no_pdf_is_refused_and_what_is_broken_is_mended() {
    assert_eq!(read(b"<html>".to_vec(), &Options::default()), Err(Error::NotPdf));
    assert_eq!(read(Vec::new(), &Options::default()), Err(Error::NotPdf));
    assert_eq!(
        read(b"%PDF-1.7\nnothing".to_vec(), &Options::default()),
        Err(Error::Damaged)
    );
    let mut bytes = File::new().page(&text(50.0, 700.0, 10.0, "Still here")).bytes();
    let at = bytes
        .windows(9)
        .position(|window| window == b"startxref")
        .expect("written");
    bytes.truncate(at);
    assert_eq!(
        read(bytes, &Options::default()).expect("mended").pages[0].text(),
        "Still here"
    );
}

#[test]
fn limits_are_named_when_they_are_hit() {
    let page = text(50.0, 700.0, 10.0, "Hello");
    let file = File::new().page(&page).page(&page).page(&page);
    let found = limited(
        &file,
        Limits {
            max_pages: 2,
            ..Limits::default()
        },
    )
    .expect("read in part");
    assert!(found.truncated && found.pages.len() == 2 && found.metadata.page_count == 3);
    assert_eq!(
        found.warnings,
        ["The PDF is over the limit of 2 pages; those after it were left out."]
    );

    let error = limited(
        &file,
        Limits {
            max_objects: 3,
            ..Limits::default()
        },
    )
    .expect_err("too many objects");
    assert_eq!(error.to_string(), "The PDF is over the limit of 3 objects.");

    let found = limited(
        &file,
        Limits {
            max_page_content_bytes: 10,
            ..Limits::default()
        },
    )
    .expect("read");
    assert!(
        found.pages[0].warnings[0].contains("limit of 10 bytes"),
        "{:?}",
        found.pages[0].warnings
    );

    let many = File::new().page(&text(50.0, 700.0, 10.0, &"word ".repeat(600)).repeat(10));
    let found = limited(
        &many,
        Limits {
            max_page_characters: 100,
            ..Limits::default()
        },
    )
    .expect("read");
    assert!(
        found.pages[0].warnings[0].contains("limit of 100 characters"),
        "{:?}",
        found.pages[0].warnings
    );
}

#[test]
fn forms_in_forms_end() {
    let mut file = File::new().page_with("/X Do", "/Resources<</XObject<</X 80 0 R>>>>");
    // Two in each, twenty deep: too deep, and too many for the time.
    for number in 80..100 {
        let next = number + 1;
        file.objects += &format!(
            "{number} 0 obj<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X {next} 0 R>>>>/Length 11>>\
             stream\n/X Do /X Do\nendstream endobj\n"
        );
    }
    let looks = std::cell::Cell::new(0);
    let time_left = || {
        looks.set(looks.get() + 1);
        looks.get() < 20
    };
    let found = read(
        file.bytes(),
        &Options {
            time_left: &time_left,
            ..Options::default()
        },
    )
    .expect("read in part");
    let warnings = &found.pages[0].warnings;
    assert!(
        warnings.iter().any(|warning| warning.contains("limit of 16")),
        "{warnings:?}"
    );
    assert!(found.truncated);
}

#[test]
fn without_time_nothing_is_lost_that_was_read() {
    let page = text(50.0, 700.0, 10.0, "Hello");
    let file = File::new().page(&page).page(&page);
    let looks = std::cell::Cell::new(0);
    let time_left = || {
        looks.set(looks.get() + 1);
        looks.get() < 2
    };
    let found = read(
        file.bytes(),
        &Options {
            time_left: &time_left,
            ..Options::default()
        },
    )
    .expect("read in part");
    assert!(found.truncated);
    assert_eq!(found.pages.len(), 1);
    assert_eq!(found.pages[0].text(), "Hello");
    assert_eq!(
        found.warnings,
        ["There was no time to read everything: 1 of 2 pages were looked at."]
    );
}

/// The edges of the places of a page's blocks, in whole points.
fn places(document: &Document, page: usize) -> Vec<Option<[i32; 4]>> {
    let layout = document.pages[page].layout.as_ref().expect("a layout");
    assert_eq!(layout.places.len(), document.pages[page].blocks.len());
    let whole = |place: &Place| [place.left, place.top, place.right, place.bottom].map(|at| at.round() as i32);
    layout.places.iter().map(|place| place.as_ref().map(whole)).collect()
}

#[test]
fn blocks_stand_where_they_are_shown() {
    let lines = column(50.0, 700.0, &["Upright as it was", "written."]) + &text(50.0, 600.0, 10.0, "Below.");
    // A grid of two rows and two columns, and what is in it.
    let mut table = String::new();
    for y in [500, 520, 540] {
        table += &format!("50 {y} m 250 {y} l S\n");
    }
    for x in [50, 150, 250] {
        table += &format!("{x} 500 m {x} 540 l S\n");
    }
    for (x, y, cell) in [
        (55.0, 525.0, "Name"),
        (155.0, 525.0, "Built"),
        (55.0, 505.0, "Lenn"),
        (155.0, 505.0, "1742"),
    ] {
        table += &text(x, y, 10.0, cell);
    }
    let fields = "/Annots [<</Type/Annot/Subtype/Widget/Rect[0 0 1 1]/FT/Tx/T(Name)/V(Ada)>>]";
    let found = document(&File::new().page_with(&(lines + &table), fields));
    let layout = found.pages[0].layout.as_ref().expect("a layout");
    assert_eq!((layout.width, layout.height), (595.0, 842.0));
    let of = |kind: Kind| {
        let at = found.pages[0].blocks.iter().position(|block| block.kind == kind);
        places(&found, 0)[at.expect("a block")]
    };
    let [left, top, right, bottom] = of(Kind::Paragraph).expect("a place");
    assert_eq!(
        (left, top, bottom),
        (50, 842 - 708, 842 - 688 + 2),
        "baselines at 700 and 688"
    );
    assert!((100..150).contains(&right), "{right}");
    assert_eq!(of(Kind::Table), Some([50, 842 - 540, 250, 842 - 500]));
    assert_eq!(of(Kind::Other), None, "a value that no content shows");
}

#[test]
fn places_are_those_of_the_page_as_it_is_shown() {
    let content = column(50.0, 700.0, &["Upright as it was", "written."]);
    let upwards =
        "0 1 -1 0 500 100 cm\n".to_owned() + &column(50.0, 300.0, &["This goes up the page", "and is read so."]);
    let found = document(&File::new().page_with(&content, "/Rotate 90").page(&upwards));
    // Turned clockwise, what is above is at the right.
    let layout = found.pages[0].layout.as_ref().expect("a layout");
    assert_eq!((layout.width, layout.height), (842.0, 595.0));
    let [left, top, right, bottom] = places(&found, 0)[0].expect("a place");
    assert_eq!((left, top, right), (688 - 2, 50, 708));
    assert!((100..150).contains(&bottom), "{bottom}");
    // Lines that go up from x = 200 and 212, from y = 150.
    let [left, top, right, bottom] = places(&found, 1)[0].expect("a place");
    assert_eq!((left, right, bottom), (200 - 8, 212 + 2, 842 - 150));
    assert!((842 - 280..842 - 200).contains(&top), "{top}");
}

/// Engine that checks that it was given a picture with something dark in it.
struct Reader;

impl Ocr for Reader {
    fn read(&self, picture: PageImage) -> Result<RecognisedPage, String> {
        assert_eq!(
            picture.pixels.len(),
            picture.width as usize * picture.height as usize * 3
        );
        let dark = picture.pixels.iter().filter(|value| **value < 40).count() * 2 > picture.pixels.len();
        if dark {
            // Two columns with a heading above, on a page that was scanned three degrees askew.
            let (sin, cos) = 3_f64.to_radians().sin_cos();
            let line = |text: &str, x: f64, y: f64, height: f64| RecognisedLine {
                text: text.into(),
                centre: (x * cos - y * sin, x * sin + y * cos),
                length: text.len() as f64 * height / 2.0,
                height,
                angle: 3_f64.to_radians(),
            };
            let mut lines = vec![line("Night on the hill", 900.0, 100.0, 70.0)];
            for row in 0..12 {
                let y = 300.0 + 50.0 * f64::from(row);
                lines.push(line("left the dark grows longer and", 450.0, y, 30.0));
                lines.push(line("right the moon rises above the", 1300.0, y, 30.0));
            }
            Ok(RecognisedPage {
                lines,
                unread: 2,
                confidence: 0.9,
                stopped: false,
            })
        } else {
            Err("light".into())
        }
    }
}

#[test]
fn pages_that_are_pictures_are_drawn_and_read() {
    let image = |value: &str| format!("q 590 0 0 830 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G /F /AHx ID {value}> EI Q\n");
    let file = File::new().page(&image("00")).page(&image("ff")).page("");
    let found = read(
        file.bytes(),
        &Options {
            ocr: Some(&Reader),
            ..Options::default()
        },
    )
    .expect("read");
    let page = &found.pages[0];
    assert_eq!(page.source, Source::Ocr);
    let texts: Vec<&str> = page.blocks.iter().map(|block| block.text.as_str()).collect();
    assert_eq!(texts[0], "Night on the hill");
    assert!(
        matches!(page.blocks[0].kind, Kind::Title | Kind::Heading),
        "{:?}",
        page.blocks[0]
    );
    assert_eq!(texts.len(), 3, "{texts:?}");
    assert!(
        texts[1].starts_with("left the dark grows longer and left the dark"),
        "{texts:?}"
    );
    assert!(!texts[1].contains("moon") && !texts[2].contains("dark"), "{texts:?}");
    // As it was scanned, askew: the columns lie lower at their right ends than at their left ones.
    let places = places(&found, 0);
    let [heading, left, right] = [0, 1, 2].map(|at| places[at].expect("a place"));
    let scale = 595.0 / 1653.0;
    let across = |place: [i32; 4]| f64::from(place[0] + place[2]) / 2.0;
    let (sin, cos) = 3_f64.to_radians().sin_cos();
    for (place, x) in [(left, 450.0), (right, 1300.0)] {
        let middle: f64 = (x * cos - (300.0 + 275.0) * sin) * scale;
        assert!((across(place) - middle).abs() < 3.0, "{place:?} {middle}");
    }
    assert!(heading[3] < left[1] + 10 && right[1] > left[1] + 10, "{places:?}");
    assert_eq!(
        page.warnings,
        [
            "The page has no text, only a picture; what is here was recognised in it.",
            "2 places that look like lines could not be read."
        ]
    );
    assert_eq!(found.pages[1].source, Source::Empty);
    assert_eq!(
        found.pages[1].warnings,
        ["The page has no text, only a picture, which was not read: light."]
    );
    assert_eq!(
        (found.pages[2].source, found.pages[2].warnings.len()),
        (Source::Empty, 0)
    );
    let without = document(&file);
    assert_eq!(without.pages[0].source, Source::Empty);
    assert_eq!(without.pages[0].warnings, ["The page has no text, only a picture."]);
}

/// Fonts may have codes and names of glyphs of their own and no map to text.
#[test]
fn a_page_whose_characters_have_no_text_is_read_from_its_picture() {
    let font = "/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Type/Encoding/Differences\
                [65/g65/g66/g67/g68/g69/g70]>>>>>>>>";
    let dark = "0 0 595 842 re f ";
    let unmapped = format!("{dark}{}", text(50.0, 700.0, 10.0, "ABCDEFABCDEF"));
    let bullets = text(50.0, 700.0, 10.0, "ABC and then words that can be read as they are");
    let file = File::new().page_with(&unmapped, font).page_with(&bullets, font);
    let options = Options {
        ocr: Some(&Reader),
        ..Options::default()
    };
    let found = read(file.bytes(), &options).expect("read");
    assert_eq!(found.pages[0].source, Source::Ocr);
    assert_eq!(found.pages[0].blocks[0].text, "Night on the hill");
    let warnings = &found.pages[0].warnings;
    let said = "Most characters of the page have no text in the file, only a shape; what is here was recognised in it.";
    assert!(warnings.iter().any(|warning| warning == said), "{warnings:?}");
    assert_eq!(found.pages[1].source, Source::Text);
    assert!(
        found.pages[1].text().contains("words that can be read"),
        "{:?}",
        found.pages[1]
    );
}

#[test]
fn links_have_their_words_and_lead_to_addresses_and_pages() {
    let link = |area: &str, target: &str| format!("<</Type/Annot/Subtype/Link/Rect[{area}]{target}>>");
    let annotations = [
        link("95 696 148 712", "/A<</S/URI/URI(https://www.debian.org/)>>"),
        link("98 676 300 692", "/Dest[5 0 R/Fit]"),
        link("98 656 300 672", "/A<</S/GoTo/D(end)>>"),
        // It leads nowhere.
        link("98 636 300 652", "/A<</S/GoTo/D(gone)>>"),
    ];
    let content = text(60.0, 700.0, 10.0, "See the Debian site today")
        + &text(100.0, 680.0, 10.0, "Second page")
        + &text(100.0, 660.0, 10.0, "The end")
        + &text(100.0, 640.0, 10.0, "Nowhere");
    let mut file = File::new()
        .page_with(&content, &format!("/Annots[{}]", annotations.concat()))
        .page(&text(60.0, 700.0, 10.0, "The second page"))
        .page(&text(60.0, 700.0, 10.0, "The third page"));
    file.catalog = "/Names<</Dests<</Names[(end)[7 0 R/Fit]]>>>>".into();
    let found = document(&file);
    let links: Vec<(&str, Option<&str>, Option<usize>)> = found.pages[0]
        .links
        .iter()
        .map(|link| (link.text.as_str(), link.url.as_deref(), link.page))
        .collect();
    assert_eq!(
        links,
        [
            ("Debian site", Some("https://www.debian.org/"), None),
            ("Second page", None, Some(2)),
            ("The end", None, Some(3)),
        ]
    );
    assert!(found.pages[1].links.is_empty());
}

#[test]
fn simple_fonts_with_pairs_of_bytes_are_read() {
    let font = "/Resources<</Font<</F<</Type/Font/Subtype/TrueType/BaseFont/XiaoBiaoSong/Encoding/WinAnsiEncoding>>\
                /G<</Type/Font/Subtype/TrueType/BaseFont/Georgia/Encoding/WinAnsiEncoding>>>>>>";
    // "水车在河边 2024", as its bytes in GBK, and the same accents in a font that is none of Chinese.
    let content = text(
        50.0,
        700.0,
        10.0,
        "\\313\\256\\263\\265\\324\\332\\272\\323\\261\\337 2024",
    ) + "BT /G 10 Tf 1 0 0 1 50 600 Tm (\\313\\256) Tj ET\n";
    let found = document(&File::new().page_with(&content, font));
    assert_eq!(found.pages[0].text(), "水车在河边 2024\n\nË®");
}
