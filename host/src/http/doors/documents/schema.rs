//! A document of Docling's schema: texts and tables in the order of reading, with their kinds, pages and places.
//!
//! Every `prov` has a `bbox`, because Docling's own types know none without. Where a page has a size and a block no place (the
//! value of a form's field), it is the whole page. Pages of files that have none on paper (chapters, sheets) are 1 by 1, and
//! their blocks have all of it: what is known is the page.

use serde_json::{Map, Value, json};

use super::reading::{Block, Page, Place, Reading, Size};

/// Most cells of a document's tables: each takes many times its text. Tables beyond are texts with tabs.
const MAX_CELLS: usize = 20_000;

/// The document.
pub fn document(reading: &Reading, filename: &str) -> Value {
    let (mut texts, mut tables, mut children) = (Vec::new(), Vec::new(), Vec::new());
    let mut cells = MAX_CELLS;
    for page in &reading.pages {
        // Docling's clients count the pages of the body, which must be those of the Markdown.
        let has_body = page
            .blocks
            .iter()
            .any(|block| !is_furniture(&block.kind) && !block.text.trim().is_empty());
        for block in &page.blocks {
            let (item, list) = match rows(block, &mut cells) {
                Some(rows) => (table(tables.len(), page, block, &rows), &mut tables),
                None => (text(texts.len(), page, block, has_body), &mut texts),
            };
            children.push(json!({"$ref": item["self_ref"]}));
            list.push(item);
        }
    }
    let pages: Map<String, Value> = reading.pages.iter().map(sized).collect();
    let name = filename.rsplit_once('.').map_or(filename, |(stem, _)| stem);
    let group = |reference: &str, layer: &str, children: Vec<Value>| json!({"self_ref": reference, "children": children, "content_layer": layer, "name": "_root_", "label": "unspecified"});
    json!({
        "schema_name": "DoclingDocument",
        "version": "1.3.0",
        "name": name,
        "origin": {"mimetype": reading.media_type, "filename": filename, "binary_hash": 0},
        "furniture": group("#/furniture", "furniture", Vec::new()),
        "body": group("#/body", "body", children),
        "groups": [],
        "texts": texts,
        "pictures": [],
        "tables": tables,
        "key_value_items": [],
        "form_items": [],
        "pages": pages,
    })
}

fn is_furniture(kind: &str) -> bool {
    matches!(kind, "header" | "footer")
}

/// The size of a page; 1 by 1 where it has none.
fn size(page: &Page) -> Size {
    page.size.unwrap_or(Size {
        width: 1.0,
        height: 1.0,
    })
}

/// A page by its number.
fn sized(page: &Page) -> (String, Value) {
    let Size { width, height } = size(page);
    let size = json!({"width": tenth(width), "height": tenth(height)});
    (page.number.to_string(), json!({"size": size, "page_no": page.number}))
}

/// A length as it came, to a tenth of its unit.
fn tenth(length: f32) -> f64 {
    (f64::from(length) * 10.0).round() / 10.0
}

/// The place of a block. Docling measures from the lower edge, as PDF does.
fn provenance(page: &Page, block: &Block, characters: usize) -> Value {
    let Size { width, height } = size(page);
    let whole = Place {
        right: width,
        bottom: height,
        ..Place::default()
    };
    let Place {
        left,
        top,
        right,
        bottom,
    } = block.place.unwrap_or(whole);
    let [l, t, r, b] = [left, height - top, right, height - bottom].map(tenth);
    let bbox = json!({"l": l, "t": t, "r": r, "b": b, "coord_origin": "BOTTOMLEFT"});
    json!([{"page_no": page.number, "bbox": bbox, "charspan": [0, characters]}])
}

fn text(index: usize, page: &Page, block: &Block, has_body: bool) -> Value {
    let label = match block.kind.as_str() {
        "title" => "title",
        "heading" => "section_header",
        "listItem" => "list_item",
        "code" => "code",
        "caption" => "caption",
        "footnote" => "footnote",
        "header" => "page_header",
        "footer" => "page_footer",
        _ => "text",
    };
    let layer = if has_body && is_furniture(&block.kind) {
        "furniture"
    } else {
        "body"
    };
    let mut item = json!({
        "self_ref": format!("#/texts/{index}"),
        "parent": {"$ref": "#/body"},
        "children": [],
        "content_layer": layer,
        "label": label,
        "prov": provenance(page, block, block.text.chars().count()),
        "orig": block.text,
        "text": block.text,
    });
    if label == "section_header" {
        item["level"] = 1.into();
    }
    item
}

/// The rows of a table; none of a block that is no table, has one column only, or more cells than there may be.
fn rows<'b>(block: &'b Block, most: &mut usize) -> Option<Vec<Vec<&'b str>>> {
    if block.kind != "table" {
        return None;
    }
    let lines = block.text.lines().filter(|line| !line.trim().is_empty());
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split('\t').map(str::trim).collect()).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let left = most.checked_sub(rows.len() * columns).filter(|_| columns > 1)?;
    *most = left;
    Some(rows)
}

/// A table. Its first row is the head, as in the Markdown.
fn table(index: usize, page: &Page, block: &Block, rows: &[Vec<&str>]) -> Value {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cell = |row: usize, column: usize| {
        let text = rows.get(row).and_then(|cells| cells.get(column)).copied();
        json!({
            "row_span": 1,
            "col_span": 1,
            "start_row_offset_idx": row,
            "end_row_offset_idx": row + 1,
            "start_col_offset_idx": column,
            "end_col_offset_idx": column + 1,
            "text": text.unwrap_or_default(),
            "column_header": row == 0,
            "row_header": false,
            "row_section": false,
        })
    };
    let row = |row: usize| -> Vec<Value> { (0..columns).map(|column| cell(row, column)).collect() };
    let grid: Vec<Vec<Value>> = (0..rows.len()).map(row).collect();
    json!({
        "self_ref": format!("#/tables/{index}"),
        "parent": {"$ref": "#/body"},
        "children": [],
        "content_layer": "body",
        "label": "table",
        "prov": provenance(page, block, 0),
        "captions": [],
        "references": [],
        "footnotes": [],
        "data": {
            "table_cells": grid.concat(),
            "num_rows": rows.len(),
            "num_cols": columns,
            "grid": grid,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(kind: &str, text: &str, place: Option<[f32; 4]>) -> Block {
        Block {
            kind: kind.to_owned(),
            text: text.to_owned(),
            place: place.map(|[left, top, right, bottom]| Place {
                left,
                top,
                right,
                bottom,
            }),
        }
    }

    fn made(size: Option<Size>, blocks: Vec<Block>) -> Value {
        let page = Page {
            number: 3,
            size,
            blocks,
            ..Page::default()
        };
        let reading = Reading {
            pages: vec![page],
            ..Reading::default()
        };
        document(&reading, "a.b.pdf")
    }

    #[test]
    fn blocks_have_places_from_the_lower_edge() {
        let a4 = Some(Size {
            width: 595.0,
            height: 842.0,
        });
        let blocks = vec![
            block("heading", "Größe", Some([50.3, 100.0, 200.0, 112.0])),
            block("other", "Ada", None),
        ];
        let made = made(a4, blocks);
        assert_eq!(made["name"], "a.b");
        assert_eq!(
            made["pages"],
            json!({"3": {"size": {"width": 595.0, "height": 842.0}, "page_no": 3}})
        );
        let bbox = |index: usize| &made["texts"][index]["prov"][0]["bbox"];
        assert_eq!(
            bbox(0),
            &json!({"l": 50.3, "t": 742.0, "r": 200.0, "b": 730.0, "coord_origin": "BOTTOMLEFT"})
        );
        assert_eq!(
            bbox(1),
            &json!({"l": 0.0, "t": 842.0, "r": 595.0, "b": 0.0, "coord_origin": "BOTTOMLEFT"})
        );
        assert_eq!(made["texts"][0]["prov"][0]["charspan"], json!([0, 5]));
    }

    #[test]
    fn pages_without_a_size_are_known_by_their_number() {
        let made = made(None, vec![block("paragraph", "x", None)]);
        assert_eq!(made["pages"]["3"]["size"], json!({"width": 1.0, "height": 1.0}));
        let place = &made["texts"][0]["prov"][0];
        assert_eq!((&place["page_no"], &place["bbox"]["t"]), (&3.into(), &1.0.into()));
    }

    #[test]
    fn tables_have_cells_in_rows_and_columns() {
        let blocks = vec![
            block("paragraph", "Mills", None),
            block("table", "Name\tBuilt\nAldebourne\n\nLenn\t1742", None),
            block("table", "one column\nonly", None),
        ];
        let made = made(None, blocks);
        let children: Vec<_> = made["body"]["children"].as_array().unwrap().iter().collect();
        assert_eq!(
            children,
            [
                &json!({"$ref": "#/texts/0"}),
                &json!({"$ref": "#/tables/0"}),
                &json!({"$ref": "#/texts/1"}),
            ]
        );
        let data = &made["tables"][0]["data"];
        assert_eq!((&data["num_rows"], &data["num_cols"]), (&3.into(), &2.into()));
        assert_eq!(data["table_cells"].as_array().map(Vec::len), Some(6));
        let cell = |row: usize, column: usize| &data["grid"][row][column];
        assert_eq!((&cell(2, 1)["text"], &cell(1, 1)["text"]), (&"1742".into(), &"".into()));
        assert_eq!(
            (&cell(0, 0)["column_header"], &cell(1, 0)["column_header"]),
            (&true.into(), &false.into())
        );
        assert_eq!(
            (&cell(2, 1)["start_row_offset_idx"], &cell(2, 1)["end_col_offset_idx"]),
            (&2.into(), &2.into())
        );
    }

    #[test]
    fn tables_beyond_what_is_told_are_texts() {
        let wide = vec!["x"; 150].join("\t");
        let block = block("table", &vec![wide.as_str(); 100].join("\n"), None);
        let made = made(None, vec![block.clone(), block]);
        let count = |list: &str| made[list].as_array().map(Vec::len);
        assert_eq!((count("tables"), count("texts")), (Some(1), Some(1)));
    }
}
